//! Deciding on one result: moving its baseline by the pointer's version, and recording who decided what.

use pentimento_api::approve::TriageAction;
use pentimento_api::history::BaselineAction;
use pentimento_api::job::ComparisonMode;
use pentimento_api::result::TriageStatus;
use pentimento_api::review::Outcome;
use serde_json::json;
use sqlx::AnyConnection;

use super::Reviewer;
use super::wish::Wish;
use crate::db;
use crate::db::audit::AuditEntry;
use crate::db::baselines::{BaselineKey, BaselineMove};
use crate::db::jobs::JobRow;
use crate::db::results::{ResultRow, Triage};
use crate::error::Result;

/// A call and what it works on.
#[derive(Clone, Copy)]
pub(super) struct Call<'a> {
    pub(super) job: &'a JobRow,
    pub(super) reviewer: Reviewer<'a>,
    pub(super) wish: &'a Wish,
    pub(super) now_ms: i64,
}

/// How deciding on one result went.
pub(super) enum Decided {
    /// The decision stands, and the baseline with it.
    Done,
    /// The decision was recorded; a live job has no baseline to move.
    Recorded,
    /// The baseline moved since the job ran; last by whom, where that is known.
    Conflict(Option<String>),
}

/// Decides on one result as the call wishes.
pub(super) async fn decide(
    tx: &mut AnyConnection,
    call: Call<'_>,
    result: &ResultRow,
) -> Result<Decided> {
    let Some(key) = baseline_key(call.job, result) else {
        record(tx, call, result, None).await?;
        return Ok(Decided::Recorded);
    };
    let baseline = db::baselines::find_baseline(tx, key).await?;
    let version = baseline.map_or(0, |baseline| baseline.version);
    let moved = match step(call.wish.action, result, version) {
        Step::Stay => Some(result.promoted_version),
        Step::Conflict => None,
        Step::Move => (move_pointer(tx, call, result, key, version).await?).map(Some),
    };
    let Some(left) = moved else {
        let last = db::baselines::find_move(tx, key, version).await?;
        return Ok(Decided::Conflict(last.map(|last| last.actor)));
    };
    record(tx, call, result, left).await?;
    Ok(Decided::Done)
}

/// What a decision does to the baseline.
#[derive(Debug, PartialEq, Eq)]
enum Step {
    /// It stands where the decision wants it.
    Stay,
    /// It moves.
    Move,
    /// It moved since, so the decision cannot be carried out.
    Conflict,
}

/// What `action` does to a result whose baseline pointer stands at `version` now.
///
/// A result knows two versions: the one it was compared with (`pinned`), and the one that its own last decision left
/// behind (`promoted`). Wherever the pointer stands but there, somebody else moved it.
fn step(action: TriageAction, result: &ResultRow, version: i64) -> Step {
    let expected = result.promoted_version.unwrap_or(result.pinned_version);
    let rejected = result.triage() == TriageStatus::Rejected;
    let is_new = result.is_new_baseline == 1;
    let stays = match action {
        TriageAction::Approve => {
            let repeated = result.triage() == TriageStatus::Approved;
            let is_baseline_already = result.promoted_version == Some(version) && !rejected;
            let identical = result.promoted_version.is_none() && result.equals_baseline();
            // Where it differs from its baseline, its own captures contradict it: no better a baseline than the one there is.
            let is_unstable_match = result.promoted_version.is_none()
                && result.is_unstable()
                && result.outcome() == Outcome::Match;
            repeated || is_baseline_already || identical || is_unstable_match
        }
        // What was never promoted, or was taken back already, has no baseline to restore.
        TriageAction::Reject => result.promoted_version.is_none() || rejected,
        // Undecided, a new page is its own baseline, and another one has the baseline that it was compared with.
        TriageAction::Withdraw => match result.triage() {
            TriageStatus::Pending => true,
            TriageStatus::Approved => is_new || result.promoted_version.is_none(),
            TriageStatus::Rejected => !is_new,
        },
    };
    match (stays, version == expected) {
        (true, _) => Step::Stay,
        (false, true) => Step::Move,
        (false, false) => Step::Conflict,
    }
}

/// Approving moves the pointer to the result's capture, rejecting back to what it named before, and withdrawing undoes
/// either.
async fn move_pointer(
    tx: &mut AnyConnection,
    call: Call<'_>,
    result: &ResultRow,
    key: BaselineKey<'_>,
    version: i64,
) -> Result<Option<i64>> {
    let (action, name, capture_id) = match call.wish.action {
        TriageAction::Approve => (
            BaselineAction::Promote,
            "baseline.promote",
            result.current_capture_id.clone(),
        ),
        // Before a page's first baseline there was none, or one that a new configuration had made invalid.
        TriageAction::Reject if result.is_new_baseline == 1 => {
            (BaselineAction::Restore, "baseline.restore", None)
        }
        TriageAction::Withdraw if result.is_new_baseline == 1 => (
            BaselineAction::Restore,
            "baseline.restore",
            result.current_capture_id.clone(),
        ),
        TriageAction::Reject | TriageAction::Withdraw => {
            let former = db::baselines::find_move(tx, key, version - 1).await?;
            let former = former.and_then(|former| former.capture_id);
            (BaselineAction::Restore, "baseline.restore", former)
        }
    };
    let to = BaselineMove {
        action,
        capture_id: capture_id.as_deref(),
        baseline_version: call.job.baseline_version.as_deref().unwrap_or_default(),
        job_id: &call.job.id,
        actor: call.reviewer.name,
    };
    let moved = db::baselines::move_baseline(tx, key, version, to, call.now_ms).await?;
    if let Some(moved) = moved {
        let entry = AuditEntry {
            organization_id: &call.job.organization_id,
            actor: call.reviewer.name,
            action: name,
            subject: &result.id,
            detail: json!({ "job": call.job.id, "page": result.page_key, "variant": result.variant_name, "version": moved }),
        };
        db::audit::insert_audit(tx, &entry, call.now_ms).await?;
    }
    Ok(moved)
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

/// Records the decision, and the version of the pointer that it left behind. The same one again, with nothing to note,
/// leaves who made it first. An empty note takes away the one that is there.
async fn record(
    tx: &mut AnyConnection,
    call: Call<'_>,
    result: &ResultRow,
    left: Option<i64>,
) -> Result<()> {
    let status = call.wish.action.leads_to();
    // A page whose decision was taken back stands as if it had just been compared, with the baseline where it is now.
    let (promoted_version, pinned_version) =
        if status == TriageStatus::Pending && result.is_new_baseline == 0 {
            (None, left.unwrap_or(result.pinned_version))
        } else {
            (left, result.pinned_version)
        };
    let stands = result.triage() == status && result.promoted_version == promoted_version;
    let is_noted = |note: &str| !note.is_empty() || result.triage_note.is_some();
    if stands && !call.wish.note.as_deref().is_some_and(is_noted) {
        return Ok(());
    }
    let triage = Triage {
        status,
        by: call.reviewer.name,
        verdict: (result.decision.as_deref()).filter(|_| status != TriageStatus::Pending),
        note: (call.wish.note.as_deref())
            .filter(|note| status != TriageStatus::Pending && !note.is_empty()),
        promoted_version,
        pinned_version,
    };
    Ok(db::results::set_triage(tx, &result.id, &triage, call.now_ms).await?)
}
