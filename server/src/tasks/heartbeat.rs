//! The heartbeat: says that this process is alive, whatever else it is busy with. Without it, its leases lapse.

use std::time::Duration;

use anyhow::Context;
use tokio_util::sync::CancellationToken;

use crate::app::App;
use crate::db;

/// How often a process says that it is alive.
const INTERVAL: Duration = Duration::from_secs(5);

/// Longest waits of one heartbeat: for a connection, and for the database. On a connection that went silent it would never end, and be the
/// last one; the next one comes long before others take this process for dead.
const FREE: Duration = Duration::from_secs(10);
const ANSWER: Duration = Duration::from_secs(9);

/// Beats until `stop` is cancelled. Nothing else belongs into this loop: what is slow would make the process look dead.
pub(super) async fn run(app: App, stop: CancellationToken) {
    loop {
        if let Err(error) = beat(&app).await {
            tracing::warn!(
                error = format!("{error:#}"),
                "a heartbeat failed; the next one comes"
            );
        }
        tokio::select! {
            () = tokio::time::sleep(INTERVAL) => {}
            () = stop.cancelled() => return,
        }
    }
}

/// Says that this process is alive. It takes less than 20 s.
///
/// # Errors
/// The database takes no writes, or not in time.
pub(crate) async fn beat(app: &App) -> anyhow::Result<()> {
    let free = tokio::time::timeout(FREE, app.db.write()).await;
    let mut connection =
        free.with_context(|| format!("no connection was free within {} s", FREE.as_secs()))??;
    let beating = async {
        let mut tx = app.db.begin_on(&mut connection).await?;
        db::workers::beat_worker(&mut tx, &app.worker_id, app.clock.now_ms()).await?;
        tx.commit().await
    };
    let beaten = tokio::time::timeout(ANSWER, beating).await;
    if beaten.is_err() {
        // Each that is given up would take a place of the pool's for as long as it stays silent.
        drop(connection.detach());
    }
    beaten.with_context(|| format!("no answer within {} s", ANSWER.as_secs()))??;
    Ok(())
}
