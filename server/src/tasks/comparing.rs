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
use super::turns::{Work, take_next};
use super::{compare, leases};
use crate::app::App;
use crate::db::results::ResultRow;

/// How often a process with a free place looks for results that another process made ready.
const POLL_INTERVAL: Duration = Duration::from_millis(500);

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
        let next = take_next(&app, Work::Comparing).await.unwrap_or_else(|error| {
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
