//! The one body of every error answer.

use serde::{Deserialize, Serialize};

/// What every 4xx and 5xx answer holds.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ErrorBody {
    /// One sentence that says what is wrong and what to do.
    #[cfg_attr(
        feature = "openapi",
        schema(
            example = "No job has this id. Check the id, and that your key belongs to the organization that started the job; old jobs may have been removed."
        )
    )]
    pub error: String,
    /// The stable, machine-readable name of the error.
    pub code: ErrorCode,
    /// On `/approve` with `baseline_moved`: the pages whose baseline moved.
    #[serde(
        default,
        rename = "conflictedUrls",
        skip_serializing_if = "Option::is_none"
    )]
    pub conflicted_urls: Option<Vec<String>>,
}

/// The stable names of errors; `snake_case` on the wire.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum ErrorCode {
    /// The request is malformed, or a field has a wrong type or value.
    InvalidInput,
    /// An address is malformed, does not resolve, or may not be captured.
    InvalidUrl,
    /// A sent field differs from the project's stored configuration.
    ConfigMismatch,
    /// No key, or one that is unknown, expired or revoked.
    Unauthorized,
    /// The key lacks the scope that this call needs.
    Forbidden,
    /// No such job in the key's organization.
    JobNotFound,
    /// No such project in the key's organization.
    ProjectNotFound,
    /// No such address, result or object.
    NotFound,
    /// The address exists, but not with this method.
    MethodNotAllowed,
    /// The job has not ended yet.
    JobNotCompleted,
    /// What was asked is not possible in the present state.
    InvalidState,
    /// `where.decision` holds a word that is no decision.
    UnknownDecision,
    /// `where` and `url` were sent together.
    WhereWithUrl,
    /// A baseline moved since the job ran; nothing was approved.
    BaselineMoved,
    /// What is to be changed is no longer as `If-Match` names it; nothing was changed.
    PreconditionFailed,
    /// The body is larger than this call takes.
    PayloadTooLarge,
    /// Too many requests; `Retry-After` says when to come back.
    RateLimited,
    /// The service failed; its log has the reason.
    Internal,
}
