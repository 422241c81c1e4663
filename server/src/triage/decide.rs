//! Deciding on results: moving their baselines by the pointers' versions, and recording who decided what.

use std::collections::{BTreeSet, HashMap, HashSet};

use pentimento_api::approve::TriageAction;
use pentimento_api::history::BaselineAction;
use pentimento_api::job::ComparisonMode;
use pentimento_api::result::TriageStatus;
use pentimento_api::review::Outcome;
use serde_json::json;
use sqlx::AnyConnection;

use super::Reviewer;
use super::wish::{Selection, Wish};
use crate::db;
use crate::db::audit::AuditEntry;
use crate::db::baselines::MoveCause;
use crate::db::baselines::many::{PageVariant, PointerMove};
use crate::db::jobs::JobRow;
use crate::db::results::ResultRow;
use crate::db::results::triage::{Triage, Triaged};
use crate::error::Result;

/// A call and what it works on.
#[derive(Clone, Copy)]
pub(super) struct Call<'a> {
    pub(super) job: &'a JobRow,
    pub(super) reviewer: Reviewer<'a>,
    pub(super) wish: &'a Wish,
    pub(super) now_ms: i64,
}

/// How deciding went.
#[derive(Debug)]
pub(super) enum Decided {
    /// The decisions stand, and the baselines with them.
    Done,
    /// The decisions were recorded; a live job has no baselines to move.
    Recorded,
    /// Baselines moved since the job ran, so nothing may stay of what was begun.
    Conflict {
        /// The pages.
        urls: Vec<String>,
        /// By whom, as far as that is known.
        moved_by: BTreeSet<String>,
    },
}

/// Decides on results as the call wishes: all of them, or none when the baseline of one has moved. Takes a few statements
/// for some hundred results each.
pub(super) async fn decide_all(
    tx: &mut AnyConnection,
    call: Call<'_>,
    results: &[&ResultRow],
) -> Result<Decided> {
    let Some(project_id) = baselines_of(call.job) else {
        let left: Vec<_> = results.iter().map(|result| (*result, None)).collect();
        record(tx, call, &left).await?;
        return Ok(Decided::Recorded);
    };
    if results.len() > 1 {
        // A statement takes the rows of many pointers in the database's own order: of one project only one call does at a
        // time, so that two of them never wait for each other in a circle.
        db::projects::lock_baselines(tx, project_id).await?;
    }
    let pages: Vec<_> = results.iter().map(|result| page_of(result)).collect();
    let versions = db::baselines::many::list_versions(tx, project_id, &pages).await?;
    let returned = find_returned(tx, project_id, results, &versions).await?;
    let mut left = Vec::with_capacity(results.len());
    let mut moving = Vec::new();
    let mut conflicts = Vec::new();
    for result in results.iter().copied() {
        let version = versions.get(&owned(result)).copied().unwrap_or(0);
        match step(call.wish, result, version, returned.contains(&*result.id)) {
            Step::Stay => left.push((result, result.promoted_version)),
            Step::Move => {
                left.push((result, Some(version + 1)));
                moving.push((result, version));
            }
            Step::Conflict => conflicts.push(result),
        }
    }
    if conflicts.is_empty() {
        conflicts = move_pointers(tx, call, project_id, &moving).await?;
    }
    if !conflicts.is_empty() {
        return conflict(tx, project_id, &conflicts).await;
    }
    note_moves(tx, call, &moving).await?;
    record(tx, call, &left).await?;
    Ok(Decided::Done)
}

/// Whether approving a result, by itself, is a conflict as its baseline stands now.
///
/// # Errors
/// The database refuses.
pub(crate) async fn is_out_of_date(
    db: &mut AnyConnection,
    job: &JobRow,
    result: &ResultRow,
) -> Result<bool> {
    let Some(project_id) = baselines_of(job) else {
        return Ok(false);
    };
    let wish = Wish {
        selection: Selection::Page {
            url: result.url.clone(),
            variant_name: result.variant_name.clone(),
        },
        action: TriageAction::Approve,
        note: None,
        seen: None,
    };
    let versions = db::baselines::many::list_versions(db, project_id, &[page_of(result)]).await?;
    let returned = find_returned(db, project_id, &[result], &versions).await?;
    let version = versions.get(&owned(result)).copied().unwrap_or(0);
    let step = step(&wish, result, version, returned.contains(&*result.id));
    Ok(step == Step::Conflict)
}

/// Results that are not approved, whose pointers moved since and name again what they named then: somebody approved another
/// run's capture and took it back. Such a result was compared with what is the baseline now.
async fn find_returned<'r>(
    db: &mut AnyConnection,
    project_id: &str,
    results: &[&'r ResultRow],
    versions: &HashMap<PageVariant, i64>,
) -> Result<HashSet<&'r str>> {
    let moved: Vec<(&ResultRow, i64)> = (results.iter().copied())
        .filter(|result| result.triage() != TriageStatus::Approved && left_at(result) > 0)
        .filter_map(|result| Some((result, *versions.get(&owned(result))?)))
        .filter(|(result, version)| *version != left_at(result))
        .collect();
    if moved.is_empty() {
        return Ok(HashSet::new());
    }
    let at = |result: &'r ResultRow, version| (&*result.page_key, &*result.variant_name, version);
    let left: Vec<_> = (moved.iter())
        .map(|(result, _)| at(result, left_at(result)))
        .collect();
    let latest: Vec<_> = (moved.iter())
        .map(|(result, version)| at(result, *version))
        .collect();
    let then = db::baselines::many::list_named(db, project_id, &left).await?;
    let now = db::baselines::many::list_named(db, project_id, &latest).await?;
    let is_back = |result: &ResultRow| {
        let page = owned(result);
        let named = then.get(&page).and_then(Option::as_deref);
        named.is_some() && named == now.get(&page).and_then(Option::as_deref)
    };
    Ok((moved.into_iter())
        .filter(|(result, _)| is_back(result))
        .map(|(result, _)| &*result.id)
        .collect())
}

/// The version of the pointer that a result was compared with, or that its own last decision left behind.
fn left_at(result: &ResultRow) -> i64 {
    result.promoted_version.unwrap_or(result.pinned_version)
}

/// Whose baselines moved, and by whom.
async fn conflict(
    tx: &mut AnyConnection,
    project_id: &str,
    results: &[&ResultRow],
) -> Result<Decided> {
    let pages: Vec<_> = results.iter().map(|result| page_of(result)).collect();
    let movers = db::baselines::many::list_last_movers(tx, project_id, &pages).await?;
    Ok(Decided::Conflict {
        urls: results.iter().map(|result| result.url.clone()).collect(),
        moved_by: movers.into_iter().collect(),
    })
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
/// behind (`promoted`). Wherever the pointer stands but there, somebody else moved it; `returned`: and back again.
fn step(wish: &Wish, result: &ResultRow, version: i64, returned: bool) -> Step {
    let is_there = version == left_at(result) || returned;
    let rejected = result.triage() == TriageStatus::Rejected;
    let is_new = result.is_new_baseline == 1;
    let stays = match wish.action {
        TriageAction::Approve => {
            let repeated = result.triage() == TriageStatus::Approved;
            let is_baseline_already = result.promoted_version == Some(version) && !rejected;
            // Where it differs from its baseline, its own captures contradict it: no better a baseline than the one there is.
            let is_unstable_match = result.is_unstable() && result.outcome() == Outcome::Match;
            // Among all pages of a job one that would be no other baseline keeps none of the others; who names it means its capture.
            let is_meant = matches!(wish.selection, Selection::Page { .. });
            let keeps_baseline = result.promoted_version.is_none()
                && (result.equals_baseline() || is_unstable_match)
                && (is_there || !is_meant);
            repeated || is_baseline_already || keeps_baseline
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
    match (stays, is_there) {
        (true, _) => Step::Stay,
        (false, true) => Step::Move,
        (false, false) => Step::Conflict,
    }
}

/// Approving moves the pointers to the results' captures, rejecting back to what they named before, and withdrawing
/// undoes either. Returns the results whose pointer does not stand any more where it was found.
async fn move_pointers<'a>(
    tx: &mut AnyConnection,
    call: Call<'_>,
    project_id: &str,
    moving: &[(&'a ResultRow, i64)],
) -> Result<Vec<&'a ResultRow>> {
    let takes_own = |result: &ResultRow| match call.wish.action {
        TriageAction::Approve => true,
        TriageAction::Reject => false,
        TriageAction::Withdraw => result.is_new_baseline == 1,
    };
    // Before a page's first baseline there was none, or one that a new configuration had made invalid.
    let takes_former = |result: &ResultRow| !takes_own(result) && result.is_new_baseline == 0;
    let former: Vec<_> = moving
        .iter()
        .filter(|(result, _)| takes_former(result))
        .map(|(result, version)| {
            let (page_key, variant_name) = page_of(result);
            (page_key, variant_name, version - 1)
        })
        .collect();
    let former = db::baselines::many::list_named(tx, project_id, &former).await?;
    let moves: Vec<_> = moving
        .iter()
        .map(|(result, version)| {
            let capture_id = if takes_own(result) {
                result.current_capture_id.as_deref()
            } else {
                former.get(&owned(result)).and_then(Option::as_deref)
            };
            let (page_key, variant_name) = page_of(result);
            PointerMove {
                page_key,
                variant_name,
                known_version: *version,
                capture_id,
            }
        })
        .collect();
    let cause = MoveCause {
        action: match call.wish.action {
            TriageAction::Approve => BaselineAction::Promote,
            TriageAction::Reject | TriageAction::Withdraw => BaselineAction::Restore,
        },
        baseline_version: call.job.baseline_version.as_deref().unwrap_or_default(),
        job_id: &call.job.id,
        actor: call.reviewer.name,
    };
    let done =
        db::baselines::many::move_baselines(tx, project_id, &moves, cause, call.now_ms).await?;
    let stays = moving.iter().map(|(result, _)| *result);
    Ok(stays
        .filter(|result| !done.contains(&owned(result)))
        .collect())
}

/// Writes each move to the audit log.
async fn note_moves(
    tx: &mut AnyConnection,
    call: Call<'_>,
    moved: &[(&ResultRow, i64)],
) -> Result<()> {
    let action = match call.wish.action {
        TriageAction::Approve => "baseline.promote",
        TriageAction::Reject | TriageAction::Withdraw => "baseline.restore",
    };
    let entry = |(result, version): &(&'_ ResultRow, i64)| json!({ "project": call.job.project_name, "job": call.job.id, "page": result.page_key, "variant": result.variant_name, "version": version + 1 });
    let entries: Vec<_> = moved
        .iter()
        .map(|one| AuditEntry {
            organization_id: &call.job.organization_id,
            actor: call.reviewer.name,
            action,
            subject: &one.0.id,
            detail: entry(one),
        })
        .collect();
    Ok(db::audit::insert_audits(tx, &entries, call.now_ms).await?)
}

/// The project whose baselines a job's decisions move; a live job has none.
fn baselines_of(job: &JobRow) -> Option<&str> {
    let is_live = job.mode() == ComparisonMode::Live;
    job.project_id.as_deref().filter(|_| !is_live)
}

fn page_of(result: &ResultRow) -> (&str, &str) {
    (&result.page_key, &result.variant_name)
}

fn owned(result: &ResultRow) -> PageVariant {
    (result.page_key.clone(), result.variant_name.clone())
}

/// Records decisions, each with the version of the pointer that it left behind. The same one again, with nothing to note,
/// leaves who made it first. An empty note takes away the one that is there.
async fn record(
    tx: &mut AnyConnection,
    call: Call<'_>,
    decided: &[(&ResultRow, Option<i64>)],
) -> Result<()> {
    let status = call.wish.action.leads_to();
    let is_decided = status != TriageStatus::Pending;
    let triaged = |&(result, left): &(&'_ ResultRow, Option<i64>)| {
        // A page whose decision was taken back stands as if it had just been compared, with the baseline where it is now.
        let (promoted_version, pinned_version) = if !is_decided && result.is_new_baseline == 0 {
            (None, left.unwrap_or(result.pinned_version))
        } else {
            (left, result.pinned_version)
        };
        let stands = result.triage() == status && result.promoted_version == promoted_version;
        let is_noted = |note: &str| !note.is_empty() || result.triage_note.is_some();
        (!stands || call.wish.note.as_deref().is_some_and(is_noted))
            .then_some((promoted_version, pinned_version))
    };
    let recorded: Vec<_> = decided
        .iter()
        .filter_map(|one| {
            let (promoted_version, pinned_version) = triaged(one)?;
            let result = one.0;
            Some(Triaged {
                id: &result.id,
                verdict: result.decision.as_deref().filter(|_| is_decided),
                promoted_version,
                pinned_version,
            })
        })
        .collect();
    let triage = Triage {
        status,
        by: call.reviewer.name,
        note: (call.wish.note.as_deref()).filter(|note| is_decided && !note.is_empty()),
    };
    Ok(db::results::triage::set_triages(tx, triage, &recorded, call.now_ms).await?)
}
