//! Deciding on one result: moving its baseline by the pointer's version, and recording who decided what.

use pentimento_api::job::ComparisonMode;
use pentimento_api::result::TriageStatus;
use serde_json::json;
use sqlx::AnyConnection;

use super::Reviewer;
use super::wish::Wish;
use crate::db;
use crate::db::audit::AuditEntry;
use crate::db::baselines::{BaselineKey, BaselineMove, Move};
use crate::db::jobs::JobRow;
use crate::db::results::{ResultRow, Triage};
use crate::error::Result;

/// How deciding on one result went.
pub(super) enum Decided {
    /// The decision stands, and the baseline with it.
    Done,
    /// The decision was recorded; a live job has no baseline to move.
    Recorded,
    /// The baseline moved since the job ran.
    Conflict,
}

pub(super) async fn approve(
    tx: &mut AnyConnection,
    job: &JobRow,
    result: &ResultRow,
    reviewer: Reviewer<'_>,
    wish: &Wish,
    now_ms: i64,
) -> Result<Decided> {
    let Some(key) = baseline_key(job, result) else {
        record(
            tx,
            result,
            TriageStatus::Approved,
            reviewer,
            wish,
            None,
            now_ms,
        )
        .await?;
        return Ok(Decided::Recorded);
    };
    let unmoved = result.current_blob == result.baseline_blob && result.current_blob.is_some();
    if unmoved && result.promoted_version.is_none() {
        record(
            tx,
            result,
            TriageStatus::Approved,
            reviewer,
            wish,
            None,
            now_ms,
        )
        .await?;
        return Ok(Decided::Done);
    }
    let version = db::baselines::find_baseline(tx, key)
        .await?
        .map_or(0, |baseline| baseline.version);
    if result.promoted_version == Some(version) && result.triage() != TriageStatus::Rejected {
        record(
            tx,
            result,
            TriageStatus::Approved,
            reviewer,
            wish,
            Some(version),
            now_ms,
        )
        .await?;
        return Ok(Decided::Done);
    }
    if version != expected_version(result) {
        return Ok(Decided::Conflict);
    }
    let to = BaselineMove {
        action: Move::Promote,
        capture_id: result.current_capture_id.as_deref(),
        baseline_version: job.baseline_version.as_deref().unwrap_or_default(),
        job_id: &job.id,
        actor: reviewer.name,
    };
    let Some(moved) = db::baselines::move_baseline(tx, key, version, to, now_ms).await? else {
        return Ok(Decided::Conflict);
    };
    record(
        tx,
        result,
        TriageStatus::Approved,
        reviewer,
        wish,
        Some(moved),
        now_ms,
    )
    .await?;
    audit(tx, job, result, reviewer, "baseline.promote", moved, now_ms).await?;
    Ok(Decided::Done)
}

/// Rejecting what was never promoted keeps the baseline; rejecting what was promoted restores the former one.
pub(super) async fn reject(
    tx: &mut AnyConnection,
    job: &JobRow,
    result: &ResultRow,
    reviewer: Reviewer<'_>,
    wish: &Wish,
    now_ms: i64,
) -> Result<Decided> {
    let (Some(key), Some(promoted)) = (baseline_key(job, result), result.promoted_version) else {
        record(
            tx,
            result,
            TriageStatus::Rejected,
            reviewer,
            wish,
            result.promoted_version,
            now_ms,
        )
        .await?;
        return Ok(Decided::Done);
    };
    if result.triage() == TriageStatus::Rejected {
        record(
            tx,
            result,
            TriageStatus::Rejected,
            reviewer,
            wish,
            Some(promoted),
            now_ms,
        )
        .await?;
        return Ok(Decided::Done);
    }
    let version = db::baselines::find_baseline(tx, key)
        .await?
        .map_or(0, |baseline| baseline.version);
    if version != promoted {
        return Ok(Decided::Conflict);
    }
    // Before a page's first baseline there was none, or one that the project's new configuration had made invalid.
    let former = match result.is_new_baseline {
        1 => None,
        _ => db::baselines::find_former_capture(tx, key, promoted - 1).await?,
    };
    let to = BaselineMove {
        action: Move::Restore,
        capture_id: former.as_deref(),
        baseline_version: job.baseline_version.as_deref().unwrap_or_default(),
        job_id: &job.id,
        actor: reviewer.name,
    };
    let Some(moved) = db::baselines::move_baseline(tx, key, version, to, now_ms).await? else {
        return Ok(Decided::Conflict);
    };
    record(
        tx,
        result,
        TriageStatus::Rejected,
        reviewer,
        wish,
        Some(moved),
        now_ms,
    )
    .await?;
    audit(tx, job, result, reviewer, "baseline.restore", moved, now_ms).await?;
    Ok(Decided::Done)
}

/// The version at which approving finds no conflict: the one the job compared with, or the one that this result's own
/// last decision left behind.
fn expected_version(result: &ResultRow) -> i64 {
    result.promoted_version.unwrap_or(result.pinned_version)
}

/// The pointer that a decision moves; a live job has none.
fn baseline_key<'a>(job: &'a JobRow, result: &'a ResultRow) -> Option<BaselineKey<'a>> {
    if job.mode() == ComparisonMode::Live {
        return None;
    }
    job.project_id.as_deref().map(|project_id| BaselineKey {
        project_id,
        page_key: &result.page_key,
        variant_name: &result.variant_name,
    })
}

async fn record(
    tx: &mut AnyConnection,
    result: &ResultRow,
    status: TriageStatus,
    reviewer: Reviewer<'_>,
    wish: &Wish,
    promoted_version: Option<i64>,
    now_ms: i64,
) -> Result<()> {
    let triage = Triage {
        status,
        by: reviewer.name,
        verdict: result.decision.as_deref(),
        note: wish.note.as_deref(),
        promoted_version,
    };
    Ok(db::results::set_triage(tx, &result.id, &triage, now_ms).await?)
}

async fn audit(
    tx: &mut AnyConnection,
    job: &JobRow,
    result: &ResultRow,
    reviewer: Reviewer<'_>,
    action: &str,
    version: i64,
    now_ms: i64,
) -> Result<()> {
    let entry = AuditEntry {
        organization_id: &job.organization_id,
        actor: reviewer.name,
        action,
        subject: &result.id,
        detail: json!({ "job": job.id, "page": result.page_key, "variant": result.variant_name, "version": version }),
    };
    Ok(db::audit::insert_audit(tx, &entry, now_ms).await?)
}
