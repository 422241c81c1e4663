//! Background work: discovering pages, capturing, comparing, finishing; and the sweep that makes sure none is lost.
//!
//! The rows in the database say what is to be done; a task only reminds a worker of a row. Every task begins by taking
//! the row's lease, so that a task that comes twice does nothing, and every task that gives up leaves a result behind.

mod agree;
pub mod capture;
pub mod clean_up;
pub mod compare;
pub mod deliver;
pub mod discover;
pub mod finish;
mod heartbeat;
pub mod ingest;
pub mod leases;
mod measure;
pub mod pauses;
mod places;
pub mod queue;
pub mod retention;
pub mod schedule;
mod stored;
pub mod sweep;
pub mod uploads;
mod worker;

use tokio::task::JoinSet;
use tokio_util::sync::CancellationToken;

use crate::app::App;
use crate::db;
use crate::db::results::ResultRow;
use crate::webhooks::outbox;
use leases::Lease;
use queue::{QueueName, Task};

/// How often one step of a job or result is begun before it is given up.
pub(crate) const MAX_ATTEMPTS: i64 = 3;

/// Jobs whose pages are discovered at once, and jobs whose ends are made at once. They are apart, so that slow sitemaps
/// hold nobody's end up.
const JOB_CONCURRENCY: usize = 4;

/// Uploads of one job that are enqueued or being taken in at once.
const INGESTS_UNDER_WAY: i64 = 32;

/// What a result says when the service itself failed at it.
const INTERNAL_FAILURE: &str = "The service failed at this page. Run the job again; if it persists, the operator finds the reason in the service's log.";

/// Starts the workers of this process; they stop when `stop` is cancelled.
pub fn start(app: &App, stop: &CancellationToken) -> JoinSet<()> {
    let mut workers = JoinSet::new();
    workers.spawn(heartbeat::run(app.clone(), stop.clone()));
    workers.spawn(sweep::run(app.clone(), stop.clone()));
    workers.spawn(clean_up::run(app.clone(), stop.clone()));
    workers.spawn(schedule::run(app.clone(), stop.clone()));
    workers.spawn(deliver::run(app.clone(), stop.clone()));
    workers.spawn(places::run(app.clone(), stop.clone()));
    let (pool, stopped) = (app.clone(), stop.clone());
    workers.spawn(async move { pool.browsers.watch_memory(&stopped).await });
    for (queue, concurrency) in [
        (QueueName::Discover, JOB_CONCURRENCY),
        (QueueName::Finish, JOB_CONCURRENCY),
        (QueueName::Ingest, app.config.compare_concurrency()),
        (QueueName::Compare, app.config.compare_concurrency()),
    ] {
        workers.spawn(worker::run(app.clone(), queue, concurrency, stop.clone()));
    }
    workers
}

/// Does one task. A failure of the service gives the lease back for another attempt, or ends in a result that says so.
pub(crate) async fn perform(app: App, task: Task) {
    let Err(failure) = see_through(attempt(app.clone(), task.clone())).await else {
        return app.task_pauses.end();
    };
    tracing::error!(?task, error = failure, "task failed");
    let lease = match task {
        // It gives back by itself what it took up, which may be another job than it was reminded of.
        Task::Discover { .. } => return,
        Task::Finish { job_id } => Lease::Job(job_id),
        Task::Ingest { result_id } | Task::Compare { result_id } => Lease::Result(result_id),
    };
    app.task_pauses.wait(&app.stopping).await;
    leases::give_back(&app, lease).await;
}

/// Sees work through to its end; a failure, of a panic too, is a sentence for the log.
async fn see_through(
    work: impl Future<Output = anyhow::Result<()>> + Send + 'static,
) -> Result<(), String> {
    match tokio::spawn(work).await {
        Ok(Ok(())) => Ok(()),
        Ok(Err(error)) => Err(format!("{error:#}")),
        Err(panic) => Err(panic.to_string()),
    }
}

async fn attempt(app: App, task: Task) -> anyhow::Result<()> {
    match task {
        Task::Discover { .. } => discover::run(&app).await,
        Task::Ingest { result_id } => ingest::run(&app, &result_id).await,
        Task::Compare { result_id } => compare::run(&app, &result_id).await,
        Task::Finish { job_id } => finish::run(&app, &job_id).await,
    }
}

/// Ends a job that could not run, and writes down the event that tells of it; the caller announces it after the commit.
async fn fail_job(
    app: &App,
    tx: &mut sqlx::AnyConnection,
    job_id: &str,
    error: &str,
) -> anyhow::Result<()> {
    if db::jobs::fail_job(tx, job_id, error, app.clock.now_ms()).await? {
        outbox::job_completed(tx, app, job_id).await?;
    }
    Ok(())
}

/// Ends a result whose every attempt failed for the service's own reasons.
async fn give_up_on(app: &App, result: &ResultRow) -> anyhow::Result<()> {
    let mut tx = app.db.begin().await?;
    db::results::work::set_result_error(&mut tx, &result.id, &app.worker_id, INTERNAL_FAILURE)
        .await?;
    tx.commit().await?;
    settle(app, &result.job_id).await;
    Ok(())
}

/// After a result moved on: enqueues the job's next uploads, or the job's end when every page is done. The result has been given
/// back by then, so that a failure here is none of its own: the sweep does the same.
pub(crate) async fn settle(app: &App, job_id: &str) {
    dispatch(app, job_id).await;
    left_to_the_sweep(job_id, finish_when_done(app, job_id).await);
}

/// What a job needs next and could not be done now is done by the sweep, which looks at every job.
fn left_to_the_sweep(job_id: &str, done: anyhow::Result<()>) {
    if let Err(error) = done {
        tracing::warn!(
            job = job_id,
            error = format!("{error:#}"),
            "a job could not go on now; the sweep sees to it"
        );
    }
}

async fn finish_when_done(app: &App, job_id: &str) -> anyhow::Result<()> {
    let mut tx = app.db.begin().await?;
    let finished = db::jobs::finish_when_done(&mut tx, job_id, app.clock.now_ms()).await?;
    tx.commit().await?;
    if finished {
        app.queue
            .push(&Task::Finish {
                job_id: job_id.to_owned(),
            })
            .await;
    }
    Ok(())
}

/// Enqueues as many of the job's uploads as keep the workers of every server busy. They are taken in fast: refilled by
/// halves, they need one write for many.
pub(crate) async fn dispatch(app: &App, job_id: &str) {
    left_to_the_sweep(job_id, enqueue_uploads(app, job_id).await);
}

async fn enqueue_uploads(app: &App, job_id: &str) -> anyhow::Result<()> {
    let mut connection = app.db.read().await?;
    let waiting = db::results::claims::count_waiting(&mut connection, job_id, "ingest").await?;
    // Whoever holds one connection must not wait for another: as many callers as there are connections would wait for
    // each other.
    drop(connection);
    if !waiting.waits || waiting.under_way >= INGESTS_UNDER_WAY / 2 {
        return Ok(());
    }
    let mut tx = app.db.begin().await?;
    let now = app.clock.now_ms();
    let taken =
        db::results::claims::take_waiting(&mut tx, job_id, "ingest", INGESTS_UNDER_WAY, now)
            .await?;
    tx.commit().await?;
    for result_id in taken {
        app.queue.push(&Task::Ingest { result_id }).await;
    }
    Ok(())
}
