//! What the results of a job come to, without the results themselves.

use sqlx::AnyConnection;

/// How many results of a job came out, and were judged, in which way.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct JudgedCounts {
    /// All of them.
    pub total: u64,
    /// Those that could not be captured or compared.
    pub errors: u64,
    /// Those that changed.
    pub changed: u64,
    /// Of these, those judged wrong.
    pub bugs: u64,
    /// Of these, those judged meant.
    pub intentional: u64,
    /// Of these, those judged nothing.
    pub noise: u64,
}

/// Counts the results of a job.
pub async fn count_judged(db: &mut AnyConnection, job_id: &str) -> sqlx::Result<JudgedCounts> {
    let (total, errors, changed, bugs, intentional, noise): (i64, i64, i64, i64, i64, i64) =
        sqlx::query_as(
            "SELECT COUNT(*), COUNT(CASE WHEN outcome = 'error' THEN 1 END), COUNT(CASE WHEN changed = 1 THEN 1 END), \
             COUNT(CASE WHEN changed = 1 AND decision = 'bug' THEN 1 END), \
             COUNT(CASE WHEN changed = 1 AND decision = 'intentional' THEN 1 END), \
             COUNT(CASE WHEN changed = 1 AND decision = 'noise' THEN 1 END) \
             FROM results WHERE job_id = $1",
        )
        .bind(job_id)
        .fetch_one(db)
        .await?;
    let count = |number: i64| u64::try_from(number).unwrap_or(0);
    Ok(JudgedCounts {
        total: count(total),
        errors: count(errors),
        changed: count(changed),
        bugs: count(bugs),
        intentional: count(intentional),
        noise: count(noise),
    })
}

/// The decision on each of a job's results, by the results' ids.
pub async fn list_decisions(
    db: &mut AnyConnection,
    job_id: &str,
) -> sqlx::Result<Vec<(String, Option<String>)>> {
    sqlx::query_as("SELECT id, decision FROM results WHERE job_id = $1")
        .bind(job_id)
        .fetch_all(db)
        .await
}

/// The scores of a job's compared results, in the job's order.
pub async fn list_scores(db: &mut AnyConnection, job_id: &str) -> sqlx::Result<Vec<f64>> {
    sqlx::query_scalar(
        "SELECT visual_match_score FROM results WHERE job_id = $1 AND visual_match_score IS NOT NULL ORDER BY position",
    )
    .bind(job_id)
    .fetch_all(db)
    .await
}

/// The first so many documents of a job's results behind a position, each with its own position, in the job's order.
pub async fn list_documents(
    db: &mut AnyConnection,
    job_id: &str,
    after: i64,
    limit: i64,
) -> sqlx::Result<Vec<(i64, String)>> {
    sqlx::query_as(
        "SELECT position, document FROM results WHERE job_id = $1 AND position > $2 AND document IS NOT NULL \
         ORDER BY position LIMIT $3",
    )
    .bind(job_id)
    .bind(after)
    .bind(limit)
    .fetch_all(db)
    .await
}
