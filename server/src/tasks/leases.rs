//! Giving leases back after a failure of the service, also those that could not be given back at once.
//!
//! A lease belongs to this process as long as it is alive, so nobody else frees the row: what a full disk or a database that is
//! away keeps from being given back is owed, and every sweep tries again.

use super::capture;
use super::give_up::{INTERNAL_FAILURE, MAX_ATTEMPTS};
use super::owed::Lease;
use super::settle::settle;
use crate::app::App;
use crate::db;

/// Gives a lease back, so that its work is begun again, or ends it when it was begun too often; what cannot be written now is
/// owed.
pub(super) async fn give_back(app: &App, lease: Lease) {
    let Err(error) = try_to(app, &lease).await else {
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

async fn try_to(app: &App, lease: &Lease) -> anyhow::Result<()> {
    match lease {
        Lease::Job(job_id) => {
            let mut tx = app.db.begin().await?;
            db::jobs::release_job(&mut tx, job_id, &app.worker_id).await?;
            tx.commit().await?;
            Ok(())
        }
        Lease::Result(result_id) => give_result_back(app, result_id).await,
    }
}

async fn give_result_back(app: &App, result_id: &str) -> anyhow::Result<()> {
    let mut tx = app.db.begin().await?;
    let Some(result) = db::results::get_result(&mut tx, result_id).await? else {
        return Ok(());
    };
    if result.attempts >= MAX_ATTEMPTS
        && result.recapture.is_some()
        && ["capture", "store"].contains(&result.stage.as_str())
    {
        // Only one writes at a time.
        drop(tx);
        capture::judge_without(app, &result, INTERNAL_FAILURE).await?;
        settle(app, &result.job_id).await;
        return Ok(());
    }
    if result.attempts < MAX_ATTEMPTS {
        db::results::claims::release_result(&mut tx, result_id, &app.worker_id).await?;
    } else {
        db::results::work::set_result_error(&mut tx, result_id, &app.worker_id, INTERNAL_FAILURE)
            .await?;
    }
    tx.commit().await?;
    settle(app, &result.job_id).await;
    Ok(())
}
