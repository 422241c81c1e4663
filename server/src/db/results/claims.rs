//! Who works on which result: leases, and the order in which waiting results are taken.
//!
//! Rows are the truth and tasks are reminders: a task that is lost is enqueued again by the sweep, a task that comes
//! twice finds the row leased or moved on and does nothing. Captures and comparisons have no tasks.

use sqlx::AnyConnection;

use super::{ResultRow, get_result};
use crate::db::jobs::lock_job;

/// Takes the lease on a result in `stage`, unless a living worker has it.
pub async fn claim_result(
    db: &mut AnyConnection,
    id: &str,
    stage: &str,
    worker_id: &str,
) -> sqlx::Result<Option<ResultRow>> {
    let taken = sqlx::query(
        "UPDATE results SET worker_id = $1, attempts = attempts + 1 WHERE id = $2 AND stage = $3 \
         AND (worker_id IS NULL OR worker_id NOT IN (SELECT w.id FROM workers w))",
    )
    .bind(worker_id)
    .bind(id)
    .bind(stage)
    .execute(&mut *db)
    .await?;
    if taken.rows_affected() == 0 {
        Ok(None)
    } else {
        get_result(db, id).await
    }
}

/// Gives a worker's lease on a result back, so that it is taken up again.
pub async fn release_result(db: &mut AnyConnection, id: &str, worker_id: &str) -> sqlx::Result<()> {
    // What was captured and not stored is captured again.
    sqlx::query(
        "UPDATE results SET worker_id = NULL, enqueued_at_ms = NULL, \
         stage = CASE WHEN stage = 'store' THEN 'capture' ELSE stage END WHERE id = $1 AND worker_id = $2",
    )
    .bind(id)
    .bind(worker_id)
    .execute(db)
    .await
    .map(drop)
}

/// What a job has in a stage.
#[derive(Debug, Clone, Copy)]
pub struct Waiting {
    /// Whether any result was not enqueued yet.
    pub waits: bool,
    /// How many are enqueued or being worked on.
    pub under_way: i64,
}

/// Counts what a job has in a stage.
pub async fn count_waiting(
    db: &mut AnyConnection,
    job_id: &str,
    stage: &str,
) -> sqlx::Result<Waiting> {
    let under_way: i64 = sqlx::query_scalar(
        "SELECT COUNT(*) FROM results WHERE job_id = $1 AND stage = $2 AND enqueued_at_ms IS NOT NULL",
    )
    .bind(job_id)
    .bind(stage)
    .fetch_one(&mut *db)
    .await?;
    let first: Option<i64> = sqlx::query_scalar(
        "SELECT position FROM results WHERE job_id = $1 AND stage = $2 AND enqueued_at_ms IS NULL LIMIT 1",
    )
    .bind(job_id)
    .bind(stage)
    .fetch_optional(db)
    .await?;
    Ok(Waiting {
        waits: first.is_some(),
        under_way,
    })
}

/// The job whose page is captured next, if any has one that may be: of the organization with the fewest captures under way,
/// then of the job with the fewest; of equals the one that has waited longest for its turn. Jobs that are at their own limit
/// are passed over.
pub async fn choose_job_to_capture(db: &mut AnyConnection) -> sqlx::Result<Option<String>> {
    // `> ''` is a range of the index in both databases; `IS NOT NULL` is not.
    sqlx::query_scalar(
        "WITH under_way AS (SELECT job_id, organization_id, COUNT(*) AS captures FROM results \
         WHERE stage = 'capture' AND worker_id > '' GROUP BY job_id, organization_id), \
         organizations_under_way AS (SELECT organization_id, SUM(captures) AS captures FROM under_way GROUP BY organization_id), \
         turns AS (SELECT organization_id, MAX(last_capture_at_ms) AS last_ms FROM jobs WHERE status = 'PROCESSING' \
         GROUP BY organization_id) \
         SELECT j.id FROM jobs j LEFT JOIN under_way u ON u.job_id = j.id \
         LEFT JOIN organizations_under_way o ON o.organization_id = j.organization_id \
         LEFT JOIN turns t ON t.organization_id = j.organization_id \
         WHERE j.status = 'PROCESSING' AND COALESCE(u.captures, 0) < j.concurrency \
         AND EXISTS (SELECT 1 FROM results r WHERE r.job_id = j.id AND r.stage = 'capture' AND r.enqueued_at_ms IS NULL \
         AND r.worker_id IS NULL) \
         ORDER BY COALESCE(o.captures, 0), COALESCE(t.last_ms, 0), COALESCE(u.captures, 0), COALESCE(j.last_capture_at_ms, 0), \
         j.id LIMIT 1",
    )
    .fetch_optional(db)
    .await
}

/// Takes the lease on the job's next page, if the job is still below its limit.
pub async fn claim_next_capture(
    db: &mut AnyConnection,
    job_id: &str,
    worker_id: &str,
    now_ms: i64,
) -> sqlx::Result<Option<ResultRow>> {
    // It locks the job's row: two servers must not count at once and both find room.
    sqlx::query("UPDATE jobs SET last_capture_at_ms = $1 WHERE id = $2")
        .bind(now_ms)
        .bind(job_id)
        .execute(&mut *db)
        .await?;
    let room: i64 = sqlx::query_scalar(
        "SELECT j.concurrency - (SELECT COUNT(*) FROM results r WHERE r.job_id = j.id AND r.stage = 'capture' \
         AND r.worker_id IS NOT NULL) FROM jobs j WHERE j.id = $1 AND j.status = 'PROCESSING'",
    )
    .bind(job_id)
    .fetch_optional(&mut *db)
    .await?
    .unwrap_or(0);
    if room < 1 {
        return Ok(None);
    }
    let taken: Option<String> = sqlx::query_scalar(
        "UPDATE results SET worker_id = $1, attempts = attempts + 1 WHERE id = (SELECT id FROM results WHERE job_id = $2 \
         AND stage = 'capture' AND enqueued_at_ms IS NULL AND worker_id IS NULL ORDER BY position LIMIT 1) RETURNING id",
    )
    .bind(worker_id)
    .bind(job_id)
    .fetch_optional(&mut *db)
    .await?;
    match taken {
        Some(id) => get_result(db, &id).await,
        None => Ok(None),
    }
}

/// The job whose result is compared next, if any waits: of the organization with the fewest comparisons under way, then of the
/// job with the fewest; of equals the one that has waited longest for its turn.
pub async fn choose_job_to_compare(db: &mut AnyConnection) -> sqlx::Result<Option<String>> {
    sqlx::query_scalar(
        "WITH under_way AS (SELECT job_id, organization_id, COUNT(*) AS comparisons FROM results \
         WHERE stage = 'compare' AND worker_id > '' GROUP BY job_id, organization_id), \
         organizations_under_way AS (SELECT organization_id, SUM(comparisons) AS comparisons FROM under_way GROUP BY organization_id), \
         turns AS (SELECT organization_id, MAX(last_comparison_at_ms) AS last_ms FROM jobs WHERE status = 'PROCESSING' \
         GROUP BY organization_id) \
         SELECT j.id FROM jobs j LEFT JOIN under_way u ON u.job_id = j.id \
         LEFT JOIN organizations_under_way o ON o.organization_id = j.organization_id \
         LEFT JOIN turns t ON t.organization_id = j.organization_id \
         WHERE j.status = 'PROCESSING' \
         AND EXISTS (SELECT 1 FROM results r WHERE r.job_id = j.id AND r.stage = 'compare' AND r.worker_id IS NULL) \
         ORDER BY COALESCE(o.comparisons, 0), COALESCE(t.last_ms, 0), COALESCE(u.comparisons, 0), \
         COALESCE(j.last_comparison_at_ms, 0), j.id LIMIT 1",
    )
    .fetch_optional(db)
    .await
}

/// Takes the lease on the job's next result that waits to be compared.
pub async fn claim_next_comparison(
    db: &mut AnyConnection,
    job_id: &str,
    worker_id: &str,
    now_ms: i64,
) -> sqlx::Result<Option<ResultRow>> {
    // It locks the job's row: two servers must not both take what is next.
    sqlx::query("UPDATE jobs SET last_comparison_at_ms = $1 WHERE id = $2")
        .bind(now_ms)
        .bind(job_id)
        .execute(&mut *db)
        .await?;
    let taken: Option<String> = sqlx::query_scalar(
        "UPDATE results SET worker_id = $1, attempts = attempts + 1 WHERE id = (SELECT id FROM results WHERE job_id = $2 \
         AND stage = 'compare' AND worker_id IS NULL ORDER BY position LIMIT 1) RETURNING id",
    )
    .bind(worker_id)
    .bind(job_id)
    .fetch_optional(&mut *db)
    .await?;
    match taken {
        Some(id) => get_result(db, &id).await,
        None => Ok(None),
    }
}

/// Marks the next results that wait in `stage` as enqueued, so many that no more than `most` are under way, and returns
/// them.
pub async fn take_waiting(
    db: &mut AnyConnection,
    job_id: &str,
    stage: &str,
    most: i64,
    now_ms: i64,
) -> sqlx::Result<Vec<String>> {
    // Two servers must not count at once and both find room.
    lock_job(&mut *db, job_id).await?;
    let under_way = count_waiting(&mut *db, job_id, stage).await?.under_way;
    if under_way >= most {
        return Ok(Vec::new());
    }
    sqlx::query_scalar(
        "UPDATE results SET enqueued_at_ms = $1 WHERE id IN (SELECT id FROM results WHERE job_id = $2 AND stage = $3 \
         AND enqueued_at_ms IS NULL ORDER BY position LIMIT $4) RETURNING id",
    )
    .bind(now_ms)
    .bind(job_id)
    .bind(stage)
    .bind(most - under_way)
    .fetch_all(db)
    .await
}

/// Frees the results that nobody works on although they were leased or enqueued: their worker died, or their task was lost.
/// Captures and comparisons wait for the next free place then, and uploads for the next dispatch.
pub async fn free_lost(db: &mut AnyConnection, lost_before_ms: i64) -> sqlx::Result<()> {
    // What was never enqueued waits for its turn and is not lost.
    sqlx::query(
        "UPDATE results SET worker_id = NULL, enqueued_at_ms = NULL, \
         stage = CASE WHEN stage = 'store' THEN 'capture' ELSE stage END \
         WHERE stage IN ('capture', 'store', 'ingest', 'compare') AND ((worker_id IS NULL AND enqueued_at_ms < $1) \
         OR (worker_id IS NOT NULL AND worker_id NOT IN (SELECT w.id FROM workers w)))",
    )
    .bind(lost_before_ms)
    .execute(db)
    .await
    .map(drop)
}
