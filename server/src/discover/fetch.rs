//! Fetching a sitemap: every redirect is checked as the first address was, and the body has an end.

use std::time::Duration;

use futures::StreamExt;
use url::Url;

use super::sitemap_file::MAX_BYTES;
use crate::app::App;
use crate::gate::of_job::Gates;
use crate::target::TargetPolicy;

const MAX_REDIRECTS: usize = 5;

/// Longest wait for one file, redirects included.
const FETCH_DEADLINE: Duration = Duration::from_secs(30);

/// A file and where it came from in the end.
pub(super) struct Fetched {
    pub(super) url: Url,
    pub(super) bytes: Vec<u8>,
}

/// Why a file was not fetched. The sentence is for people and names the address.
#[derive(Debug)]
pub(super) struct FetchError {
    pub(super) sentence: String,
    /// The address says that there is no such file (404, 410).
    pub(super) is_missing: bool,
}

impl From<String> for FetchError {
    fn from(sentence: String) -> Self {
        Self {
            sentence,
            is_missing: false,
        }
    }
}

/// Fetches a file of at most 50 MB.
///
/// # Errors
/// See [`FetchError`].
pub(super) async fn fetch(app: &App, gates: &Gates, address: &Url) -> Result<Fetched, FetchError> {
    let fetching = follow(app, gates, address);
    let fetched = tokio::time::timeout(FETCH_DEADLINE, fetching).await;
    fetched.unwrap_or_else(|_| {
        let seconds = FETCH_DEADLINE.as_secs();
        Err(format!("The sitemap {address} did not arrive within {seconds} s.").into())
    })
}

async fn follow(app: &App, gates: &Gates, address: &Url) -> Result<Fetched, FetchError> {
    let mut url = address.clone();
    for _ in 0..=MAX_REDIRECTS {
        let response = ask(app, gates, &url).await?;
        let status = response.status();
        if status.is_redirection() {
            url = redirected(&url, &response)?;
            continue;
        }
        if !status.is_success() {
            return Err(FetchError {
                sentence: format!(
                    "The sitemap {url} answered {}; check the address.",
                    status.as_u16()
                ),
                is_missing: matches!(status.as_u16(), 404 | 410),
            });
        }
        let bytes = body(&url, response).await?;
        return Ok(Fetched { url, bytes });
    }
    Err(format!("The sitemap {address} redirects more than {MAX_REDIRECTS} times.").into())
}

async fn ask(app: &App, gates: &Gates, url: &Url) -> Result<reqwest::Response, String> {
    let client = app
        .dialer
        .client_for(url)
        .await
        .map_err(|error| format!("The sitemap {url} cannot be read: {error}."))?;
    // Asked for anew at every redirect: a credential is for its origin alone.
    let gate = gates.of_address(url).map_err(|error| error.to_string())?;
    let headers = gate.map(|gate| gate.request_headers());
    client
        .get(url.clone())
        .headers(headers.unwrap_or_default())
        .send()
        .await
        .map_err(|error| format!("The sitemap {url} cannot be read: {}.", root(&error)))
}

fn redirected(url: &Url, response: &reqwest::Response) -> Result<Url, String> {
    let location = response.headers().get("location");
    let location = location.and_then(|value| value.to_str().ok());
    let location = location.unwrap_or_default();
    let next = url.join(location).map_err(|_| {
        format!("The sitemap {url} redirects to `{location}`, which is no address.")
    })?;
    TargetPolicy::parse(next.as_str())
        .map_err(|error| format!("The sitemap {url} redirects: {error}."))
}

async fn body(url: &Url, response: reqwest::Response) -> Result<Vec<u8>, String> {
    let mut bytes = Vec::new();
    let mut stream = response.bytes_stream();
    while let Some(chunk) = stream.next().await {
        let chunk =
            chunk.map_err(|error| format!("The sitemap {url} broke off: {}.", root(&error)))?;
        if bytes.len() + chunk.len() > MAX_BYTES {
            return Err(format!(
                "The sitemap {url} is larger than 50 MB; split it into an index of smaller ones."
            ));
        }
        bytes.extend_from_slice(&chunk);
    }
    Ok(bytes)
}

fn root(error: &dyn std::error::Error) -> String {
    let mut cause = error;
    while let Some(source) = cause.source() {
        cause = source;
    }
    cause.to_string()
}
