//! Background work: discovering pages, capturing, comparing, finishing; and the sweep that makes sure none is lost.
//!
//! The rows in the database say what is to be done; a task only reminds a worker of a row. Every task begins by taking
//! the row's lease, so that a task that comes twice does nothing, and every task that gives up leaves a result behind.

mod agree;
pub mod capture;
pub mod clean_up;
pub mod compare;
mod comparing;
pub mod deliver;
pub mod discover;
pub mod finish;
mod give_up;
pub(crate) mod heartbeat;
pub mod ingest;
mod judge;
pub mod leases;
mod measure;
pub mod owed;
pub mod pauses;
mod perform;
mod places;
pub mod queue;
pub mod retention;
pub mod schedule;
pub(crate) mod settle;
mod stored;
pub mod sweep;
mod turns;
pub mod uploads;
mod worker;

use tokio::task::JoinSet;
use tokio_util::sync::CancellationToken;

use crate::app::App;
use queue::QueueName;

/// Jobs whose pages are discovered at once, and jobs whose ends are made at once. They are apart, so that slow sitemaps
/// hold nobody's end up.
const JOB_CONCURRENCY: usize = 4;

/// Starts the workers of this process; they stop when `stop` is cancelled.
pub fn start(app: &App, stop: &CancellationToken) -> JoinSet<()> {
    let mut workers = JoinSet::new();
    workers.spawn(heartbeat::run(app.clone(), stop.clone()));
    workers.spawn(sweep::run(app.clone(), stop.clone()));
    workers.spawn(clean_up::run(app.clone(), stop.clone()));
    workers.spawn(schedule::run(app.clone(), stop.clone()));
    workers.spawn(deliver::run(app.clone(), stop.clone()));
    workers.spawn(places::run(app.clone(), stop.clone()));
    workers.spawn(comparing::run(app.clone(), stop.clone()));
    let (pool, stopped) = (app.clone(), stop.clone());
    workers.spawn(async move { pool.browsers.watch_memory(&stopped).await });
    for (queue, concurrency) in [
        (QueueName::Discover, JOB_CONCURRENCY),
        (QueueName::Finish, JOB_CONCURRENCY),
        (QueueName::Ingest, app.config.compare_concurrency()),
    ] {
        workers.spawn(worker::run(app.clone(), queue, concurrency, stop.clone()));
    }
    workers
}
