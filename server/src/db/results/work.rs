//! The stages of results: creating them, and moving them from stage to stage.

use sqlx::{AnyConnection, AssertSqlSafe};

use crate::db::rows::{AT_ONCE, places};
use crate::db::storable;

/// A page and variant that a job begins with.
#[derive(Debug)]
pub struct NewResult<'a> {
    /// Its id.
    pub id: String,
    /// Its place in the job.
    pub position: i64,
    /// The page on the test origin.
    pub url: &'a str,
    /// Path with query.
    pub page_key: &'a str,
    /// The page's name for people.
    pub label: &'a str,
    /// The device.
    pub variant_name: &'a str,
    /// The pinned baseline.
    pub baseline_capture_id: Option<String>,
    /// Its version.
    pub pinned_version: i64,
}

/// Stores pending results; those that are there already stay as they are.
pub async fn insert_results(
    db: &mut AnyConnection,
    organization_id: &str,
    job_id: &str,
    new: &[NewResult<'_>],
) -> sqlx::Result<()> {
    for chunk in new.chunks(AT_ONCE) {
        let sql = format!(
            "WITH wanted (id, place, address, page, name, variant, capture, version) AS (VALUES {}) \
             INSERT INTO results (id, job_id, organization_id, position, url, page_key, label, variant_name, stage, outcome, status, \
             triage_status, baseline_capture_id, pinned_version) \
             SELECT w.id, $1, $2, w.place, w.address, w.page, w.name, w.variant, 'capture', 'pending', 'PENDING', 'pending', \
             w.capture, w.version FROM wanted w WHERE true ON CONFLICT (job_id, url, variant_name) DO NOTHING",
            places(chunk.len(), 8, 3)
        );
        let mut query = sqlx::query(AssertSqlSafe(sql))
            .bind(job_id)
            .bind(organization_id);
        for one in chunk {
            query = query
                .bind(&one.id)
                .bind(one.position)
                .bind(one.url)
                .bind(one.page_key)
                .bind(one.label)
                .bind(one.variant_name)
                .bind(&one.baseline_capture_id)
                .bind(one.pinned_version);
        }
        query.execute(&mut *db).await?;
    }
    Ok(())
}

/// Removes so many results of a job that has not begun with its pages, and returns how many those were.
pub async fn delete_unbegun(
    db: &mut AnyConnection,
    job_id: &str,
    most: usize,
) -> sqlx::Result<u64> {
    let done = sqlx::query(
        "DELETE FROM results WHERE id IN (SELECT id FROM results WHERE job_id = $1 AND outcome = 'pending' \
         ORDER BY position LIMIT $2)",
    )
    .bind(job_id)
    .bind(i64::try_from(most).unwrap_or(i64::MAX))
    .execute(db)
    .await?;
    Ok(done.rows_affected())
}

/// Says that the browser is done with a result that is now stored: it counts no more against its job's limit.
pub async fn set_storing(db: &mut AnyConnection, id: &str, worker_id: &str) -> sqlx::Result<()> {
    sqlx::query(
        "UPDATE results SET stage = 'store' WHERE id = $1 AND stage = 'capture' AND worker_id = $2",
    )
    .bind(id)
    .bind(worker_id)
    .execute(db)
    .await
    .map(drop)
}

/// Hands a captured result on to comparing. False when the worker lost its lease.
pub async fn set_captured(
    db: &mut AnyConnection,
    id: &str,
    worker_id: &str,
    current_capture_id: &str,
    live_baseline_id: Option<&str>,
) -> sqlx::Result<bool> {
    let done = sqlx::query(
        "UPDATE results SET stage = 'compare', worker_id = NULL, attempts = 0, enqueued_at_ms = NULL, current_capture_id = $1, \
         baseline_capture_id = COALESCE($2, baseline_capture_id) WHERE id = $3 AND stage IN ('store', 'ingest') AND worker_id = $4",
    )
    .bind(current_capture_id)
    .bind(live_baseline_id)
    .bind(id)
    .bind(worker_id)
    .execute(db)
    .await?;
    Ok(done.rows_affected() > 0)
}

/// Ends a result in error, if the worker still has it.
pub async fn set_result_error(
    db: &mut AnyConnection,
    id: &str,
    worker_id: &str,
    message: &str,
) -> sqlx::Result<()> {
    let message = storable(message);
    sqlx::query(
        "UPDATE results SET stage = 'done', outcome = 'error', status = 'ERROR', error_message = $1, worker_id = NULL \
         WHERE id = $2 AND worker_id = $3 AND stage <> 'done'",
    )
    .bind(message.as_ref())
    .bind(id)
    .bind(worker_id)
    .execute(db)
    .await
    .map(drop)
}

/// Pins another baseline: the one that another job made while this one ran.
pub async fn pin_baseline(
    db: &mut AnyConnection,
    id: &str,
    worker_id: &str,
    capture_id: &str,
    version: i64,
) -> sqlx::Result<()> {
    sqlx::query(
        "UPDATE results SET baseline_capture_id = $1, pinned_version = $2 \
         WHERE id = $3 AND stage = 'compare' AND worker_id = $4",
    )
    .bind(capture_id)
    .bind(version)
    .bind(id)
    .bind(worker_id)
    .execute(db)
    .await
    .map(drop)
}

/// Ends a result whose capture became the first baseline. False when the worker lost its lease.
pub async fn set_new_baseline(
    db: &mut AnyConnection,
    id: &str,
    worker_id: &str,
    promoted_version: i64,
) -> sqlx::Result<bool> {
    let done = sqlx::query(
        "UPDATE results SET stage = 'done', outcome = 'new_baseline', status = 'SUCCESS', is_new_baseline = 1, worker_id = NULL, \
         promoted_version = $1 WHERE id = $2 AND stage = 'compare' AND worker_id = $3",
    )
    .bind(promoted_version)
    .bind(id)
    .bind(worker_id)
    .execute(db)
    .await?;
    Ok(done.rows_affected() > 0)
}

/// What a comparison leaves behind.
#[derive(Debug)]
pub struct ComparedResult {
    /// `regression` or `match`.
    pub outcome: &'static str,
    /// Whether anything changed.
    pub changed: i64,
    /// Whether the capture looks to the pixel as its baseline.
    pub same_picture: i64,
    /// 0–100; none where the pictures were too large to be compared.
    pub diff_percentage: Option<f64>,
    /// 0–100; none as well.
    pub visual_match_score: Option<f64>,
    /// The measured numbers as JSON.
    pub comparison: String,
    /// The mask PNG, when pixels changed.
    pub mask_blob: Option<String>,
    /// Why no document was compared.
    pub dom_skip_reason: Option<String>,
    /// What comparing the documents found, as JSON.
    pub document: Option<String>,
    /// Findings in words, as JSON.
    pub findings: String,
    /// What each of them rests on, as JSON; none when nothing changed.
    pub facts: Option<String>,
    /// The verdict, as JSON.
    pub verdict: Option<String>,
    /// Its decision.
    pub decision: Option<String>,
    /// The label of the changes that it shows.
    pub change_group: Option<String>,
}

/// Ends a compared result, if the worker still has it.
pub async fn set_compared(
    db: &mut AnyConnection,
    id: &str,
    worker_id: &str,
    compared: &ComparedResult,
) -> sqlx::Result<()> {
    sqlx::query(
        "UPDATE results SET stage = 'done', status = 'SUCCESS', worker_id = NULL, outcome = $1, changed = $2, \
         diff_percentage = $3, visual_match_score = $4, comparison = $5, mask_blob = $6, dom_skip_reason = $7, findings = $8, \
         verdict = $9, decision = $10, document = $11, facts = $12, change_group = $13, \
         same_picture = $14 WHERE id = $15 AND stage = 'compare' AND worker_id = $16",
    )
    .bind(compared.outcome)
    .bind(compared.changed)
    .bind(compared.diff_percentage)
    .bind(compared.visual_match_score)
    .bind(&compared.comparison)
    .bind(&compared.mask_blob)
    .bind(&compared.dom_skip_reason)
    .bind(&compared.findings)
    .bind(&compared.verdict)
    .bind(&compared.decision)
    .bind(&compared.document)
    .bind(&compared.facts)
    .bind(&compared.change_group)
    .bind(compared.same_picture)
    .bind(id)
    .bind(worker_id)
    .execute(db)
    .await
    .map(drop)
}
