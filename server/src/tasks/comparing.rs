//! The places at which this process compares captures: whichever is free takes the next result of all jobs.
//!
//! Nothing is enqueued for a comparison, as for a capture: the database says at every turn whose result is next, so that a
//! long job holds up nobody.

use std::sync::Arc;
use std::time::Duration;

use tokio::sync::Semaphore;
use tokio::task::JoinSet;
use tokio_util::sync::CancellationToken;

use super::give_up::see_through;
use super::owed::Lease;
use super::{compare, leases};
use crate::app::App;
use crate::db;
use crate::db::results::ResultRow;

/// How often a process with a free place looks for results that another process made ready.
const POLL_INTERVAL: Duration = Duration::from_millis(500);

/// How often another server may be faster before this one waits.
const TRIES: u32 = 8;

/// Compares until `stop` is cancelled, then lets what is under way end.
pub(super) async fn run(app: App, stop: CancellationToken) {
    let places = Arc::new(Semaphore::new(app.config.compare_concurrency()));
    let mut comparisons = JoinSet::new();
    loop {
        let place = tokio::select! {
            Ok(place) = places.clone().acquire_owned() => place,
            () = stop.cancelled() => break,
        };
        while comparisons.try_join_next().is_some() {}
        let next = next(&app).await.unwrap_or_else(|error| {
            tracing::warn!(%error, "no result to compare could be chosen; the next round tries again");
            None
        });
        if let Some(result) = next {
            let app = app.clone();
            comparisons.spawn(async move {
                compare(&app, result).await;
                drop(place);
                // It may have been given back.
                app.comparisons_due.notify_one();
            });
            continue;
        }
        drop(place);
        tokio::select! {
            () = app.comparisons_due.notified() => {}
            () = tokio::time::sleep(POLL_INTERVAL) => {}
            () = stop.cancelled() => break,
        }
    }
    while comparisons.join_next().await.is_some() {}
}

/// Compares a result that this process has the lease on. A failure of the service gives it back for another try, or ends in a
/// result that says so.
async fn compare(app: &App, result: ResultRow) {
    let (id, job_id, attempts) = (result.id.clone(), result.job_id.clone(), result.attempts);
    let working = app.clone();
    let work = async move { compare::run(&working, result).await };
    let Err(failure) = Box::pin(see_through(work)).await else {
        return app.task_pauses.end();
    };
    tracing::error!(
        result = id,
        job = job_id,
        error = failure,
        "a comparison failed"
    );
    leases::give_back_failed(app, &app.task_pauses, Lease::Result(id), attempts).await;
}

/// Takes the lease on the next result; none when none waits.
async fn next(app: &App) -> sqlx::Result<Option<ResultRow>> {
    for _ in 0..TRIES {
        let chosen = {
            let mut connection = app.db.read().await?;
            db::results::claims::choose_job_to_compare(&mut connection).await?
        };
        let Some(job_id) = chosen else {
            return Ok(None);
        };
        let mut tx = app.db.begin().await?;
        let now = app.clock.now_ms();
        let claimed =
            db::results::claims::claim_next_comparison(&mut tx, &job_id, &app.worker_id, now)
                .await?;
        let committed = tx.commit().await;
        let Some(claimed) = claimed else {
            committed?;
            continue;
        };
        if let Err(error) = committed {
            // The answer alone may have been lost: then this process has a lease that it would not know of.
            leases::give_back(app, Lease::Result(claimed.id)).await;
            return Err(error);
        }
        return Ok(Some(claimed));
    }
    Ok(None)
}
