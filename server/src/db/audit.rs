//! The audit log: who did what to what, and when.

use serde_json::Value;
use sqlx::{AnyConnection, AssertSqlSafe};
use uuid::Uuid;

use super::rows::{AT_ONCE, places};

/// One entry.
#[derive(Debug)]
pub struct AuditEntry<'a> {
    /// Whose log it goes to.
    pub organization_id: &'a str,
    /// Who did it.
    pub actor: &'a str,
    /// What was done, such as `baseline.promote`.
    pub action: &'a str,
    /// What it was done to.
    pub subject: &'a str,
    /// The figures; never a secret.
    pub detail: Value,
}

/// Writes an entry, in the transaction of what it records.
pub async fn insert_audit(
    db: &mut AnyConnection,
    entry: &AuditEntry<'_>,
    now_ms: i64,
) -> sqlx::Result<()> {
    insert_audits(db, std::slice::from_ref(entry), now_ms).await
}

/// Writes entries, in the transaction of what they record.
pub async fn insert_audits(
    db: &mut AnyConnection,
    entries: &[AuditEntry<'_>],
    now_ms: i64,
) -> sqlx::Result<()> {
    for chunk in entries.chunks(AT_ONCE) {
        let sql = format!(
            "INSERT INTO audit (id, organization_id, happened_at_ms, actor, action, subject, detail) VALUES {}",
            places(chunk.len(), 7, 1)
        );
        let mut query = sqlx::query(AssertSqlSafe(sql));
        for entry in chunk {
            query = query
                .bind(Uuid::now_v7().to_string())
                .bind(entry.organization_id)
                .bind(now_ms)
                .bind(entry.actor)
                .bind(entry.action)
                .bind(entry.subject)
                .bind(entry.detail.to_string());
        }
        query.execute(&mut *db).await?;
    }
    Ok(())
}
