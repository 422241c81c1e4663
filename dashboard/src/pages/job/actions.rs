//! What can be done with a whole job: begin its review, or approve all of it.

use leptos::ev;
use leptos::prelude::*;
use leptos::task::spawn_local;
use leptos_router::NavigateOptions;
use leptos_router::hooks::{use_location, use_navigate};
use pentimento_api::approve::{ApproveAnswer, ApproveRequest};
use pentimento_api::ids::{JobId, ResultId};
use pentimento_api::job::{ComparisonMode, JobOverview, JobStatus};
use pentimento_api::result::TriageStatus;
use pentimento_api::review::{Outcome, ResultList, ResultListQuery};
use pentimento_api::session::Scope;

use crate::client;
use crate::components::dialog::Dialog;
use crate::components::icon::{Glyph, Icon};
use crate::format;
use crate::keys;
use crate::list_filter::ListFilter;
use crate::review::address;
use crate::review::order::{self, Order};
use crate::review::queue;
use crate::shared::{Shared, Tone, use_shared};

/// Whether the service takes decisions about the job's changed pages.
fn takes_decisions(job: &JobOverview) -> bool {
    job.counts.regression > 0 && matches!(job.status, JobStatus::Completed | JobStatus::Approved)
}

/// The buttons in the head of the job's page.
#[component]
pub(crate) fn Actions(job: Signal<JobOverview>, changed: Trigger) -> impl IntoView {
    let shared = use_shared();
    let id = job.get_untracked().job_id;
    let navigate = use_navigate();
    let search = use_location().search;
    let asking = RwSignal::new(false);
    let triage = Memo::new(move |_| job.with(|job| job.triage));
    let has_changes = Memo::new(move |_| job.with(|job| job.counts.regression > 0));
    let may_approve = Memo::new(move |_| job.with(takes_decisions) && shared.may(Scope::Review));

    let is_starting = RwSignal::new(false);
    let start = Callback::new(move |()| {
        if is_starting.get_untracked() {
            return;
        }
        is_starting.set(true);
        let navigate = navigate.clone();
        let pending_only = triage.get_untracked().pending > 0;
        let filter = search.with_untracked(|search| ListFilter::of(search));
        spawn_local(async move {
            let first = if filter.narrows() {
                first_listed(id, &filter).await
            } else {
                first_change(id, pending_only).await
            };
            if is_starting.try_set(false).is_some() {
                // The reader has gone elsewhere, and is not to be taken away from there.
                return;
            }
            match first {
                Ok(Some(result)) => {
                    navigate(&address::of(result, &filter), NavigateOptions::default());
                }
                Ok(None) => shared.toast(Tone::Failed, nothing_text(&filter), None),
                Err(error) => {
                    shared.note_error(&error);
                    shared.toast(
                        Tone::Failed,
                        format!("The review could not be started. {error}"),
                        None,
                    );
                }
            }
        });
    });
    let listener = window_event_listener(ev::keydown, move |event| {
        let is_own = event.key() == "Enter"
            && !event.repeat()
            && !keys::is_taken(&event)
            && !keys::is_for_focused_control(&event);
        if is_own && has_changes.get_untracked() {
            event.prevent_default();
            start.run(());
        }
    });
    on_cleanup(move || listener.remove());

    let is_approving = RwSignal::new(false);
    let approve_all = move |()| {
        asking.set(false);
        if !is_approving.get_untracked() {
            is_approving.set(true);
            let done = job.with_untracked(approved_text);
            spawn_local(async move {
                approve_whole(id, done, shared, changed).await;
                is_approving.try_set(false);
            });
        }
    };
    let ask = move |_| {
        if !is_approving.get_untracked() {
            asking.set(true);
        }
    };
    view! {
        {move || may_approve.get().then(|| view! {
            <button type="button" class="button" data-testid="approve-all" aria-disabled=move || is_approving.get().to_string() on:click=ask>
                {move || if is_approving.get() { "Approving…" } else { "Approve all…" }}
            </button>
        })}
        {move || has_changes.get().then(|| view! {
            <button
                type="button"
                class="button button-primary"
                aria-keyshortcuts="Enter"
                data-testid="start-review"
                on:click=move |_| start.run(())
            >
                {move || if triage.get().pending > 0 { "Start review" } else { "Review again" }}
                <kbd>"↵"</kbd>
            </button>
        })}
        <ApproveAllDialog open=asking job confirm=approve_all />
    }
}

/// Asks before all of a job is approved, and says what that means.
#[component]
fn ApproveAllDialog(
    open: RwSignal<bool>,
    job: Signal<JobOverview>,
    #[prop(into)] confirm: Callback<()>,
) -> impl IntoView {
    let triage = Memo::new(move |_| job.with(|job| job.triage));
    let is_managed =
        Memo::new(move |_| job.with(|job| job.comparison_mode) == ComparisonMode::Managed);
    let undecided = move || format::counted(triage.get().pending, "undecided page");
    view! {
        <Dialog open title="Approve the whole job?">
            <p>
                {move || if is_managed.get() {
                    "The captures of all changed pages become the baselines: "
                } else {
                    "All changed pages count as approved; a live job has no baselines to move: "
                }}
                <strong>{undecided}</strong>
                {move || match triage.get().rejected {
                    0 => String::new(),
                    rejected => format!(", and also {} that had been rejected", format::grouped(rejected)),
                }}
                ". Pages in error stay as they are."
            </p>
            {move || is_managed.get().then_some(view! {
                <p class="help">
                    "Unchanged pages are approved with them: where one differs by less than the project’s threshold, its capture becomes the baseline, too."
                </p>
            })}
            <div class="dialog-actions">
                <button type="button" class="button" autofocus on:click=move |_| open.set(false)>"Cancel"</button>
                <button type="button" class="button button-approve" data-testid="approve-all-confirm" on:click=move |_| confirm.run(())>
                    <Icon glyph=Glyph::Check />
                    {move || format!("Approve all {}", format::grouped(triage.get().pending + triage.get().rejected))}
                </button>
            </div>
        </Dialog>
    }
}

/// What is said when the job is approved as it stands now: of as many changed pages as the question is about.
fn approved_text(job: &JobOverview) -> String {
    let asked = job.triage.pending + job.triage.rejected;
    said_of(asked, job.counts.matching, job.comparison_mode)
}

/// The same of so many changed and unchanged pages. The service counts them together.
fn said_of(changed: u64, unchanged: u64, mode: ComparisonMode) -> String {
    let approved = match changed {
        0 => "All changed pages were approved already.".to_owned(),
        _ => format!("Approved {}.", format::counted(changed, "changed page")),
    };
    let moved = match (mode, changed) {
        (ComparisonMode::Live, _) | (_, 0) => "",
        (ComparisonMode::Managed, 1) => " Its capture is the baseline now.",
        (ComparisonMode::Managed, _) => " Their captures are the baselines now.",
    };
    let others = match unchanged {
        0 => "",
        _ => " Unchanged pages count as approved.",
    };
    format!("{approved}{moved}{others}")
}

/// Approves all of a job, and says how that went: `done` where it was.
async fn approve_whole(id: JobId, done: String, shared: Shared, changed: Trigger) {
    match client::post::<ApproveAnswer>("/approve", &whole_job(id)).await {
        Ok(_) => shared.toast(Tone::Done, done, None),
        Err(error) => {
            shared.note_error(&error);
            let text = if error.is_refusal() {
                "Nothing was approved."
            } else {
                "No answer came: the pages may have been approved, or not; this page will tell."
            };
            let moved = error.moved_text();
            shared.toast(Tone::Failed, format!("{text} {error}{moved}"), None);
        }
    }
    changed.notify();
}

fn whole_job(job_id: JobId) -> ApproveRequest {
    ApproveRequest {
        job_id,
        filter: None,
        url: None,
        variant_name: None,
        action: None,
        note: None,
        seen: None,
    }
}

/// The first changed page as reviews go through them, by cause; of the undecided ones where there are any.
async fn first_change(
    job: JobId,
    pending_only: bool,
) -> Result<Option<ResultId>, client::ClientError> {
    let groups = order::read(job).await?;
    let first = if pending_only {
        order::first_open(&groups)
    } else {
        (groups.first()).map(|group| group.example.result.result_id)
    };
    if first.is_some() {
        return Ok(first);
    }
    // Pages that belong to no change, and those behind all that are ranked.
    let query = ResultListQuery {
        limit: Some(1),
        outcome: Some(Outcome::Regression),
        triage: pending_only.then_some(TriageStatus::Pending),
        ..ResultListQuery::default()
    };
    let list: ResultList =
        client::get(&client::with_query(&format!("/job/{job}/results"), &query)).await?;
    Ok(list.results.first().map(|item| item.result.result_id))
}

/// The first page of a filtered list as a review of it goes through its pages, by cause; of the undecided ones where there are any.
/// Of a list that is longer than what is read at once, the first of its beginning.
async fn first_listed(
    job: JobId,
    filter: &ListFilter,
) -> Result<Option<ResultId>, client::ClientError> {
    let undecided = ListFilter {
        triage: filter.triage.or(Some(TriageStatus::Pending)),
        ..filter.clone()
    };
    let (mut pages, _) = queue::read(job, &undecided, None).await?;
    if pages.is_empty() && undecided != *filter {
        (pages, _) = queue::read(job, filter, None).await?;
    }
    let ranks = order::ranks(order::read(job).await?);
    let sorted = order::sorted(&pages, &ranks, Order::default());
    Ok(sorted.first().map(|page| page.id))
}

/// Why no review was begun.
fn nothing_text(filter: &ListFilter) -> String {
    if filter.narrows() {
        format!(
            "The list ({}) has no page to review. Take the filter away to review the others.",
            filter.told()
        )
    } else {
        "The job has no changed page left to review.".to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_asked_is_what_is_told() {
        use ComparisonMode::{Live, Managed};
        for (changed, unchanged, mode, text) in [
            (
                12,
                388,
                Managed,
                "Approved 12 changed pages. Their captures are the baselines now. Unchanged pages count as approved.",
            ),
            (
                1,
                0,
                Managed,
                "Approved 1 changed page. Its capture is the baseline now.",
            ),
            (
                2,
                1,
                Live,
                "Approved 2 changed pages. Unchanged pages count as approved.",
            ),
            (0, 0, Managed, "All changed pages were approved already."),
        ] {
            assert_eq!(said_of(changed, unchanged, mode), text);
        }
    }
}
