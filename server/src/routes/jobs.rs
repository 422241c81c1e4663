//! `GET /jobs` and `GET /job/{jobId}/overview`: jobs without their results.

use axum::Json;
use axum::extract::State;
use pentimento_api::error::ErrorBody;
use pentimento_api::ids::JobId;
use pentimento_api::job::{JobList, JobListQuery, JobOverview, JobStatus};

use super::job::find_job;
use crate::app::App;
use crate::auth::{Allowed, Read};
use crate::db;
use crate::db::jobs::{JobFilter, JobRow};
use crate::error::{Error, Result};
use crate::extract::{PathPart, Query, entries_limit};
use crate::jobs::checks::check_length;
use crate::jobs::view;

const DEFAULT_LIMIT: u32 = 50;
const MAX_LIMIT: u32 = 100;
const MAX_SEARCH_CHARACTERS: usize = 200;

/// List the organization's jobs, newest first.
#[utoipa::path(
    get, path = "/jobs", tag = "jobs", params(JobListQuery),
    responses(
        (status = 200, description = "One page of the list", body = JobList),
        (status = 400, description = "`invalid_input`", body = ErrorBody),
        (status = 401, description = "`unauthorized`", body = ErrorBody),
        (status = 403, description = "`forbidden`: the key lacks the scope `read`", body = ErrorBody),
    )
)]
pub(super) async fn list_jobs(
    State(app): State<App>,
    Allowed { caller, .. }: Allowed<Read>,
    Query(query): Query<JobListQuery>,
) -> Result<Json<JobList>> {
    let limit = entries_limit(query.limit, DEFAULT_LIMIT, MAX_LIMIT)?;
    let needle = query.search.unwrap_or_default();
    check_length("search", &needle, MAX_SEARCH_CHARACTERS)?;
    let filter = JobFilter {
        before: query.before.as_deref(),
        project: query.project.as_deref(),
        status: query.status.map(JobStatus::as_str),
        needle: &needle,
        // One more than wanted tells whether there is a next page.
        limit: i64::from(limit) + 1,
    };
    let mut connection = app.db.read().await?;
    let mut rows = db::jobs::list_jobs(&mut connection, &caller.organization_id, &filter).await?;
    let more = rows.len() > limit as usize;
    rows.truncate(limit as usize);
    let next = if more {
        rows.last().map(|row| row.id.clone())
    } else {
        None
    };
    Ok(Json(JobList {
        jobs: overviews(&app, &mut connection, &rows).await?,
        next,
    }))
}

/// Read a job without its results.
#[utoipa::path(
    get, path = "/job/{jobId}/overview", tag = "jobs", params(("jobId" = JobId, Path, description = "The job")),
    responses(
        (status = 200, description = "The job", body = JobOverview),
        (status = 401, description = "`unauthorized`", body = ErrorBody),
        (status = 403, description = "`forbidden`: the key lacks the scope `read`", body = ErrorBody),
        (status = 404, description = "`job_not_found`", body = ErrorBody),
    )
)]
pub(super) async fn get_overview(
    State(app): State<App>,
    Allowed { caller, .. }: Allowed<Read>,
    PathPart(id): PathPart,
) -> Result<Json<JobOverview>> {
    let mut connection = app.db.read().await?;
    let row = find_job(&mut connection, &caller, &id).await?;
    let overview = overviews(&app, &mut connection, std::slice::from_ref(&row))
        .await?
        .pop();
    Ok(Json(overview.ok_or_else(Error::job_not_found)?))
}

async fn overviews(
    app: &App,
    connection: &mut sqlx::AnyConnection,
    rows: &[JobRow],
) -> Result<Vec<JobOverview>> {
    let ids: Vec<String> = rows.iter().map(|row| row.id.clone()).collect();
    let counts = db::results::lists::count_by_job(connection, &ids).await?;
    let now = app.clock.now_ms();
    let mut overviews = Vec::with_capacity(rows.len());
    for row in rows {
        let (outcomes, triage) = counts.get(&row.id).copied().unwrap_or_default();
        let takes_uploads = row.status() == JobStatus::Initializing
            && db::uploads::is_client_job(connection, &row.id).await?;
        overviews.push(view::overview(row, outcomes, triage, takes_uploads, now)?);
    }
    Ok(overviews)
}
