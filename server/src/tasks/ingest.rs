//! Taking in what a client uploaded for a page: from staging to a capture like those of our own.

mod dom;
mod screenshot;

use anyhow::{Context, bail};

use super::give_up::{MAX_ATTEMPTS, give_up_on};
use super::settle::{dispatch, settle};
use super::stored::{self, Forms, Parts, Taken};
use crate::app::App;
use crate::db;
use crate::db::captures::CaptureRow;
use crate::db::results::ResultRow;
use crate::gate::Side;
use crate::storage::Revision;
use crate::storage::staging::{Part, Staged, StagingKey};

/// What a capture names as its browser.
const MADE_BY: &str = "uploaded by the client";

/// Takes in what was uploaded for a result that this process has the lease on.
pub(super) async fn run(app: &App, result: &ResultRow) -> anyhow::Result<()> {
    if result.attempts > MAX_ATTEMPTS {
        // Its former attempts ended with the whole process.
        return give_up_on(app, result).await;
    }
    match ingest(app, result).await? {
        Ok(capture) => {
            let taken = Taken {
                side: Side::Test,
                capture,
            };
            if stored::hand_on(app, result, &[taken]).await? {
                clear(app, result).await;
            }
            // Nothing ends with this step: room for the next upload is all there is.
            dispatch(app, &result.job_id).await;
            Ok(())
        }
        Err(message) => {
            end_in_error(app, result, &message).await?;
            clear(app, result).await;
            settle(app, &result.job_id).await;
            Ok(())
        }
    }
}

/// The inner error is the page's own: its sentence becomes the result's.
async fn ingest(app: &App, result: &ResultRow) -> anyhow::Result<Result<CaptureRow, String>> {
    let revisions = db::uploads::find_revisions(&mut *app.db.read().await?, &result.id).await?;
    let [screenshot, dom] = revisions;
    let screenshot = match staged(app, result, Part::Screenshot, screenshot).await? {
        Ok(Some(screenshot)) => screenshot,
        Ok(None) => {
            return Ok(Err(
                "The screenshot never arrived: PUT it to `uploadUrl` before the job is finalized."
                    .to_owned(),
            ));
        }
        Err(message) => return Ok(Err(message)),
    };
    let packed = match staged(app, result, Part::Dom, dom).await? {
        Ok(packed) => packed,
        Err(message) => return Ok(Err(message)),
    };
    let stored = Forms::stored(app, result, &screenshot).await?;
    let read = tokio::task::spawn_blocking(move || {
        let forms = match stored {
            Some(forms) => forms,
            None => screenshot::read(&screenshot)?,
        };
        let dom = dom::read(packed)?;
        Ok::<(Vec<u8>, Forms, Vec<u8>), String>((screenshot, forms, dom))
    });
    let (screenshot, forms, dom) = match read.await.context("decoding an upload")? {
        Ok(read) => read,
        Err(message) => return Ok(Err(message)),
    };
    let parts = Parts {
        url: &result.url,
        screenshot: &screenshot,
        forms: &forms,
        dom: &dom,
        saved_page: None,
        report: None,
        browser: MADE_BY.to_owned(),
    };
    stored::store(app, result, parts).await.map(Ok)
}

/// A part as it was uploaded; none when it was not. The inner error is the page's own. What was seen when the job was finalized and is
/// not there is the service's trouble while it may be tried again: it may be there then, as long as nothing is cleared.
async fn staged(
    app: &App,
    result: &ResultRow,
    part: Part,
    revision: Option<String>,
) -> anyhow::Result<Result<Option<Vec<u8>>, String>> {
    let revision: Option<Revision> = revision.map(|text| text.parse()).transpose()?;
    let staged = app
        .staging
        .get(&key(result, part)?, revision.as_ref())
        .await;
    let name = match part {
        Part::Screenshot => "screenshot",
        Part::Dom => "DOM tree",
    };
    Ok(
        match staged.with_context(|| format!("reading an uploaded {name}"))? {
            Staged::Content(content) => Ok(Some(content)),
            Staged::Missing if revision.is_none() => Ok(None),
            Staged::Missing if result.attempts < MAX_ATTEMPTS => {
                bail!("the {name} that was seen when the job was finalized is not there");
            }
            Staged::Missing => Err(format!(
                "The {name} lay in the bucket when the job was finalized and is gone; run the job again. If it persists, the operator \
                 looks for what else removes objects from `staging/`."
            )),
            Staged::TooLarge => Err(format!(
                "The {name} is larger than the {} MiB that its link takes; capture a smaller part of the page.",
                part.max_bytes() >> 20
            )),
            Staged::Replaced => Err(format!(
                "The {name} was uploaded again after the job was finalized, so it was not compared; run the job again."
            )),
        },
    )
}

async fn end_in_error(app: &App, result: &ResultRow, message: &str) -> anyhow::Result<()> {
    tracing::info!(
        result = result.id,
        message,
        "an upload could not be taken in"
    );
    let mut tx = app.db.begin().await?;
    db::results::work::set_result_error(&mut tx, &result.id, &app.worker_id, message).await?;
    tx.commit().await?;
    Ok(())
}

/// The upload is a capture now, or an error; what is left here by a failure goes with the job's folder.
async fn clear(app: &App, result: &ResultRow) {
    for part in [Part::Screenshot, Part::Dom] {
        let Ok(key) = key(result, part) else { continue };
        if let Err(error) = app.staging.remove(&key).await {
            tracing::warn!(%key, %error, "an upload could not be removed from staging");
        }
    }
}

fn key(result: &ResultRow, part: Part) -> anyhow::Result<StagingKey> {
    StagingKey::new(&result.job_id, &result.id, part).context("a result's ids")
}
