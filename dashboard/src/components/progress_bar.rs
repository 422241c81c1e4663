//! How far a job has come.

use leptos::prelude::*;
use pentimento_api::job::Progress;

/// A bar and its figures. Before the pages are known it shows no share.
#[component]
pub(crate) fn ProgressBar(#[prop(into)] progress: Signal<Progress>) -> impl IntoView {
    let share = move || progress.with(|progress| progress.percent.parse::<f64>().unwrap_or(0.0));
    let text = move || {
        progress.with(|progress| match progress.total {
            0 => "finding pages…".to_owned(),
            total => format!("{} of {total}", progress.completed),
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
