//! The audit log: who did what to what, and when.

use serde_json::Value;
use sqlx::{AnyConnection, AssertSqlSafe};
use uuid::Uuid;

use super::needle::{as_written, pattern};
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

/// An entry as it is read.
#[derive(Debug, Clone, sqlx::FromRow)]
pub struct AuditRow {
    /// Names it.
    pub id: String,
    /// When it was done.
    pub happened_at_ms: i64,
    /// Who did it.
    pub actor: String,
    /// What was done.
    pub action: String,
    /// What it was done to.
    pub subject: String,
    /// The name of the project that this is, or belongs to.
    pub project: Option<String>,
    /// The figures, an object of JSON.
    pub detail: String,
}

/// Which entries are read; an empty text narrows nothing.
#[derive(Debug, Clone)]
pub struct AuditFilter {
    /// The first and the last millisecond.
    pub between_ms: (i64, i64),
    /// Time and id of the entry that the last ones were read up to.
    pub before: Option<(i64, String)>,
    /// An action, or what actions are about.
    pub action: String,
    /// What the names of those who did it contain.
    pub actor: String,
    /// What it was done to.
    pub subject: String,
}

/// An organization's entries, newest first.
pub async fn list_audit(
    db: &mut AnyConnection,
    organization_id: &str,
    filter: &AuditFilter,
    limit: i64,
) -> sqlx::Result<Vec<AuditRow>> {
    let (from_ms, to_ms) = filter.between_ms;
    let (before_ms, before_id) = match &filter.before {
        Some((ms, id)) if *ms <= to_ms => (*ms, id.as_str()),
        Some(_) | None => (to_ms, ""),
    };
    sqlx::query_as(
        "SELECT a.id, a.happened_at_ms, a.actor, a.action, a.subject, COALESCE(p.name, j.project_name, k.project_name, w.project_name) AS project, a.detail FROM audit a \
         LEFT JOIN projects p ON p.id = a.subject AND p.organization_id = a.organization_id \
         LEFT JOIN jobs j ON j.id = a.subject AND j.organization_id = a.organization_id \
         LEFT JOIN results r ON r.id = a.subject \
         LEFT JOIN jobs k ON k.id = r.job_id AND k.organization_id = a.organization_id \
         LEFT JOIN webhooks w ON w.id = a.subject AND w.organization_id = a.organization_id \
         WHERE a.organization_id = $1 AND a.happened_at_ms >= $2 AND a.happened_at_ms <= $3 \
         AND ($4 = '' OR a.happened_at_ms < $3 OR a.id < $4) \
         AND ($5 = '' OR a.action = $5 OR SUBSTR(a.action, 1, LENGTH($6)) = $6) \
         AND ($7 = '' OR LOWER(a.actor) LIKE $7 ESCAPE '!' OR a.actor LIKE $10 ESCAPE '!') AND ($8 = '' OR a.subject = $8) \
         ORDER BY a.happened_at_ms DESC, a.id DESC LIMIT $9",
    )
    .bind(organization_id)
    .bind(from_ms)
    .bind(before_ms)
    .bind(before_id)
    .bind(filter.action.as_str())
    .bind(format!("{}.", filter.action))
    .bind(pattern(&filter.actor))
    .bind(filter.subject.as_str())
    .bind(limit)
    .bind(as_written(&filter.actor))
    .fetch_all(db)
    .await
}
