//! Decisions: shown at once, sent one after the other, and taken back in the view when the service refuses.

use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;

use futures::StreamExt;
use futures::channel::mpsc::{UnboundedSender, unbounded};
use leptos::prelude::*;
use leptos::task::spawn_local;
use pentimento_api::approve::{ApproveAnswer, ApproveRequest, TriageAction};
use pentimento_api::error::ErrorCode;
use pentimento_api::ids::ResultId;
use pentimento_api::result::TriageStatus;
use pentimento_api::review::ReviewItem;
use send_wrapper::SendWrapper;

use crate::client::{self, ClientError};
use crate::review::queue::triage_of;
use crate::review::state::Review;
use crate::review::steps;
use crate::shared::Tone;

/// A decision of this visit, for undo.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Decided {
    /// The page as it was before.
    before: Arc<ReviewItem>,
    action: TriageAction,
}

type Order = Pin<Box<dyn Future<Output = ()>>>;

/// Sends requests one after the other, in the order of the keys that were pressed. They are sent to the end even when
/// the page is left.
pub(crate) struct Orders(SendWrapper<UnboundedSender<Order>>);

impl Orders {
    pub(crate) fn start() -> Self {
        let (sender, mut orders) = unbounded::<Order>();
        spawn_local(async move {
            while let Some(order) = orders.next().await {
                order.await;
            }
        });
        Self(SendWrapper::new(sender))
    }

    fn add(&self, order: impl Future<Output = ()> + 'static) {
        // The receiver ends only after the last sender.
        let _ = self.0.unbounded_send(Box::pin(order));
    }
}

/// Approves the page that is looked at, and goes on.
pub(crate) fn approve(review: Review) {
    decide(review, TriageAction::Approve, None);
}

/// Rejects it with a note, and goes on.
pub(crate) fn reject(review: Review, note: Option<String>) {
    review.note_open.set(false);
    decide(review, TriageAction::Reject, note);
}

/// Takes the last decision back, and goes to its page.
///
/// The interface knows no way back to "undecided": an approval is taken back by rejecting the page, which restores its
/// former baseline. A first rejection moved no baseline; its page is shown again to be decided anew.
pub(crate) fn undo(review: Review) {
    let Some(last) = review.decided.try_update(Vec::pop).flatten() else {
        return;
    };
    let label = last.before.label.clone();
    let id = last.before.result.result_id;
    let (action, text) = match (last.action, triage_of(&last.before)) {
        (TriageAction::Approve, _) => (
            TriageAction::Reject,
            format!(
                "Approval of “{label}” undone: its former baseline is back, and the page counts as rejected."
            ),
        ),
        (TriageAction::Reject, TriageStatus::Approved) => (
            TriageAction::Approve,
            format!("Rejection of “{label}” undone: its capture is the baseline again."),
        ),
        (TriageAction::Reject, TriageStatus::Pending | TriageStatus::Rejected) => {
            review.go.run(id);
            let text = format!(
                "“{label}” stays rejected, its baseline has not moved. Approve it here if you meant to."
            );
            review.shared.toast(Tone::Done, text, None);
            return;
        }
    };
    let Some(item) = review.items.with_untracked(|items| items.get(&id).cloned()) else {
        return;
    };
    show(review, &decided_item(review, &item, action, None));
    review.go.run(id);
    send(review, item, action, None, text, Some(last));
}

fn decide(review: Review, action: TriageAction, note: Option<String>) {
    if !untrack(|| review.is_decidable()) {
        return;
    }
    let Some(item) = review.item.get_untracked() else {
        return;
    };
    let label = &item.label;
    let text = match action {
        TriageAction::Approve => format!("Approved “{label}”. Its capture is the baseline now."),
        TriageAction::Reject => format!("Rejected “{label}”. Its baseline stays."),
    };
    show(review, &decided_item(review, &item, action, note.clone()));
    review.decided.update(|decided| {
        decided.push(Decided {
            before: item.clone(),
            action,
        });
    });
    send(review, item, action, note, text, None);
    steps::advance(review);
}

/// Sends a decision that is already shown; `undone` is the decision it takes back.
fn send(
    review: Review,
    before: Arc<ReviewItem>,
    action: TriageAction,
    note: Option<String>,
    text: String,
    undone: Option<Decided>,
) {
    let request = ApproveRequest {
        job_id: before.job_id,
        filter: None,
        url: Some(before.result.url.clone()),
        variant_name: Some(before.result.variant_name.clone()),
        action: Some(action),
        note,
    };
    let shared = review.shared;
    review.orders.with_value(|orders| {
        orders.add(async move {
            match client::post::<ApproveAnswer>("/approve", &request).await {
                Ok(_) => shared.toast(Tone::Done, text, None),
                Err(error) => {
                    roll_back(review, &before, action, undone);
                    shared.note_error(&error);
                    let href = format!("/app/review/{}", before.result.result_id);
                    shared.toast(
                        Tone::Failed,
                        refusal(&before, &error),
                        Some((href, "Show it")),
                    );
                }
            }
        });
    });
}

/// Shows the page as it was. The review page may be gone by now, and with it what would be rolled back.
fn roll_back(
    review: Review,
    before: &Arc<ReviewItem>,
    action: TriageAction,
    undone: Option<Decided>,
) {
    if review.items.is_disposed() {
        return;
    }
    show(review, before);
    review.done_open.set(false);
    review.decided.update(|decided| {
        if let Some(undone) = undone {
            decided.push(undone);
        } else {
            let id = before.result.result_id;
            let at = decided
                .iter()
                .rposition(|one| one.before.result.result_id == id && one.action == action);
            if let Some(at) = at {
                decided.remove(at);
            }
        }
    });
}

fn refusal(item: &ReviewItem, error: &ClientError) -> String {
    let label = &item.label;
    match error.code() {
        Some(ErrorCode::BaselineMoved) => {
            format!("“{label}” was not changed: its baseline has moved meanwhile. {error}")
        }
        _ => format!("“{label}” was not changed. {error}"),
    }
}

/// Puts a page's new state where the view reads it: the page itself, and the queue.
fn show(review: Review, item: &Arc<ReviewItem>) {
    let id: ResultId = item.result.result_id;
    let triage = triage_of(item);
    review
        .items
        .update(|items| drop(items.insert(id, Arc::clone(item))));
    review.queue.update(|queue| {
        if let Some(entry) = queue.iter_mut().find(|entry| entry.id == id) {
            entry.triage = triage;
        }
    });
}

/// The page as it will be when the service agrees.
fn decided_item(
    review: Review,
    item: &ReviewItem,
    action: TriageAction,
    note: Option<String>,
) -> Arc<ReviewItem> {
    let mut item = item.clone();
    item.result.triage_status = Some(match action {
        TriageAction::Approve => TriageStatus::Approved,
        TriageAction::Reject => TriageStatus::Rejected,
    });
    item.result.triaged_at = Some(js_sys::Date::new_0().to_iso_string().into());
    item.result.triaged_by = review.shared.own_name();
    item.result.triage_note = note;
    Arc::new(item)
}
