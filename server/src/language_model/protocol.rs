//! One question over HTTP: `POST {base}/chat/completions` of the OpenAI protocol, within a deadline and a bound.

use std::time::Duration;

use anyhow::Context;
use futures::StreamExt;
use reqwest::header::{AUTHORIZATION, CONTENT_TYPE, HeaderValue};
use reqwest::{Response, StatusCode};
use secrecy::{ExposeSecret, SecretString};
use serde::Deserialize;
use tokio::time::{Instant, timeout_at};
use url::Url;

use super::refusal::Refusal;
use crate::retry_after::retry_after;

/// Most bytes of an answer that are read.
const MAX_ANSWER_BYTES: usize = 256 * 1024;

/// Longest `Retry-After` that is waited for.
const MAX_RETRY_AFTER: Duration = Duration::from_secs(2);

/// Where questions go, and with which key.
pub(super) struct Endpoint {
    address: Url,
    authorization: Option<HeaderValue>,
    http: reqwest::Client,
}

impl Endpoint {
    /// An endpoint below `base`. The operator names it, so private addresses are as good as others; `http` must follow no
    /// redirects, which would take the key elsewhere.
    ///
    /// # Errors
    /// The base is no HTTP address, or holds a user name; the key cannot be sent in a header.
    pub(super) fn new(
        base: &Url,
        key: Option<&SecretString>,
        http: reqwest::Client,
    ) -> anyhow::Result<Self> {
        anyhow::ensure!(
            matches!(base.scheme(), "http" | "https") && base.has_host(),
            "--language-model-url must start with `http://` or `https://`"
        );
        anyhow::ensure!(
            base.username().is_empty() && base.password().is_none(),
            "--language-model-url must hold no user name or password; send a key by PENTIMENTO_LANGUAGE_MODEL_KEY"
        );
        let mut address = base.clone();
        address.set_fragment(None);
        address
            .path_segments_mut()
            .map_err(|()| anyhow::anyhow!("--language-model-url cannot be continued by a path"))?
            .pop_if_empty()
            .extend(["chat", "completions"]);
        let authorization = key
            .filter(|key| !key.expose_secret().is_empty())
            .map(|key| {
                let mut value = HeaderValue::from_str(&format!("Bearer {}", key.expose_secret()))
                    .ok()
                    .context(
                        "PENTIMENTO_LANGUAGE_MODEL_KEY holds characters that no header may hold",
                    )?;
                value.set_sensitive(true);
                anyhow::Ok(value)
            })
            .transpose()?;
        Ok(Self {
            address,
            authorization,
            http,
        })
    }

    /// The host and port that questions go to.
    pub(super) fn origin(&self) -> String {
        self.address.origin().ascii_serialization()
    }

    /// Sends a question and returns the content of the answer. A server that is busy for a moment is asked once more.
    pub(super) async fn ask(&self, body: &str, deadline: Instant) -> Result<String, Refusal> {
        let within = async {
            let mut response = self.send(body).await?;
            if let Some(wait) = wait_of(&response)
                && Instant::now() + wait < deadline
            {
                tokio::time::sleep(wait).await;
                response = self.send(body).await?;
            }
            match response.status() {
                StatusCode::OK => content_of(&read(response).await?),
                other => Err(Refusal::Status(other.as_u16())),
            }
        };
        timeout_at(deadline, within)
            .await
            .unwrap_or(Err(Refusal::TimedOut))
    }

    async fn send(&self, body: &str) -> Result<Response, Refusal> {
        let mut request = self
            .http
            .post(self.address.clone())
            .header(CONTENT_TYPE, "application/json")
            .body(body.to_owned());
        if let Some(authorization) = &self.authorization {
            request = request.header(AUTHORIZATION, authorization.clone());
        }
        request.send().await.map_err(|_| Refusal::Unreachable)
    }
}

/// How long a busy server asks to wait, where that is short.
fn wait_of(response: &Response) -> Option<Duration> {
    let is_busy = matches!(
        response.status(),
        StatusCode::TOO_MANY_REQUESTS | StatusCode::SERVICE_UNAVAILABLE
    );
    let wait = retry_after(response.headers())?;
    (is_busy && wait <= MAX_RETRY_AFTER).then_some(wait)
}

async fn read(response: Response) -> Result<Vec<u8>, Refusal> {
    let mut bytes = Vec::new();
    let mut stream = response.bytes_stream();
    while let Some(chunk) = stream.next().await {
        let chunk = chunk.map_err(|_| Refusal::Unreachable)?;
        if bytes.len() + chunk.len() > MAX_ANSWER_BYTES {
            return Err(Refusal::TooLarge);
        }
        bytes.extend_from_slice(&chunk);
    }
    Ok(bytes)
}

#[derive(Deserialize)]
struct Completion {
    choices: Vec<Choice>,
}

#[derive(Deserialize)]
struct Choice {
    message: Message,
    #[serde(default)]
    finish_reason: Option<String>,
}

#[derive(Deserialize)]
struct Message {
    #[serde(default)]
    content: Option<String>,
}

fn content_of(bytes: &[u8]) -> Result<String, Refusal> {
    let completion: Completion = serde_json::from_slice(bytes).map_err(|_| Refusal::Malformed)?;
    let first = completion.choices.into_iter().next();
    let first = first.ok_or(Refusal::Malformed)?;
    if first
        .finish_reason
        .is_some_and(|reason| reason == "length" || reason == "content_filter")
    {
        return Err(Refusal::CutOff);
    }
    first
        .message
        .content
        .filter(|content| !content.trim().is_empty())
        .ok_or(Refusal::CutOff)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn endpoint(base: &str) -> anyhow::Result<Endpoint> {
        let _ = rustls::crypto::ring::default_provider().install_default();
        Endpoint::new(&base.parse()?, None, reqwest::Client::new())
    }

    #[test]
    fn the_address_goes_on_from_the_base() {
        for (base, address) in [
            (
                "http://127.0.0.1:11434/v1",
                "http://127.0.0.1:11434/v1/chat/completions",
            ),
            (
                "https://models.example/v1/",
                "https://models.example/v1/chat/completions",
            ),
            (
                "https://models.example/?api-version=2",
                "https://models.example/chat/completions?api-version=2",
            ),
        ] {
            assert_eq!(endpoint(base).unwrap().address.as_str(), address);
        }
        assert!(endpoint("ftp://models.example").is_err());
        assert!(endpoint("https://user:secret@models.example").is_err());
    }

    #[test]
    fn only_whole_answers_count() {
        let with = |rest: &str| content_of(format!("{{\"choices\": {rest}}}").as_bytes());
        assert_eq!(
            with(r#"[{"message": {"content": "{}"}, "finish_reason": "stop"}]"#).unwrap(),
            "{}"
        );
        for (rest, refusal) in [
            ("[]", Refusal::Malformed),
            ("{}", Refusal::Malformed),
            (r#"[{"message": {"content": null}}]"#, Refusal::CutOff),
            (r#"[{"message": {"content": " "}}]"#, Refusal::CutOff),
            (
                r#"[{"message": {"content": "{"}, "finish_reason": "length"}]"#,
                Refusal::CutOff,
            ),
        ] {
            assert_eq!(with(rest), Err(refusal), "{rest}");
        }
        assert_eq!(content_of(b"<!doctype html>"), Err(Refusal::Malformed));
    }
}
