//! The one way to the service: a request, its answer as a wire type, and one error type.

use std::fmt;

use futures::future::{Either, select};
use gloo_net::http::{Method, RequestBuilder};
use gloo_timers::future::TimeoutFuture;
use pentimento_api::error::{ErrorBody, ErrorCode};
use pentimento_api::session::Session;
use serde::Serialize;
use serde::de::DeserializeOwned;
use web_sys::AbortController;

use crate::format;

/// Longest that the service may take for an answer; it gives each at once.
const DEADLINE_MS: u32 = 30_000;

/// Why a request brought no answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum ClientError {
    /// The service could not be reached.
    Network,
    /// The service refused; the body says why, and `Retry-After` when it may not any more.
    Refused {
        status: u16,
        body: ErrorBody,
        retry_after_s: Option<u32>,
    },
    /// The answer is not what this version of the dashboard understands.
    Unreadable { status: u16, reason: String },
}

impl ClientError {
    /// Whether signing in would help.
    pub(crate) fn is_unauthorized(&self) -> bool {
        matches!(
            self,
            Self::Refused { status: 401, .. } | Self::Unreadable { status: 401, .. }
        )
    }

    /// Whether the service read the request and refused it. Otherwise the answer alone may have been lost.
    pub(crate) fn is_refusal(&self) -> bool {
        self.code().is_some()
    }

    /// Whether asking again would bring the same.
    pub(crate) fn is_final(&self) -> bool {
        matches!(self, Self::Refused { status, .. } if *status < 500 && *status != 429)
    }

    /// The same, even after signing in again.
    pub(crate) fn is_for_good(&self) -> bool {
        self.is_final() && !self.is_unauthorized()
    }

    /// Whether the request may have got lost, or came when nobody could take it: the same may do a moment later.
    pub(crate) fn is_passing(&self) -> bool {
        match self {
            Self::Network => true,
            Self::Refused { status, .. } | Self::Unreadable { status, .. } => {
                matches!(*status, 429 | 502..=504)
            }
        }
    }

    /// How long the service wants to be left alone.
    pub(crate) fn retry_after_s(&self) -> Option<u32> {
        match self {
            Self::Refused { retry_after_s, .. } => *retry_after_s,
            Self::Network | Self::Unreadable { .. } => None,
        }
    }

    /// The service's own name for the error.
    pub(crate) fn code(&self) -> Option<ErrorCode> {
        match self {
            Self::Refused { body, .. } => Some(body.code),
            Self::Network | Self::Unreadable { .. } => None,
        }
    }

    /// The addresses of the pages that a decision is refused for: their baselines have moved.
    pub(crate) fn moved(&self) -> &[String] {
        match self {
            Self::Refused { body, .. } => body.conflicted_urls.as_deref().unwrap_or_default(),
            Self::Network | Self::Unreadable { .. } => &[],
        }
    }

    /// The same as a sentence behind others; nothing where there are none.
    pub(crate) fn moved_text(&self) -> String {
        match self.moved() {
            [] => String::new(),
            urls => format!(" Moved: {}.", format::few_of(urls)),
        }
    }
}

impl fmt::Display for ClientError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Network => f.write_str(
                "The service does not answer. Check that it runs and that you are online.",
            ),
            Self::Refused { body, .. } => f.write_str(&body.error),
            Self::Unreadable { status, reason } => write!(
                f,
                "The service gave an answer that this page does not understand (status {status}: {reason}). \
                 Reload the page: the service may have been updated."
            ),
        }
    }
}

/// A thing, and what its state is called.
pub(crate) struct Seen<T> {
    pub(crate) thing: T,
    tag: Option<String>,
}

/// Reads `path`.
pub(crate) async fn get<T: DeserializeOwned>(path: &str) -> Result<T, ClientError> {
    Ok(see(path).await?.thing)
}

/// Reads `path`, to change it.
pub(crate) async fn see<T: DeserializeOwned>(path: &str) -> Result<Seen<T>, ClientError> {
    fetch(Method::GET, path, None, None::<&()>).await
}

/// Reads who a key stands for, whoever is signed in; that stays as it is. A key must be text that a header can hold.
pub(crate) async fn session_of(key: &str) -> Result<Session, ClientError> {
    let header = Some(("x-api-key", key));
    let session = fetch(Method::GET, "/session", header, None::<&()>).await?;
    Ok(session.thing)
}

/// Sends `body` to `path`.
pub(crate) async fn post<T: DeserializeOwned>(
    path: &str,
    body: &impl Serialize,
) -> Result<T, ClientError> {
    Ok(fetch(Method::POST, path, None, Some(body)).await?.thing)
}

/// Replaces what is at `path`.
pub(crate) async fn put<T: DeserializeOwned>(
    path: &str,
    body: &impl Serialize,
) -> Result<T, ClientError> {
    Ok(fetch(Method::PUT, path, None, Some(body)).await?.thing)
}

/// The same of what was seen alone: when it has changed since, that is an error whose code says so.
pub(crate) async fn put_onto<T: DeserializeOwned, S>(
    path: &str,
    seen: &Seen<S>,
    body: &impl Serialize,
) -> Result<T, ClientError> {
    let header = seen.tag.as_deref().map(|tag| ("if-match", tag));
    let answer = fetch(Method::PUT, path, header, Some(body)).await?;
    Ok(answer.thing)
}

/// Deletes what is at `path`.
pub(crate) async fn delete(path: &str) -> Result<(), ClientError> {
    let deleted = fetch(Method::DELETE, path, None, None::<&()>).await;
    deleted.map(|nothing: Seen<()>| nothing.thing)
}

/// `path` with `query` behind it, as the wire type says it.
pub(crate) fn with_query(path: &str, query: &impl Serialize) -> String {
    let query = serde_json::to_value(query).expect("a query is a flat object");
    let pairs: Vec<String> = query
        .as_object()
        .into_iter()
        .flatten()
        .map(|(name, value)| {
            let text = value
                .as_str()
                .map_or_else(|| value.to_string(), str::to_owned);
            format!("{name}={}", encoded(&text))
        })
        .collect();
    if pairs.is_empty() {
        path.to_owned()
    } else {
        format!("{path}?{}", pairs.join("&"))
    }
}

/// `text` as it stands within an address.
pub(crate) fn encoded(text: &str) -> String {
    js_sys::encode_uri_component(text).into()
}

/// Aborts its request when it is dropped before the answer came; of a request that has ended nothing is left to abort.
struct Abort(AbortController);

impl Drop for Abort {
    fn drop(&mut self) {
        self.0.abort();
    }
}

async fn fetch<T: DeserializeOwned>(
    method: Method,
    path: &str,
    header: Option<(&str, &str)>,
    body: Option<&impl Serialize>,
) -> Result<Seen<T>, ClientError> {
    let answer = std::pin::pin!(ask(method, path, header, body));
    match select(answer, TimeoutFuture::new(DEADLINE_MS)).await {
        Either::Left((answer, _)) => answer,
        Either::Right(_) => Err(ClientError::Network),
    }
}

async fn ask<T: DeserializeOwned>(
    method: Method,
    path: &str,
    header: Option<(&str, &str)>,
    body: Option<&impl Serialize>,
) -> Result<Seen<T>, ClientError> {
    let controller = AbortController::new().map_err(|_| ClientError::Network)?;
    let signal = controller.signal();
    let _abort = Abort(controller);

    let mut builder = RequestBuilder::new(path)
        .method(method)
        .header("accept", "application/json")
        .abort_signal(Some(&signal));
    if let Some((name, value)) = header {
        builder = builder.header(name, value);
    }
    let request = match body {
        Some(body) => builder.json(body),
        None => builder.build(),
    };
    let unreadable = |status: u16| move |reason: String| ClientError::Unreadable { status, reason };
    let request = request.map_err(|error| unreadable(0)(error.to_string()))?;
    let answer = request.send().await.map_err(|_| ClientError::Network)?;
    let status = answer.status();
    let tag = answer.headers().get("etag");
    let retry_after = answer.headers().get("retry-after");
    let text = answer.text().await.map_err(|_| ClientError::Network)?;

    if answer.ok() {
        // An empty answer reads as `()`.
        let text = if text.is_empty() { "null" } else { &text };
        let thing = serde_json::from_str(text);
        let thing = thing.map_err(|error| unreadable(status)(error.to_string()))?;
        return Ok(Seen { thing, tag });
    }
    Err(match serde_json::from_str::<ErrorBody>(&text) {
        Ok(body) => ClientError::Refused {
            status,
            body,
            // A date hangs on two clocks, and is none to us.
            retry_after_s: retry_after.and_then(|seconds| seconds.trim().parse().ok()),
        },
        Err(error) => unreadable(status)(error.to_string()),
    })
}
