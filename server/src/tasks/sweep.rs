//! The sweep: buries the processes that are not alive any more, and reminds of work that was lost.

use std::time::Duration;

use tokio_util::sync::CancellationToken;

use super::queue::Task;
use super::settle::settle;
use super::{leases, uploads};
use crate::app::App;
use crate::db;

/// How often a process looks for lost work.
const INTERVAL: Duration = Duration::from_secs(5);

/// A process that has been silent so long is dead. A living one takes less than 20 s for a heartbeat.
const DEAD_AFTER_MS: i64 = 40_000;

/// A task that nobody took so long after it was enqueued is lost, or stands in a long queue; a second one is harmless.
const LOST_AFTER_MS: i64 = 45_000;

/// Sweeps until `stop` is cancelled.
pub(super) async fn run(app: App, stop: CancellationToken) {
    if let Err(error) = take_over(&app).await {
        tracing::error!(
            error = format!("{error:#}"),
            "work left by the last run could not be taken over"
        );
    }
    loop {
        app.metrics.keep_up();
        if let Err(error) = tick(&app).await {
            tracing::warn!(
                error = format!("{error:#}"),
                "the sweep failed; it comes again"
            );
        }
        tokio::select! {
            () = tokio::time::sleep(INTERVAL) => {}
            () = stop.cancelled() => return,
        }
    }
}

/// At the start: an embedded database has one process, so whoever held a lease before is gone.
async fn take_over(app: &App) -> anyhow::Result<()> {
    let now = app.clock.now_ms();
    let mut tx = app.db.begin().await?;
    db::workers::beat_worker(&mut tx, &app.worker_id, now).await?;
    let mut reminders = Vec::new();
    if app.db.is_embedded() {
        db::workers::bury_workers(&mut tx, &app.worker_id, i64::MAX).await?;
        // Tasks that the last run enqueued may have died with it.
        reminders = remind(&mut tx, i64::MAX, now).await?;
    }
    db::sessions::delete_expired_sessions(&mut tx, now).await?;
    tx.commit().await?;
    for task in reminders {
        app.queue.push(&task).await;
    }
    Ok(())
}

/// One round; tests call it instead of waiting.
///
/// # Errors
/// The database refuses.
pub async fn tick(app: &App) -> anyhow::Result<()> {
    leases::give_back_owed(app).await;
    let now = app.clock.now_ms();
    let mut tx = app.db.begin().await?;
    db::workers::bury_workers(&mut tx, &app.worker_id, now - DEAD_AFTER_MS).await?;
    let reminders = remind(&mut tx, now - LOST_AFTER_MS, now).await?;
    let processing = db::jobs::list_processing_jobs(&mut tx).await?;
    tx.commit().await?;
    for task in reminders {
        app.queue.push(&task).await;
    }
    for job_id in processing {
        settle(app, &job_id).await;
    }
    // Last: it may wait for a bucket.
    uploads::close_overdue(app, now).await
}

async fn remind(
    tx: &mut sqlx::AnyConnection,
    lost_before_ms: i64,
    now_ms: i64,
) -> anyhow::Result<Vec<Task>> {
    let mut tasks = Vec::new();
    for (job_id, status) in db::jobs::take_lost_jobs(tx, lost_before_ms, now_ms).await? {
        tasks.push(if status == "INITIALIZING" {
            Task::Discover { job_id }
        } else {
            Task::Finish { job_id }
        });
    }
    db::results::claims::free_lost(tx, lost_before_ms).await?;
    Ok(tasks)
}
