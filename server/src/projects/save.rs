//! Creating and changing projects, and what follows: invalidated baselines, dropped credentials, the next slot.

use anyhow::Context;
use pentimento_api::patch::Patch;
use pentimento_api::project::{BaselinePolicy, ProjectAnswer, ProjectUpdate};
use serde_json::json;
use sqlx::AnyConnection;
use uuid::Uuid;

use super::configure::{configure, line, text};
use super::credential::Place;
use super::{schedule, view};
use crate::app::App;
use crate::auth::Caller;
use crate::db;
use crate::db::audit::AuditEntry;
use crate::db::projects::ProjectRow;
use crate::error::{Error, Result};
use crate::gate::Side;
use crate::jobs::checks::check_name;
use crate::jobs::spec::CaptureConfig;
use crate::jobs::start::saved_config;
use crate::precondition::{ETag, IfMatch};

const MAX_LABEL_CHARACTERS: usize = 200;
const MAX_INTENT_CHARACTERS: usize = 10_000;

/// Makes a project.
///
/// # Errors
/// 400 that names the field, also when the name is taken.
pub async fn create_project(
    app: &App,
    caller: &Caller,
    name: &str,
    update: &ProjectUpdate,
) -> Result<ProjectAnswer> {
    check_name("name", name)?;
    if update.test_origin.as_set().is_none() {
        return Err(Error::invalid(
            "`testOrigin` is missing; send the origin to test, such as `https://staging.example.com`.",
        ));
    }
    let now = app.clock.now_ms();
    let config = configure(&update_with_defaults(update), &CaptureConfig::default())?;
    let config = serde_json::to_string(&config).context("a project's configuration")?;
    let (id, version) = (Uuid::now_v7().to_string(), Uuid::now_v7().to_string());
    let organization = &caller.organization_id;
    let mut tx = app.db.begin().await?;
    schedule::lock_key(&mut tx, caller, update, now).await?;
    let made =
        db::projects::insert_project(&mut tx, &id, organization, name, &config, &version, now)
            .await?;
    if !made {
        return Err(Error::invalid(format!(
            "`name`: a project is named `{name}` already; choose another name, or change it with PUT /project/{name}."
        )));
    }
    let before = db::projects::get_project(&mut tx, &id).await?;
    let (mut row, _) = apply(app, &mut tx, caller, update, &before, now).await?;
    // A new project has no baselines that could be invalidated.
    row.baseline_version = version;
    row.baseline_invalidated_at_ms = None;
    row.updated_at_ms = now;
    db::projects::update_project(&mut tx, &row).await?;
    write_audit(&mut tx, caller, "project.create", &row, json!({}), now).await?;
    tx.commit().await?;
    view::answer("The project was created.".to_owned(), &row)
}

/// Changes a project.
///
/// # Errors
/// 404 for an unknown one, 412 when it is none of those that are asked for, 400 that names the field.
pub(crate) async fn update_project(
    app: &App,
    caller: &Caller,
    name: &str,
    if_match: &IfMatch,
    update: &ProjectUpdate,
) -> Result<ProjectAnswer> {
    let now = app.clock.now_ms();
    let organization = &caller.organization_id;
    let mut tx = app.db.begin().await?;
    schedule::lock_key(&mut tx, caller, update, now).await?;
    db::projects::lock_project(&mut tx, organization, name).await?;
    let before = db::projects::find_project(&mut tx, organization, name)
        .await?
        .ok_or_else(|| Error::project_not_found(name))?;
    if_match.check(&format!("the project `{name}`"), || {
        ETag::of(&view::project(&before)?)
    })?;
    let (mut row, effects) = apply(app, &mut tx, caller, update, &before, now).await?;
    if row == before {
        return view::answer("Nothing differs from what is stored.".to_owned(), &row);
    }
    row.updated_at_ms = now;
    db::projects::update_project(&mut tx, &row).await?;
    let detail = json!({ "changed": changed(&before, &row)?, "invalidated": effects.invalidated });
    write_audit(&mut tx, caller, "project.update", &row, detail, now).await?;
    tx.commit().await?;
    view::answer(effects.message(), &row)
}

/// What an update brought about beside the values themselves.
struct Effects {
    /// The fields whose change invalidated the baselines.
    invalidated: Vec<&'static str>,
    /// The credentials that went with their origins.
    dropped: Vec<Side>,
}

impl Effects {
    fn message(&self) -> String {
        let mut message = "The project was saved.".to_owned();
        if !self.invalidated.is_empty() {
            message = format!(
                "{message} Its baselines are invalid, because of {}: the next run captures them anew.",
                self.invalidated.join(", ")
            );
        }
        for side in &self.dropped {
            message = format!(
                "{message} The gate credential of the former {} was dropped; send `{}` for the new one if it has a gate.",
                side.origin_words(),
                side.field()
            );
        }
        message
    }
}

/// A new project's lists begin with their defaults.
fn update_with_defaults(update: &ProjectUpdate) -> ProjectUpdate {
    let mut update = update.clone();
    if update.devices.is_absent() {
        update.devices = Patch::Clear;
    }
    if update.concurrency.is_absent() {
        update.concurrency = Patch::Clear;
    }
    update
}

/// The project as the update makes it.
async fn apply(
    app: &App,
    tx: &mut AnyConnection,
    caller: &Caller,
    update: &ProjectUpdate,
    before: &ProjectRow,
    now: i64,
) -> Result<(ProjectRow, Effects)> {
    let mut row = before.clone();
    let old = saved_config(before)?;
    let config = configure(update, &old)?;
    let mut effects = Effects {
        invalidated: old.capture_changes(&config),
        dropped: Vec::new(),
    };
    row.config = serde_json::to_string(&config).context("a project's configuration")?;
    for side in Side::ALL {
        let (sent, stored, old_origin, new_origin) = match side {
            Side::Test => (
                &update.test_auth,
                &mut row.test_auth,
                &old.test_origin,
                &config.test_origin,
            ),
            Side::Base => (
                &update.base_auth,
                &mut row.base_auth,
                &old.base_origin,
                &config.base_origin,
            ),
        };
        let place = Place {
            vault: &app.vault,
            project_id: &before.id,
            side,
            stored: stored.as_deref(),
            old_origin: old_origin.as_deref(),
            new_origin: new_origin.as_deref(),
        };
        let outcome = place.apply(sent)?;
        if outcome.changed {
            effects.invalidated.push(side.field());
        }
        if outcome.dropped {
            effects.dropped.push(side);
        }
        *stored = outcome.sealed;
    }
    row.baseline_policy = match &update.baseline_policy {
        Patch::Absent => row.baseline_policy,
        Patch::Set(BaselinePolicy::Rolling) => "rolling".to_owned(),
        Patch::Set(BaselinePolicy::Approved) | Patch::Clear => "approved".to_owned(),
    };
    row.intent = text("intent", &update.intent, row.intent, MAX_INTENT_CHARACTERS)?;
    row.environment = line(
        "environment",
        &update.environment,
        row.environment,
        MAX_LABEL_CHARACTERS,
    )?;
    row.base_environment = line(
        "baseEnvironment",
        &update.base_environment,
        row.base_environment,
        MAX_LABEL_CHARACTERS,
    )?;
    schedule::apply(
        tx,
        caller,
        update,
        &mut row,
        config.base_origin.is_some(),
        now,
    )
    .await?;
    if !effects.invalidated.is_empty() {
        row.baseline_version = Uuid::now_v7().to_string();
        row.baseline_invalidated_at_ms = Some(now);
    }
    Ok((row, effects))
}

/// The names of what changed, for the audit log; no values, some of them are secrets.
fn changed(before: &ProjectRow, after: &ProjectRow) -> anyhow::Result<Vec<String>> {
    let fields = |row: &ProjectRow| -> anyhow::Result<_> {
        let config: serde_json::Map<String, serde_json::Value> = serde_json::from_str(&row.config)?;
        let settings = json!({
            "baselinePolicy": row.baseline_policy,
            "schedule": row.schedule,
            "scheduleHourUtc": row.schedule_hour_utc,
            "scheduleKeyId": row.schedule_key_id,
            "intent": row.intent,
            "environment": row.environment,
            "baseEnvironment": row.base_environment,
            "testAuth": row.test_auth,
            "baseAuth": row.base_auth,
        });
        let settings = settings.as_object().cloned().unwrap_or_default();
        Ok(config.into_iter().chain(settings))
    };
    let after: serde_json::Map<_, _> = fields(after)?.collect();
    let differing = fields(before)?.filter(|(field, value)| after.get(field) != Some(value));
    Ok(differing.map(|(field, _)| field).collect())
}

async fn write_audit(
    tx: &mut AnyConnection,
    caller: &Caller,
    action: &str,
    row: &ProjectRow,
    detail: serde_json::Value,
    now: i64,
) -> Result<()> {
    let mut detail = detail;
    detail["name"] = row.name.clone().into();
    let entry = AuditEntry {
        organization_id: &row.organization_id,
        actor: &caller.name,
        action,
        subject: &row.id,
        detail,
    };
    Ok(db::audit::insert_audit(tx, &entry, now).await?)
}
