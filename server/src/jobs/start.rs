//! Starting a job: from a checked request to a stored job, its project, and the task that begins it.

use anyhow::Context;
use pentimento_api::crawl::{CrawlRequest, JobStarted, RunContext};
use pentimento_api::ids::JobId;
use pentimento_api::job::{ComparisonMode, JobStatus, SummaryStatus};
use url::Url;
use uuid::Uuid;

use crate::app::App;
use crate::auth::Caller;
use crate::db;
use crate::db::audit::AuditEntry;
use crate::db::jobs::JobRow;
use crate::db::projects::ProjectRow;
use crate::error::{Error, Result};
use crate::jobs::checks::{check_project_name, check_run_context};
use crate::jobs::spec::{CaptureConfig, SentConfig};
use crate::tasks::queue::Task;

/// Accepts `POST /crawl`: checks everything that can be checked at once, stores the job, and answers before any page is
/// opened.
///
/// # Errors
/// 400 that names the field.
pub async fn start_crawl(app: &App, caller: &Caller, request: CrawlRequest) -> Result<JobStarted> {
    if let Some(name) = &request.project {
        check_project_name(name)?;
    }
    let sent = SentConfig::parse(&request)?;
    let run_context = request.run_context.map(check_run_context).transpose()?;
    let mode = match (&sent.base_origin, &request.project) {
        (Some(_), _) => ComparisonMode::Live,
        (None, Some(_)) => ComparisonMode::Managed,
        (None, None) => {
            return Err(Error::invalid(
                "`project` or `baseOrigin` is missing; send a project to compare with its stored baselines, or a base origin to compare two sites now.",
            ));
        }
    };
    let stored = match &request.project {
        Some(name) => {
            db::projects::find_project(&mut *app.db.read().await?, &caller.organization_id, name)
                .await?
        }
        None => None,
    };
    let config = match (&stored, mode) {
        (Some(project), ComparisonMode::Managed) => {
            sent.on_project(&project.name, saved_config(project)?)?
        }
        _ => sent.clone().into_config()?,
    };
    check_targets(app, &config).await?;
    let new = NewJob {
        mode,
        sent,
        config,
        project_name: request.project,
        run_context,
        auto_approve: request.auto_approve.unwrap_or(false),
    };
    let job_id = store_job(app, caller, new).await?;
    app.queue
        .push(&Task::Discover {
            job_id: job_id.to_string(),
        })
        .await;
    Ok(JobStarted {
        message: format!("The job was accepted. GET /job/{job_id} shows its progress."),
        job_id,
    })
}

/// What a stored job begins with.
struct NewJob {
    mode: ComparisonMode,
    sent: SentConfig,
    config: CaptureConfig,
    project_name: Option<String>,
    run_context: Option<RunContext>,
    auto_approve: bool,
}

/// Everything the job will open must resolve and be allowed, so that a mistake is told at once.
async fn check_targets(app: &App, config: &CaptureConfig) -> Result<()> {
    let wanted = [
        ("testOrigin", &config.test_origin),
        ("baseOrigin", &config.base_origin),
        ("sitemapUrl", &config.sitemap_url),
    ];
    // All at once: clients do not wait long for an answer, and each name may take a while.
    let checks = wanted.into_iter().map(async |(field, address)| {
        let Some(address) = address else {
            return Ok(());
        };
        let url =
            Url::parse(address).map_err(|_| Error::invalid(format!("`{field}` is no address.")))?;
        app.targets
            .check(&url)
            .await
            .map_err(|error| Error::target(field, &error))
    });
    futures::future::try_join_all(checks).await.map(drop)
}

fn saved_config(project: &ProjectRow) -> Result<CaptureConfig> {
    Ok(serde_json::from_str(&project.config).context("a project's stored configuration")?)
}

/// Job, project and the task's mark are written in one transaction: what was answered 200 is not lost.
async fn store_job(app: &App, caller: &Caller, mut new: NewJob) -> Result<JobId> {
    let now = app.clock.now_ms();
    let job_id = JobId(Uuid::now_v7());
    let mut tx = app.db.begin().await?;
    let project = match (&new.project_name, new.mode) {
        (Some(name), ComparisonMode::Managed) => {
            let project = ensure_project(&mut tx, caller, name, &new.config, now).await?;
            // Another first run may have made the project meanwhile; then its configuration counts.
            new.config = new.sent.on_project(name, saved_config(&project)?)?;
            Some(project)
        }
        (Some(name), ComparisonMode::Live) => {
            db::projects::find_project(&mut tx, &caller.organization_id, name).await?
        }
        (None, _) => None,
    };
    let rolling = project
        .as_ref()
        .is_some_and(|project| project.baseline_policy == "rolling");
    let row = JobRow {
        id: job_id.to_string(),
        organization_id: caller.organization_id.clone(),
        project_id: project.as_ref().map(|project| project.id.clone()),
        project_name: new.project_name,
        config: serde_json::to_string(&new.config).context("a job's configuration")?,
        comparison_mode: new.mode.as_str().to_owned(),
        status: JobStatus::Initializing.as_str().to_owned(),
        summary_status: SummaryStatus::Pending.as_str().to_owned(),
        error: None,
        run_context: new
            .run_context
            .map(|context| serde_json::to_string(&context))
            .transpose()
            .context("a run context")?,
        intent: project.as_ref().and_then(|project| project.intent.clone()),
        environment: project
            .as_ref()
            .and_then(|project| project.environment.clone()),
        base_environment: project
            .as_ref()
            .and_then(|project| project.base_environment.clone()),
        auto_approve: i64::from(new.auto_approve || rolling),
        baseline_version: project
            .as_ref()
            .map(|project| project.baseline_version.clone()),
        run_summary: None,
        started_by: caller.name.clone(),
        created_at_ms: now,
        finished_at_ms: None,
    };
    db::jobs::insert_job(&mut tx, &row).await?;
    if let Some(project) = &project {
        db::projects::set_last_job(&mut tx, &project.id, &row.id, now).await?;
    }
    let entry = AuditEntry {
        organization_id: &caller.organization_id,
        actor: &caller.name,
        action: "job.start",
        subject: &row.id,
        detail: serde_json::json!({ "project": row.project_name, "mode": row.comparison_mode }),
    };
    db::audit::insert_audit(&mut tx, &entry, now).await?;
    tx.commit().await?;
    Ok(job_id)
}

/// The organization's project of this name, made with this configuration when there is none.
pub(super) async fn ensure_project(
    tx: &mut sqlx::AnyConnection,
    caller: &Caller,
    name: &str,
    config: &CaptureConfig,
    now: i64,
) -> Result<ProjectRow> {
    let json = serde_json::to_string(config).context("a project's configuration")?;
    let (id, version) = (Uuid::now_v7().to_string(), Uuid::now_v7().to_string());
    db::projects::insert_project(
        &mut *tx,
        &id,
        &caller.organization_id,
        name,
        &json,
        &version,
        now,
    )
    .await?;
    let project = db::projects::find_project(tx, &caller.organization_id, name).await?;
    Ok(project.context("a project that was just stored")?)
}
