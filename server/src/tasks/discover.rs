//! Finding a job's pages, pinning their baselines, and beginning their captures.

use anyhow::{Context, anyhow};
use pentimento_api::job::{ComparisonMode, JobStatus};
use sqlx::AnyConnection;
use uuid::Uuid;

use super::give_up::{MAX_ATTEMPTS, fail_job, see_through};
use super::leases;
use super::owed::Lease;
use crate::app::App;
use crate::db;
use crate::db::baselines::BaselineKey;
use crate::db::jobs::JobRow;
use crate::db::results::work::NewResult;
use crate::discover::{Discovery, JOB_BUDGET, Page, discover};
use crate::gate::of_job::Gates;
use crate::jobs::spec::CaptureConfig;
use crate::webhooks::outbox;

/// Finds the pages of the job whose turn it is. A reminder says that some job waits, not which: whose turn it is, is known
/// when there is a place for it.
pub(super) async fn run(app: &App) -> anyhow::Result<()> {
    let mut tx = app.db.begin().await?;
    let now = app.clock.now_ms();
    let claimed = db::jobs::turns::claim_next_discovery(&mut tx, &app.worker_id, now).await?;
    let committed = tx.commit().await;
    let Some((job, attempts)) = claimed else {
        return Ok(committed?);
    };
    if let Err(error) = committed {
        // The answer alone may have been lost: then this process has a lease that it would not know of.
        leases::give_back(app, Lease::Job(job.id)).await;
        return Err(error.into());
    }
    let (job_id, finding) = (job.id.clone(), app.clone());
    let found = see_through(async move { find(&finding, &job, attempts).await }).await;
    let Err(failure) = found else {
        return Ok(());
    };
    // The sweep reminds of it again.
    leases::give_back(app, Lease::Job(job_id.clone())).await;
    Err(anyhow!("finding the pages of {job_id}: {failure}"))
}

async fn find(app: &App, job: &JobRow, attempts: i64) -> anyhow::Result<()> {
    if attempts > MAX_ATTEMPTS {
        return fail(app, job, "The service failed to discover the job's pages. Start it again; if it persists, the operator finds the reason in the log.").await;
    }
    let config: CaptureConfig =
        serde_json::from_str(&job.config).context("a job's configuration")?;
    let gates = Gates::of_job(app, job, &config).await?;
    let discovery = discover(app, &config, &gates, JOB_BUDGET, None).await;
    for note in &discovery.notes {
        tracing::info!(job = job.id, "{note}");
    }
    if let Some(problem) = &discovery.problem {
        return fail(app, job, problem.sentence()).await;
    }
    begin(app, job, &config, &discovery).await?;
    app.captures_due.notify_one();
    Ok(())
}

async fn fail(app: &App, job: &JobRow, message: &str) -> anyhow::Result<()> {
    let mut tx = app.db.begin().await?;
    if !db::jobs::holds_job(&mut tx, &job.id, &app.worker_id).await? {
        return Ok(());
    }
    fail_job(app, &mut tx, &job.id, message).await?;
    tx.commit().await?;
    outbox::announce(app);
    Ok(())
}

/// Pages are stored with their baselines pinned, all at once: a job either has all of its results or none.
async fn begin(
    app: &App,
    job: &JobRow,
    config: &CaptureConfig,
    discovery: &Discovery,
) -> anyhow::Result<()> {
    let mut tx = app.db.begin().await?;
    let (worker_id, now) = (&app.worker_id, app.clock.now_ms());
    if !db::jobs::set_job_status(&mut tx, &job.id, worker_id, JobStatus::Processing, now).await? {
        // A worker that was taken for dead has lost its job to another one, which may be further already.
        return Ok(());
    }
    let mut position = 0;
    for page in &discovery.pages {
        for device in &config.devices {
            let (baseline_capture_id, pinned_version) = pin(&mut tx, job, page, device).await?;
            let new = NewResult {
                id: Uuid::now_v7().to_string(),
                position,
                url: &page.url,
                page_key: &page.page_key,
                label: &page.label,
                variant_name: device,
                baseline_capture_id,
                pinned_version,
            };
            db::results::work::insert_result(&mut tx, &job.organization_id, &job.id, &new).await?;
            position += 1;
        }
    }
    if !discovery.warnings.is_empty() {
        db::jobs::set_job_error(&mut tx, &job.id, &discovery.warnings.join(" ")).await?;
    }
    tx.commit().await?;
    Ok(())
}

/// The baseline that a page is compared with, and the version of its pointer. A capture from before the project's
/// baselines were invalidated does not count.
async fn pin(
    tx: &mut AnyConnection,
    job: &JobRow,
    page: &Page,
    device: &str,
) -> anyhow::Result<(Option<String>, i64)> {
    let (ComparisonMode::Managed, Some(project_id)) = (job.mode(), &job.project_id) else {
        return Ok((None, 0));
    };
    let key = BaselineKey {
        project_id,
        page_key: &page.page_key,
        variant_name: device,
    };
    let Some(baseline) = db::baselines::find_baseline(tx, key).await? else {
        return Ok((None, 0));
    };
    let valid = Some(&baseline.baseline_version) == job.baseline_version.as_ref();
    Ok((baseline.capture_id.filter(|_| valid), baseline.version))
}
