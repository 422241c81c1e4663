//! Which decisions are on their way to the service, and which arrived since something was asked: what the screen shows of
//! those pages is newer than the answer.

use std::collections::HashMap;

use leptos::prelude::*;
use pentimento_api::ids::ResultId;

/// The decisions of this visit; copies name the same ones. `App` owns them: they are sent to the end when their page is left.
#[derive(Clone, Copy)]
pub(crate) struct Decisions {
    /// Pages, one entry for each decision.
    unsent: RwSignal<Vec<ResultId>>,
    arrived: StoredValue<Arrived>,
}

/// When the last decision on each page was answered, in arrivals instead of time: clocks may stand still between two.
#[derive(Default)]
struct Arrived {
    count: u64,
    last: HashMap<ResultId, u64>,
}

/// A moment between arrivals.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Moment(u64);

impl Decisions {
    pub(crate) fn new() -> Self {
        Self {
            unsent: RwSignal::new(Vec::new()),
            arrived: StoredValue::new(Arrived::default()),
        }
    }

    /// Takes note that decisions on these pages are on their way.
    pub(crate) fn note_begun(self, pages: &[ResultId]) {
        self.unsent.update(|unsent| unsent.extend(pages));
    }

    /// Takes note that decisions on these pages were answered, or that their answer will never come.
    pub(crate) fn note_arrived(self, pages: &[ResultId]) {
        self.arrived.update_value(|arrived| {
            arrived.count += 1;
            let now = arrived.count;
            arrived.last.extend(pages.iter().map(|page| (*page, now)));
        });
        self.unsent.update(|unsent| {
            for page in pages {
                if let Some(at) = unsent.iter().position(|sent| sent == page) {
                    unsent.swap_remove(at);
                }
            }
        });
    }

    /// How many are on their way.
    pub(crate) fn count(self) -> usize {
        self.unsent.with(Vec::len)
    }

    /// Whether one on this page is on its way.
    pub(crate) fn is_under_way(self, page: ResultId) -> bool {
        self.unsent.with(|unsent| unsent.contains(&page))
    }

    /// The moment to remember before the service is asked.
    pub(crate) fn now(self) -> Moment {
        Moment(self.arrived.with_value(|arrived| arrived.count))
    }

    /// Whether a decision on this page has arrived.
    pub(crate) fn has_arrived(self, page: ResultId) -> bool {
        self.arrived
            .with_value(|arrived| arrived.last.contains_key(&page))
    }

    /// Whether a decision on this page arrived after the service was asked, so that its answer may not know of it.
    pub(crate) fn has_arrived_since(self, asked: Moment, page: ResultId) -> bool {
        let last = self
            .arrived
            .with_value(|arrived| arrived.last.get(&page).copied());
        last.is_some_and(|last| last > asked.0)
    }

    /// Whether the screen knows better than an answer to what was asked then.
    pub(crate) fn outdate(self, asked: Moment, page: ResultId) -> bool {
        untrack(|| self.is_under_way(page)) || self.has_arrived_since(asked, page)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_is_outdated_by_decisions_that_arrived_after_it_was_asked_for() {
        let owner = Owner::new();
        owner.set();
        let decisions = Decisions::new();
        let page: ResultId = "00000000-0000-0000-0000-000000000001".parse().unwrap();
        let other: ResultId = "00000000-0000-0000-0000-000000000002".parse().unwrap();
        let before = decisions.now();
        decisions.note_begun(&[page]);
        let meanwhile = decisions.now();
        assert!(decisions.outdate(before, page) && decisions.outdate(meanwhile, page));
        decisions.note_arrived(&[page]);
        assert!(decisions.outdate(before, page) && decisions.outdate(meanwhile, page));
        assert!(!decisions.outdate(decisions.now(), page));
        assert!(!decisions.outdate(before, other));
        assert!(decisions.has_arrived(page) && !decisions.has_arrived(other));
        assert_eq!(decisions.count(), 0);
    }
}
