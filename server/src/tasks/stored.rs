//! From what was captured, by a browser of ours or by a client, to stored captures that can be compared.

use anyhow::Context;
use pentimento_api::capture::CaptureReport;
use pentimento_compute::{Picture, Size, read_size, thumbnail, to_strips};
use sqlx::AnyConnection;
use uuid::Uuid;

use crate::app::App;
use crate::db;
use crate::db::captures::CaptureRow;
use crate::db::results::ResultRow;
use crate::gate::Side;
use crate::storage;

/// Extent of thumbnails in pixels.
const THUMBNAIL_WIDTH: u32 = 360;
const THUMBNAIL_HEIGHT: u32 = 480;

/// What is kept of a screenshot beside it.
pub(super) enum Forms {
    /// Made from it just now.
    Made {
        size: Size,
        thumbnail: Vec<u8>,
        /// For comparing: decoding a PNG takes longer than comparing it.
        strips: Vec<u8>,
    },
    /// A capture has the same screenshot, to the byte, and these.
    Stored(StoredForms),
}

/// Forms whose blobs are there.
#[derive(Clone)]
pub(super) struct StoredForms {
    width: i64,
    height: i64,
    thumbnail_blob: String,
    strips_blob: String,
    /// The capture's document, and its saved page.
    dom_blob: Option<String>,
    page_blob: Option<String>,
}

impl StoredForms {
    /// The page saved with the very same screenshot and document. A browser writes another file each time, of which nobody
    /// would learn anything new.
    fn saved_page(&self, dom_blob: &str) -> Option<&String> {
        let is_same = self.dom_blob.as_deref() == Some(dom_blob);
        self.page_blob.as_ref().filter(|_| is_same)
    }
}

impl Forms {
    /// Decodes the screenshot whole; it takes a processor for a while.
    pub(super) fn of(screenshot: &[u8]) -> Result<Self, pentimento_compute::Error> {
        let strips = to_strips(screenshot)?;
        let shown = Picture::strips(&strips);
        Ok(Self::Made {
            size: read_size(screenshot)?,
            thumbnail: thumbnail(shown, THUMBNAIL_WIDTH, THUMBNAIL_HEIGHT)?,
            strips,
        })
    }

    /// Those of the result's baseline or its first capture, where that shows the same: of most pages nothing changed, and
    /// what is equal is not decoded again.
    pub(super) async fn stored(
        app: &App,
        result: &ResultRow,
        screenshot: &[u8],
    ) -> anyhow::Result<Option<Self>> {
        let captures = [&result.current_capture_id, &result.baseline_capture_id];
        let mut known = captures.into_iter().flatten().peekable();
        if known.peek().is_none() {
            return Ok(None);
        }
        // Before a connection is taken: a long screenshot's name takes a while.
        let key = storage::name(screenshot).to_string();
        let mut db = app.db.read().await?;
        for id in known {
            let capture = db::captures::get_capture(&mut db, id).await?;
            if let (true, Some(strips_blob)) = (capture.screenshot_blob == key, capture.strips_blob)
            {
                return Ok(Some(Self::Stored(StoredForms {
                    width: capture.width,
                    height: capture.height,
                    thumbnail_blob: capture.thumbnail_blob,
                    strips_blob,
                    dom_blob: capture.dom_blob,
                    page_blob: capture.page_blob,
                })));
            }
        }
        Ok(None)
    }
}

/// The parts of a capture.
pub(super) struct Parts<'a> {
    pub(super) url: &'a str,
    pub(super) screenshot: &'a [u8],
    pub(super) forms: &'a Forms,
    pub(super) dom: &'a [u8],
    pub(super) saved_page: Option<&'a [u8]>,
    /// What made it.
    pub(super) browser: String,
    /// How it was made, where a browser of ours did.
    pub(super) report: Option<CaptureReport>,
}

/// Stores a capture's blobs; the row is the caller's to insert.
pub(super) async fn store(
    app: &App,
    result: &ResultRow,
    parts: Parts<'_>,
) -> anyhow::Result<CaptureRow> {
    let store = async |content: &[u8]| {
        app.storage
            .put(content)
            .await
            .context("storing a capture")
            .map(|key| key.to_string())
    };
    let store_document = async {
        let dom = store(parts.dom).await?;
        let known = match parts.forms {
            Forms::Stored(forms) => forms.saved_page(&dom).cloned(),
            Forms::Made { .. } => None,
        };
        let page = match parts.saved_page {
            Some(page) if known.is_none() => Some(store(page).await?),
            saved => known.filter(|_| saved.is_some()),
        };
        Ok((dom, page))
    };
    let store_forms = async {
        Ok(match parts.forms {
            Forms::Stored(forms) => forms.clone(),
            Forms::Made {
                size,
                thumbnail,
                strips,
            } => {
                let (thumbnail_blob, strips_blob) =
                    futures::try_join!(store(thumbnail), store(strips))?;
                StoredForms {
                    width: i64::from(size.width),
                    height: i64::from(size.height),
                    thumbnail_blob,
                    strips_blob,
                    dom_blob: None,
                    page_blob: None,
                }
            }
        })
    };
    // At once: a bucket answers late, but many.
    let (screenshot, forms, (dom, page)) =
        futures::try_join!(store(parts.screenshot), store_forms, store_document)?;
    Ok(CaptureRow {
        id: Uuid::now_v7().to_string(),
        organization_id: result.organization_id.clone(),
        url: parts.url.to_owned(),
        screenshot_blob: screenshot,
        strips_blob: Some(forms.strips_blob),
        thumbnail_blob: forms.thumbnail_blob,
        width: forms.width,
        height: forms.height,
        dom_blob: Some(dom),
        page_blob: page,
        browser: parts.browser,
        truncated: i64::from(
            (parts.report.as_ref()).is_some_and(|report| report.truncated_from.is_some()),
        ),
        report: (parts.report.as_ref())
            .map(serde_json::to_string)
            .transpose()
            .context("a capture's report")?,
        captured_at_ms: app.clock.now_ms(),
    })
}

/// A stored capture, and of which side it is.
pub(super) struct Taken {
    pub(super) side: Side,
    pub(super) capture: CaptureRow,
}

/// Hands a result on to comparing with its capture and, in a live job, what it is compared with. False when another
/// worker took the lease over; then its capture counts.
pub(super) async fn hand_on(
    app: &App,
    result: &ResultRow,
    taken: &[Taken],
) -> anyhow::Result<bool> {
    let id_of = |side: Side| {
        let mut of_side = taken.iter().filter(|taken| taken.side == side);
        of_side.next().map(|taken| taken.capture.id.as_str())
    };
    let current = id_of(Side::Test).context("a capture of the test origin")?;
    let mut tx = app.db.begin().await?;
    insert(&mut tx, result, taken).await?;
    let handed = db::results::work::set_captured(
        &mut tx,
        &result.id,
        &app.worker_id,
        current,
        id_of(Side::Base),
    )
    .await?;
    if handed {
        tx.commit().await?;
        app.comparisons_due.notify_one();
    }
    Ok(handed)
}

/// Hands a result back to comparing with the captures that were taken again, or why there are none. False when another
/// worker took the lease over.
pub(super) async fn hand_back(
    app: &App,
    result: &ResultRow,
    taken: Result<&[Taken], &str>,
) -> anyhow::Result<bool> {
    let mut tx = app.db.begin().await?;
    insert(&mut tx, result, taken.unwrap_or_default()).await?;
    let handed =
        db::results::agreement::set_recaptured(&mut tx, &result.id, &app.worker_id, taken.err())
            .await?;
    if handed {
        tx.commit().await?;
        app.comparisons_due.notify_one();
    }
    Ok(handed)
}

/// Inserts captures, and that they were taken for this result.
async fn insert(tx: &mut AnyConnection, result: &ResultRow, taken: &[Taken]) -> sqlx::Result<()> {
    for Taken { side, capture } in taken {
        db::captures::insert_capture(&mut *tx, capture).await?;
        // What a client uploaded is taken as it came.
        if result.stage == "capture" {
            db::takes::insert_take(&mut *tx, &result.id, side.as_str(), &capture.id).await?;
        }
    }
    Ok(())
}
