//! Calls with an `Idempotency-Key`, and what they were answered.

use sqlx::{AnyConnection, FromRow};

/// What names a call that may be sent again.
#[derive(Debug)]
pub struct CallName<'a> {
    /// Whose call it is.
    pub organization_id: &'a str,
    /// Method and path.
    pub route: &'a str,
    /// The key that was sent with it.
    pub idempotency_key: &'a str,
}

/// A call that was answered.
#[derive(Debug, FromRow)]
pub struct AnsweredCall {
    /// SHA-256 of what it asked for, in hex.
    pub request_hash: String,
    /// Its answer, as JSON.
    pub answer: String,
}

/// The answered call of this name, while it is kept.
pub async fn find_answered(
    db: &mut AnyConnection,
    call: &CallName<'_>,
    now_ms: i64,
) -> sqlx::Result<Option<AnsweredCall>> {
    sqlx::query_as(
        "SELECT request_hash, answer FROM idempotency_keys \
         WHERE organization_id = $1 AND route = $2 AND idempotency_key = $3 AND expires_at_ms > $4",
    )
    .bind(call.organization_id)
    .bind(call.route)
    .bind(call.idempotency_key)
    .bind(now_ms)
    .fetch_optional(db)
    .await
}

/// Takes the name for a call; false when another call has it. While that one's transaction is open this waits, and takes
/// the name if it is rolled back.
pub async fn claim_call(
    db: &mut AnyConnection,
    call: &CallName<'_>,
    request_hash: &str,
    now_ms: i64,
    expires_at_ms: i64,
) -> sqlx::Result<bool> {
    sqlx::query(
        "DELETE FROM idempotency_keys WHERE organization_id = $1 AND route = $2 AND idempotency_key = $3 AND expires_at_ms <= $4",
    )
    .bind(call.organization_id)
    .bind(call.route)
    .bind(call.idempotency_key)
    .bind(now_ms)
    .execute(&mut *db)
    .await?;
    let done = sqlx::query(
        "INSERT INTO idempotency_keys (organization_id, route, idempotency_key, request_hash, answer, expires_at_ms) \
         VALUES ($1, $2, $3, $4, '', $5) ON CONFLICT (organization_id, route, idempotency_key) DO NOTHING",
    )
    .bind(call.organization_id)
    .bind(call.route)
    .bind(call.idempotency_key)
    .bind(request_hash)
    .bind(expires_at_ms)
    .execute(db)
    .await?;
    Ok(done.rows_affected() > 0)
}

/// Keeps the answer of a call whose name was claimed in this transaction.
pub async fn keep_answer(
    db: &mut AnyConnection,
    call: &CallName<'_>,
    answer: &str,
) -> sqlx::Result<()> {
    sqlx::query(
        "UPDATE idempotency_keys SET answer = $1 WHERE organization_id = $2 AND route = $3 AND idempotency_key = $4",
    )
    .bind(answer)
    .bind(call.organization_id)
    .bind(call.route)
    .bind(call.idempotency_key)
    .execute(db)
    .await
    .map(drop)
}

/// Forgets the answers that were kept long enough.
pub async fn delete_expired_answers(db: &mut AnyConnection, now_ms: i64) -> sqlx::Result<()> {
    sqlx::query("DELETE FROM idempotency_keys WHERE expires_at_ms <= $1")
        .bind(now_ms)
        .execute(db)
        .await
        .map(drop)
}
