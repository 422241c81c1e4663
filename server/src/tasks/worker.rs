//! Workers: take tasks from one queue and see them done.

use std::sync::Arc;
use std::time::Duration;

use apalis::prelude::{BackendExt, BoxDynError, Data, Strategy, WorkerBuilder, WorkerBuilderExt};
use tokio::sync::Semaphore;
use tokio_util::sync::CancellationToken;

use super::queue::{QueueName, Task, postgres_queue, sqlite_queue};
use crate::app::App;
use crate::db::QueuePool;

/// How often a worker looks for tasks that another process pushed.
const POLL_INTERVAL: Duration = Duration::from_millis(500);

/// Wait before a worker that failed is started again.
const RESTART_DELAY: Duration = Duration::from_secs(2);

/// Works on one queue until `stop` is cancelled; a worker that fails is started again.
pub(super) async fn run(app: App, name: QueueName, concurrency: usize, stop: CancellationToken) {
    let places = Arc::new(Semaphore::new(concurrency));
    // Worker names must be unique among all processes and restarts.
    let mut restarts = 0_u32;
    while !stop.is_cancelled() {
        let worker =
            WorkerBuilder::new(format!("{}-{}-{restarts}", name.as_str(), app.worker_id).as_str());
        let strategy = Strategy::new()
            .stream(app.queue.listen(name))
            .interval(POLL_INTERVAL);
        let stopped = stop.clone();
        let signal = async move {
            stopped.cancelled().await;
            Ok::<(), std::io::Error>(())
        };
        // The two backends are different types with the same methods.
        macro_rules! run_on {
            ($backend:expr) => {
                worker
                    .backend($backend.poll_with_strategy(strategy))
                    .data(app.clone())
                    .data(places.clone())
                    .concurrency(concurrency)
                    .build(handle)
                    .run_until(signal)
                    .await
            };
        }
        let ended = match app.queue.pool() {
            QueuePool::Sqlite(pool) => run_on!(sqlite_queue(pool, name)),
            QueuePool::Postgres(pool) => run_on!(postgres_queue(pool, name)),
        };
        if let Err(error) = ended {
            tracing::warn!(queue = name.as_str(), %error, "a worker failed and is started again");
            tokio::select! {
                () = tokio::time::sleep(RESTART_DELAY) => {}
                () = stop.cancelled() => {}
            }
        }
        restarts += 1;
    }
}

/// A task always counts as done for the queue: what went wrong is written to the row, which decides what comes next.
///
/// A worker that fails drops the tasks that it has under way. They go on all the same, to where their leases are given back, and
/// keep their places meanwhile.
async fn handle(
    task: Task,
    app: Data<App>,
    places: Data<Arc<Semaphore>>,
) -> Result<(), BoxDynError> {
    let (app, place) = (App::clone(&app), Arc::clone(&places).acquire_owned().await?);
    tokio::spawn(async move {
        super::perform::perform(app, task).await;
        drop(place);
    })
    .await?;
    Ok(())
}
