//! Removing jobs: those whose removal was interrupted, old ones, and those that could not be removed before.
//!
//! A job that cannot be removed is noted with the time of the try. Rounds pass those by, however many there are, and try some of
//! them again, in turns: so none holds another up, and a round ends.

use std::collections::BTreeSet;

use serde_json::json;
use sqlx::{Any, Transaction};

use super::masks_of;
use crate::app::App;
use crate::db;
use crate::db::audit::AuditEntry;
use crate::db::retention::due::{self, EndedJob};

/// Jobs of one round, the next of which comes within an hour, and how many of them are looked up at once.
const MAX_JOBS: usize = 1_000;
const JOBS_AT_ONCE: i64 = 100;

/// Results that are removed in one transaction.
const RESULTS_AT_ONCE: i64 = 200;

/// Hidden jobs that a round goes on with.
const MAX_HIDDEN_JOBS: i64 = 500;

/// Jobs that could not be removed, each of which is a line of the log, after which a round leaves the rest to the next one.
const MAX_FAILED_JOBS: usize = 500;

/// How often a round looks for jobs to be tried again: [`JOBS_AT_ONCE`] each time.
const RETRIES: usize = 5;

/// Goes on with jobs whose removal was interrupted.
pub(super) async fn finish_removals(
    app: &App,
    now_ms: i64,
    removed: &mut usize,
) -> anyhow::Result<()> {
    let mut connection = app.db.read().await?;
    let hidden = due::list_hidden_jobs(&mut connection, MAX_HIDDEN_JOBS).await?;
    drop(connection);
    let failed = remove_each(app, &hidden, now_ms, removed).await?;
    all_removed(failed)
}

/// Removes jobs that ended before a time, the first ones first.
pub(super) async fn remove_ended(
    app: &App,
    before_ms: i64,
    now_ms: i64,
    removed: &mut usize,
) -> anyhow::Result<()> {
    let mut failed = 0;
    let mut after = (i64::MIN, String::new());
    while *removed < MAX_JOBS && failed < MAX_FAILED_JOBS {
        let mut connection = app.db.read().await?;
        let behind = (after.0, after.1.as_str());
        let ended = due::list_ended_jobs(&mut connection, behind, before_ms, JOBS_AT_ONCE).await?;
        drop(connection);
        let Some(last) = ended.last() else { break };
        // What another server removes just now is passed by.
        after = (last.finished_at_ms, last.id.clone());
        failed += remove_each(app, &ended, now_ms, removed).await?;
    }
    all_removed(failed)
}

/// Tries jobs again that could not be removed in a former round: hidden ones, and those that ended before a time.
pub(super) async fn retry_stuck(
    app: &App,
    before_ms: i64,
    now_ms: i64,
    removed: &mut usize,
) -> anyhow::Result<()> {
    let mut failed = 0;
    for _ in 0..RETRIES {
        let mut connection = app.db.read().await?;
        let stuck = due::list_stuck_jobs(&mut connection, now_ms, before_ms, JOBS_AT_ONCE).await?;
        drop(connection);
        if stuck.is_empty() {
            break;
        }
        failed += remove_each(app, &stuck, now_ms, removed).await?;
    }
    all_removed(failed)
}

/// Removes jobs one after the other, notes those that could not be removed, and returns how many these are. What goes wrong with
/// all of them ends it with the job at which that was seen, which is noted, too: should it be that job's own trouble after all,
/// the next round passes it by.
async fn remove_each(
    app: &App,
    jobs: &[EndedJob],
    now_ms: i64,
    removed: &mut usize,
) -> anyhow::Result<usize> {
    let mut stuck = Vec::new();
    let mut ended = Ok(());
    for job in jobs {
        match remove_job(app, job, now_ms).await {
            Ok(is_removed) => *removed += usize::from(is_removed),
            Err(error) => {
                stuck.push(job.id.as_str());
                if is_of_all(&error) {
                    ended = Err(error);
                    break;
                }
                let error = format!("{error:#}");
                tracing::warn!(job = job.id, error, "an old job could not be removed");
            }
        }
    }
    let noted = note_stuck(app, &stuck, now_ms).await;
    // The trouble of all is the one to tell.
    ended?;
    noted?;
    Ok(stuck.len())
}

async fn note_stuck(app: &App, ids: &[&str], now_ms: i64) -> sqlx::Result<()> {
    if ids.is_empty() {
        return Ok(());
    }
    let mut tx = app.db.begin().await?;
    due::note_stuck_jobs(&mut tx, ids, now_ms).await?;
    tx.commit().await
}

fn all_removed(failed: usize) -> anyhow::Result<()> {
    anyhow::ensure!(
        failed == 0,
        "{failed} old jobs could not be removed; the log has each of them with its reason"
    );
    Ok(())
}

/// Whether a failure is not that of one job: no other would fare better.
fn is_of_all(error: &anyhow::Error) -> bool {
    // Busy, read-only, disk full; of PostgreSQL: out of resources, read-only, starting or stopping.
    const CODES: [&str; 3] = ["5", "8", "13"];
    const CLASSES: [&str; 3] = ["25006", "53", "57P"];
    let code = match error.downcast_ref::<sqlx::Error>() {
        Some(sqlx::Error::Database(error)) => error.code(),
        _ => None,
    };
    let is_code = |code: &str| {
        CODES.contains(&code)
            || CLASSES
                .iter()
                .any(|class| code.len() == 5 && code.starts_with(class))
    };
    code.as_deref().is_some_and(is_code)
        || matches!(
            error.downcast_ref::<sqlx::Error>(),
            Some(
                sqlx::Error::Io(_)
                    | sqlx::Error::PoolTimedOut
                    | sqlx::Error::PoolClosed
                    | sqlx::Error::WorkerCrashed
            )
        )
}

/// Hides a job, then removes it a slice at a time, so that who else writes waits for a slice alone. What an interrupted round
/// leaves of it the next one removes. False when another server was faster.
async fn remove_job(app: &App, job: &EndedJob, now_ms: i64) -> anyhow::Result<bool> {
    let mut tx = begin_alone(app, job).await?;
    if let Some(pages) = db::retention::hide_job(&mut tx, &job.id, now_ms).await? {
        let entry = AuditEntry {
            organization_id: &job.organization_id,
            actor: "retention",
            action: "job.remove",
            subject: &job.id,
            detail: json!({ "project": job.project_name, "pages": pages }),
        };
        db::audit::insert_audit(&mut tx, &entry, now_ms).await?;
    }
    tx.commit().await?;
    loop {
        let mut tx = begin_alone(app, job).await?;
        let slice = db::retention::first_slice(&mut tx, &job.id, RESULTS_AT_ONCE).await?;
        let mut masks = BTreeSet::new();
        for json in db::retention::list_disagreements(&mut tx, slice).await? {
            // One that cannot be read leaves its masks behind, and holds nothing up.
            masks.extend(masks_of(&json).unwrap_or_default());
        }
        let masks: Vec<_> = masks.into_iter().collect();
        db::retention::release_blobs(&mut tx, &masks, now_ms).await?;
        db::retention::delete_results(&mut tx, slice, now_ms).await?;
        if slice.is_last {
            let is_removed = db::retention::delete_job(&mut tx, &job.id).await?;
            tx.commit().await?;
            return Ok(is_removed);
        }
        tx.commit().await?;
    }
}

/// Begins a transaction in which nobody decides on the job's pages, and no other job of its project goes: what a page's history
/// keeps hangs on which jobs there are.
async fn begin_alone(app: &App, job: &EndedJob) -> sqlx::Result<Transaction<'static, Any>> {
    let mut tx = app.db.begin().await?;
    db::jobs::lock_job(&mut tx, &job.id).await?;
    if let Some(project_id) = &job.project_id {
        db::projects::lock_baselines(&mut tx, project_id).await?;
    }
    Ok(tx)
}
