//! Deliveries of webhooks: the events that wait to be sent, the lease on an attempt, and the log of what came of them.
//!
//! A lease is a time until which nobody else begins an attempt, and the number of the attempt is its token: what an
//! attempt brought counts only while no later one was begun.

use sqlx::any::AnyArguments;
use sqlx::query::QueryAs;
use sqlx::{Any, AnyConnection, AssertSqlSafe, FromRow};

/// A delivery as it is stored.
#[derive(Debug, Clone, PartialEq, Eq, FromRow)]
pub struct DeliveryRow {
    /// Its id.
    pub id: String,
    /// Where it goes.
    pub webhook_id: String,
    /// The event.
    pub event_id: String,
    /// What happened.
    pub event: String,
    /// What is sent.
    pub body: String,
    /// `pending`, `delivered` or `failed`.
    pub status: String,
    /// Why it was given up.
    pub error: Option<String>,
    /// Attempts that were begun.
    pub attempts: i64,
    /// What came of them, as JSON.
    pub attempt_log: String,
    /// When the next one is due.
    pub next_attempt_at_ms: Option<i64>,
    /// When it was made.
    pub created_at_ms: i64,
}

const COLUMNS: &str = "id, webhook_id, event_id, event, body, status, error, attempts, attempt_log, next_attempt_at_ms, created_at_ms";

fn select<'q>(rest: &str) -> QueryAs<'q, Any, DeliveryRow, AnyArguments> {
    sqlx::query_as(AssertSqlSafe(format!(
        "SELECT {COLUMNS} FROM webhook_deliveries {rest}"
    )))
}

/// Stores an event to be sent at once.
pub async fn insert_delivery(db: &mut AnyConnection, row: &DeliveryRow) -> sqlx::Result<()> {
    sqlx::query(
        "INSERT INTO webhook_deliveries (id, webhook_id, event_id, event, body, status, next_attempt_at_ms, created_at_ms) \
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8)",
    )
    .bind(&row.id)
    .bind(&row.webhook_id)
    .bind(&row.event_id)
    .bind(&row.event)
    .bind(&row.body)
    .bind(&row.status)
    .bind(row.next_attempt_at_ms)
    .bind(row.created_at_ms)
    .execute(db)
    .await
    .map(drop)
}

/// The webhook's delivery with this id.
pub async fn find_delivery(
    db: &mut AnyConnection,
    webhook_id: &str,
    id: &str,
) -> sqlx::Result<Option<DeliveryRow>> {
    select("WHERE webhook_id = $1 AND id = $2")
        .bind(webhook_id)
        .bind(id)
        .fetch_optional(db)
        .await
}

/// What narrows a list of deliveries; an empty string narrows nothing.
#[derive(Debug, Default)]
pub struct DeliveryFilter<'a> {
    /// Only deliveries older than this one.
    pub before: &'a str,
    /// Only deliveries in this status.
    pub status: &'a str,
    /// Most rows.
    pub limit: i64,
}

/// The webhook's deliveries, newest first.
pub async fn list_deliveries(
    db: &mut AnyConnection,
    webhook_id: &str,
    filter: &DeliveryFilter<'_>,
) -> sqlx::Result<Vec<DeliveryRow>> {
    select("WHERE webhook_id = $1 AND ($2 = '' OR id < $2) AND ($3 = '' OR status = $3) ORDER BY id DESC LIMIT $4")
        .bind(webhook_id)
        .bind(filter.before)
        .bind(filter.status)
        .bind(filter.limit)
        .fetch_all(db)
        .await
}

/// Whether any attempt is due that nobody has begun.
pub async fn is_any_due(db: &mut AnyConnection, now_ms: i64) -> sqlx::Result<bool> {
    let found: Option<i64> = sqlx::query_scalar(
        "SELECT d.created_at_ms FROM webhook_deliveries d JOIN webhooks w ON w.id = d.webhook_id \
         WHERE d.status = 'pending' AND d.next_attempt_at_ms <= $1 AND w.enabled = 1 \
         AND (d.leased_until_ms IS NULL OR d.leased_until_ms <= $1) LIMIT 1",
    )
    .bind(now_ms)
    .fetch_optional(db)
    .await?;
    Ok(found.is_some())
}

/// How much is taken at once.
#[derive(Debug, Clone, Copy)]
pub struct Take {
    /// Most rows.
    pub limit: i64,
    /// Most attempts under way for one webhook, those of other servers included.
    pub per_webhook: i64,
    /// Until when they are leased.
    pub leased_until_ms: i64,
}

/// Begins attempts that are due: takes their leases and counts them. Every webhook comes to its turn before any has its
/// second, so that the backlog of one holds up no other.
pub async fn take_due(
    db: &mut AnyConnection,
    take: Take,
    now_ms: i64,
) -> sqlx::Result<Vec<DeliveryRow>> {
    // PostgreSQL tests the last line once more on a row that another server has just taken.
    let sql = format!(
        "UPDATE webhook_deliveries SET leased_until_ms = $1, attempts = attempts + 1 WHERE id IN ( \
           SELECT ranked.id FROM ( \
             SELECT d.id, d.next_attempt_at_ms, d.leased_until_ms, ROW_NUMBER() OVER ( \
               PARTITION BY d.webhook_id \
               ORDER BY CASE WHEN d.leased_until_ms > $2 THEN 0 ELSE 1 END, d.next_attempt_at_ms, d.id) AS place \
             FROM webhook_deliveries d JOIN webhooks w ON w.id = d.webhook_id \
             WHERE d.status = 'pending' AND d.next_attempt_at_ms <= $2 AND w.enabled = 1) AS ranked \
           WHERE ranked.place <= $3 AND (ranked.leased_until_ms IS NULL OR ranked.leased_until_ms <= $2) \
           ORDER BY ranked.place, ranked.next_attempt_at_ms, ranked.id LIMIT $4) \
         AND status = 'pending' AND (leased_until_ms IS NULL OR leased_until_ms <= $2) RETURNING {COLUMNS}"
    );
    sqlx::query_as(AssertSqlSafe(sql))
        .bind(take.leased_until_ms)
        .bind(now_ms)
        .bind(take.per_webhook)
        .bind(take.limit)
        .fetch_all(db)
        .await
}

/// Keeps what an attempt brought: the row as it stands after it. False when the attempt is not the latest any more, or
/// the delivery was ended meanwhile.
pub async fn set_attempted(db: &mut AnyConnection, row: &DeliveryRow) -> sqlx::Result<bool> {
    let done = sqlx::query(
        "UPDATE webhook_deliveries SET status = $1, error = $2, attempt_log = $3, next_attempt_at_ms = $4, leased_until_ms = NULL \
         WHERE id = $5 AND attempts = $6 AND status = 'pending'",
    )
    .bind(&row.status)
    .bind(&row.error)
    .bind(&row.attempt_log)
    .bind(row.next_attempt_at_ms)
    .bind(&row.id)
    .bind(row.attempts)
    .execute(db)
    .await?;
    Ok(done.rows_affected() > 0)
}

/// Ends every lease, for a process that knows that no other has any.
pub async fn release_leases(db: &mut AnyConnection) -> sqlx::Result<()> {
    sqlx::query("UPDATE webhook_deliveries SET leased_until_ms = NULL WHERE status = 'pending' AND leased_until_ms IS NOT NULL")
        .execute(db)
        .await
        .map(drop)
}

/// Gives up all that waits for a webhook.
pub async fn fail_pending(
    db: &mut AnyConnection,
    webhook_id: &str,
    error: &str,
) -> sqlx::Result<()> {
    sqlx::query(
        "UPDATE webhook_deliveries SET status = 'failed', error = $1, next_attempt_at_ms = NULL, leased_until_ms = NULL \
         WHERE webhook_id = $2 AND status = 'pending'",
    )
    .bind(error)
    .bind(webhook_id)
    .execute(db)
    .await
    .map(drop)
}

/// Removes the log of a webhook.
pub async fn delete_deliveries(db: &mut AnyConnection, webhook_id: &str) -> sqlx::Result<()> {
    sqlx::query("DELETE FROM webhook_deliveries WHERE webhook_id = $1")
        .bind(webhook_id)
        .execute(db)
        .await
        .map(drop)
}

/// Removes what is older than this from the log, no more than so many; returns how many.
pub async fn delete_old_deliveries(
    db: &mut AnyConnection,
    before_ms: i64,
    most: i64,
) -> sqlx::Result<u64> {
    let done = sqlx::query(
        "DELETE FROM webhook_deliveries WHERE id IN \
         (SELECT id FROM webhook_deliveries WHERE created_at_ms < $1 ORDER BY created_at_ms LIMIT $2)",
    )
    .bind(before_ms)
    .bind(most)
    .execute(db)
    .await?;
    Ok(done.rows_affected())
}
