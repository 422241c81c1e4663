//! Pictures that are drawn when somebody asks for them.
//!
//! At most `AppState::drawings` are drawn at once: each holds pictures as pixels. A drawing that has begun goes on when its
//! caller hangs up or waits no longer, keeps its place as long, and what is to be kept is kept.

use std::future::Future;
use std::time::Duration;

use anyhow::anyhow;
use pentimento_compute::{self as compute, BitMask, Drawing, Rect, Size, crop, render_diff};

use super::{find, gone, not_readable, read};
use crate::app::App;
use crate::comparison::StoredComparison;
use crate::db;
use crate::db::captures::CaptureRow;
use crate::error::Result;
use crate::stored_form::{self, Pictures, ScreenshotError};

/// Longest wait for a picture: for a place, for what storage has of the captures, and for the drawing.
const PATIENCE: Duration = Duration::from_mins(1);

/// The annotated diff image of a result. It is drawn when somebody first asks for it, and kept.
pub(super) async fn annotated(app: &App, result_id: &str) -> Result<Vec<u8>> {
    let (drawing, id) = (app.clone(), result_id.to_owned());
    in_turn(app, async move { draw_annotated(&drawing, &id).await }).await
}

/// An area of a capture, scaled down to `most` where it is larger.
pub(in crate::routes) async fn cut_out(
    app: &App,
    capture: CaptureRow,
    area: Rect,
    most: Size,
) -> Result<Vec<u8>> {
    let cutting = app.clone();
    let cut = async move {
        draw(&cutting, [&capture], move |pictures| {
            let [picture] = pictures.each();
            crop(picture, area, most)
        })
        .await
    };
    in_turn(app, cut).await
}

/// Waits for a place, then draws to the end, whether or not somebody waits for it as long.
async fn in_turn(
    app: &App,
    work: impl Future<Output = Result<Vec<u8>>> + Send + 'static,
) -> Result<Vec<u8>> {
    let places = app.drawings.clone();
    let drawing = async {
        let place = places.acquire_owned().await.map_err(anyhow::Error::from)?;
        let drawing = tokio::spawn(async move {
            let drawn = work.await;
            drop(place);
            drawn
        });
        drawing.await.map_err(anyhow::Error::from)?
    };
    let drawn = tokio::time::timeout(PATIENCE, drawing).await;
    drawn.unwrap_or_else(|_| Err(anyhow!("a picture was not drawn within {PATIENCE:?}").into()))
}

async fn draw_annotated(app: &App, id: &str) -> Result<Vec<u8>> {
    // Whoever waited may find it drawn.
    let row = find(app, id).await?;
    if let Some(diff) = &row.diff_blob {
        return read(app, diff).await;
    }
    let ids = row.baseline_capture_id.zip(row.current_capture_id);
    let (baseline, current) = ids.ok_or_else(gone)?;
    let captures = {
        let mut db = app.db.read().await?;
        [
            db::captures::get_capture(&mut db, &baseline).await?,
            db::captures::get_capture(&mut db, &current).await?,
        ]
    };
    let mask = read(app, &row.mask_blob.ok_or_else(gone)?).await?;
    let facts: StoredComparison = match &row.comparison {
        Some(json) => StoredComparison::from_json(json).map_err(anyhow::Error::from)?,
        None => StoredComparison::default(),
    };
    let [before, after] = captures.each_ref().map(size_of);
    let (layout, regions) = (facts.drawn_layout(before, after), facts.drawn_regions());
    let drawn = draw(app, captures.each_ref(), move |pictures| {
        let mask = BitMask::from_png(&mask)?;
        let [before, after] = pictures.each();
        render_diff(before, after, &layout, &mask, &regions, Drawing::SideBySide)
    })
    .await?;
    let key = app.storage.put(&drawn).await.map_err(anyhow::Error::from)?;
    let mut tx = app.db.begin().await?;
    db::results::set_diff_blob(&mut tx, &row.id, key.as_str(), app.clock.now_ms()).await?;
    tx.commit().await?;
    Ok(drawn)
}

async fn draw<const N: usize>(
    app: &App,
    captures: [&CaptureRow; N],
    draw: impl Fn(&Pictures<N>) -> std::result::Result<Vec<u8>, compute::Error> + Clone + Send + 'static,
) -> Result<Vec<u8>> {
    let draw = move |pictures| draw(&pictures);
    let worked = stored_form::work_on(app, captures, draw).await;
    let drawn = worked.map_err(|error| match error.downcast::<ScreenshotError>() {
        Ok(screenshot) => not_readable(screenshot.error),
        Err(other) => other.into(),
    })?;
    Ok(drawn.done.map_err(anyhow::Error::from)?)
}

fn size_of(capture: &CaptureRow) -> Size {
    let pixels = |extent: i64| u32::try_from(extent).unwrap_or_default();
    Size {
        width: pixels(capture.width),
        height: pixels(capture.height),
    }
}
