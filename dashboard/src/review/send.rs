//! Sending decisions, and what became of one: done, refused, or unknown because its answer was lost.

use std::sync::Arc;

use leptos::prelude::*;
use leptos::task::spawn_local;
use pentimento_api::approve::{ApproveAnswer, ApproveRequest, SeenTriage};
use pentimento_api::error::ErrorCode;
use pentimento_api::result::TriageStatus;
use pentimento_api::review::ReviewItem;

use crate::client::{self, ClientError};
use crate::review::decide::{self, Wish};
use crate::review::decided::{Decided, PageDecision};
use crate::review::follow;
use crate::review::queue::triage_of;
use crate::review::state::Review;
use crate::shared::Tone;

/// A decision on one page that is already shown.
pub(super) struct Sending {
    /// The page as it was before.
    pub(super) before: Arc<ReviewItem>,
    pub(super) wish: Wish,
    /// What is said when it is done.
    pub(super) text: String,
    /// The decision that it takes back.
    pub(super) undone: Option<PageDecision>,
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
    review.orders.with_value(|orders| {
        orders.add(async move {
            let answer = client::post::<ApproveAnswer>("/approve", &request).await;
            shared.decisions.note_arrived(&[id]);
            let Err(error) = answer else {
                return shared.toast(Tone::Done, sending.text, None);
            };
            shared.note_error(&error);
            let link = Some((address, "Show it"));
            if error.is_refusal() {
                roll_back(review, &sending);
                shared.toast(Tone::Failed, refusal(&sending.before, &error), link);
                // Somebody may have decided meanwhile.
                return follow::learn_triage(review, id).await;
            }
            let stands = learn(review, &sending).await;
            shared.toast(Tone::Failed, lost(&sending, stands, &error), link);
        });
    });
}

/// After an answer was lost: reads how the page stands, and shows that. Nothing where it cannot be read now; then the
/// page is shown as it was, and read later.
async fn learn(review: Review, sending: &Sending) -> Option<bool> {
    let id = sending.before.result.result_id;
    let asked = review.shared.decisions.now();
    let Ok(fresh) = follow::read(id).await else {
        roll_back(review, sending);
        spawn_local(follow::learn_triage(review, id));
        return None;
    };
    let wanted = sending.wish.action.leads_to();
    let is_own = wanted == TriageStatus::Pending
        || fresh.result.triaged_by.as_ref() == review.shared.own_name().as_ref();
    let stands = triage_of(&fresh) == wanted && is_own;
    if !stands {
        roll_back(review, sending);
    }
    follow::put_triage(review, &fresh, asked);
    Some(stands)
}

/// Shows the page as it was. The review page may be gone by now, and with it what would be rolled back.
fn roll_back(review: Review, sending: &Sending) {
    if review.items.is_disposed() {
        return;
    }
    let before = &sending.before;
    decide::show(review, before);
    review.done_open.set(false);
    review.decided.update(|decided| {
        if let Some(undone) = &sending.undone {
            decided.push(Decided::Page(undone.clone()));
        } else {
            let id = before.result.result_id;
            let is_it = |one: &Decided| {
                matches!(one, Decided::Page(one) if one.before.result.result_id == id
                    && one.after == sending.wish.action.leads_to())
            };
            let at = decided.iter().rposition(is_it);
            if let Some(at) = at {
                decided.remove(at);
            }
        }
    });
}

/// A page as notices name it: several may stand below each other, and a page is captured in several variants.
fn named(item: &ReviewItem) -> String {
    format!("“{}” ({})", item.label, item.result.variant_name)
}

fn refusal(item: &ReviewItem, error: &ClientError) -> String {
    let page = named(item);
    match error.code() {
        Some(ErrorCode::BaselineMoved) => {
            format!("{page} was not changed: its baseline has moved meanwhile. {error}")
        }
        _ => format!("{page} was not changed. {error}"),
    }
}

/// What is said of a decision whose answer was lost; `stands` tells whether it came about, where that is known.
fn lost(sending: &Sending, stands: Option<bool>, error: &ClientError) -> String {
    let page = named(&sending.before);
    let state = match sending.wish.action.leads_to() {
        TriageStatus::Approved => "approved",
        TriageStatus::Rejected => "rejected",
        TriageStatus::Pending => "undecided again",
    };
    match stands {
        Some(true) => format!("No answer came, but {page} is {state} as you wished."),
        Some(false) => format!("No answer came, and {page} was not changed. {error}"),
        None => format!("No answer came: {page} may have been changed, or not. {error}"),
    }
}
