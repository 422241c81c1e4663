//! The queue of a review, read part by part and kept up with what others do meanwhile.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use gloo_timers::future::TimeoutFuture;
use leptos::prelude::*;
use pentimento_api::events::TriageEvent;
use pentimento_api::ids::{JobId, ResultId};
use pentimento_api::result::TriageStatus;
use pentimento_api::review::{Outcome, ReviewItem};

use crate::client;
use crate::job_events::{JobEvents, News};
use crate::review::queue::{self, Entry, triage_of};
use crate::review::state::Review;
use crate::review::steps;
use crate::shared::Tone;

/// Before a part of the queue that could not be read is asked for again.
const RETRY_MS: u32 = 5_000;

/// Reads the whole queue. What cannot be read is said, and asked for again until it can.
pub(crate) async fn read_queue(review: Review, job: JobId) {
    let mut after = None;
    loop {
        match queue::read(job, after.clone()).await {
            Ok((entries, next)) => {
                review.queue_error.set(None);
                put(review, entries);
                after = next;
                review.queue_is_whole.set(after.is_none());
                steps::catch_up(review);
                if after.is_none() {
                    return;
                }
            }
            // The page itself is there; without its neighbours it can still be decided about.
            Err(error) => {
                review.shared.note_error(&error);
                let is_over = error.is_unauthorized();
                review.queue_error.set(Some(error));
                if is_over {
                    return;
                }
                TimeoutFuture::new(RETRY_MS).await;
            }
        }
    }
}

/// Keeps the queue and the pages up with what others decide, and with the pages that a running job finds changed.
pub(crate) async fn follow(review: Review, job: JobId, mut events: JobEvents) {
    loop {
        let mut changed = Vec::new();
        for news in events.news().await {
            match news {
                News::Triage(told) => hear(review, told).await,
                News::Result(told) if told.outcome == Outcome::Regression => {
                    changed.push(told.result_id);
                }
                News::Status(told) => review.is_running.set(!told.status.is_final()),
                News::Unknown => read_queue(review, job).await,
                News::Result(_) | News::Progress => {}
            }
        }
        let known: HashSet<ResultId> = review
            .queue
            .with_untracked(|queue| queue.iter().map(|entry| entry.id).collect());
        changed.retain(|id| !known.contains(id));
        if !changed.is_empty() {
            let triage = TriageStatus::Pending;
            let entries = changed.into_iter().map(|id| Entry { id, triage });
            put(review, entries.collect());
        }
    }
}

/// Puts pages into the queue, or their new state into the queue and the store.
fn put(review: Review, mut entries: Vec<Entry>) {
    entries.retain(|entry| !is_being_decided(review, entry.id));
    let current = review.id.get_untracked();
    // A page that was read ahead is read anew when it is gone to; of the one that is looked at more is told.
    let is_old = |items: &HashMap<ResultId, Arc<ReviewItem>>, entry: &Entry| {
        let known = items.get(&entry.id).map(|item| triage_of(item));
        known.is_some_and(|known| known != entry.triage) && current != Some(entry.id)
    };
    let old: Vec<ResultId> = review.items.with_untracked(|items| {
        let old = entries.iter().filter(|entry| is_old(items, entry));
        old.map(|entry| entry.id).collect()
    });
    if !old.is_empty() {
        review
            .items
            .update(|items| items.retain(|id, _| !old.contains(id)));
    }
    review.queue.update(|queue| {
        let places: HashMap<ResultId, usize> = (queue.iter().enumerate())
            .map(|(at, entry)| (entry.id, at))
            .collect();
        for entry in entries {
            match places.get(&entry.id) {
                Some(&at) => queue[at] = entry,
                None => queue.push(entry),
            }
        }
    });
}

/// Somebody decided on a page, maybe this reviewer here.
async fn hear(review: Review, told: TriageEvent) {
    let (id, triage) = (told.result_id, told.triage_status);
    if is_being_decided(review, id) {
        return;
    }
    put(review, vec![Entry { id, triage }]);
    let shown = review.items.with_untracked(|items| items.get(&id).cloned());
    let Some(item) = shown else { return };
    let by = told.triaged_by.filter(|_| triage != TriageStatus::Pending);
    if triage_of(&item) == triage && item.result.triaged_by == by {
        return;
    }
    read_triage(review, id).await;
    if review.id.get_untracked() == Some(id) {
        let label = &item.label;
        let text = match (triage, by) {
            (TriageStatus::Pending, _) => format!("The decision on “{label}” was taken back."),
            (TriageStatus::Approved, Some(by)) => format!("{by} approved “{label}”."),
            (TriageStatus::Rejected, Some(by)) => format!("{by} rejected “{label}”."),
            (TriageStatus::Approved, None) => format!("“{label}” was approved."),
            (TriageStatus::Rejected, None) => format!("“{label}” was rejected."),
        };
        review.shared.toast(Tone::Done, text, None);
    }
}

/// Reads what was decided about a page, and leaves the rest of it as it is: its pictures have not changed.
pub(crate) async fn read_triage(review: Review, id: ResultId) {
    // What cannot be read now is read when the page is gone to again.
    let Ok(fresh) = client::get::<ReviewItem>(&format!("/result/{id}")).await else {
        return;
    };
    // The review page may be gone by now.
    if review.items.is_disposed() || is_being_decided(review, id) {
        return;
    }
    let triage = triage_of(&fresh);
    review.items.update(|items| {
        if let Some(known) = items.get_mut(&id) {
            let mut item = ReviewItem::clone(known);
            item.result.triage_status = fresh.result.triage_status;
            item.result.triaged_at = fresh.result.triaged_at;
            item.result.triaged_by = fresh.result.triaged_by;
            item.result.triaged_verdict = fresh.result.triaged_verdict;
            item.result.triage_note = fresh.result.triage_note;
            *known = Arc::new(item);
        }
    });
    review.queue.update(|queue| {
        if let Some(entry) = queue.iter_mut().find(|entry| entry.id == id) {
            entry.triage = triage;
        }
    });
}

/// Whether a decision on the page is on its way: what the screen shows is newer than what is told.
fn is_being_decided(review: Review, id: ResultId) -> bool {
    review
        .shared
        .unsent
        .with_untracked(|unsent| unsent.contains(&id))
}
