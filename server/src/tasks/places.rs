//! The places at which this process captures pages: whichever is free takes the next page of all jobs.
//!
//! Nothing is enqueued for a capture. The database says at every turn whose page is next, so that a long job holds up
//! nobody, and that no job is captured more often at once than it allows, over all servers.

use std::sync::Arc;
use std::time::Duration;

use tokio::sync::Semaphore;
use tokio::task::JoinSet;
use tokio_util::sync::CancellationToken;

use super::give_up::see_through;
use super::owed::Lease;
use super::turns::{Work, take_next};
use super::{capture, leases};
use crate::app::App;

/// How often a process with a free place looks for pages that another process made ready.
const POLL_INTERVAL: Duration = Duration::from_millis(500);

/// Pages under way for each place: one in the browser, one being stored.
const PAGES_PER_PLACE: usize = 2;

/// Captures until `stop` is cancelled, then lets those under way end.
pub(super) async fn run(app: App, stop: CancellationToken) {
    let places = app.config.capture.tabs();
    let in_browser = Arc::new(Semaphore::new(places));
    let under_way = Arc::new(Semaphore::new(places * PAGES_PER_PLACE));
    let mut captures = JoinSet::new();
    loop {
        let free = async {
            let page = under_way.clone().acquire_owned().await;
            (page, in_browser.clone().acquire_owned().await)
        };
        let (page, place) = tokio::select! {
            (Ok(page), Ok(place)) = free => (page, place),
            () = stop.cancelled() => break,
        };
        while captures.try_join_next().is_some() {}
        let next = take_next(&app, Work::Capturing)
            .await
            .unwrap_or_else(|error| {
                tracing::warn!(%error, "no page could be chosen; the next round tries again");
                None
            });
        if let Some(result) = next {
            let app = app.clone();
            captures.spawn(async move {
                let (id, job_id) = (result.id.clone(), result.job_id.clone());
                let attempts = result.attempts;
                let work = {
                    let app = app.clone();
                    async move { capture::run(&app, result, place).await }
                };
                if let Err(failure) = Box::pin(see_through(work)).await {
                    tracing::error!(
                        result = id,
                        job = job_id,
                        error = failure,
                        "a capture failed"
                    );
                    let pauses = &app.capture_pauses;
                    leases::give_back_failed(&app, pauses, Lease::Result(id), attempts).await;
                }
                drop(page);
                // It may be there to be captured again.
                app.captures_due.notify_one();
            });
            continue;
        }
        drop((page, place));
        tokio::select! {
            () = app.captures_due.notified() => {}
            () = tokio::time::sleep(POLL_INTERVAL) => {}
            () = stop.cancelled() => break,
        }
    }
    while captures.join_next().await.is_some() {}
}
