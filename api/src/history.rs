//! One page in one variant through time: `GET /project/{name}/history`.

use serde::{Deserialize, Serialize};

use crate::crawl::RunContext;
use crate::ids::{JobId, ResultId};
use crate::job::ComparisonMode;
use crate::review::ResultItem;

/// The query of `GET /project/{name}/history`.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::IntoParams))]
#[cfg_attr(feature = "openapi", into_params(parameter_in = Query))]
#[serde(rename_all = "camelCase")]
pub struct HistoryQuery {
    /// The page: its path with query, or its address on any origin.
    #[cfg_attr(
        feature = "openapi",
        param(max_length = 24576, example = "/pricing?year=2026")
    )]
    pub page: String,
    /// The device variant, as results name it.
    #[cfg_attr(
        feature = "openapi",
        param(
            min_length = 1,
            max_length = 200,
            pattern = r"^[^\u0000-\u001f\u007f-\u009f]*[^\s\u0000-\u001f\u007f-\u009f][^\u0000-\u001f\u007f-\u009f]*$",
            example = "Desktop Chrome"
        )
    )]
    pub variant_name: String,
    /// Runs in the answer: 1–100, 20 when absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(
        feature = "openapi",
        param(nullable = false, minimum = 1, maximum = 100)
    )]
    pub limit: Option<u32>,
    /// The `next` of the answer before.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", param(nullable = false))]
    pub before: Option<String>,
}

/// The answer of `GET /project/{name}/history`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct PageHistory {
    /// The page's path with query: what it is known by, whatever its origin.
    pub page: String,
    /// What the project's next run compares with: a `live` one with its base origin, whatever the baseline is.
    pub comparison_mode: ComparisonMode,
    /// The page's baseline; null when it has none that the project's configuration fits, so that its next `managed` run makes
    /// one. Nullable.
    pub baseline: Option<PageBaseline>,
    /// The project's runs that had the page in this variant, newest first.
    pub runs: Vec<PageRun>,
    /// Send it as `before` to read on; absent when there is no older run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub next: Option<String>,
}

/// A page's baseline as it stands.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct PageBaseline {
    /// The move that made it what it is.
    #[serde(rename = "move")]
    pub moved: BaselineMove,
    /// The result whose capture it is; absent when that is not kept any more.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub result_id: Option<ResultId>,
    /// When that was captured.
    pub captured_at: String,
    /// A small picture of it (at most 360 pixels wide and 480 high).
    pub thumbnail_url: String,
}

/// A page in one of its project's runs.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct PageRun {
    /// The run.
    pub job_id: JobId,
    /// When it was started.
    pub created_at: String,
    /// Who started it.
    pub started_by: String,
    /// What it was started for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub run_context: Option<RunContext>,
    /// What it compared with: a `live` run moves no baseline.
    pub comparison_mode: ComparisonMode,
    /// Whether its capture is the page's baseline now.
    pub is_baseline: bool,
    /// How this run, and what was decided about it, moved the page's baseline, the last one first; of all runs in an answer
    /// the last 1,000 moves at most.
    pub moves: Vec<BaselineMove>,
    /// What became of the page, without what is told of its changes: read its result for that.
    pub item: ResultItem,
}

/// A move of a page's baseline.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct BaselineMove {
    /// Counts the moves of the page's baseline, from 1.
    pub version: u64,
    /// What moved it.
    pub action: BaselineAction,
    /// When.
    pub moved_at: String,
    /// Who.
    pub moved_by: String,
    /// Whether the page had no baseline after it.
    pub leaves_none: bool,
}

/// What moved a baseline.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum BaselineAction {
    /// The page had none, or the configuration had changed: its capture became the baseline.
    New,
    /// Its capture was approved.
    Promote,
    /// A decision was changed or taken back: the baseline is again what it was before it, or none.
    Restore,
}

impl BaselineAction {
    /// Every action.
    pub const ALL: [Self; 3] = [Self::New, Self::Promote, Self::Restore];

    /// The word on the wire.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::New => "new",
            Self::Promote => "promote",
            Self::Restore => "restore",
        }
    }
}
