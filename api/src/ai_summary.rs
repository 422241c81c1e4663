//! Describing the regressions of a job anew: `POST /job/{jobId}/ai-summary`.

use serde::{Deserialize, Serialize};

use crate::ids::JobId;
use crate::result::ServiceSummary;

/// The answer of `POST /job/{jobId}/ai-summary`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct AiSummary {
    /// A sentence for people: how many regressions were described, and why others were not.
    pub message: String,
    /// The job.
    pub job_id: JobId,
    /// The findings of every regression as they stand now.
    pub summaries: Vec<DescribedPage>,
}

/// The findings of one page in one variant.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct DescribedPage {
    /// The page.
    pub url: String,
    /// Its variant.
    pub variant_name: String,
    /// Findings in words, most important first.
    pub service_summary: Vec<ServiceSummary>,
    /// The same list under the name that older clients read.
    #[serde(rename = "regressionbotSummary")]
    pub regressionbot_summary: Vec<ServiceSummary>,
}
