//! Results of a job: all of them in brief, a page of them, and their counts.

use std::collections::HashMap;

use futures::TryStreamExt;
use pentimento_api::job::{OutcomeCounts, TriageCounts};
use sqlx::{AnyConnection, AssertSqlSafe};

use super::super::needle::{as_written, pattern};
use super::{ResultRow, SELECT, SELECT_IN_BRIEF};
use crate::document::StoredDocument;
use crate::page_path::escaped;

/// A job's results in their stable order, at most ten thousand, without what is long and says nothing of the job as a whole:
/// comparisons, findings, verdicts, descriptions, and the changes of documents. Of a redesign of thousands of pages those take
/// hundreds of megabytes.
pub async fn list_job_results_in_brief(
    db: &mut AnyConnection,
    job_id: &str,
) -> sqlx::Result<Vec<ResultRow>> {
    let sql = format!("{SELECT_IN_BRIEF} WHERE r.job_id = $1 ORDER BY r.position");
    let query = sqlx::query_as::<_, ResultRow>(AssertSqlSafe(sql)).bind(job_id);
    let mut rows = query.fetch(db);
    let mut results = Vec::new();
    while let Some(mut row) = rows.try_next().await? {
        if let Some(json) = &row.document
            && let Ok(brief) = StoredDocument::in_brief(json)
        {
            row.document = Some(brief);
        }
        results.push(row);
    }
    Ok(results)
}

/// Whether a job is approved: somebody approved a page, each changed one is approved, and no new one is rejected. What was decided
/// about a page that shows its baseline has no part in it.
pub async fn is_approved(db: &mut AnyConnection, job_id: &str) -> sqlx::Result<bool> {
    let (approved, open): (i64, i64) = sqlx::query_as(
        "SELECT COUNT(CASE WHEN triage_status = 'approved' THEN 1 END), \
         COUNT(CASE WHEN changed = 1 AND triage_status <> 'approved' OR is_new_baseline = 1 AND triage_status = 'rejected' THEN 1 END) \
         FROM results WHERE job_id = $1",
    )
    .bind(job_id)
    .fetch_one(db)
    .await?;
    Ok(approved > 0 && open == 0)
}

/// A result that is done, as far as those who follow its job are told of it.
#[derive(Debug, Clone, sqlx::FromRow)]
pub struct DoneResult {
    /// Its id.
    pub id: String,
    /// Its place in the job.
    pub position: i64,
    /// The page.
    pub url: String,
    /// The variant.
    pub variant_name: String,
    /// Whether it succeeded.
    pub status: String,
    /// How it came out.
    pub outcome: String,
    /// The decision of its verdict.
    pub decision: Option<String>,
    /// The change that it shows.
    pub change_group: Option<String>,
    /// Why it is in error.
    pub error_message: Option<String>,
}

/// A job's results from a position on that are done, in their stable order.
pub async fn list_done(
    db: &mut AnyConnection,
    job_id: &str,
    from: i64,
) -> sqlx::Result<Vec<DoneResult>> {
    sqlx::query_as(
        "SELECT id, position, url, variant_name, status, outcome, decision, change_group, error_message FROM results \
         WHERE job_id = $1 AND position >= $2 AND stage = 'done' ORDER BY position",
    )
    .bind(job_id)
    .bind(from)
    .fetch_all(db)
    .await
}

/// The result of one page in one variant.
pub async fn find_page_result(
    db: &mut AnyConnection,
    job_id: &str,
    url: &str,
    variant_name: &str,
) -> sqlx::Result<Option<ResultRow>> {
    sqlx::query_as(AssertSqlSafe(format!(
        "{SELECT} WHERE r.job_id = $1 AND r.url = $2 AND r.variant_name = $3"
    )))
    .bind(job_id)
    .bind(url)
    .bind(variant_name)
    .fetch_optional(db)
    .await
}

/// What narrows a list of results; an empty string narrows nothing.
#[derive(Debug, Default)]
pub struct ResultFilter<'a> {
    /// Only results behind this position.
    pub after: i64,
    /// Only this outcome.
    pub outcome: &'a str,
    /// Only this triage.
    pub triage: &'a str,
    /// Only unstable results (`1`), or only the others (`0`).
    pub unstable: &'a str,
    /// Only results that show this change.
    pub change_group: &'a str,
    /// Only results whose address, name or variant contains this, whatever its case.
    pub needle: String,
    /// Most rows.
    pub limit: i64,
}

const FILTER: &str = "WHERE r.job_id = $1 AND r.position > $2 AND ($3 = '' OR r.outcome = $3) AND ($4 = '' OR r.triage_status = $4) \
     AND ($5 = '' OR LOWER(r.url) LIKE $5 ESCAPE '!' OR LOWER(r.url) LIKE $8 ESCAPE '!' OR LOWER(r.variant_name) LIKE $5 ESCAPE '!' OR LOWER(r.label) LIKE $5 ESCAPE '!' OR r.label LIKE $9 ESCAPE '!' OR r.variant_name LIKE $9 ESCAPE '!') \
     AND ($6 = '' OR $6 = CASE WHEN r.agreement = 'unstable' THEN '1' ELSE '0' END) \
     AND ($7 = '' OR r.change_group = $7)";

/// One page of a job's results.
pub async fn list_results(
    db: &mut AnyConnection,
    job_id: &str,
    filter: &ResultFilter<'_>,
) -> sqlx::Result<Vec<ResultRow>> {
    sqlx::query_as(AssertSqlSafe(format!(
        "{SELECT} {FILTER} ORDER BY r.position LIMIT $10"
    )))
    .bind(job_id)
    .bind(filter.after)
    .bind(filter.outcome)
    .bind(filter.triage)
    .bind(pattern(&filter.needle))
    .bind(filter.unstable)
    .bind(filter.change_group)
    .bind(pattern(&escaped(&filter.needle)))
    .bind(as_written(&filter.needle))
    .bind(filter.limit)
    .fetch_all(db)
    .await
}

/// How many results the filter lets through, wherever the page stands.
pub async fn count_results(
    db: &mut AnyConnection,
    job_id: &str,
    filter: &ResultFilter<'_>,
) -> sqlx::Result<i64> {
    sqlx::query_scalar(AssertSqlSafe(format!(
        "SELECT COUNT(*) FROM results r {FILTER}"
    )))
    .bind(job_id)
    .bind(-1_i64)
    .bind(filter.outcome)
    .bind(filter.triage)
    .bind(pattern(&filter.needle))
    .bind(filter.unstable)
    .bind(filter.change_group)
    .bind(pattern(&escaped(&filter.needle)))
    .bind(as_written(&filter.needle))
    .fetch_one(db)
    .await
}

/// A decision on a result: the result, what was decided, by whom, and when.
#[derive(Debug, Clone, sqlx::FromRow)]
pub struct Decided {
    /// The result's id.
    pub id: String,
    /// What was decided.
    pub triage_status: String,
    /// By whom.
    pub triaged_by: Option<String>,
    /// When.
    pub triaged_at_ms: i64,
}

/// The decisions on a job's results at `since_ms` and later.
pub async fn list_decided(
    db: &mut AnyConnection,
    job_id: &str,
    since_ms: i64,
) -> sqlx::Result<Vec<Decided>> {
    sqlx::query_as(
        "SELECT id, triage_status, triaged_by, triaged_at_ms FROM results WHERE job_id = $1 AND triaged_at_ms >= $2 \
         ORDER BY triaged_at_ms, position",
    )
    .bind(job_id)
    .bind(since_ms)
    .fetch_all(db)
    .await
}

/// How many results a job has, and how many of them are done.
pub async fn count_done(db: &mut AnyConnection, job_id: &str) -> sqlx::Result<(u64, u64)> {
    let (total, done): (i64, i64) = sqlx::query_as(
        "SELECT COUNT(*), COUNT(CASE WHEN stage = 'done' THEN 1 END) FROM results WHERE job_id = $1",
    )
    .bind(job_id)
    .fetch_one(db)
    .await?;
    let count = |number: i64| u64::try_from(number).unwrap_or(0);
    Ok((count(total), count(done)))
}

/// Outcome and triage counts of each of these jobs, in one query.
pub async fn count_by_job(
    db: &mut AnyConnection,
    job_ids: &[String],
) -> sqlx::Result<HashMap<String, (OutcomeCounts, TriageCounts)>> {
    let mut counts: HashMap<String, (OutcomeCounts, TriageCounts)> = HashMap::new();
    if job_ids.is_empty() {
        return Ok(counts);
    }
    let places: Vec<String> = (1..=job_ids.len())
        .map(|place| format!("${place}"))
        .collect();
    let sql = format!(
        "SELECT job_id, outcome, triage_status, changed, COUNT(*) FROM results WHERE job_id IN ({}) \
         GROUP BY job_id, outcome, triage_status, changed",
        places.join(", ")
    );
    let mut query = sqlx::query_as::<_, (String, String, String, i64, i64)>(AssertSqlSafe(sql));
    for id in job_ids {
        query = query.bind(id);
    }
    for (job_id, outcome, triage, changed, count) in query.fetch_all(db).await? {
        let (outcomes, triages) = counts.entry(job_id).or_default();
        let count = u64::try_from(count).unwrap_or(0);
        match outcome.as_str() {
            "regression" => outcomes.regression += count,
            "match" => outcomes.matching += count,
            "new_baseline" => outcomes.new_baseline += count,
            "error" => outcomes.error += count,
            _ => outcomes.pending += count,
        }
        if changed == 1 {
            match triage.as_str() {
                "approved" => triages.approved += count,
                "rejected" => triages.rejected += count,
                _ => triages.pending += count,
            }
        }
    }
    Ok(counts)
}
