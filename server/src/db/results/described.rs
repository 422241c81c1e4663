//! Results as a language model described them, beside what was measured.

use sqlx::{AnyConnection, FromRow};

/// A changed result as it was measured.
#[derive(Debug, FromRow)]
pub struct MeasuredRow {
    /// Its id.
    pub id: String,
    /// [`pentimento_api::result::ServiceSummary`] of each finding, as JSON.
    pub findings: String,
    /// [`crate::verdict::Fact`] of each finding, as JSON; none when it was compared before there were any.
    pub facts: Option<String>,
}

/// The changed results of a job in their stable order.
pub async fn list_measured(db: &mut AnyConnection, job_id: &str) -> sqlx::Result<Vec<MeasuredRow>> {
    sqlx::query_as(
        "SELECT id, findings, facts FROM results WHERE job_id = $1 AND changed = 1 AND stage = 'done' AND findings IS NOT NULL \
         ORDER BY position",
    )
    .bind(job_id)
    .fetch_all(db)
    .await
}

/// Keeps a description and the decision that is served with it. What was measured and what people decided stay.
pub async fn set_described(
    db: &mut AnyConnection,
    id: &str,
    described: &str,
    decision: &str,
) -> sqlx::Result<()> {
    sqlx::query(
        "UPDATE results SET described = $1, decision = $2 WHERE id = $3 AND changed = 1 AND stage = 'done'",
    )
    .bind(described)
    .bind(decision)
    .bind(id)
    .execute(db)
    .await
    .map(drop)
}
