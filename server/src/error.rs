//! The one error of the HTTP side: the only place that knows status codes.

use axum::Json;
use axum::http::header::RETRY_AFTER;
use axum::http::{HeaderValue, StatusCode};
use axum::response::{IntoResponse, Response};
use pentimento_api::error::{ErrorBody, ErrorCode};

use crate::target::TargetError;

/// Why a request is not answered with a 2xx.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// Something the caller can mend; the message says how.
    #[error("{message}")]
    Refused {
        /// The stable name.
        code: ErrorCode,
        /// One sentence that says what to do.
        message: String,
    },
    /// An address whose name does not resolve: a refusal as any other to callers, and to those who can wait a reason to try
    /// again.
    #[error("{message}")]
    Unresolved {
        /// One sentence that says what to do.
        message: String,
    },
    /// `/approve`: baselines moved since the job ran.
    #[error("{} baseline(s) moved since the job ran", conflicted_urls.len())]
    BaselineMoved {
        /// The pages.
        conflicted_urls: Vec<String>,
        /// Who moved them, as far as that is known.
        moved_by: Vec<String>,
    },
    /// Too much at once.
    #[error("{message}")]
    RateLimited {
        /// One sentence that says what to do.
        message: String,
        /// When to come back, in whole seconds, at least one.
        retry_after_seconds: u64,
    },
    /// Something the operator must look at; logged once, and nothing of it is told.
    #[error(transparent)]
    Internal(#[from] anyhow::Error),
}

/// The result of every handler.
pub type Result<T, E = Error> = std::result::Result<T, E>;

impl Error {
    /// A refusal with its stable code.
    pub fn refused(code: ErrorCode, message: impl Into<String>) -> Self {
        Self::Refused {
            code,
            message: message.into(),
        }
    }

    /// 400: a field is wrong; the message names it.
    pub fn invalid(message: impl Into<String>) -> Self {
        Self::refused(ErrorCode::InvalidInput, message)
    }

    /// 400: the state does not allow it.
    pub fn invalid_state(message: impl Into<String>) -> Self {
        Self::refused(ErrorCode::InvalidState, message)
    }

    /// 404: no such job for this key.
    pub fn job_not_found() -> Self {
        Self::refused(
            ErrorCode::JobNotFound,
            "No job has this id. Check the id, and that your key belongs to the organization that started the job; old jobs may have been removed.",
        )
    }

    /// 404: no such project for this key.
    pub fn project_not_found(name: &str) -> Self {
        Self::refused(
            ErrorCode::ProjectNotFound,
            format!(
                "No project is named `{name}`. GET /projects lists those of your organization."
            ),
        )
    }

    /// 404: nothing is here.
    pub fn not_found(message: impl Into<String>) -> Self {
        Self::refused(ErrorCode::NotFound, message)
    }

    /// An address that `field` holds is refused.
    pub fn target(field: &str, error: &TargetError) -> Self {
        let message = format!("`{field}`: {error}.");
        match error {
            TargetError::Unresolved(_) | TargetError::Unanswered(_) => Self::Unresolved { message },
            TargetError::Malformed(_)
            | TargetError::Scheme(_)
            | TargetError::UserInfo
            | TargetError::Private { .. } => Self::refused(ErrorCode::InvalidUrl, message),
        }
    }
}

impl From<sqlx::Error> for Error {
    fn from(error: sqlx::Error) -> Self {
        Self::Internal(error.into())
    }
}

fn status_of(code: ErrorCode) -> StatusCode {
    match code {
        ErrorCode::InvalidInput
        | ErrorCode::InvalidUrl
        | ErrorCode::ConfigMismatch
        | ErrorCode::JobNotCompleted
        | ErrorCode::InvalidState
        | ErrorCode::UnknownDecision
        | ErrorCode::WhereWithUrl => StatusCode::BAD_REQUEST,
        ErrorCode::Unauthorized => StatusCode::UNAUTHORIZED,
        ErrorCode::Forbidden => StatusCode::FORBIDDEN,
        ErrorCode::JobNotFound | ErrorCode::ProjectNotFound | ErrorCode::NotFound => {
            StatusCode::NOT_FOUND
        }
        ErrorCode::MethodNotAllowed => StatusCode::METHOD_NOT_ALLOWED,
        ErrorCode::BaselineMoved => StatusCode::CONFLICT,
        ErrorCode::PreconditionFailed => StatusCode::PRECONDITION_FAILED,
        ErrorCode::PayloadTooLarge => StatusCode::PAYLOAD_TOO_LARGE,
        ErrorCode::RateLimited => StatusCode::TOO_MANY_REQUESTS,
        ErrorCode::Internal => StatusCode::INTERNAL_SERVER_ERROR,
    }
}

/// Names at most a few of those who moved baselines.
fn moved_sentence(moved_by: &[String]) -> String {
    const NAMED: usize = 3;
    let by = match moved_by {
        [] => String::new(),
        names if names.len() <= NAMED => format!(", by {}", names.join(" and ")),
        names => format!(", by {} and others", names[..NAMED].join(", ")),
    };
    on_one_line(&format!(
        "A baseline moved since this job ran{by}, so nothing was approved. Run the job again and review the new comparison."
    ))
}

/// A message may quote what was sent; control characters would garble the line that it is printed on.
fn on_one_line(message: &str) -> String {
    message.replace(char::is_control, "\u{fffd}")
}

impl IntoResponse for Error {
    fn into_response(self) -> Response {
        let retry_after = match &self {
            Self::RateLimited {
                retry_after_seconds,
                ..
            } => Some((RETRY_AFTER, HeaderValue::from(*retry_after_seconds))),
            Self::Refused { .. }
            | Self::Unresolved { .. }
            | Self::BaselineMoved { .. }
            | Self::Internal(_) => None,
        };
        let body = match self {
            Self::RateLimited { message, .. } => ErrorBody {
                error: message,
                code: ErrorCode::RateLimited,
                conflicted_urls: None,
            },
            Self::Refused { code, message } => ErrorBody {
                error: on_one_line(&message),
                code,
                conflicted_urls: None,
            },
            Self::Unresolved { message } => ErrorBody {
                error: on_one_line(&message),
                code: ErrorCode::InvalidUrl,
                conflicted_urls: None,
            },
            Self::BaselineMoved {
                conflicted_urls,
                moved_by,
            } => ErrorBody {
                error: moved_sentence(&moved_by),
                code: ErrorCode::BaselineMoved,
                conflicted_urls: Some(conflicted_urls),
            },
            Self::Internal(cause) => {
                tracing::error!(error = format!("{cause:#}"), "request failed");
                ErrorBody {
                    error: "The service failed to do this. Try again; if it persists, the operator finds the reason in the service's log.".to_owned(),
                    code: ErrorCode::Internal,
                    conflicted_urls: None,
                }
            }
        };
        let mut response = (status_of(body.code), Json(body)).into_response();
        response.headers_mut().extend(retry_after);
        response
    }
}
