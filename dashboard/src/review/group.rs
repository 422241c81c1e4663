//! The pages that show the same change: which they are, and the dialog that asks about all of them at once.

use std::collections::HashSet;
use std::sync::Arc;

use leptos::prelude::*;
use pentimento_api::ids::ResultId;
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
    /// Addresses of pages whose baselines have moved, as a refusal told; these are left out at first.
    pub(crate) moved: RwSignal<HashSet<String>>,
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
            moved: RwSignal::new(HashSet::new()),
        }
    }

    /// Those of the pages whose baselines have moved.
    pub(crate) fn hindered(self, members: &Members) -> HashSet<ResultId> {
        self.moved.with_untracked(|moved| {
            let pages = members.open.iter();
            let hindered = pages.filter(|page| moved.contains(&page.result.url));
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
