//! `GET /projects` and `GET /project/{name}`.

use anyhow::Context;
use axum::Json;
use axum::extract::State;
use pentimento_api::error::ErrorBody;
use pentimento_api::project::{BaselinePolicy, Project, ProjectListed, Schedule};
use pentimento_api::session::Scope;

use crate::app::App;
use crate::auth::Caller;
use crate::clock::rfc3339;
use crate::db;
use crate::db::projects::ProjectRow;
use crate::error::{Error, Result};
use crate::extract::PathPart;
use crate::jobs::spec::CaptureConfig;

/// List the organization's projects.
#[utoipa::path(
    get, path = "/projects", tag = "projects",
    responses(
        (status = 200, description = "The projects, by name", body = Vec<ProjectListed>),
        (status = 401, description = "`unauthorized`", body = ErrorBody),
        (status = 403, description = "`forbidden`: the key lacks the scope `read`", body = ErrorBody),
    )
)]
pub(super) async fn list_projects(
    State(app): State<App>,
    caller: Caller,
) -> Result<Json<Vec<ProjectListed>>> {
    caller.need(Scope::Read)?;
    let rows =
        db::projects::list_projects(&mut *app.db.read().await?, &caller.organization_id).await?;
    Ok(Json(
        rows.iter().map(listed).collect::<anyhow::Result<_>>()?,
    ))
}

/// Read a project's configuration.
#[utoipa::path(
    get, path = "/project/{name}", tag = "projects", params(("name" = String, Path, description = "The project's name")),
    responses(
        (status = 200, description = "The project", body = Project),
        (status = 401, description = "`unauthorized`", body = ErrorBody),
        (status = 403, description = "`forbidden`: the key lacks the scope `read`", body = ErrorBody),
        (status = 404, description = "`project_not_found`", body = ErrorBody),
    )
)]
pub(super) async fn get_project(
    State(app): State<App>,
    caller: Caller,
    PathPart(name): PathPart,
) -> Result<Json<Project>> {
    caller.need(Scope::Read)?;
    let found =
        db::projects::find_project(&mut *app.db.read().await?, &caller.organization_id, &name)
            .await?;
    let row = found.ok_or_else(|| Error::project_not_found(&name))?;
    Ok(Json(project(&row)?))
}

fn listed(row: &ProjectRow) -> anyhow::Result<ProjectListed> {
    let config: CaptureConfig =
        serde_json::from_str(&row.config).context("a project's configuration")?;
    Ok(ProjectListed {
        name: row.name.clone(),
        test_origin: config.test_origin,
        base_origin: config.base_origin,
        sitemap_url: config.sitemap_url,
        paths: config.paths,
        scans: config.scans,
        devices: config.devices,
        masks: config.masks,
        custom_css: config.custom_css,
        concurrency: config.concurrency,
        created_at: rfc3339(row.created_at_ms),
        updated_at: rfc3339(row.updated_at_ms),
        last_run_at: row.last_run_at_ms.map(rfc3339),
        last_job_id: row.last_job_id.as_deref().and_then(|id| id.parse().ok()),
        baseline_invalidated_at: row.baseline_invalidated_at_ms.map(rfc3339),
        baseline_version: row.baseline_version.clone(),
    })
}

fn project(row: &ProjectRow) -> anyhow::Result<Project> {
    Ok(Project {
        listed: listed(row)?,
        baseline_policy: match row.baseline_policy.as_str() {
            "rolling" => BaselinePolicy::Rolling,
            _ => BaselinePolicy::Approved,
        },
        schedule: match row.schedule.as_deref() {
            Some("hourly") => Some(Schedule::Hourly),
            Some("daily") => Some(Schedule::Daily),
            Some("weekly") => Some(Schedule::Weekly),
            _ => None,
        },
        schedule_hour_utc: row
            .schedule_hour_utc
            .and_then(|hour| u8::try_from(hour).ok()),
        schedule_key_id: row
            .schedule_key_id
            .as_deref()
            .and_then(|id| id.parse().ok()),
        last_scheduled_run_at: row.last_scheduled_run_at_ms.map(rfc3339),
        intent: row.intent.clone(),
        environment: row.environment.clone(),
        base_environment: row.base_environment.clone(),
    })
}
