//! How far a job has come.

use leptos::prelude::*;
use pentimento_api::job::JobOverview;

/// A bar and its figures. Before the pages are known it shows no share.
#[component]
pub(crate) fn ProgressBar(#[prop(into)] job: Signal<JobOverview>) -> impl IntoView {
    let share = move || job.with(|job| job.progress.percent.parse::<f64>().unwrap_or(0.0));
    let text = move || {
        job.with(|job| match (job.takes_uploads, job.progress.total) {
            (true, 1) => "1 page so far".to_owned(),
            (true, total) => format!("{total} pages so far"),
            (false, 0) => "finding pages…".to_owned(),
            (false, total) => format!("{} of {total}", job.progress.completed),
        })
    };
    view! {
        <span class="progress">
            <span
                class="progress-track"
                role="progressbar"
                aria-label="Progress"
                aria-valuemin="0"
                aria-valuemax="100"
                aria-valuenow=move || format!("{:.0}", share())
            >
                <span class="progress-fill" style:width=move || format!("{}%", share())></span>
            </span>
            <span class="progress-text">{text}</span>
        </span>
    }
}
