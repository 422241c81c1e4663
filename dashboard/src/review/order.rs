//! The order of the queue: by cause, the worst judged change first with all pages that show it, or in the job's own order.

use std::collections::HashMap;

use pentimento_api::groups::{ChangeGroup, GroupList};
use pentimento_api::ids::{JobId, ResultId};
use pentimento_api::result::Decision;

use crate::client::{self, ClientError};
use crate::components::sentence::causes;
use crate::review::queue::Entry;

/// Causes that are ranked, which is the interface's most; the pages of all others come behind them.
const RANKED: u32 = 100;

/// What the queue is sorted by.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) enum Order {
    #[default]
    Cause,
    Page,
}

impl Order {
    /// The address's word; what goes without saying has none.
    pub(crate) fn as_str(self) -> &'static str {
        match self {
            Self::Cause => "",
            Self::Page => "page",
        }
    }

    /// What the address says; a word that it does not know means what goes without saying.
    pub(crate) fn of(word: &str) -> Self {
        if word == Self::Page.as_str() {
            Self::Page
        } else {
            Self::Cause
        }
    }

    pub(crate) fn other(self) -> Self {
        match self {
            Self::Cause => Self::Page,
            Self::Page => Self::Cause,
        }
    }
}

/// A change of the job.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Cause {
    /// Its place among the others.
    pub(crate) place: usize,
    /// What it is, in the service's words.
    pub(crate) sentences: Vec<String>,
    /// How it is judged.
    pub(crate) decision: Option<Decision>,
}

/// The changes of a job, by what the service calls them.
pub(crate) type Ranks = HashMap<String, Cause>;

/// Reads the changes of a job, the worst judged first.
pub(crate) async fn read(job: JobId) -> Result<Vec<ChangeGroup>, ClientError> {
    let path = format!("/job/{job}/groups?limit={RANKED}");
    Ok(client::get::<GroupList>(&path).await?.groups)
}

/// The places that these changes have, and what they are.
pub(crate) fn ranks(groups: Vec<ChangeGroup>) -> Ranks {
    let cause = |(place, group): (usize, ChangeGroup)| {
        let result = group.example.result;
        let cause = Cause {
            place,
            sentences: causes(&result),
            decision: result.verdict.map(|verdict| verdict.decision),
        };
        (group.change_group, cause)
    };
    groups.into_iter().enumerate().map(cause).collect()
}

/// The page that a review by cause begins with: the first undecided one.
pub(crate) fn first_open(groups: &[ChangeGroup]) -> Option<ResultId> {
    let open = groups.iter().find(|group| group.triage.pending > 0)?;
    Some(open.example.result.result_id)
}

/// The queue in this order. Within a cause, and behind all ranked ones, pages stand in the job's order.
pub(crate) fn sorted(queue: &[Entry], ranks: &Ranks, order: Order) -> Vec<Entry> {
    let mut queue = queue.to_vec();
    if order == Order::Cause {
        let rank = |entry: &Entry| {
            let known = entry.group.as_ref().and_then(|group| ranks.get(group));
            known.map_or(usize::MAX, |cause| cause.place)
        };
        queue.sort_by_key(rank);
    }
    queue
}

#[cfg(test)]
mod tests {
    use super::*;
    use pentimento_api::result::TriageStatus;

    #[test]
    fn pages_of_one_cause_stand_together_and_the_worst_cause_first() {
        let queue: Vec<Entry> = ["a", "b", "", "a", "c", "b"]
            .iter()
            .enumerate()
            .map(|(number, group)| Entry {
                id: format!("00000000-0000-0000-0000-{number:012}")
                    .parse()
                    .unwrap(),
                triage: TriageStatus::Pending,
                group: (!group.is_empty()).then(|| (*group).to_owned()),
                page: None,
            })
            .collect();
        let cause = |place| Cause {
            place,
            sentences: Vec::new(),
            decision: None,
        };
        let ranks = Ranks::from([("b".to_owned(), cause(0)), ("a".to_owned(), cause(1))]);
        let numbers = |order| -> Vec<usize> {
            let sorted = sorted(&queue, &ranks, order);
            let place = |entry: &Entry| queue.iter().position(|one| one.id == entry.id);
            sorted.iter().filter_map(place).collect()
        };
        assert_eq!(numbers(Order::Cause), [1, 5, 0, 3, 2, 4]);
        assert_eq!(numbers(Order::Page), [0, 1, 2, 3, 4, 5]);
    }

    #[test]
    fn the_address_knows_each_order() {
        for order in [Order::Cause, Order::Page] {
            assert_eq!(Order::of(order.as_str()), order);
        }
        assert_eq!(Order::of("nonsense"), Order::Cause);
    }
}
