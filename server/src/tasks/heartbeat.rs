//! The heartbeat: says that this process is alive, whatever else it is busy with. Without it, its leases lapse.

use std::time::Duration;

use anyhow::Context;
use tokio_util::sync::CancellationToken;

use crate::app::App;
use crate::db;

/// How often a process says that it is alive.
const INTERVAL: Duration = Duration::from_secs(5);

/// Longest time that one heartbeat may take: on a connection that went silent it would never end, and be the last one. It may wait 20 s
/// for a connection; the next one still comes before others take this process for dead.
const DEADLINE: Duration = Duration::from_secs(25);

/// Beats until `stop` is cancelled. Nothing else belongs into this loop: what is slow would make the process look dead.
pub(super) async fn run(app: App, stop: CancellationToken) {
    loop {
        if let Err(error) = in_time(DEADLINE, beat(&app)).await {
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

/// Says that this process is alive.
pub(crate) async fn beat(app: &App) -> sqlx::Result<()> {
    let mut tx = app.db.begin().await?;
    db::workers::beat_worker(&mut tx, &app.worker_id, app.clock.now_ms()).await?;
    tx.commit().await
}

/// A heartbeat, unless it takes too long.
async fn in_time(
    deadline: Duration,
    beat: impl Future<Output = sqlx::Result<()>>,
) -> anyhow::Result<()> {
    let beaten = tokio::time::timeout(deadline, beat).await;
    beaten.with_context(|| format!("it took more than {} s", deadline.as_secs()))??;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_heartbeat_that_never_ends_is_given_up() {
        let soon = Duration::from_millis(10);
        let silent = in_time(soon, std::future::pending()).await;
        assert!(silent.is_err());
        let refused = in_time(DEADLINE, async { Err(sqlx::Error::PoolTimedOut) }).await;
        assert!(refused.is_err());
        assert!(in_time(DEADLINE, async { Ok(()) }).await.is_ok());
    }
}
