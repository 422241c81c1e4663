//! What the browser's errors mean for a capture, in words for people.

use chromiumoxide::error::CdpError;

use super::CaptureError;

/// What a protocol error means for the capture.
pub(super) fn explain(error: &CdpError) -> CaptureError {
    match error {
        CdpError::Ws(_)
        | CdpError::Io(_)
        | CdpError::NoResponse
        | CdpError::ChannelSendError(_) => CaptureError::BrowserGone(error.to_string()),
        CdpError::Timeout => CaptureError::BrowserGone("it did not answer in time".to_owned()),
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
