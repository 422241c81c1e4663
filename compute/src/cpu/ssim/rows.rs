//! The rows that windows cover, looked up once for all windows of a band: finding one takes longer than reading a short part of it.

use std::ops::Range;

use crate::pair::{Pair, Side};
use crate::raster::row::Row;
use crate::score::{RADIUS, mirror};

/// A stretch of a row of the canvas, and the row of a picture there.
pub(super) type Part<'p> = (Range<u32>, Option<Row<'p>>);

/// The rows of both pictures that the windows centred in some rows of the canvas cover.
pub(super) struct Rows<'p> {
    pair: &'p Pair<'p>,
    /// The uppermost, which may lie above the canvas.
    first: i64,
    /// Which of them were asked for.
    are_known: Vec<bool>,
    /// For each row what the baseline shows along it, lane by lane, and then what the current picture does.
    parts: Vec<Part<'p>>,
}

impl<'p> Rows<'p> {
    pub(super) fn around(pair: &'p Pair<'p>, centres: &Range<u32>) -> Self {
        let covered = (centres.end - centres.start + 2 * RADIUS) as usize;
        Self {
            pair,
            first: i64::from(centres.start) - i64::from(RADIUS),
            are_known: vec![false; covered],
            parts: vec![(0..0, None); covered * 2 * pair.layout.lanes.len()],
        }
    }

    pub(super) fn pair(&self) -> &'p Pair<'p> {
        self.pair
    }

    /// The number of a row of the canvas, mirrored at its edges, and what the baseline and the current picture show along it.
    pub(super) fn row(&mut self, y: i64) -> (u32, [&[Part<'p>]; 2]) {
        let at = usize::try_from(y - self.first).expect("the windows cover it");
        let y = mirror(y, self.pair.size.height);
        let lanes = self.pair.layout.lanes.len();
        let (baseline, current) = self.parts[at * 2 * lanes..][..2 * lanes].split_at_mut(lanes);
        if !std::mem::replace(&mut self.are_known[at], true) {
            for (side, parts) in [
                (Side::Baseline, &mut *baseline),
                (Side::Current, &mut *current),
            ] {
                for (to, part) in parts.iter_mut().zip(self.pair.rows_of(side, y)) {
                    *to = part;
                }
            }
        }
        (y, [baseline, current])
    }
}
