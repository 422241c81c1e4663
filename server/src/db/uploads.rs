//! Client-driven jobs: their uploads until they are finalized, and the step from there to the work that others share.

use sqlx::{AnyConnection, AssertSqlSafe};

/// Uploads whose revisions one statement notes; SQLite and PostgreSQL both take many more values.
const REVISIONS_AT_ONCE: usize = 500;

/// What is known of a client-driven job beyond what every job has.
#[derive(Debug)]
pub struct ClientJob<'a> {
    /// The job.
    pub job_id: &'a str,
    /// The git ref under test; may be empty.
    pub branch: &'a str,
    /// The commit under test; may be empty.
    pub commit: &'a str,
    /// When it is closed unless it was finalized.
    pub finalize_by_ms: i64,
}

/// Marks a job as client-driven.
pub async fn insert_client_job(db: &mut AnyConnection, job: &ClientJob<'_>) -> sqlx::Result<()> {
    sqlx::query(
        "INSERT INTO client_jobs (job_id, branch, commit_sha, finalize_by_ms) VALUES ($1, $2, $3, $4)",
    )
    .bind(job.job_id)
    .bind(job.branch)
    .bind(job.commit)
    .bind(job.finalize_by_ms)
    .execute(db)
    .await
    .map(drop)
}

/// Whether the client captures for this job.
pub async fn is_client_job(db: &mut AnyConnection, job_id: &str) -> sqlx::Result<bool> {
    let found: Option<i64> =
        sqlx::query_scalar("SELECT finalize_by_ms FROM client_jobs WHERE job_id = $1")
            .bind(job_id)
            .fetch_optional(db)
            .await?;
    Ok(found.is_some())
}

/// A job's status by its id, for signed links, which hold it; none when the job is gone.
pub async fn find_job_status(db: &mut AnyConnection, job_id: &str) -> sqlx::Result<Option<String>> {
    sqlx::query_scalar("SELECT status FROM jobs WHERE id = $1")
        .bind(job_id)
        .fetch_optional(db)
        .await
}

/// The id and the address of a job's upload of this page and variant.
pub async fn find_upload(
    db: &mut AnyConnection,
    job_id: &str,
    page_key: &str,
    variant_name: &str,
) -> sqlx::Result<Option<(String, String)>> {
    sqlx::query_as(
        "SELECT id, url FROM results WHERE job_id = $1 AND page_key = $2 AND variant_name = $3",
    )
    .bind(job_id)
    .bind(page_key)
    .bind(variant_name)
    .fetch_optional(db)
    .await
}

/// How many uploads a job has, which is the place of the next one.
pub async fn next_position(db: &mut AnyConnection, job_id: &str) -> sqlx::Result<i64> {
    sqlx::query_scalar("SELECT COALESCE(MAX(position) + 1, 0) FROM results WHERE job_id = $1")
        .bind(job_id)
        .fetch_one(db)
        .await
}

/// A page and variant that the client uploads.
#[derive(Debug)]
pub struct NewUpload<'a> {
    /// The result's id.
    pub id: &'a str,
    /// Its place in the job.
    pub position: i64,
    /// The page.
    pub url: &'a str,
    /// Path with query.
    pub page_key: &'a str,
    /// The variant.
    pub variant_name: &'a str,
}

/// Stores a result that waits for its uploads.
pub async fn insert_upload(
    db: &mut AnyConnection,
    organization_id: &str,
    job_id: &str,
    new: &NewUpload<'_>,
) -> sqlx::Result<()> {
    sqlx::query(
        "INSERT INTO results (id, job_id, organization_id, position, url, page_key, label, variant_name, stage, outcome, status, \
         triage_status) VALUES ($1, $2, $3, $4, $5, $6, '', $7, 'upload', 'pending', 'PENDING', 'pending')",
    )
    .bind(new.id)
    .bind(job_id)
    .bind(organization_id)
    .bind(new.position)
    .bind(new.url)
    .bind(new.page_key)
    .bind(new.variant_name)
    .execute(db)
    .await
    .map(drop)
}

/// Moves a job from uploading to the work on its pages; false when somebody else moved it. What the client captured is
/// compared as of now, so the project's `baselineVersion` is pinned anew.
pub async fn close_uploads(
    db: &mut AnyConnection,
    job_id: &str,
    now_ms: i64,
) -> sqlx::Result<bool> {
    let done = sqlx::query(
        "UPDATE jobs SET status = 'PROCESSING', worker_id = NULL, attempts = 0, enqueued_at_ms = $1, \
         baseline_version = COALESCE((SELECT p.baseline_version FROM projects p WHERE p.id = jobs.project_id), baseline_version) \
         WHERE id = $2 AND status = 'INITIALIZING'",
    )
    .bind(now_ms)
    .bind(job_id)
    .execute(db)
    .await?;
    Ok(done.rows_affected() > 0)
}

/// Hands all of a job's uploads on and pins their baselines as they stand now; returns how many there are. A baseline
/// from before the project's baselines were invalidated does not count.
pub async fn begin_ingest(db: &mut AnyConnection, job_id: &str) -> sqlx::Result<u64> {
    let done = sqlx::query(
        "UPDATE results SET stage = 'ingest', \
         baseline_capture_id = (SELECT b.capture_id FROM baselines b JOIN jobs j ON j.project_id = b.project_id \
           AND j.baseline_version = b.baseline_version WHERE j.id = results.job_id AND b.page_key = results.page_key \
           AND b.variant_name = results.variant_name), \
         pinned_version = COALESCE((SELECT b.version FROM baselines b JOIN jobs j ON j.project_id = b.project_id \
           WHERE j.id = results.job_id AND b.page_key = results.page_key AND b.variant_name = results.variant_name), 0) \
         WHERE job_id = $1 AND stage = 'upload'",
    )
    .bind(job_id)
    .execute(db)
    .await?;
    Ok(done.rows_affected())
}

/// What of one upload was in the bucket when its job was finalized.
#[derive(Debug, Default)]
pub struct UploadRevisions {
    /// The screenshot's; none when there was none.
    pub screenshot: Option<String>,
    /// The DOM tree's.
    pub dom: Option<String>,
}

/// Notes what was in the bucket of each upload, by the result's id.
pub async fn set_revisions(
    db: &mut AnyConnection,
    job_id: &str,
    revisions: &[(String, UploadRevisions)],
) -> sqlx::Result<()> {
    for chunk in revisions.chunks(REVISIONS_AT_ONCE) {
        // One statement for many rows: whoever finalizes waits for it.
        let values: Vec<String> = (0..chunk.len())
            .map(|row| format!("(${}, ${}, ${})", row * 3 + 2, row * 3 + 3, row * 3 + 4))
            .collect();
        let mut update = sqlx::query(AssertSqlSafe(format!(
            "UPDATE results SET screenshot_revision = v.column2, dom_revision = v.column3 \
             FROM (VALUES {}) AS v WHERE results.id = v.column1 AND results.job_id = $1",
            values.join(", ")
        )))
        .bind(job_id);
        for (id, upload) in chunk {
            update = update
                .bind(id)
                .bind(upload.screenshot.as_deref())
                .bind(upload.dom.as_deref());
        }
        update.execute(&mut *db).await?;
    }
    Ok(())
}

/// What was noted of an upload: its screenshot's revision and its DOM tree's.
pub async fn find_revisions(
    db: &mut AnyConnection,
    result_id: &str,
) -> sqlx::Result<[Option<String>; 2]> {
    let found: (Option<String>, Option<String>) =
        sqlx::query_as("SELECT screenshot_revision, dom_revision FROM results WHERE id = $1")
            .bind(result_id)
            .fetch_one(db)
            .await?;
    Ok(found.into())
}

/// Jobs that should have been finalized by now; at most a hundred.
pub async fn list_overdue(db: &mut AnyConnection, now_ms: i64) -> sqlx::Result<Vec<String>> {
    sqlx::query_scalar(
        "SELECT j.id FROM jobs j JOIN client_jobs c ON c.job_id = j.id \
         WHERE j.status = 'INITIALIZING' AND c.finalize_by_ms <= $1 ORDER BY j.id LIMIT 100",
    )
    .bind(now_ms)
    .fetch_all(db)
    .await
}

/// Ends the uploads of a job that was never finalized.
pub async fn end_uploads(db: &mut AnyConnection, job_id: &str, message: &str) -> sqlx::Result<()> {
    sqlx::query(
        "UPDATE results SET stage = 'done', outcome = 'error', status = 'ERROR', error_message = $1 \
         WHERE job_id = $2 AND stage = 'upload'",
    )
    .bind(message)
    .bind(job_id)
    .execute(db)
    .await
    .map(drop)
}

/// Whether anything of a job still waits in staging: it takes uploads, or some are not yet blobs.
pub async fn needs_staging(db: &mut AnyConnection, job_id: &str) -> sqlx::Result<bool> {
    let found: Option<i64> = sqlx::query_scalar(
        "SELECT created_at_ms FROM jobs WHERE id = $1 AND (status = 'INITIALIZING' \
         OR EXISTS (SELECT 1 FROM results r WHERE r.job_id = $1 AND r.stage = 'ingest'))",
    )
    .bind(job_id)
    .fetch_optional(db)
    .await?;
    Ok(found.is_some())
}
