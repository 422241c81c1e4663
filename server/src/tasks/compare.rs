//! Comparing a capture with its baseline, or making it the first one.

use std::sync::Arc;

use anyhow::{Context, anyhow};
use pentimento_api::history::BaselineAction;
use pentimento_api::job::ComparisonMode;
use pentimento_compute::{CompareOptions, Doubt};

use super::agree::{self, Agreed, Look};
use super::give_up::{MAX_ATTEMPTS, give_up_on};
use super::judge::{Judged, Judging, judge, read_intent};
use super::measure::{Documents, Trouble, compare_documents, compare_pictures, size_of};
use super::settle::settle;
use crate::app::App;
use crate::db;
use crate::db::baselines::{BaselineKey, MoveCause};
use crate::db::captures::CaptureRow;
use crate::db::jobs::JobRow;
use crate::db::results::ResultRow;
use crate::jobs::view;

/// Concludes a result that this process has the lease on.
pub(super) async fn run(app: &App, mut result: ResultRow) -> anyhow::Result<()> {
    if result.attempts > MAX_ATTEMPTS {
        // Its former attempts ended with the whole process.
        return give_up_on(app, &result).await;
    }
    let job = db::jobs::get_job(&mut *app.db.read().await?, &result.job_id).await?;
    let message = match conclude(app, &job, &mut result).await {
        Ok(()) => None,
        Err(Trouble::Page(message)) => Some(message),
        Err(Trouble::Screenshot { capture_id }) => {
            Some(lost_screenshot(&job, &result, &capture_id).to_owned())
        }
        Err(Trouble::Service(error)) => return Err(error),
    };
    if let Some(message) = message {
        let mut tx = app.db.begin().await?;
        db::results::work::set_result_error(&mut tx, &result.id, &app.worker_id, &message).await?;
        tx.commit().await?;
    }
    settle(app, &result.job_id).await;
    Ok(())
}

/// What a page is told whose screenshot, or whose baseline's, is lost or damaged in storage.
fn lost_screenshot(job: &JobRow, result: &ResultRow, capture_id: &str) -> &'static str {
    // What a live job compares with it has captured itself.
    let is_managed = job.mode() == ComparisonMode::Managed;
    if is_managed && result.baseline_capture_id.as_deref() == Some(capture_id) {
        "The baseline's screenshot is missing in storage or damaged there, so there was nothing to compare with. The operator restores \
         the file that the service's log names from a backup. Where there is none, reject this page in the job that made it the baseline, \
         or change a setting that invalidates the project's baselines. Then run the job again."
    } else {
        "A screenshot of this job's own is missing in storage or damaged there, so it was not compared. Run the job again; if it \
         persists, the operator restores or removes the file that the service's log names."
    }
}

/// Ends a result, or has its page captured once more.
async fn conclude(app: &App, job: &JobRow, result: &mut ResultRow) -> Result<(), Trouble> {
    let judging = Arc::new(Judging {
        intent: read_intent(job.intent.clone(), view::run_context(job)?).await?,
        config: serde_json::from_str(&job.config).context("a job's configuration")?,
    });
    let agreed = loop {
        let agreed = match agree::look(app, result, &judging).await? {
            Look::Again(sides) => return Ok(agree::capture_again(app, result, sides).await?),
            Look::Agreed(agreed) => *agreed,
        };
        if result.baseline_capture_id.is_some() {
            break agreed;
        }
        if !become_baseline(app, job, result, &agreed).await? {
            return Ok(());
        }
        // There is a baseline now, so the captures are looked at once more.
    };
    let compared = if let Some(compared) = agreed.compared {
        compared
    } else {
        let baseline = agree::baseline_of(app, result, &agreed).await?;
        let judged = compare(app, &baseline, &agreed.current, &judging, &agreed.doubts);
        judged.await?.stored(app).await?
    };
    let mut tx = app.db.begin().await?;
    agree::keep(&mut tx, app, job, result, agreed.kept.as_ref()).await?;
    db::results::work::set_compared(&mut tx, &result.id, &app.worker_id, &compared).await?;
    Ok(tx.commit().await?)
}

/// What a page is told whose baseline a run with a newer configuration has made.
const OUTDATED: &str = "The project's configuration was changed while this job ran, and a newer run has made this page's baseline \
                        with it; a capture taken with the former configuration is not comparable. Run the project again.";

/// Makes the capture the page's first baseline. Another job may have made one meanwhile; then that one is pinned, and
/// true says that there is something to compare with.
async fn become_baseline(
    app: &App,
    job: &JobRow,
    result: &mut ResultRow,
    agreed: &Agreed,
) -> Result<bool, Trouble> {
    let now = app.clock.now_ms();
    let (ComparisonMode::Managed, Some(project_id)) = (job.mode(), job.project_id.as_deref())
    else {
        return Err(anyhow!("a live job's result has no capture of its base origin").into());
    };
    let mut tx = app.db.begin().await?;
    agree::keep(&mut tx, app, job, result, agreed.kept.as_ref()).await?;
    let version = job.baseline_version.as_deref().unwrap_or_default();
    let key = BaselineKey {
        project_id,
        page_key: &result.page_key,
        variant_name: &result.variant_name,
    };
    let cause = MoveCause {
        action: BaselineAction::New,
        baseline_version: version,
        job_id: &job.id,
        actor: &job.started_by,
    };
    // The pointer moves at most once between looking and moving within a transaction; three rounds are plenty.
    for _ in 0..3 {
        let found = db::baselines::find_baseline(&mut tx, key).await?;
        let known = found.as_ref().map_or(0, |found| found.version);
        let captured = found.and_then(|found| Some((found.capture_id?, found.baseline_version)));
        if let Some((capture_id, of_version)) = captured {
            if of_version == version {
                db::results::work::pin_baseline(
                    &mut tx,
                    &result.id,
                    &app.worker_id,
                    &capture_id,
                    known,
                )
                .await?;
                tx.commit().await?;
                result.baseline_capture_id = Some(capture_id);
                result.pinned_version = known;
                return Ok(true);
            }
            let project = db::projects::get_project(&mut tx, project_id).await?;
            if of_version == project.baseline_version {
                return Err(Trouble::Page(OUTDATED.to_owned()));
            }
        }
        let capture_id = &agreed.current.id;
        let moved =
            db::baselines::move_baseline(&mut tx, key, known, capture_id, cause, now).await?;
        if let Some(promoted) = moved {
            let ours =
                db::results::work::set_new_baseline(&mut tx, &result.id, &app.worker_id, promoted)
                    .await?;
            // Another worker took the lease over; what it does counts, and the pointer stays.
            if !ours {
                return Err(anyhow!("the lease on {} was lost", result.id).into());
            }
            tx.commit().await?;
            return Ok(false);
        }
    }
    Err(anyhow!(
        "the baseline of {} moves faster than it can be pinned",
        result.page_key
    )
    .into())
}

/// What other captures of the same page in the same run cast doubt on.
#[derive(Default)]
pub(super) struct Doubts {
    /// In the pictures.
    pub(super) pictures: Vec<Doubt>,
    /// Baselines and captures in whose documents a change has to stand as well.
    pub(super) documents: Vec<[CaptureRow; 2]>,
}

/// Compares two captures as far as nothing casts doubt on them, and judges what is found.
pub(super) async fn compare(
    app: &App,
    baseline: &CaptureRow,
    current: &CaptureRow,
    judging: &Arc<Judging>,
    doubts: &Doubts,
) -> Result<Judged, Trouble> {
    let document = undoubted_document(app, baseline, current, doubts).await?;
    let options = CompareOptions {
        doubts: doubts.pictures.clone(),
        ..CompareOptions::default()
    };
    let measurement = compare_pictures(app, baseline, current, options).await?;
    let (size, is_undoubted) = (size_of(current)?, doubts.pictures.is_empty());
    Ok(judge(judging, size, measurement, document, is_undoubted).await?)
}

/// The document diff without the changes that other captures do not show.
async fn undoubted_document(
    app: &App,
    baseline: &CaptureRow,
    current: &CaptureRow,
    doubts: &Doubts,
) -> anyhow::Result<Documents> {
    let document = compare_documents(app, baseline, current).await?;
    let found = match document {
        Ok(found) if !doubts.documents.is_empty() => found,
        document => return Ok(document),
    };
    let mut others = Vec::new();
    for [baseline, current] in &doubts.documents {
        others.extend(compare_documents(app, baseline, current).await?.ok());
    }
    let agreed = tokio::task::spawn_blocking(move || found.agreed_with(&others));
    Ok(Ok(agreed
        .await
        .context("finding what documents agree on")?))
}
