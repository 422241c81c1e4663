//! What people decide on results: reading what a decision needs, and recording many at once.

use pentimento_api::result::TriageStatus;
use sqlx::{AnyConnection, AssertSqlSafe};

use super::{ResultRow, SELECT};
use crate::db::rows::{AT_ONCE, places};

/// What a decision does not ask for, and what makes rows large.
const UNASKED: [&str; 6] = [
    "comparison",
    "document",
    "findings",
    "verdict",
    "described",
    "disagreements",
];

/// A job's results in their stable order, without what was measured on them.
pub async fn list_to_decide(db: &mut AnyConnection, job_id: &str) -> sqlx::Result<Vec<ResultRow>> {
    let mut select = SELECT.to_owned();
    for column in UNASKED {
        select = select.replace(
            &format!("r.{column},"),
            &format!("CAST(NULL AS TEXT) AS {column},"),
        );
    }
    sqlx::query_as(AssertSqlSafe(format!(
        "{select} WHERE r.job_id = $1 ORDER BY r.position"
    )))
    .bind(job_id)
    .fetch_all(db)
    .await
}

/// What is the same of all decisions of a call.
#[derive(Debug, Clone, Copy)]
pub struct Triage<'a> {
    /// What was decided.
    pub status: TriageStatus,
    /// By whom.
    pub by: &'a str,
    /// A note.
    pub note: Option<&'a str>,
}

/// A decision on one result.
#[derive(Debug, Clone, Copy)]
pub struct Triaged<'a> {
    /// The result.
    pub id: &'a str,
    /// The verdict as it stands.
    pub verdict: Option<&'a str>,
    /// Version that promoting gave the baseline pointer; none when the capture is not the baseline.
    pub promoted_version: Option<i64>,
    /// Version of the baseline pointer at which it names what the result was compared with.
    pub pinned_version: i64,
}

/// Records decisions.
pub async fn set_triages(
    db: &mut AnyConnection,
    triage: Triage<'_>,
    results: &[Triaged<'_>],
    now_ms: i64,
) -> sqlx::Result<()> {
    for chunk in results.chunks(AT_ONCE) {
        let sql = format!(
            "WITH decided (result_id, judged, promoted, pinned) AS (VALUES {}) UPDATE results SET triage_status = $1, \
             triaged_at_ms = $2, triaged_by = $3, triage_note = $4, triaged_verdict = d.judged, promoted_version = d.promoted, \
             pinned_version = d.pinned FROM decided d WHERE results.id = d.result_id",
            places(chunk.len(), 4, 5)
        );
        let mut query = sqlx::query(AssertSqlSafe(sql))
            .bind(triage.status.as_str())
            .bind(now_ms)
            .bind(triage.by)
            .bind(triage.note);
        for one in chunk {
            query = query
                .bind(one.id)
                .bind(one.verdict)
                .bind(one.promoted_version)
                .bind(one.pinned_version);
        }
        query.execute(&mut *db).await?;
    }
    Ok(())
}
