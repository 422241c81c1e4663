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
use crate::idempotency::Call;
use crate::jobs::checks::{check_project_name, check_run_context};
use crate::jobs::spec::{CaptureConfig, SentConfig, check_extent};
use crate::tasks::queue::Task;

/// Accepts `POST /crawl`: checks everything that can be checked at once, stores the job, and answers before any page is
/// opened.
///
/// # Errors
/// 400 that names the field.
pub async fn start_crawl(
    app: &App,
    caller: &Caller,
    call: &Call,
    request: CrawlRequest,
) -> Result<JobStarted> {
    if let Some(answer) = call.answered(app).await? {
        return Ok(answer);
    }
    if let Some(name) = &request.project {
        check_project_name(name)?;
    }
    let sent = SentConfig::parse(&request)?;
    let run_context = request.run_context.map(check_run_context).transpose()?;
    if sent.base_origin.is_none() && request.project.is_none() {
        return Err(Error::invalid(
            "`project` or `baseOrigin` is missing; send a project to compare with its stored baselines, or a base origin to compare two sites now.",
        ));
    }
    let stored = match &request.project {
        Some(name) => {
            db::projects::find_project(&mut *app.db.read().await?, &caller.organization_id, name)
                .await?
        }
        None => None,
    };
    let config = crawl_config(&sent, stored.as_ref())?;
    let named = match (&request.test_origin, &request.url) {
        (None, Some(_)) => "url",
        _ => "testOrigin",
    };
    check_at_once(app, &config, named).await?;
    let new = NewJob {
        config,
        project_name: request.project,
        run_context,
        auto_approve: request.auto_approve.unwrap_or(false),
        trigger: "crawl",
    };
    let started = store_crawl(app, caller, call, &sent, new).await?;
    begin(app, started.job_id).await;
    Ok(started)
}

/// What a crawl captures. A base origin that is sent makes the run its own, whatever the project holds.
fn crawl_config(sent: &SentConfig, project: Option<&ProjectRow>) -> Result<CaptureConfig> {
    let Some(project) = project else {
        return sent.clone().into_config();
    };
    let saved = saved_config(project)?;
    if sent.base_origin.is_some() {
        return Ok(sent.clone().into_config()?.judged_as(&saved));
    }
    sent.on_project(&project.name, saved)
}

/// What a stored job begins with. It is `live` when its configuration has a base origin.
pub(super) struct NewJob {
    pub(super) config: CaptureConfig,
    /// The project's name as it was sent.
    pub(super) project_name: Option<String>,
    pub(super) run_context: Option<RunContext>,
    pub(super) auto_approve: bool,
    /// What started it, for the audit log.
    pub(super) trigger: &'static str,
}

/// Has a stored job's work begun. Doing it again, for a call that was sent again, begins nothing twice.
pub(super) async fn begin(app: &App, job_id: JobId) {
    app.queue
        .push(&Task::Discover {
            job_id: job_id.to_string(),
        })
        .await;
}

/// What the caller is answered.
pub(super) fn accepted(job_id: JobId) -> JobStarted {
    JobStarted {
        message: format!("The job was accepted. GET /job/{job_id} shows its progress."),
        job_id,
    }
}

/// What can be known before a job begins, so that a mistake is told at once: how many captures it names, and what it will open.
pub(super) async fn check_at_once(app: &App, config: &CaptureConfig, named: &str) -> Result<()> {
    check_extent(config)?;
    check_targets(app, config, named).await
}

/// Everything the job will open must resolve and be allowed; `named` is the field that told the test origin.
pub(crate) async fn check_targets(app: &App, config: &CaptureConfig, named: &str) -> Result<()> {
    let wanted = [
        (named, &config.test_origin),
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

pub(crate) fn saved_config(project: &ProjectRow) -> Result<CaptureConfig> {
    Ok(serde_json::from_str(&project.config).context("a project's stored configuration")?)
}

/// Job, project and the task's mark are written in one transaction: what was answered 200 is not lost.
async fn store_crawl(
    app: &App,
    caller: &Caller,
    call: &Call,
    sent: &SentConfig,
    mut new: NewJob,
) -> Result<JobStarted> {
    let now = app.clock.now_ms();
    let mut tx = app.db.begin().await?;
    if let Some(answer) = call.claim(&mut tx, now).await? {
        return Ok(answer);
    }
    let project = match (&new.project_name, new.config.mode()) {
        (Some(name), ComparisonMode::Managed) => {
            Some(ensure_project(&mut tx, caller, name, &new.config, now).await?)
        }
        (Some(name), ComparisonMode::Live) => {
            db::projects::find_project(&mut tx, &caller.organization_id, name).await?
        }
        (None, _) => None,
    };
    if project.is_some() {
        // Another call may have made or changed the project meanwhile; then its configuration counts.
        new.config = crawl_config(sent, project.as_ref())?;
    }
    let started = accepted(insert_job(&mut tx, caller, project.as_ref(), new, now).await?);
    call.keep(&mut tx, &started).await?;
    tx.commit().await?;
    Ok(started)
}

/// Stores a job, makes it its project's newest, and writes the audit log, in the caller's transaction.
pub(super) async fn insert_job(
    tx: &mut sqlx::AnyConnection,
    caller: &Caller,
    project: Option<&ProjectRow>,
    new: NewJob,
    now: i64,
) -> Result<JobId> {
    let job_id = JobId(Uuid::now_v7());
    let mode = new.config.mode();
    let told = told(&new.config, new.run_context.as_ref());
    let rolling = project.is_some_and(|project| project.baseline_policy == "rolling");
    let row = JobRow {
        id: job_id.to_string(),
        organization_id: caller.organization_id.clone(),
        project_id: project.map(|project| project.id.clone()),
        project_name: new.project_name,
        config: serde_json::to_string(&new.config).context("a job's configuration")?,
        comparison_mode: mode.as_str().to_owned(),
        status: JobStatus::Initializing.as_str().to_owned(),
        summary_status: SummaryStatus::Pending.as_str().to_owned(),
        error: None,
        run_context: new
            .run_context
            .map(|context| serde_json::to_string(&context))
            .transpose()
            .context("a run context")?,
        intent: project.and_then(|project| project.intent.clone()),
        environment: project.and_then(|project| project.environment.clone()),
        base_environment: project.and_then(|project| project.base_environment.clone()),
        auto_approve: i64::from(new.auto_approve || rolling),
        baseline_version: project.map(|project| project.baseline_version.clone()),
        run_summary: None,
        concurrency: i64::from(new.config.concurrency),
        started_by: caller.name.clone(),
        created_at_ms: now,
        finished_at_ms: None,
    };
    db::jobs::insert_job(tx, &row, &told).await?;
    if let Some(project) = project {
        db::projects::set_last_job(tx, &project.id, &row.id, now).await?;
    }
    let entry = AuditEntry {
        organization_id: &caller.organization_id,
        actor: &caller.name,
        action: "job.start",
        subject: &row.id,
        detail: serde_json::json!({ "project": row.project_name, "mode": row.comparison_mode, "trigger": new.trigger }),
    };
    db::audit::insert_audit(tx, &entry, now).await?;
    Ok(job_id)
}

/// What the list of jobs says of a job besides its project, a line each: where it captures, its commit, and what it is about.
fn told(config: &CaptureConfig, context: Option<&RunContext>) -> String {
    let origins = [&config.test_origin, &config.base_origin]
        .into_iter()
        .flatten();
    let hosts = origins.map(|origin| {
        origin
            .split_once("://")
            .map_or(origin.as_str(), |(_, host)| host)
    });
    let commit = context.and_then(|context| context.git_commit_sha.as_deref());
    let headline = context.and_then(RunContext::headline);
    let lines: Vec<&str> = hosts.chain(commit).chain(headline).collect();
    lines.join("\n")
}

/// The organization's project of this name, made with this configuration when there is none; then the audit log says so, as
/// it does of a project that `POST /projects` makes.
pub(super) async fn ensure_project(
    tx: &mut sqlx::AnyConnection,
    caller: &Caller,
    name: &str,
    config: &CaptureConfig,
    now: i64,
) -> Result<ProjectRow> {
    // The one page of a first run is that run's own: no read of the project would show it, and no change take it away.
    let saved = CaptureConfig {
        url_path: None,
        ..config.clone()
    };
    let json = serde_json::to_string(&saved).context("a project's configuration")?;
    let (id, version) = (Uuid::now_v7().to_string(), Uuid::now_v7().to_string());
    let made = db::projects::insert_project(
        &mut *tx,
        &id,
        &caller.organization_id,
        name,
        &json,
        &version,
        now,
    )
    .await?;
    if made {
        let entry = AuditEntry {
            organization_id: &caller.organization_id,
            actor: &caller.name,
            action: "project.create",
            subject: &id,
            detail: serde_json::json!({ "name": name }),
        };
        db::audit::insert_audit(&mut *tx, &entry, now).await?;
    }
    let project = db::projects::find_project(tx, &caller.organization_id, name).await?;
    Ok(project.context("a project that was just stored")?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_job_is_told_by_its_hosts_its_commit_and_one_line() {
        let config = CaptureConfig {
            test_origin: Some("https://pr-7.example.com".to_owned()),
            base_origin: Some("https://example.com:8443".to_owned()),
            ..CaptureConfig::default()
        };
        let context = RunContext {
            git_commit_sha: Some("0badc0de".to_owned()),
            git_commit_message: Some("Raise the price\n\nAs was asked for.".to_owned()),
            pr_title: Some(String::new()),
            ..RunContext::default()
        };
        assert_eq!(
            told(&config, Some(&context)),
            "pr-7.example.com\nexample.com:8443\n0badc0de\nRaise the price"
        );
        assert_eq!(told(&config, None), "pr-7.example.com\nexample.com:8443");
    }
}
