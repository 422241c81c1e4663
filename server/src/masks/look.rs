//! What a mask would leave of one result's change.

use std::time::Duration;

use anyhow::Context;
use pentimento_compute::{BitMask, Layout, Rect, Size, count_uncovered};
use pentimento_document::{Area, Document, Selector};

use crate::app::App;
use crate::comparison::StoredComparison;
use crate::db::results::ResultRow;
use crate::turn::{Turn, in_turn};
use crate::verdict;

/// Pixels by which what changed may stick out of an element: rectangles are rounded.
const TOLERANCE_PX: i64 = 2;

/// Longest wait for what storage has of a result: for its documents, and then for its mask.
const PATIENCE: Duration = Duration::from_secs(5);

/// Both documents of a result.
pub(super) struct Documents {
    pub(super) baseline: Document,
    pub(super) current: Document,
}

/// What a mask does to one result.
#[derive(Default)]
pub(super) struct Look {
    pub(super) matched: bool,
    pub(super) settled: bool,
}

pub(super) async fn look(
    app: &App,
    row: &ResultRow,
    selector: &Selector,
    turn: &Turn,
) -> anyhow::Result<Look> {
    let Some(documents) = read_documents(app, row, turn).await? else {
        return Ok(Look::default());
    };
    let pictures = read_pictures(app, row).await?;
    let look = try_out(documents, selector.clone(), pictures, turn).await?;
    // Of pictures that were not compared nobody knows what a mask leaves.
    let is_known = row.visual_match_score.is_some();
    Ok(Look {
        settled: look.settled && is_known,
        ..look
    })
}

async fn try_out(
    documents: Documents,
    selector: Selector,
    pictures: Option<Pictures>,
    turn: &Turn,
) -> anyhow::Result<Look> {
    let look = move || documents.look(&selector, pictures.as_ref());
    in_turn(Some(turn.clone()), look)
        .await
        .context("trying out a mask")?
}

/// Both documents of a result; nothing where one is lacking, lost or damaged.
pub(super) async fn read_documents(
    app: &App,
    row: &ResultRow,
    turn: &Turn,
) -> anyhow::Result<Option<Documents>> {
    let (Some(baseline), Some(current)) = (&row.baseline_dom_blob, &row.current_dom_blob) else {
        return Ok(None);
    };
    let read = async |blob: &str| match app.storage.get_soon(blob, PATIENCE).await {
        Ok(tree) => Ok(Some(tree)),
        Err(error) if error.may_pass() => Err(error),
        Err(_) => Ok(None),
    };
    match tokio::try_join!(read(baseline), read(current)).context("reading documents")? {
        (Some(baseline), Some(current)) => parse(baseline, current, turn).await,
        _ => Ok(None),
    }
}

async fn parse(
    baseline: Vec<u8>,
    current: Vec<u8>,
    turn: &Turn,
) -> anyhow::Result<Option<Documents>> {
    let parse = move || {
        let baseline = Document::parse(&baseline).ok()?;
        let current = Document::parse(&current).ok()?;
        Some(Documents { baseline, current })
    };
    in_turn(Some(turn.clone()), parse)
        .await
        .context("reading documents")
}

impl Documents {
    /// What the mask does to them and, if there is one, to the comparison of their pictures.
    fn look(&self, selector: &Selector, pictures: Option<&Pictures>) -> anyhow::Result<Look> {
        let hidden = [&self.baseline, &self.current].map(|page| page.places_of(selector));
        if hidden.iter().all(Vec::is_empty) {
            return Ok(Look::default());
        }
        if let Some(pictures) = pictures {
            let [before, now] =
                hidden.map(|places| places.into_iter().map(grown).collect::<Vec<_>>());
            let left = match &pictures.mask {
                Some(mask) => {
                    let mask = BitMask::from_png(mask)?;
                    count_uncovered(&mask, &pictures.layout, [&before, &now])
                }
                // Where they are is not kept of pixels that differ in the smoothing of edges alone.
                None => pictures.anti_aliased_pixels,
            };
            if left > 0 {
                return Ok(Look {
                    matched: true,
                    settled: false,
                });
            }
        }
        let [before, now] = [&self.baseline, &self.current].map(|page| page.with_masked(selector));
        let diff = pentimento_document::compare(&before, &now);
        // A tint too pale for the threshold is a change, too, where no pixel is beyond it.
        let has_mask = pictures.is_some_and(|pictures| pictures.mask.is_some());
        let is_tinted = !has_mask && diff.findings.iter().any(|finding| finding.tint.is_some());
        Ok(Look {
            matched: true,
            settled: !verdict::document_changed(&diff) && !is_tinted,
        })
    }
}

/// What is kept of the comparison of two pictures.
struct Pictures {
    /// The mask PNG; none where no pixel is beyond the threshold.
    mask: Option<Vec<u8>>,
    layout: Layout,
    anti_aliased_pixels: u64,
}

/// What is kept of a result's pictures; nothing when they were not compared.
async fn read_pictures(app: &App, row: &ResultRow) -> anyhow::Result<Option<Pictures>> {
    let Some(json) = row.comparison.as_deref() else {
        return Ok(None);
    };
    let stored = StoredComparison::from_json(json).context("a stored comparison")?;
    let canvas = Size {
        width: stored.width,
        height: stored.height,
    };
    let mask = match &row.mask_blob {
        Some(mask) => Some(app.storage.get_soon(mask, PATIENCE).await?),
        None => None,
    };
    Ok(Some(Pictures {
        mask,
        layout: stored.drawn_layout(canvas, canvas),
        anti_aliased_pixels: stored.anti_aliased_pixels,
    }))
}

/// The place of an element in a picture, a little larger.
fn grown(place: Area) -> Rect {
    let (x, y) = (
        pixels(place.x - TOLERANCE_PX),
        pixels(place.y - TOLERANCE_PX),
    );
    Rect {
        x,
        y,
        width: pixels(place.x + place.w + TOLERANCE_PX).saturating_sub(x),
        height: pixels(place.y + place.h + TOLERANCE_PX).saturating_sub(y),
    }
}

/// A place or an extent as pictures have it.
pub(super) fn pixels(extent: i64) -> u32 {
    u32::try_from(extent.max(0)).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::turn::tests::keeps_its_turn;

    const PAGE: &[u8] = br#"{"tagName":"body"}"#;

    #[test]
    fn reading_documents_keeps_its_turn_when_nobody_waits_any_more() {
        let page = || PAGE.to_vec();
        keeps_its_turn(|turn| async move { parse(page(), page(), &turn).await });
    }

    #[test]
    fn trying_out_a_mask_keeps_its_turn_when_nobody_waits_any_more() {
        let documents = Documents {
            baseline: Document::parse(PAGE).unwrap(),
            current: Document::parse(PAGE).unwrap(),
        };
        let selector = Selector::parse("p").unwrap();
        keeps_its_turn(|turn| async move { try_out(documents, selector, None, &turn).await });
    }

    #[test]
    fn places_stay_within_what_pictures_can_have() {
        let place = |x, y, w, h| grown(Area { x, y, w, h });
        let rect = |x, y, width, height| Rect {
            x,
            y,
            width,
            height,
        };
        assert_eq!(place(10, 20, 30, 40), rect(8, 18, 34, 44));
        assert_eq!(place(-10, 1, 30, 0), rect(0, 0, 22, 3));
        assert_eq!(place(-50, 0, 30, 10), rect(0, 0, 0, 12));
    }
}
