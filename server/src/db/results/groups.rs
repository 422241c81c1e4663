//! The changed results of a job by the change that they show.

use pentimento_api::job::TriageCounts;
use sqlx::{AnyConnection, AssertSqlSafe};

use super::{ResultRow, SELECT};

/// Changed results that show the same change.
#[derive(Debug, Clone)]
pub struct GroupRow {
    /// Their label.
    pub change_group: String,
    /// What was decided about them.
    pub triage: TriageCounts,
    /// The first one, of the undecided ones where there are any.
    pub example: ResultRow,
}

/// What is grouped: changed results with a label.
const CHANGED: &str = "WHERE job_id = $1 AND changed = 1 AND change_group IS NOT NULL";

/// The groups of a job that are judged worst, and of these the largest first.
pub async fn list_groups(
    db: &mut AnyConnection,
    job_id: &str,
    limit: i64,
) -> sqlx::Result<Vec<GroupRow>> {
    let counted: Vec<(String, i64, i64, i64, i64)> = sqlx::query_as(AssertSqlSafe(format!(
        "SELECT change_group, COUNT(CASE WHEN triage_status = 'approved' THEN 1 END), \
         COUNT(CASE WHEN triage_status = 'rejected' THEN 1 END), COUNT(*), \
         COALESCE(MIN(CASE WHEN triage_status = 'pending' THEN position END), MIN(position)) \
         FROM results {CHANGED} GROUP BY change_group \
         ORDER BY MIN(CASE decision WHEN 'bug' THEN 1 WHEN 'needs_review' THEN 2 WHEN 'intentional' THEN 3 ELSE 4 END), \
         COUNT(*) DESC, MIN(position) LIMIT $2"
    )))
    .bind(job_id)
    .bind(limit)
    .fetch_all(&mut *db)
    .await?;
    let mut groups = Vec::with_capacity(counted.len());
    for (change_group, approved, rejected, all, position) in counted {
        let example = sqlx::query_as(AssertSqlSafe(format!(
            "{SELECT} WHERE r.job_id = $1 AND r.position = $2"
        )))
        .bind(job_id)
        .bind(position)
        .fetch_one(&mut *db)
        .await?;
        let count = |number: i64| u64::try_from(number).unwrap_or(0);
        groups.push(GroupRow {
            change_group,
            triage: TriageCounts {
                pending: count(all - approved - rejected),
                approved: count(approved),
                rejected: count(rejected),
            },
            example,
        });
    }
    Ok(groups)
}

/// How many groups a job has.
pub async fn count_groups(db: &mut AnyConnection, job_id: &str) -> sqlx::Result<i64> {
    sqlx::query_scalar(AssertSqlSafe(format!(
        "SELECT COUNT(DISTINCT change_group) FROM results {CHANGED}"
    )))
    .bind(job_id)
    .fetch_one(db)
    .await
}
