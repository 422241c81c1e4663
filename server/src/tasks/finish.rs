//! The end of a job: what the rules leave open described where there is a language model, automatic approval where it was
//! asked for, then the summary's words, then `COMPLETED`.

use pentimento_api::job::JobStatus;

use super::MAX_ATTEMPTS;
use crate::app::App;
use crate::db;
use crate::db::jobs::JobRow;
use crate::error::Error;
use crate::jobs::{describe, summary};
use crate::language_model::Which;
use crate::triage;

pub(super) async fn run(app: &App, job_id: &str) -> anyhow::Result<()> {
    let now = app.clock.now_ms();
    let mut tx = app.db.begin().await?;
    let statuses = [JobStatus::Finishing, JobStatus::Summarizing];
    let Some((job, attempts)) =
        db::jobs::claim_job(&mut tx, job_id, statuses, &app.worker_id).await?
    else {
        return Ok(());
    };
    tx.commit().await?;
    if attempts > MAX_ATTEMPTS {
        let mut tx = app.db.begin().await?;
        db::jobs::fail_job(&mut tx, job_id, "The service failed to end the job; its results stand. The operator finds the reason in the log.", now).await?;
        tx.commit().await?;
        return Ok(());
    }
    // A job whose end was begun before ends without: the model must not be what keeps it from ending.
    if attempts == 1 {
        describe_open(app, &job).await?;
    }
    match end(app, &job, job.auto_approve == 1).await {
        Err(Error::BaselineMoved { conflicted_urls }) => {
            end(app, &job, false).await?;
            let note = format!(
                "Not approved automatically: the baselines of {} page(s) moved while the job ran.",
                conflicted_urls.len()
            );
            let mut tx = app.db.begin().await?;
            db::jobs::set_job_error(&mut tx, job_id, &note).await?;
            tx.commit().await?;
            Ok(())
        }
        ended => Ok(ended?),
    }
}

/// Asks the language model, where there is one, about what the rules leave open.
async fn describe_open(app: &App, job: &JobRow) -> anyhow::Result<()> {
    let Some(model) = &app.language_model else {
        return Ok(());
    };
    let mut tx = app.db.begin().await?;
    db::jobs::begin_summary(&mut tx, &job.id).await?;
    tx.commit().await?;
    describe::describe(app, model, job, Which::Open)
        .await
        .map(drop)
}

/// Summary, status and automatic approval in one transaction: a job that is completed has all of it.
async fn end(app: &App, job: &JobRow, approve: bool) -> Result<(), Error> {
    let now = app.clock.now_ms();
    let mut tx = app.db.begin().await?;
    db::jobs::begin_summary(&mut tx, &job.id).await?;
    let results = db::results::lists::list_job_results(&mut tx, &job.id).await?;
    db::jobs::set_run_summary(&mut tx, &job.id, &summary::words(job, &results)).await?;
    db::jobs::set_job_status(&mut tx, &job.id, JobStatus::Completed, now).await?;
    if approve {
        triage::promote_all(&mut tx, job, now).await?;
    }
    tx.commit().await?;
    Ok(())
}
