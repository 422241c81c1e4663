//! What the dashboard reads beyond the job views: results by the page, and one result with all its pictures.

use serde::{Deserialize, Serialize};

use crate::agreement::Disagreement;
use crate::comparison::{Layout, Region};
use crate::ids::JobId;
use crate::job::{ComparisonMode, OutcomeCounts};
use crate::picture::Picture;
use crate::result::{PageResult, TriageStatus};

/// How a page came out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    /// It changed.
    Regression,
    /// It looks as its baseline.
    Match,
    /// Its capture became its first baseline.
    NewBaseline,
    /// It could not be captured or compared.
    Error,
    /// It is not done yet.
    Pending,
}

impl Outcome {
    /// Every outcome, the most urgent first.
    pub const ALL: [Self; 5] = [
        Self::Regression,
        Self::Error,
        Self::NewBaseline,
        Self::Match,
        Self::Pending,
    ];

    /// The word on the wire.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Regression => "regression",
            Self::Match => "match",
            Self::NewBaseline => "new_baseline",
            Self::Error => "error",
            Self::Pending => "pending",
        }
    }
}

/// The query of `GET /job/{jobId}/results`.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::IntoParams))]
#[cfg_attr(feature = "openapi", into_params(parameter_in = Query))]
#[serde(rename_all = "camelCase")]
pub struct ResultListQuery {
    /// Results on one page of the list: 1–500, 100 when absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(
        feature = "openapi",
        param(nullable = false, minimum = 1, maximum = 500)
    )]
    pub limit: Option<u32>,
    /// The `next` of the page before.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", param(nullable = false, pattern = "^[0-9]{1,9}$"))]
    pub after: Option<String>,
    /// Only results with this outcome.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", param(nullable = false))]
    pub outcome: Option<Outcome>,
    /// Only results with this triage.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", param(nullable = false))]
    pub triage: Option<TriageStatus>,
    /// With `true`, only results whose captures did not agree with each other; with `false`, only the others.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", param(nullable = false))]
    pub unstable: Option<bool>,
    /// Only results that show this change: a result's `changeGroup`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", param(nullable = false, max_length = 200))]
    pub change_group: Option<String>,
    /// With `true`, results without what is told of their changes: `changes`, `elementsChanged`, `contentChanged`, `metadataChanged`,
    /// summaries and verdict.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", param(nullable = false))]
    pub brief: Option<bool>,
    /// With `true`, results with pictures of what changed on them: `regionCrops`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", param(nullable = false))]
    pub crops: Option<bool>,
    /// Only results whose address or variant contains this, whatever its case.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", param(nullable = false))]
    pub q: Option<String>,
}

/// The answer of `GET /job/{jobId}/results`, in the job's stable order.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ResultList {
    /// The results of this page of the list.
    pub results: Vec<ResultItem>,
    /// How all pages of the job came out, whatever the filter.
    pub counts: OutcomeCounts,
    /// Results that the filter lets through, on all pages of the list.
    pub total: u64,
    /// Send it as `after` to read on; absent on the last page.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub next: Option<String>,
}

/// A result as a list shows it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct ResultItem {
    /// The page's name for people; its path when it has none.
    pub label: String,
    /// How it came out.
    pub outcome: Outcome,
    /// A small picture of the current capture (at most 360 pixels wide and 480 high). Nullable.
    pub thumbnail_url: Option<String>,
    /// The region in which most pixels changed, before and after; present where a list was asked for it and pixels changed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub region_crops: Option<RegionCrops>,
    /// The result itself.
    pub result: PageResult,
}

/// Links to pictures of a changed region with some of what is around it (at most 480 pixels wide and 360 high), as it was and
/// as it is.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct RegionCrops {
    /// The region's letter.
    pub label: String,
    /// In the baseline; absent where that has nothing there.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub baseline_url: Option<String>,
    /// In the current capture; absent where that has nothing there.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub current_url: Option<String>,
}

/// The answer of `GET /result/{resultId}`: all that a review page shows.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct ReviewItem {
    /// The job it belongs to.
    pub job_id: JobId,
    /// The project it belongs to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub project: Option<String>,
    /// Whether its job compares with stored baselines or with another origin; a live job has no baselines to move.
    pub comparison_mode: ComparisonMode,
    /// The page's name for people; its path when it has none.
    pub label: String,
    /// How it came out.
    pub outcome: Outcome,
    /// The current capture. Nullable.
    pub current: Option<Picture>,
    /// The baseline it was compared with. Nullable.
    pub baseline: Option<Picture>,
    /// The changed pixels: a PNG of `comparedWidth` × `comparedHeight` whose changed pixels are opaque white and whose
    /// other pixels are transparent, to be used as a CSS mask. Null when no pixel changed. Nullable.
    pub mask_url: Option<String>,
    /// Pictures of each changed region, in their order.
    #[serde(default)]
    pub region_crops: Vec<RegionCrops>,
    /// Width of the canvas that has a place for all of both captures: that of the wider one, in pixels; 0 when nothing
    /// was compared.
    pub compared_width: u32,
    /// Height of the canvas: that of the taller capture, and more where rows were inserted and removed; 0 when nothing
    /// was compared.
    pub compared_height: u32,
    /// Where the rows of both captures lie on the canvas; null when nothing was compared. Nullable.
    pub layout: Option<Layout>,
    /// Pixels that changed, rows aligned; those inserted or removed are part of them.
    pub changed_pixels: u64,
    /// Pixels that differ only in the smoothing of edges; they are not among the changed ones.
    pub anti_aliased_pixels: u64,
    /// Pixels that only the current capture has.
    pub inserted_pixels: u64,
    /// Pixels that only the baseline has.
    pub removed_pixels: u64,
    /// Pixels that differ when every pixel is compared with the one at the same place, those that differ only in the smoothing
    /// of edges among them; null when no row had to be aligned. Nullable.
    pub unaligned_pixels: Option<u64>,
    /// The same in percent of all pixels of the page, 0–100. Nullable.
    pub unaligned_percentage: Option<f64>,
    /// Changed regions in reading order.
    pub regions: Vec<Region>,
    /// Of an unstable page, the captures that disagree; absent where none do.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub disagreements: Vec<Disagreement>,
    /// Whether its capture cannot be approved any more, because the baseline that it was compared with has moved since; absent
    /// where it can.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub out_of_date: bool,
    /// The result itself.
    pub result: PageResult,
}
