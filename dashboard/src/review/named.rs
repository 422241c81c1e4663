//! Names of the pages that joined a queue while its job ran.

use leptos::prelude::*;
use pentimento_api::ids::JobId;

use crate::review::follow;
use crate::review::queue::Entry;
use crate::review::state::Review;
use crate::task::spawn_scoped;

/// Reads the queue once more when its job has ended: events tell of no page's name for people, and of no picture. To be called
/// once, by the review page.
pub(crate) fn read_at_end(review: Review) {
    let state = Memo::new(move |_| Some((review.job.get()?, review.is_running())));
    Effect::new(move |before: Option<Option<(JobId, bool)>>| {
        let (job, is_running) = state.get()?;
        let has_ended = !is_running && before.flatten() == Some((job, true));
        let is_unnamed =
            |entry: &Entry| (entry.page.as_ref()).is_none_or(|page| page.thumbnail_url.is_none());
        if has_ended && (review.queue).with_untracked(|queue| queue.iter().any(is_unnamed)) {
            spawn_scoped(async move { follow::read_queue(review, job).await });
        }
        Some((job, is_running))
    });
}
