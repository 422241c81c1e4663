//! Reading what the review shows: the page that the address names, the job's queue, and what may come next.

use std::collections::HashMap;
use std::sync::Arc;

use gloo_timers::future::TimeoutFuture;
use leptos::prelude::*;
use pentimento_api::ids::{JobId, ResultId};
use pentimento_api::job::JobStatus;
use pentimento_api::review::ReviewItem;

use crate::client::ClientError;
use crate::job_events::JobEvents;
use crate::list_filter::ListFilter;
use crate::review::follow;
use crate::review::order;
use crate::review::queue::next_pending;
use crate::review::state::Review;
use crate::task::spawn_scoped;

/// Pages that are kept: going a few steps back takes no time, and a visit to thousands of pages does not hold them all.
const KEPT: usize = 50;

/// Reads and keeps up all of it. To be called once, by the review page.
pub(crate) fn all(review: Review) {
    item(review);
    item_from_store(review);
    item_again(review);
    baseline_back(review);
    queue(review);
    listed(review);
    ranks(review);
    ahead(review);
    forget_oldest(review);
}

/// Reads the page that the address names, unless it was read ahead.
fn item(review: Review) {
    // Other pages come and go in the store; only that this one is missing is a reason to ask for it.
    let missing = Memo::new(move |_| {
        let is_there = |id: &ResultId| review.items.with(|items| items.contains_key(id));
        review
            .id
            .get()
            .filter(|id| !is_there(id) && review.error.with(Option::is_none))
    });
    Effect::new(move |_| {
        review.anew.track();
        let Some(id) = missing.get() else { return };
        spawn_scoped(async move {
            match follow::read_settled(review.shared.decisions, id).await {
                Ok(item) => review
                    .items
                    .update(|items| drop(items.insert(id, Arc::new(item)))),
                Err(error) => {
                    review.shared.note_error(&error);
                    review.error.set(Some(error));
                }
            }
        });
    });
}

/// Reads a page once more that was in the store when it came up: its baseline may have moved since it was read, and no event tells
/// of that.
fn item_from_store(review: Review) {
    Effect::new(move |_| {
        let Some(id) = review.id.get() else { return };
        let is_there = |items: &HashMap<ResultId, Arc<ReviewItem>>| items.contains_key(&id);
        if review.items.with_untracked(is_there) {
            // The page shows meanwhile, and whoever decides is refused where the service knows better.
            spawn_scoped(async move { drop(follow::read_triage(review, id).await) });
        }
    });
}

/// Asks again for a page that could not be read, as long as asking may help.
fn item_again(review: Review) {
    Effect::new(move |_| {
        let may_help = |error: &ClientError| !error.is_final() && !error.is_unauthorized();
        if !review
            .error
            .with(|error| error.as_ref().is_some_and(may_help))
        {
            return;
        }
        spawn_scoped(async move {
            TimeoutFuture::new(follow::RETRY_MS).await;
            review.error.set(None);
        });
    });
}

/// Asks again and again about a page whose baseline has moved: it may come back, and no event tells of that.
fn baseline_back(review: Review) {
    let gone = Memo::new(move |_| review.id.get().filter(|_| review.is_out_of_date()));
    Effect::new(move |_| {
        let Some(id) = gone.get() else { return };
        spawn_scoped(async move {
            loop {
                let asked = review.shared.decisions.now();
                if let Ok(fresh) = follow::read(id).await {
                    follow::put_triage(review, &fresh, asked);
                }
                TimeoutFuture::new(follow::RETRY_MS).await;
            }
        });
    });
}

/// Reads the changed pages of the job, part by part, the first of which is enough to go on with; then follows the job.
fn queue(review: Review) {
    Effect::new(move |_| {
        let Some(job) = review.job.get() else { return };
        review.queue_is_whole.set(false);
        review.queue.set(Vec::new());
        review.job_status.set(None);
        // What happens while the queue is read is told afterwards.
        let events = JobEvents::of(&job.to_string());
        spawn_scoped(async move {
            follow::read_queue(review, job).await;
            follow::follow(review, job, events).await;
        });
    });
}

/// Reads the pages that the address wants to go through, where not all that changed, and again when the job has ended: until
/// then pages join them.
fn listed(review: Review) {
    let wanted = Memo::new(move |_| {
        let has_ended = (review.job_status.get()).is_some_and(JobStatus::is_final);
        Some((review.job.get()?, review.filter.get(), has_ended))
    });
    Effect::new(move |before: Option<Option<(JobId, ListFilter)>>| {
        let (job, filter, _) = wanted.get()?;
        let list = (job, filter);
        if before.flatten().as_ref() != Some(&list) {
            review.listed.set(None);
            review.list_is_whole.set(false);
            review.list_error.set(None);
        }
        if list.1.narrows() {
            let filter = list.1.clone();
            spawn_scoped(async move { follow::read_list(review, job, &filter).await });
        }
        Some(list)
    });
}

/// Reads how the job's changes are judged, and again when the job has ended: until then pages join them.
fn ranks(review: Review) {
    let wanted = Memo::new(move |_| Some((review.job.get()?, review.is_running())));
    Effect::new(move |before: Option<Option<JobId>>| {
        let (job, _) = wanted.get()?;
        if before.flatten() != Some(job) {
            review.ranks.set(None);
        }
        spawn_scoped(async move {
            loop {
                match order::read(job).await {
                    Ok(groups) => return review.ranks.set(Some(order::ranks(groups))),
                    // Pages can be decided about in the job's own order meanwhile.
                    Err(error) => {
                        review.shared.note_error(&error);
                        review.ranks.update(|ranks| {
                            ranks.get_or_insert_default();
                        });
                        if error.is_final() {
                            return;
                        }
                        TimeoutFuture::new(follow::RETRY_MS).await;
                    }
                }
            }
        });
        Some(job)
    });
}

/// Reads the pages that may come next, and their pictures.
fn ahead(review: Review) {
    let wanted = Memo::new(move |_| {
        let (Some(id), true) = (review.id.get(), review.item.with(Option::is_some)) else {
            return Vec::new();
        };
        review.order.with(|order| {
            let at = order.iter().position(|entry| entry.id == id);
            let after = at.and_then(|at| order.get(at + 1)).map(|entry| entry.id);
            let mut wanted: Vec<_> = [next_pending(order, id), after]
                .into_iter()
                .flatten()
                .collect();
            wanted.dedup();
            wanted
        })
    });
    Effect::new(move |_| {
        review.anew.track();
        let wanted = wanted.get();
        spawn_scoped(async move {
            for id in wanted {
                if review.items.with_untracked(|items| items.contains_key(&id)) {
                    continue;
                }
                let asked = review.shared.decisions.now();
                // A page that cannot be read ahead says why when it is gone to.
                let Ok(item) = follow::read(id).await else {
                    continue;
                };
                let pictures = item
                    .current
                    .iter()
                    .chain(&item.baseline)
                    .map(|picture| &picture.url);
                for url in pictures.chain(&item.mask_url) {
                    if let Ok(image) = web_sys::HtmlImageElement::new() {
                        image.set_src(url);
                    }
                }
                if !review.shared.decisions.has_arrived_since(asked, id) {
                    review
                        .items
                        .update(|items| drop(items.insert(id, Arc::new(item))));
                }
            }
        });
    });
}

/// Lets go of the pages that nobody needed for the longest time. One with a decision on its way stays until that has arrived.
fn forget_oldest(review: Review) {
    // The page that was needed last stands last.
    Effect::new(move |before: Option<Vec<ResultId>>| {
        let current = review.id.get();
        let mut recent = before.unwrap_or_default();
        review.items.with(|items| {
            recent.retain(|id| items.contains_key(id));
            let fresh = items.keys().filter(|id| !recent.contains(id));
            let fresh: Vec<ResultId> = fresh.copied().collect();
            recent.extend(fresh);
        });
        if let Some(at) = recent.iter().position(|id| Some(*id) == current) {
            let id = recent.remove(at);
            recent.push(id);
        }
        let surplus = recent.len().saturating_sub(KEPT);
        let is_sent = |id: &ResultId| untrack(|| review.shared.decisions.is_under_way(*id));
        let old: Vec<ResultId> = recent.drain(..surplus).filter(|id| !is_sent(id)).collect();
        if !old.is_empty() {
            review
                .items
                .update(|items| items.retain(|id, _| !old.contains(id)));
        }
        recent
    });
}
