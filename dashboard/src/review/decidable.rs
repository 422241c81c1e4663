//! Whether the page that is looked at can be decided about, and why not; and what undo would do.

use leptos::prelude::*;
use pentimento_api::job::JobStatus;
use pentimento_api::result::TriageStatus;
use pentimento_api::review::{Outcome, ReviewItem};
use pentimento_api::session::Scope;

use crate::browser;
use crate::review::queue::triage_of;
use crate::review::state::Review;

impl Review {
    /// Why the page cannot be decided about; nothing when it can.
    pub(crate) fn why_undecidable(self) -> Option<&'static str> {
        let (outcome, unstable) = self.item.with(|item| {
            let item = item.as_ref()?;
            Some((item.outcome, item.result.unstable == Some(true)))
        })?;
        match outcome {
            _ if !self.shared.may(Scope::Review) => {
                Some("Your key may look, but not decide: it lacks the scope “review”.")
            }
            _ if self.is_running() => {
                Some("The job still runs: its pages can be decided about once it has ended.")
            }
            _ if self.job_status.get() == Some(JobStatus::Failed) => {
                Some("The job failed: its pages cannot be decided about.")
            }
            Outcome::Regression => None,
            Outcome::Match if unstable => {
                Some("Nothing changed that its captures agree on: there is nothing to decide.")
            }
            Outcome::Match => Some("Nothing changed: there is nothing to decide."),
            Outcome::NewBaseline => Some("The page is new: its capture already is its baseline."),
            Outcome::Error => Some("The page is in error: there is no capture to decide about."),
            Outcome::Pending => Some("The page is not done yet."),
        }
    }

    /// Whether the page's baseline has moved since it was compared with it.
    pub(crate) fn is_out_of_date(self) -> bool {
        (self.item).with(|item| item.as_ref().is_some_and(|item| item.out_of_date))
    }

    /// Whether approve and reject do something now.
    pub(crate) fn is_decidable(self) -> bool {
        self.item.with(Option::is_some) && self.why_undecidable().is_none()
    }

    /// Whether something is open that going to another page would close, with what is being typed there: a note, the question about
    /// a group, the queue over the canvas, or any field.
    pub(crate) fn is_occupied(self) -> bool {
        self.note_open.get()
            || self.asking.open.get()
            || self.column.open.get()
            || browser::is_typing()
    }

    /// Whether a decision on the job's pages is known that can be undone.
    pub(crate) fn can_undo(self) -> bool {
        (self.job.get()).is_some_and(|job| self.shared.undoable.has(job))
    }

    /// Whether undo, where none is known, takes back the decision on the page that is looked at: whoever is signed in made it.
    pub(crate) fn can_take_back(self) -> bool {
        let is_own = |item: &ReviewItem| {
            let by = &item.result.triaged_by;
            triage_of(item) != TriageStatus::Pending
                && by.is_some()
                && *by == self.shared.own_name()
        };
        !self.can_undo()
            && (self.item).with(|item| item.as_ref().is_some_and(|item| is_own(item)))
            && self.is_decidable()
    }
}
