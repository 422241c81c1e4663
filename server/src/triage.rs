//! Deciding on results: approving promotes captures to baselines, rejecting keeps or restores them.
//!
//! One call is one transaction. Every pointer moves by its version, so a baseline that moved since the job ran is seen
//! as a conflict, and then nothing is changed at all.

use pentimento_api::approve::{ApproveAnswer, ApproveRequest, OverallTriage, TriageAction};
use pentimento_api::error::ErrorCode;
use pentimento_api::ids::JobId;
use pentimento_api::job::{ComparisonMode, JobStatus};
use pentimento_api::result::{Decision, ResultStatus, TriageStatus};
use serde_json::json;
use sqlx::AnyConnection;

use crate::app::App;
use crate::db;
use crate::db::audit::AuditEntry;
use crate::db::baselines::{BaselineKey, BaselineMove, Move};
use crate::db::jobs::JobRow;
use crate::db::results::{ResultRow, Triage};
use crate::error::{Error, Result};
use crate::jobs::view::awaits_decision;

/// Longest note, in characters.
const MAX_NOTE_CHARACTERS: usize = 2_000;

/// Who decides, and on whose data.
#[derive(Debug, Clone, Copy)]
pub struct Reviewer<'a> {
    /// The organization.
    pub organization_id: &'a str,
    /// The name that triage records.
    pub name: &'a str,
}

/// Which results a call decides on.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Selection {
    All,
    ByDecision(Vec<Decision>),
    Page { url: String, variant_name: String },
}

/// What a call wants, checked.
#[derive(Debug, Clone)]
struct Wish {
    selection: Selection,
    action: TriageAction,
    note: Option<String>,
}

/// Decides as `POST /approve` asks.
///
/// # Errors
/// 400 for a malformed wish or an unfinished job, 404 for an unknown job or page, 409 when a baseline moved.
pub async fn decide(
    app: &App,
    reviewer: Reviewer<'_>,
    request: ApproveRequest,
) -> Result<ApproveAnswer> {
    let job_id = request.job_id;
    let wish = check_wish(request)?;
    let mut tx = app.db.begin().await?;
    let job = db::jobs::find_job(&mut tx, reviewer.organization_id, &job_id.to_string())
        .await?
        .ok_or_else(Error::job_not_found)?;
    if !matches!(job.status(), JobStatus::Completed | JobStatus::Approved) {
        return Err(Error::invalid_state(format!(
            "The job is {}; its pages can be decided on when it is COMPLETED.",
            job.status().as_str()
        )));
    }
    let outcome = apply(&mut tx, &job, reviewer, &wish, app.clock.now_ms()).await?;
    tx.commit().await?;
    Ok(answer(job_id, wish.action, &outcome))
}

/// Promotes every successful page of a job that asked for it, as its last step.
///
/// # Errors
/// The database refuses.
pub async fn promote_all(tx: &mut AnyConnection, job: &JobRow, now_ms: i64) -> Result<()> {
    let reviewer = Reviewer {
        organization_id: &job.organization_id,
        name: &job.started_by,
    };
    let wish = Wish {
        selection: Selection::All,
        action: TriageAction::Approve,
        note: Some("approved automatically".to_owned()),
    };
    apply(tx, job, reviewer, &wish, now_ms).await.map(drop)
}

fn check_wish(request: ApproveRequest) -> Result<Wish> {
    if request
        .note
        .as_ref()
        .is_some_and(|note| note.chars().count() > MAX_NOTE_CHARACTERS)
    {
        return Err(Error::invalid(format!(
            "`note` is longer than {MAX_NOTE_CHARACTERS} characters."
        )));
    }
    let selection = match (request.filter, request.url, request.variant_name) {
        (Some(_), Some(_), _) => {
            return Err(Error::refused(
                ErrorCode::WhereWithUrl,
                "`where` and `url` exclude each other; send one of them.",
            ));
        }
        (Some(filter), None, _) => Selection::ByDecision(parse_decisions(&filter.decision)?),
        (None, Some(url), Some(variant_name)) => Selection::Page { url, variant_name },
        (None, Some(_), None) => {
            return Err(Error::invalid(
                "`variantName` is missing; a page is named by `url` and `variantName`.",
            ));
        }
        (None, None, Some(_)) => {
            return Err(Error::invalid(
                "`url` is missing; a page is named by `url` and `variantName`.",
            ));
        }
        (None, None, None) => Selection::All,
    };
    let action = request.action.unwrap_or(TriageAction::Approve);
    if action == TriageAction::Reject && !matches!(selection, Selection::Page { .. }) {
        return Err(Error::invalid(
            "`action`: `reject` decides on one page; send its `url` and `variantName`.",
        ));
    }
    Ok(Wish {
        selection,
        action,
        note: request.note,
    })
}

fn parse_decisions(words: &[String]) -> Result<Vec<Decision>> {
    if words.is_empty() {
        return Err(Error::invalid(
            "`where.decision` is empty; name at least one decision.",
        ));
    }
    words
        .iter()
        .map(|word| {
            Decision::ALL
                .into_iter()
                .find(|decision| decision.as_str() == word)
                .ok_or_else(|| {
                    let known = Decision::ALL.map(Decision::as_str).join(", ");
                    Error::refused(
                        ErrorCode::UnknownDecision,
                        format!(
                            "`where.decision` holds `{word}`, which is no decision; use {known}."
                        ),
                    )
                })
        })
        .collect()
}

/// What a call did.
#[derive(Debug, Default)]
struct Applied {
    approved: u64,
    rejected: u64,
    /// Pages of a live job: decided, but without a baseline to move.
    recorded: u64,
    /// Pages that were left as they were.
    skipped: u64,
    /// Changed pages among the skipped ones.
    left_pending: u64,
}

async fn apply(
    tx: &mut AnyConnection,
    job: &JobRow,
    reviewer: Reviewer<'_>,
    wish: &Wish,
    now_ms: i64,
) -> Result<Applied> {
    let mut results = select(tx, job, &wish.selection).await?;
    let chosen = |result: &ResultRow| match &wish.selection {
        Selection::All | Selection::Page { .. } => true,
        Selection::ByDecision(decisions) => {
            awaits_decision(result)
                && decisions
                    .iter()
                    .any(|decision| result.decision.as_deref() == Some(decision.as_str()))
        }
    };
    // One order for all callers, so that two of them never wait for each other in a circle.
    results.sort_by(|a, b| (&a.page_key, &a.variant_name).cmp(&(&b.page_key, &b.variant_name)));
    let mut applied = Applied::default();
    let mut conflicted_urls = Vec::new();
    for result in &results {
        if !chosen(result) || result.status() != ResultStatus::Success {
            applied.skipped += 1;
            applied.left_pending += u64::from(awaits_decision(result));
            continue;
        }
        let decided = match wish.action {
            TriageAction::Approve => approve(tx, job, result, reviewer, wish, now_ms).await?,
            TriageAction::Reject => reject(tx, job, result, reviewer, wish, now_ms).await?,
        };
        match (decided, wish.action) {
            (Decided::Conflict, _) => conflicted_urls.push(result.url.clone()),
            (Decided::Recorded, _) => applied.recorded += 1,
            (Decided::Done, TriageAction::Approve) => applied.approved += 1,
            (Decided::Done, TriageAction::Reject) => applied.rejected += 1,
        }
    }
    if !conflicted_urls.is_empty() {
        conflicted_urls.dedup();
        return Err(Error::BaselineMoved { conflicted_urls });
    }
    settle_job(tx, job).await?;
    Ok(applied)
}

async fn select(
    tx: &mut AnyConnection,
    job: &JobRow,
    selection: &Selection,
) -> Result<Vec<ResultRow>> {
    let Selection::Page { url, variant_name } = selection else {
        return Ok(db::results::lists::list_job_results(tx, &job.id).await?);
    };
    let result = db::results::lists::find_page_result(tx, &job.id, url, variant_name).await?.ok_or_else(|| {
        Error::not_found(format!("The job has no page `{url}` in the variant `{variant_name}`; GET /job/{} lists them.", job.id))
    })?;
    if result.status() != ResultStatus::Success {
        return Err(Error::invalid_state(format!(
            "The page `{url}` ended in ERROR; there is no capture to decide on."
        )));
    }
    Ok(vec![result])
}

/// How deciding on one result went.
enum Decided {
    /// The decision stands, and the baseline with it.
    Done,
    /// The decision was recorded; a live job has no baseline to move.
    Recorded,
    /// The baseline moved since the job ran.
    Conflict,
}

async fn approve(
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
async fn reject(
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

/// The job is `APPROVED` while every changed page is.
async fn settle_job(tx: &mut AnyConnection, job: &JobRow) -> Result<()> {
    let results = db::results::lists::list_job_results(tx, &job.id).await?;
    let open = results
        .iter()
        .any(|result| result.changed == 1 && result.triage() != TriageStatus::Approved);
    let status = if open {
        JobStatus::Completed
    } else {
        JobStatus::Approved
    };
    Ok(db::jobs::set_job_approved(tx, &job.id, status).await?)
}

fn answer(job_id: JobId, action: TriageAction, applied: &Applied) -> ApproveAnswer {
    let touched = applied.approved + applied.rejected + applied.recorded;
    let skipped = applied.skipped + applied.recorded;
    let triage_status = match (touched, applied.left_pending, action) {
        (0, _, _) => OverallTriage::Pending,
        (_, 0, TriageAction::Approve) => OverallTriage::Approved,
        (_, 0, TriageAction::Reject) => OverallTriage::Rejected,
        (_, _, _) => OverallTriage::Partial,
    };
    let pages = |count: u64| {
        if count == 1 {
            "1 page".to_owned()
        } else {
            format!("{count} pages")
        }
    };
    let message = match action {
        TriageAction::Approve => format!(
            "Approved {}, skipped {}.",
            pages(applied.approved),
            pages(skipped)
        ),
        TriageAction::Reject => format!("Rejected {}.", pages(applied.rejected)),
    };
    ApproveAnswer {
        message,
        job_id,
        approved_urls_count: applied.approved,
        skipped_urls_count: skipped,
        conflicted_urls: Vec::new(),
        triage_status,
    }
}
