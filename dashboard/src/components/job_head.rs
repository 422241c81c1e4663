//! The head of a job's page: what it was, where it stands, what it found in words.

use leptos::prelude::*;
use pentimento_api::crawl::RunContext;
use pentimento_api::job::{ComparisonMode, JobOverview, JobStatus};
use pentimento_api::summary::{self, RunDecision};

use crate::components::badge::Badge;
use crate::components::icon::{Glyph, Icon};
use crate::components::job_row::change_of;
use crate::components::outcome_bar::{OutcomeBar, triage_text};
use crate::components::progress_bar::ProgressBar;
use crate::components::sentence::Sentence;
use crate::components::time::Ago;
use crate::format;
use crate::labels;

/// Name, status, figures; it follows the job while it runs.
#[component]
pub(crate) fn JobHead(#[prop(into)] job: Signal<JobOverview>, children: Children) -> impl IntoView {
    let first = job.get_untracked();
    let title = first
        .project
        .clone()
        .unwrap_or_else(|| format::host_of(&first.test_origin));
    let against = match (first.comparison_mode, first.base_origin) {
        (ComparisonMode::Live, Some(base)) => format!("against {}, live", format::host_of(&base)),
        (ComparisonMode::Live, None) => "live".to_owned(),
        (ComparisonMode::Managed, _) => "against its baselines".to_owned(),
    };
    let project_href = first
        .project
        .map(|name| format!("/app?project={}", crate::client::encoded(&name)));
    let status = Memo::new(move |_| job.with(|job| job.status));
    view! {
        <nav class="crumbs" aria-label="Breadcrumb">
            <a href="/app">"Jobs"</a>
            {project_href.map(|href| view! { <a href=href>{title.clone()}</a> })}
        </nav>
        <div class="page-head">
            <h1>{title.clone()}</h1>
            <span data-testid="job-status" data-status=move || status.get().as_str()>
                <Badge label=Signal::derive(move || job.with(labels::job)) />
            </span>
            <div class="page-actions">{children()}</div>
        </div>
        <p class="job-line">
            <span>{format::host_of(&first.test_origin)} " " {against}</span>
            <span>"started " <Ago time=first.created_at /> " by " {first.started_by}</span>
            {move || job.with(|job| {
                // While it runs nothing says when a second has passed, so the time would stand still.
                job.status.is_final().then(|| view! {
                    <span>{format!("took {}", format::duration(job.execution_time))}</span>
                })
            })}
        </p>
        {first.run_context.map(|context| view! { <Change context /> })}
        {move || (!status.get().is_final()).then(|| view! {
            <ProgressBar job />
        })}
        {move || job.with(|job| job.error.clone()).map(|error| view! {
            <p class="job-problem"><Icon glyph=Glyph::Alert /> <span>{error}</span></p>
        })}
        <div class="job-figures">
            <OutcomeBar counts=Signal::derive(move || job.with(|job| job.counts)) />
            {move || triage_text(&job.get()).map(|text| view! { <span class="job-triage">{text}</span> })}
        </div>
    }
}

/// The run in words, and whether its changes were meant.
#[component]
pub(crate) fn JobWords(words: summary::JobWords, job: Signal<JobOverview>) -> impl IntoView {
    let intent = words.intent_assessment;
    // It says how the run ended, whatever was decided since.
    let is_decided_since =
        Memo::new(move |_| job.with(|job| job.triage.approved + job.triage.rejected > 0));
    // Green says that every page was compared and is well.
    let is_whole =
        job.with_untracked(|job| job.status != JobStatus::Failed && job.counts.error == 0);
    let has_badge = is_whole || intent.decision != RunDecision::Pass;
    let badge = move || {
        (has_badge && !is_decided_since.get())
            .then(|| view! { <Badge label=labels::run_decision(intent.decision) /> " " })
    };
    let when = move || is_decided_since.get().then_some("When the run ended: ");
    view! {
        <section class="job-words" aria-label="Summary" data-testid="job-summary">
            <p><Sentence text=words.run_summary /></p>
            <p>{badge} {when} <Sentence text=intent.summary /></p>
        </section>
    }
}

#[component]
fn Change(context: RunContext) -> impl IntoView {
    let expected = context.expected_changes.clone().unwrap_or_default();
    let (text, commit) = change_of(&context).unwrap_or_default();
    view! {
        <p class="job-change">
            {commit.map(|commit| view! { <code>{commit}</code> })}
            <span>{text}</span>
        </p>
        {(!expected.is_empty()).then(|| view! { <p class="help">"Expected: " {expected.join("; ")}</p> })}
    }
}
