//! Running a saved project: asked for by a caller, or at a slot of its schedule.

use pentimento_api::crawl::{CrawlRequest, JobStarted, RunContext};
use pentimento_api::ids::JobId;
use pentimento_api::project::RunRequest;
use url::Url;

use crate::app::App;
use crate::auth::Caller;
use crate::db;
use crate::db::projects::ProjectRow;
use crate::db::schedules::Slot;
use crate::error::{Error, Result};
use crate::idempotency::Call;
use crate::jobs::checks::{check_run_context, parse_url};
use crate::jobs::spec::{CaptureConfig, SentConfig, refuse_mismatch};
use crate::jobs::start::{NewJob, accepted, begin, check_at_once, insert_job, saved_config};
use crate::page_path::path_and_query;

/// Accepts `POST /project/{name}/run`.
///
/// # Errors
/// 404 for an unknown project, 400 `config_mismatch` for a field that differs from the stored one, 400 `invalid_url` for
/// an address that may not be captured.
pub async fn start_run(
    app: &App,
    caller: &Caller,
    call: &Call,
    name: &str,
    request: RunRequest,
) -> Result<JobStarted> {
    if let Some(answer) = call.answered(app).await? {
        return Ok(answer);
    }
    let run = Run::parse(name, request)?;
    let project =
        db::projects::find_project(&mut *app.db.read().await?, &caller.organization_id, name)
            .await?
            .ok_or_else(|| Error::project_not_found(name))?;
    check_at_once(app, &run.config(&project)?, "testOrigin").await?;
    let mut tx = app.db.begin().await?;
    if let Some(answer) = call.claim(&mut tx, app.clock.now_ms()).await? {
        return Ok(answer);
    }
    let started = accepted(insert(app, &mut tx, caller, run).await?);
    call.keep(&mut tx, &started).await?;
    tx.commit().await?;
    begin(app, started.job_id).await;
    Ok(started)
}

/// Runs a project at a slot of its schedule; nothing when somebody else has claimed the slot.
///
/// # Errors
/// As [`start_run`].
pub(crate) async fn start_scheduled(
    app: &App,
    caller: &Caller,
    project: &ProjectRow,
    slot: &Slot<'_>,
) -> Result<Option<JobId>> {
    let run = Run {
        trigger: "schedule",
        ..Run::parse(&project.name, RunRequest::default())?
    };
    check_at_once(app, &run.config(project)?, "testOrigin").await?;
    let mut tx = app.db.begin().await?;
    let now = app.clock.now_ms();
    // The key before the project, as where a key is rotated: neither waits for the other.
    db::keys::touch_key(&mut tx, &caller.key_id, now).await?;
    // In one transaction with the job: a slot that is claimed has its run.
    if !db::schedules::claim_slot(&mut tx, slot, Some(now)).await? {
        return Ok(None);
    }
    let job_id = insert(app, &mut tx, caller, run).await?;
    tx.commit().await?;
    begin(app, job_id).await;
    Ok(Some(job_id))
}

/// What a run says, checked as far as that can be done without the project.
struct Run<'a> {
    project: &'a str,
    sent: SentConfig,
    /// The one page that was asked for.
    page: Option<Url>,
    auto_approve: bool,
    context: Option<RunContext>,
    trigger: &'static str,
}

impl<'a> Run<'a> {
    fn parse(project: &'a str, request: RunRequest) -> Result<Self> {
        let page = request.url.as_deref().map(|text| parse_url("url", text));
        let sent = SentConfig::parse(&CrawlRequest {
            test_origin: request.test_origin,
            sitemap_url: request.sitemap_url,
            base_origin: request.base_origin,
            devices: request.devices,
            paths: request.paths,
            scans: request.scans,
            masks: request.masks,
            custom_css: request.custom_css,
            concurrency: request.concurrency,
            ..CrawlRequest::default()
        })?;
        Ok(Self {
            project,
            sent,
            page: page.transpose()?,
            auto_approve: request.auto_approve.unwrap_or(false),
            context: request.run_context.map(check_run_context).transpose()?,
            trigger: "run",
        })
    }

    /// The stored configuration, with the one page in place of all when it is asked for.
    fn config(&self, project: &ProjectRow) -> Result<CaptureConfig> {
        let saved = saved_config(project)?;
        let mut differences = self.sent.all_differences(&saved);
        let origin = (self.page.as_ref()).map(|page| page.origin().ascii_serialization());
        if let Some(origin) = &origin
            && saved.test_origin.as_ref() != Some(origin)
        {
            let stored = saved.test_origin.as_deref().unwrap_or("nothing");
            differences.push(format!(
                "`url` was sent with the origin `{origin}` and `testOrigin` is stored as `{stored}`"
            ));
        }
        refuse_mismatch(&project.name, &differences)?;
        Ok(match &self.page {
            None => saved,
            Some(page) => CaptureConfig {
                url_path: Some(path_and_query(page)),
                paths: Vec::new(),
                scans: Vec::new(),
                sitemap_url: None,
                ..saved
            },
        })
    }
}

/// Stores the run's job. The project is read again: it may have been changed since it was checked.
async fn insert(
    app: &App,
    tx: &mut sqlx::AnyConnection,
    caller: &Caller,
    run: Run<'_>,
) -> Result<JobId> {
    let project = db::projects::find_project(tx, &caller.organization_id, run.project)
        .await?
        .ok_or_else(|| Error::project_not_found(run.project))?;
    let new = NewJob {
        config: run.config(&project)?,
        project_name: Some(project.name.clone()),
        run_context: run.context,
        auto_approve: run.auto_approve,
        trigger: run.trigger,
    };
    insert_job(tx, caller, Some(&project), new, app.clock.now_ms()).await
}
