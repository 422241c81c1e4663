//! The decisions of this visit, as undo needs them.

use std::sync::Arc;

use pentimento_api::ids::{JobId, ResultId};
use pentimento_api::job::ComparisonMode;
use pentimento_api::result::TriageStatus;
use pentimento_api::review::ReviewItem;

/// A decision of this visit, for undo.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Decided {
    /// On one page.
    Page(PageDecision),
    /// On the pages that show the same change.
    Group(GroupDecision),
}

/// A decision on one page.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct PageDecision {
    /// The page as it was before.
    pub(super) before: Arc<ReviewItem>,
    /// What it was decided to be.
    pub(super) after: TriageStatus,
}

/// A decision on a group, for undo.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct GroupDecision {
    pub(super) job: JobId,
    pub(super) mode: ComparisonMode,
    pub(super) label: String,
    /// The page that was looked at.
    pub(super) from: ResultId,
    /// What was undecided before, and is decided now.
    pub(super) chosen: Vec<ResultId>,
    /// All others of the group.
    pub(super) except: Vec<ResultId>,
    pub(super) after: TriageStatus,
    pub(super) note: Option<String>,
}
