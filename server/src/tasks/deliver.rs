//! Sending what waits for webhooks: takes the deliveries that are due and makes an attempt at each.
//!
//! A lease on an attempt is a time: longer than any attempt takes, and over by itself when its server died. So an event
//! is sent at least once, and by one server at a time.

use std::time::Duration;

use tokio::task::JoinSet;
use tokio_util::sync::CancellationToken;

use crate::app::App;
use crate::clock::MS_PER_DAY;
use crate::db;
use crate::db::deliveries::{DeliveryRow, Take};
use crate::webhooks::attempt::{self, Reply};
use crate::webhooks::outcome::{self, Attempted};

/// How often a process looks for attempts that are due; its own events wake it at once.
const INTERVAL: Duration = Duration::from_secs(5);

/// Attempts under way at once in one process, and for one webhook in all of them: a receiver that takes its time has the
/// smaller part of the places.
const AT_ONCE: usize = 32;
const AT_ONCE_PER_WEBHOOK: i64 = 4;

/// Life of a lease; an attempt takes 12 s at most, and keeping what it brought may wait 20 s for the database.
const LEASE_MS: i64 = 60_000;

/// How long the log is kept.
const LOG_KEPT_MS: i64 = 30 * MS_PER_DAY;

/// Deliveries removed from the log in one transaction: others write in between.
const REMOVED_AT_ONCE: i64 = 1_000;

/// Sends until `stop` is cancelled; attempts that are under way then come to their end.
pub(super) async fn run(app: App, stop: CancellationToken) {
    if let Err(error) = take_over(&app).await {
        tracing::warn!(
            error = format!("{error:#}"),
            "attempts that the last run began are made again when their leases are over"
        );
    }
    let mut under_way = JoinSet::new();
    while !stop.is_cancelled() {
        match take(&app, AT_ONCE - under_way.len()).await {
            Ok(taken) => {
                for delivery in taken {
                    under_way.spawn(deliver(app.clone(), delivery));
                }
            }
            Err(error) => tracing::warn!(
                error = format!("{error:#}"),
                "no deliveries could be taken; the next look comes"
            ),
        }
        tokio::select! {
            () = tokio::time::sleep(INTERVAL) => {}
            () = app.deliveries_due.notified() => {}
            Some(_) = under_way.join_next() => {}
            () = stop.cancelled() => {}
        }
    }
    while under_way.join_next().await.is_some() {}
}

/// Sends all that is due now, and waits for it; tests call it instead of waiting.
///
/// # Errors
/// The database refuses.
pub async fn tick(app: &App) -> anyhow::Result<()> {
    loop {
        let taken = take(app, AT_ONCE).await?;
        if taken.is_empty() {
            return Ok(());
        }
        let attempts = taken
            .into_iter()
            .map(|delivery| deliver(app.clone(), delivery));
        futures::future::join_all(attempts).await;
    }
}

/// Removes what is too old from the log.
pub(super) async fn clear_log(app: &App) -> anyhow::Result<()> {
    let before = app.clock.now_ms() - LOG_KEPT_MS;
    loop {
        let mut tx = app.db.begin().await?;
        let removed =
            db::deliveries::delete_old_deliveries(&mut tx, before, REMOVED_AT_ONCE).await?;
        tx.commit().await?;
        if removed < REMOVED_AT_ONCE.unsigned_abs() {
            return Ok(());
        }
    }
}

/// At the start: an embedded database has one process, so whoever began an attempt before is gone.
async fn take_over(app: &App) -> anyhow::Result<()> {
    if !app.db.is_embedded() {
        return Ok(());
    }
    let mut tx = app.db.begin().await?;
    db::deliveries::release_leases(&mut tx).await?;
    tx.commit().await?;
    Ok(())
}

async fn take(app: &App, places: usize) -> anyhow::Result<Vec<DeliveryRow>> {
    let now = app.clock.now_ms();
    // Most looks find nothing, and need no write for it.
    if places == 0 || !db::deliveries::is_any_due(&mut *app.db.read().await?, now).await? {
        return Ok(Vec::new());
    }
    let take = Take {
        limit: i64::try_from(places)?,
        per_webhook: AT_ONCE_PER_WEBHOOK,
        leased_until_ms: now + LEASE_MS,
    };
    let mut tx = app.db.begin().await?;
    let taken = db::deliveries::take_due(&mut tx, take, now).await?;
    tx.commit().await?;
    Ok(taken)
}

/// One attempt and what follows from it. Whatever goes wrong here is over with the lease.
async fn deliver(app: App, delivery: DeliveryRow) {
    let id = delivery.id.clone();
    let inner = tokio::spawn(async move {
        let webhook =
            db::webhooks::get_webhook(&mut *app.db.read().await?, &delivery.webhook_id).await?;
        let Some(webhook) = webhook else {
            return Ok(());
        };
        let began_at_ms = app.clock.now_ms();
        let reply = attempt::send(&app, &webhook, &delivery, began_at_ms).await;
        log(&delivery, &reply);
        let attempted = Attempted {
            reply,
            began_at_ms,
            ended_at_ms: app.clock.now_ms(),
        };
        outcome::keep(&app, &webhook, &delivery, &attempted).await
    });
    let failure = match inner.await {
        Ok(Ok(())) => return,
        Ok(Err(error)) => format!("{error:#}"),
        Err(panic) => panic.to_string(),
    };
    tracing::error!(
        delivery = id,
        error = failure,
        "an attempt at a delivery came to no end; another is made in a minute"
    );
}

/// Addresses and answers are left out: some receivers take a path for a secret.
fn log(delivery: &DeliveryRow, reply: &Reply) {
    let status_code = match reply {
        Reply::Answered { status_code, .. } => Some(*status_code),
        Reply::Unreached { .. } => None,
    };
    tracing::debug!(
        webhook = delivery.webhook_id,
        delivery = delivery.id,
        event = delivery.event,
        attempt = delivery.attempts,
        status_code,
        "made an attempt at a delivery"
    );
}
