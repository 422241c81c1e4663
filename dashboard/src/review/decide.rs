//! Decisions: shown at once, sent one after the other, and taken back in the view when the service refuses.

use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;

use futures::StreamExt;
use futures::channel::mpsc::{UnboundedSender, unbounded};
use leptos::prelude::*;
use leptos::task::spawn_local;
use pentimento_api::approve::{ApproveAnswer, ApproveRequest, SeenTriage, TriageAction};
use pentimento_api::error::ErrorCode;
use pentimento_api::ids::ResultId;
use pentimento_api::job::ComparisonMode;
use pentimento_api::result::TriageStatus;
use pentimento_api::review::ReviewItem;
use send_wrapper::SendWrapper;

use crate::client::{self, ClientError};
use crate::review::decide_group::{self, GroupDecision};
use crate::review::follow;
use crate::review::queue::triage_of;
use crate::review::state::Review;
use crate::review::steps;
use crate::shared::Tone;

/// A decision of this visit, for undo.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Decided {
    /// On one page.
    Page(PageDecision),
    /// On the pages that show the same change.
    Group(GroupDecision),
}

/// A decision on one page.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct PageDecision {
    /// The page as it was before.
    before: Arc<ReviewItem>,
    /// What it was decided to be.
    after: TriageStatus,
}

/// What is sent about a page.
#[derive(Debug, Clone, PartialEq)]
struct Wish {
    action: TriageAction,
    note: Option<String>,
}

impl Wish {
    /// What brings a page back to how it was decided, note included.
    fn back_to(item: &ReviewItem) -> Self {
        let action = match triage_of(item) {
            TriageStatus::Pending => TriageAction::Withdraw,
            TriageStatus::Approved => TriageAction::Approve,
            TriageStatus::Rejected => TriageAction::Reject,
        };
        // The decision that is undone may have brought a note that was not there before.
        let note = item.result.triage_note.clone().unwrap_or_default();
        Self {
            action,
            note: (action != TriageAction::Withdraw).then_some(note),
        }
    }

    /// The page as it will be when the service agrees.
    fn done(&self, review: Review, item: &ReviewItem) -> Arc<ReviewItem> {
        decided_item(review, item, self.action.leads_to(), self.note.as_ref())
    }
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

    /// Adds a request to those that are sent.
    pub(crate) fn add(&self, order: impl Future<Output = ()> + 'static) {
        // The receiver ends only after the last sender.
        let _ = self.0.unbounded_send(Box::pin(order));
    }
}

/// Approves the page that is looked at, and goes on.
pub(crate) fn approve(review: Review) {
    let (action, note) = (TriageAction::Approve, None);
    decide(review, Wish { action, note });
}

/// Rejects it with a note, and goes on.
pub(crate) fn reject(review: Review, note: Option<String>) {
    review.note_open.set(false);
    let action = TriageAction::Reject;
    decide(review, Wish { action, note });
}

/// Takes the last decision back, and goes to its page: it is as it was before, its baseline too.
pub(crate) fn undo(review: Review) {
    match review.decided.try_update(Vec::pop).flatten() {
        Some(Decided::Page(last)) => undo_page(review, last),
        Some(Decided::Group(last)) => decide_group::undo(review, last),
        None => {}
    }
}

fn undo_page(review: Review, last: PageDecision) {
    let id = last.before.result.result_id;
    let item = review.items.with_untracked(|items| items.get(&id).cloned());
    let is_own = |item: &Arc<ReviewItem>| {
        let by = item.result.triaged_by.as_ref();
        triage_of(item) == last.after
            && (last.after == TriageStatus::Pending || by == review.shared.own_name().as_ref())
    };
    let Some(item) = item.filter(is_own) else {
        review.go.run(id);
        let label = &last.before.label;
        let text = format!(
            "Nothing was undone: somebody else decided on “{label}” meanwhile. Look at it again."
        );
        return review.shared.toast(Tone::Failed, text, None);
    };
    let wish = Wish::back_to(&last.before);
    let label = &item.label;
    let what = match last.after {
        TriageStatus::Approved => "Approval",
        TriageStatus::Rejected => "Rejection",
        TriageStatus::Pending => "Decision",
    };
    let is_moved = item.comparison_mode == ComparisonMode::Managed
        && (last.after == TriageStatus::Approved)
            != (wish.action.leads_to() == TriageStatus::Approved);
    let baseline = match wish.action {
        _ if !is_moved => "",
        TriageAction::Approve => " Its capture is the baseline again.",
        TriageAction::Reject | TriageAction::Withdraw => " Its former baseline is back.",
    };
    let state = match wish.action {
        TriageAction::Approve => "approved, as before",
        TriageAction::Reject => "rejected, as before",
        TriageAction::Withdraw => "undecided again",
    };
    let text = format!("{what} of “{label}” undone: it is {state}.{baseline}");
    show(review, &wish.done(review, &item));
    review.go.run(id);
    send(review, item, wish, text, Some(last));
}

fn decide(review: Review, wish: Wish) {
    if !untrack(|| review.is_decidable()) {
        return;
    }
    let Some(item) = review.item.get_untracked() else {
        return;
    };
    // What stands already is not decided anew: its first reviewer stays, and there is nothing to undo.
    if triage_of(&item) == wish.action.leads_to() && wish.note.is_none() {
        return steps::advance(review);
    }
    let label = &item.label;
    let text = match (wish.action, item.comparison_mode) {
        (TriageAction::Approve, ComparisonMode::Managed) => {
            format!("Approved “{label}”. Its capture is the baseline now.")
        }
        (TriageAction::Approve, ComparisonMode::Live) => format!("Approved “{label}”."),
        (TriageAction::Reject, ComparisonMode::Managed) => {
            format!("Rejected “{label}”. Its baseline stays.")
        }
        (TriageAction::Reject | TriageAction::Withdraw, _) => format!("Rejected “{label}”."),
    };
    show(review, &wish.done(review, &item));
    review.decided.update(|decided| {
        decided.push(Decided::Page(PageDecision {
            before: item.clone(),
            after: wish.action.leads_to(),
        }));
    });
    send(review, item, wish, text, None);
    steps::advance(review);
}

/// Sends a decision that is already shown; `undone` is the decision it takes back.
fn send(
    review: Review,
    before: Arc<ReviewItem>,
    wish: Wish,
    text: String,
    undone: Option<PageDecision>,
) {
    let id = before.result.result_id;
    let triage_status = triage_of(&before);
    let request = ApproveRequest {
        job_id: before.job_id,
        filter: None,
        url: Some(before.result.url.clone()),
        variant_name: Some(before.result.variant_name.clone()),
        action: Some(wish.action),
        note: wish.note.clone(),
        seen: Some(SeenTriage {
            triage_status,
            triaged_by: before.result.triaged_by.clone(),
        }),
    };
    let shared = review.shared;
    shared.unsent.update(|unsent| unsent.push(id));
    review.orders.with_value(|orders| {
        orders.add(async move {
            let answer = client::post::<ApproveAnswer>("/approve", &request).await;
            shared.note_sent(&[id]);
            match answer {
                Ok(_) => shared.toast(Tone::Done, text, None),
                Err(error) => {
                    roll_back(review, &before, &wish, undone);
                    shared.note_error(&error);
                    let href = format!("/app/review/{id}");
                    shared.toast(
                        Tone::Failed,
                        refusal(&before, &error),
                        Some((href, "Show it")),
                    );
                    // Somebody may have decided meanwhile, or the answer alone may have been lost.
                    if !review.items.is_disposed() {
                        follow::read_triage(review, id).await;
                    }
                }
            }
        });
    });
}

/// Shows the page as it was. The review page may be gone by now, and with it what would be rolled back.
fn roll_back(review: Review, before: &Arc<ReviewItem>, wish: &Wish, undone: Option<PageDecision>) {
    if review.items.is_disposed() {
        return;
    }
    show(review, before);
    review.done_open.set(false);
    review.decided.update(|decided| {
        if let Some(undone) = undone {
            decided.push(Decided::Page(undone));
        } else {
            let id = before.result.result_id;
            let is_it = |one: &Decided| {
                matches!(one, Decided::Page(one) if one.before.result.result_id == id
                    && one.after == wish.action.leads_to())
            };
            let at = decided.iter().rposition(is_it);
            if let Some(at) = at {
                decided.remove(at);
            }
        }
    });
}

fn refusal(item: &ReviewItem, error: &ClientError) -> String {
    // Several of these may stand below each other, and a page is captured in several variants.
    let (label, variant) = (&item.label, &item.result.variant_name);
    match error.code() {
        Some(ErrorCode::BaselineMoved) => {
            format!(
                "“{label}” ({variant}) was not changed: its baseline has moved meanwhile. {error}"
            )
        }
        _ => format!("“{label}” ({variant}) was not changed. {error}"),
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

/// The page as it will be when the service agrees to this decision.
pub(crate) fn decided_item(
    review: Review,
    item: &ReviewItem,
    triage: TriageStatus,
    note: Option<&String>,
) -> Arc<ReviewItem> {
    let mut item = item.clone();
    let is_decided = triage != TriageStatus::Pending;
    let now = || js_sys::Date::new_0().to_iso_string().into();
    item.result.triage_status = Some(triage);
    item.result.triaged_at = is_decided.then(now);
    item.result.triaged_by = review.shared.own_name().filter(|_| is_decided);
    item.result.triage_note = note.cloned().filter(|note| is_decided && !note.is_empty());
    Arc::new(item)
}
