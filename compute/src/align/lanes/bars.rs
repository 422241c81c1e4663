//! Bars at the edges of a page that stayed while its rows went a way that few columns tell.
//!
//! Of a table whose cells were all drawn anew, because a column of it grew wider, the rows are found by their looks, and a flat bar
//! beside it says nothing until it ends. A bar ends where least is left to look at when what is outside of the seam stays and the
//! rest goes the way of the page; of seams that are as good it is one that is seen.

use std::ops::{Range, RangeInclusive};

use super::rails::Edge;
use super::seams::Cells;
use super::spread::Spread;
use super::{Part, pixels_of};
use crate::align::STAYED_ROWS;
use crate::align::likeness::{hardly_differ, part_apart};
use crate::align::run::{Run, length};
use crate::align::stretch::{Stretch, paired};
use crate::align::worth::pixels_left;
use crate::loaded::Passing;
use crate::pair::Side;
use crate::raster::row::alike;
use crate::row_hash::cell_width;

/// Cells that a bar has at most: on a page of usual width 512 pixels, as a wide list of folders.
const MAX_BAR_CELLS: usize = 8;

/// Of so many rows of a bar that differ if it moved, one at most may differ if it stayed: a number in a list of folders.
const ROWS_AN_EDIT: usize = 3;

/// Of so many rows of a page one shows where a bar ends.
const SEEN_SHARE: u32 = 4;

/// Levels of a channel, of 255, by which neighbours differ in a ground that fades or is dithered.
const FADING: u8 = 2;

/// Of so many rows of a bar that differ at its end if it moved, one at most differs beyond the end as well: elsewhere a seam cuts words.
const ROWS_A_CROSSING: usize = 4;

/// Rows that are looked at in search of the end of a bar.
const EDGE_ROWS: u32 = 256;

impl Cells<'_> {
    /// The parts of a page whose rows went as these bands say, but for bars at its edges that stayed; `None` when there is none.
    pub(super) fn bars_beside(self, whole: &[Stretch]) -> Option<Vec<Part>> {
        let all = 0..self.columns.len();
        let [right, left] = [Edge::Right, Edge::Left].map(|edge| self.bar(whole, edge));
        if right.is_none() && left.is_none() {
            return None;
        }
        let inner =
            left.map_or(all.start, |(cell, _)| cell + 1)..right.map_or(all.end, |(cell, _)| cell);
        let mut parts = vec![Part {
            columns: pixels_of(&all, self.loaded.baseline.size.width),
            is_foreign: false,
            ..self.laid(inner, whole)
        }];
        for (edge, bar) in [(Edge::Right, right), (Edge::Left, left)] {
            if let Some(bar) = bar {
                let stayed = self.stayed(edge.cell(self.columns));
                self.put_rail(&mut parts, stayed, bar, edge);
            }
            parts.reverse();
        }
        Some(parts)
    }

    /// A part laid as these bands say, or by its own hashes if that leaves less to look at.
    fn laid(self, cells: Range<usize>, whole: &[Stretch]) -> Part {
        let placed = Part::placed(self.loaded, self.columns, cells);
        let passing = Passing::of(self.loaded);
        let pixels = |bands: &[Stretch]| pixels_left(&passing, &placed.columns, bands);
        let own = &placed.bands;
        if placed.cost(own) <= placed.cost(whole) && pixels(own) <= pixels(whole) {
            return placed;
        }
        Part {
            bands: whole.to_vec(),
            ..placed
        }
    }

    /// The cell in which a bar at an edge ends, and the column of pixels that it meets the page at.
    fn bar(self, whole: &[Stretch], edge: Edge) -> Option<(usize, u32)> {
        let width = self.loaded.baseline.size.width;
        let stayed = self.stayed(edge.cell(self.columns));
        let gains = self.gains([&stayed, whole], edge);
        let best = gains.iter().copied().max().filter(|&best| best > 0)?;
        let first = gains.iter().position(|&gain| gain == best)?;
        let as_good = gains[first..].iter().take_while(|&&gain| gain == best);
        let columns = u32::try_from(first).ok()?..u32::try_from(first + as_good.count()).ok()?;
        let seams = edge.outer([
            columns.start + 1..=columns.end,
            width - columns.end..=width - 1 - columns.start,
        ]);
        let seam = self.seen(seams, edge);
        let last = edge.outer([seam - 1, seam]);
        let cell = usize::try_from(last / cell_width(width)).ok()?;
        let is_bar = self.has_stayed_outside((cell, seam), [&stayed, whole], edge)
            && !self.cuts_words((cell, seam), whole, edge);
        is_bar.then_some((cell, seam))
    }

    /// How many pixels less there are to look at when all columns from the edge to each one stay, as far as that may be a bar.
    fn gains(self, ways: [&[Stretch]; 2], edge: Edge) -> Vec<i64> {
        let cells = self.columns.len();
        let (mut gains, mut gain, mut best) = (Vec::new(), 0, 0);
        for nth in 0..MAX_BAR_CELLS.min((cells - 1) / 2) {
            let cell = edge.outer([nth, cells - 1 - nth]);
            let [stayed, moved] = ways;
            let if_moved = self.spread_apart(cell, moved);
            if best == 0 && if_moved.differing() == 0 {
                break;
            }
            let if_stayed = self.spread_apart(cell, stayed);
            let pixels = self.pixels_of(cell..cell + 1);
            for (from_left, from_right) in pixels.clone().zip(pixels.rev()) {
                let column = edge.outer([from_left, from_right]);
                let [stayed, moved] = [&if_stayed, &if_moved].map(|spread| {
                    i64::try_from(spread.differing_at(column)).expect("rows fit 64 bits")
                });
                gain += moved - stayed;
                best = best.max(gain);
                gains.push(gain);
            }
            // A bar shows something at the edge of the page, and what lies further inwards than it moved.
            if best == 0 || 2 * gain < best {
                break;
            }
        }
        gains
    }

    /// Where in a cell rows more than hardly differ: a faint stripe says of no row where it went.
    fn spread_apart(self, cell: usize, bands: &[Stretch]) -> Spread {
        let [baseline, current] = &self.columns[cell].hashes;
        let pixels = self.pixels_of(cell..cell + 1);
        let passing = Passing::of(self.loaded);
        Spread::of(pixels.clone(), bands, |ours, theirs| {
            let is_same = baseline[ours as usize] == current[theirs as usize];
            let apart = || part_apart(&passing, pixels.clone(), (ours, theirs));
            if is_same { None } else { apart() }
        })
    }

    /// Of seams that are as good the outermost that is seen in many rows; the innermost when none is.
    fn seen(self, seams: RangeInclusive<u32>, edge: Edge) -> u32 {
        let (first, last) = (*seams.start(), *seams.end());
        let height = self.loaded.current.size.height;
        let passing = Passing::of(self.loaded);
        let step = height.div_ceil(EDGE_ROWS).max(1);
        let mut shown = vec![0; seams.count()];
        for y in (0..height).step_by(step as usize) {
            passing.look_at(Side::Current, y, |row| {
                for (seam, shown) in (first..).zip(&mut shown) {
                    *shown += u32::from(!alike(row.pixel(seam - 1), row.pixel(seam), FADING));
                }
            });
        }
        let mut seen = (first..).zip(shown);
        let is_seen = |(_, shown): &(u32, u32)| shown * SEEN_SHARE * step >= height;
        let [outermost, innermost] = match edge {
            Edge::Left => [seen.find(is_seen), Some((last, 0))],
            Edge::Right => [seen.filter(is_seen).last(), Some((first, 0))],
        };
        outermost.or(innermost).map_or(first, |(seam, _)| seam)
    }

    /// Whether rows outside of a seam in a cell differ when they go the way of the page, and hardly when they stay.
    fn has_stayed_outside(
        self,
        (cell, seam): (usize, u32),
        [stayed, moved]: [&[Stretch]; 2],
        edge: Edge,
    ) -> bool {
        let columns = edge.outer([0..seam, seam..self.loaded.baseline.size.width]);
        let cells = &self.columns[edge.outer([0..cell + 1, cell..self.columns.len()])];
        let passing = Passing::of(self.loaded);
        let are_alike = |ours: u32, theirs: u32| {
            let mut all = cells.iter().map(|column| &column.hashes);
            all.all(|[baseline, current]| baseline[ours as usize] == current[theirs as usize])
                || hardly_differ(&passing, columns.clone(), ours, theirs)
        };
        let rows = length(&self.loaded.rows.current);
        // Lines of text whose height is no whole number of pixels are drawn now one pixel higher, now one lower.
        let is_beside = |&(ours, theirs): &(u32, u32)| {
            let beside = [Some(theirs), theirs.checked_sub(1), Some(theirs + 1)];
            let mut there = beside.into_iter().flatten().filter(|&y| y < rows);
            there.any(|theirs| are_alike(ours, theirs))
        };
        let pairs = |bands| paired(bands).flat_map(Run::pairs);
        let if_moved = pairs(moved).filter(|pair| !is_beside(pair)).count();
        let differs = |&(ours, theirs): &(u32, u32)| !are_alike(ours, theirs);
        let if_stayed = || pairs(stayed).filter(differs).count();
        if_moved >= STAYED_ROWS && if_stayed() * ROWS_AN_EDIT <= if_moved
    }

    /// Whether rows that go the way of the page differ on both sides of a seam in a cell where they do at its outer side.
    fn cuts_words(self, (cell, seam): (usize, u32), moved: &[Stretch], edge: Edge) -> bool {
        let [outer, inner] = [[seam - 1, seam], [seam, seam - 1]].map(|beside| edge.outer(beside));
        let [baseline, current] = &self.columns[cell].hashes;
        let passing = Passing::of(self.loaded);
        let differs =
            |x: u32, (ours, theirs): (u32, u32)| !hardly_differ(&passing, x..x + 1, ours, theirs);
        let pairs = paired(moved).flat_map(Run::pairs);
        let others =
            pairs.filter(|&(ours, theirs)| baseline[ours as usize] != current[theirs as usize]);
        let at_end: Vec<(u32, u32)> = others.filter(|&pair| differs(outer, pair)).collect();
        let crossing = at_end.iter().filter(|&&pair| differs(inner, pair)).count();
        crossing >= STAYED_ROWS && crossing * ROWS_A_CROSSING > at_end.len()
    }
}
