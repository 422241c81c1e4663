//! What became of pages, wherever the review has them.

use leptos::prelude::*;
use pentimento_api::ids::ResultId;
use pentimento_api::result::TriageStatus;

use crate::review::queue::Entry;
use crate::review::state::Review;

impl Review {
    /// Notes decisions in the queue and in the list that is gone through, which may have pages that the queue has not yet.
    pub(crate) fn note_triage(self, decided: impl Fn(ResultId) -> Option<TriageStatus>) {
        self.queue.update(|queue| note(queue, &decided));
        if self.listed.with_untracked(Option::is_some) {
            self.listed
                .update(|list| note(list.as_deref_mut().unwrap_or_default(), &decided));
        }
    }
}

fn note(entries: &mut [Entry], decided: &impl Fn(ResultId) -> Option<TriageStatus>) {
    for entry in entries {
        if let Some(triage) = decided(entry.id) {
            entry.triage = triage;
        }
    }
}
