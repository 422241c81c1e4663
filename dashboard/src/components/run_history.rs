//! A page's last runs: a row of marks in the inspector, each of which leads to its review, and what made the baseline.

use leptos::prelude::*;
use pentimento_api::history::{BaselineAction, BaselineMove, PageHistory, PageRun};
use pentimento_api::ids::ResultId;
use pentimento_api::job::ComparisonMode;
use pentimento_api::result::TriageStatus;
use pentimento_api::review::Outcome;

use crate::client;
use crate::components::icon::Icon;
use crate::components::time::Ago;
use crate::format;
use crate::labels::{self, Label};
use crate::review::state::use_review;
use crate::shared::use_shared;

/// The inspector's part on it; nothing where the page belongs to no project, or has run only once and all of it is seen here.
#[component]
pub(crate) fn RunHistory() -> impl IntoView {
    let review = use_review();
    move || {
        let id = review.id.get()?;
        let history = review.history.get();
        let (_, history) = history.filter(|(of, _)| *of == id)?;
        let (project, page, variant) = review.item.with(|item| {
            let item = item.as_ref()?;
            let result = &item.result;
            Some((
                item.project.clone()?,
                history.page.clone(),
                result.variant_name.clone(),
            ))
        })?;
        let is_of_a_run_gone =
            (history.baseline.as_ref()).is_some_and(|baseline| baseline.result_id.is_none());
        (history.runs.len() > 1 || is_of_a_run_gone).then(|| {
            let href = address(&project, &page, &variant);
            view! {
                <section class="inspector-part" aria-label="History" data-testid="history">
                    <h3>"Last runs"</h3>
                    <Marks history=history.clone() current=id />
                    <BaselineSentence history />
                    <p><a href=href data-testid="whole-history">"The page’s whole history"</a></p>
                </section>
            }
        })
    }
}

/// Where a page's history is.
fn address(project: &str, page: &str, variant: &str) -> String {
    format!(
        "/app/projects/{}/history?page={}&variant={}",
        client::encoded(project),
        client::encoded(page),
        client::encoded(variant)
    )
}

/// One mark for each run, the oldest first.
#[component]
fn Marks(history: PageHistory, current: ResultId) -> impl IntoView {
    let (shared, review) = (use_shared(), use_review());
    let marks: Vec<_> = (history.runs.into_iter().rev())
        .map(|run| {
            let id = run.item.result.result_id;
            let label = mark(&run);
            let told = told(&run);
            let created = run.created_at.clone();
            let title = move || format!("{told}, {}", format::ago(&created, shared.now_ms.get()));
            let is_current = (id == current).then_some("page");
            view! {
                <li>
                    <a
                        class=format!("run-mark {}", label.class)
                        class:is-baseline=run.is_baseline
                        href=move || {
                            review.raw.track();
                            review.sorting.track();
                            review.address.run(id)
                        }
                        aria-current=is_current
                        aria-label=title.clone()
                        title=title
                    >
                        <Icon glyph=label.glyph />
                    </a>
                </li>
            }
        })
        .collect();
    view! { <ol class="run-marks">{marks}</ol> }
}

/// What became of the page in a run: what was decided about it, else how it came out.
fn mark(run: &PageRun) -> Label {
    match run.item.result.triage_status {
        Some(status @ (TriageStatus::Approved | TriageStatus::Rejected)) => labels::triage(status),
        _ if run.item.result.unstable == Some(true) => labels::unstable(),
        _ => labels::outcome(run.item.outcome),
    }
}

/// The same in words.
fn told(run: &PageRun) -> String {
    let result = &run.item.result;
    let mut told = vec![labels::outcome(run.item.outcome).word.to_owned()];
    if run.item.outcome == Outcome::Regression {
        told.extend(result.diff_percentage.map(format::percent));
    }
    if result.unstable == Some(true) {
        told.push(labels::unstable().word.to_lowercase());
    }
    if let Some(status @ (TriageStatus::Approved | TriageStatus::Rejected)) = result.triage_status {
        let word = labels::triage(status).word.to_lowercase();
        let by = result.triaged_by.as_deref();
        told.push(by.map_or(word.clone(), |by| format!("{word} by {by}")));
    }
    if run.comparison_mode == ComparisonMode::Live {
        told.push("against another origin".to_owned());
    }
    if run.is_baseline {
        told.push("the baseline".to_owned());
    }
    told.join(", ")
}

/// What the page is compared with next, and who made it so.
#[component]
pub(crate) fn BaselineSentence(history: PageHistory) -> impl IntoView {
    let is_live = history.comparison_mode == ComparisonMode::Live;
    match history.baseline {
        Some(baseline) => {
            let captured = view! { "its capture of "<Ago time=baseline.captured_at /> };
            // The run that made it may be gone.
            let captured = match baseline.result_id {
                Some(id) => view! { <a href=format!("/app/review/{id}")>{captured}</a> }.into_any(),
                None => captured.into_any(),
            };
            let BaselineMove {
                action,
                moved_at,
                moved_by,
                ..
            } = baseline.moved;
            let made = match action {
                BaselineAction::New => "there was none to compare with.".into_any(),
                BaselineAction::Promote => view! { "approved by "{moved_by}", "<Ago time=moved_at />"." }.into_any(),
                BaselineAction::Restore => view! { "put back by "{moved_by}", "<Ago time=moved_at />"." }.into_any(),
            };
            view! {
                <p data-testid="baseline-now">
                    "The page’s baseline is "{captured}": "{made}
                </p>
            }
            .into_any()
        }
        None if is_live => ().into_any(),
        None => view! { <p data-testid="baseline-now">"The page has no baseline now: its next run makes one."</p> }.into_any(),
    }
}
