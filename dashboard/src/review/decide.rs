//! Decisions on one page, and undo: shown at once, then sent by [`send`](super::send).

use std::sync::Arc;

use leptos::prelude::*;
use leptos::task::spawn_local;
use pentimento_api::approve::TriageAction;
use pentimento_api::ids::ResultId;
use pentimento_api::job::ComparisonMode;
use pentimento_api::result::TriageStatus;
use pentimento_api::review::ReviewItem;

use crate::review::decide_group;
use crate::review::decided::{Decided, PageDecision};
use crate::review::follow;
use crate::review::queue::triage_of;
use crate::review::send::{self, Sending};
use crate::review::state::Review;
use crate::review::steps;
use crate::shared::Tone;

/// What is sent about a page.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Wish {
    pub(super) action: TriageAction,
    /// Without one, a decision that stands already keeps its note; an empty one takes it away.
    pub(super) note: Option<String>,
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

/// Approves the page that is looked at, and goes on.
pub(crate) fn approve(review: Review) {
    if untrack(|| review.is_out_of_date()) {
        return;
    }
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
    if let Some(item) = item {
        return undo_on(review, last, &item, true);
    }
    let looked_at = review.id.get_untracked();
    // The screen let go of the page when something else was heard of it. How it stands is asked before anything is said.
    spawn_local(async move {
        let read = follow::read_settled(review.shared.decisions, id).await;
        if review.items.is_disposed() {
            return;
        }
        match read {
            Ok(item) => {
                let item = Arc::new(item);
                show(review, &item);
                // Whoever has gone on meanwhile is not taken back: the next key is meant for the page in sight.
                let is_there = review.id.get_untracked() == looked_at;
                undo_on(review, last, &item, is_there);
            }
            Err(error) => {
                review.shared.note_error(&error);
                let page = send::named(&last.before);
                let text = format!("Nothing was undone: {page} could not be read. {error}");
                review.shared.toast(Tone::Failed, text, None);
                review
                    .decided
                    .update(|decided| decided.push(Decided::Page(last)));
            }
        }
    });
}

/// Takes a decision back on its page as it is known, unless somebody else decided on it since, and goes there if that is wanted.
fn undo_on(review: Review, last: PageDecision, item: &Arc<ReviewItem>, goes_there: bool) {
    let id = last.before.result.result_id;
    let by = item.result.triaged_by.as_ref();
    let is_own = triage_of(item) == last.after
        && (last.after == TriageStatus::Pending || by == review.shared.own_name().as_ref());
    if !is_own {
        if goes_there {
            review.go.run(id);
        }
        let page = send::named(item);
        let text = format!(
            "Nothing was undone: somebody else decided on {page} meanwhile. Look at it again."
        );
        return review.shared.toast(Tone::Failed, text, None);
    }
    let wish = Wish::back_to(&last.before);
    let page = send::named(item);
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
    let text = format!("{what} of {page} undone: it is {state}.{baseline}");
    show(review, &wish.done(review, item));
    if goes_there {
        review.go.run(id);
    }
    send::send(
        review,
        Sending {
            before: Arc::clone(item),
            wish,
            text,
            undone: Some(last),
        },
    );
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
    let page = send::named(&item);
    let text = match (wish.action, item.comparison_mode) {
        (TriageAction::Approve, ComparisonMode::Managed) => {
            format!("Approved {page}. Its capture is the baseline now.")
        }
        (TriageAction::Approve, ComparisonMode::Live) => format!("Approved {page}."),
        (TriageAction::Reject, ComparisonMode::Managed) => {
            let baseline = match triage_of(&item) {
                TriageStatus::Approved => "Its former baseline is back.",
                TriageStatus::Pending | TriageStatus::Rejected => "Its baseline stays.",
            };
            format!("Rejected {page}. {baseline}")
        }
        (TriageAction::Reject | TriageAction::Withdraw, _) => format!("Rejected {page}."),
    };
    show(review, &wish.done(review, &item));
    review.decided.update(|decided| {
        decided.push(Decided::Page(PageDecision {
            before: item.clone(),
            after: wish.action.leads_to(),
        }));
    });
    send::send(
        review,
        Sending {
            before: item,
            wish,
            text,
            undone: None,
        },
    );
    steps::advance(review);
}

/// Puts a page's new state where the view reads it: the page itself, and the queue.
pub(super) fn show(review: Review, item: &Arc<ReviewItem>) {
    let id: ResultId = item.result.result_id;
    let triage = triage_of(item);
    review
        .items
        .update(|items| drop(items.insert(id, Arc::clone(item))));
    review.note_triage(|one| (one == id).then_some(triage));
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
