//! What can go wrong with a bucket, in sentences that say what to do and hold no credential.

use aws_sdk_s3::config::http::HttpResponse;
use aws_sdk_s3::error::{ProvideErrorMetadata, SdkError};

/// What the service must be allowed to do.
const ACTIONS: &str =
    "s3:ListBucket on the bucket and s3:GetObject, s3:PutObject and s3:DeleteObject on its objects";

/// A bucket could not be used.
#[derive(Debug, thiserror::Error)]
#[error("the bucket `{bucket}` at {place} {problem}")]
pub struct BucketError {
    /// The bucket's name.
    pub(super) bucket: String,
    /// Its server's address, or the region.
    pub(super) place: String,
    pub(super) problem: Problem,
}

/// Why.
#[derive(Debug, thiserror::Error)]
pub(super) enum Problem {
    /// There is no such bucket.
    #[error("does not exist; create it, or name another one with --s3-bucket")]
    NoBucket,
    /// The credentials are wrong, or allow too little.
    #[error("refuses the service ({0}); check the credentials, and that they allow {ACTIONS}")]
    Refused(String),
    /// There are no credentials.
    #[error(
        "needs credentials, and none are to be had ({0}); set --s3-access-key-id and --s3-secret-access-key, or what AWS's tools read"
    )]
    NoCredentials(String),
    /// It lies somewhere else.
    #[error("is in another region ({0}); set --s3-region")]
    OtherRegion(String),
    /// Nobody answers.
    #[error("cannot be reached ({0}); check --s3-endpoint, and that the server runs")]
    Unreachable(String),
    /// The answer took too long.
    #[error("did not answer in time; check the server and the network to it")]
    TooSlow,
    /// What it sent is not what it promised.
    #[error("broke an answer off ({0})")]
    BrokenOff(String),
    /// Something else.
    #[error("failed ({0})")]
    Other(String),
}

/// What a failed call means.
pub(super) fn problem_of<E>(error: &SdkError<E, HttpResponse>) -> Problem
where
    E: ProvideErrorMetadata + std::error::Error + 'static,
{
    match error {
        SdkError::ServiceError(refusal) => {
            let status = refusal.raw().status().as_u16();
            let code = refusal.err().code().unwrap_or_default();
            let said = match refusal.err().message() {
                Some(message) => format!("{status} {code}: {message}"),
                None => format!("{status} {code}").trim_end().to_owned(),
            };
            match (status, code) {
                (_, "NoSuchBucket") => Problem::NoBucket,
                // An S3 server names what is not there; `NotFound` is the SDK's name for an answer without a body.
                (404, "" | "NotFound") => Problem::Other(
                    "404 without an S3 server's words; does a proxy before it answer in its place?"
                        .to_owned(),
                ),
                (301 | 307, _)
                | (
                    _,
                    "PermanentRedirect"
                    | "AuthorizationHeaderMalformed"
                    | "IllegalLocationConstraintException",
                ) => Problem::OtherRegion(said),
                (401 | 403, _)
                | (
                    _,
                    "InvalidAccessKeyId"
                    | "SignatureDoesNotMatch"
                    | "NotSignedUp"
                    | "ExpiredToken"
                    | "InvalidToken",
                ) => Problem::Refused(said),
                _ => Problem::Other(said),
            }
        }
        SdkError::TimeoutError(_) => Problem::TooSlow,
        SdkError::DispatchFailure(failure) if failure.is_timeout() => Problem::TooSlow,
        SdkError::DispatchFailure(_) => Problem::Unreachable(described(error)),
        _ => Problem::Other(described(error)),
    }
}

/// An error with its causes, without the parts that only a debugger reads.
fn described<E>(error: &SdkError<E, HttpResponse>) -> String
where
    E: std::error::Error + 'static,
{
    let mut said = error.to_string();
    let mut cause = std::error::Error::source(error);
    while let Some(next) = cause {
        said = format!("{said}: {next}");
        cause = next.source();
    }
    said
}
