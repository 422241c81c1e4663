//! The end of a job: what the rules leave open described where there is a language model, automatic approval where it was
//! asked for, then the summary's words, then `COMPLETED`.

use pentimento_api::job::JobStatus;

use super::give_up::{MAX_ATTEMPTS, fail_job};
use crate::app::App;
use crate::db;
use crate::db::jobs::JobRow;
use crate::error::Error;
use crate::jobs::{describe, summary};
use crate::language_model::Which;
use crate::triage;
use crate::webhooks::outbox::{self, Tally};

/// Ends a job that this process has the lease on, for the `attempts`-th time.
pub(super) async fn run(app: &App, job: &JobRow, attempts: i64) -> anyhow::Result<()> {
    let job_id = &job.id;
    if attempts > MAX_ATTEMPTS {
        // Outside the transaction, as for every end. What cannot be read must not keep the job from failing: its event then tells
        // that somebody has to look.
        let tally = tally(app, job_id).await.unwrap_or_else(|error| {
            tracing::warn!(job_id, %error, "what the results of a failed job come to was not read");
            Tally::unread()
        });
        let mut tx = app.db.begin().await?;
        fail_job(app, &mut tx, job_id, Some(&tally), "The service failed to end the job; its results stand. The operator finds the reason in the log.").await?;
        tx.commit().await?;
        outbox::announce(app);
        return Ok(());
    }
    // A job whose end was begun before ends without: the model must not be what keeps it from ending.
    if attempts == 1 {
        describe_open(app, job).await?;
    }
    let told = read(app, job).await?;
    let promoting = if job.auto_approve == 1 {
        Promoting::Everything
    } else {
        Promoting::Nothing
    };
    match end(app, job, &told, promoting).await {
        Err(Error::BaselineMoved {
            conflicted_urls, ..
        }) => {
            let note = format!(
                "Not approved automatically: the baselines of {} page(s) moved while the job ran.",
                conflicted_urls.len()
            );
            Ok(end(app, job, &told, Promoting::Refused(&note)).await?)
        }
        ended => Ok(ended?),
    }
}

/// Whether a job's end promotes its pages.
#[derive(Debug, Clone, Copy)]
enum Promoting<'a> {
    Nothing,
    Everything,
    /// It was to, but could not: why.
    Refused(&'a str),
}

/// Asks the language model, where there is one, about what the rules leave open.
async fn describe_open(app: &App, job: &JobRow) -> anyhow::Result<()> {
    let Some(model) = &app.language_model else {
        return Ok(());
    };
    let mut tx = app.db.begin().await?;
    db::jobs::begin_summary(&mut tx, &job.id, &app.worker_id).await?;
    tx.commit().await?;
    describe::describe(app, model, job, Which::Open)
        .await
        .map(drop)
}

/// What the results of a job come to that could not be ended.
async fn tally(app: &App, job_id: &str) -> anyhow::Result<Tally> {
    Tally::read(&mut *app.db.read().await?, job_id).await
}

/// What a job's end tells of its results.
struct Told {
    words: String,
    tally: Tally,
}

/// Reads a job's results, which change no more before its end, outside the end's transaction: on the embedded database whoever
/// else writes would wait for thousands of them.
async fn read(app: &App, job: &JobRow) -> anyhow::Result<Told> {
    let mut connection = app.db.read().await?;
    let results = db::results::lists::list_job_results_in_brief(&mut connection, &job.id).await?;
    drop(connection);
    Ok(Told {
        words: summary::words(job, &results),
        tally: Tally::of(&results),
    })
}

/// Summary, status, automatic approval and the event that tells of it in one transaction: a job that is completed has all
/// of it, once.
async fn end(app: &App, job: &JobRow, told: &Told, promoting: Promoting<'_>) -> Result<(), Error> {
    let now = app.clock.now_ms();
    let mut tx = app.db.begin().await?;
    if !db::jobs::begin_summary(&mut tx, &job.id, &app.worker_id).await? {
        // Somebody else has it.
        return Ok(());
    }
    db::jobs::set_run_summary(&mut tx, &job.id, &told.words).await?;
    let completed = JobStatus::Completed;
    db::jobs::set_job_status(&mut tx, &job.id, &app.worker_id, completed, now).await?;
    match promoting {
        Promoting::Nothing => {}
        Promoting::Everything => triage::promote_all(&mut tx, job, now).await?,
        Promoting::Refused(note) => {
            // What was told of its pages before still holds.
            let notes = [job.error.as_deref(), Some(note)].into_iter().flatten();
            let notes = notes.collect::<Vec<_>>().join(" ");
            db::jobs::set_job_error(&mut tx, &job.id, &notes).await?;
        }
    }
    outbox::job_completed(&mut tx, app, &job.id, Some(&told.tally)).await?;
    tx.commit().await?;
    outbox::announce(app);
    Ok(())
}
