//! Where along a cell rows differ that bands lay beside each other.

use std::ops::Range;

use crate::align::run::Run;
use crate::align::stretch::{Stretch, lone_rows, paired};

/// How the differences of rows spread along some columns.
pub(super) struct Spread {
    columns: Range<u32>,
    /// Rows that one picture alone has.
    lone: usize,
    /// Pairs of rows that differ within the first of these columns, for each number of them.
    within_first: Vec<usize>,
    /// Pairs of rows that differ from a column on, for each of them and the end.
    from_on: Vec<usize>,
}

impl Spread {
    /// Rows laid as bands say; `differing` tells from which column on to which one two rows differ.
    pub(super) fn of(
        columns: Range<u32>,
        bands: &[Stretch],
        differing: impl Fn(u32, u32) -> Option<Range<u32>>,
    ) -> Self {
        let width = columns.len();
        let (mut within_first, mut from_on) = (vec![0; width + 1], vec![0; width + 1]);
        let place = |column: u32| (column - columns.start) as usize;
        for (ours, theirs) in paired(bands).flat_map(Run::pairs) {
            if let Some(differing) = differing(ours, theirs) {
                within_first[place(differing.start) + 1] += 1;
                from_on[place(differing.end) - 1] += 1;
            }
        }
        for at in 0..width {
            within_first[at + 1] += within_first[at];
            from_on[width - 1 - at] += from_on[width - at];
        }
        Self {
            lone: lone_rows(bands),
            columns,
            within_first,
            from_on,
        }
    }

    /// Pairs of rows that differ.
    pub(super) fn differing(&self) -> usize {
        self.from_on[0]
    }

    /// The same on either side of a column.
    pub(super) fn differing_beside(&self, column: u32) -> [usize; 2] {
        let at = (column - self.columns.start) as usize;
        [self.within_first[at], self.from_on[at]]
    }

    /// Pairs of rows that differ before a column or in it, and in it or behind it.
    pub(super) fn differing_at(&self, column: u32) -> usize {
        let at = (column - self.columns.start) as usize;
        self.within_first[at + 1] + self.from_on[at] - self.differing()
    }

    /// Pixels to look at: whole rows of these columns.
    pub(super) fn all(&self) -> usize {
        self.to_the_left(self.columns.end)
    }

    /// The same to the left of a column.
    pub(super) fn to_the_left(&self, column: u32) -> usize {
        let width = (column - self.columns.start) as usize;
        (self.lone + self.within_first[width]) * width
    }

    /// The same from a column on.
    pub(super) fn to_the_right(&self, column: u32) -> usize {
        let first = (column - self.columns.start) as usize;
        (self.lone + self.from_on[first]) * (self.columns.len() - first)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_side_of_a_column_is_what_rows_differ_in_there() {
        // Of five pairs one is the same; two rows are in one picture alone.
        let bands = [
            (3, Some(0), Some(0)),
            (2, None, Some(3)),
            (2, Some(3), Some(5)),
        ];
        let bands = bands.map(|(rows, baseline, current)| Stretch {
            rows,
            baseline,
            current,
        });
        let differing = [Some(10..11), None, Some(13..14), Some(10..14), Some(11..13)];
        let of_pair = |ours: u32, theirs: u32| {
            assert_eq!(theirs, if ours < 3 { ours } else { ours + 2 });
            differing[ours as usize].clone()
        };
        let spread = Spread::of(10..14, &bands, of_pair);
        assert_eq!(spread.differing(), 4);
        assert_eq!(spread.all(), 6 * 4);
        let left = (10..=14).map(|column| spread.to_the_left(column));
        assert_eq!(left.collect::<Vec<_>>(), [0, 4, 5 * 2, 5 * 3, 6 * 4]);
        assert_eq!(spread.differing_beside(13), [3, 2]);
        let at = (10..14).map(|column| spread.differing_at(column));
        assert_eq!(at.collect::<Vec<_>>(), [2, 2, 2, 2]);
        let right = (10..=14).map(|column| spread.to_the_right(column));
        assert_eq!(right.collect::<Vec<_>>(), [6 * 4, 5 * 3, 5 * 2, 4, 0]);
    }
}
