//! Measuring how two captures differ, in their pixels and in their documents.

use anyhow::Context;
use pentimento_compute::{CompareOptions, Comparison, Picture, to_strips};
use pentimento_document::{Document, DocumentDiff};

use crate::app::App;
use crate::db;
use crate::db::captures::CaptureRow;
use crate::storage::BlobKey;

/// What stops a comparison: the page's own trouble, whose sentence becomes its result's, or the service's.
pub(super) enum Trouble {
    Page(String),
    Service(anyhow::Error),
}

impl From<anyhow::Error> for Trouble {
    fn from(error: anyhow::Error) -> Self {
        Self::Service(error)
    }
}

/// What is known of the documents, or why nothing is.
pub(super) type Documents = Result<DocumentDiff, String>;

/// A comparison, and its mask as a PNG where pixels changed.
pub(super) struct Measured {
    pub(super) comparison: Comparison,
    pub(super) mask: Option<Vec<u8>>,
}

impl Measured {
    /// Stores the mask, where there is one.
    pub(super) async fn store_mask(&self, app: &App) -> anyhow::Result<Option<String>> {
        match &self.mask {
            Some(png) => Ok(Some(app.storage.put(png).await?.to_string())),
            None => Ok(None),
        }
    }
}

/// Compares the pictures. Equal files are equal pixels: then nothing is decoded, and there is nothing to tell.
pub(super) async fn compare_pictures(
    app: &App,
    baseline: &CaptureRow,
    current: &CaptureRow,
    options: CompareOptions,
) -> Result<Option<Measured>, Trouble> {
    if baseline.screenshot_blob == current.screenshot_blob {
        app.metrics.count_comparison("hash", 0);
        return Ok(None);
    }
    let began = app.clock.now_ms();
    let measured = if let Some(measured) = measure_strips(app, baseline, current, &options).await? {
        measured
    } else {
        let before = read(app, &baseline.screenshot_blob).await?;
        let after = read(app, &current.screenshot_blob).await?;
        let measured = measure(app, before, after, |png| Picture::Png(png), &options)
            .await?
            .map_err(|error| {
                Trouble::Page(format!("The captures could not be compared: {error}."))
            })?;
        for capture in [baseline, current] {
            if let Err(error) = renew_strips(app, capture).await {
                tracing::warn!(capture = %capture.id, error = format!("{error:#}"), "its stored form stays as it is");
            }
        }
        measured
    };
    let took_ms = app.clock.now_ms() - began;
    app.metrics
        .count_comparison(measured.comparison.backend.as_str(), took_ms);
    Ok(Some(measured))
}

/// Compares the DOM trees; the inner error says why they were not compared.
pub(super) async fn compare_documents(
    app: &App,
    baseline: &CaptureRow,
    current: &CaptureRow,
) -> anyhow::Result<Documents> {
    let (before, after) = match (&baseline.dom_blob, &current.dom_blob) {
        // Where the pictures differ, equal trees say something only when they can be read.
        (Some(before), Some(after))
            if before == after && baseline.screenshot_blob == current.screenshot_blob =>
        {
            return Ok(Ok(DocumentDiff::default()));
        }
        (Some(before), Some(after)) => (read(app, before).await, read(app, after).await),
        (None, _) => return Ok(Err("The baseline has no DOM tree.".to_owned())),
        (_, None) => return Ok(Err("The capture has no DOM tree.".to_owned())),
    };
    // Pixels can be compared all the same: a page is not lost with its tree.
    let (Ok(before), Ok(after)) = (before, after) else {
        tracing::warn!(baseline = %baseline.id, current = %current.id, "a stored DOM tree cannot be read; comparing pixels alone");
        return Ok(Err("A stored DOM tree cannot be read.".to_owned()));
    };
    tokio::task::spawn_blocking(move || {
        let parse = |whose: &str, json: &[u8]| {
            Document::parse(json).map_err(|error| format!("Of the {whose}: {error}"))
        };
        let before = parse("baseline", &before)?;
        Ok(pentimento_document::compare(
            &before,
            &parse("capture", &after)?,
        ))
    })
    .await
    .context("comparing documents")
}

/// Compares the stored forms of the screenshots; nothing when a capture has none that this version can read, since all
/// of it is in the PNGs as well.
async fn measure_strips(
    app: &App,
    baseline: &CaptureRow,
    current: &CaptureRow,
    options: &CompareOptions,
) -> anyhow::Result<Option<Measured>> {
    let (Some(before), Some(after)) = (&baseline.strips_blob, &current.strips_blob) else {
        return Ok(None);
    };
    let (Ok(before), Ok(after)) = (read(app, before).await, read(app, after).await) else {
        tracing::warn!(baseline = %baseline.id, current = %current.id, "a stored form of a screenshot cannot be read; comparing the PNGs");
        return Ok(None);
    };
    match measure(app, before, after, |file| Picture::Strips(file), options).await? {
        Ok(measured) => Ok(Some(measured)),
        Err(error) => {
            tracing::warn!(baseline = %baseline.id, current = %current.id, %error, "comparing the PNGs instead");
            Ok(None)
        }
    }
}

/// Makes the stored form of a screenshot again, so that the next comparison with it, a baseline's above all, need not decode
/// a PNG.
async fn renew_strips(app: &App, capture: &CaptureRow) -> anyhow::Result<()> {
    let png = read(app, &capture.screenshot_blob).await?;
    let strips = tokio::task::spawn_blocking(move || to_strips(&png))
        .await
        .context("making a stored form")??;
    let blob = app.storage.put(&strips).await?.to_string();
    let mut tx = app.db.begin().await?;
    db::captures::set_strips(&mut tx, &capture.id, &blob).await?;
    tx.commit().await?;
    Ok(())
}

async fn measure(
    app: &App,
    before: Vec<u8>,
    after: Vec<u8>,
    form: for<'a> fn(&'a [u8]) -> Picture<'a>,
    options: &CompareOptions,
) -> anyhow::Result<Result<Measured, pentimento_compute::Error>> {
    let (comparator, options) = (app.comparator.clone(), options.clone());
    tokio::task::spawn_blocking(move || {
        let comparison = comparator.compare(form(&before), form(&after), &options)?;
        let mask = (comparison.changed_pixels > 0)
            .then(|| comparison.mask.to_png())
            .transpose()?;
        Ok(Measured { comparison, mask })
    })
    .await
    .context("comparing")
}

async fn read(app: &App, blob: &str) -> anyhow::Result<Vec<u8>> {
    Ok(app.storage.get(&blob.parse::<BlobKey>()?).await?)
}
