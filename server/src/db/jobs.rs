//! Jobs, and the lease on the work that belongs to a job as a whole (discovering pages, finishing).

pub mod turns;

use pentimento_api::job::{ComparisonMode, JobStatus};
use sqlx::{AnyConnection, AssertSqlSafe, FromRow};

use super::needle::{as_written, pattern};
use crate::db::storable;

/// A job as it is stored.
#[derive(Debug, Clone, FromRow)]
pub struct JobRow {
    /// Its id.
    pub id: String,
    /// Whose it is.
    pub organization_id: String,
    /// The project that it runs for.
    pub project_id: Option<String>,
    /// The project's name as it was sent.
    pub project_name: Option<String>,
    /// [`crate::jobs::spec::CaptureConfig`] as JSON, pinned at the start.
    pub config: String,
    /// `managed` or `live`.
    pub comparison_mode: String,
    /// Where it stands.
    pub status: String,
    /// Where its summary stands.
    pub summary_status: String,
    /// Why it failed, or what is odd.
    pub error: Option<String>,
    /// What the run is about, as JSON.
    pub run_context: Option<String>,
    /// The project's intent at the start.
    pub intent: Option<String>,
    /// Label of the tested environment.
    pub environment: Option<String>,
    /// Label of the reference environment.
    pub base_environment: Option<String>,
    /// 1 when every successful page is promoted at the end.
    pub auto_approve: i64,
    /// The project's `baselineVersion` at the start.
    pub baseline_version: Option<String>,
    /// The run in words.
    pub run_summary: Option<String>,
    /// Captures that may be under way at once.
    pub concurrency: i64,
    /// Who started it.
    pub started_by: String,
    /// When it was accepted.
    pub created_at_ms: i64,
    /// When it ended.
    pub finished_at_ms: Option<i64>,
}

const COLUMNS: &str = "id, organization_id, project_id, project_name, config, comparison_mode, status, summary_status, error, \
     run_context, intent, environment, base_environment, auto_approve, baseline_version, run_summary, concurrency, started_by, \
     created_at_ms, finished_at_ms";

impl JobRow {
    /// Where it stands.
    pub fn status(&self) -> JobStatus {
        JobStatus::ALL
            .into_iter()
            .find(|status| status.as_str() == self.status)
            .unwrap_or(JobStatus::Failed)
    }

    /// What it compares with.
    pub fn mode(&self) -> ComparisonMode {
        ComparisonMode::ALL
            .into_iter()
            .find(|mode| mode.as_str() == self.comparison_mode)
            .unwrap_or(ComparisonMode::Managed)
    }
}

/// Stores a new job in `INITIALIZING`; it is found by what is `told` of it.
pub async fn insert_job(db: &mut AnyConnection, row: &JobRow, told: &str) -> sqlx::Result<()> {
    sqlx::query(
        "INSERT INTO jobs (id, organization_id, project_id, project_name, config, comparison_mode, status, summary_status, \
         run_context, intent, environment, base_environment, auto_approve, baseline_version, concurrency, started_by, \
         created_at_ms, enqueued_at_ms, told) \
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $17, $18)",
    )
    .bind(&row.id)
    .bind(&row.organization_id)
    .bind(&row.project_id)
    .bind(&row.project_name)
    .bind(&row.config)
    .bind(&row.comparison_mode)
    .bind(&row.status)
    .bind(&row.summary_status)
    .bind(&row.run_context)
    .bind(&row.intent)
    .bind(&row.environment)
    .bind(&row.base_environment)
    .bind(row.auto_approve)
    .bind(&row.baseline_version)
    .bind(row.concurrency)
    .bind(&row.started_by)
    .bind(row.created_at_ms)
    .bind(told)
    .execute(db)
    .await
    .map(drop)
}

/// The organization's job with this id.
pub async fn find_job(
    db: &mut AnyConnection,
    organization_id: &str,
    id: &str,
) -> sqlx::Result<Option<JobRow>> {
    sqlx::query_as(AssertSqlSafe(format!(
        "SELECT {COLUMNS} FROM jobs WHERE id = $1 AND organization_id = $2 AND removed_at_ms IS NULL"
    )))
    .bind(id)
    .bind(organization_id)
    .fetch_optional(db)
    .await
}

/// Holds the job's row until the transaction ends, so that decisions on its pages come one after the other.
pub async fn lock_job(db: &mut AnyConnection, id: &str) -> sqlx::Result<()> {
    sqlx::query("UPDATE jobs SET attempts = attempts WHERE id = $1")
        .bind(id)
        .execute(db)
        .await
        .map(drop)
}

/// A job by its id, for work that holds the id from a row of its own.
pub async fn get_job(db: &mut AnyConnection, id: &str) -> sqlx::Result<JobRow> {
    sqlx::query_as(AssertSqlSafe(format!(
        "SELECT {COLUMNS} FROM jobs WHERE id = $1 AND removed_at_ms IS NULL"
    )))
    .bind(id)
    .fetch_one(db)
    .await
}

/// What narrows a list of jobs.
#[derive(Debug, Default)]
pub struct JobFilter<'a> {
    /// Only jobs older than this one.
    pub before: Option<&'a str>,
    /// Only jobs of this project.
    pub project: Option<&'a str>,
    /// Only jobs in this status.
    pub status: Option<&'a str>,
    /// Only jobs with this in what a person knows them by, whatever its case; an empty text narrows nothing.
    pub needle: &'a str,
    /// Most rows.
    pub limit: i64,
}

/// The organization's jobs, newest first.
pub async fn list_jobs(
    db: &mut AnyConnection,
    organization_id: &str,
    filter: &JobFilter<'_>,
) -> sqlx::Result<Vec<JobRow>> {
    let sql = format!(
        "SELECT {COLUMNS} FROM jobs WHERE organization_id = $1 AND ($2 = '' OR id < $2) AND ($3 = '' OR project_name = $3) \
         AND ($4 = '' OR status = $4) AND ($5 = '' OR id LIKE $5 ESCAPE '!' OR LOWER(project_name) LIKE $5 ESCAPE '!' \
         OR LOWER(COALESCE(told, run_context)) LIKE $5 ESCAPE '!' OR COALESCE(told, run_context) LIKE $6 ESCAPE '!' \
         OR EXISTS (SELECT 1 FROM client_jobs c WHERE c.job_id = jobs.id AND (LOWER(c.branch) LIKE $5 ESCAPE '!' \
         OR c.branch LIKE $6 ESCAPE '!' OR LOWER(c.commit_sha) LIKE $5 ESCAPE '!'))) \
         AND removed_at_ms IS NULL ORDER BY id DESC LIMIT $7"
    );
    sqlx::query_as(AssertSqlSafe(sql))
        .bind(organization_id)
        .bind(filter.before.unwrap_or_default())
        .bind(filter.project.unwrap_or_default())
        .bind(filter.status.unwrap_or_default())
        .bind(pattern(filter.needle))
        .bind(as_written(filter.needle))
        .bind(filter.limit)
        .fetch_all(db)
        .await
}

/// Takes the lease on a job in `status`, unless a living worker has it. Returns the job and how often it was taken.
pub async fn claim_job(
    db: &mut AnyConnection,
    id: &str,
    statuses: [JobStatus; 2],
    worker_id: &str,
) -> sqlx::Result<Option<(JobRow, i64)>> {
    let taken: Option<(i64,)> = sqlx::query_as(
        "UPDATE jobs SET worker_id = $1, attempts = attempts + 1 WHERE id = $2 AND status IN ($3, $4) \
         AND (worker_id IS NULL OR worker_id NOT IN (SELECT w.id FROM workers w)) RETURNING attempts",
    )
    .bind(worker_id)
    .bind(id)
    .bind(statuses[0].as_str())
    .bind(statuses[1].as_str())
    .fetch_optional(&mut *db)
    .await?;
    match taken {
        Some((attempts,)) => Ok(Some((get_job(db, id).await?, attempts))),
        None => Ok(None),
    }
}

/// Moves a job on and gives its lease back; false when the worker has lost it meanwhile, so that the job is somebody else's.
pub async fn set_job_status(
    db: &mut AnyConnection,
    id: &str,
    worker_id: &str,
    status: JobStatus,
    now_ms: i64,
) -> sqlx::Result<bool> {
    let moved = sqlx::query(
        "UPDATE jobs SET status = $1, worker_id = NULL, attempts = 0, enqueued_at_ms = $2, \
         finished_at_ms = CASE WHEN $3 = 1 THEN COALESCE(finished_at_ms, $2) ELSE finished_at_ms END \
         WHERE id = $4 AND worker_id = $5",
    )
    .bind(status.as_str())
    .bind(now_ms)
    .bind(i64::from(status.is_final()))
    .bind(id)
    .bind(worker_id)
    .execute(db)
    .await?;
    Ok(moved.rows_affected() > 0)
}

/// Whether a worker still has its lease on a job; until the end of the transaction nobody else gets it.
pub async fn holds_job(db: &mut AnyConnection, id: &str, worker_id: &str) -> sqlx::Result<bool> {
    let held =
        sqlx::query("UPDATE jobs SET worker_id = worker_id WHERE id = $1 AND worker_id = $2")
            .bind(id)
            .bind(worker_id)
            .execute(db)
            .await?;
    Ok(held.rows_affected() > 0)
}

/// Gives a worker's lease on a job back without moving it, so that the sweep takes it up again.
pub async fn release_job(db: &mut AnyConnection, id: &str, worker_id: &str) -> sqlx::Result<()> {
    sqlx::query(
        "UPDATE jobs SET worker_id = NULL, enqueued_at_ms = NULL WHERE id = $1 AND worker_id = $2",
    )
    .bind(id)
    .bind(worker_id)
    .execute(db)
    .await
    .map(drop)
}

/// Keeps what a person should know of the job.
pub async fn set_job_error(db: &mut AnyConnection, id: &str, error: &str) -> sqlx::Result<()> {
    let error = storable(error);
    sqlx::query("UPDATE jobs SET error = $1 WHERE id = $2")
        .bind(error.as_ref())
        .bind(id)
        .execute(db)
        .await
        .map(drop)
}

/// Ends a job that could not run; false when it had ended before.
pub async fn fail_job(
    db: &mut AnyConnection,
    id: &str,
    error: &str,
    now_ms: i64,
) -> sqlx::Result<bool> {
    let error = storable(error);
    let done = sqlx::query(
        "UPDATE jobs SET status = 'FAILED', summary_status = 'COMPLETE', error = $1, worker_id = NULL, attempts = 0, \
         enqueued_at_ms = $2, finished_at_ms = $2 WHERE id = $3 AND status NOT IN ('COMPLETED', 'APPROVED', 'FAILED')",
    )
    .bind(error.as_ref())
    .bind(now_ms)
    .bind(id)
    .execute(db)
    .await?;
    Ok(done.rows_affected() > 0)
}

/// Moves a job whose every page is done to `FINISHING`; false when pages are left or somebody else moved it.
pub async fn finish_when_done(db: &mut AnyConnection, id: &str, now_ms: i64) -> sqlx::Result<bool> {
    // Two ranges instead of `<>`: an index finds what is left without passing over all that is done.
    let done = sqlx::query(
        "UPDATE jobs SET status = 'FINISHING', enqueued_at_ms = $1 WHERE id = $2 AND status = 'PROCESSING' \
         AND NOT EXISTS (SELECT 1 FROM results r WHERE r.job_id = $2 AND (r.stage < 'done' OR r.stage > 'done'))",
    )
    .bind(now_ms)
    .bind(id)
    .execute(db)
    .await?;
    Ok(done.rows_affected() > 0)
}

/// Moves a job to `SUMMARIZING`; false when the worker lost its lease on it, or the job has ended.
pub async fn begin_summary(
    db: &mut AnyConnection,
    id: &str,
    worker_id: &str,
) -> sqlx::Result<bool> {
    let done = sqlx::query(
        "UPDATE jobs SET status = 'SUMMARIZING', summary_status = 'PROCESSING' \
         WHERE id = $1 AND worker_id = $2 AND status IN ('FINISHING', 'SUMMARIZING')",
    )
    .bind(id)
    .bind(worker_id)
    .execute(db)
    .await?;
    Ok(done.rows_affected() > 0)
}

/// Keeps the summary's words.
pub async fn set_run_summary(
    db: &mut AnyConnection,
    id: &str,
    run_summary: &str,
) -> sqlx::Result<()> {
    let run_summary = storable(run_summary);
    sqlx::query("UPDATE jobs SET summary_status = 'COMPLETE', run_summary = $1 WHERE id = $2")
        .bind(run_summary.as_ref())
        .bind(id)
        .execute(db)
        .await
        .map(drop)
}

/// Sets `COMPLETED` or `APPROVED` after a decision on its pages; no other status is touched.
pub async fn set_job_approved(
    db: &mut AnyConnection,
    id: &str,
    status: JobStatus,
) -> sqlx::Result<()> {
    sqlx::query("UPDATE jobs SET status = $1 WHERE id = $2 AND status IN ('COMPLETED', 'APPROVED')")
        .bind(status.as_str())
        .bind(id)
        .execute(db)
        .await
        .map(drop)
}

/// Jobs whose own work nobody has: their worker died, or their task was lost. They are marked as enqueued now. A
/// client-driven job that is not finalized has no work of its own.
pub async fn take_lost_jobs(
    db: &mut AnyConnection,
    lost_before_ms: i64,
    now_ms: i64,
) -> sqlx::Result<Vec<(String, String)>> {
    sqlx::query_as(
        "UPDATE jobs SET worker_id = NULL, enqueued_at_ms = $1 WHERE status IN ('INITIALIZING', 'FINISHING', 'SUMMARIZING') \
         AND ((worker_id IS NULL AND (enqueued_at_ms IS NULL OR enqueued_at_ms < $2)) \
         OR (worker_id IS NOT NULL AND worker_id NOT IN (SELECT w.id FROM workers w))) \
         AND (status <> 'INITIALIZING' OR NOT EXISTS (SELECT 1 FROM client_jobs c WHERE c.job_id = jobs.id)) RETURNING id, status",
    )
    .bind(now_ms)
    .bind(lost_before_ms)
    .fetch_all(db)
    .await
}

/// Ids of the jobs whose pages are being worked on.
pub async fn list_processing_jobs(db: &mut AnyConnection) -> sqlx::Result<Vec<String>> {
    sqlx::query_scalar("SELECT id FROM jobs WHERE status = 'PROCESSING' ORDER BY id LIMIT 1000")
        .fetch_all(db)
        .await
}
