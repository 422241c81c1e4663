//! The form of a screenshot that is kept beside it for comparing, drawing and cutting out: decoding a PNG takes longer than
//! comparing it. All of it is in the PNG as well.

use std::sync::Arc;

use anyhow::{Context, anyhow};
use pentimento_compute::{Error, Form, Picture, PictureFile, is_strips, to_strips};

use crate::app::App;
use crate::db;
use crate::db::captures::CaptureRow;
use crate::storage::StorageError;

/// The pictures of captures, all in the same form.
pub(crate) struct Pictures<const N: usize> {
    pub(crate) files: [Arc<PictureFile>; N],
    pub(crate) form: Form,
}

impl<const N: usize> Pictures<N> {
    /// Each as a picture.
    pub(crate) fn each(&self) -> [Picture<'_>; N] {
        (self.files.each_ref()).map(|file| self.form.of(&**file))
    }
}

/// A capture's screenshot cannot be had from storage.
#[derive(Debug, thiserror::Error)]
#[error("the screenshot of capture {capture_id} cannot be read: {error}")]
pub(crate) struct ScreenshotError {
    pub(crate) capture_id: String,
    #[source]
    pub(crate) error: StorageError,
}

/// What came of work on pictures.
pub(crate) struct Worked<'c, T> {
    pub(crate) done: Result<T, Error>,
    /// Captures whose stored form is to be made, or made anew.
    pub(crate) lacking: Vec<&'c CaptureRow>,
}

/// Works on the stored forms of captures where all can be read, else on their screenshots: these tell the same, and whether
/// storage works.
///
/// # Errors
/// A screenshot cannot be read, a [`ScreenshotError`] or [`Error::Unreadable`]; the work panics.
pub(crate) async fn work_on<'c, T: Send + 'static, const N: usize>(
    app: &App,
    captures: [&'c CaptureRow; N],
    work: impl Fn(Pictures<N>) -> Result<T, Error> + Clone + Send + 'static,
) -> anyhow::Result<Worked<'c, T>> {
    let (mut files, mut lacking) = (Vec::new(), Vec::new());
    for capture in captures {
        match StoredForm::of(app, capture).await {
            StoredForm::Readable(file) => files.push(file),
            StoredForm::Lacking => lacking.push(capture),
            StoredForm::Unreadable => {}
        }
    }
    let mut are_damaged = false;
    if files.len() == N {
        let done = on_a_thread(files, Form::Strips, work.clone()).await?;
        match done {
            Ok(_) => return Ok(Worked { done, lacking }),
            Err(error) => {
                let captures = captures.map(|capture| capture.id.as_str());
                tracing::warn!(%error, ?captures, "stored forms are of no use; the PNGs are read");
                are_damaged = !matches!(error, Error::Unreadable(_));
            }
        }
    }
    let mut files = Vec::new();
    for capture in captures {
        let opened = app.storage.open_named(&capture.screenshot_blob).await;
        files.push(opened.map_err(|error| ScreenshotError {
            capture_id: capture.id.clone(),
            error,
        })?);
    }
    match on_a_thread(files, Form::Png, work).await? {
        Err(error @ Error::Unreadable(_)) => Err(anyhow!(error).context("reading screenshots")),
        done => {
            // The PNGs are sound, so it is the forms that are not; which of them, the error does not say.
            if are_damaged && done.is_ok() {
                lacking.extend(captures);
            }
            Ok(Worked { done, lacking })
        }
    }
}

async fn on_a_thread<T: Send + 'static, const N: usize>(
    files: Vec<PictureFile>,
    form: Form,
    work: impl FnOnce(Pictures<N>) -> Result<T, Error> + Send + 'static,
) -> anyhow::Result<Result<T, Error>> {
    let files = files.into_iter().map(Arc::new).collect::<Vec<_>>();
    let files = <[_; N]>::try_from(files).map_err(|_| anyhow!("a capture has one file"))?;
    let working = tokio::task::spawn_blocking(move || work(Pictures { files, form }));
    working.await.context("working on pictures")
}

/// What there is of it.
enum StoredForm {
    Readable(PictureFile),
    /// There is none, it is another version's, or it is damaged: it is to be made.
    Lacking,
    /// It cannot be had now.
    Unreadable,
}

impl StoredForm {
    /// That of a capture.
    async fn of(app: &App, capture: &CaptureRow) -> Self {
        let Some(blob) = &capture.strips_blob else {
            return Self::Lacking;
        };
        match app.storage.open_named(blob).await {
            Ok(file) => match is_strips(&file) {
                Ok(true) => Self::Readable(file),
                Ok(false) => Self::Lacking,
                Err(error) => {
                    tracing::warn!(capture = %capture.id, %error, "a stored form cannot be read");
                    Self::Unreadable
                }
            },
            Err(StorageError::Missing(_)) => Self::Lacking,
            Err(error @ StorageError::Damaged(_)) => {
                tracing::warn!(capture = %capture.id, %error, "a stored form is to be made anew");
                Self::Lacking
            }
            Err(error) => {
                tracing::warn!(capture = %capture.id, %error, "a stored form cannot be read");
                Self::Unreadable
            }
        }
    }
}

/// Makes it of a capture that lacks it, so that the next comparison with it, a baseline's above all, need not decode a PNG.
pub(crate) async fn make(app: &App, capture: &CaptureRow) -> anyhow::Result<()> {
    let png = app.storage.get_named(&capture.screenshot_blob).await?;
    let strips = tokio::task::spawn_blocking(move || to_strips(&png))
        .await
        .context("making a stored form")??;
    // A damaged one has the same name.
    let blob = app.storage.put_anew(&strips).await?.to_string();
    let mut tx = app.db.begin().await?;
    db::captures::set_strips(&mut tx, &capture.id, &blob, app.clock.now_ms()).await?;
    tx.commit().await?;
    Ok(())
}
