//! A job as its status view shows it, and as the list of jobs does.

use serde::{Deserialize, Serialize};

use crate::crawl::RunContext;
use crate::ids::JobId;
use crate::result::PageResult;

/// Where a job stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "UPPERCASE")]
pub enum JobStatus {
    /// Accepted; pages are being discovered.
    Initializing,
    /// Pages are being captured and compared.
    Processing,
    /// Every page is done; the summary is being made.
    Finishing,
    /// Findings are being described and judged.
    Summarizing,
    /// The job ended.
    Completed,
    /// The job ended, every changed page was approved, and no new page was rejected.
    Approved,
    /// The job itself could not run; `error` says why.
    Failed,
}

impl JobStatus {
    /// Every status, in the order a job passes through them.
    pub const ALL: [Self; 7] = [
        Self::Initializing,
        Self::Processing,
        Self::Finishing,
        Self::Summarizing,
        Self::Completed,
        Self::Approved,
        Self::Failed,
    ];

    /// The word on the wire.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Initializing => "INITIALIZING",
            Self::Processing => "PROCESSING",
            Self::Finishing => "FINISHING",
            Self::Summarizing => "SUMMARIZING",
            Self::Completed => "COMPLETED",
            Self::Approved => "APPROVED",
            Self::Failed => "FAILED",
        }
    }

    /// Whether the job has come to its end, for good or bad.
    pub fn is_final(self) -> bool {
        matches!(self, Self::Completed | Self::Approved | Self::Failed)
    }
}

/// Where a job's summary stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "UPPERCASE")]
pub enum SummaryStatus {
    /// Not begun.
    Pending,
    /// Being written.
    Processing,
    /// Written, or nothing to write.
    Complete,
    /// Could not be written.
    Failed,
}

impl SummaryStatus {
    /// Every status.
    pub const ALL: [Self; 4] = [
        Self::Pending,
        Self::Processing,
        Self::Complete,
        Self::Failed,
    ];

    /// The word on the wire.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Pending => "PENDING",
            Self::Processing => "PROCESSING",
            Self::Complete => "COMPLETE",
            Self::Failed => "FAILED",
        }
    }
}

/// What a job compares its captures with.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "lowercase")]
pub enum ComparisonMode {
    /// Stored baselines of the project.
    Managed,
    /// Captures of the base origin made in the same run; nothing becomes a baseline.
    Live,
}

impl ComparisonMode {
    /// Every mode.
    pub const ALL: [Self; 2] = [Self::Managed, Self::Live];

    /// The word on the wire.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Managed => "managed",
            Self::Live => "live",
        }
    }
}

/// How far a job has come.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Progress {
    /// Pages × variants of the job.
    pub total: u64,
    /// Those that are done.
    pub completed: u64,
    /// `completed` of `total` in percent, with two decimals.
    #[cfg_attr(feature = "openapi", schema(example = "50.00"))]
    pub percent: String,
}

impl Progress {
    /// The progress of `completed` out of `total`; an empty job is at 0 %.
    pub fn new(total: u64, completed: u64) -> Self {
        let percent = if total == 0 {
            0.0
        } else {
            completed as f64 * 100.0 / total as f64
        };
        Self {
            total,
            completed,
            percent: format!("{percent:.2}"),
        }
    }
}

/// The answer of `GET /job/{jobId}`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct Job {
    /// The job.
    pub job_id: JobId,
    /// The project it ran for; absent for a live run without one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub project: Option<String>,
    /// Label of the tested environment.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub environment: Option<String>,
    /// Label of the reference environment.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub base_environment: Option<String>,
    /// Whether an intent was known to the run.
    pub intent_provided: bool,
    /// What captures are compared with.
    pub comparison_mode: ComparisonMode,
    /// Where the job stands.
    pub status: JobStatus,
    /// Where its summary stands.
    pub summary_status: SummaryStatus,
    /// How far it has come.
    pub progress: Progress,
    /// Seconds from its start to its end, or until now.
    pub execution_time: f64,
    /// Why it failed, or what is odd about it. Nullable.
    pub error: Option<String>,
    /// One entry for each page and variant.
    pub results: Vec<PageResult>,
    /// When it was accepted.
    pub created_at: String,
}

/// The answer of `GET /jobs`: newest first.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct JobList {
    /// The jobs of this page of the list.
    pub jobs: Vec<JobOverview>,
    /// Send it as `before` to read on; absent on the last page.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub next: Option<String>,
}

/// The query of `GET /jobs`.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::IntoParams))]
#[cfg_attr(feature = "openapi", into_params(parameter_in = Query))]
pub struct JobListQuery {
    /// Jobs on one page of the list: 1–100, 50 when absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(
        feature = "openapi",
        param(nullable = false, minimum = 1, maximum = 100)
    )]
    pub limit: Option<u32>,
    /// The `next` of the page before.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", param(nullable = false))]
    pub before: Option<String>,
    /// Only jobs of this project.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", param(nullable = false))]
    pub project: Option<String>,
    /// Only jobs in this status.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", param(nullable = false))]
    pub status: Option<JobStatus>,
    /// Only jobs whose id, project, branch, commit, host or first line of what they are about contains this, whatever its case.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", param(nullable = false, max_length = 200))]
    pub search: Option<String>,
}

/// A job as a list shows it: everything but its results.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct JobOverview {
    /// The job.
    pub job_id: JobId,
    /// The project it ran for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub project: Option<String>,
    /// The origin it captured.
    pub test_origin: String,
    /// The origin it compared with, when it is a live run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub base_origin: Option<String>,
    /// What captures are compared with.
    pub comparison_mode: ComparisonMode,
    /// Where the job stands.
    pub status: JobStatus,
    /// Whether it is a client-driven job that takes uploads until it is finalized.
    #[serde(default)]
    pub takes_uploads: bool,
    /// How far it has come.
    pub progress: Progress,
    /// Seconds from its start to its end, or until now.
    pub execution_time: f64,
    /// Why it failed, or what is odd about it. Nullable.
    pub error: Option<String>,
    /// How its pages came out.
    pub counts: OutcomeCounts,
    /// What people decided about its changed pages.
    pub triage: TriageCounts,
    /// The key or reviewer that started it.
    pub started_by: String,
    /// What the run was about.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub run_context: Option<RunContext>,
    /// When it was accepted.
    pub created_at: String,
}

/// How the pages of a job came out.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct OutcomeCounts {
    /// Pages that changed.
    pub regression: u64,
    /// Pages that look as their baseline.
    #[serde(rename = "match")]
    pub matching: u64,
    /// Pages whose capture became their first baseline.
    pub new_baseline: u64,
    /// Pages that could not be captured or compared.
    pub error: u64,
    /// Pages that are not done yet.
    pub pending: u64,
}

/// What people decided about the changed pages of a job.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct TriageCounts {
    /// Nobody has decided yet.
    pub pending: u64,
    /// Approved.
    pub approved: u64,
    /// Rejected.
    pub rejected: u64,
}

#[cfg(test)]
mod tests {
    use super::Progress;

    #[test]
    fn a_percentage_is_a_text_with_two_decimals() {
        for (total, completed, percent) in [
            (2, 1, "50.00"),
            (3, 1, "33.33"),
            (3, 3, "100.00"),
            (0, 0, "0.00"),
        ] {
            assert_eq!(Progress::new(total, completed).percent, percent);
        }
    }
}
