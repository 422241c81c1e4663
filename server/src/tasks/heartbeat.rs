//! The heartbeat: says that this process is alive, whatever else it is busy with. Without it, its leases lapse.

use std::time::Duration;

use anyhow::Context;
use sqlx::Any;
use sqlx::pool::PoolConnection;
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
    let connection =
        free.with_context(|| format!("no connection was free within {} s", FREE.as_secs()))??;
    let mut lent = Lent(Some(connection));
    let beating = async {
        let connection = lent.0.as_mut().expect("it is there until it is given back");
        let mut tx = app.db.begin_on(connection).await?;
        db::workers::beat_worker(&mut tx, &app.worker_id, app.clock.now_ms()).await?;
        tx.commit().await
    };
    let beaten = tokio::time::timeout(ANSWER, beating).await;
    if beaten.is_ok() {
        lent.give_back();
    }
    beaten.with_context(|| format!("no answer within {} s", ANSWER.as_secs()))??;
    Ok(())
}

/// A connection that goes back to the others only when it has answered: each that is given up, by whomever, would take a place of theirs
/// for as long as it stays silent.
struct Lent(Option<PoolConnection<Any>>);

impl Lent {
    fn give_back(mut self) {
        drop(self.0.take());
    }
}

impl Drop for Lent {
    fn drop(&mut self) {
        if let Some(silent) = self.0.take() {
            drop(silent.detach());
        }
    }
}
