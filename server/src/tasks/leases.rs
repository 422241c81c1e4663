//! Taking the leases of tasks, and giving leases back after a failure of the service, also those that could not be given back at
//! once.
//!
//! A lease belongs to this process as long as it is alive, so nobody else frees the row: what a full disk or a database that is
//! away keeps from being given back is owed, and every sweep tries again.

use pentimento_api::job::JobStatus;
use sqlx::{Any, Transaction};

use super::capture;
use super::give_up::{INTERNAL_FAILURE, MAX_ATTEMPTS};
use super::owed::Lease;
use super::pauses::Pauses;
use super::settle::settle;
use crate::app::App;
use crate::db;
use crate::db::jobs::JobRow;
use crate::db::results::ResultRow;

/// Takes the lease on a result in `stage`, unless a living worker has it.
pub(super) async fn claim_result(
    app: &App,
    id: &str,
    stage: &str,
) -> anyhow::Result<Option<ResultRow>> {
    let mut tx = app.db.begin().await?;
    let claimed = db::results::claims::claim_result(&mut tx, id, stage, &app.worker_id).await?;
    if claimed.is_some() {
        commit(app, tx, Lease::Result(id.to_owned())).await?;
    }
    Ok(claimed)
}

/// Takes the lease on a job whose end is to be made, unless a living worker has it; with how often that was begun.
pub(super) async fn claim_ending_job(app: &App, id: &str) -> anyhow::Result<Option<(JobRow, i64)>> {
    let statuses = [JobStatus::Finishing, JobStatus::Summarizing];
    let mut tx = app.db.begin().await?;
    let claimed = db::jobs::claim_job(&mut tx, id, statuses, &app.worker_id).await?;
    if claimed.is_some() {
        commit(app, tx, Lease::Job(id.to_owned())).await?;
    }
    Ok(claimed)
}

/// Commits that a lease was taken.
async fn commit(app: &App, tx: Transaction<'_, Any>, lease: Lease) -> anyhow::Result<()> {
    let Err(error) = tx.commit().await else {
        return Ok(());
    };
    // The answer alone may have been lost: then this process has a lease that it would not know of.
    give_back(app, lease).await;
    Err(error.into())
}

/// Gives back the lease on work that failed for the service's own reasons the `attempts`-th time, after a pause. What has lasted so
/// long that nothing is waited for lasts for the next try too: then a result ends.
pub(super) async fn give_back_failed(app: &App, pauses: &Pauses, lease: Lease, attempts: i64) {
    let is_again = attempts < MAX_ATTEMPTS && pauses.wait(&app.stopping).await;
    let then = if is_again { Then::Again } else { Then::End };
    give_back_to(app, lease, then).await;
}

/// Gives a lease back, so that its work is begun again, or ends it when it was begun too often; what cannot be written now is
/// owed.
pub(super) async fn give_back(app: &App, lease: Lease) {
    give_back_to(app, lease, Then::Again).await;
}

/// What becomes of work whose lease is given back.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Then {
    /// It is begun again, unless it was begun too often.
    Again,
    /// A result ends. A job is begun again all the same, and fails when it was begun too often: it has no other end.
    End,
}

async fn give_back_to(app: &App, lease: Lease, then: Then) {
    let Err(error) = try_to(app, &lease, then).await else {
        return;
    };
    tracing::error!(
        ?lease,
        error = format!("{error:#}"),
        "what failed could not be given back; the sweep tries again"
    );
    app.owed.add(lease);
}

/// Gives back what is owed.
pub(super) async fn give_back_owed(app: &App) {
    let owed = app.owed.take_all();
    for lease in owed {
        give_back(app, lease).await;
    }
}

async fn try_to(app: &App, lease: &Lease, then: Then) -> anyhow::Result<()> {
    match lease {
        Lease::Job(job_id) => {
            let mut tx = app.db.begin().await?;
            db::jobs::release_job(&mut tx, job_id, &app.worker_id).await?;
            tx.commit().await?;
            Ok(())
        }
        Lease::Result(result_id) => give_result_back(app, result_id, then).await,
    }
}

async fn give_result_back(app: &App, result_id: &str, then: Then) -> anyhow::Result<()> {
    let mut tx = app.db.begin().await?;
    let Some(result) = db::results::get_result(&mut tx, result_id).await? else {
        return Ok(());
    };
    let is_over = then == Then::End || result.attempts >= MAX_ATTEMPTS;
    if is_over
        && result.recapture.is_some()
        && ["capture", "store"].contains(&result.stage.as_str())
    {
        // Only one writes at a time.
        drop(tx);
        capture::judge_without(app, &result, INTERNAL_FAILURE).await?;
        settle(app, &result.job_id).await;
        return Ok(());
    }
    if is_over {
        db::results::work::set_result_error(&mut tx, result_id, &app.worker_id, INTERNAL_FAILURE)
            .await?;
    } else {
        db::results::claims::release_result(&mut tx, result_id, &app.worker_id).await?;
    }
    tx.commit().await?;
    settle(app, &result.job_id).await;
    Ok(())
}
