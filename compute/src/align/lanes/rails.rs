//! Bars at the edges of a page that share a cell with what moved beside them: a rail of icons may be narrower than a cell.
//!
//! A cell of which one part stayed and the other moved is matched the one way here and the other there. At an edge it is divided
//! where what lies outside shows that it stayed in its place.

use crate::align::run::length;
use crate::align::stretch::{Stretch, push};
use crate::align::{STAYED_ROWS, place_in_order};

use super::seams::{Cells, Divided};
use super::{Column, Part};

/// Cells of a bar that is looked for so; wider ones are groups of columns.
const MAX_RAIL_CELLS: usize = 8;

/// Of so many rows of a bar that differ if it moved, one at most may differ if it stayed.
const ROWS_AN_EDIT: usize = 4;

/// A side of the page.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Edge {
    Left,
    Right,
}

impl Cells<'_> {
    /// The parts of a page from left to right, bars that stayed at its edges being parts of their own.
    pub(super) fn with_rails(self, mut parts: Vec<Part>) -> Vec<Part> {
        self.part_rail(&mut parts, Edge::Right);
        parts.reverse();
        self.part_rail(&mut parts, Edge::Left);
        parts.reverse();
        parts
    }

    /// Whether nothing differs in a bar that shares its only cell, where something does as whole rows are laid.
    pub(super) fn rail_explains_all(self, parts: &[Part], whole: &[Stretch]) -> bool {
        let explains_all = |rail: &Part, edge: Edge| {
            if !rail.cells.is_empty() {
                return false;
            }
            let cell = edge.cell(self.columns);
            let seam = edge.inner([rail.columns.start, rail.columns.end]);
            let [own, as_whole] =
                [&rail.bands, whole].map(|bands| self.differing_outside((cell, seam), bands, edge));
            own == 0 && as_whole >= STAYED_ROWS
        };
        let [left, .., right] = parts else {
            return false;
        };
        explains_all(left, Edge::Left) || explains_all(right, Edge::Right)
    }

    /// The rows of a column of cells, of which none moved but those at the bottom that are the same in all columns.
    pub(super) fn stayed(self, cell: usize) -> Vec<Stretch> {
        let hashes = &self.columns[cell].hashes;
        let [ours, theirs] = hashes
            .each_ref()
            .map(|rows| &rows[..rows.len() - self.below]);
        let below = length(&hashes[0][ours.len()..]);
        let mut bands = place_in_order(ours, theirs);
        push(&mut bands, below, Some(length(ours)), Some(length(theirs)));
        bands
    }

    /// Parts a bar from what moved beside it in a cell at or near an edge; the last part is the one that lies there.
    fn part_rail(self, parts: &mut Vec<Part>, edge: Edge) {
        let cell = edge.cell(self.columns);
        let stayed = self.stayed(cell);
        let Some((outermost, others)) = parts.split_last_mut() else {
            return;
        };
        if outermost.cells.len() > 1 {
            if let Some((cell, divided)) = self.divided_outside(outermost, &stayed, edge) {
                *outermost = divided.owner;
                self.put_rail(parts, stayed, (cell, divided.seam), edge);
            }
        } else if let Some(inner) = others.last()
            && outermost.cells.contains(&cell)
            && inner.cells.contains(&edge.cell_beside(cell))
        {
            let (after, seam) = self.best_seam(cell, edge.left_to_right([&stayed, &inner.bands]));
            if after < self.spread(cell, &outermost.bands).all()
                && self.has_stayed((cell, seam), [&stayed, &inner.bands], edge)
            {
                parts.pop();
                self.put_rail(parts, stayed, (cell, seam), edge);
            }
        }
    }

    /// Divides the outermost cell of a part where what lies outside has stayed.
    fn stayed_outside(
        self,
        cell: usize,
        part: &Part,
        stayed: &[Stretch],
        edge: Edge,
    ) -> Option<Divided> {
        let divided = self.divide(cell, part, stayed)?;
        let bands = [stayed, &divided.owner.bands];
        (self.has_stayed((cell, divided.seam), bands, edge)).then_some(divided)
    }

    /// The same from the edge inwards, as long as all of a cell has stayed or shows nothing that moved; and which cell is divided.
    fn divided_outside(
        self,
        outermost: &Part,
        stayed: &[Stretch],
        edge: Edge,
    ) -> Option<(usize, Divided)> {
        let mut found = None;
        let mut without = None;
        for _ in 0..MAX_RAIL_CELLS {
            let part: &Part = without.as_ref().unwrap_or(outermost);
            if part.cells.len() < 2 {
                break;
            }
            let (cell, rest) = match edge {
                Edge::Left => (part.cells.start, part.cells.start + 1..part.cells.end),
                Edge::Right => (part.cells.end - 1, part.cells.start..part.cells.end - 1),
            };
            let goes_on = if let Some(divided) = self.stayed_outside(cell, part, stayed, edge) {
                let columns = self.pixels_of(cell..cell + 1);
                let is_whole = divided.seam == edge.inner([columns.start, columns.end]);
                found = Some((cell, divided));
                is_whole
            } else {
                self.spread(cell, stayed).differing() == 0
            };
            if !goes_on {
                break;
            }
            without = Some(Part {
                columns: outermost.columns.clone(),
                ..Part::placed(self.loaded, self.columns, rest)
            });
        }
        found
    }

    /// Whether what lies outside of a seam in a cell differs when it goes with what is inside, and hardly when it stays.
    fn has_stayed(
        self,
        (cell, seam): (usize, u32),
        [stayed, inner]: [&[Stretch]; 2],
        edge: Edge,
    ) -> bool {
        let [if_stayed, if_moved] =
            [stayed, inner].map(|bands| self.differing_outside((cell, seam), bands, edge));
        if_moved >= STAYED_ROWS && if_stayed * ROWS_AN_EDIT <= if_moved
    }

    /// Pairs of rows that differ outside of a seam in a cell.
    fn differing_outside(self, (cell, seam): (usize, u32), bands: &[Stretch], edge: Edge) -> usize {
        edge.outer(self.spread(cell, bands).differing_beside(seam))
    }

    /// Puts a bar behind the last part, with which it shares a cell up to a seam.
    pub(super) fn put_rail(
        self,
        parts: &mut Vec<Part>,
        bands: Vec<Stretch>,
        (cell, seam): (usize, u32),
        edge: Edge,
    ) {
        let all = self.columns.len();
        let inner = parts.last_mut().expect("a bar has something beside it");
        let (cells, columns) = match edge {
            Edge::Left => {
                inner.columns.start = seam;
                (0..cell, 0..seam)
            }
            Edge::Right => {
                inner.columns.end = seam;
                (cell + 1..all, seam..self.pixels_of(0..all).end)
            }
        };
        parts.push(Part {
            cells,
            columns,
            hashes: self.columns[edge.cell(self.columns)].hashes.clone(),
            bands,
            is_foreign: false,
        });
    }
}

impl Edge {
    /// The cell that lies there.
    pub(super) fn cell(self, columns: &[Column]) -> usize {
        match self {
            Self::Left => 0,
            Self::Right => columns.len() - 1,
        }
    }

    /// The cell beside that.
    fn cell_beside(self, cell: usize) -> usize {
        match self {
            Self::Left => cell + 1,
            Self::Right => cell - 1,
        }
    }

    /// Of what is at the left and what is at the right that which lies towards the edge.
    pub(super) fn outer<T>(self, [left, right]: [T; 2]) -> T {
        match self {
            Self::Left => left,
            Self::Right => right,
        }
    }

    /// The same for that which lies away from it.
    fn inner<T>(self, [left, right]: [T; 2]) -> T {
        self.outer([right, left])
    }

    /// What belongs to the outer part and what to the inner one, from left to right.
    fn left_to_right<T>(self, [outer, inner]: [T; 2]) -> [T; 2] {
        match self {
            Self::Left => [outer, inner],
            Self::Right => [inner, outer],
        }
    }
}
