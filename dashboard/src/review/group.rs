//! The pages that show the same change: which they are, and the dialog that asks about all of them at once.

use std::collections::HashSet;
use std::sync::Arc;

use leptos::prelude::*;
use pentimento_api::ids::{JobId, ResultId};
use pentimento_api::result::TriageStatus;
use pentimento_api::review::{ResultItem, ReviewItem};

use crate::client::ClientError;
use crate::review::queue::Entry;

/// A change, and how many pages of the queue show it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Group {
    /// What the service calls it: the results' `changeGroup`.
    pub(crate) label: String,
    /// Pages that nobody has decided about.
    pub(crate) open: usize,
    /// All of them.
    pub(crate) all: usize,
}

impl Group {
    /// The group of this name; nothing when fewer than two pages are in it.
    pub(crate) fn of(queue: &[Entry], label: &str) -> Option<Self> {
        let is_member = |entry: &&Entry| entry.group.as_deref() == Some(label);
        let is_open = |entry: &&Entry| entry.triage == TriageStatus::Pending;
        let group = Self {
            label: label.to_owned(),
            open: queue.iter().filter(is_member).filter(is_open).count(),
            all: queue.iter().filter(is_member).count(),
        };
        (group.all > 1).then_some(group)
    }
}

/// The dialog that asks about a group.
#[derive(Clone, Copy)]
pub(crate) struct Asking {
    pub(crate) open: RwSignal<bool>,
    /// The page whose change it is about; each question is a new one.
    pub(super) question: RwSignal<Option<(u32, Arc<ReviewItem>)>>,
    /// What was read of its group; nothing while it is being read.
    pub(crate) members: RwSignal<Option<Result<Members, ClientError>>>,
    /// Pages that are not decided with the others.
    pub(crate) left_out: RwSignal<HashSet<ResultId>>,
    /// Pages that a refusal named; these are left out at first.
    pub(super) moved: RwSignal<Moved>,
}

/// Pages whose baselines may have moved, as the refusal of a decision on a group told. It names addresses: on which device a page's
/// baseline has moved it does not say, and baselines may come back.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Moved {
    job: Option<JobId>,
    addresses: HashSet<String>,
}

impl Moved {
    /// Takes note of pages of a job. What was told of another job's says nothing about this one's.
    pub(super) fn note(&mut self, job: JobId, addresses: &[String]) {
        if self.job != Some(job) {
            self.clear();
        }
        self.job = Some(job);
        self.addresses.extend(addresses.iter().cloned());
    }

    /// Forgets all of them.
    pub(super) fn clear(&mut self) {
        *self = Self::default();
    }

    /// Whether a page of a job is one of them.
    fn has(&self, job: JobId, address: &str) -> bool {
        self.job == Some(job) && self.addresses.contains(address)
    }
}

/// The changed pages that show one change.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Members {
    /// The page that was looked at when they were asked for.
    pub(crate) item: Arc<ReviewItem>,
    /// What the service calls the change.
    pub(crate) label: String,
    /// Pages that nobody has decided about.
    pub(crate) open: Vec<ResultItem>,
    /// The others.
    pub(crate) settled: Vec<ResultId>,
}

impl Asking {
    pub(crate) fn new() -> Self {
        Self {
            open: RwSignal::new(false),
            question: RwSignal::new(None),
            members: RwSignal::new(None),
            left_out: RwSignal::new(HashSet::new()),
            moved: RwSignal::new(Moved::default()),
        }
    }

    /// Those of the pages whose baselines may have moved.
    pub(crate) fn hindered(self, members: &Members) -> HashSet<ResultId> {
        let job = members.item.job_id;
        self.moved.with_untracked(|moved| {
            let pages = members.open.iter();
            let hindered = pages.filter(|page| moved.has(job, &page.result.url));
            hindered.map(|page| page.result.result_id).collect()
        })
    }

    /// Pages that would be decided.
    pub(crate) fn chosen(self) -> Vec<ResultId> {
        self.members.with(|members| {
            let open = members.iter().flatten().flat_map(|members| &members.open);
            let ids = open.map(|item| item.result.result_id);
            (self.left_out).with(|left_out| ids.filter(|id| !left_out.contains(id)).collect())
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn job(number: u8) -> JobId {
        format!("00000000-0000-0000-0000-0000000000{number:02}")
            .parse()
            .unwrap()
    }

    #[test]
    fn what_a_refusal_named_counts_for_its_job_until_it_is_forgotten() {
        let mut moved = Moved::default();
        assert!(!moved.has(job(1), "/a"));
        moved.note(job(1), &["/a".to_owned()]);
        moved.note(job(1), &["/b".to_owned()]);
        assert!(moved.has(job(1), "/a") && moved.has(job(1), "/b") && !moved.has(job(2), "/a"));
        moved.note(job(2), &["/c".to_owned()]);
        assert!(moved.has(job(2), "/c") && !moved.has(job(2), "/a") && !moved.has(job(1), "/a"));
        moved.clear();
        assert_eq!(moved, Moved::default());
    }
}
