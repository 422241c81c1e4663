//! A result: one page in one variant, compared with its baseline.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::form::words_only;
use crate::ids::ResultId;

/// Whether a result is there yet.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "UPPERCASE")]
pub enum ResultStatus {
    /// Being captured or compared.
    Pending,
    /// Captured, and compared where there was a baseline.
    Success,
    /// Could not be captured or compared; `errorMessage` says why.
    Error,
}

impl ResultStatus {
    /// Every status.
    pub const ALL: [Self; 3] = [Self::Pending, Self::Success, Self::Error];

    /// The word on the wire.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Pending => "PENDING",
            Self::Success => "SUCCESS",
            Self::Error => "ERROR",
        }
    }
}

/// A person's decision on a result.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "lowercase", remote = "Self")]
pub enum TriageStatus {
    /// Nobody has decided yet.
    Pending,
    /// The capture is the baseline now.
    Approved,
    /// The capture is wrong; the baseline stays.
    Rejected,
}

impl TriageStatus {
    /// Every status.
    pub const ALL: [Self; 3] = [Self::Pending, Self::Approved, Self::Rejected];

    /// The word on the wire.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Pending => "pending",
            Self::Approved => "approved",
            Self::Rejected => "rejected",
        }
    }
}

/// The judgement of a change, and the filter of `/approve`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum Decision {
    /// It was meant.
    Intentional,
    /// It is wrong.
    Bug,
    /// It is measurably nothing.
    Noise,
    /// A person must decide.
    NeedsReview,
}

impl Decision {
    /// Every decision.
    pub const ALL: [Self; 4] = [Self::Intentional, Self::Bug, Self::Noise, Self::NeedsReview];

    /// The word on the wire.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Intentional => "intentional",
            Self::Bug => "bug",
            Self::Noise => "noise",
            Self::NeedsReview => "needs_review",
        }
    }
}

/// What a verdict rests on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "lowercase")]
pub enum VerdictBasis {
    /// Measured facts alone.
    Measured,
    /// Measured facts and a language model's description.
    Described,
}

/// The judgement of a page.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct Verdict {
    /// The judgement; the worst of its regions.
    pub decision: Decision,
    /// The lowest confidence of its regions, 0–1.
    pub min_confidence: f64,
    /// The mean confidence of its regions, 0–1.
    pub avg_confidence: f64,
    /// The judgement of each region, by its letter.
    pub regions: BTreeMap<String, RegionVerdict>,
    /// What it rests on.
    pub basis: VerdictBasis,
    /// The language model that described it; absent when it was measured alone.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
    /// SHA-256 of the question that the model was asked, in hex; absent when it was measured alone.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub prompt_hash: Option<String>,
}

/// The judgement of one region, or of one finding.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct RegionVerdict {
    /// The judgement.
    pub decision: Decision,
    /// 0–1.
    pub confidence: f64,
    /// Why, with the figures it rests on.
    pub reasoning: String,
}

/// One finding in words.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ServiceSummary {
    /// The region's letter; empty for the whole page.
    pub label: String,
    /// One sentence.
    pub text: String,
    /// Its judgement.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub verdict: Option<RegionVerdict>,
    /// Whether it only follows from another change that is told; present only when true.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub consequence: bool,
}

/// A rectangle in CSS pixels from the top left of the full page.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Box {
    /// Left edge.
    pub x: i64,
    /// Top edge.
    pub y: i64,
    /// Width.
    pub w: i64,
    /// Height.
    pub h: i64,
}

/// The kinds of change in a document.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "kebab-case")]
#[expect(missing_docs, reason = "each name is its own description")]
pub enum ChangeType {
    TextEdit,
    Insert,
    Delete,
    StyleOnly,
    ImageChange,
    Move,
    MoveWithEdit,
    StickyReposition,
    ReflowDisplacement,
    MetaEdit,
    MetaInsert,
    MetaDelete,
    SchemaEdit,
    SchemaInsert,
    SchemaDelete,
}

/// One change in a page's document.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct Change {
    /// Its kind.
    #[serde(rename = "type")]
    pub kind: ChangeType,
    /// A CSS selector of the element, or the name of the metadata field.
    pub element: String,
    /// What was there; clipped to 200 characters around where the two part.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub before: Option<String>,
    /// What is there now; clipped likewise.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub after: Option<String>,
    /// Style properties that changed: from, to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub style: Option<BTreeMap<String, [String; 2]>>,
    /// Where the element is now.
    #[serde(default, rename = "box", skip_serializing_if = "Option::is_none")]
    pub area: Option<Box>,
    /// Where it was.
    #[serde(default, rename = "boxBefore", skip_serializing_if = "Option::is_none")]
    pub area_before: Option<Box>,
    /// How many elements besides this one are folded into it; absent when none is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub collapsed: Option<u32>,
    /// The place in the list of the change that made this element move; an addition of ours.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub caused_by: Option<u32>,
}

/// One page in one variant.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct PageResult {
    /// The result's own name; the review page's address uses it.
    pub result_id: ResultId,
    /// The page.
    pub url: String,
    /// The device's name as it was sent, or the client's label.
    pub variant_name: String,
    /// Whether it is there yet.
    pub status: ResultStatus,
    /// Why it is in error.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error_message: Option<String>,
    /// The page had no baseline; this capture became it.
    pub is_new_baseline: bool,
    /// Pixels changed beyond the threshold, or the document changed.
    pub changed: bool,
    /// The document's content differs; present only when true.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub content_changed: Option<bool>,
    /// The document's metadata differs; present only when true.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub metadata_changed: Option<bool>,
    /// Captures of the page in this run did not agree with each other, so only what they agree on counts as changed; present
    /// only when true. An addition of ours.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unstable: Option<bool>,
    /// How the captures of this run agreed, in a sentence; absent when they did at once, and for uploads. An addition of ours.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub agreement_note: Option<String>,
    /// `flakyRuns` of `knownRuns`, 0–1; absent for uploads and where nothing is known. An addition of ours.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub flake_score: Option<f64>,
    /// Of the last 20 runs of this page and variant in its project up to this one, how many were flaky or unstable.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub flaky_runs: Option<u32>,
    /// Of these runs, how many it is known of.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub known_runs: Option<u32>,
    /// The same on every result that shows the same change.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub change_group: Option<String>,
    /// Document changes, most significant first; absent when no document was compared.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub changes: Option<Vec<Change>>,
    /// CSS selectors of the changed elements.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub elements_changed: Option<Vec<String>>,
    /// Pixels changed after aligning shifted rows, 0–100, of all pixels of the taller image; absent where nothing was compared.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub diff_percentage: Option<f64>,
    /// Structural similarity, 0–100; absent where nothing was compared.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub visual_match_score: Option<f64>,
    /// What compared the captures: `cpu`, `gpu`, or `hash` where their files are equal; absent when nothing was compared. An
    /// addition of ours.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub backend: Option<String>,
    /// Findings in words, most important first.
    #[serde(default)]
    pub service_summary: Vec<ServiceSummary>,
    /// The same list under the name that older clients read.
    #[serde(default, rename = "regressionbotSummary")]
    pub regressionbot_summary: Vec<ServiceSummary>,
    /// The judgement of the page; null when nothing changed. Nullable.
    pub verdict: Option<Verdict>,
    /// Link to the current capture. Nullable.
    pub current_url: Option<String>,
    /// Link to the baseline it was compared with. Nullable.
    pub baseline_url: Option<String>,
    /// The inspect link: the diff image to programs, the review page to browsers. Nullable.
    pub diff_url: Option<String>,
    /// Why no document was compared.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub dom_assist_skip_reason: Option<String>,
    /// The page has more pixels than a capture holds, and the rest was cut off; present only when true.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub truncated: Option<bool>,
    /// What was decided.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub triage_status: Option<TriageStatus>,
    /// When.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub triaged_at: Option<String>,
    /// By whom.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub triaged_by: Option<String>,
    /// The verdict as it stood then.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub triaged_verdict: Option<Decision>,
    /// A note on it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub triage_note: Option<String>,
}

words_only!(TriageStatus);
