//! A job's summary: `GET /job/{jobId}/summary`, and what it says in words: `GET /job/{jobId}/words`.

use serde::{Deserialize, Serialize};

use crate::crawl::RunContext;
use crate::ids::JobId;
use crate::job::JobStatus;
use crate::result::PageResult;

/// What a job found.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct JobSummary {
    /// The job.
    pub job_id: JobId,
    /// Where it stands: `COMPLETED`, `APPROVED` or `FAILED`.
    pub status: JobStatus,
    /// Why it failed, or what is odd about it. Nullable.
    pub error: Option<String>,
    /// Label of the tested environment.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub environment: Option<String>,
    /// Label of the reference environment.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub base_environment: Option<String>,
    /// Pages × variants of the job.
    pub total_urls: u64,
    /// Those that are done, errors included.
    pub completed_count: u64,
    /// Mean `visualMatchScore` of the compared pages, 0–100, one decimal; 100 when none was compared.
    pub overall_score: f64,
    /// Seconds the job took.
    pub execution_time: f64,
    /// Pages that changed.
    pub regression_count: u64,
    /// Pages that did not.
    pub match_count: u64,
    /// Pages whose capture became their first baseline.
    pub new_baseline_count: u64,
    /// Pages in error.
    pub error_count: u64,
    /// The run in two sentences.
    pub run_summary: String,
    /// Whether what changed was meant.
    pub intent_assessment: IntentAssessment,
    /// What the run was about, as it was sent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub run_context: Option<RunContext>,
    /// The changed pages.
    pub regressions: Vec<PageResult>,
    /// The unchanged pages.
    pub matches: Vec<PageResult>,
    /// The pages that had no baseline.
    pub new_baselines: Vec<NewBaseline>,
    /// The pages in error.
    pub errors: Vec<PageError>,
}

/// What a job's summary says in words, without its lists: the answer of `GET /job/{jobId}/words`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct JobWords {
    /// The run in two sentences.
    pub run_summary: String,
    /// Whether what changed was meant.
    pub intent_assessment: IntentAssessment,
}

/// A page whose capture became its first baseline.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct NewBaseline {
    /// The page.
    pub url: String,
    /// Its variant.
    pub variant_name: String,
}

/// A page that could not be captured or compared.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct PageError {
    /// The page.
    pub url: String,
    /// Its variant.
    pub variant_name: String,
    /// Why.
    pub error_message: String,
}

/// What a run should do next.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "lowercase")]
pub enum RunDecision {
    /// Nothing changed, or all of it was meant or is noise.
    Pass,
    /// A person must decide.
    Review,
    /// At least one bug.
    Fail,
}

/// Whether what changed was meant.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct IntentAssessment {
    /// What to do next.
    pub decision: RunDecision,
    /// Whether an intent was known.
    pub intent_provided: bool,
    /// Changed pages judged wrong.
    pub bug_count: u64,
    /// Changed pages judged meant.
    pub intentional_count: u64,
    /// Changed pages judged nothing.
    pub noise_count: u64,
    /// Changed pages that a person must decide.
    pub needs_review_count: u64,
    /// Whether every change is meant or noise, and every expected change was seen.
    pub all_accounted_for: bool,
    /// The assessment in a sentence.
    pub summary: String,
}
