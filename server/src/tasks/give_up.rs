//! When a step is given up, and what its job or result says then.

use crate::app::App;
use crate::db;
use crate::db::results::ResultRow;
use crate::webhooks::outbox::{self, Tally};

use super::settle::settle;

/// How often one step of a job or result is begun before it is given up.
pub(super) const MAX_ATTEMPTS: i64 = 3;

/// What a result says when the service itself failed at it.
pub(super) const INTERNAL_FAILURE: &str = "The service failed at this page. Run the job again; if it persists, the operator finds the reason in the service's log.";

/// Sees work through to its end; a failure, of a panic too, is a sentence for the log.
pub(super) async fn see_through(
    work: impl Future<Output = anyhow::Result<()>> + Send + 'static,
) -> Result<(), String> {
    match tokio::spawn(work).await {
        Ok(Ok(())) => Ok(()),
        Ok(Err(error)) => Err(format!("{error:#}")),
        Err(panic) => Err(panic.to_string()),
    }
}

/// Ends a job that could not run, and writes down the event that tells of it; the caller announces it after the commit. What its
/// results come to need not be given where nothing of it was compared yet.
pub(super) async fn fail_job(
    app: &App,
    tx: &mut sqlx::AnyConnection,
    job_id: &str,
    tally: Option<&Tally>,
    error: &str,
) -> anyhow::Result<()> {
    if db::jobs::fail_job(tx, job_id, error, app.clock.now_ms()).await? {
        outbox::job_completed(tx, app, job_id, tally).await?;
    }
    Ok(())
}

/// Ends a result whose every attempt failed for the service's own reasons.
pub(super) async fn give_up_on(app: &App, result: &ResultRow) -> anyhow::Result<()> {
    let mut tx = app.db.begin().await?;
    db::results::work::set_result_error(&mut tx, &result.id, &app.worker_id, INTERNAL_FAILURE)
        .await?;
    tx.commit().await?;
    settle(app, &result.job_id).await;
    Ok(())
}
