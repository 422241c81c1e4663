//! The queue of a review, read part by part and kept up with what others do meanwhile.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use gloo_timers::future::TimeoutFuture;
use leptos::prelude::*;
use leptos::task::spawn_local;
use pentimento_api::ids::{JobId, ResultId};
use pentimento_api::result::TriageStatus;
use pentimento_api::review::{Outcome, ReviewItem};

use crate::client::{self, ClientError};
use crate::decisions::{Decisions, Moment};
use crate::format;
use crate::job_events::{JobEvents, News};
use crate::list_filter::ListFilter;
use crate::review::outdated::{self, renewed};
use crate::review::queue::{self, Entry, triage_of};
use crate::review::state::Review;
use crate::review::steps;
use crate::shared::Tone;

/// Before what could not be read is asked for again.
pub(crate) const RETRY_MS: u32 = 5_000;

/// Reads the whole queue. What cannot be read is said, and asked for again until it can.
pub(crate) async fn read_queue(review: Review, job: JobId) {
    let all = ListFilter::default();
    read_parts(review, job, &all, review.queue_error, async |part| {
        put(review, part.entries, part.asked);
        // Read once more, it is as whole as before.
        if part.is_last {
            review.queue_is_whole.set(true);
        }
        steps::catch_up(review);
        keep_current(review).await;
    })
    .await;
}

/// Reads all pages of a list. What cannot be read is said, and asked for again until it can.
pub(crate) async fn read_list(review: Review, job: JobId, filter: &ListFilter) {
    read_parts(review, job, filter, review.list_error, async |part| {
        put_listed(review, part.entries, part.asked);
        // Read once more, it is as whole as before.
        if part.is_last {
            review.list_is_whole.set(true);
        }
        steps::catch_up(review);
    })
    .await;
}

/// A part of a list of pages, as it stood at some time after `asked`.
struct Part {
    entries: Vec<Entry>,
    asked: Moment,
    is_last: bool,
}

/// Reads a list part by part.
async fn read_parts(
    review: Review,
    job: JobId,
    filter: &ListFilter,
    failure: RwSignal<Option<ClientError>>,
    mut take: impl AsyncFnMut(Part),
) {
    let mut after = None;
    loop {
        let asked = review.shared.decisions.now();
        match queue::read(job, filter, after.clone()).await {
            Ok((entries, next)) => {
                failure.set(None);
                after = next;
                let is_last = after.is_none();
                take(Part {
                    entries,
                    asked,
                    is_last,
                })
                .await;
                if is_last {
                    return;
                }
            }
            // The page itself is there; without its neighbours it can still be decided about.
            Err(error) => {
                review.shared.note_error(&error);
                let is_over = error.is_final();
                failure.set(Some(error));
                if is_over {
                    return;
                }
                TimeoutFuture::new(RETRY_MS).await;
            }
        }
    }
}

/// Adds pages to the list that is gone through. What was decided in this visit stays in it, whatever it asks for.
fn put_listed(review: Review, entries: Vec<Entry>, asked: Moment) {
    review.listed.update(|list| {
        let list = list.get_or_insert_default();
        let places: HashMap<ResultId, usize> = (list.iter().enumerate())
            .map(|(at, entry)| (entry.id, at))
            .collect();
        for mut entry in entries {
            let is_outdated = review.shared.decisions.outdate(asked, entry.id);
            match places.get(&entry.id) {
                Some(_) if is_outdated => {}
                Some(&at) => list[at] = entry,
                None => {
                    if is_outdated {
                        entry.triage = shown_triage(review, entry.id).unwrap_or(entry.triage);
                    }
                    list.push(entry);
                }
            }
        }
    });
}

/// Keeps the queue and the pages up with what others decide, and with the pages that a running job finds changed.
pub(crate) async fn follow(review: Review, job: JobId, mut events: JobEvents) {
    loop {
        let mut changed = Vec::new();
        // Of several decisions on a page the last one counts.
        let mut decided = HashMap::<ResultId, TriageStatus>::new();
        let mut by_others = HashSet::new();
        let mut done = HashSet::new();
        let (mut is_unknown, mut has_ended) = (false, false);
        for news in events.news().await {
            match news {
                News::Triage(told) => {
                    if told.triaged_by.is_some() && told.triaged_by != review.shared.own_name() {
                        by_others.insert(told.result_id);
                    }
                    decided.insert(told.result_id, told.triage_status);
                }
                News::Result(told) => {
                    done.insert(told.result_id);
                    if told.outcome == Outcome::Regression {
                        changed.push(Entry::from(told));
                    }
                }
                News::Status(told) => {
                    let was_running = untrack(|| review.is_running());
                    has_ended |= was_running && told.status.is_final();
                    review.job_status.set(Some(told.status));
                }
                News::Unknown => is_unknown = true,
                News::Progress => {}
            }
        }
        let to_read = outdated::forget(review, &done, has_ended);
        // Events tell of no page's name for people, and of no picture.
        let are_unnamed = has_ended && (!changed.is_empty() || has_untold(review));
        if is_unknown || are_unnamed || are_doubtful(review, &decided) {
            read_queue(review, job).await;
            // What was read is newer than what was told before.
            let queued = queued(review);
            decided.retain(|id, _| !queued.contains(id));
        }
        let told = review.shared.decisions.now();
        let known = queued(review);
        changed.retain(|entry| !known.contains(&entry.id));
        put(review, changed, told);
        if let Some(id) = to_read {
            learn_triage(review, id).await;
        }
        // Of a whole job all pages are decided, unchanged ones too, which have no place in the queue.
        let queued = queued(review);
        let current = review.id.get_untracked();
        let unqueued = current.filter(|id| decided.contains_key(id) && !queued.contains(id));
        if let Some(id) = unqueued {
            learn_triage(review, id).await;
        }
        let decided = decided.into_iter().filter(|(id, _)| queued.contains(id));
        let entries = decided.map(|(id, triage)| Entry {
            id,
            triage,
            group: None,
            page: None,
        });
        put(review, entries.collect(), told);
        forget(review, &by_others, told);
        let may_differ = |id| is_unknown || queued.contains(&id) && by_others.contains(&id);
        keep_current_as(review, may_differ).await;
    }
}

/// Lets go of pages that others decided on, but for the one that is looked at: who decided, and why, may differ where the decision
/// is the same. They are read anew when they are gone to.
fn forget(review: Review, decided: &HashSet<ResultId>, asked: Moment) {
    let current = review.id.get_untracked();
    let is_old = |id: &ResultId| {
        let is_outdated = review.shared.decisions.outdate(asked, *id);
        decided.contains(id) && current != Some(*id) && !is_outdated
    };
    if (review.items).with_untracked(|items| items.keys().any(is_old)) {
        review
            .items
            .update(|items| items.retain(|id, _| !is_old(id)));
    }
}

/// Whether something else is told of a page that was decided in this visit than the queue knows: the event may have been on
/// its way while that decision arrived.
fn are_doubtful(review: Review, told: &HashMap<ResultId, TriageStatus>) -> bool {
    let is_doubtful = |entry: &Entry| {
        let differs = (told.get(&entry.id)).is_some_and(|triage| *triage != entry.triage);
        differs && review.shared.decisions.has_arrived(entry.id)
    };
    (review.queue).with_untracked(|queue| queue.iter().any(is_doubtful))
}

/// Whether the queue has pages of which only events have told.
fn has_untold(review: Review) -> bool {
    (review.queue).with_untracked(|queue| !queue.iter().all(Entry::is_told))
}

/// The pages of the queue.
fn queued(review: Review) -> HashSet<ResultId> {
    review
        .queue
        .with_untracked(|queue| queue.iter().map(|entry| entry.id).collect())
}

/// Puts pages into the queue, or their new state into the queue and the store, as they stood at some time after `asked`.
pub(crate) fn put(review: Review, entries: Vec<Entry>, asked: Moment) {
    if entries.is_empty() {
        return;
    }
    let current = review.id.get_untracked();
    // What the screen shows of a decision that the answer may not know of is newer than what is told.
    let is_outdated = |id: ResultId| review.shared.decisions.outdate(asked, id);
    // A page that was read ahead is read anew when it is gone to; of the one that is looked at more is told.
    let is_old = |items: &HashMap<ResultId, Arc<ReviewItem>>, entry: &Entry| {
        let known = items.get(&entry.id).map(|item| triage_of(item));
        known.is_some_and(|known| known != entry.triage)
            && current != Some(entry.id)
            && !is_outdated(entry.id)
    };
    let old: HashSet<ResultId> = review.items.with_untracked(|items| {
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
        for mut entry in entries {
            let is_outdated = is_outdated(entry.id);
            if let Some(&at) = places.get(&entry.id) {
                if !is_outdated {
                    queue[at].triage = entry.triage;
                }
                // Who tells of a decision does not say what it is about.
                queue[at].group = entry.group.or(queue[at].group.take());
                queue[at].page = entry.page.or(queue[at].page.take());
            } else {
                if is_outdated {
                    entry.triage = shown_triage(review, entry.id).unwrap_or(entry.triage);
                }
                queue.push(entry);
            }
        }
    });
}

/// What the screen shows of the decision on a page, once that was read.
fn shown_triage(review: Review, id: ResultId) -> Option<TriageStatus> {
    review
        .items
        .with_untracked(|items| items.get(&id).map(|item| triage_of(item)))
}

/// Reads the triage of the page that is looked at when the queue knows of another one, and says who decided.
pub(crate) async fn keep_current(review: Review) {
    keep_current_as(review, |_| false).await;
}

/// The same, and where something may have been decided that the queue does not tell: the same once more by somebody else.
async fn keep_current_as(review: Review, may_differ: impl Fn(ResultId) -> bool) {
    let Some(item) = review.item.get_untracked() else {
        return;
    };
    let id = item.result.result_id;
    let told = review.queue.with_untracked(|queue| {
        let entry = queue.iter().find(|entry| entry.id == id);
        entry.map(|entry| entry.triage)
    });
    let is_being_decided = untrack(|| review.shared.decisions.is_under_way(id));
    let differs = told.is_some_and(|told| told != triage_of(&item)) || may_differ(id);
    if !differs || is_being_decided {
        return;
    }
    learn_triage(review, id).await;
    let fresh = review
        .items
        .try_with_untracked(|items| items.get(&id).cloned());
    let Some(fresh) = fresh.flatten() else { return };
    let by = fresh.result.triaged_by.clone();
    let is_same = triage_of(&fresh) == triage_of(&item) && by == item.result.triaged_by;
    if is_same || by.is_some() && by == review.shared.own_name() {
        return;
    }
    let label = format::short(&fresh.label);
    let by = by.unwrap_or_else(|| "Somebody".to_owned());
    let text = match triage_of(&fresh) {
        TriageStatus::Pending => format!("The decision on “{label}” was taken back."),
        TriageStatus::Approved => format!("{by} approved “{label}”."),
        TriageStatus::Rejected => format!("{by} rejected “{label}”."),
    };
    review.shared.toast(Tone::Done, text, None);
}

/// Reads what was decided about a page, and shows it.
pub(crate) async fn read_triage(review: Review, id: ResultId) -> Result<(), ClientError> {
    let asked = review.shared.decisions.now();
    put_triage(review, &read(id).await?, asked);
    Ok(())
}

/// Reads what was decided about a page, and shows it; where it cannot be read now, as soon as it can.
pub(crate) async fn learn_triage(review: Review, id: ResultId) {
    if read_triage(review, id).await.is_err() {
        spawn_local(async move {
            read_until_told(review, async || read_triage(review, id).await).await;
        });
    }
}

/// Reads again and again what has become of decisions, until it is told or the service refuses to tell; says whether it was told.
pub(crate) async fn read_until_told(
    review: Review,
    read: impl AsyncFn() -> Result<(), ClientError>,
) -> bool {
    loop {
        TimeoutFuture::new(RETRY_MS).await;
        match read().await {
            Ok(()) => return true,
            Err(error) if error.is_final() => {
                review.shared.note_error(&error);
                return false;
            }
            Err(_) => {}
        }
    }
}

/// Reads a page, and anew when a decision on it arrived meanwhile that the answer may not know of.
pub(crate) async fn read_settled(
    decisions: Decisions,
    id: ResultId,
) -> Result<ReviewItem, ClientError> {
    loop {
        let asked = decisions.now();
        let item = read(id).await?;
        if !decisions.has_arrived_since(asked, id) {
            return Ok(item);
        }
    }
}

/// Reads a page.
pub(crate) async fn read(id: ResultId) -> Result<ReviewItem, ClientError> {
    client::get(&format!("/result/{id}")).await
}

/// Shows what was decided about a page and what is said of it, as it stood at some time after `asked`.
pub(crate) fn put_triage(review: Review, fresh: &ReviewItem, asked: Moment) {
    let id = fresh.result.result_id;
    // The review page may be gone by now.
    if review.items.is_disposed() || review.shared.decisions.outdate(asked, id) {
        return;
    }
    review.items.update(|items| {
        if let Some(known) = items.get_mut(&id) {
            *known = Arc::new(renewed(known, fresh));
        }
    });
    review.note_triage(|one| (one == id).then(|| triage_of(fresh)));
}
