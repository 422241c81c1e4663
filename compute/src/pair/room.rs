//! Room in memory for the rows of a long pair, while they are gone through piece by piece.

use std::ops::Range;

use super::Pair;
use crate::raster::strip::STRIP_ROWS;

/// A piece of a long pair is this part of what is left in memory when rows go.
const PIECES: usize = 8;

impl Pair<'_> {
    /// Whether not all rows of both pictures may be in memory at once.
    pub(crate) fn is_long(&self) -> bool {
        let pixels = self.baseline.size.pixels() + self.current.size.pixels();
        self.is_tight || self.room.may_be_short_for(pixels)
    }

    /// Rows of the canvas that are a piece of a long pair: a strip at least, for strips are read whole.
    pub(crate) fn rows_at_once(&self) -> u32 {
        let row_pixels = self.baseline.size.width + self.current.size.width;
        let rows = self.room.left / PIECES / (4 * row_pixels as usize);
        u32::try_from(rows).map_or(u32::MAX, |rows| rows.max(STRIP_ROWS))
    }

    /// Lets rows go when too many are in memory, to be read again by whoever looks at them.
    pub(crate) fn make_room_if_full(&mut self) {
        if self.is_long() {
            let mut sides = [self.baseline.side(), self.current.side()];
            self.is_tight |= self.room.make_if_full(&mut sides);
        }
    }

    /// Lets rows go before others are looked at: as many as can go, once they did not all fit.
    pub(crate) fn make_room(&mut self) {
        if self.is_tight {
            (self.room).make(&mut [self.baseline.side(), self.current.side()]);
        } else {
            self.make_room_if_full();
        }
    }

    /// The same whenever a piece was gone through, on the way down: before row `y`, where `next` says when it is time again.
    pub(crate) fn make_room_on_the_way(&mut self, y: u32, next: &mut u32) {
        if y >= *next {
            self.make_room();
            *next = y.saturating_add(self.rows_at_once());
        }
    }

    /// What comes of so many things, in their order: of all at once, of so many at a time where not all rows may be in memory.
    pub(crate) fn piecewise<T>(
        &mut self,
        count: u32,
        at_once: u32,
        mut work: impl FnMut(&Self, Range<u32>) -> Vec<T>,
    ) -> Vec<T> {
        if !self.is_long() {
            return work(self, 0..count);
        }
        let mut results = Vec::new();
        for first in (0..count).step_by(at_once as usize) {
            self.make_room();
            results.extend(work(self, first..count.min(first.saturating_add(at_once))));
        }
        results
    }
}

#[cfg(test)]
mod tests;
