//! Finding a job's pages, pinning their baselines, and beginning their captures.

use std::collections::HashMap;

use anyhow::{Context, anyhow};
use pentimento_api::job::{ComparisonMode, JobStatus};
use sqlx::AnyConnection;
use uuid::Uuid;

use super::give_up::{MAX_ATTEMPTS, fail_job, see_through};
use super::leases;
use super::owed::Lease;
use crate::app::App;
use crate::db;
use crate::db::baselines::many::PageVariant;
use crate::db::jobs::JobRow;
use crate::db::results::work::NewResult;
use crate::discover::{Discovery, JOB_BUDGET, Page, discover};
use crate::gate::of_job::Gates;
use crate::jobs::spec::CaptureConfig;
use crate::webhooks::outbox;

/// Results that are stored in one transaction: on the embedded database whoever else writes waits for so many.
const RESULTS_AT_ONCE: usize = 500;

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
        // What cannot be removed must not keep the job from ending.
        if let Err(error) = clear(app, job).await {
            let error = format!("{error:#}");
            tracing::warn!(
                job = job.id,
                error,
                "a job keeps pages that it has not begun with"
            );
        }
        return fail(app, job, "The service failed to discover the job's pages. Start it again; if it persists, the operator finds the reason in the log.").await;
    }
    if attempts > 1 && !clear(app, job).await? {
        return Ok(());
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
    fail_job(app, &mut tx, &job.id, None, message).await?;
    tx.commit().await?;
    outbox::announce(app);
    Ok(())
}

/// Removes what a discovery that was broken off has stored: the next one may find other pages. False when the lease is lost; then
/// what is there is another worker's.
async fn clear(app: &App, job: &JobRow) -> anyhow::Result<bool> {
    loop {
        let mut tx = app.db.begin().await?;
        if !db::jobs::holds_job(&mut tx, &job.id, &app.worker_id).await? {
            return Ok(false);
        }
        let removed = db::results::work::delete_unbegun(&mut tx, &job.id, RESULTS_AT_ONCE).await?;
        tx.commit().await?;
        if removed == 0 {
            return Ok(true);
        }
    }
}

/// A page in one variant, and its place in the job.
struct Wanted<'a> {
    position: i64,
    page: &'a Page,
    device: &'a str,
}

/// Pages are stored with their baselines pinned, some hundred results at a time, and the job goes on with the last of them. Until
/// then no page of it is captured, and its lease keeps every other worker from storing any.
async fn begin(
    app: &App,
    job: &JobRow,
    config: &CaptureConfig,
    discovery: &Discovery,
) -> anyhow::Result<()> {
    let variants = (discovery.pages.iter())
        .flat_map(|page| config.devices.iter().map(move |device| (page, device)));
    let wanted: Vec<_> = (0..)
        .zip(variants)
        .map(|(position, (page, device))| Wanted {
            position,
            page,
            device,
        })
        .collect();
    let mut slices = wanted.chunks(RESULTS_AT_ONCE);
    let last = slices.next_back().unwrap_or_default();
    for slice in slices {
        let mut tx = app.db.begin().await?;
        if !db::jobs::holds_job(&mut tx, &job.id, &app.worker_id).await? {
            return Ok(());
        }
        store(&mut tx, job, slice).await?;
        tx.commit().await?;
    }
    let mut tx = app.db.begin().await?;
    let (worker_id, now) = (&app.worker_id, app.clock.now_ms());
    if !db::jobs::set_job_status(&mut tx, &job.id, worker_id, JobStatus::Processing, now).await? {
        // A worker that was taken for dead has lost its job to another one, which may be further already.
        return Ok(());
    }
    store(&mut tx, job, last).await?;
    if !discovery.warnings.is_empty() {
        db::jobs::set_job_error(&mut tx, &job.id, &discovery.warnings.join(" ")).await?;
    }
    tx.commit().await?;
    Ok(())
}

async fn store(tx: &mut AnyConnection, job: &JobRow, slice: &[Wanted<'_>]) -> anyhow::Result<()> {
    let mut pinned = pin(tx, job, slice).await?;
    let new: Vec<_> = (slice.iter())
        .map(|wanted| {
            let page = (wanted.page.page_key.clone(), wanted.device.to_owned());
            let (baseline_capture_id, pinned_version) = pinned.remove(&page).unwrap_or_default();
            NewResult {
                id: Uuid::now_v7().to_string(),
                position: wanted.position,
                url: &wanted.page.url,
                page_key: &wanted.page.page_key,
                label: &wanted.page.label,
                variant_name: wanted.device,
                baseline_capture_id,
                pinned_version,
            }
        })
        .collect();
    db::results::work::insert_results(tx, &job.organization_id, &job.id, &new).await?;
    Ok(())
}

/// The baselines that pages are compared with, and the versions of their pointers. A capture from before the project's
/// baselines were invalidated does not count.
async fn pin(
    tx: &mut AnyConnection,
    job: &JobRow,
    slice: &[Wanted<'_>],
) -> anyhow::Result<HashMap<PageVariant, (Option<String>, i64)>> {
    let (ComparisonMode::Managed, Some(project_id)) = (job.mode(), &job.project_id) else {
        return Ok(HashMap::new());
    };
    let pages: Vec<_> = (slice.iter())
        .map(|wanted| (wanted.page.page_key.as_str(), wanted.device))
        .collect();
    let baselines = db::baselines::many::list_baselines(tx, project_id, &pages).await?;
    let pinned = baselines.into_iter().map(|(page, baseline)| {
        let valid = Some(&baseline.baseline_version) == job.baseline_version.as_ref();
        (
            page,
            (baseline.capture_id.filter(|_| valid), baseline.version),
        )
    });
    Ok(pinned.collect())
}
