//! Webhooks and their deliveries as they travel.

use anyhow::Context;
use pentimento_api::ids::{DeliveryId, WebhookId};
use pentimento_api::webhook::{Delivery, DeliveryAttempt, DeliveryStatus, Webhook, WebhookEvent};

use crate::clock::rfc3339;
use crate::db::deliveries::DeliveryRow;
use crate::db::webhooks::WebhookRow;

/// The events that a webhook wants; what this version does not know is left out.
pub(crate) fn events(row: &WebhookRow) -> Vec<WebhookEvent> {
    let words: Vec<String> = serde_json::from_str(&row.events).unwrap_or_default();
    words.iter().filter_map(|word| event(word)).collect()
}

fn event(word: &str) -> Option<WebhookEvent> {
    WebhookEvent::ALL
        .into_iter()
        .find(|event| event.as_str() == word)
}

/// A webhook, without its secret.
pub(crate) fn webhook(row: &WebhookRow, now_ms: i64) -> anyhow::Result<Webhook> {
    let former = row.signing_too(now_ms).into_iter();
    let former_until = former.map(|(_, until_ms)| until_ms).max();
    Ok(Webhook {
        webhook_id: WebhookId(row.id.parse().context("a webhook's id")?),
        url: row.url.clone(),
        events: events(row),
        project: row.project_name.clone(),
        description: row.description.clone(),
        enabled: row.enabled == 1,
        disabled_reason: row.disabled_reason.clone(),
        failing_since: row.failing_since_ms.map(rfc3339),
        former_secret_until: former_until.map(rfc3339),
        created_at: rfc3339(row.created_at_ms),
        updated_at: rfc3339(row.updated_at_ms),
    })
}

/// A delivery with its log.
pub(crate) fn delivery(row: &DeliveryRow) -> anyhow::Result<Delivery> {
    Ok(Delivery {
        delivery_id: DeliveryId(row.id.parse().context("a delivery's id")?),
        event_id: row.event_id.clone(),
        event: event(&row.event).context("a delivery's event")?,
        status: status(row)?,
        error: row.error.clone(),
        attempt_count: u64::try_from(row.attempts).unwrap_or_default(),
        next_attempt_at: row.next_attempt_at_ms.map(rfc3339),
        attempts: attempt_log(row)?,
        payload: row.body.clone(),
        created_at: rfc3339(row.created_at_ms),
    })
}

fn status(row: &DeliveryRow) -> anyhow::Result<DeliveryStatus> {
    let mut all = DeliveryStatus::ALL.into_iter();
    all.find(|status| status.as_str() == row.status)
        .context("a delivery's status")
}

/// What came of a delivery's attempts.
pub(super) fn attempt_log(row: &DeliveryRow) -> anyhow::Result<Vec<DeliveryAttempt>> {
    serde_json::from_str(&row.attempt_log).context("a delivery's log")
}
