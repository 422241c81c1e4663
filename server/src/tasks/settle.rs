//! What a job needs next, whenever one of its results moved on.

use crate::app::App;
use crate::db;

use super::queue::Task;

/// Uploads of one job that are enqueued or being taken in at once.
const INGESTS_UNDER_WAY: i64 = 32;

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
