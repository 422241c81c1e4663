//! What people do with a webhook's deliveries: read the log, try the webhook, send an event again.

use pentimento_api::webhook::{Delivery, DeliveryList, DeliveryListQuery, DeliveryStatus};

use super::{not_found, outbox, save, view};
use crate::app::App;
use crate::auth::Caller;
use crate::db;
use crate::db::deliveries::DeliveryFilter;
use crate::db::webhooks::WebhookRow;
use crate::error::{Error, Result};
use crate::extract::entries_limit;

const DEFAULT_LIMIT: u32 = 50;
const MAX_LIMIT: u32 = 100;

/// One page of the log.
///
/// # Errors
/// 404 for an unknown webhook, 400 for a limit that is out of range.
pub(crate) async fn list(
    app: &App,
    caller: &Caller,
    webhook_id: &str,
    query: &DeliveryListQuery,
) -> Result<DeliveryList> {
    let limit = entries_limit(query.limit, DEFAULT_LIMIT, MAX_LIMIT)?;
    let mut connection = app.db.read().await?;
    db::webhooks::find_webhook(&mut connection, &caller.organization_id, webhook_id)
        .await?
        .ok_or_else(not_found)?;
    let filter = DeliveryFilter {
        before: query.before.as_deref().unwrap_or_default(),
        status: query.status.map(DeliveryStatus::as_str).unwrap_or_default(),
        // One more than wanted tells whether there is a next page.
        limit: i64::from(limit) + 1,
    };
    let mut rows = db::deliveries::list_deliveries(&mut connection, webhook_id, &filter).await?;
    let more = rows.len() > limit as usize;
    rows.truncate(limit as usize);
    let last = rows.last().filter(|_| more);
    Ok(DeliveryList {
        next: last.map(|row| row.id.clone()),
        deliveries: rows
            .iter()
            .map(view::delivery)
            .collect::<anyhow::Result<_>>()?,
    })
}

/// Sends a `webhook.test`.
///
/// # Errors
/// 404 for an unknown webhook, 400 for a disabled one.
pub(crate) async fn test(app: &App, caller: &Caller, webhook_id: &str) -> Result<Delivery> {
    let mut tx = app.db.begin().await?;
    let webhook = save::lock(&mut tx, caller, webhook_id).await?;
    check_enabled(&webhook)?;
    let row = outbox::webhook_test(&mut tx, &webhook, &caller.name, app.clock.now_ms()).await?;
    tx.commit().await?;
    outbox::announce(app);
    Ok(view::delivery(&row)?)
}

/// Sends an event again, whatever came of it before, as a new delivery.
///
/// # Errors
/// 404 for an unknown webhook or delivery, 400 for a disabled webhook.
pub(crate) async fn redeliver(
    app: &App,
    caller: &Caller,
    webhook_id: &str,
    delivery_id: &str,
) -> Result<Delivery> {
    let mut tx = app.db.begin().await?;
    let webhook = save::lock(&mut tx, caller, webhook_id).await?;
    let delivery = db::deliveries::find_delivery(&mut tx, webhook_id, delivery_id)
        .await?
        .ok_or_else(|| {
            Error::not_found(format!(
                "The webhook has no delivery with this id. GET /webhook/{webhook_id}/deliveries lists them; they are kept 30 days."
            ))
        })?;
    check_enabled(&webhook)?;
    let row = outbox::again(&mut tx, &delivery, app.clock.now_ms()).await?;
    tx.commit().await?;
    outbox::announce(app);
    Ok(view::delivery(&row)?)
}

fn check_enabled(webhook: &WebhookRow) -> Result<()> {
    if webhook.enabled == 1 {
        return Ok(());
    }
    Err(Error::invalid_state(format!(
        "The webhook is disabled; send `enabled: true` with PUT /webhook/{} first.",
        webhook.id
    )))
}
