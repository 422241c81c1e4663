//! Cleaning up what gathers over time: answers, tasks that are done, staging, the log of deliveries, old jobs.

use std::time::Duration;

use tokio_util::sync::CancellationToken;

use super::{deliver, retention, uploads};
use crate::app::App;
use crate::db;

/// Between two rounds.
const INTERVAL: Duration = Duration::from_hours(1);

/// Cleans up until `stop` is cancelled.
pub(super) async fn run(app: App, stop: CancellationToken) {
    loop {
        tokio::select! {
            () = clean_up(&app) => {}
            () = stop.cancelled() => return,
        }
        tokio::select! {
            () = tokio::time::sleep(INTERVAL) => {}
            () = stop.cancelled() => return,
        }
    }
}

/// One round; a failure is no more than a delay. Tests call it instead of waiting.
pub async fn clean_up(app: &App) {
    app.rate_limits.forget_full();
    if let Err(error) = forget_answers(app).await {
        tracing::warn!(%error, "old answers were not cleaned up; the next round tries again");
    }
    if let Err(error) = db::workers::delete_done_tasks(app.db.queue_pool()).await {
        tracing::warn!(%error, "the queue was not cleaned up; the next round tries again");
    }
    if let Err(error) = uploads::clear_staging(app).await {
        tracing::warn!(
            error = format!("{error:#}"),
            "staging was not cleaned up; the next round tries again"
        );
    }
    if let Err(error) = deliver::clear_log(app).await {
        tracing::warn!(
            error = format!("{error:#}"),
            "the log of deliveries was not cleaned up; the next round tries again"
        );
    }
    if let Err(error) = retention::remove_old(app).await {
        tracing::warn!(
            error = format!("{error:#}"),
            "not all that is old was removed; the next round goes on"
        );
    }
}

async fn forget_answers(app: &App) -> sqlx::Result<()> {
    let mut tx = app.db.begin().await?;
    db::idempotency::delete_expired_answers(&mut tx, app.clock.now_ms()).await?;
    tx.commit().await
}
