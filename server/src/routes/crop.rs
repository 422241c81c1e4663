//! Pictures of changed regions, cut out of captures when somebody looks at them.

use axum::extract::State;
use axum::http::{HeaderValue, Uri};
use axum::response::Response;
use pentimento_api::error::ErrorBody;
use pentimento_api::result::Box as PageBox;
use pentimento_compute::{Rect, Size};

use super::blob::drawn::cut_out;
use super::blob::{check, content_response, find, gone};
use crate::app::App;
use crate::comparison::StoredComparison;
use crate::db;
use crate::error::Result;
use crate::extract::{PathParts, Query};
use crate::jobs::links::CropSide;
use crate::storage::links::Signature;

/// What of a page is shown around a region, in pixels: a word or a button is hard to place by itself.
const MARGIN_PX: i64 = 24;

/// Least that is shown of a page, in pixels.
const LEAST_PX: (i64, i64) = (240, 160);

/// Extent of the pictures in pixels; what is larger is scaled down.
const MOST: Size = Size {
    width: 480,
    height: 360,
};

/// Fetch a changed region of a result, with some of what is around it, as it looks in one of its captures.
#[utoipa::path(
    get, path = "/crop/{resultId}/{region}", tag = "links", security(()),
    params(
        ("resultId" = pentimento_api::ids::ResultId, Path, description = "The result"),
        ("region" = String, Path, description = "The region's letter, a hyphen, and `baseline` or `current`"),
        ("exp" = i64, Query, description = "When the link ends, in seconds since 1970"),
        ("sig" = String, Query, description = "The signature"),
    ),
    responses(
        (status = 200, description = "The picture, at most 480 pixels wide and 360 high", content_type = "image/png"),
        (status = 400, description = "`invalid_input`: the link was cut short", body = ErrorBody),
        (status = 403, description = "`forbidden`: the link has expired or was changed", body = ErrorBody),
        (status = 404, description = "`not_found`", body = ErrorBody),
    )
)]
pub(super) async fn get_crop(
    State(app): State<App>,
    uri: Uri,
    PathParts(id, region): PathParts,
    Query(signature): Query<Signature>,
) -> Result<Response> {
    check(&app, &uri, &signature)?;
    let (label, side) = region.split_once('-').ok_or_else(gone)?;
    let side = CropSide::named(side).ok_or_else(gone)?;
    let row = find(&app, &id).await?;
    let stored = row.comparison.as_deref().ok_or_else(gone)?;
    let stored = StoredComparison::from_json(stored).map_err(anyhow::Error::from)?;
    let mut regions = stored.regions.into_iter();
    let region = regions
        .find(|region| region.label == label)
        .ok_or_else(gone)?;
    let (place, capture) = match side {
        CropSide::Baseline => (region.baseline_box, row.baseline_capture_id),
        CropSide::Current => (region.current_box, row.current_capture_id),
    };
    let (place, capture) = place.zip(capture).ok_or_else(gone)?;
    let capture = db::captures::get_capture(&mut *app.db.read().await?, &capture).await?;
    let area = around(place, (capture.width, capture.height));
    let png = cut_out(&app, capture, area, MOST).await?;
    Ok(content_response(png, HeaderValue::from_static("image/png")))
}

/// The part of a page of some width and height that shows a place.
fn around(place: PageBox, page: (i64, i64)) -> Rect {
    let along = |start: i64, extent: i64, least: i64, page: i64| {
        let margin = MARGIN_PX.max((least - extent) / 2);
        let shown = (extent + 2 * margin).min(page);
        // A place at the edge of the page is not in the middle of what is shown.
        let first = (start - margin).clamp(0, page - shown);
        (first, shown)
    };
    let (x, width) = along(place.x, place.w, LEAST_PX.0, page.0);
    let (y, height) = along(place.y, place.h, LEAST_PX.1, page.1);
    let pixels = |value: i64| u32::try_from(value).unwrap_or(0);
    Rect {
        x: pixels(x),
        y: pixels(y),
        width: pixels(width),
        height: pixels(height),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_is_shown_with_what_is_around_it_as_far_as_the_page_goes() {
        let shown = |x: i64, y: i64, w: i64, h: i64, page| {
            let area = around(PageBox { x, y, w, h }, page);
            (area.x, area.y, area.width, area.height)
        };
        let page = (1280, 9000);
        assert_eq!(shown(600, 5000, 300, 200, page), (576, 4976, 348, 248));
        assert_eq!(shown(600, 5000, 10, 10, page), (485, 4925, 240, 160));
        assert_eq!(shown(0, 0, 10, 10, page), (0, 0, 240, 160));
        assert_eq!(shown(1270, 8990, 10, 10, page), (1040, 8840, 240, 160));
        assert_eq!(shown(0, 400, 1280, 30, page), (0, 335, 1280, 160));
        assert_eq!(shown(3, 3, 4, 4, (20, 10)), (0, 0, 20, 10));
    }
}
