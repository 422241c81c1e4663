//! What the browser's errors mean for a capture, in words for people.

use chromiumoxide::error::CdpError;

use super::CaptureError;

/// How Chromium says that the document it was asked about is not there any more.
const DEPARTED: [&str; 5] = [
    "Inspected target navigated or closed",
    "Execution context was destroyed",
    "Cannot find context with specified id",
    "Cannot find default execution context",
    "Not attached to an active page",
];

/// What a protocol error means for the capture.
pub(super) fn explain(error: &CdpError) -> CaptureError {
    match error {
        CdpError::Ws(_)
        | CdpError::Io(_)
        | CdpError::NoResponse
        | CdpError::ChannelSendError(_) => CaptureError::BrowserGone(error.to_string()),
        CdpError::Timeout => CaptureError::BrowserGone("it did not answer in time".to_owned()),
        CdpError::Chrome(error) if DEPARTED.iter().any(|it| error.message.contains(it)) => {
            CaptureError::Departed
        }
        other => CaptureError::Page(other.to_string()),
    }
}

/// Chromium's error names in words.
pub(super) fn readable(error: &str) -> String {
    let meaning = match error {
        "net::ERR_CONNECTION_REFUSED" => "nothing listens at its address",
        "net::ERR_NAME_NOT_RESOLVED" => "its name does not resolve",
        "net::ERR_CONNECTION_RESET" | "net::ERR_EMPTY_RESPONSE" => {
            "the server closed the connection without an answer"
        }
        "net::ERR_TOO_MANY_REDIRECTS" => "it redirects in a circle",
        "net::ERR_ABORTED" => "it is a download, or it was aborted",
        "net::ERR_CONNECTION_TIMED_OUT" => "its server does not answer",
        name if name.starts_with("net::ERR_CERT") => "its certificate is not valid",
        _ => return error.to_owned(),
    };
    format!("{meaning} ({error})")
}
