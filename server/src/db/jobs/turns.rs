//! Whose job has its pages discovered next: organizations take turns, however many jobs one of them has waiting.

use sqlx::AnyConnection;

use super::{JobRow, get_job};

/// Takes the lease on the next job whose pages are to be found, with how often that was begun; none when no job waits. It is
/// one of the organization with the fewest discoveries under way, of equals the one whose turn is longest ago, and of its
/// jobs the oldest.
pub async fn claim_next_discovery(
    db: &mut AnyConnection,
    worker_id: &str,
    now_ms: i64,
) -> sqlx::Result<Option<(JobRow, i64)>> {
    // The choice belongs to the claim: of two servers that choose at once, one finds the job taken and chooses again.
    loop {
        let Some((id, organization_id)) = choose(db).await? else {
            return Ok(None);
        };
        let taken: Option<(i64,)> = sqlx::query_as(
            "UPDATE jobs SET worker_id = $1, attempts = attempts + 1 WHERE id = $2 AND status = 'INITIALIZING' \
             AND (worker_id IS NULL OR worker_id NOT IN (SELECT w.id FROM workers w)) RETURNING attempts",
        )
        .bind(worker_id)
        .bind(&id)
        .fetch_optional(&mut *db)
        .await?;
        let Some((attempts,)) = taken else { continue };
        sqlx::query("UPDATE organizations SET last_discovery_at_ms = $1 WHERE id = $2")
            .bind(now_ms)
            .bind(organization_id)
            .execute(&mut *db)
            .await?;
        return Ok(Some((get_job(db, &id).await?, attempts)));
    }
}

/// The job whose turn it is, and whose it is. A client-driven job that is not finalized has no pages to be found.
async fn choose(db: &mut AnyConnection) -> sqlx::Result<Option<(String, String)>> {
    sqlx::query_as(
        "WITH open AS (SELECT j.id, j.organization_id, CASE WHEN j.worker_id IN (SELECT w.id FROM workers w) THEN 1 ELSE 0 END AS taken \
         FROM jobs j WHERE j.status = 'INITIALIZING' AND NOT EXISTS (SELECT 1 FROM client_jobs c WHERE c.job_id = j.id)), \
         under_way AS (SELECT organization_id, SUM(taken) AS discoveries FROM open GROUP BY organization_id) \
         SELECT j.id, j.organization_id FROM open j JOIN under_way u ON u.organization_id = j.organization_id \
         JOIN organizations o ON o.id = j.organization_id WHERE j.taken = 0 \
         ORDER BY u.discoveries, COALESCE(o.last_discovery_at_ms, 0), j.id LIMIT 1",
    )
    .fetch_optional(db)
    .await
}
