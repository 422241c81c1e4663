//! One attempt at a delivery: a signed request, and what the receiver made of it.

use std::time::Duration;

use futures::StreamExt;
use reqwest::Response;
use reqwest::header::{CONTENT_TYPE, HeaderMap, HeaderValue};
use secrecy::SecretString;
use url::Url;

use super::signature;
use crate::app::App;
use crate::db::deliveries::DeliveryRow;
use crate::db::webhooks::WebhookRow;
use crate::retry_after::retry_after;

/// Longest wait for a receiver's status, from resolving its name on.
const ANSWER_DEADLINE: Duration = Duration::from_secs(10);

/// Longest wait for what it says beside.
const BODY_DEADLINE: Duration = Duration::from_secs(2);

/// How much of an answer is read, and how much of that is kept.
const MAX_READ_BYTES: usize = 4 * 1024;
const MAX_KEPT_CHARACTERS: usize = 1_000;

/// What a receiver answered, or why it did not.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Reply {
    Answered {
        status_code: u16,
        answer: String,
        /// For how long it wants to be left alone.
        retry_after: Option<Duration>,
    },
    Unreached {
        error: String,
    },
}

/// Makes an attempt at `now_ms`. It always ends: with an answer, or with a sentence on why there is none.
pub(crate) async fn send(
    app: &App,
    webhook: &WebhookRow,
    delivery: &DeliveryRow,
    now_ms: i64,
) -> Reply {
    let asking = ask(app, webhook, delivery, now_ms);
    let asked = tokio::time::timeout(ANSWER_DEADLINE, asking).await;
    let asked = asked.unwrap_or_else(|_| Err(format!("It took longer than {ANSWER_DEADLINE:?}.")));
    match asked {
        Ok(response) => Reply::Answered {
            status_code: response.status().as_u16(),
            retry_after: retry_after(response.headers()),
            answer: read(response).await,
        },
        Err(error) => Reply::Unreached { error },
    }
}

async fn ask(
    app: &App,
    webhook: &WebhookRow,
    delivery: &DeliveryRow,
    now_ms: i64,
) -> Result<Response, String> {
    let headers = headers(app, webhook, delivery, now_ms)?;
    let url = Url::parse(&webhook.url)
        .map_err(|_| "Its address is malformed; set another.".to_owned())?;
    let client = app.dialer.client_for(&url).await;
    let client = client.map_err(|error| sentence(&error))?;
    let request = client
        .post(url)
        .headers(headers)
        .body(delivery.body.clone());
    // The library's own text would show the address, whose path some receivers take for a secret.
    let sent = request.send().await;
    sent.map_err(|error| sentence(&error.without_url()))
}

/// The headers of the specification. While former secrets sign too there are several signatures, and a receiver needs to know
/// one.
fn headers(
    app: &App,
    webhook: &WebhookRow,
    delivery: &DeliveryRow,
    now_ms: i64,
) -> Result<HeaderMap, String> {
    let unreadable = || {
        "The secret cannot be read, because the service's secret was changed since it was stored; give the webhook a new one with POST /webhook/{id}/rotate-secret.".to_owned()
    };
    let timestamp_s = now_ms.div_euclid(1000);
    let sign = |sealed: &str| {
        let secret: SecretString = app.webhook_vault.open(&webhook.id, sealed).ok()?;
        signature::sign(&secret, &delivery.event_id, timestamp_s, &delivery.body)
    };
    let mut signatures = vec![sign(&webhook.secret).ok_or_else(unreadable)?];
    // A former secret that cannot be read is no longer the receiver's either.
    let former = webhook.signing_too(now_ms).into_iter();
    signatures.extend(former.filter_map(|(sealed, _)| sign(sealed)));
    let mut map = HeaderMap::new();
    map.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
    for (name, value) in [
        ("webhook-id", delivery.event_id.clone()),
        ("webhook-timestamp", timestamp_s.to_string()),
        ("webhook-signature", signatures.join(" ")),
    ] {
        map.insert(
            name,
            HeaderValue::try_from(value).map_err(|_| unreadable())?,
        );
    }
    Ok(map)
}

/// The beginning of an answer. One that breaks off or goes on for ever has said its status all the same.
async fn read(response: Response) -> String {
    let mut chunks = response.bytes_stream();
    let mut bytes = Vec::new();
    let reading = async {
        while let Some(Ok(chunk)) = chunks.next().await {
            bytes.extend_from_slice(&chunk[..chunk.len().min(MAX_READ_BYTES - bytes.len())]);
            if bytes.len() >= MAX_READ_BYTES {
                return;
            }
        }
    };
    // What was read until then is kept.
    let _ = tokio::time::timeout(BODY_DEADLINE, reading).await;
    clean(&String::from_utf8_lossy(&bytes))
}

/// What may stand in a log: no control characters, not too long.
fn clean(text: &str) -> String {
    let spaced = text.chars().map(|character| {
        if character.is_control() {
            ' '
        } else {
            character
        }
    });
    let kept: String = spaced.take(MAX_KEPT_CHARACTERS).collect();
    kept.trim().to_owned()
}

/// An error and its innermost cause, as one sentence.
fn sentence(error: &dyn std::error::Error) -> String {
    let mut cause = error;
    while let Some(source) = cause.source() {
        cause = source;
    }
    let (outer, inner) = (error.to_string(), cause.to_string());
    let text = if outer == inner {
        outer
    } else {
        format!("{outer}: {inner}")
    };
    format!("It could not be reached: {}.", clean(&text))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_receiver_says_is_kept_without_its_control_characters_and_not_too_long() {
        assert_eq!(clean("ok\u{1b}[31m\r\nred\0"), "ok [31m  red");
        assert_eq!(clean(&"ä".repeat(5_000)).chars().count(), 1_000);
    }
}
