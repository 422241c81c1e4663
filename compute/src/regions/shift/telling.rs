//! A few pixels that tell which ways a region may have gone.

use std::ops::Range;

use crate::geometry::Rect;
use crate::pair::Pair;
use crate::raster::{ALIKE_BYTES, Row, apart, are_all_alike};

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
    pub(super) fn ways<'p>(&self, pair: &'p Pair<'_>) -> Vec<Way> {
        let current = pair.current.row(self.to.1);
        let columns = self.to.0..self.to.0 + self.width;
        let opaque = |row: Row<'p>| (row.channels == 3).then_some(row.bytes);
        let wanted =
            opaque(current).and_then(|_| current.part(columns.clone()).as_array::<ALIKE_BYTES>());
        let mut ways = Vec::new();
        let Some(last) = pair.baseline.size.width.checked_sub(self.width) else {
            return ways;
        };
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
            }
            .unsigned_abs();
            let starts = self.from.0.saturating_sub(reach)..=last.min(self.from.0 + reach);
            let right = |start: u32| self.from.0.cast_signed() - start.cast_signed();
            if let Some((wanted, bytes)) = wanted.zip(opaque(baseline)) {
                // The few pixels of an opaque row are compared at once: that is most of what there is to do.
                let shows = |start: &u32| {
                    let shown = bytes[3 * *start as usize..].first_chunk();
                    shown.is_some_and(|shown: &[u8; ALIKE_BYTES]| {
                        are_all_alike(shown, wanted, self.levels)
                    })
                };
                ways.extend(starts.filter(shows).map(|start| (right(start), down)));
            } else {
                let shows = |start: &u32| {
                    baseline.shows_alike(*start, current, columns.clone(), self.levels)
                };
                ways.extend(starts.filter(shows).map(|start| (right(start), down)));
            }
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
    let first = before.first_other(from.x, after, to.x..to.x + both_have, levels);
    let first = first.unwrap_or_default().min(last);
    let until = to.width.min(first + TELLING_REACH_PX);
    let mut edges = edges_of(after, to.x + first..to.x + until, 2 * levels);
    let known = both_have.min(until);
    if levels > 0 && first < known {
        let were = edges_of(before, from.x + first..from.x + known, 2 * levels);
        for (is_edge, was_edge) in edges.iter_mut().zip(were) {
            *is_edge &= !was_edge;
        }
    }
    most_within(&edges, TELLING_PX as usize - 1).map_or((first, 0), |(at, steps)| {
        let at = u32::try_from(at).expect("columns fit 32 bits");
        (first + at, steps)
    })
}

/// For each column but the last one, whether some channel of the next pixel is further than so many levels.
fn edges_of(row: Row<'_>, columns: Range<u32>, levels: u8) -> Vec<bool> {
    let bytes = row.part(columns);
    let next = bytes.iter().skip(row.channels);
    let are_far: Vec<bool> = (bytes.iter().zip(next))
        .map(|(one, next)| apart(*one, *next) > levels)
        .collect();
    if row.channels == 3 {
        let (pixels, _) = are_far.as_chunks();
        pixels.iter().map(|[r, g, b]| r | g | b).collect()
    } else {
        let (pixels, _) = are_far.as_chunks();
        pixels.iter().map(|[r, g, b, a]| r | g | b | a).collect()
    }
}

/// Where most of so many neighbours hold, and how many; of equals the first. Where there are fewer, all of them are looked at.
fn most_within(all: &[bool], width: usize) -> Option<(usize, usize)> {
    let width = width.min(all.len());
    let mut count = all[..width].iter().filter(|&&holds| holds).count();
    let mut most = (width > 0).then_some((0, count))?;
    for (at, (gone, new)) in all.iter().zip(&all[width..]).enumerate() {
        count = count + usize::from(*new) - usize::from(*gone);
        if count > most.1 {
            most = (at + 1, count);
        }
    }
    Some(most)
}
