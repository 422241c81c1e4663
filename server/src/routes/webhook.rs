//! Webhooks: listing, making, reading, changing, trying and removing them, and the log of their deliveries.

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use pentimento_api::error::ErrorBody;
use pentimento_api::ids::{DeliveryId, WebhookId};
use pentimento_api::rotation::Rotation;
use pentimento_api::webhook::{
    Delivery, DeliveryList, DeliveryListQuery, NewWebhook, Webhook, WebhookUpdate,
    WebhookWithSecret,
};

use crate::app::App;
use crate::auth::{Admin, Allowed};
use crate::db;
use crate::error::Result;
use crate::extract::{PathPart, PathParts, Query, SmallBody, SmallOptionalBody};
use crate::webhooks::{deliveries, not_found, save, view};

/// List the organization's webhooks.
#[utoipa::path(
    get, path = "/webhooks", tag = "webhooks",
    responses(
        (status = 200, description = "The webhooks, oldest first; never a secret", body = Vec<Webhook>),
        (status = 401, description = "`unauthorized`", body = ErrorBody),
        (status = 403, description = "`forbidden`: the key lacks the scope `admin`", body = ErrorBody),
    )
)]
pub(super) async fn list_webhooks(
    State(app): State<App>,
    Allowed { caller, .. }: Allowed<Admin>,
) -> Result<Json<Vec<Webhook>>> {
    let mut connection = app.db.read().await?;
    let rows = db::webhooks::list_webhooks(&mut connection, &caller.organization_id).await?;
    let now = app.clock.now_ms();
    let views = rows.iter().map(|row| view::webhook(row, now));
    Ok(Json(views.collect::<anyhow::Result<_>>()?))
}

/// Make a webhook.
///
/// The answer shows its secret, and no other does. Requests to it are signed by the Standard Webhooks specification. An
/// organization may have 20.
#[utoipa::path(
    post, path = "/webhooks", tag = "webhooks", request_body = NewWebhook,
    responses(
        (status = 200, description = "The webhook and its secret", body = WebhookWithSecret),
        (status = 400, description = "A field is wrong, or there are too many: `invalid_input`, `invalid_url`, `invalid_state`", body = ErrorBody),
        (status = 401, description = "`unauthorized`", body = ErrorBody),
        (status = 403, description = "`forbidden`: the key lacks the scope `admin`", body = ErrorBody),
        (status = 413, description = "`payload_too_large`", body = ErrorBody),
    )
)]
pub(super) async fn create_webhook(
    State(app): State<App>,
    Allowed { caller, .. }: Allowed<Admin>,
    SmallBody(new): SmallBody<NewWebhook>,
) -> Result<Json<WebhookWithSecret>> {
    save::create_webhook(&app, &caller, new).await.map(Json)
}

/// Read a webhook.
#[utoipa::path(
    get, path = "/webhook/{webhookId}", tag = "webhooks", params(("webhookId" = WebhookId, Path, description = "The webhook")),
    responses(
        (status = 200, description = "The webhook, without its secret", body = Webhook),
        (status = 401, description = "`unauthorized`", body = ErrorBody),
        (status = 403, description = "`forbidden`: the key lacks the scope `admin`", body = ErrorBody),
        (status = 404, description = "`not_found`", body = ErrorBody),
    )
)]
pub(super) async fn get_webhook(
    State(app): State<App>,
    Allowed { caller, .. }: Allowed<Admin>,
    PathPart(id): PathPart,
) -> Result<Json<Webhook>> {
    let mut connection = app.db.read().await?;
    let row = db::webhooks::find_webhook(&mut connection, &caller.organization_id, &id)
        .await?
        .ok_or_else(not_found)?;
    Ok(Json(view::webhook(&row, app.clock.now_ms())?))
}

/// Change a webhook.
///
/// What is left out stays; `null` clears. `enabled: true` also starts again what the service itself disabled; events that
/// happened meanwhile are not sent.
#[utoipa::path(
    put, path = "/webhook/{webhookId}", tag = "webhooks", params(("webhookId" = WebhookId, Path, description = "The webhook")),
    request_body = WebhookUpdate,
    responses(
        (status = 200, description = "The webhook as it stands", body = Webhook),
        (status = 400, description = "A field is wrong: `invalid_input`, `invalid_url`", body = ErrorBody),
        (status = 401, description = "`unauthorized`", body = ErrorBody),
        (status = 403, description = "`forbidden`: the key lacks the scope `admin`", body = ErrorBody),
        (status = 404, description = "`not_found`", body = ErrorBody),
        (status = 413, description = "`payload_too_large`", body = ErrorBody),
    )
)]
pub(super) async fn update_webhook(
    State(app): State<App>,
    Allowed { caller, .. }: Allowed<Admin>,
    PathPart(id): PathPart,
    SmallBody(update): SmallBody<WebhookUpdate>,
) -> Result<Json<Webhook>> {
    save::update_webhook(&app, &caller, &id, update)
        .await
        .map(Json)
}

/// Delete a webhook and its log.
#[utoipa::path(
    delete, path = "/webhook/{webhookId}", tag = "webhooks", params(("webhookId" = WebhookId, Path, description = "The webhook")),
    responses(
        (status = 204, description = "It is gone"),
        (status = 401, description = "`unauthorized`", body = ErrorBody),
        (status = 403, description = "`forbidden`: the key lacks the scope `admin`", body = ErrorBody),
        (status = 404, description = "`not_found`", body = ErrorBody),
    )
)]
pub(super) async fn delete_webhook(
    State(app): State<App>,
    Allowed { caller, .. }: Allowed<Admin>,
    PathPart(id): PathPart,
) -> Result<StatusCode> {
    save::delete_webhook(&app, &caller, &id).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Give a webhook a new secret.
///
/// The answer shows it, and no other does. Until its overlap ends the former secret signs too, so that a receiver may change
/// over at any time between. At most two former secrets sign; without an overlap none does any more.
#[utoipa::path(
    post, path = "/webhook/{webhookId}/rotate-secret", tag = "webhooks", params(("webhookId" = WebhookId, Path, description = "The webhook")),
    request_body = Rotation,
    responses(
        (status = 200, description = "The webhook and its new secret", body = WebhookWithSecret),
        (status = 400, description = "`invalid_input`; `invalid_state`: two former secrets sign already", body = ErrorBody),
        (status = 401, description = "`unauthorized`", body = ErrorBody),
        (status = 403, description = "`forbidden`: the key lacks the scope `admin`", body = ErrorBody),
        (status = 404, description = "`not_found`", body = ErrorBody),
        (status = 413, description = "`payload_too_large`", body = ErrorBody),
    )
)]
pub(super) async fn rotate_secret(
    State(app): State<App>,
    Allowed { caller, .. }: Allowed<Admin>,
    PathPart(id): PathPart,
    SmallOptionalBody(request): SmallOptionalBody<Rotation>,
) -> Result<Json<WebhookWithSecret>> {
    save::rotate_secret(&app, &caller, &id, &request)
        .await
        .map(Json)
}

/// Try a webhook.
///
/// Sends the event `webhook.test`, once: the log of deliveries says what came of it.
#[utoipa::path(
    post, path = "/webhook/{webhookId}/test", tag = "webhooks", params(("webhookId" = WebhookId, Path, description = "The webhook")),
    responses(
        (status = 200, description = "The delivery as it begins", body = Delivery),
        (status = 400, description = "`invalid_state`: the webhook is disabled", body = ErrorBody),
        (status = 401, description = "`unauthorized`", body = ErrorBody),
        (status = 403, description = "`forbidden`: the key lacks the scope `admin`", body = ErrorBody),
        (status = 404, description = "`not_found`", body = ErrorBody),
    )
)]
pub(super) async fn test_webhook(
    State(app): State<App>,
    Allowed { caller, .. }: Allowed<Admin>,
    PathPart(id): PathPart,
) -> Result<Json<Delivery>> {
    deliveries::test(&app, &caller, &id).await.map(Json)
}

/// List the deliveries of a webhook, newest first.
///
/// The log is kept 30 days.
#[utoipa::path(
    get, path = "/webhook/{webhookId}/deliveries", tag = "webhooks",
    params(("webhookId" = WebhookId, Path, description = "The webhook"), DeliveryListQuery),
    responses(
        (status = 200, description = "One page of the list", body = DeliveryList),
        (status = 400, description = "`invalid_input`", body = ErrorBody),
        (status = 401, description = "`unauthorized`", body = ErrorBody),
        (status = 403, description = "`forbidden`: the key lacks the scope `admin`", body = ErrorBody),
        (status = 404, description = "`not_found`", body = ErrorBody),
    )
)]
pub(super) async fn list_deliveries(
    State(app): State<App>,
    Allowed { caller, .. }: Allowed<Admin>,
    PathPart(id): PathPart,
    Query(query): Query<DeliveryListQuery>,
) -> Result<Json<DeliveryList>> {
    deliveries::list(&app, &caller, &id, &query).await.map(Json)
}

/// Send an event again.
///
/// It is a new delivery of the same event: `webhook-id` and body stay, whatever came of it before.
#[utoipa::path(
    post, path = "/webhook/{webhookId}/deliveries/{deliveryId}/redeliver", tag = "webhooks",
    params(("webhookId" = WebhookId, Path, description = "The webhook"), ("deliveryId" = DeliveryId, Path, description = "The delivery")),
    responses(
        (status = 200, description = "The new delivery as it begins", body = Delivery),
        (status = 400, description = "`invalid_state`: the webhook is disabled", body = ErrorBody),
        (status = 401, description = "`unauthorized`", body = ErrorBody),
        (status = 403, description = "`forbidden`: the key lacks the scope `admin`", body = ErrorBody),
        (status = 404, description = "`not_found`", body = ErrorBody),
    )
)]
pub(super) async fn redeliver(
    State(app): State<App>,
    Allowed { caller, .. }: Allowed<Admin>,
    PathParts(id, delivery_id): PathParts,
) -> Result<Json<Delivery>> {
    deliveries::redeliver(&app, &caller, &id, &delivery_id)
        .await
        .map(Json)
}
