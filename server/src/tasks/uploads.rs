//! Uploads that lead nowhere: jobs that are never finalized, and what dead jobs leave in staging.

use std::time::Duration;

use anyhow::Context;
use pentimento_api::job::JobStatus;

use super::give_up::fail_job;
use crate::app::App;
use crate::db;
use crate::storage::StorageError;
use crate::webhooks::outbox;

/// Longest time that taking away what closed jobs had in staging may hold the sweep up; [`clear_staging`] sees to the rest.
const CLEARING_DEADLINE: Duration = Duration::from_secs(10);

/// Closes the jobs that were not finalized in time, with the reason in their `error`.
pub(super) async fn close_overdue(app: &App, now_ms: i64) -> anyhow::Result<()> {
    let overdue = db::uploads::list_overdue(&mut *app.db.read().await?, now_ms).await?;
    let mut closed = Vec::new();
    for job_id in overdue {
        match close(app, &job_id).await {
            Ok(true) => closed.push(job_id),
            Ok(false) => {}
            Err(error) => tracing::warn!(
                job = job_id,
                error = format!("{error:#}"),
                "a job that was never finalized could not be closed; the sweep tries again"
            ),
        }
    }
    let clearing = async {
        for job_id in &closed {
            app.staging.remove_job(job_id).await?;
        }
        Ok::<(), StorageError>(())
    };
    let why = match tokio::time::timeout(CLEARING_DEADLINE, clearing).await {
        Ok(Ok(())) => return Ok(()),
        Ok(Err(error)) => error.to_string(),
        Err(_) => format!("not done within {} s", CLEARING_DEADLINE.as_secs()),
    };
    tracing::warn!(
        error = why,
        "uploads of jobs that were never finalized are left in staging; the next clean-up removes them"
    );
    Ok(())
}

/// Closes a job, unless it was finalized after all.
async fn close(app: &App, job_id: &str) -> anyhow::Result<bool> {
    let mut tx = app.db.begin().await?;
    db::jobs::lock_job(&mut tx, job_id).await?;
    let job = db::jobs::get_job(&mut tx, job_id).await?;
    if job.status() != JobStatus::Initializing {
        return Ok(false);
    }
    let minutes = app.config.upload_deadline_minutes;
    let error = format!(
        "The job was never finalized: POST /ci/job/finalize must come within {minutes} minutes of its start. Run it again; the operator can raise --upload-deadline-minutes."
    );
    db::uploads::end_uploads(
        &mut tx,
        job_id,
        "The job was closed before it was finalized.",
    )
    .await?;
    fail_job(app, &mut tx, job_id, None, &error).await?;
    tx.commit().await?;
    outbox::announce(app);
    tracing::info!(job = job_id, "a job was never finalized and is closed");
    Ok(true)
}

/// Removes from staging what belongs to jobs that need nothing there any more: late uploads, halves of uploads that
/// died with the process, and all of jobs that are gone.
///
/// # Errors
/// The database or the folder refuses.
pub async fn clear_staging(app: &App) -> anyhow::Result<()> {
    let mut failed = None;
    for job_id in app.staging.list_jobs().await? {
        if db::uploads::needs_staging(&mut *app.db.read().await?, &job_id).await? {
            continue;
        }
        // What cannot be removed keeps nothing else from being removed.
        if let Err(error) = app.staging.remove_job(&job_id).await {
            failed.get_or_insert(error);
        }
    }
    match failed {
        Some(error) => Err(error).context("removing uploads of jobs that are over"),
        None => Ok(()),
    }
}
