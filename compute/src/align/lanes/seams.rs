//! Where a lane ends within a cell: a side bar is seldom as wide as some cells.
//!
//! A cell that holds the edge of both spoils the rows of the lane that has it, or goes nowhere and is a lane by itself. It is left
//! out of what places the lanes, and divided between both where that leaves less to look at.

use std::ops::Range;

use crate::align::{STAYED_ROWS, Stretch, paired_but_different};
use crate::load::Loaded;
use crate::mask::WORD_BITS;

use super::{Column, Part, pixels_of};

/// Lanes begin with a whole word of the mask.
const STEP: u32 = WORD_BITS;

/// The parts of a page from left to right, their seams moved into the cells beside them where that leaves less to look at; and
/// how much less, in rows of cells.
pub(super) fn moved_into_cells(
    loaded: &Loaded<'_>,
    mut parts: Vec<Part>,
    columns: &[Column],
) -> (Vec<Part>, usize) {
    let shared = |cell: usize| Shared {
        loaded,
        columns,
        cell,
    };
    let (mut right, mut saved) = (1, 0);
    while right < parts.len() {
        if let [left, own, next] = &parts[right - 1..(right + 2).min(parts.len())]
            && own.cells.len() == 1
            && let Some((seam, less)) = shared(own.cells.start).given_away(own, [left, next])
        {
            parts.remove(right);
            parts[right - 1].columns.end = seam;
            parts[right].columns.start = seam;
            saved += less;
        } else if let [left, next] = &parts[right - 1..=right]
            && left.cells.end == next.cells.start
        {
            let by_left = shared(left.cells.end - 1).divided(left, next);
            let by_next = shared(next.cells.start).divided(next, left);
            let both = [by_left, by_next].into_iter().enumerate();
            let divided = both.filter_map(|(side, divided)| Some((side, divided?)));
            if let Some((side, divided)) = divided.max_by_key(|(_, divided)| divided.saved) {
                parts[right - 1 + side] = divided.owner;
                parts[right - 1].columns.end = divided.seam;
                parts[right].columns.start = divided.seam;
                saved += divided.saved;
            }
        }
        right += 1;
    }
    (parts, saved)
}

/// A cell that two parts share.
struct Divided {
    /// Whose it was, placed without it.
    owner: Part,
    /// The column of pixels that both meet at.
    seam: u32,
    /// How much less there is to look at, in rows of cells.
    saved: usize,
}

/// A cell that may hold the edges of two parts.
struct Shared<'a> {
    loaded: &'a Loaded<'a>,
    columns: &'a [Column],
    cell: usize,
}

impl Shared<'_> {
    /// Divides the only cell of a part between those beside it: the column of pixels that these meet at, and how much less there is
    /// to look at; `None` when it is no less.
    fn given_away(&self, own: &Part, [left, right]: [&Part; 2]) -> Option<(u32, usize)> {
        let (after, seam) = self.best_seam([&left.bands, &right.bands])?;
        let saved = own.left_by(&own.bands).checked_sub(after)?;
        (saved > 0).then_some((seam, saved))
    }

    /// Divides the cell between its owner, to which others belong, and a neighbour; `None` when there is no less to look at then.
    fn divided(&self, owner: &Part, neighbour: &Part) -> Option<Divided> {
        let [baseline, current] = &self.columns[self.cell].hashes;
        let is_spoilt = paired_but_different(&owner.bands, baseline, current) >= STAYED_ROWS;
        if owner.cells.len() < 2 || !is_spoilt {
            return None;
        }
        let is_first = owner.cells.start == self.cell;
        let rest = if is_first {
            self.cell + 1..owner.cells.end
        } else {
            owner.cells.start..self.cell
        };
        let placed = Part {
            columns: owner.columns.clone(),
            ..Part::placed(self.loaded, self.columns, rest)
        };
        let (after, seam) = self.best_seam(if is_first {
            [&neighbour.bands, &placed.bands]
        } else {
            [&placed.bands, &neighbour.bands]
        })?;
        let left = placed.left_by(&placed.bands) + after;
        let saved = owner.left_by(&owner.bands).checked_sub(left)?;
        (saved > 0).then_some(Divided {
            owner: placed,
            seam,
            saved,
        })
    }

    /// The least there is to look at, in rows of cells, when the bands of one part take what lies in the cell to the left of a
    /// column of pixels, and those of another what lies to the right; and that column.
    fn best_seam(&self, [left, right]: [&[Stretch]; 2]) -> Option<(usize, u32)> {
        let width = self.loaded.baseline.size.width;
        let cell = pixels_of(&(self.cell..self.cell + 1), width);
        let seams = (cell.start..cell.end).step_by(STEP as usize).skip(1);
        let pixels =
            |columns: Range<u32>, bands: &[Stretch]| columns.len() * self.cost(&columns, bands);
        let best = seams.map(|seam| {
            let both = pixels(cell.start..seam, left) + pixels(seam..cell.end, right);
            (both.div_ceil(cell.len()), seam)
        });
        best.min()
    }

    /// Rows to look at in some columns of pixels of the cell.
    fn cost(&self, pixels: &Range<u32>, bands: &[Stretch]) -> usize {
        let [baseline, current] = &self.columns[self.cell].hashes;
        let above = self.loaded.rows.unhashed;
        let differs = |ours: u32, theirs: u32| {
            if baseline[ours as usize] == current[theirs as usize] {
                return false;
            }
            let current = self.loaded.current.row(theirs + above);
            !(self.loaded.baseline.row(ours + above)).same_part(current, pixels.clone())
        };
        let rows = bands
            .iter()
            .map(|band| match (band.baseline, band.current) {
                (Some(ours), Some(theirs)) => (0..band.rows)
                    .filter(|row| differs(ours + row, theirs + row))
                    .count(),
                _ => band.rows as usize,
            });
        rows.sum()
    }
}
