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

/// What a protocol error means for the capture of the page that was asked for something.
pub(super) fn explain(error: &CdpError) -> CaptureError {
    match error {
        CdpError::Ws(_)
        | CdpError::Io(_)
        | CdpError::NoResponse
        | CdpError::ChannelSendError(_) => CaptureError::BrowserGone(error.to_string()),
        CdpError::Timeout => CaptureError::Silent,
        CdpError::Chrome(error) if DEPARTED.iter().any(|it| error.message.contains(it)) => {
            CaptureError::Departed
        }
        other => CaptureError::Page(other.to_string()),
    }
}

/// The same where the browser itself was asked: no page keeps it from answering.
pub(super) fn explain_browser(error: &CdpError) -> CaptureError {
    match explain(error) {
        CaptureError::Silent => silent_browser(),
        explained => explained,
    }
}

/// What it means that the browser itself is silent.
pub(super) fn silent_browser() -> CaptureError {
    CaptureError::BrowserGone("it does not answer".to_owned())
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_silent_page_is_no_browser_that_is_gone() {
        assert!(matches!(explain(&CdpError::Timeout), CaptureError::Silent));
        let asked_itself = explain_browser(&CdpError::Timeout);
        assert!(matches!(asked_itself, CaptureError::BrowserGone(_)));
        let broken = CdpError::Io(std::io::ErrorKind::BrokenPipe.into());
        for gone in [CdpError::NoResponse, broken] {
            assert!(matches!(explain(&gone), CaptureError::BrowserGone(_)));
            assert!(matches!(
                explain_browser(&gone),
                CaptureError::BrowserGone(_)
            ));
        }
    }
}
