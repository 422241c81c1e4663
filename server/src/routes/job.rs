//! `GET /job/{jobId}`, its summary, and what that says in words.

use axum::Json;
use axum::extract::State;
use axum::response::Response;
use pentimento_api::error::{ErrorBody, ErrorCode};
use pentimento_api::ids::JobId;
use pentimento_api::job::{Job, Progress};
use pentimento_api::review::Outcome;
use pentimento_api::summary::{JobSummary, JobWords};

use crate::app::App;
use crate::auth::{Allowed, Caller, Read};
use crate::db;
use crate::db::jobs::JobRow;
use crate::error::{Error, Result};
use crate::extract::PathPart;
use crate::jobs::links::LinkMaker;
use crate::jobs::whole::{self, List};
use crate::jobs::{in_words, summary, view};

/// Read a job's status with all of its results.
#[utoipa::path(
    get, path = "/job/{jobId}", tag = "jobs", params(("jobId" = JobId, Path, description = "The job")),
    responses(
        (status = 200, description = "The job", body = Job),
        (status = 401, description = "`unauthorized`", body = ErrorBody),
        (status = 403, description = "`forbidden`: the key lacks the scope `read`", body = ErrorBody),
        (status = 404, description = "`job_not_found`", body = ErrorBody),
    )
)]
pub(super) async fn get_job(
    State(app): State<App>,
    Allowed { caller, .. }: Allowed<Read>,
    links: LinkMaker,
    PathPart(id): PathPart,
) -> Result<Response> {
    let mut connection = app.db.read().await?;
    let job = find_job(&mut connection, &caller, &id).await?;
    let (total, done) = db::results::lists::count_done(&mut connection, &job.id).await?;
    drop(connection);
    let view = view::job(&job, Progress::new(total, done), app.clock.now_ms())?;
    let results = List {
        field: "results",
        outcome: None,
        count: total,
    };
    Ok(whole::answer(app, links, &job.id, &view, &[results]).await?)
}

/// Read what a job found.
#[utoipa::path(
    get, path = "/job/{jobId}/summary", tag = "jobs", params(("jobId" = JobId, Path, description = "The job")),
    responses(
        (status = 200, description = "The summary", body = JobSummary),
        (status = 400, description = "`job_not_completed`", body = ErrorBody),
        (status = 401, description = "`unauthorized`", body = ErrorBody),
        (status = 403, description = "`forbidden`: the key lacks the scope `read`", body = ErrorBody),
        (status = 404, description = "`job_not_found`", body = ErrorBody),
    )
)]
pub(super) async fn get_summary(
    State(app): State<App>,
    Allowed { caller, .. }: Allowed<Read>,
    links: LinkMaker,
    PathPart(id): PathPart,
) -> Result<Response> {
    let mut connection = app.db.read().await?;
    let job = find_job(&mut connection, &caller, &id).await?;
    check_final(&job)?;
    let results = db::results::lists::list_job_results_in_brief(&mut connection, &job.id).await?;
    drop(connection);
    let summary = summary::summarize(&job, &results, app.clock.now_ms())?;
    drop(results);
    let lists = [
        ("regressions", Outcome::Regression, summary.regression_count),
        ("matches", Outcome::Match, summary.match_count),
    ];
    let lists = lists.map(|(field, outcome, count)| List {
        field,
        outcome: Some(outcome),
        count,
    });
    Ok(whole::answer(app, links, &job.id, &summary, &lists).await?)
}

/// Read what a job found in words alone.
///
/// They are those of its summary, without the lists of its pages, which may be megabytes.
#[utoipa::path(
    get, path = "/job/{jobId}/words", tag = "jobs", params(("jobId" = JobId, Path, description = "The job")),
    responses(
        (status = 200, description = "The words", body = JobWords),
        (status = 400, description = "`job_not_completed`", body = ErrorBody),
        (status = 401, description = "`unauthorized`", body = ErrorBody),
        (status = 403, description = "`forbidden`: the key lacks the scope `read`", body = ErrorBody),
        (status = 404, description = "`job_not_found`", body = ErrorBody),
    )
)]
pub(super) async fn get_words(
    State(app): State<App>,
    Allowed { caller, .. }: Allowed<Read>,
    PathPart(id): PathPart,
) -> Result<Json<JobWords>> {
    let mut connection = app.db.read().await?;
    let job = find_job(&mut connection, &caller, &id).await?;
    check_final(&job)?;
    Ok(Json(in_words::job_words(&mut connection, &job).await?))
}

/// Checks that a job has ended.
///
/// # Errors
/// 400 `job_not_completed`.
pub(super) fn check_final(job: &JobRow) -> Result<()> {
    if job.status().is_final() {
        return Ok(());
    }
    Err(Error::refused(
        ErrorCode::JobNotCompleted,
        format!(
            "The job is {}; its summary is there when it is COMPLETED. GET /job/{} shows its progress.",
            job.status, job.id
        ),
    ))
}

/// The caller's job with this id; a malformed id names none.
pub(super) async fn find_job(
    connection: &mut sqlx::AnyConnection,
    caller: &Caller,
    id: &str,
) -> Result<JobRow> {
    let id: JobId = id.parse().map_err(|_| Error::job_not_found())?;
    db::jobs::find_job(connection, &caller.organization_id, &id.to_string())
        .await?
        .ok_or_else(Error::job_not_found)
}
