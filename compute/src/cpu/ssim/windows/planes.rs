//! Sum and difference of both lumas, laid out as columns are filtered, and which windows touch a difference.

use pulp::{Arch, Simd, WithSimd};

use crate::score::WINDOW;

use super::super::BAND;
use super::super::vectors::{Group, LANES};
use super::{COVERED, NEXT_GROUPS, PLANES};

/// Rows that the windows centred in a band cover.
pub(super) const ROWS: usize = BAND as usize + WINDOW - 1;

/// All rows of a group of columns: below each other, so that filtering them down reads on and on.
pub(super) type Column = [Group<i32>; ROWS];

/// Columns of its third group that a group of windows reaches into.
const REACHED: usize = WINDOW - 1 - LANES * (NEXT_GROUPS - 1);

/// Sum and difference of both lumas in what a run of windows covers, in units of [`crate::score::LUMA_ONE`].
#[derive(Default)]
pub(super) struct Planes {
    /// For each group of columns. What lies below the last row taken is of no run.
    pub(super) columns: [Vec<Column>; PLANES],
    differing: Vec<Differing>,
    /// Rows taken.
    rows: usize,
}

/// In which rows the lumas of a group of columns differ: the lowest bit stands for the first row.
#[derive(Clone, Copy, Default)]
struct Differing {
    anywhere: u64,
    /// In the columns that the windows two groups to the left reach into.
    reached: u64,
}

impl Planes {
    /// Makes room for so many groups of columns.
    pub(super) fn begin(&mut self, groups: usize) {
        for columns in &mut self.columns {
            columns.resize(groups, [Group::default(); ROWS]);
        }
        self.differing.clear();
        self.differing.resize(groups, Differing::default());
        self.rows = 0;
    }

    /// Takes the lumas of the next row, those of the baseline first: a group for each that there is room for.
    pub(super) fn take_row(&mut self, [baseline, current]: [&[[i32; LANES]]; 2]) {
        let [sums, differences] = &mut self.columns;
        Arch::new().dispatch(Take {
            baseline,
            current,
            row: self.rows,
            sums,
            differences,
            differing: &mut self.differing,
        });
        self.rows += 1;
    }

    /// Of the rows of centres that are wanted, for each group of windows one bit a row, those in which a window touches
    /// pixels of different luma; the others lose exactly nothing.
    pub(super) fn touching_differences(&self, wanted: &[u32]) -> Vec<u32> {
        let reached = self.differing.windows(COVERED).map(|covered| {
            let [own @ .., last] = covered else { return 0 };
            let any = own
                .iter()
                .fold(last.reached, |any, group| any | group.anywhere);
            // A window covers its centre's row and so many below, counted from its first.
            (1..WINDOW).fold(any, |rows, row| rows | any >> row)
        });
        let of_band = |rows: u64| {
            u32::try_from(rows & u64::from(u32::MAX)).expect("they were cut to 32 bits")
        };
        (wanted.iter().zip(reached))
            .map(|(&wanted, reached)| wanted & of_band(reached))
            .collect()
    }

    /// Roughly the mean of each plane.
    pub(super) fn means(&self) -> [i32; PLANES] {
        self.columns.each_ref().map(|columns| {
            // Two groups of values of each column are looked at, in other rows than beside it.
            let mut sum = 0;
            for (at, column) in columns.iter().enumerate() {
                for row in [at * 7, at * 7 + self.rows / 2] {
                    sum += (column[row % self.rows].0.iter().copied().map(i64::from)).sum::<i64>();
                }
            }
            let count = i64::try_from(2 * LANES * columns.len()).unwrap_or(i64::MAX);
            i32::try_from(sum / count.max(1)).expect("a mean is no more than the largest")
        })
    }
}

struct Take<'a> {
    baseline: &'a [[i32; LANES]],
    current: &'a [[i32; LANES]],
    row: usize,
    sums: &'a mut [Column],
    differences: &'a mut [Column],
    differing: &'a mut [Differing],
}

impl WithSimd for Take<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) {
        let lumas = self.baseline.iter().zip(self.current);
        let columns = self.sums.iter_mut().zip(self.differences);
        for (((one, other), (sums, differences)), differing) in
            lumas.zip(columns).zip(self.differing)
        {
            sums[self.row] = Group(std::array::from_fn(|lane| one[lane] + other[lane]));
            differences[self.row] = Group(std::array::from_fn(|lane| one[lane] - other[lane]));
            differing.anywhere |= u64::from(one != other) << self.row;
            differing.reached |= u64::from(one[..REACHED] != other[..REACHED]) << self.row;
        }
    }
}
