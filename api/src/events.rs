//! What `GET /job/{jobId}/events` tells while a job runs. Each event's data is one of these as JSON.

use serde::{Deserialize, Serialize};

use crate::ids::ResultId;
use crate::job::{JobStatus, SummaryStatus};
use crate::result::{Decision, ResultStatus, TriageStatus};
use crate::review::Outcome;

/// What an event is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "lowercase")]
pub enum EventName {
    /// Pages were done: a [`crate::job::Progress`].
    Progress,
    /// A page and variant is done: a [`ResultEvent`].
    Result,
    /// The job stands elsewhere: a [`StatusEvent`].
    Status,
    /// Somebody decided on a page: a [`TriageEvent`].
    Triage,
    /// Nothing more comes.
    End,
}

impl EventName {
    /// The word on the wire.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Progress => "progress",
            Self::Result => "result",
            Self::Status => "status",
            Self::Triage => "triage",
            Self::End => "end",
        }
    }
}

/// An event as the lines of the stream say it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct StreamEvent {
    /// What it is about.
    pub event: EventName,
    /// JSON: a `Progress`, a `ResultEvent`, a `StatusEvent`, a `TriageEvent`, or an object without fields.
    pub data: String,
}

/// The data of a `status` event: where the job stands now.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct StatusEvent {
    /// Where it stands.
    pub status: JobStatus,
    /// Where its summary stands.
    pub summary_status: SummaryStatus,
    /// Why it failed, or what is odd about it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
}

/// The data of a `triage` event: a decision that was made while the stream was open.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct TriageEvent {
    /// The result.
    pub result_id: ResultId,
    /// What was decided.
    pub triage_status: TriageStatus,
    /// By whom.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub triaged_by: Option<String>,
}

/// The query of `GET /job/{jobId}/events`.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::IntoParams))]
#[cfg_attr(feature = "openapi", into_params(parameter_in = Query))]
pub struct FollowQuery {
    /// Whether decisions are told too. The stream then goes on when the job has ended, without an `end` event.
    #[serde(default)]
    pub triage: bool,
    /// With `false`, results are not told: whoever has read those of a job that has ended needs no others.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", param(nullable = false))]
    pub results: Option<bool>,
}

/// The data of a `result` event: a page and variant that is done.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct ResultEvent {
    /// The result.
    pub result_id: ResultId,
    /// The page.
    pub url: String,
    /// Its variant.
    pub variant_name: String,
    /// Whether it could be compared.
    pub status: ResultStatus,
    /// How it came out.
    pub outcome: Outcome,
    /// The verdict's decision, on a changed page.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub decision: Option<Decision>,
    /// The label of all results that show the same change, on a changed page.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub change_group: Option<String>,
    /// Why it could not be compared.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error_message: Option<String>,
}
