//! Client-driven jobs: started, given links to upload to, and finalized. The client captures; the service compares.

use std::collections::HashMap;

use anyhow::Context;
use pentimento_api::ci::{InitAnswer, InitRequest, UploadUrlAnswer, UploadUrlRequest};
use pentimento_api::crawl::JobStarted;
use pentimento_api::ids::JobId;
use pentimento_api::job::JobStatus;
use sqlx::AnyConnection;
use uuid::Uuid;

use crate::app::App;
use crate::auth::Caller;
use crate::capture::devices;
use crate::db;
use crate::db::audit::AuditEntry;
use crate::db::jobs::JobRow;
use crate::db::uploads::{ClientJob, NewUpload, UploadRevisions};
use crate::error::{Error, Result};
use crate::idempotency::Call;
use crate::jobs::checks::{
    MAX_RESULTS, check_commit, check_device_labels, check_devices, check_project_name, check_ref,
    check_run_context, check_variant_name, parse_url,
};
use crate::jobs::links::LinkMaker;
use crate::jobs::spec::SentConfig;
use crate::jobs::start::{NewJob, ensure_project, insert_job, saved_config};
use crate::page_path::path_and_query;
use crate::storage::staging::{Part, StagingKey};
use crate::tasks;

/// Accepts `POST /ci/job/init`: stores the job, and the project when there is none. The project's own test origin stays
/// what it is and does not matter: a preview may be anywhere.
///
/// # Errors
/// 400 that names the field.
pub async fn init(
    app: &App,
    caller: &Caller,
    call: &Call,
    request: InitRequest,
) -> Result<InitAnswer> {
    if let Some(answer) = call.answered(app).await? {
        return Ok(answer);
    }
    check_project_name(&request.project)?;
    let branch = check_ref(request.branch.unwrap_or_default())?;
    let commit = check_commit(request.commit.unwrap_or_default())?;
    let run_context = request.run_context.map(check_run_context).transpose()?;
    let labels = check_device_labels(request.devices.unwrap_or_default())?;
    // Clients send the base address of their tests, which may have a path.
    let origin = parse_url("testOrigin", &request.test_origin)?.origin();
    let known = labels
        .into_iter()
        .filter(|name| devices::find(name).is_some())
        .collect();
    let config = SentConfig {
        test_origin: Some(origin.ascii_serialization()),
        devices: Some(check_devices(known)?).filter(|known| !known.is_empty()),
        ..SentConfig::default()
    }
    .into_config()?;

    let now = app.clock.now_ms();
    let mut tx = app.db.begin().await?;
    if let Some(answer) = call.claim(&mut tx, now).await? {
        return Ok(answer);
    }
    let project = ensure_project(&mut tx, caller, &request.project, &config, now).await?;
    let new = NewJob {
        config: config.judged_as(&saved_config(&project)?),
        project_name: Some(request.project),
        run_context,
        auto_approve: false,
        trigger: "upload",
    };
    let job_id = insert_job(&mut tx, caller, Some(&project), new, now).await?;
    let client = ClientJob {
        job_id: &job_id.to_string(),
        branch: &branch,
        commit: &commit,
        finalize_by_ms: now + app.config.upload_deadline_ms(),
    };
    db::uploads::insert_client_job(&mut tx, &client).await?;
    let answer = InitAnswer { job_id };
    call.keep(&mut tx, &answer).await?;
    tx.commit().await?;
    Ok(answer)
}

/// Accepts `POST /ci/job/upload-url`: notes the page and variant, and gives the links. Asking again for the same page
/// and variant gives links to the same place.
///
/// # Errors
/// 400 for a wrong field, a job that takes no uploads, or one that has its most; 404 for an unknown job.
pub(crate) async fn upload_url(
    app: &App,
    caller: &Caller,
    links: &LinkMaker,
    request: UploadUrlRequest,
) -> Result<UploadUrlAnswer> {
    let job_id = request.job_id.to_string();
    check_variant_name(&request.variant_name)?;
    let url = parse_url("url", &request.url)?;
    let wanted = Wanted {
        page_key: path_and_query(&url),
        url: url.into(),
        variant_name: request.variant_name,
    };
    let mut connection = app.db.read().await?;
    open_job(&mut connection, caller, &job_id).await?;
    let found = wanted.find(&mut connection, &job_id).await?;
    drop(connection);
    let upload_id = match found {
        Some(id) => id,
        None => note_upload(app, caller, &job_id, &wanted).await?,
    };
    let key = |part| StagingKey::new(&job_id, &upload_id, part).context("an upload's ids");
    let (screenshot, dom) = (key(Part::Screenshot)?, key(Part::Dom)?);
    Ok(UploadUrlAnswer {
        upload_url: links.upload(&screenshot),
        dom_upload_url: links.upload(&dom),
        current_key: screenshot.to_string(),
    })
}

/// Accepts `POST /ci/job/finalize`: no upload is taken any more, and the pages' baselines are pinned as they stand now:
/// what a reviewer will see is the difference to exactly what an approval replaces.
///
/// # Errors
/// 400 for a job that is not open or has no upload, 404 for an unknown job.
pub async fn finalize(
    app: &App,
    caller: &Caller,
    call: &Call,
    job_id: JobId,
) -> Result<JobStarted> {
    if let Some(answer) = call.answered(app).await? {
        return Ok(answer);
    }
    let id = job_id.to_string();
    open_job(&mut *app.db.read().await?, caller, &id).await?;
    let revisions = revisions(app, &id).await?;
    let is_empty = match app.staging.folder() {
        Some(folder) => folder.is_empty(&id).await.map_err(anyhow::Error::from)?,
        None => revisions.is_empty(),
    };
    let now = app.clock.now_ms();
    let mut tx = app.db.begin().await?;
    if let Some(answer) = call.claim(&mut tx, now).await? {
        return Ok(answer);
    }
    let job = open_job(&mut tx, caller, &id).await?;
    if !db::uploads::close_uploads(&mut tx, &id, now).await? {
        return Err(Error::invalid_state("The job was finalized meanwhile."));
    }
    let pages = db::uploads::begin_ingest(&mut tx, &id).await?;
    if pages == 0 || is_empty {
        return Err(Error::invalid_state(
            "The job has no upload; ask POST /ci/job/upload-url for links, PUT each page's screenshot and DOM tree, and finalize then.",
        ));
    }
    db::uploads::set_revisions(&mut tx, &id, &revisions).await?;
    let entry = AuditEntry {
        organization_id: &caller.organization_id,
        actor: &caller.name,
        action: "job.finalize",
        subject: &id,
        detail: serde_json::json!({ "project": job.project_name, "pages": pages }),
    };
    db::audit::insert_audit(&mut tx, &entry, now).await?;
    let begun = JobStarted {
        message: format!(
            "The comparison of {pages} page variant(s) has begun. GET /job/{id} shows its progress."
        ),
        job_id,
    };
    call.keep(&mut tx, &begun).await?;
    tx.commit().await?;
    tasks::settle::dispatch(app, &id).await;
    Ok(begun)
}

/// What of each upload is in the bucket now, by the upload's id: no transaction waits for the bucket. Whatever comes between
/// this and the job's end of uploading does not count, and its page says so.
async fn revisions(app: &App, job_id: &str) -> Result<Vec<(String, UploadRevisions)>> {
    let listed = app.staging.revisions(job_id).await;
    let mut uploads: HashMap<String, UploadRevisions> = HashMap::new();
    for (key, revision) in listed.map_err(anyhow::Error::from)? {
        let upload = uploads.entry(key.upload_id()).or_default();
        let noted = match key.part() {
            Part::Screenshot => &mut upload.screenshot,
            Part::Dom => &mut upload.dom,
        };
        *noted = Some(revision.to_string());
    }
    Ok(uploads.into_iter().collect())
}

/// A page and variant that links are asked for.
struct Wanted {
    url: String,
    page_key: String,
    variant_name: String,
}

impl Wanted {
    /// The job's upload of it. Two addresses that share a baseline cannot both be in a job: neither could be approved
    /// without a conflict with the other.
    async fn find(&self, db: &mut AnyConnection, job_id: &str) -> Result<Option<String>> {
        let found =
            db::uploads::find_upload(db, job_id, &self.page_key, &self.variant_name).await?;
        match found {
            Some((_, url)) if url != self.url => Err(Error::invalid(format!(
                "`variantName`: the job has `{}` as `{url}` already, and baselines are kept by path, query and variant; give this page a variant name of its own.",
                self.variant_name
            ))),
            found => Ok(found.map(|(id, _)| id)),
        }
    }
}

async fn note_upload(app: &App, caller: &Caller, job_id: &str, wanted: &Wanted) -> Result<String> {
    let mut tx = app.db.begin().await?;
    // Two calls for one page at once make one upload.
    db::jobs::lock_job(&mut tx, job_id).await?;
    open_job(&mut tx, caller, job_id).await?;
    if let Some(id) = wanted.find(&mut tx, job_id).await? {
        return Ok(id);
    }
    let position = db::uploads::next_position(&mut tx, job_id).await?;
    if usize::try_from(position).is_ok_and(|count| count >= MAX_RESULTS) {
        return Err(Error::invalid(format!(
            "The job has {MAX_RESULTS} pages × variants, which are the most; upload the others to a second job."
        )));
    }
    let id = Uuid::now_v7().to_string();
    let new = NewUpload {
        id: &id,
        position,
        url: &wanted.url,
        page_key: &wanted.page_key,
        variant_name: &wanted.variant_name,
    };
    db::uploads::insert_upload(&mut tx, &caller.organization_id, job_id, &new).await?;
    tx.commit().await?;
    Ok(id)
}

/// The caller's job, while it takes uploads.
async fn open_job(db: &mut AnyConnection, caller: &Caller, job_id: &str) -> Result<JobRow> {
    let job = db::jobs::find_job(db, &caller.organization_id, job_id)
        .await?
        .ok_or_else(Error::job_not_found)?;
    if !db::uploads::is_client_job(db, job_id).await? {
        return Err(Error::invalid_state(
            "This job captures its pages itself; POST /ci/job/init starts one that takes uploads.",
        ));
    }
    check_open(job.status())?;
    Ok(job)
}

/// Refuses uploads to a job that was finalized or closed.
///
/// # Errors
/// 400 that says where the job stands.
pub fn check_open(status: JobStatus) -> Result<()> {
    match status {
        JobStatus::Initializing => Ok(()),
        JobStatus::Failed => Err(Error::invalid_state(
            "The job is FAILED and takes no uploads any more; GET /job/{jobId} says why. Start another one with POST /ci/job/init.",
        )),
        status => Err(Error::invalid_state(format!(
            "The job was finalized and is {}; start another one with POST /ci/job/init.",
            status.as_str()
        ))),
    }
}
