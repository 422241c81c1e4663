//! A few pixels that tell which ways a region may have gone.

use std::ops::Range;

use crate::geometry::Rect;
use crate::pair::Pair;
use crate::raster::row::{ALIKE_BYTES, Row, apart, are_all_alike};

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

    /// The ways that the pixels may have gone, the shortest first. Of those that come from beyond a side of the baseline the
    /// others must tell: on ground, a thing may go away from the side of its page.
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
        let furthest = MAX_SHIFT_PX.cast_unsigned();
        let top = self.from.1.saturating_sub(furthest);
        let bottom = pair.baseline.size.height.min(self.from.1 + furthest + 1);
        for (y, baseline) in pair.baseline.rows(top..bottom) {
            let down = self.from.1.cast_signed() - y.cast_signed();
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
            let partly_seen = self.partly_seen(reach.cast_signed(), pair.baseline.size.width);
            let shows = |(start, seen): &(u32, Range<u32>)| {
                let columns = self.to.0 + seen.start..self.to.0 + seen.end;
                baseline.shows_alike(*start, current, columns, self.levels)
            };
            ways.extend(
                partly_seen
                    .filter(|(_, seen)| shows(seen))
                    .map(|(right, _)| (right, down)),
            );
        }
        ways.retain(|&way| way != (0, 0));
        sort(&mut ways);
        ways
    }

    /// How far to the right the pixels may have gone of which the baseline, so wide, had some only; and from which of its columns
    /// on it had which of them.
    fn partly_seen(
        &self,
        reach: i32,
        width: u32,
    ) -> impl Iterator<Item = (i32, (u32, Range<u32>))> {
        let (first, own) = (self.from.0.cast_signed(), self.width.cast_signed());
        let width = width.cast_signed();
        // Mostly no side is near.
        let has_all = first >= reach && first + own + reach <= width;
        let ways = (!has_all).then_some(-reach..=reach);
        ways.into_iter().flatten().filter_map(move |right| {
            let start = first - right;
            let seen = (-start).max(0)..own.min(width - start);
            let is_part = seen.start < seen.end && seen.end - seen.start < own;
            let [on, from, until] =
                [start + seen.start, seen.start, seen.end].map(i32::cast_unsigned);
            is_part.then_some((right, (on, from..until)))
        })
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

#[cfg(test)]
mod tests {
    use std::cmp::Reverse;

    use super::*;
    use crate::decode::Image;
    use crate::geometry::Size;
    use crate::raster::row::alike;
    use crate::regions::shift::all_ways;

    const HEIGHT: u32 = 140;

    /// Pixel by pixel: the column with the most edges from the first difference on, and how many.
    fn column_by_pixels(
        pair: &Pair<'_>,
        [from, to]: [Rect; 2],
        row: u32,
        levels: u8,
    ) -> (u32, usize) {
        let before = pair.baseline.row(from.y + row);
        let after = pair.current.row(to.y + row);
        let known = pair.baseline.size.width.saturating_sub(from.x);
        let both_have = to.width.min(known);
        let differs = |&x: &u32| !alike(before.pixel(from.x + x), after.pixel(to.x + x), levels);
        let last = to.width.saturating_sub(TELLING_PX);
        let first = (0..both_have).find(differs).unwrap_or_default().min(last);
        let until = to.width.min(first + TELLING_REACH_PX);
        let is_edge = |x: u32| {
            let apart = |row: Row<'_>, x: u32| !alike(row.pixel(x), row.pixel(x + 1), 2 * levels);
            let is_new = levels == 0 || x + 1 >= both_have || !apart(before, from.x + x);
            apart(after, to.x + x) && is_new
        };
        let edges: Vec<bool> = (first..until.saturating_sub(1)).map(is_edge).collect();
        let width = (TELLING_PX as usize - 1).min(edges.len()).max(1);
        let counted = (first..).zip(edges.windows(width)).map(|(column, edges)| {
            let edges = edges.iter().filter(|&&edge| edge).count();
            (edges, Reverse(column))
        });
        let (steps, Reverse(column)) = counted.max().unwrap_or((0, Reverse(first)));
        (column, steps)
    }

    #[test]
    fn columns_and_ways_are_those_that_pixel_by_pixel_are_found() {
        // Few shades that are near each other here and far there, in patches, so that most ways are ruled out late.
        let mut state = 1_u32;
        let mut random = move |below: u32| {
            state = state.wrapping_mul(0x9e37_79b1).wrapping_add(0x85eb_ca6b);
            (state >> 8) % below
        };
        let (mut found, mut steps_found) = (0, 0);
        for case in 0..400 {
            let widths = [30 + random(180), 30 + random(180)];
            let channels = [3 + (case % 2) as usize, 3 + (case / 2 % 2) as usize];
            let salt = random(1000);
            let pair = Pair::in_place(&[0, 1].map(|side: usize| {
                let size = Size {
                    width: widths[side],
                    height: HEIGHT,
                };
                // The current picture shows it a little further on.
                let (right, down) = [(0, 0), (case % 3, case % 5)][side];
                Image::of_greys(size, channels[side], |x, y| {
                    let (x, y) = (x + 3 - right, y + 5 - down);
                    let at = (x / 3 * 7 + y / 4 * 13 + salt) % 19;
                    [250, 250, 250, 240, 244, 20, 30, 128][at as usize % 8]
                })
            }));
            let width = 1 + random(widths[1].min(150));
            let to = Rect {
                x: random(widths[1] - width + 1),
                y: HEIGHT / 2,
                width,
                height: 1,
            };
            // It may reach beyond the other picture.
            let from = Rect {
                x: random(widths[0]),
                ..to
            };
            for levels in [0, 6, 12] {
                let column = telling_column(&pair, [from, to], 0, levels);
                let expected = column_by_pixels(&pair, [from, to], 0, levels);
                assert_eq!(column, expected, "{case} {levels}");
                steps_found += column.1;
                let telling = Telling::of([from, to], (column.0, 0), levels);
                let all = 0..telling.width;
                let place = |(x, y)| Rect {
                    x,
                    y,
                    width: telling.width,
                    height: 1,
                };
                let places = [telling.from, telling.to].map(place);
                let mut tried = all_ways();
                let is_seen = |column: u32, (right, _): Way| {
                    let x = (telling.from.0 + column).checked_add_signed(-right);
                    x.is_some_and(|x| x < widths[0])
                };
                let shows = |way: Way| {
                    let mut seen = all
                        .clone()
                        .filter(|&column| is_seen(column, way))
                        .peekable();
                    seen.peek().is_some()
                        && seen.all(|column| {
                            let column = column..column + 1;
                            pair.shows_shifted(places, 0, &column, way, levels)
                        })
                };
                tried.retain(|&way| shows(way));
                assert_eq!(telling.ways(&pair), tried, "{case} {levels}");
                found += tried.len();
            }
        }
        assert!(found > 1000 && steps_found > 1000, "{found} {steps_found}");
    }
}
