//! Which jobs are to be removed: old ones, those whose removal was interrupted, and those that could not be removed before.

use sqlx::{AnyConnection, AssertSqlSafe, FromRow};

use crate::db::rows::{AT_ONCE, places};

/// A job that has ended.
#[derive(Debug, Clone, FromRow)]
pub struct EndedJob {
    /// Its id.
    pub id: String,
    /// Whose it is.
    pub organization_id: String,
    /// Its project, where it has one.
    pub project_id: Option<String>,
    /// The project's name.
    pub project_name: Option<String>,
    /// When it ended.
    pub finished_at_ms: i64,
}

const SELECT: &str =
    "SELECT j.id, j.organization_id, j.project_id, j.project_name, j.finished_at_ms FROM";

const IS_NOT_LAST: &str =
    "NOT EXISTS (SELECT 1 FROM projects p WHERE p.id = j.project_id AND p.last_job_id = j.id)";

const IS_NOT_STUCK: &str = "NOT EXISTS (SELECT 1 FROM stuck_jobs s WHERE s.job_id = j.id)";

/// Jobs that ended before a time, are not hidden and not known to be stuck, the first ones first, from behind the end and the id of
/// one on; the last job of a project is none of them. Only what has ended has such a time.
pub async fn list_ended_jobs(
    db: &mut AnyConnection,
    (after_ms, after_id): (i64, &str),
    before_ms: i64,
    limit: i64,
) -> sqlx::Result<Vec<EndedJob>> {
    sqlx::query_as(AssertSqlSafe(format!(
        "{SELECT} jobs j WHERE j.removed_at_ms IS NULL AND j.finished_at_ms < $1 AND j.finished_at_ms >= $2 \
         AND (j.finished_at_ms > $2 OR j.id > $3) AND {IS_NOT_LAST} AND {IS_NOT_STUCK} \
         ORDER BY j.finished_at_ms, j.id LIMIT $4"
    )))
    .bind(before_ms)
    .bind(after_ms)
    .bind(after_id)
    .bind(limit)
    .fetch_all(db)
    .await
}

/// Jobs that were hidden, are still there, and are not known to be stuck.
pub async fn list_hidden_jobs(db: &mut AnyConnection, limit: i64) -> sqlx::Result<Vec<EndedJob>> {
    sqlx::query_as(AssertSqlSafe(format!(
        "{SELECT} jobs j WHERE j.removed_at_ms IS NOT NULL AND {IS_NOT_STUCK} ORDER BY j.removed_at_ms, j.id LIMIT $1"
    )))
    .bind(limit)
    .fetch_all(db)
    .await
}

/// Stuck jobs that were last tried before a time, those first whose last try is longest ago: hidden ones, and those that ended
/// before `before_ms`.
pub async fn list_stuck_jobs(
    db: &mut AnyConnection,
    tried_before_ms: i64,
    before_ms: i64,
    limit: i64,
) -> sqlx::Result<Vec<EndedJob>> {
    sqlx::query_as(AssertSqlSafe(format!(
        "{SELECT} stuck_jobs s JOIN jobs j ON j.id = s.job_id WHERE s.tried_at_ms < $1 \
         AND (j.removed_at_ms IS NOT NULL OR (j.finished_at_ms < $2 AND {IS_NOT_LAST})) \
         ORDER BY s.tried_at_ms, s.job_id LIMIT $3"
    )))
    .bind(tried_before_ms)
    .bind(before_ms)
    .bind(limit)
    .fetch_all(db)
    .await
}

/// Notes that jobs could not be removed just now. What another server has removed meanwhile is not noted.
pub async fn note_stuck_jobs(
    db: &mut AnyConnection,
    ids: &[&str],
    now_ms: i64,
) -> sqlx::Result<()> {
    for chunk in ids.chunks(AT_ONCE) {
        let sql = format!(
            "WITH stuck (id) AS (VALUES {}) INSERT INTO stuck_jobs (job_id, tried_at_ms) \
             SELECT j.id, $1 FROM jobs j WHERE j.id IN (SELECT id FROM stuck) \
             ON CONFLICT (job_id) DO UPDATE SET tried_at_ms = excluded.tried_at_ms",
            places(chunk.len(), 1, 2)
        );
        let mut query = sqlx::query(AssertSqlSafe(sql)).bind(now_ms);
        for id in chunk {
            query = query.bind(*id);
        }
        query.execute(&mut *db).await?;
    }
    Ok(())
}
