//! API keys. Only the hash of a key is stored.

use pentimento_api::session::Scope;
use sqlx::{AnyConnection, FromRow};

/// A key as it is stored, with its organization's names.
#[derive(Debug, Clone, FromRow)]
pub struct KeyRow {
    /// The key's id.
    pub id: String,
    /// Whose it is.
    pub organization_id: String,
    /// The organization's slug.
    pub organization_slug: String,
    /// The organization's name.
    pub organization_name: String,
    /// The key's name, which triage records.
    pub name: String,
    /// SHA-256 of the key, in hex.
    pub secret_hash: String,
    /// Scopes, separated by spaces.
    pub scopes: String,
    /// When it was made.
    pub created_at_ms: i64,
    /// When it ends by itself.
    pub expires_at_ms: Option<i64>,
    /// When it was revoked.
    pub revoked_at_ms: Option<i64>,
    /// When it was last used, to the minute.
    pub last_used_at_ms: Option<i64>,
    /// The key that took its place.
    pub replaced_by: Option<String>,
}

impl KeyRow {
    /// What the key may do.
    pub(crate) fn scopes(&self) -> Vec<Scope> {
        let held: Vec<&str> = self.scopes.split_whitespace().collect();
        let is_held = |scope: &Scope| held.contains(&scope.as_str());
        Scope::ALL.into_iter().filter(is_held).collect()
    }
}

const COLUMNS_FROM: &str = "SELECT k.id, k.organization_id, o.slug AS organization_slug, o.name AS organization_name, k.name, \
     k.secret_hash, k.scopes, k.created_at_ms, k.expires_at_ms, k.revoked_at_ms, k.last_used_at_ms, k.replaced_by \
     FROM api_keys k JOIN organizations o ON o.id = k.organization_id";

/// Most keys that one listing returns.
const LIST_LIMIT: i64 = 1000;

/// The key with this hash.
pub async fn find_key_by_hash(
    db: &mut AnyConnection,
    secret_hash: &str,
) -> sqlx::Result<Option<KeyRow>> {
    let sql = sqlx::AssertSqlSafe(format!("{COLUMNS_FROM} WHERE k.secret_hash = $1"));
    sqlx::query_as(sql)
        .bind(secret_hash)
        .fetch_optional(db)
        .await
}

/// The key with this id.
pub async fn find_key(db: &mut AnyConnection, id: &str) -> sqlx::Result<Option<KeyRow>> {
    let sql = sqlx::AssertSqlSafe(format!("{COLUMNS_FROM} WHERE k.id = $1"));
    sqlx::query_as(sql).bind(id).fetch_optional(db).await
}

/// Holds a key's row until the transaction ends, so that it is not rotated meanwhile.
pub async fn lock_key(db: &mut AnyConnection, id: &str) -> sqlx::Result<()> {
    sqlx::query("UPDATE api_keys SET name = name WHERE id = $1")
        .bind(id)
        .execute(db)
        .await
        .map(drop)
}

/// Every key, newest last.
pub async fn list_keys(db: &mut AnyConnection) -> sqlx::Result<Vec<KeyRow>> {
    let sql = sqlx::AssertSqlSafe(format!("{COLUMNS_FROM} ORDER BY k.created_at_ms, k.id"));
    sqlx::query_as(sql).fetch_all(db).await
}

/// The organization's key with this id.
pub async fn find_organization_key(
    db: &mut AnyConnection,
    organization_id: &str,
    id: &str,
) -> sqlx::Result<Option<KeyRow>> {
    let sql = sqlx::AssertSqlSafe(format!(
        "{COLUMNS_FROM} WHERE k.organization_id = $1 AND k.id = $2"
    ));
    sqlx::query_as(sql)
        .bind(organization_id)
        .bind(id)
        .fetch_optional(db)
        .await
}

/// The organization's keys, those that were not revoked first, then the newest first; at most a thousand.
pub async fn list_organization_keys(
    db: &mut AnyConnection,
    organization_id: &str,
) -> sqlx::Result<Vec<KeyRow>> {
    let sql = sqlx::AssertSqlSafe(format!(
        "{COLUMNS_FROM} WHERE k.organization_id = $1 \
         ORDER BY CASE WHEN k.revoked_at_ms IS NULL THEN 0 ELSE 1 END, k.created_at_ms DESC, k.id DESC LIMIT $2"
    ));
    sqlx::query_as(sql)
        .bind(organization_id)
        .bind(LIST_LIMIT)
        .fetch_all(db)
        .await
}

/// How many keys beside this one can manage the organization's keys and do not end before this time.
pub async fn count_other_admin_keys(
    db: &mut AnyConnection,
    organization_id: &str,
    id: &str,
    until_ms: i64,
) -> sqlx::Result<i64> {
    sqlx::query_scalar(
        "SELECT COUNT(*) FROM api_keys WHERE organization_id = $1 AND id <> $2 AND scopes LIKE '%admin%' \
         AND revoked_at_ms IS NULL AND replaced_by IS NULL AND (expires_at_ms IS NULL OR expires_at_ms >= $3)",
    )
    .bind(organization_id)
    .bind(id)
    .bind(until_ms)
    .fetch_one(db)
    .await
}

/// How many keys were ever made.
pub async fn count_keys(db: &mut AnyConnection) -> sqlx::Result<i64> {
    sqlx::query_scalar("SELECT COUNT(*) FROM api_keys")
        .fetch_one(db)
        .await
}

/// What a new key is stored with.
#[derive(Debug)]
pub struct NewKey<'a> {
    /// Its id.
    pub id: &'a str,
    /// Whose it is.
    pub organization_id: &'a str,
    /// Its name.
    pub name: &'a str,
    /// SHA-256 of the key, in hex.
    pub secret_hash: &'a str,
    /// Scopes, separated by spaces.
    pub scopes: &'a str,
    /// Now.
    pub created_at_ms: i64,
    /// When it ends by itself.
    pub expires_at_ms: Option<i64>,
}

/// Stores a key.
pub async fn insert_key(db: &mut AnyConnection, key: &NewKey<'_>) -> sqlx::Result<()> {
    sqlx::query(
        "INSERT INTO api_keys (id, organization_id, name, secret_hash, scopes, created_at_ms, expires_at_ms) \
         VALUES ($1, $2, $3, $4, $5, $6, $7)",
    )
    .bind(key.id)
    .bind(key.organization_id)
    .bind(key.name)
    .bind(key.secret_hash)
    .bind(key.scopes)
    .bind(key.created_at_ms)
    .bind(key.expires_at_ms)
    .execute(db)
    .await
    .map(drop)
}

/// Revokes a key; false when there is none with this id, or it was revoked already.
pub async fn revoke_key(db: &mut AnyConnection, id: &str, now_ms: i64) -> sqlx::Result<bool> {
    let done = sqlx::query(
        "UPDATE api_keys SET revoked_at_ms = $1 WHERE id = $2 AND revoked_at_ms IS NULL",
    )
    .bind(now_ms)
    .bind(id)
    .execute(db)
    .await?;
    Ok(done.rows_affected() > 0)
}

/// Puts another key in a key's place, and has it end at `ends_at_ms` if it does not earlier; false when it was replaced
/// or revoked already.
pub async fn replace_key(
    db: &mut AnyConnection,
    id: &str,
    replaced_by: &str,
    ends_at_ms: i64,
) -> sqlx::Result<bool> {
    let done = sqlx::query(
        "UPDATE api_keys SET replaced_by = $1, \
         expires_at_ms = CASE WHEN expires_at_ms < $2 THEN expires_at_ms ELSE $2 END \
         WHERE id = $3 AND replaced_by IS NULL AND revoked_at_ms IS NULL",
    )
    .bind(replaced_by)
    .bind(ends_at_ms)
    .bind(id)
    .execute(db)
    .await?;
    Ok(done.rows_affected() > 0)
}

/// Remembers that a key was used.
pub async fn touch_key(db: &mut AnyConnection, id: &str, now_ms: i64) -> sqlx::Result<()> {
    sqlx::query("UPDATE api_keys SET last_used_at_ms = $1 WHERE id = $2")
        .bind(now_ms)
        .bind(id)
        .execute(db)
        .await
        .map(drop)
}
