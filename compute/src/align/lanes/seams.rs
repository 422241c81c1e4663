//! Where a lane ends within a cell: a side bar is seldom as wide as some cells.
//!
//! A cell that holds the edge of both spoils the rows of the lane that has it, or goes nowhere and is a lane by itself. It is left
//! out of what places the lanes, and divided between both where that leaves less to look at.

use std::ops::Range;

use crate::align::STAYED_ROWS;
use crate::align::stretch::Stretch;
use crate::loaded::{Loaded, Passing};

use super::spread::Spread;
use super::{Column, Part, pixels_of};

/// Columns that are as good as others are preferred when they are multiples of this.
const ROUND_PX: u32 = 32;

/// The columns of cells of a page.
#[derive(Clone, Copy)]
pub(super) struct Cells<'a> {
    pub(super) loaded: &'a Loaded<'a>,
    pub(super) columns: &'a [Column],
    /// So many rows at the bottom are the same in both pictures, in all columns.
    pub(super) below: usize,
}

/// A cell that two parts share.
pub(super) struct Divided {
    /// Whose it was, placed without it.
    pub(super) owner: Part,
    /// The column of pixels that both meet at.
    pub(super) seam: u32,
    /// How many pixels less there are to look at, in whole rows of each part.
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
                let by_left = self.divide(left.cells.end - 1, left, &next.bands);
                let by_next = self.divide(next.cells.start, next, &left.bands);
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

    /// Pixels to look at, in whole rows of each part, when its rows lie as these bands say.
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
            let (bands, seam) = ([bands_of(left), bands_of(right)], left.columns.end);
            let cells = left.cells.end..right.cells.start;
            cells
                .map(|cell| {
                    let [left, right] = bands.map(|bands| self.spread(cell, bands));
                    left.to_the_left(seam) + right.to_the_right(seam)
                })
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
        (after < self.spread(cell, &own.bands).all()).then_some(seam)
    }

    /// Divides a cell between its owner, at whose edge it lies, and a neighbour with these bands; `None` when that leaves no less
    /// to look at.
    pub(super) fn divide(
        self,
        cell: usize,
        owner: &Part,
        neighbour: &[Stretch],
    ) -> Option<Divided> {
        if owner.cells.len() < 2 {
            return None;
        }
        let own = self.spread(cell, &owner.bands);
        if own.differing() < STAYED_ROWS {
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
                [neighbour, bands]
            } else {
                [bands, neighbour]
            },
        );
        let less = as_before.saturating_sub(anew) * self.pixels_of(placed.cells.clone()).len();
        let saved = (own.all() + less).checked_sub(after)?;
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

    /// The fewest pixels to look at in a cell when what lies to the left of some column goes as one part does, and what lies to the
    /// right as another, of which one may get nothing; and that column.
    pub(super) fn best_seam(self, cell: usize, bands: [&[Stretch]; 2]) -> (usize, u32) {
        let [left, right] = bands.map(|bands| self.spread(cell, bands));
        let pixels = self.pixels_of(cell..cell + 1);
        // Of equals the whole cell, and then a round number.
        let round = pixels.clone().filter(|seam| seam.is_multiple_of(ROUND_PX));
        let seams = [pixels.start, pixels.end].into_iter().chain(round);
        let seams = seams.chain(pixels);
        let to_look_at = |seam: u32| left.to_the_left(seam) + right.to_the_right(seam);
        seams
            .map(|seam| (to_look_at(seam), seam))
            .min_by_key(|&(to_look_at, _)| to_look_at)
            .expect("a cell has two edges")
    }

    /// Where in a cell rows differ that bands lay beside each other. Equal hashes are believed; rows at the bottom have those of
    /// whole rows.
    pub(super) fn spread(self, cell: usize, bands: &[Stretch]) -> Spread {
        let [baseline, current] = &self.columns[cell].hashes;
        let above = self.loaded.rows.unhashed;
        let pixels = self.pixels_of(cell..cell + 1);
        let passing = Passing::of(self.loaded);
        Spread::of(pixels.clone(), bands, |ours, theirs| {
            if baseline[ours as usize] == current[theirs as usize] {
                return None;
            }
            passing.look(ours + above, theirs + above, |before, after| {
                before.differing_part(after, pixels.clone())
            })
        })
    }

    pub(super) fn pixels_of(self, cells: Range<usize>) -> Range<u32> {
        pixels_of(&cells, self.loaded.baseline.size.width)
    }
}
