//! Decisions on one page, and undo: shown at once, then sent by [`send`](super::send).

use std::sync::Arc;

use leptos::prelude::*;
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

/// Approves the page that is looked at, and goes on. Where its captures are not there yet it waits for them a moment, and no
/// longer.
pub(crate) fn approve(review: Review) {
    if untrack(|| review.is_out_of_date()) {
        return;
    }
    if untrack(|| review.is_decidable() && review.awaits_pictures()) {
        return review.pictures.approve_when_there();
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

/// Takes the last decision on the job's pages back, and goes to its page: it is as it was before, its baseline too. Where none
/// is known, takes back the one in sight.
pub(crate) fn undo(review: Review) {
    let Some(job) = review.job.get_untracked() else {
        return;
    };
    match review.shared.undoable.pop(job) {
        Some(Decided::Page(last)) => undo_page(review, last),
        Some(Decided::Group(last)) => decide_group::undo(review, last),
        None => take_back(review),
    }
}

/// Takes back one's own decision on the page that is looked at, whenever it was made: the page is undecided then.
fn take_back(review: Review) {
    if !untrack(|| review.can_take_back()) {
        return;
    }
    let Some(item) = review.item.get_untracked() else {
        return;
    };
    let before = decided_item(review, &item, TriageStatus::Pending, None);
    let last = PageDecision::on(&before, triage_of(&item));
    undo_on(review, last, &item, false);
}

fn undo_page(review: Review, last: PageDecision) {
    if let Some(item) = as_it_was_left(review, &last) {
        return undo_on(review, last, &item, true);
    }
    let looked_at = review.id.get_untracked();
    let by = untrack(|| review.shared.reader());
    // The screen let go of the page when something else was heard of it, or when the review was left. How it stands is asked
    // before anything is said, and before that what is on its way arrives.
    let undo = async move {
        let (shared, id) = (review.shared, last.before.result.result_id);
        let keep = |last| {
            if !shared.is_taken_from(by.as_ref()) {
                shared.undoable.push(Decided::Page(last));
            }
        };
        // Whoever left the review meanwhile can undo it another time.
        if review.items.is_disposed() {
            return keep(last);
        }
        // Whoever has gone on meanwhile, or types something, is not taken back: the next key is meant for what is in sight.
        let is_there =
            || review.id.get_untracked() == looked_at && !untrack(|| review.is_occupied());
        if let Some(item) = as_it_was_left(review, &last) {
            return undo_on(review, last, &item, is_there());
        }
        match follow::read_settled(shared.decisions, id).await {
            _ if review.items.is_disposed() => keep(last),
            Ok(item) => {
                let item = Arc::new(item);
                show(review, &item);
                undo_on(review, last, &item, is_there());
            }
            Err(error) => {
                shared.note_error(&error);
                let page = send::named(&last.before);
                let text = format!("Nothing was undone: {page} could not be read. {error}");
                shared.toast(Tone::Failed, text, None);
                // What can never be undone does not stand in the way of what can.
                if !error.is_for_good() {
                    keep(last);
                }
            }
        }
    };
    (review.shared.orders).with_value(|orders| orders.add(undo));
}

/// The page of a decision, where the screen knows it as that left it.
fn as_it_was_left(review: Review, last: &PageDecision) -> Option<Arc<ReviewItem>> {
    let id = last.before.result.result_id;
    let item = (review.items).with_untracked(|items| items.get(&id).cloned())?;
    is_as_left(review, last, &item).then_some(item)
}

/// Whether a page stands as a decision left it.
fn is_as_left(review: Review, last: &PageDecision, item: &ReviewItem) -> bool {
    let by = item.result.triaged_by.as_ref();
    triage_of(item) == last.after
        && (last.after == TriageStatus::Pending || by == review.shared.own_name().as_ref())
}

/// Takes a decision back on its page as it is known, unless somebody else decided on it since, and goes there if that is wanted.
fn undo_on(review: Review, last: PageDecision, item: &Arc<ReviewItem>, goes_there: bool) {
    let id = last.before.result.result_id;
    if !is_as_left(review, &last, item) {
        if goes_there {
            review.go.run(id);
        }
        let page = send::named(item);
        let own_name = review.shared.own_name();
        let who = if own_name.is_some() && item.result.triaged_by == own_name {
            "you decided on"
        } else {
            "somebody else decided on"
        };
        let text = format!("Nothing was undone: {who} {page} meanwhile. Look at it again.");
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
            by: untrack(|| review.shared.reader()),
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
    let decided = PageDecision::on(&item, wish.action.leads_to());
    review.shared.undoable.push(Decided::Page(decided));
    send::send(
        review,
        Sending {
            by: untrack(|| review.shared.reader()),
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
