//! One task, from its reminder to its end.

use super::give_up::see_through;
use super::owed::Lease;
use super::queue::Task;
use super::{compare, discover, finish, ingest, leases};
use crate::app::App;

/// Does one task. A failure of the service gives the lease back for another attempt, or ends in a result that says so.
pub(super) async fn perform(app: App, task: Task) {
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

async fn attempt(app: App, task: Task) -> anyhow::Result<()> {
    match task {
        Task::Discover { .. } => discover::run(&app).await,
        Task::Ingest { result_id } => ingest::run(&app, &result_id).await,
        Task::Compare { result_id } => compare::run(&app, &result_id).await,
        Task::Finish { job_id } => finish::run(&app, &job_id).await,
    }
}
