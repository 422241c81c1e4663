//! Measuring how two captures differ, in their pixels and in their documents.

use std::time::{Duration, Instant};

use anyhow::Context;
use pentimento_compute::{CompareOptions, Comparison, MAX_PIXELS, OwnedPair, Size};
use pentimento_document::{Document, DocumentDiff, Unreadable};

use crate::app::App;
use crate::capture::is_stand_in;
use crate::db::captures::CaptureRow;
use crate::stored_form::{self, Pictures, ScreenshotError, Worked};

/// What stops a comparison.
pub(super) enum Trouble {
    /// The page's own: its sentence becomes the result's.
    Page(String),
    /// A screenshot is lost or damaged in storage: another try finds the same.
    Screenshot {
        /// Whose.
        capture_id: String,
    },
    /// The service's, which may pass.
    Service(anyhow::Error),
}

impl From<anyhow::Error> for Trouble {
    fn from(error: anyhow::Error) -> Self {
        Self::Service(error)
    }
}

impl From<sqlx::Error> for Trouble {
    fn from(error: sqlx::Error) -> Self {
        Self::Service(error.into())
    }
}

impl Trouble {
    /// What kept pictures from being worked on.
    fn of_pictures(error: anyhow::Error) -> Self {
        match error.downcast::<ScreenshotError>() {
            Ok(screenshot) if !screenshot.error.may_pass() => {
                tracing::error!(error = %screenshot, "a screenshot is lost; its page is not compared");
                Self::Screenshot {
                    capture_id: screenshot.capture_id,
                }
            }
            Ok(screenshot) => Self::Service(screenshot.into()),
            Err(other) => Self::Service(other),
        }
    }
}

/// What is known of the documents, or why nothing is.
pub(super) type Documents = Result<DocumentDiff, String>;

/// How the pictures of two captures differ.
pub(super) enum Measurement {
    /// Their files are equal: nothing was decoded, and there is nothing to tell.
    EqualFiles,
    /// As was measured.
    Measured(Box<Measured>),
    /// The page of both has more pixels than are compared. Each of them has fewer, so that one is wider than the other: what only
    /// that one covers counts as changed.
    TooLarge {
        /// Of the baseline.
        baseline: Size,
        /// Of the capture.
        current: Size,
    },
}

impl Measurement {
    /// What was measured.
    pub(super) fn measured(&self) -> Option<&Measured> {
        match self {
            Self::Measured(measured) => Some(measured),
            Self::EqualFiles | Self::TooLarge { .. } => None,
        }
    }
}

/// The size of a capture's picture.
pub(super) fn size_of(capture: &CaptureRow) -> anyhow::Result<Size> {
    Ok(Size {
        width: u32::try_from(capture.width)?,
        height: u32::try_from(capture.height)?,
    })
}

/// The page of two pictures: as wide as the wider, and as tall as the taller one.
pub(super) fn page_of(baseline: Size, current: Size) -> Size {
    Size {
        width: baseline.width.max(current.width),
        height: baseline.height.max(current.height),
    }
}

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

/// Compares the pictures. Equal files are equal pixels.
pub(super) async fn compare_pictures(
    app: &App,
    baseline: &CaptureRow,
    current: &CaptureRow,
    options: CompareOptions,
) -> Result<Measurement, Trouble> {
    if baseline.screenshot_blob == current.screenshot_blob {
        app.metrics.count_comparison("hash", Duration::ZERO);
        return Ok(Measurement::EqualFiles);
    }
    let sizes = [size_of(baseline)?, size_of(current)?];
    if page_of(sizes[0], sizes[1]).pixels() > MAX_PIXELS {
        let [baseline, current] = sizes;
        return Ok(Measurement::TooLarge { baseline, current });
    }
    let comparator = app.comparator.clone();
    let compare = move |pictures: Pictures<2>| {
        let [baseline, current] = pictures.files;
        let began = Instant::now();
        let comparison = comparator.compare_together(&OwnedPair {
            baseline,
            current,
            form: pictures.form,
            options: options.clone(),
        })?;
        let took = began.elapsed();
        let mask = (comparison.changed_pixels > 0)
            .then(|| comparison.mask.to_png())
            .transpose()?;
        Ok((Measured { comparison, mask }, took))
    };
    let Worked { done, lacking } = stored_form::work_on(app, [baseline, current], compare)
        .await
        .map_err(Trouble::of_pictures)?;
    let (measured, took) = done
        .map_err(|error| Trouble::Page(format!("The captures could not be compared: {error}.")))?;
    app.metrics
        .count_comparison(measured.comparison.backend.as_str(), took);
    for capture in lacking {
        if let Err(error) = stored_form::make(app, capture).await {
            tracing::warn!(capture = %capture.id, error = format!("{error:#}"), "it stays without a stored form");
        }
    }
    Ok(Measurement::Measured(Box::new(measured)))
}

/// What a result says whose pictures alone could be compared.
const UNREADABLE: &str = "A stored DOM tree cannot be read.";

/// A stored tree; none where it is lost or damaged. Pixels can be compared all the same: a page is not lost with its tree. Any other
/// failure may pass, and would hide what changed in the document: it is the service's.
async fn stored_tree(
    app: &App,
    capture: &CaptureRow,
    blob: &str,
) -> anyhow::Result<Option<Vec<u8>>> {
    match app.storage.get_named(blob).await {
        Ok(tree) => Ok(Some(tree)),
        Err(error) if error.may_pass() => Err(error).context("reading a stored DOM tree"),
        Err(error) => {
            tracing::warn!(capture = %capture.id, %error, "a stored DOM tree cannot be read; comparing pixels alone");
            Ok(None)
        }
    }
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
            return Ok(match app.storage.get_named(after).await {
                // What stands in for a tree is small; any other that is the same needs no reading.
                Ok(tree) if is_stand_in(&tree) => {
                    Err(format!("Of the capture: {}", Unreadable::TooLarge))
                }
                Err(error) if error.may_pass() => {
                    return Err(error).context("reading a stored DOM tree");
                }
                _ => Ok(DocumentDiff::default()),
            });
        }
        (Some(before), Some(after)) => (
            stored_tree(app, baseline, before).await?,
            stored_tree(app, current, after).await?,
        ),
        (None, _) => return Ok(Err("The baseline has no DOM tree.".to_owned())),
        (_, None) => return Ok(Err("The capture has no DOM tree.".to_owned())),
    };
    let (Some(before), Some(after)) = (before, after) else {
        return Ok(Err(UNREADABLE.to_owned()));
    };
    tokio::task::spawn_blocking(move || {
        let parse = |whose: &str, json: &[u8]| {
            let read = if is_stand_in(json) {
                Err(Unreadable::TooLarge)
            } else {
                Document::parse(json)
            };
            read.map_err(|error| format!("Of the {whose}: {error}"))
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
