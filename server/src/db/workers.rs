//! Processes that do work, and whether they are alive.

use sqlx::AnyConnection;

/// Says that this worker is alive.
pub async fn beat_worker(db: &mut AnyConnection, id: &str, now_ms: i64) -> sqlx::Result<()> {
    sqlx::query(
        "INSERT INTO workers (id, started_at_ms, heartbeat_at_ms) VALUES ($1, $2, $2) \
         ON CONFLICT (id) DO UPDATE SET heartbeat_at_ms = excluded.heartbeat_at_ms",
    )
    .bind(id)
    .bind(now_ms)
    .execute(db)
    .await
    .map(drop)
}

/// Forgets workers whose last heartbeat is older than `dead_before_ms`, except `keep`.
pub async fn bury_workers(
    db: &mut AnyConnection,
    keep: &str,
    dead_before_ms: i64,
) -> sqlx::Result<u64> {
    let done = sqlx::query("DELETE FROM workers WHERE heartbeat_at_ms < $1 AND id <> $2")
        .bind(dead_before_ms)
        .bind(keep)
        .execute(db)
        .await?;
    Ok(done.rows_affected())
}

/// Forgets the queue's tasks that are done. The queue's own way rewrites the whole database file, which stops everybody.
pub(crate) async fn delete_done_tasks(queue: &super::QueuePool) -> sqlx::Result<()> {
    match queue {
        super::QueuePool::Sqlite(pool) => {
            sqlx::query("DELETE FROM Jobs WHERE status IN ('Done', 'Killed')")
                .execute(pool)
                .await
                .map(drop)
        }
        super::QueuePool::Postgres(pool) => {
            sqlx::query("DELETE FROM apalis.jobs WHERE status IN ('Done', 'Killed')")
                .execute(pool)
                .await
                .map(drop)
        }
    }
}
