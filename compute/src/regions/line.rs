//! Lines that one picture lacks: what lies in a row or two between rows of ground.
//!
//! What moves by a part of a pixel is rounded anew, and a box comes to be a row taller or shorter. Such a row repeats the one
//! above or below it, or is a mixture of both, as the edge of something is that ends within a pixel. A rule that was drawn, or
//! is gone, is neither: it has a colour of its own.

use std::ops::Range;

use crate::geometry::Rect;
use crate::pair::{OneSided, Pair, Side};
use crate::raster::Raster;
use crate::raster::row::Row;

use super::kind::are_ground;

/// Rows that are looked at at most: of more of them rounding makes none.
pub(super) const MAX_ROWS: u32 = 2;

/// Pixels of a line at least: a dash in a text is shorter.
const MIN_PX: usize = 24;

/// Pixels of ground between the dashes of a line at most.
const GAP_PX: u32 = 4;

/// Levels of a channel, of 255, by which a pixel is off at most that has no colour of its own.
const OWN_LEVELS: u8 = 8;

/// Rows of the other picture, above the place of what it lacks and below it, in which a line may lie that it does not lack.
const BESIDE_ROWS: u32 = 2;

/// The rows that only this side has, in its picture; nothing for columns beyond the narrower picture, whose rows both have.
pub(super) fn own_rows<'p, 'a>(
    pair: &'p Pair<'a>,
    side: Side,
    places: (Option<Rect>, Option<Rect>),
) -> Option<(&'p Raster<'a>, Rect)> {
    match (side, places) {
        (Side::Baseline, (Some(own), None)) => Some((&pair.baseline, own)),
        (Side::Current, (None, Some(own))) => Some((&pair.current, own)),
        _ => None,
    }
}

/// The columns of the longest line in an area that only one picture has; `places` says where that lies in the baseline and in
/// the current picture.
pub(super) fn longest(
    pair: &Pair<'_>,
    lone: OneSided,
    places: (Option<Rect>, Option<Rect>),
) -> Option<Range<u32>> {
    let (raster, own) = own_rows(pair, lone.side, places)?;
    if own.height > MAX_ROWS || lone.way.is_some() {
        return None;
    }
    // The height of a page is rounded up, so what shows in its last row may be what lies behind it.
    let below = raster.row_at(own.bottom().into())?;
    let above = own.y.checked_sub(1).map_or(below, |y| raster.row(y));
    let mut lines = Vec::new();
    for (y, on_canvas) in (own.y..own.bottom()).zip(lone.area.y..) {
        let row = raster.row(y);
        for columns in pair.counted_along(on_canvas, lone.area.x..lone.area.right()) {
            let found = lines_in(row, [above, below], columns).into_iter();
            lines.extend(found.filter(|line| !is_shown_beside(pair, lone, row, line)));
        }
    }
    lines.into_iter().max_by_key(ExactSizeIterator::len)
}

/// Where a row has, for long enough, colours of its own between rows of ground.
fn lines_in(row: Row<'_>, around: [Row<'_>; 2], columns: Range<u32>) -> Vec<Range<u32>> {
    let is_on_ground = |x: u32| {
        let left = x.saturating_sub(1);
        (around.iter()).all(|beside| are_ground(beside.seen(left), beside.seen(x)))
    };
    let is_own = |x: u32| !is_mixture(row.seen(x), around.map(|beside| beside.seen(x)));
    let mut lines: Vec<Range<u32>> = Vec::new();
    let mut goes_on = false;
    for x in columns {
        let on_ground = is_on_ground(x);
        goes_on &= on_ground;
        if !on_ground || !is_own(x) {
            continue;
        }
        match lines.last_mut() {
            Some(last) if goes_on && x - last.end <= GAP_PX => last.end = x + 1,
            _ => lines.push(x..x + 1),
        }
        goes_on = true;
    }
    lines.retain(|line| line.len() >= MIN_PX);
    lines
}

/// Whether rows of a picture are mixtures of the ones above and below them, pixel for pixel, in these columns.
pub(super) fn repeats(raster: &Raster<'_>, rows: Range<u32>, columns: &[Range<u32>]) -> bool {
    let (Some(above), Some(below)) = (rows.start.checked_sub(1), raster.row_at(rows.end.into()))
    else {
        return false;
    };
    let above = raster.row(above);
    rows.map(|y| raster.row(y)).all(|row| {
        (columns.iter().cloned().flatten()).all(|x| {
            let (own, around) = (row.seen(x), [above.seen(x), below.seen(x)]);
            around.contains(&own) || is_mixture(own, around)
        })
    })
}

/// Whether a pixel is a mixture of two others, or one of them, no channel further off than [`OWN_LEVELS`].
fn is_mixture(pixel: [u8; 4], [above, below]: [[u8; 4]; 2]) -> bool {
    let way = |channel: usize| i32::from(below[channel]) - i32::from(above[channel]);
    let gone = |channel: usize| i32::from(pixel[channel]) - i32::from(above[channel]);
    // The channel in which they are furthest apart tells best how much it has of each.
    let telling = (0..4)
        .max_by_key(|&channel| way(channel).abs())
        .unwrap_or_default();
    let whole = way(telling);
    let part = gone(telling).clamp(whole.min(0), whole.max(0));
    // Between two of one colour every part of the way is none.
    let scale = whole.abs().max(1);
    let off = |channel: usize| gone(channel) * scale - part * way(channel) * whole.signum();
    (0..4).all(|channel| off(channel).abs() <= i32::from(OWN_LEVELS) * scale)
}

/// Whether the other picture shows some columns of a row as well, right above or below the place of what it lacks: which of
/// two rows went with which is a matter of how they were aligned.
fn is_shown_beside(pair: &Pair<'_>, lone: OneSided, row: Row<'_>, columns: &Range<u32>) -> bool {
    let other = match lone.side {
        Side::Baseline => Side::Current,
        Side::Current => Side::Baseline,
    };
    let (top, bottom) = (lone.area.y, lone.area.bottom());
    let above = top.saturating_sub(BESIDE_ROWS)..top;
    let below = bottom..(bottom + BESIDE_ROWS).min(pair.size.height);
    let shows = |there: Row<'_>| there.shows_alike(columns.start, row, columns.clone(), OWN_LEVELS);
    columns.end <= pair.shared_columns
        && (above.chain(below))
            .flat_map(|y| pair.rows_of(other, y))
            .any(|(lane, there)| lane.contains(&columns.start) && there.is_some_and(shows))
}

#[cfg(test)]
mod tests {
    use super::*;

    const WHITE: [u8; 4] = [255; 4];
    const NONE: [[u32; 2]; 0] = [];

    fn grey(level: u8) -> [u8; 4] {
        [level, level, level, 255]
    }

    #[test]
    fn an_edge_within_a_pixel_is_a_mixture_and_a_rule_is_none() {
        let blue = [14, 99, 233, 255];
        let half = [134, 177, 244, 255];
        for (pixel, [above, below], mixed) in [
            (WHITE, [WHITE, WHITE], true),
            (grey(247), [WHITE, WHITE], true),
            (grey(246), [WHITE, WHITE], false),
            (grey(229), [WHITE, WHITE], false),
            (blue, [WHITE, blue], true),
            (half, [WHITE, blue], true),
            (grey(140), [WHITE, blue], false),
            (grey(120), [WHITE, grey(40)], true),
            (blue, [WHITE, grey(40)], false),
            (grey(20), [WHITE, grey(40)], false),
            // A pale ground of two dithered shades.
            (grey(250), [grey(248), grey(249)], true),
        ] {
            for around in [[above, below], [below, above]] {
                assert_eq!(is_mixture(pixel, around), mixed, "{pixel:?} {around:?}");
            }
        }
    }

    /// From where to where lines are in a row of white with some ink, from such columns on and so long, between rows that are
    /// white but for ink in some columns.
    fn lines(ink: &[(u32, u32)], beside: Range<u32>) -> Vec<[u32; 2]> {
        let row = |is_ink: &dyn Fn(u32) -> bool| -> Vec<u8> {
            let shade = |x| if is_ink(x) { 200 } else { 255 };
            (0..100).flat_map(|x| [shade(x); 3]).collect()
        };
        let has_ink = |x: u32| (ink.iter()).any(|&(from, px)| (from..from + px).contains(&x));
        let [own, beside] = [row(&has_ink), row(&|x: u32| beside.contains(&x))];
        let [own, beside] = [&own, &beside].map(|bytes| Row { channels: 3, bytes });
        let found = lines_in(own, [beside, beside], 0..100).into_iter();
        found.map(|line| [line.start, line.end]).collect()
    }

    #[test]
    fn a_line_is_long_and_stands_on_ground() {
        assert_eq!(lines(&[(0, 100)], 0..0), [[0, 100]], "from edge to edge");
        assert_eq!(lines(&[(10, 24)], 0..0), [[10, 34]]);
        assert_eq!(lines(&[(10, 23)], 0..0), NONE, "a dash in a text");
        let dashes = |gap: u32| -> Vec<(u32, u32)> {
            (0..6).map(|dash| (10 + dash * (3 + gap), 3)).collect()
        };
        assert_eq!(lines(&dashes(4), 0..0), [[10, 48]]);
        assert_eq!(lines(&dashes(5), 0..0), NONE);
        // Beside an upright stroke that goes on above it and below it, the columns of its edges tell nothing.
        assert_eq!(lines(&[(10, 60)], 12..13), [[14, 70]]);
        assert_eq!(lines(&[(10, 40)], 30..31), NONE, "two short ones");
    }
}
