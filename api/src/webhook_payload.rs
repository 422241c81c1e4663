//! What webhooks are sent. None of it is a secret, and no link in it is signed: following one needs a key or a session.

use serde::{Deserialize, Serialize};

use crate::approve::{OverallTriage, TriageAction};
use crate::ids::JobId;
use crate::job::{ComparisonMode, JobStatus, OutcomeCounts, TriageCounts};
use crate::summary::IntentAssessment;
use crate::webhook::WebhookEvent;

/// The body of every request to a webhook.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct WebhookPayload<T> {
    /// The event's id, also sent as `webhook-id`: whoever has seen it has seen the event.
    pub id: String,
    /// What happened.
    #[serde(rename = "type")]
    pub event: WebhookEvent,
    /// When it happened.
    pub timestamp: String,
    /// What there is to say of it.
    pub data: T,
}

/// The `data` of `job.completed`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct JobCompleted {
    /// The job.
    #[serde(flatten)]
    pub job: JobFacts,
    /// Why it failed, or what is odd about it; at most 1,000 characters.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
    /// Mean `visualMatchScore` of the compared pages, 0–100, one decimal; 100 when none was compared.
    pub overall_score: f64,
    /// Seconds the job took.
    pub execution_time: f64,
    /// Whether what changed was meant; its `summary` is cut to 1,000 characters.
    pub intent_assessment: IntentAssessment,
    /// Where to read more.
    pub links: JobLinks,
}

/// The `data` of `job.triaged`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct JobTriaged {
    /// The job, as the decision left it.
    #[serde(flatten)]
    pub job: JobFacts,
    /// Who decided: the key's name, or the signed-in reviewer.
    pub triaged_by: String,
    /// What was decided.
    pub action: TriageAction,
    /// The page, when the call was about one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub url: Option<String>,
    /// Its variant.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub variant_name: Option<String>,
    /// Pages that the call approved.
    pub approved_urls_count: u64,
    /// Pages that the call left as they were.
    pub skipped_urls_count: u64,
    /// The triage of the pages that the call touched.
    pub triage_status: OverallTriage,
    /// Where to read more.
    pub links: JobLinks,
}

/// What every event tells of a job.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct JobFacts {
    /// The job.
    pub job_id: JobId,
    /// The project it ran for; absent for a live run without one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub project: Option<String>,
    /// Where it stands.
    pub status: JobStatus,
    /// What captures were compared with.
    pub comparison_mode: ComparisonMode,
    /// Label of the tested environment.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub environment: Option<String>,
    /// Label of the reference environment.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub base_environment: Option<String>,
    /// The key or reviewer that started it.
    pub started_by: String,
    /// How its pages came out.
    pub counts: OutcomeCounts,
    /// What people decided about its changed pages.
    pub triage: TriageCounts,
}

/// Where to read more of a job.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct JobLinks {
    /// Its page in the dashboard.
    pub dashboard: String,
    /// `GET /job/{jobId}/summary`.
    pub summary: String,
}

/// The `data` of `webhook.test`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct WebhookTest {
    /// A sentence for people.
    pub message: String,
    /// Who tried it.
    pub sent_by: String,
}
