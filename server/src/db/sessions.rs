//! Dashboard sessions. Only the hash of a session's token is stored.

use sqlx::AnyConnection;

/// Stores a session.
pub async fn insert_session(
    db: &mut AnyConnection,
    token_hash: &str,
    key_id: &str,
    now_ms: i64,
    expires_at_ms: i64,
) -> sqlx::Result<()> {
    sqlx::query("INSERT INTO sessions (token_hash, key_id, created_at_ms, expires_at_ms) VALUES ($1, $2, $3, $4)")
        .bind(token_hash)
        .bind(key_id)
        .bind(now_ms)
        .bind(expires_at_ms)
        .execute(db)
        .await
        .map(drop)
}

/// The key that a living session was opened with.
pub async fn find_session_key(
    db: &mut AnyConnection,
    token_hash: &str,
    now_ms: i64,
) -> sqlx::Result<Option<String>> {
    sqlx::query_scalar("SELECT key_id FROM sessions WHERE token_hash = $1 AND expires_at_ms > $2")
        .bind(token_hash)
        .bind(now_ms)
        .fetch_optional(db)
        .await
}

/// Ends a session.
pub async fn delete_session(db: &mut AnyConnection, token_hash: &str) -> sqlx::Result<()> {
    sqlx::query("DELETE FROM sessions WHERE token_hash = $1")
        .bind(token_hash)
        .execute(db)
        .await
        .map(drop)
}

/// Ends every session that was opened with a key.
pub async fn delete_key_sessions(db: &mut AnyConnection, key_id: &str) -> sqlx::Result<()> {
    sqlx::query("DELETE FROM sessions WHERE key_id = $1")
        .bind(key_id)
        .execute(db)
        .await
        .map(drop)
}

/// Forgets the sessions that have ended.
pub async fn delete_expired_sessions(db: &mut AnyConnection, now_ms: i64) -> sqlx::Result<()> {
    sqlx::query("DELETE FROM sessions WHERE expires_at_ms <= $1")
        .bind(now_ms)
        .execute(db)
        .await
        .map(drop)
}
