//! The changes of a job, each with the pages that show it: `GET /job/{jobId}/groups`.

use serde::{Deserialize, Serialize};

use crate::job::TriageCounts;
use crate::review::ResultItem;

/// The query of `GET /job/{jobId}/groups`.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::IntoParams))]
#[cfg_attr(feature = "openapi", into_params(parameter_in = Query))]
pub struct GroupListQuery {
    /// Changes in the answer: 1–100, 20 when absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(
        feature = "openapi",
        param(nullable = false, minimum = 1, maximum = 100)
    )]
    pub limit: Option<u32>,
}

/// The answer of `GET /job/{jobId}/groups`: what is judged worst first, and of that what is on the most pages.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct GroupList {
    /// The first changes.
    pub groups: Vec<ChangeGroup>,
    /// How many there are.
    pub total: u64,
}

/// A change, and how many pages show it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct ChangeGroup {
    /// The `changeGroup` of its results.
    pub change_group: String,
    /// What was decided about its pages.
    pub triage: TriageCounts,
    /// One of its pages, undecided where there is one: its `serviceSummary` says what the change is.
    pub example: ResultItem,
}
