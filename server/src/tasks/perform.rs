//! One task, from its reminder to its end.

use super::give_up::see_through;
use super::owed::Lease;
use super::queue::Task;
use super::{discover, finish, ingest, leases};
use crate::app::App;

/// Does one task. A failure of the service gives the lease back for another attempt, or ends in a result that says so.
pub(super) async fn perform(app: App, task: Task) {
    let Err(failure) = attempt(&app, task.clone()).await else {
        return;
    };
    tracing::error!(?task, error = failure.told, "task failed");
    match (failure.held, task) {
        (Some(Held { lease, attempts }), _) => {
            leases::give_back_failed(&app, &app.task_pauses, lease, attempts).await;
        }
        // It gives back by itself what it took up, which may be another job than it was reminded of.
        (None, Task::Discover { .. }) => {}
        // The sweep reminds of it again.
        (None, _) => {
            app.task_pauses.wait(&app.stopping).await;
        }
    }
}

/// Why a task failed, and the lease that it took before. A lease names the process alone: a task that took none must give
/// none back, as another task of this process may be at work with it.
struct Failure {
    told: String,
    held: Option<Held>,
}

/// A lease, and how often its work was begun.
struct Held {
    lease: Lease,
    attempts: i64,
}

impl From<anyhow::Error> for Failure {
    fn from(error: anyhow::Error) -> Self {
        Self {
            told: format!("{error:#}"),
            held: None,
        }
    }
}

/// Takes the lease on what a task is about, and does the work unless somebody else does.
async fn attempt(app: &App, task: Task) -> Result<(), Failure> {
    let working = app.clone();
    match task {
        Task::Discover { .. } => {
            let work = async move { discover::run(&working).await };
            (see_through(work).await).map_err(|told| Failure { told, held: None })
        }
        Task::Ingest { result_id } => {
            let Some(result) = leases::claim_result(app, &result_id, "ingest").await? else {
                return Ok(());
            };
            let held = Held {
                lease: Lease::Result(result_id),
                attempts: result.attempts,
            };
            let work = async move { ingest::run(&working, &result).await };
            with_lease(held, work).await?;
            // Jobs are discovered and ended without storage, so that these say nothing of it.
            app.task_pauses.end();
            Ok(())
        }
        Task::Finish { job_id } => {
            let Some((job, attempts)) = leases::claim_ending_job(app, &job_id).await? else {
                return Ok(());
            };
            let held = Held {
                lease: Lease::Job(job_id),
                attempts,
            };
            let work = async move { finish::run(&working, &job, attempts).await };
            with_lease(held, work).await
        }
    }
}

/// Does the work that a lease was taken for.
async fn with_lease(
    held: Held,
    work: impl Future<Output = anyhow::Result<()>> + Send + 'static,
) -> Result<(), Failure> {
    (see_through(work).await).map_err(|told| Failure {
        told,
        held: Some(held),
    })
}
