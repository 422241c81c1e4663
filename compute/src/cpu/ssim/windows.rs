//! Windows filtered many at a time: down the columns first, then along the rows.

use std::ops::Range;

use pulp::{Simd, WithSimd};

use crate::score::{self, LUMA_ONE, Moment, Moments, WINDOW};

use super::BAND;
use super::vectors::{Group, LANES, dispatch, vector, vectors_mut, weighted, weights};

/// Groups to the right of its own that a group of windows reaches into.
pub(super) const NEXT_GROUPS: usize = (WINDOW - 1).div_ceil(LANES);

/// Groups that the windows of a group cover.
const COVERED: usize = 1 + NEXT_GROUPS;

/// Rows of centres that have one pivot in a group of columns: what both quantities are counted from. It is near to that of a
/// pixel which lies in all windows centred in them, so that what is squared is small wherever little varies, and rounds to
/// little.
pub(super) const BLOCK: usize = 8;

/// Where the pixels that lie in all those windows are: below the block's first row, and in the second of the groups that
/// windows cover.
const SHARED_ROWS: Range<usize> = BLOCK - 1..WINDOW;
const SHARED_LANES: Range<usize> = 0..WINDOW - LANES;

/// Pivots are multiples of this, in units of [`LUMA_ONE`], so that most neighbours have the same: the square of half of it
/// rounds by about a ten-millionth of C2.
const PIVOT_STEP: i32 = 32 * LUMA_ONE;

/// What is averaged over a window, beside the squares: sum and difference of both lumas.
const QUANTITIES: usize = 2;
const PLANES: usize = 2 * QUANTITIES;

/// What a run of windows covers, and what has been made of it.
#[derive(Default)]
pub(super) struct Windows {
    /// Lumas of both pictures in units of [`LUMA_ONE`], row after row, from the topmost row and the
    /// leftmost column that the first window covers on. Rows are whole groups: one for each group of
    /// windows and [`NEXT_GROUPS`] more.
    pub(super) lumas: [Vec<i32>; 2],
    /// Means down the columns: for each row of centres, each quantity along the row, then its square.
    means: Vec<Group>,
    /// For each block of rows of centres and each group of columns, what the quantities are counted from there, in units of
    /// [`LUMA_ONE`].
    pivots: Vec<[i32; QUANTITIES]>,
    /// What the windows centred in one row lose.
    losses: Vec<Group>,
}

impl Windows {
    /// Of the rows of centres that are wanted, for each group of windows one bit a row, those in which a window touches
    /// pixels of different luma; the others lose exactly nothing.
    pub(super) fn touching_differences(&self, wanted: &[u32]) -> Vec<u32> {
        let groups = wanted.len() + NEXT_GROUPS;
        let mut differing = vec![Differing::default(); groups];
        let [baseline, current] = &self.lumas;
        dispatch(FindDifferences {
            baseline: baseline.as_chunks().0,
            current: current.as_chunks().0,
            differing: &mut differing,
        });
        let covered = differing.windows(1 + NEXT_GROUPS);
        let reached = covered.map(|covered| {
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

    /// Filters down the columns, for the rows of centres that are wanted: for each group of windows one
    /// bit a row.
    pub(super) fn filter_columns(&mut self, wanted: &[u32]) {
        let groups = wanted.len() + NEXT_GROUPS;
        let room = BAND as usize * PLANES * groups;
        if self.means.len() < room {
            self.means.resize(room, Group::default());
        }
        self.losses.resize(wanted.len(), Group::default());
        let blocks = (BAND as usize).div_ceil(BLOCK);
        self.pivots.resize(blocks * groups, [0; QUANTITIES]);
        let [baseline, current] = &self.lumas;
        dispatch(DownColumns {
            baseline: baseline.as_chunks().0,
            current: current.as_chunks().0,
            wanted,
            means: &mut self.means,
            pivots: &mut self.pivots,
        });
    }

    /// What the windows centred in a row lose; 0 for those that are not wanted. Those of some groups are added to the sums.
    pub(super) fn losses(
        &mut self,
        row: usize,
        wanted: &[u32],
        summed: Range<usize>,
        sums: &mut [f64; LANES],
    ) -> &[Group] {
        let groups = wanted.len() + NEXT_GROUPS;
        let (stride, block) = (PLANES * groups, row / BLOCK);
        dispatch(AlongRow {
            means: &self.means[row * stride..(row + 1) * stride],
            pivots: &self.pivots[block * groups..(block + 1) * groups],
            wanted,
            row,
            losses: &mut self.losses,
        });
        dispatch(AddUp {
            losses: &self.losses[summed],
            sums,
        });
        &self.losses
    }
}

/// In which rows the lumas of a group of columns differ: the lowest bit stands for the first row.
#[derive(Clone, Copy, Default)]
struct Differing {
    anywhere: u64,
    /// In the columns that the windows two groups to the left reach into.
    reached: u64,
}

struct FindDifferences<'a> {
    baseline: &'a [[i32; LANES]],
    current: &'a [[i32; LANES]],
    differing: &'a mut [Differing],
}

impl WithSimd for FindDifferences<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) {
        const REACHED: usize = WINDOW - 1 - LANES * (NEXT_GROUPS - 1);
        let groups = self.differing.len();
        let rows = (self.baseline.chunks_exact(groups)).zip(self.current.chunks_exact(groups));
        for (row, (baseline, current)) in rows.enumerate() {
            for ((one, other), differing) in baseline.iter().zip(current).zip(&mut *self.differing)
            {
                differing.anywhere |= u64::from(one != other) << row;
                differing.reached |= u64::from(one[..REACHED] != other[..REACHED]) << row;
            }
        }
    }
}

struct DownColumns<'a> {
    baseline: &'a [[i32; LANES]],
    current: &'a [[i32; LANES]],
    wanted: &'a [u32],
    means: &'a mut [Group],
    pivots: &'a mut [[i32; QUANTITIES]],
}

impl WithSimd for DownColumns<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) {
        let weights = weights(simd);
        let groups = self.wanted.len() + NEXT_GROUPS;
        // One block of a group of columns at a time, which stays in the first-level cache.
        let mut column = [[Group::default(); PLANES]; BLOCK + WINDOW - 1];
        for group in 0..groups {
            let readers = group.saturating_sub(NEXT_GROUPS)..(group + 1).min(self.wanted.len());
            let rows = (self.wanted[readers].iter()).fold(0, |any, rows| any | rows);
            for (block, pivots) in self.pivots.chunks_exact_mut(groups).enumerate() {
                let first = block * BLOCK;
                let mut rows = rows >> first & ((1 << BLOCK) - 1);
                if rows == 0 {
                    continue;
                }
                let from = first * groups + group;
                let lumas = (self.baseline[from..].iter().step_by(groups))
                    .zip(self.current[from..].iter().step_by(groups));
                let pivot = pivot_of(lumas.clone());
                pivots[group] = pivot;
                for ((baseline, current), quantities) in lumas.zip(&mut column) {
                    *quantities = quantities_of(baseline, current, pivot);
                }
                while rows != 0 {
                    let row = rows.trailing_zeros() as usize;
                    rows &= rows - 1;
                    let Some(window) = column[row..].first_chunk::<WINDOW>() else {
                        break;
                    };
                    let to = (first + row) * PLANES * groups + group;
                    let planes = self.means[to..].iter_mut().step_by(groups);
                    for (plane, means) in planes.take(PLANES).enumerate() {
                        let means = vectors_mut::<S>(&mut means.0);
                        for (at, means) in (0..).step_by(S::F32_LANES).zip(means) {
                            *means = weighted(simd, &weights, |tap| {
                                vector::<S>(&window[tap][plane].0, at)
                            });
                        }
                    }
                }
            }
        }
    }
}

/// What the quantities of a block are counted from: the lightest of the pixels that all windows share, and no difference where
/// one of them has nearly none.
#[inline(always)]
fn pivot_of<'l>(
    rows: impl Iterator<Item = (&'l [i32; LANES], &'l [i32; LANES])> + Clone,
) -> [i32; QUANTITIES] {
    let shared = rows.take(SHARED_ROWS.end).skip(SHARED_ROWS.start);
    let (mut lightest, mut least) = ([0; LANES], [i32::MAX; LANES]);
    for (baseline, current) in shared.clone() {
        for lane in 0..LANES {
            lightest[lane] = lightest[lane].max(baseline[lane] + current[lane]);
            least[lane] = least[lane].min((baseline[lane] - current[lane]).abs());
        }
    }
    let lightest = lightest[SHARED_LANES]
        .iter()
        .fold(0, |most, &sum| most.max(sum));
    let least = least[SHARED_LANES]
        .iter()
        .fold(i32::MAX, |least, &other| least.min(other));
    let stepped = |value: i32| (value + PIVOT_STEP / 2) / PIVOT_STEP * PIVOT_STEP;
    let of_differences = stepped(least);
    let is_negative = of_differences != 0
        && shared
            .flat_map(|(one, other)| SHARED_LANES.map(|lane| one[lane] - other[lane]))
            .any(|difference| -difference == least);
    [
        stepped(lightest),
        if is_negative {
            -of_differences
        } else {
            of_differences
        },
    ]
}

/// The quantities of neighbouring pixels.
#[inline(always)]
fn quantities_of(
    baseline: &[i32; LANES],
    current: &[i32; LANES],
    [of_sums, of_differences]: [i32; QUANTITIES],
) -> [Group; PLANES] {
    let (mut sums, mut differences) = ([0.0; LANES], [0.0; LANES]);
    for lane in 0..LANES {
        sums[lane] = scaled(baseline[lane] + current[lane] - of_sums);
        differences[lane] = scaled(baseline[lane] - current[lane] - of_differences);
    }
    let squared = |value: f32| value * value;
    [
        sums,
        sums.map(squared),
        differences,
        differences.map(squared),
    ]
    .map(Group)
}

/// Luma in steps of 0..255.
#[inline(always)]
fn scaled(luma: i32) -> f32 {
    luma as f32 * (1.0 / LUMA_ONE as f32)
}

struct AlongRow<'a> {
    means: &'a [Group],
    pivots: &'a [[i32; QUANTITIES]],
    wanted: &'a [u32],
    row: usize,
    losses: &'a mut [Group],
}

impl WithSimd for AlongRow<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) {
        let weights = weights(simd);
        let planes: [&[Group]; PLANES] = {
            let mut planes = self.means.chunks_exact(self.means.len() / PLANES);
            [(); PLANES].map(|()| planes.next().unwrap_or_default())
        };
        let mut moved = [[Group::default(); COVERED]; PLANES];
        let groups = self.wanted.iter().zip(self.losses).enumerate();
        for (group, (rows, losses)) in groups {
            if rows >> self.row & 1 == 0 {
                *losses = Group::default();
                continue;
            }
            let pivots = &self.pivots[group..group + COVERED];
            let mut covered = planes.map(|plane| &plane[group..group + COVERED]);
            if pivots.iter().any(|pivot| *pivot != pivots[1]) {
                for (quantity, moved) in moved.chunks_exact_mut(2).enumerate() {
                    let [means, of_squares] = [covered[2 * quantity], covered[2 * quantity + 1]];
                    for at in 0..COVERED {
                        let below = scaled(pivots[at][quantity] - pivots[1][quantity]);
                        let (means, of_squares) = (&means[at].0, &of_squares[at].0);
                        moved[0][at].0 = std::array::from_fn(|lane| means[lane] + below);
                        moved[1][at].0 = std::array::from_fn(|lane| {
                            of_squares[lane] + below * (2.0 * means[lane] + below)
                        });
                    }
                }
                covered = moved.each_ref().map(|plane| &plane[..]);
            }
            let covered = covered.map(bytemuck::cast_slice);
            for (at, losses) in (0..)
                .step_by(S::F32_LANES)
                .zip(vectors_mut::<S>(&mut losses.0))
            {
                let [sum, sum_squared, difference, difference_squared] = covered
                    .map(|plane| weighted(simd, &weights, |tap| vector::<S>(plane, at + tap)));
                let moment = |quantity: usize, mean, mean_of_squares| Moment {
                    pivot: simd.splat_f32s(scaled(pivots[1][quantity])),
                    mean,
                    mean_of_squares,
                };
                let moments = Moments {
                    sum: moment(0, sum, sum_squared),
                    difference: moment(1, difference, difference_squared),
                };
                *losses = score::loss(simd, moments);
            }
        }
    }
}

struct AddUp<'a> {
    losses: &'a [Group],
    sums: &'a mut [f64; LANES],
}

impl WithSimd for AddUp<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) {
        let mut sums = *self.sums;
        for losses in self.losses {
            for (sum, &loss) in sums.iter_mut().zip(&losses.0) {
                *sum += f64::from(loss);
            }
        }
        *self.sums = sums;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const GROUPS: usize = 5;
    const WANTED: [u32; GROUPS] = [u32::MAX, 0x0f0f_0f0f, u32::MAX, 0, 1 << 31 | 1];

    #[test]
    fn exactly_the_windows_that_touch_a_difference_are_looked_at() {
        let (stride, rows) = ((GROUPS + NEXT_GROUPS) * LANES, BAND as usize + WINDOW - 1);
        let covers = |group: usize, row: usize, (x, y): (usize, usize)| {
            let columns = group * LANES..group * LANES + LANES + WINDOW - 1;
            columns.contains(&x) && (row..row + WINDOW).contains(&y)
        };
        for at in (0..stride * rows).step_by(3) {
            let mut windows = Windows {
                lumas: [vec![7; stride * rows], vec![7; stride * rows]],
                ..Windows::default()
            };
            windows.lumas[at % 2][at] = 8;
            let expected = std::array::from_fn::<u32, GROUPS, _>(|group| {
                let touches = |row: &u32| covers(group, *row as usize, (at % stride, at / stride));
                let rows = (0..BAND).filter(touches);
                WANTED[group] & rows.fold(0, |rows, row| rows | 1 << row)
            });
            assert_eq!(windows.touching_differences(&WANTED), expected, "{at}");
        }
    }
}
