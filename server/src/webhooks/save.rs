//! Making, changing and removing webhooks, and giving them new secrets.

use anyhow::Context;
use pentimento_api::error::ErrorCode;
use pentimento_api::patch::Patch;
use pentimento_api::rotation::Rotation;
use pentimento_api::webhook::{
    NewWebhook, Webhook, WebhookEvent, WebhookUpdate, WebhookWithSecret,
};
use secrecy::{ExposeSecret, SecretString};
use serde_json::json;
use sqlx::AnyConnection;
use url::Url;
use uuid::Uuid;

use super::{not_found, signature, view};
use crate::app::App;
use crate::auth::Caller;
use crate::clock::{MS_PER_HOUR, rfc3339};
use crate::db;
use crate::db::audit::AuditEntry;
use crate::db::webhooks::WebhookRow;
use crate::error::{Error, Result};
use crate::jobs::checks::{MAX_URL_CHARACTERS, check_length, check_line};
use crate::rotation;
use crate::target::{TargetError, TargetPolicy};

/// Most webhooks of one organization: every event is written down once for each.
const MAX_WEBHOOKS: usize = 20;

/// Most former secrets of one webhook that sign at once: a row has places for so many.
const MAX_FORMER_SECRETS: usize = 2;

const MAX_DESCRIPTION_CHARACTERS: usize = 200;

/// Makes a webhook; the answer is the only one that shows its secret.
///
/// # Errors
/// 400 that names the field, or when there are too many.
pub(crate) async fn create_webhook(
    app: &App,
    caller: &Caller,
    new: NewWebhook,
) -> Result<WebhookWithSecret> {
    let url = check_url(app, &new.url).await?;
    let events = check_events(new.events)?;
    let description = check_description(new.description)?;
    let now = app.clock.now_ms();
    let id = Uuid::now_v7().to_string();
    let secret = signature::new_secret()?;
    let row = WebhookRow {
        secret: app.webhook_vault.seal(&id, &secret)?,
        id,
        organization_id: caller.organization_id.clone(),
        url: url.into(),
        events: serde_json::to_string(&events).context("events")?,
        project_name: new.project,
        description,
        enabled: 1,
        disabled_reason: None,
        failing_since_ms: None,
        former_secret: None,
        former_secret_until_ms: None,
        older_secret: None,
        older_secret_until_ms: None,
        created_at_ms: now,
        updated_at_ms: now,
    };
    let mut tx = app.db.begin().await?;
    // One after the other, so that two calls cannot both be the twentieth.
    db::organizations::lock_organization(&mut tx, &row.organization_id).await?;
    let count = db::webhooks::list_webhooks(&mut tx, &row.organization_id)
        .await?
        .len();
    if count >= MAX_WEBHOOKS {
        return Err(Error::invalid_state(format!(
            "Your organization has {count} webhooks, and {MAX_WEBHOOKS} are the most; delete one with DELETE /webhook/{{id}}."
        )));
    }
    check_project(&mut tx, caller, row.project_name.as_deref()).await?;
    db::webhooks::insert_webhook(&mut tx, &row).await?;
    write_audit(&mut tx, caller, "webhook.create", &row, now).await?;
    tx.commit().await?;
    with_secret(&row, &secret, now)
}

/// Changes a webhook.
///
/// # Errors
/// 404 for an unknown one, 400 that names the field.
pub(crate) async fn update_webhook(
    app: &App,
    caller: &Caller,
    id: &str,
    update: WebhookUpdate,
) -> Result<Webhook> {
    let url = match &update.url {
        Some(text) => Some(check_url(app, text).await?),
        None => None,
    };
    let events = update.events.map(check_events).transpose()?;
    let description = match update.description {
        Patch::Set(text) => Patch::Set(check_description(Some(text))?),
        Patch::Clear => Patch::Set(None),
        Patch::Absent => Patch::Absent,
    };
    let now = app.clock.now_ms();
    let mut tx = app.db.begin().await?;
    let mut row = lock(&mut tx, caller, id).await?;
    if let Some(name) = update.project.as_set() {
        check_project(&mut tx, caller, Some(name)).await?;
    }
    row.project_name = match update.project {
        Patch::Set(name) => Some(name),
        Patch::Clear => None,
        Patch::Absent => row.project_name,
    };
    row.description = description.apply(row.description, None);
    if let Some(url) = url {
        row.url = url.into();
    }
    if let Some(events) = events {
        row.events = serde_json::to_string(&events).context("events")?;
    }
    match update.enabled {
        Some(true) if row.enabled == 0 => {
            (row.enabled, row.disabled_reason, row.failing_since_ms) = (1, None, None);
        }
        Some(false) if row.enabled == 1 => {
            row.enabled = 0;
            db::deliveries::fail_pending(&mut tx, id, "The webhook was disabled.").await?;
        }
        _ => {}
    }
    row.updated_at_ms = now;
    db::webhooks::update_webhook(&mut tx, &row).await?;
    write_audit(&mut tx, caller, "webhook.update", &row, now).await?;
    tx.commit().await?;
    Ok(view::webhook(&row, now)?)
}

/// Gives a webhook a new secret; the former one signs too for a while.
///
/// # Errors
/// 404 for an unknown one, 400 that names the field, or when as many former secrets sign as may.
pub(crate) async fn rotate_secret(
    app: &App,
    caller: &Caller,
    id: &str,
    request: &Rotation,
) -> Result<WebhookWithSecret> {
    let hours = rotation::overlap_hours(request.overlap_hours)?;
    let now = app.clock.now_ms();
    let secret = signature::new_secret()?;
    let sealed = app.webhook_vault.seal(id, &secret)?;
    let mut tx = app.db.begin().await?;
    let mut row = lock(&mut tx, caller, id).await?;
    keep_older(&mut row, hours, now)?;
    row.former_secret = Some(std::mem::replace(&mut row.secret, sealed));
    row.former_secret_until_ms = Some(now + i64::from(hours) * MS_PER_HOUR);
    row.updated_at_ms = now;
    db::webhooks::update_webhook(&mut tx, &row).await?;
    write_audit(&mut tx, caller, "webhook.rotate_secret", &row, now).await?;
    tx.commit().await?;
    with_secret(&row, &secret, now)
}

/// Lets a former secret whose overlap lasts sign on until its own end when another one joins it: a receiver may know that one
/// alone. Where there is no overlap, as when a secret became known, none signs any more.
fn keep_older(row: &mut WebhookRow, overlap_hours: u32, now_ms: i64) -> Result<()> {
    let signing = if overlap_hours == 0 {
        Vec::new()
    } else {
        row.signing_too(now_ms)
    };
    if signing.len() >= MAX_FORMER_SECRETS {
        let ends = signing.iter().map(|(_, until_ms)| *until_ms).min();
        let ends = ends.map(rfc3339).unwrap_or_default();
        return Err(Error::invalid_state(format!(
            "{MAX_FORMER_SECRETS} former secrets of this webhook still sign, which are the most, and the first of them ends at {ends}; rotate after that, or send `overlapHours`: 0, which ends all of them at once."
        )));
    }
    let older = signing
        .first()
        .map(|(sealed, until_ms)| ((*sealed).to_owned(), *until_ms));
    (row.older_secret, row.older_secret_until_ms) = older.unzip();
    Ok(())
}

/// Removes a webhook and its log.
///
/// # Errors
/// 404 for an unknown one.
pub(crate) async fn delete_webhook(app: &App, caller: &Caller, id: &str) -> Result<()> {
    let mut tx = app.db.begin().await?;
    let row = lock(&mut tx, caller, id).await?;
    db::deliveries::delete_deliveries(&mut tx, id).await?;
    db::webhooks::delete_webhook(&mut tx, id).await?;
    write_audit(&mut tx, caller, "webhook.delete", &row, app.clock.now_ms()).await?;
    tx.commit().await?;
    Ok(())
}

/// The caller's webhook, held until the transaction ends.
pub(super) async fn lock(tx: &mut AnyConnection, caller: &Caller, id: &str) -> Result<WebhookRow> {
    db::webhooks::lock_webhook(tx, id).await?;
    db::webhooks::find_webhook(tx, &caller.organization_id, id)
        .await?
        .ok_or_else(not_found)
}

/// It must be an address that may be reached; every attempt checks it again.
async fn check_url(app: &App, text: &str) -> Result<Url> {
    check_length("url", text, MAX_URL_CHARACTERS)?;
    let mut url = TargetPolicy::parse(text).map_err(|error| match error {
        TargetError::UserInfo => Error::refused(
            ErrorCode::InvalidUrl,
            "`url` must not hold a user name or password; the receiver knows our requests by their signature.",
        ),
        error => Error::target("url", &error),
    })?;
    url.set_fragment(None);
    app.targets
        .check(&url)
        .await
        .map_err(|error| Error::target("url", &error))?;
    Ok(url)
}

fn check_events(mut events: Vec<WebhookEvent>) -> Result<Vec<WebhookEvent>> {
    events.sort_unstable_by_key(|event| event.as_str());
    events.dedup();
    if events.is_empty() || events.contains(&WebhookEvent::WebhookTest) {
        return Err(Error::invalid(
            "`events` must name at least one of `job.completed` and `job.triaged`, and nothing else.",
        ));
    }
    Ok(events)
}

fn check_description(description: Option<String>) -> Result<Option<String>> {
    if let Some(text) = &description {
        check_line("description", text, MAX_DESCRIPTION_CHARACTERS)?;
    }
    Ok(description.filter(|text| !text.is_empty()))
}

/// A name that no project has would never get an event.
async fn check_project(tx: &mut AnyConnection, caller: &Caller, name: Option<&str>) -> Result<()> {
    let Some(name) = name else {
        return Ok(());
    };
    crate::jobs::checks::check_project_name(name)?;
    match db::projects::find_project(tx, &caller.organization_id, name).await? {
        Some(_) => Ok(()),
        None => Err(Error::invalid(format!(
            "`project`: no project is named `{name}`; GET /projects lists those of your organization."
        ))),
    }
}

fn with_secret(row: &WebhookRow, secret: &SecretString, now_ms: i64) -> Result<WebhookWithSecret> {
    Ok(WebhookWithSecret {
        webhook: view::webhook(row, now_ms)?,
        secret: secret.expose_secret().to_owned(),
    })
}

/// Paths and queries of addresses are secrets at some receivers, so the audit log has the host alone.
async fn write_audit(
    tx: &mut AnyConnection,
    caller: &Caller,
    action: &str,
    row: &WebhookRow,
    now_ms: i64,
) -> Result<()> {
    let url = Url::parse(&row.url).context("a webhook's address")?;
    let entry = AuditEntry {
        organization_id: &row.organization_id,
        actor: &caller.name,
        action,
        subject: &row.id,
        detail: json!({
            "host": url.host_str(), "events": view::events(row), "project": row.project_name, "enabled": row.enabled == 1,
        }),
    };
    Ok(db::audit::insert_audit(tx, &entry, now_ms).await?)
}
