//! The form of a screenshot that is kept beside it for comparing, drawing and cutting out: decoding a PNG takes longer than
//! comparing it. All of it is in the PNG as well.

use anyhow::Context;
use pentimento_compute::{is_strips, to_strips};

use crate::app::App;
use crate::db;
use crate::db::captures::CaptureRow;
use crate::storage::StorageError;

/// What there is of it.
pub(crate) enum StoredForm {
    Readable(Vec<u8>),
    /// There is none, it is another version's, or it is damaged: it is to be made.
    Lacking,
    /// It cannot be had now.
    Unreadable,
}

impl StoredForm {
    /// That of a capture.
    pub(crate) async fn of(app: &App, capture: &CaptureRow) -> Self {
        let Some(blob) = &capture.strips_blob else {
            return Self::Lacking;
        };
        match app.storage.get_named(blob).await {
            Ok(file) if is_strips(&file) => Self::Readable(file),
            Ok(_) | Err(StorageError::Missing(_)) => Self::Lacking,
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
    db::captures::set_strips(&mut tx, &capture.id, &blob).await?;
    tx.commit().await?;
    Ok(())
}
