//! A few pixels that tell which ways a region may have gone.

use std::cmp::Reverse;

use crate::geometry::Rect;
use crate::pair::Pair;
use crate::raster::{Row, alike};

use super::{MAX_DIAGONAL_PX, MAX_SHIFT_PX, Way, sort};

/// Pixels by which most ways are ruled out.
const TELLING_PX: u32 = 8;

/// Columns from the first that differs on among which they are chosen.
const TELLING_REACH_PX: u32 = 128;

/// A few pixels along a row, where both pictures have them (column, row), and how many levels off they may be elsewhere.
pub(super) struct Telling {
    from: (u32, u32),
    to: (u32, u32),
    width: u32,
    levels: u8,
}

impl Telling {
    /// The pixels from a place (column, row) of both areas on.
    pub(super) fn of([from, to]: [Rect; 2], (column, row): (u32, u32), levels: u8) -> Self {
        Self {
            from: (from.x + column, from.y + row),
            to: (to.x + column, to.y + row),
            width: TELLING_PX.min(to.width),
            levels,
        }
    }

    /// The ways that the pixels may have gone, the shortest first.
    ///
    /// Looked for row by row: a row is seldom at hand, and fetching it is most of the work.
    pub(super) fn ways(&self, pair: &Pair<'_>) -> Vec<Way> {
        let current = pair.current.row(self.to.1);
        let columns = self.to.0..self.to.0 + self.width;
        let mut ways = Vec::new();
        for down in -MAX_SHIFT_PX..=MAX_SHIFT_PX {
            let Some(baseline) = pair
                .baseline
                .row_at(i64::from(self.from.1) - i64::from(down))
            else {
                continue;
            };
            let reach = match down {
                0 => MAX_SHIFT_PX,
                _ if down.abs() <= MAX_DIAGONAL_PX => MAX_DIAGONAL_PX,
                _ => 0,
            };
            let shown = (-reach..=reach).filter(|&right| {
                let start = i64::from(self.from.0) - i64::from(right);
                let Ok(start) = u32::try_from(start) else {
                    return false;
                };
                start + self.width <= pair.baseline.size.width
                    && baseline.shows_alike(start, current, columns.clone(), self.levels)
            });
            ways.extend(shown.map(|right| (right, down)));
        }
        ways.retain(|&way| way != (0, 0));
        sort(&mut ways);
        ways
    }
}

/// Where along a row of an area, from the first difference on, the current picture has most edges within a few pixels, and how
/// many. Where something may be so many levels off, an edge is what that cannot bridge, and was not there before.
pub(super) fn telling_column(
    pair: &Pair<'_>,
    [from, to]: [Rect; 2],
    row: u32,
    levels: u8,
) -> (u32, usize) {
    let (before, after) = (
        pair.baseline.row(from.y + row),
        pair.current.row(to.y + row),
    );
    let both_have = to
        .width
        .min(pair.baseline.size.width.saturating_sub(from.x));
    let last = to.width.saturating_sub(TELLING_PX);
    let first = if levels == 0 {
        before.first_other(from.x, after, to.x..to.x + both_have)
    } else {
        let nearly = |x: u32| alike(before.pixel(from.x + x), after.pixel(to.x + x), levels);
        (0..both_have).find(|&x| !nearly(x))
    };
    let first = first.unwrap_or_default().min(last);
    let until = to.width.min(first + TELLING_REACH_PX);
    let is_edge = |x: u32| {
        let apart = |row: Row<'_>, x: u32| !alike(row.pixel(x), row.pixel(x + 1), 2 * levels);
        apart(after, to.x + x) && (levels == 0 || x + 1 >= both_have || !apart(before, from.x + x))
    };
    let edges: Vec<bool> = (first..until.saturating_sub(1)).map(is_edge).collect();
    let windows = (first..).zip(edges.windows((TELLING_PX as usize - 1).min(edges.len()).max(1)));
    // Of equals the first.
    let count = |window: &[bool]| window.iter().filter(|&&edge| edge).count();
    let found = windows.map(|(column, window)| (count(window), Reverse(column)));
    let (steps, Reverse(column)) = found.max().unwrap_or((0, Reverse(first)));
    (column, steps)
}
