//! Where a lane ends within a cell: a side bar is seldom as wide as some cells.
//!
//! A cell that holds the edge of both spoils the rows of the lane that has it, or goes nowhere and is a lane by itself. It is left
//! out of what places the lanes, and divided between both where that leaves less to look at.

use std::ops::Range;

use crate::align::STAYED_ROWS;
use crate::align::stretch::{Stretch, differing, rows_to_look_at};
use crate::loaded::Loaded;
use crate::mask::WORD_BITS;

use super::{Column, Part, pixels_of};

/// Lanes begin with a whole word of the mask.
const STEP: u32 = WORD_BITS;

/// The columns of cells of a page.
#[derive(Clone, Copy)]
pub(super) struct Cells<'a> {
    pub(super) loaded: &'a Loaded<'a>,
    pub(super) columns: &'a [Column],
}

/// A cell that two parts share.
struct Divided {
    /// Whose it was, placed without it.
    owner: Part,
    /// The column of pixels that both meet at.
    seam: u32,
    /// How many rows of pixels less there are to look at.
    saved: usize,
}

impl Cells<'_> {
    /// The parts of a page from left to right, their seams moved into the cells beside them where that leaves less to look at.
    pub(super) fn share_edges(self, mut parts: Vec<Part>) -> Vec<Part> {
        let mut right = 1;
        while right < parts.len() {
            if let [left, own, next] = &parts[right - 1..(right + 2).min(parts.len())]
                && let Some(seam) = self.give_away(own, [left, next])
            {
                parts.remove(right);
                parts[right - 1].columns.end = seam;
                parts[right].columns.start = seam;
            } else if let [left, next] = &parts[right - 1..=right] {
                let by_left = self.divide(left.cells.end - 1, left, next);
                let by_next = self.divide(next.cells.start, next, left);
                let both = [by_left, by_next].into_iter().enumerate();
                let divided = both.filter_map(|(side, divided)| Some((side, divided?)));
                if let Some((side, divided)) = divided.max_by_key(|(_, divided)| divided.saved) {
                    parts[right - 1 + side] = divided.owner;
                    parts[right - 1].columns.end = divided.seam;
                    parts[right].columns.start = divided.seam;
                }
            }
            right += 1;
        }
        parts
    }

    /// Rows of pixels to look at when each part's rows lie as these bands say.
    pub(super) fn left<'p>(
        self,
        parts: &'p [Part],
        bands_of: impl Fn(&'p Part) -> &'p [Stretch],
    ) -> usize {
        let own = parts
            .iter()
            .map(|part| part.cost(bands_of(part)) * self.pixels_of(part.cells.clone()).len());
        let shared = parts.windows(2).map(|both| {
            let [left, right] = both else { return 0 };
            let bands = [bands_of(left), bands_of(right)];
            let cells = left.cells.end..right.cells.start;
            cells
                .map(|cell| self.left_beside(cell, left.columns.end, bands))
                .sum()
        });
        own.chain(shared).sum()
    }

    /// Divides the only cell of a part between those beside it: the column of pixels that these meet at; `None` when that leaves no
    /// less to look at.
    fn give_away(self, own: &Part, [left, right]: [&Part; 2]) -> Option<u32> {
        if own.cells.len() > 1 {
            return None;
        }
        let cell = own.cells.start;
        let (after, seam) = self.best_seam(cell, [&left.bands, &right.bands]);
        (after < self.left_in(cell, &own.bands)).then_some(seam)
    }

    /// Divides a cell between its owner, at whose edge it lies, and a neighbour; `None` when that leaves no less to look at.
    fn divide(self, cell: usize, owner: &Part, neighbour: &Part) -> Option<Divided> {
        let whole = self.pixels_of(cell..cell + 1);
        let is_spoilt = differing(&owner.bands, self.differs(cell, whole)) >= STAYED_ROWS;
        if owner.cells.len() < 2 || !is_spoilt {
            return None;
        }
        let is_first = owner.cells.start == cell;
        let rest = if is_first {
            cell + 1..owner.cells.end
        } else {
            owner.cells.start..cell
        };
        let placed = Part::placed(self.loaded, self.columns, rest);
        // The cell may have spoilt what it was placed with, or nothing but itself.
        let [as_before, anew] = [&owner.bands, &placed.bands].map(|bands| placed.cost(bands));
        let bands = if anew < as_before {
            &placed.bands
        } else {
            &owner.bands
        };
        let (after, seam) = self.best_seam(
            cell,
            if is_first {
                [&neighbour.bands, bands]
            } else {
                [bands, &neighbour.bands]
            },
        );
        let less = as_before.saturating_sub(anew) * self.pixels_of(placed.cells.clone()).len();
        let saved = (self.left_in(cell, &owner.bands) + less).checked_sub(after)?;
        (saved > 0).then(|| Divided {
            owner: Part {
                bands: bands.clone(),
                columns: owner.columns.clone(),
                is_foreign: owner.is_foreign,
                ..placed
            },
            seam,
            saved,
        })
    }

    /// The fewest rows of pixels to look at in a cell when what lies to the left of some column goes as one part does, and what
    /// lies to the right as another, of which one may get nothing; and that column.
    fn best_seam(self, cell: usize, bands: [&[Stretch]; 2]) -> (usize, u32) {
        let pixels = self.pixels_of(cell..cell + 1);
        // Of equals the whole cell.
        let within = pixels.clone().step_by(STEP as usize).skip(1);
        let seams = [pixels.start, pixels.end].into_iter().chain(within);
        let left = seams.map(|seam| (self.left_beside(cell, seam, bands), seam));
        left.min_by_key(|&(left, _)| left)
            .expect("a cell has two edges")
    }

    /// Rows of pixels to look at in a cell on both sides of a column.
    fn left_beside(self, cell: usize, seam: u32, [left, right]: [&[Stretch]; 2]) -> usize {
        let pixels = self.pixels_of(cell..cell + 1);
        let to_look_at = |pixels: Range<u32>, bands: &[Stretch]| {
            rows_to_look_at(bands, self.differs(cell, pixels.clone())) * pixels.len()
        };
        to_look_at(pixels.start..seam, left) + to_look_at(seam..pixels.end, right)
    }

    /// Rows of pixels to look at in a whole cell.
    fn left_in(self, cell: usize, bands: &[Stretch]) -> usize {
        let pixels = self.pixels_of(cell..cell + 1);
        rows_to_look_at(bands, self.differs(cell, pixels.clone())) * pixels.len()
    }

    /// Whether some columns of a cell differ in a row of the baseline and one of the current picture. Equal hashes are believed;
    /// rows at the bottom have those of whole rows.
    fn differs(self, cell: usize, pixels: Range<u32>) -> impl Fn(u32, u32) -> bool {
        let [baseline, current] = &self.columns[cell].hashes;
        let above = self.loaded.rows.unhashed;
        move |ours, theirs| {
            if baseline[ours as usize] == current[theirs as usize] {
                return false;
            }
            let current = self.loaded.current.row(theirs + above);
            !(self.loaded.baseline.row(ours + above)).same_part(current, pixels.clone())
        }
    }

    fn pixels_of(self, cells: Range<usize>) -> Range<u32> {
        pixels_of(&cells, self.loaded.baseline.size.width)
    }
}
