//! Results: one page in one variant within a job, with the lease on the work it still needs.

pub mod agreement;
pub mod claims;
pub mod described;
pub mod groups;
pub mod history;
pub mod judged;
pub mod lists;
pub mod triage;
pub mod work;

use pentimento_api::result::{ResultStatus, TriageStatus};
use pentimento_api::review::Outcome;
use sqlx::{AnyConnection, AssertSqlSafe, FromRow};

use super::retention::release_blobs;
use crate::agreement::Agreement;

/// A result as it is stored, with the blobs of its captures.
#[derive(Debug, Clone, FromRow)]
pub struct ResultRow {
    /// Its id.
    pub id: String,
    /// The job it belongs to.
    pub job_id: String,
    /// Whose it is.
    pub organization_id: String,
    /// Its place in the job's stable order.
    pub position: i64,
    /// The page on the test origin.
    pub url: String,
    /// Path with query, which baselines are keyed by.
    pub page_key: String,
    /// The page's name for people.
    pub label: String,
    /// The device's name as it was sent.
    pub variant_name: String,
    /// What is to be done next: `upload`, `ingest`, `capture`, `compare` or `done`.
    pub stage: String,
    /// How it came out.
    pub outcome: String,
    /// Whether it is there yet.
    pub status: String,
    /// Why it is in error.
    pub error_message: Option<String>,
    /// How often its present stage was begun.
    pub attempts: i64,
    /// The current capture.
    pub current_capture_id: Option<String>,
    /// The baseline it is compared with.
    pub baseline_capture_id: Option<String>,
    /// Version of the baseline pointer that it was compared with; 0 when there was none.
    pub pinned_version: i64,
    /// Version that this result's promotion gave the pointer.
    pub promoted_version: Option<i64>,
    /// 1 when its capture became the first baseline.
    pub is_new_baseline: i64,
    /// 1 when anything changed.
    pub changed: i64,
    /// 1 when the capture looks to the pixel as its baseline.
    pub same_picture: i64,
    /// 0–100.
    pub diff_percentage: Option<f64>,
    /// 0–100.
    pub visual_match_score: Option<f64>,
    /// [`crate::comparison::StoredComparison`] as JSON.
    pub comparison: Option<String>,
    /// The mask PNG.
    pub mask_blob: Option<String>,
    /// The annotated diff image, once somebody asked for it.
    pub diff_blob: Option<String>,
    /// Why no document was compared.
    pub dom_skip_reason: Option<String>,
    /// [`crate::document::StoredDocument`] as JSON.
    pub document: Option<String>,
    /// Findings in words, as JSON.
    pub findings: Option<String>,
    /// The verdict, as JSON.
    pub verdict: Option<String>,
    /// [`crate::language_model::Described`] as JSON; findings and verdict are served as it has them.
    pub described: Option<String>,
    /// The decision of the verdict that is served.
    pub decision: Option<String>,
    /// The label of the changes that it shows.
    pub change_group: Option<String>,
    /// What a person decided.
    pub triage_status: String,
    /// When.
    pub triaged_at_ms: Option<i64>,
    /// Who.
    pub triaged_by: Option<String>,
    /// The decision as it stood then.
    pub triaged_verdict: Option<String>,
    /// A note on it.
    pub triage_note: Option<String>,
    /// Which sides are captured again, `test`, `base` or `both`; none for the first captures.
    pub recapture: Option<String>,
    /// Why capturing again failed.
    pub recapture_error: Option<String>,
    /// How its captures agreed: `steady`, `flaky`, `unstable` or `unconfirmed`.
    pub agreement: Option<String>,
    /// The same in a sentence.
    pub agreement_note: Option<String>,
    /// [`crate::agreement::StoredDisagreement`]s as JSON.
    pub disagreements: Option<String>,
    /// Of the page's last runs up to this one, how many it is known of.
    pub known_runs: Option<i64>,
    /// How many of them were flaky or unstable.
    pub flaky_runs: Option<i64>,
    /// The current screenshot.
    pub current_blob: Option<String>,
    /// The current thumbnail.
    pub thumbnail_blob: Option<String>,
    /// 1 where its page has more than the current capture shows.
    pub truncated: Option<i64>,
    /// The baseline's screenshot.
    pub baseline_blob: Option<String>,
    /// The current document.
    pub current_dom_blob: Option<String>,
    /// The baseline's document.
    pub baseline_dom_blob: Option<String>,
}

/// All columns of a result, its long ones as they are given here.
macro_rules! select {
    ($long:literal) => {
        concat!(
            "SELECT r.id, r.job_id, r.organization_id, r.position, r.url, r.page_key, r.label, \
     r.variant_name, r.stage, r.outcome, r.status, r.error_message, r.attempts, r.current_capture_id, r.baseline_capture_id, \
     r.pinned_version, r.promoted_version, r.is_new_baseline, r.changed, r.same_picture, r.diff_percentage, r.visual_match_score, \
     r.mask_blob, r.diff_blob, r.dom_skip_reason, r.document, r.decision, r.change_group, r.triage_status, \
     r.triaged_at_ms, r.triaged_by, r.triaged_verdict, r.triage_note, r.recapture, r.recapture_error, \
     r.agreement, r.agreement_note, r.disagreements, r.known_runs, r.flaky_runs, c.screenshot_blob AS current_blob, c.thumbnail_blob AS thumbnail_blob, c.truncated AS truncated, \
     b.screenshot_blob AS baseline_blob, c.dom_blob AS current_dom_blob, b.dom_blob AS baseline_dom_blob, ",
            $long,
            " FROM results r LEFT JOIN captures c ON c.id = r.current_capture_id \
     LEFT JOIN captures b ON b.id = r.baseline_capture_id"
        )
    };
}

pub(crate) const SELECT: &str = select!("r.comparison, r.findings, r.verdict, r.described");

/// The same without what is long and says nothing of the job as a whole.
pub(crate) const SELECT_IN_BRIEF: &str =
    select!("NULL AS comparison, NULL AS findings, NULL AS verdict, NULL AS described");

impl ResultRow {
    /// Whether it is there yet.
    pub fn status(&self) -> ResultStatus {
        status_of(&self.status)
    }

    /// How it came out.
    pub fn outcome(&self) -> Outcome {
        outcome_of(&self.outcome)
    }

    /// Whether its captures did not agree with each other.
    pub fn is_unstable(&self) -> bool {
        self.agreement.as_deref() == Some(Agreement::Unstable.as_str())
    }

    /// Whether its capture would be no other baseline than the one there is: the same screenshot to the pixel, no change of
    /// the document, and no document where there was none. Bytes that count for no change, such as generated ids and what a
    /// file holds beside its pixels, are none.
    pub fn equals_baseline(&self) -> bool {
        let brings_document = self.baseline_dom_blob.is_none() && self.current_dom_blob.is_some();
        let is_same_file = self.current_blob.is_some() && self.current_blob == self.baseline_blob;
        self.changed == 0 && (is_same_file || self.same_picture == 1) && !brings_document
    }

    /// Leaves out what is told of its changes.
    pub fn forget_changes(&mut self) {
        for told in [
            &mut self.document,
            &mut self.findings,
            &mut self.verdict,
            &mut self.described,
        ] {
            *told = None;
        }
    }

    /// What a person decided.
    pub fn triage(&self) -> TriageStatus {
        triage_of(&self.triage_status)
    }
}

/// The status that a stored word names.
pub fn status_of(word: &str) -> ResultStatus {
    ResultStatus::ALL
        .into_iter()
        .find(|status| status.as_str() == word)
        .unwrap_or(ResultStatus::Error)
}

/// The outcome that a stored word names.
pub fn outcome_of(word: &str) -> Outcome {
    Outcome::ALL
        .into_iter()
        .find(|outcome| outcome.as_str() == word)
        .unwrap_or(Outcome::Pending)
}

/// The triage that a stored word names.
pub fn triage_of(word: &str) -> TriageStatus {
    TriageStatus::ALL
        .into_iter()
        .find(|status| status.as_str() == word)
        .unwrap_or(TriageStatus::Pending)
}

/// The organization's result with this id.
pub async fn find_result(
    db: &mut AnyConnection,
    organization_id: &str,
    id: &str,
) -> sqlx::Result<Option<ResultRow>> {
    sqlx::query_as(AssertSqlSafe(format!(
        "{SELECT} WHERE r.id = $1 AND r.organization_id = $2 \
         AND NOT EXISTS (SELECT 1 FROM jobs j WHERE j.id = r.job_id AND j.removed_at_ms IS NOT NULL)"
    )))
    .bind(id)
    .bind(organization_id)
    .fetch_optional(db)
    .await
}

/// A result by its id, for work and signed links that hold the id.
pub async fn get_result(db: &mut AnyConnection, id: &str) -> sqlx::Result<Option<ResultRow>> {
    sqlx::query_as(AssertSqlSafe(format!("{SELECT} WHERE r.id = $1")))
        .bind(id)
        .fetch_optional(db)
        .await
}

/// Keeps the annotated diff image that somebody asked for. Where the result is gone meanwhile, or another one that was drawn at the
/// same time is kept already, its blob is released.
pub async fn set_diff_blob(
    db: &mut AnyConnection,
    id: &str,
    blob: &str,
    now_ms: i64,
) -> sqlx::Result<()> {
    let kept = sqlx::query("UPDATE results SET diff_blob = $1 WHERE id = $2 AND diff_blob IS NULL")
        .bind(blob)
        .bind(id)
        .execute(&mut *db)
        .await?;
    if kept.rows_affected() == 0 {
        release_blobs(db, &[blob.to_owned()], now_ms).await?;
    }
    Ok(())
}
