//! Deciding on results: approving promotes captures to baselines, rejecting keeps or restores them, and withdrawing takes
//! either back.
//!
//! One call is one transaction. Every pointer moves by its version, so a baseline that moved since the job ran is seen
//! as a conflict, and then nothing is changed at all.

mod decide;
mod wish;

use pentimento_api::approve::{
    ApproveAnswer, ApproveRequest, OverallTriage, SeenTriage, TriageAction,
};
use pentimento_api::ids::JobId;
use pentimento_api::job::JobStatus;
use pentimento_api::result::{Decision, ResultStatus, TriageStatus};
use serde_json::json;
use sqlx::AnyConnection;
use url::Url;

use crate::app::App;
use crate::db;
use crate::db::audit::AuditEntry;
use crate::db::jobs::JobRow;
use crate::db::results::ResultRow;
use crate::error::{Error, Result};
use crate::jobs::view::awaits_decision;
use crate::webhooks::outbox;
pub(crate) use decide::is_out_of_date;
use decide::{Call, Decided};
use wish::{Filter, Selection, Wish, check_wish};

/// Who decides, and on whose data.
#[derive(Debug, Clone, Copy)]
pub struct Reviewer<'a> {
    /// The organization.
    pub organization_id: &'a str,
    /// The name that triage records.
    pub name: &'a str,
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
    db::jobs::lock_job(&mut tx, &job_id.to_string()).await?;
    let job = db::jobs::find_job(&mut tx, reviewer.organization_id, &job_id.to_string())
        .await?
        .ok_or_else(Error::job_not_found)?;
    if !matches!(job.status(), JobStatus::Completed | JobStatus::Approved) {
        return Err(Error::invalid_state(format!(
            "The job is {}; its pages can be decided on when it is COMPLETED.",
            job.status().as_str()
        )));
    }
    let call = Call {
        job: &job,
        reviewer,
        wish: &wish,
        now_ms: app.clock.now_ms(),
    };
    let applied = apply(&mut tx, call).await?;
    let answer = answer(job_id, wish.action, &applied);
    tell(app, &mut tx, call, &applied, &answer).await?;
    tx.commit().await?;
    outbox::announce(app);
    Ok(answer)
}

/// Every call is written to the audit log and told to webhooks, those that moved no baseline too.
async fn tell(
    app: &App,
    tx: &mut AnyConnection,
    call: Call<'_>,
    applied: &Applied,
    answer: &ApproveAnswer,
) -> Result<()> {
    let page = match &call.wish.selection {
        Selection::Page { url, variant_name } => Some((url.as_str(), variant_name.as_str())),
        Selection::All | Selection::Where(_) => None,
    };
    let filter = match &call.wish.selection {
        Selection::Where(filter) => Some(json!({
            "decision": filter.decisions, "changeGroup": filter.change_group, "except": filter.except.len(),
        })),
        Selection::All | Selection::Page { .. } => None,
    };
    let entry = AuditEntry {
        organization_id: call.reviewer.organization_id,
        actor: call.reviewer.name,
        action: match call.wish.action {
            TriageAction::Approve => "triage.approve",
            TriageAction::Reject => "triage.reject",
            TriageAction::Withdraw => "triage.withdraw",
        },
        subject: &call.job.id,
        detail: json!({
            "project": call.job.project_name, "page": page, "where": filter, "pages": applied.touched(),
            "skipped": answer.skipped_urls_count, "triageStatus": answer.triage_status, "note": call.wish.note,
        }),
    };
    db::audit::insert_audit(tx, &entry, call.now_ms).await?;
    let told = outbox::TriageCall {
        triaged_by: call.reviewer.name,
        action: call.wish.action,
        page,
        answer,
    };
    Ok(outbox::job_triaged(tx, app, &call.job.id, told).await?)
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
        seen: None,
    };
    let call = Call {
        job,
        reviewer,
        wish: &wish,
        now_ms,
    };
    apply(tx, call).await.map(drop)
}

/// What a call did.
#[derive(Debug, Default)]
struct Applied {
    approved: u64,
    rejected: u64,
    withdrawn: u64,
    /// Pages of a live job: decided, but without a baseline to move.
    recorded: u64,
    /// Pages that were left as they were.
    skipped: u64,
    /// Changed pages among the skipped ones.
    left_pending: u64,
}

impl Applied {
    /// Pages that were decided.
    fn touched(&self) -> u64 {
        self.approved + self.rejected + self.withdrawn + self.recorded
    }
}

async fn apply(tx: &mut AnyConnection, call: Call<'_>) -> Result<Applied> {
    let mut results = select(tx, call.job, &call.wish.selection).await?;
    let chosen = |result: &ResultRow| match &call.wish.selection {
        Selection::All | Selection::Page { .. } => true,
        Selection::Where(filter) => is_chosen(filter, call.wish, result),
    };
    // Conflicts are told page by page, whatever the job's order.
    results.sort_by(|a, b| (&a.page_key, &a.variant_name).cmp(&(&b.page_key, &b.variant_name)));
    let mut applied = Applied::default();
    let mut wanted = Vec::new();
    for result in &results {
        if !chosen(result) || result.status() != ResultStatus::Success {
            applied.skipped += 1;
            applied.left_pending += u64::from(awaits_decision(result));
            continue;
        }
        if let Selection::Page { .. } = call.wish.selection {
            check_seen(call, result)?;
        }
        wanted.push(result);
    }
    let count = wanted.len() as u64;
    match (
        decide::decide_all(tx, call, &wanted).await?,
        call.wish.action,
    ) {
        (Decided::Conflict { mut urls, moved_by }, _) => {
            urls.dedup();
            return Err(Error::BaselineMoved {
                conflicted_urls: urls,
                moved_by: moved_by.into_iter().collect(),
            });
        }
        (Decided::Recorded, _) => applied.recorded = count,
        (Decided::Done, TriageAction::Approve) => applied.approved = count,
        (Decided::Done, TriageAction::Reject) => applied.rejected = count,
        (Decided::Done, TriageAction::Withdraw) => applied.withdrawn = count,
    }
    if applied.touched() > 0 {
        settle_job(tx, call.job).await?;
    }
    Ok(applied)
}

/// Whether a filter lets a result through, and the wish may change what stands there.
fn is_chosen(filter: &Filter, wish: &Wish, result: &ResultRow) -> bool {
    let is_meant = result.changed == 1
        && (filter.decisions.as_ref()).is_none_or(|decisions| {
            let has = |one: &Decision| result.decision.as_deref() == Some(one.as_str());
            decisions.iter().any(has)
        })
        && (filter.change_group.as_ref())
            .is_none_or(|group| result.change_group.as_ref() == Some(group))
        && !filter.except.contains(&result.id);
    let triage = result.triage();
    is_meant
        && match &wish.seen {
            Some(seen) => is_as_seen(seen, result),
            // What is decided so already is decided so again, so that the call is repeatable; what a person decided otherwise
            // stays so.
            None => triage == TriageStatus::Pending || triage == wish.action.leads_to(),
        }
}

/// Whether a result's decision is the one that somebody has seen.
fn is_as_seen(seen: &SeenTriage, result: &ResultRow) -> bool {
    seen.triage_status == result.triage() && seen.triaged_by.as_deref() == decided_by(result)
}

/// Who made the decision that stands.
fn decided_by(result: &ResultRow) -> Option<&str> {
    let is_decided = result.triage() != TriageStatus::Pending;
    result.triaged_by.as_deref().filter(|_| is_decided)
}

/// Refuses a decision that does not know of another one, unless it is the same again by the same person.
fn check_seen(call: Call<'_>, result: &ResultRow) -> Result<()> {
    let Some(seen) = &call.wish.seen else {
        return Ok(());
    };
    let (triage, by) = (result.triage(), decided_by(result));
    let is_own = triage == TriageStatus::Pending || by == Some(call.reviewer.name);
    let is_repeated = triage == call.wish.action.leads_to() && is_own;
    if is_as_seen(seen, result) || is_repeated {
        return Ok(());
    }
    let by = by.unwrap_or("somebody");
    let what = match triage {
        TriageStatus::Approved => format!("{by} approved this page meanwhile"),
        TriageStatus::Rejected => format!("{by} rejected this page meanwhile"),
        TriageStatus::Pending => {
            "the decision that you have seen was taken back meanwhile".to_owned()
        }
    };
    Err(Error::invalid_state(format!(
        "Nothing was decided: {what}. Look at it again before you decide."
    )))
}

async fn select(
    tx: &mut AnyConnection,
    job: &JobRow,
    selection: &Selection,
) -> Result<Vec<ResultRow>> {
    let Selection::Page { url, variant_name } = selection else {
        let results = db::results::triage::list_to_decide(tx, &job.id).await?;
        if let Selection::Where(Filter {
            change_group: Some(group),
            ..
        }) = selection
            && !results
                .iter()
                .any(|result| result.change_group.as_ref() == Some(group))
        {
            return Err(Error::not_found(format!(
                "The job has no change group `{group}`; GET /job/{} has the `changeGroup` of each page.",
                job.id
            )));
        }
        return Ok(results);
    };
    // Results hold addresses in their normal form; whoever uploaded `http://host` may name it so again.
    let normal = Url::parse(url).map_or_else(|_| url.clone(), String::from);
    // Pages that the service captures have no fragment, whoever named them with one; uploads keep theirs.
    let page = normal.split('#').next().unwrap_or_default();
    for address in [normal.as_str(), page] {
        let found = db::results::lists::find_page_result(tx, &job.id, address, variant_name);
        if let Some(result) = found.await? {
            return Ok(vec![result]);
        }
    }
    Err(Error::not_found(format!(
        "The job has no page `{url}` in the variant `{variant_name}`; GET /job/{} lists them.",
        job.id
    )))
}

/// The job is `APPROVED` while every changed page is, and no new page is rejected.
async fn settle_job(tx: &mut AnyConnection, job: &JobRow) -> Result<()> {
    let status = if db::results::lists::is_approved(tx, &job.id).await? {
        JobStatus::Approved
    } else {
        JobStatus::Completed
    };
    Ok(db::jobs::set_job_approved(tx, &job.id, status).await?)
}

fn answer(job_id: JobId, action: TriageAction, applied: &Applied) -> ApproveAnswer {
    let skipped = applied.skipped + applied.recorded;
    let triage_status = match (applied.touched(), applied.left_pending, action) {
        (0, _, _) | (_, _, TriageAction::Withdraw) => OverallTriage::Pending,
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
    let mut message = match action {
        TriageAction::Approve => format!(
            "Approved {}, skipped {}.",
            pages(applied.approved),
            pages(skipped)
        ),
        TriageAction::Reject => format!("Rejected {}.", pages(applied.rejected)),
        TriageAction::Withdraw => {
            format!("Took back the decision on {}.", pages(applied.withdrawn))
        }
    };
    if applied.recorded > 0 {
        message = format!(
            "Recorded the decision on {}, skipped {}; a live job has no baselines to move.",
            pages(applied.recorded),
            pages(applied.skipped)
        );
    }
    ApproveAnswer {
        message,
        job_id,
        approved_urls_count: applied.approved,
        skipped_urls_count: skipped,
        conflicted_urls: Vec::new(),
        triage_status,
    }
}
