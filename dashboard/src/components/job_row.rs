//! One job in the list of jobs.

use leptos::prelude::*;
use pentimento_api::crawl::RunContext;
use pentimento_api::job::JobOverview;

use crate::components::badge::Badge;
use crate::components::outcome_bar::{OutcomeBar, triage_text};
use crate::components::progress_bar::ProgressBar;
use crate::components::time::Ago;
use crate::format;
use crate::labels;

/// A commit's id is told by its first characters.
const SHORT_COMMIT: usize = 8;

/// A job as a row; all of it leads to the job.
#[component]
pub(crate) fn JobRow(#[prop(into)] job: Signal<JobOverview>) -> impl IntoView {
    let first = job.get_untracked();
    let id = first.job_id;
    let title = first
        .project
        .clone()
        .unwrap_or_else(|| format::host_of(&first.test_origin));
    let origins = match &first.base_origin {
        Some(base) => format!(
            "{} against {}",
            format::host_of(&first.test_origin),
            format::host_of(base)
        ),
        None => format::host_of(&first.test_origin),
    };
    let change = first.run_context.as_ref().and_then(change_of);
    let status = Memo::new(move |_| job.with(|job| job.status));
    let is_live = Memo::new(move |_| !status.get().is_final());
    view! {
        <li class="job-row" data-testid="job-row" data-job-id=id.to_string() data-status=move || status.get().as_str()>
            <div class="job-what">
                <a class="job-link" href=format!("/app/jobs/{id}")>{title}</a>
                <span class="job-origin">{origins}</span>
                {change.map(|(text, commit)| view! {
                    <span class="job-change">
                        {commit.map(|commit| view! { <code>{commit}</code> })}
                        <span>{text}</span>
                    </span>
                })}
            </div>
            <div class="job-status">
                <Badge label=Signal::derive(move || job.with(labels::job)) />
                {move || is_live.get().then(|| view! {
                    <ProgressBar job />
                })}
                {move || job.with(|job| job.error.clone()).map(|error| view! {
                    <span class="job-error" title=error.clone()>{error.clone()}</span>
                })}
            </div>
            <div class="job-outcomes">
                <OutcomeBar counts=Signal::derive(move || job.with(|job| job.counts)) />
                {move || job.with(|job| triage_text(job).filter(|_| job.status.is_final())).map(|text| view! {
                    <span class="job-triage">{text}</span>
                })}
            </div>
            <div class="job-when">
                <span><Ago time=first.created_at.clone() /></span>
                <span>"by " {first.started_by.clone()}</span>
            </div>
            <div class="job-duration" title="How long it took">
                {move || format::duration(job.with(|job| job.execution_time))}
            </div>
        </li>
    }
}

/// What a run is about in one line, and its commit.
pub(crate) fn change_of(context: &RunContext) -> Option<(String, Option<String>)> {
    let text = context.headline().map(str::to_owned);
    let commit = context
        .git_commit_sha
        .as_ref()
        .map(|sha| sha.chars().take(SHORT_COMMIT).collect());
    if text.is_none() && commit.is_none() {
        None
    } else {
        Some((text.unwrap_or_default(), commit))
    }
}
