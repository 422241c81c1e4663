//! Room in memory for the rows of a long pair, while they are gone through piece by piece.

use std::ops::Range;

use super::Pair;

/// A piece of a long pair is this part of what is left in memory when rows go.
const PIECES: usize = 8;

impl Pair<'_> {
    /// Whether not all rows of both pictures may be in memory at once.
    pub(crate) fn is_long(&self) -> bool {
        let bytes = 4 * self.row_pixels() * u64::from(self.size.height);
        self.is_tight || bytes > self.room.most as u64
    }

    /// Rows of the canvas that are a piece of a long pair.
    pub(crate) fn rows_at_once(&self) -> u32 {
        let rows = (self.room.left / PIECES) as u64 / (4 * self.row_pixels());
        u32::try_from(rows.max(1)).unwrap_or(u32::MAX)
    }

    /// Pixels of both pictures in a row of the canvas.
    fn row_pixels(&self) -> u64 {
        u64::from(self.baseline.size.width) + u64::from(self.current.size.width)
    }

    /// Lets rows go when too many are in memory, to be read again by whoever looks at them.
    pub(crate) fn make_room_if_full(&mut self) {
        self.is_tight |= (self.room).make_if_full([self.baseline.side(), self.current.side()]);
    }

    /// Lets rows go before others are looked at: as many as can go, once they did not all fit.
    pub(crate) fn make_room(&mut self) {
        if self.is_tight {
            (self.room).make([self.baseline.side(), self.current.side()]);
        } else {
            self.make_room_if_full();
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
