//! Where the pieces of both captures, of the mask and of the regions lie on the sheet: with their rows aligned, or as
//! they were captured. Pure geometry; it knows no element.

use pentimento_api::comparison::{Band, Lane, Layout, Region};
use pentimento_api::picture::Picture;
use pentimento_api::result::Box as PageBox;
use pentimento_api::review::ReviewItem;

/// What the rows of a sheet are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Arrangement {
    /// The rows of both captures, which lie in the same places.
    InPlace,
    /// The rows of the canvas: each capture has gaps where only the other one has rows.
    Aligned,
    /// Each capture's own rows, though they lie in other places than the other's.
    Raw,
}

/// One of the two captures.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Side {
    Baseline,
    Current,
}

/// A rectangle of a picture and where it is shown, in captured pixels.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Piece {
    /// Where its top left corner comes from.
    pub(crate) from: (u32, u32),
    /// Where it is shown.
    pub(crate) to: (u32, u32),
    pub(crate) width: u32,
    pub(crate) rows: u32,
}

/// Rows that a capture lacks: a piece of the canvas, from nowhere.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Gap {
    pub(crate) piece: Piece,
    /// What became of the rows, in few words.
    pub(crate) caption: String,
}

impl Arrangement {
    /// How this page is shown to a reader who may want the captures as they are.
    pub(crate) fn of(item: &ReviewItem, is_raw_wanted: bool) -> Self {
        match (shifted(item), is_raw_wanted) {
            (None, _) => Self::InPlace,
            (Some(_), false) => Self::Aligned,
            (Some(_), true) => Self::Raw,
        }
    }

    pub(crate) fn as_str(self) -> &'static str {
        match self {
            Self::InPlace => "in-place",
            Self::Aligned => "aligned",
            Self::Raw => "raw",
        }
    }
}

impl Piece {
    /// The way back.
    fn turned(self) -> Self {
        Self {
            from: self.to,
            to: self.from,
            ..self
        }
    }
}

/// The layout of a page that has rows to align.
pub(crate) fn shifted(item: &ReviewItem) -> Option<&Layout> {
    let has_both = item.current.is_some() && item.baseline.is_some();
    item.layout
        .as_ref()
        .filter(|layout| has_both && !layout.is_in_place())
}

/// The capture of a side.
pub(crate) fn picture(item: &ReviewItem, side: Side) -> Option<&Picture> {
    match side {
        Side::Baseline => item.baseline.as_ref(),
        Side::Current => item.current.as_ref(),
    }
}

/// Width and height of the sheet in captured pixels.
pub(crate) fn ground(item: &ReviewItem, arrangement: Arrangement) -> (f64, f64) {
    let canvas = match arrangement {
        Arrangement::InPlace | Arrangement::Aligned => (item.compared_width, item.compared_height),
        Arrangement::Raw => (0, 0),
    };
    let (width, height) = [Side::Baseline, Side::Current]
        .into_iter()
        .filter_map(|side| picture(item, side))
        .map(|picture| (picture.width, picture.height))
        .fold(canvas, |(width, height), size| {
            (width.max(size.0), height.max(size.1))
        });
    (f64::from(width), f64::from(height))
}

/// The pieces of a side's capture.
pub(crate) fn picture_pieces(
    item: &ReviewItem,
    side: Side,
    arrangement: Arrangement,
) -> Vec<Piece> {
    match (arrangement, shifted(item), picture(item, side)) {
        (Arrangement::Aligned, Some(layout), _) => layout
            .lanes
            .iter()
            .flat_map(|lane| runs(lane, side))
            .collect(),
        (_, _, Some(picture)) => vec![whole(picture.width, picture.height)],
        (_, _, None) => Vec::new(),
    }
}

/// The pieces of the mask that lie over a side's capture.
pub(crate) fn mask_pieces(item: &ReviewItem, side: Side, arrangement: Arrangement) -> Vec<Piece> {
    match (arrangement, shifted(item)) {
        (Arrangement::Raw, Some(layout)) => layout
            .lanes
            .iter()
            .flat_map(|lane| runs(lane, side))
            .map(Piece::turned)
            .collect(),
        _ => vec![whole(item.compared_width, item.compared_height)],
    }
}

/// The gaps in a side's capture.
pub(crate) fn gaps(item: &ReviewItem, side: Side, arrangement: Arrangement) -> Vec<Gap> {
    let Some(layout) = shifted(item).filter(|_| arrangement == Arrangement::Aligned) else {
        return Vec::new();
    };
    let gap = |lane: &Lane, band: &Band| {
        Some(Gap {
            piece: Piece {
                from: (0, 0),
                to: (lane.x, band.y),
                width: lane.width,
                rows: band.rows,
            },
            caption: caption(band, side)?,
        })
    };
    layout
        .lanes
        .iter()
        .flat_map(|lane| lane.bands.iter().filter_map(move |band| gap(lane, band)))
        .collect()
}

/// Where a region is on a side; nothing where that side has none of it.
pub(crate) fn region_box(region: &Region, side: Side, arrangement: Arrangement) -> Option<PageBox> {
    match (arrangement, side) {
        (Arrangement::InPlace | Arrangement::Aligned, _) => Some(region.area),
        (Arrangement::Raw, Side::Baseline) => region.baseline_box,
        (Arrangement::Raw, Side::Current) => region.current_box,
    }
}

/// Where a place of the current capture is shown.
pub(crate) fn current_box(item: &ReviewItem, place: PageBox, arrangement: Arrangement) -> PageBox {
    match aligned_runs(item, Side::Current, place, arrangement) {
        Some(runs) => with_rows(place, &runs),
        None => place,
    }
}

/// The place of a side's capture that is shown at a place of the sheet.
pub(crate) fn own_box(
    item: &ReviewItem,
    side: Side,
    shown: PageBox,
    arrangement: Arrangement,
) -> PageBox {
    match aligned_runs(item, side, shown, arrangement) {
        Some(runs) => {
            let back: Vec<_> = runs.into_iter().map(Piece::turned).collect();
            with_rows(shown, &back)
        }
        None => shown,
    }
}

/// The pieces of a side's capture in the lane in which a box lies, by its centre; nothing where rows are shown in their own
/// places.
fn aligned_runs(
    item: &ReviewItem,
    side: Side,
    area: PageBox,
    arrangement: Arrangement,
) -> Option<Vec<Piece>> {
    let layout = shifted(item).filter(|_| arrangement == Arrangement::Aligned)?;
    let centre = area.x + area.w / 2;
    let holds = |lane: &&Lane| centre < i64::from(lane.x) + i64::from(lane.width);
    let lane = layout.lanes.iter().find(holds).or(layout.lanes.last())?;
    Some(runs(lane, side))
}

/// A box whose first and last rows are taken along by the pieces.
#[expect(
    clippy::cast_possible_truncation,
    reason = "rows of a page are far below 2⁵³"
)]
fn with_rows(place: PageBox, pieces: &[Piece]) -> PageBox {
    let row = |row: i64| follow(pieces, row as f64).round() as i64;
    let y = row(place.y);
    PageBox {
        y,
        h: row(place.y + place.h) - y,
        ..place
    }
}

/// Where to look for a region.
pub(crate) fn place(region: &Region, arrangement: Arrangement) -> PageBox {
    let on = |side| region_box(region, side, arrangement);
    on(Side::Current)
        .or(on(Side::Baseline))
        .unwrap_or(region.area)
}

/// The row of the sheet, arranged in the one way, that shows what `row` shows arranged in the other.
pub(crate) fn same_row(item: &ReviewItem, from: Arrangement, to: Arrangement, row: f64) -> f64 {
    let lane = shifted(item).and_then(|layout| layout.lanes.iter().max_by_key(|lane| lane.width));
    let Some(lane) = lane else { return row };
    let runs = runs(lane, Side::Current);
    match (from, to) {
        (Arrangement::Aligned, Arrangement::Raw) => {
            let back: Vec<_> = runs.into_iter().map(Piece::turned).collect();
            follow(&back, row)
        }
        (Arrangement::Raw, Arrangement::Aligned) => follow(&runs, row),
        _ => row,
    }
}

/// Where the pieces, from the top down, take a row; out of a gap it is the end of what stands above it.
fn follow(pieces: &[Piece], row: f64) -> f64 {
    let piece = pieces
        .iter()
        .take_while(|piece| f64::from(piece.from.1) <= row)
        .last();
    piece.map_or(0.0, |piece| {
        f64::from(piece.to.1) + (row - f64::from(piece.from.1)).min(f64::from(piece.rows))
    })
}

fn whole(width: u32, rows: u32) -> Piece {
    Piece {
        from: (0, 0),
        to: (0, 0),
        width,
        rows,
    }
}

/// From a side's capture to the canvas: bands that follow each other on both are one piece.
fn runs(lane: &Lane, side: Side) -> Vec<Piece> {
    let mut runs: Vec<Piece> = Vec::new();
    for band in &lane.bands {
        let Some(y) = own_y(band, side) else { continue };
        match runs.last_mut() {
            Some(last) if last.from.1 + last.rows == y && last.to.1 + last.rows == band.y => {
                last.rows += band.rows;
            }
            _ => runs.push(Piece {
                from: (lane.x, y),
                to: (lane.x, band.y),
                width: lane.width,
                rows: band.rows,
            }),
        }
    }
    runs
}

fn own_y(band: &Band, side: Side) -> Option<u32> {
    match side {
        Side::Baseline => band.baseline_y,
        Side::Current => band.current_y,
    }
}

/// What is written into a gap; nothing where the side has the rows, or neither has.
fn caption(band: &Band, side: Side) -> Option<String> {
    let rows = band.rows;
    match (side, band.baseline_y, band.current_y, band.moved) {
        (Side::Baseline, None, Some(_), None) => Some(format!("+{rows} px inserted")),
        (Side::Baseline, None, Some(_), Some(from)) => {
            Some(format!("{rows} px moved here from {from} px"))
        }
        (Side::Current, Some(_), None, None) => Some(format!("−{rows} px removed")),
        (Side::Current, Some(_), None, Some(to)) => Some(format!("{rows} px moved to {to} px")),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn band(y: u32, rows: u32, baseline_y: Option<u32>, current_y: Option<u32>) -> Band {
        Band {
            y,
            rows,
            baseline_y,
            current_y,
            moved: None,
        }
    }

    /// 120 rows, 40 inserted, 100, 30 removed, 500.
    fn lane() -> Lane {
        Lane {
            x: 8,
            width: 100,
            bands: vec![
                band(0, 120, Some(0), Some(0)),
                band(120, 40, None, Some(120)),
                band(160, 100, Some(120), Some(160)),
                band(260, 30, Some(220), None),
                band(290, 500, Some(250), Some(260)),
            ],
        }
    }

    fn piece(from: u32, to: u32, rows: u32) -> Piece {
        Piece {
            from: (8, from),
            to: (8, to),
            width: 100,
            rows,
        }
    }

    #[test]
    fn bands_without_a_gap_between_them_are_one_piece() {
        assert_eq!(
            runs(&lane(), Side::Baseline),
            [piece(0, 0, 120), piece(120, 160, 630)]
        );
        assert_eq!(
            runs(&lane(), Side::Current),
            [piece(0, 0, 260), piece(260, 290, 500)]
        );
    }

    #[test]
    fn the_row_that_is_looked_at_is_found_again() {
        let runs = runs(&lane(), Side::Current);
        let canvas_to_capture: Vec<_> = runs.iter().copied().map(Piece::turned).collect();
        for (canvas, capture) in [(130.0, 130.0), (300.0, 270.0)] {
            assert!((follow(&canvas_to_capture, canvas) - capture).abs() < f64::EPSILON);
            assert!((follow(&runs, capture) - canvas).abs() < f64::EPSILON);
        }
        let in_gap = follow(&canvas_to_capture, 285.0);
        assert!((in_gap - 260.0).abs() < f64::EPSILON, "{in_gap}");
    }

    #[test]
    fn gaps_say_what_became_of_their_rows() {
        let captions = |side| -> Vec<String> {
            lane()
                .bands
                .iter()
                .filter_map(|band| caption(band, side))
                .collect()
        };
        assert_eq!(captions(Side::Baseline), ["+40 px inserted"]);
        assert_eq!(captions(Side::Current), ["−30 px removed"]);
        let moved = Band {
            moved: Some(700),
            ..band(0, 30, Some(0), None)
        };
        assert_eq!(
            caption(&moved, Side::Current).unwrap(),
            "30 px moved to 700 px"
        );
    }
}
