//! How the captures of a result agree: asking for further ones, and keeping what came of it.

use sqlx::AnyConnection;

use crate::db::storable;

/// Asks for another capture: the result waits for its turn as it did for its first. False when the worker lost its lease.
pub async fn set_recapture(
    db: &mut AnyConnection,
    id: &str,
    worker_id: &str,
    sides: &str,
) -> sqlx::Result<bool> {
    let done = sqlx::query(
        "UPDATE results SET stage = 'capture', recapture = $1, worker_id = NULL, attempts = 0, enqueued_at_ms = NULL \
         WHERE id = $2 AND stage = 'compare' AND worker_id = $3",
    )
    .bind(sides)
    .bind(id)
    .bind(worker_id)
    .execute(db)
    .await?;
    Ok(done.rows_affected() > 0)
}

/// Hands a result that was captured again on to comparing; with an error, none that failed at it. False when the worker
/// lost its lease.
pub async fn set_recaptured(
    db: &mut AnyConnection,
    id: &str,
    worker_id: &str,
    error: Option<&str>,
) -> sqlx::Result<bool> {
    let error = error.map(storable);
    let done = sqlx::query(
        "UPDATE results SET stage = 'compare', worker_id = NULL, attempts = 0, enqueued_at_ms = NULL, recapture_error = $1 \
         WHERE id = $2 AND stage IN ('capture', 'store') AND worker_id = $3 AND recapture IS NOT NULL",
    )
    .bind(error.as_deref())
    .bind(id)
    .bind(worker_id)
    .execute(db)
    .await?;
    Ok(done.rows_affected() > 0)
}

/// How the captures of a result agreed.
#[derive(Debug)]
pub struct AgreedResult<'a> {
    /// `steady`, `flaky`, `unstable` or `unconfirmed`.
    pub agreement: &'static str,
    /// The same in a sentence.
    pub note: Option<&'a str>,
    /// [`crate::agreement::StoredDisagreement`]s as JSON.
    pub disagreements: Option<&'a str>,
    /// The capture that counts.
    pub current_capture_id: &'a str,
    /// In a live job, the one of the base origin that counts.
    pub live_baseline_id: Option<&'a str>,
    /// The job's project.
    pub project_id: Option<&'a str>,
    /// Of the page's last runs, this one included.
    pub runs: Runs,
}

/// A page's last runs.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Runs {
    /// How many it is known of.
    pub known: i64,
    /// How many of them were flaky or unstable.
    pub flaky: i64,
}

/// Keeps how the captures of a result agreed, if the worker still has it.
pub async fn set_agreement(
    db: &mut AnyConnection,
    id: &str,
    worker_id: &str,
    agreed: &AgreedResult<'_>,
) -> sqlx::Result<()> {
    sqlx::query(
        "UPDATE results SET agreement = $1, agreement_note = $2, disagreements = $3, current_capture_id = $4, \
         baseline_capture_id = COALESCE($5, baseline_capture_id), project_id = $6, known_runs = $7, flaky_runs = $8 \
         WHERE id = $9 AND stage = 'compare' AND worker_id = $10",
    )
    .bind(agreed.agreement)
    .bind(agreed.note)
    .bind(agreed.disagreements)
    .bind(agreed.current_capture_id)
    .bind(agreed.live_baseline_id)
    .bind(agreed.project_id)
    .bind(agreed.runs.known)
    .bind(agreed.runs.flaky)
    .bind(id)
    .bind(worker_id)
    .execute(db)
    .await
    .map(drop)
}

/// The last `most` runs of a page and variant before the result with this id of which it is known how their captures agreed.
pub async fn count_runs(
    db: &mut AnyConnection,
    project_id: &str,
    (page_key, variant_name): (&str, &str),
    before: &str,
    most: i64,
) -> sqlx::Result<Runs> {
    let (known, flaky) = sqlx::query_as(
        "SELECT COUNT(*), COUNT(CASE WHEN runs.agreement <> 'steady' THEN 1 END) FROM (SELECT agreement FROM results \
         WHERE project_id = $1 AND page_key = $2 AND variant_name = $3 AND id < $4 \
         AND agreement IN ('steady', 'flaky', 'unstable') ORDER BY id DESC LIMIT $5) runs",
    )
    .bind(project_id)
    .bind(page_key)
    .bind(variant_name)
    .bind(before)
    .bind(most)
    .fetch_one(db)
    .await?;
    Ok(Runs { known, flaky })
}
