//! Sending decisions, and what became of one: done, refused, or unknown because its answer was lost.

use std::cell::Cell;
use std::sync::Arc;

use leptos::prelude::*;
use leptos::task::spawn_local;
use pentimento_api::approve::{ApproveRequest, SeenTriage, TriageAction};
use pentimento_api::error::ErrorCode;
use pentimento_api::result::TriageStatus;
use pentimento_api::review::ReviewItem;

use crate::client::ClientError;
use crate::format;
use crate::review::decide::{self, Wish};
use crate::review::decided::{Decided, PageDecision};
use crate::review::follow;
use crate::review::queue::triage_of;
use crate::review::resend;
use crate::review::state::Review;
use crate::shared::{Reader, Tone};

/// A decision on one page that is already shown.
pub(super) struct Sending {
    /// Whose it is.
    pub(super) by: Option<Reader>,
    /// The page as it was before.
    pub(super) before: Arc<ReviewItem>,
    pub(super) wish: Wish,
    /// What is said when it is done.
    pub(super) text: String,
    /// The decision that it takes back.
    pub(super) undone: Option<PageDecision>,
}

impl Sending {
    /// The note that was written for it, an empty one to take one away; what is undone brings back a note that was there.
    fn written_note(&self) -> Option<&str> {
        self.wish.note.as_deref().filter(|_| self.undone.is_none())
    }
}

/// Sends a decision that is already shown, and takes it back in the view when it did not come about.
pub(super) fn send(review: Review, sending: Sending) {
    let before = &sending.before;
    let id = before.result.result_id;
    let request = ApproveRequest {
        job_id: before.job_id,
        filter: None,
        url: Some(before.result.url.clone()),
        variant_name: Some(before.result.variant_name.clone()),
        action: Some(sending.wish.action),
        note: sending.wish.note.clone(),
        seen: Some(SeenTriage {
            triage_status: triage_of(before),
            triaged_by: before.result.triaged_by.clone(),
        }),
    };
    let shared = review.shared;
    // The review may be left before the answer is there.
    let address = review.address.run(id);
    shared.decisions.note_begun(&[id]);
    shared.orders.with_value(|orders| {
        orders.add(async move {
            let is_anothers = || shared.is_taken_from(sending.by.as_ref());
            if is_anothers() {
                shared.decisions.note_arrived(&[id]);
                show_before(review, &sending);
                return shared.toast(Tone::Failed, unsent(&sending), Some((address, "Show it")));
            }
            let answer = resend::post(&request, is_anothers).await;
            shared.decisions.note_arrived(&[id]);
            let Err(error) = answer else {
                return shared.toast(Tone::Done, sending.text, None);
            };
            shared.note_error(&error);
            let link = Some((address, "Show it"));
            if error.is_refusal() {
                roll_back(review, &sending, &error);
                shared.toast(Tone::Failed, refusal(&sending, &error), link);
                // Somebody may have decided meanwhile.
                return follow::learn_triage(review, id).await;
            }
            if let Some(stands) = learn(review, &sending, &error).await {
                let text = lost(&sending, Some(stands), &error);
                return shared.toast(Tone::Failed, text, link);
            }
            let told = shared.notify(Tone::Failed, lost(&sending, None, &error), link.clone());
            let lost_at = shared.decisions.now();
            // Others wait for their turn meanwhile.
            spawn_local(async move {
                let stands = learn_late(review, &sending).await;
                let is_overtaken = shared.decisions.outdate(lost_at, id);
                if stands.is_some() || is_overtaken {
                    shared.dismiss(told);
                }
                // What was decided again since has a notice of its own.
                if let Some(stands) = stands.filter(|_| !is_overtaken) {
                    if stands {
                        reinstate(review, &sending);
                    }
                    shared.toast(Tone::Failed, lost(&sending, Some(stands), &error), link);
                }
            });
        });
    });
}

/// After an answer was lost: reads how the page stands, and shows that. Nothing where it cannot be read now; then the
/// page is shown as it was.
async fn learn(review: Review, sending: &Sending, error: &ClientError) -> Option<bool> {
    let id = sending.before.result.result_id;
    let asked = review.shared.decisions.now();
    let fresh = match follow::read(id).await {
        Ok(fresh) => fresh,
        Err(unread) => {
            review.shared.note_error(&unread);
            roll_back(review, sending, error);
            return None;
        }
    };
    let stands = stands(sending, &fresh);
    if !stands {
        roll_back(review, sending, error);
    }
    follow::put_triage(review, &fresh, asked);
    Some(stands)
}

/// Reads how the page stands until it is told; nothing where the service refuses to tell.
async fn learn_late(review: Review, sending: &Sending) -> Option<bool> {
    let id = sending.before.result.result_id;
    let told = Cell::new(None);
    follow::read_until_told(review, async || {
        let asked = review.shared.decisions.now();
        let fresh = follow::read(id).await?;
        told.set(Some(stands(sending, &fresh)));
        follow::put_triage(review, &fresh, asked);
        Ok(())
    })
    .await;
    told.get()
}

/// Whether a page stands as whoever decided wished, note included.
fn stands(sending: &Sending, fresh: &ReviewItem) -> bool {
    let wanted = sending.wish.action.leads_to();
    let is_own = wanted == TriageStatus::Pending
        || fresh.result.triaged_by.as_ref() == sending.by.as_ref().map(|by| &by.name);
    let noted = fresh.result.triage_note.as_deref().unwrap_or_default();
    let is_noted = (sending.wish.note.as_deref()).is_none_or(|note| note == noted);
    triage_of(fresh) == wanted && is_own && is_noted
}

/// Has undo know that a decision did not come about, and shows the page as it was. An undo that can never come about does not
/// stand in the way of those before it.
fn roll_back(review: Review, sending: &Sending, error: &ClientError) {
    let before = &sending.before;
    match &sending.undone {
        // It is not for the next reader to undo.
        _ if review.shared.is_taken_from(sending.by.as_ref()) => {}
        Some(undone) if !error.is_for_good() => {
            review.shared.undoable.push(Decided::Page(undone.clone()));
        }
        Some(_) => {}
        None => {
            let id = before.result.result_id;
            let after = sending.wish.action.leads_to();
            let is_it = |one: &Decided| matches!(one, Decided::Page(one) if one.before.result.result_id == id && one.after == after);
            review.shared.undoable.take(before.job_id, is_it);
        }
    }
    show_before(review, sending);
}

/// Shows the page as it was before a decision that did not come about.
fn show_before(review: Review, sending: &Sending) {
    let before = &sending.before;
    // The review page may be gone by now, and with it what would be shown.
    if review.items.is_disposed() {
        return;
    }
    decide::show(review, before);
    review.done_open.set(false);
    if let (TriageAction::Reject, Some(note)) = (sending.wish.action, sending.written_note()) {
        review.note_drafts.update_value(|drafts| {
            drafts
                .entry(before.result.result_id)
                .or_insert_with(|| note.to_owned());
        });
    }
}

/// Has undo know of a decision that was rolled back because nobody knew of it, and that stands after all.
fn reinstate(review: Review, sending: &Sending) {
    let undoable = review.shared.undoable;
    if review.shared.is_taken_from(sending.by.as_ref()) {
        return;
    }
    if let Some(undone) = &sending.undone {
        let is_it = |one: &Decided| matches!(one, Decided::Page(one) if one == undone);
        undoable.take(sending.before.job_id, is_it);
    } else {
        let after = sending.wish.action.leads_to();
        undoable.push(Decided::Page(PageDecision::on(&sending.before, after)));
    }
}

/// A page as notices name it: several may stand below each other, and a page is captured in several variants.
pub(super) fn named(item: &ReviewItem) -> String {
    let label = format::short(&item.label);
    format!("“{label}” ({})", item.result.variant_name)
}

/// What is said of a decision that was not sent since it would have been somebody else's.
fn unsent(sending: &Sending) -> String {
    let page = named(&sending.before);
    let note = unsent_note(sending.written_note());
    format!("The decision on {page} was not sent: another key has signed in.{note}")
}

fn refusal(sending: &Sending, error: &ClientError) -> String {
    let page = named(&sending.before);
    let note = unsent_note(sending.written_note());
    match error.code() {
        Some(ErrorCode::BaselineMoved) => {
            format!("{page} was not changed: its baseline has moved meanwhile. {error}{note}")
        }
        _ => format!("{page} was not changed. {error}{note}"),
    }
}

/// What somebody wrote that was not stored: it is not to be written again.
pub(super) fn unsent_note(note: Option<&str>) -> String {
    note.filter(|note| !note.is_empty())
        .map_or_else(String::new, |note| format!(" Your note: “{note}”"))
}

/// What is said of a decision whose answer was lost; `stands` tells whether it came about, where that is known.
fn lost(sending: &Sending, stands: Option<bool>, error: &ClientError) -> String {
    let page = named(&sending.before);
    let state = match sending.wish.action.leads_to() {
        TriageStatus::Approved => "approved",
        TriageStatus::Rejected => "rejected",
        TriageStatus::Pending => "undecided again",
    };
    let note = unsent_note(sending.written_note());
    match stands {
        Some(true) => format!("No answer came, but {page} is {state} as you wished."),
        Some(false) => format!("No answer came, and {page} was not changed. {error}{note}"),
        None => format!("No answer came: {page} may have been changed, or not. {error}{note}"),
    }
}
