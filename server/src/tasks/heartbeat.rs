//! The heartbeat: says that this process is alive, whatever else it is busy with. Without it, its leases lapse.

use std::time::Duration;

use tokio_util::sync::CancellationToken;

use crate::app::App;
use crate::db;

/// How often a process says that it is alive.
const INTERVAL: Duration = Duration::from_secs(5);

/// Beats until `stop` is cancelled. Nothing else belongs into this loop: what is slow would make the process look dead.
pub(super) async fn run(app: App, stop: CancellationToken) {
    loop {
        if let Err(error) = beat(&app).await {
            tracing::warn!(%error, "a heartbeat failed; the next one comes");
        }
        tokio::select! {
            () = tokio::time::sleep(INTERVAL) => {}
            () = stop.cancelled() => return,
        }
    }
}

/// Says that this process is alive.
pub(crate) async fn beat(app: &App) -> sqlx::Result<()> {
    let mut tx = app.db.begin().await?;
    db::workers::beat_worker(&mut tx, &app.worker_id, app.clock.now_ms()).await?;
    tx.commit().await
}
