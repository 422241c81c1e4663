//! Windows filtered many at a time: down the columns first, then along the rows.

#[cfg(target_arch = "x86_64")]
mod x86;

use pulp::{Arch, Simd, WithSimd};

use crate::score::{self, LUMA_ONE, Moments, WINDOW};

use super::BAND;
use super::vectors::{Group, LANES, vector, vectors_mut, weighted, weights};

/// Groups to the right of its own that a group of windows reaches into.
pub(super) const NEXT_GROUPS: usize = (WINDOW - 1).div_ceil(LANES);

/// Quantities that are averaged over a window: sum and difference of both lumas, and their squares.
const PLANES: usize = 4;

/// Rows that the windows centred in a band cover.
const ROWS: usize = BAND as usize + WINDOW - 1;

/// Windows below each other that are filtered down a column together: most of what they cover is the same, and reading it
/// takes longer than multiplying it.
const AT_ONCE: usize = 4;
const _: () = assert!(AT_ONCE <= BAND as usize);

/// What a run of windows covers, and what has been made of it.
#[derive(Default)]
pub(super) struct Windows {
    /// Lumas of both pictures in units of [`LUMA_ONE`], row after row, from the topmost row and the
    /// leftmost column that the first window covers on. Rows are whole groups: one for each group of
    /// windows and [`NEXT_GROUPS`] more.
    pub(super) lumas: [Vec<i32>; 2],
    /// Means down the columns: for each row of centres, each quantity along the row.
    means: Vec<Group>,
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
        Arch::new().dispatch(FindDifferences {
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
        let [baseline, current] = &self.lumas;
        Arch::new().dispatch(DownColumns {
            baseline: baseline.as_chunks().0,
            current: current.as_chunks().0,
            wanted,
            means: &mut self.means,
        });
    }

    /// Adds up what the windows centred in a row lose, one sum for each place in a group; those that are not wanted lose 0.
    /// That is done for so many groups from the first on; what the windows behind them lose is handed out.
    pub(super) fn add_losses(
        &mut self,
        row: usize,
        wanted: &[u32],
        summed: usize,
        sums: &mut [f64; LANES],
    ) -> &[Group] {
        let stride = PLANES * (wanted.len() + NEXT_GROUPS);
        AlongRow {
            means: &self.means[row * stride..(row + 1) * stride],
            wanted,
            row,
            losses: &mut self.losses,
        }
        .measure();
        let (to_sum, others) = self.losses.split_at(summed);
        for losses in to_sum {
            for (sum, loss) in sums.iter_mut().zip(losses.0) {
                *sum += loss;
            }
        }
        others
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
}

impl WithSimd for DownColumns<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) {
        let weights = weights(simd);
        let groups = self.wanted.len() + NEXT_GROUPS;
        // One group of columns at a time, which stays in the first-level cache.
        let mut column = [[Group::default(); PLANES]; ROWS];
        for group in 0..groups {
            let readers = group.saturating_sub(NEXT_GROUPS)..(group + 1).min(self.wanted.len());
            let mut rows = (self.wanted[readers].iter()).fold(0, |any, rows| any | rows);
            if rows == 0 {
                continue;
            }
            let lumas = (self.baseline[group..].iter().step_by(groups))
                .zip(self.current[group..].iter().step_by(groups));
            for ((baseline, current), quantities) in lumas.zip(&mut column) {
                *quantities = quantities_of(baseline, current);
            }
            while rows != 0 {
                // Nobody reads the means of rows among these that are not wanted.
                let first = (rows.trailing_zeros() as usize).min(BAND as usize - AT_ONCE);
                rows &= !(((1 << AT_ONCE) - 1) << first);
                let Some(covered) = column[first..].first_chunk::<{ WINDOW - 1 + AT_ONCE }>()
                else {
                    break;
                };
                for plane in 0..PLANES {
                    for at in (0..LANES).step_by(S::F64_LANES) {
                        let values = covered.each_ref().map(|row| vector::<S>(&row[plane].0, at));
                        for row in 0..AT_ONCE {
                            let to = ((first + row) * PLANES + plane) * groups + group;
                            let means = vectors_mut::<S>(&mut self.means[to].0);
                            means[at / S::F64_LANES] =
                                weighted(simd, &weights, |tap| values[row + tap]);
                        }
                    }
                }
            }
        }
    }
}

/// The quantities of neighbouring pixels.
#[inline(always)]
fn quantities_of(baseline: &[i32; LANES], current: &[i32; LANES]) -> [Group; PLANES] {
    let (mut sums, mut differences) = ([0.0; LANES], [0.0; LANES]);
    for lane in 0..LANES {
        sums[lane] = scaled(baseline[lane] + current[lane]);
        differences[lane] = scaled(baseline[lane] - current[lane]);
    }
    let squared = |value: f64| value * value;
    [
        sums,
        differences,
        sums.map(squared),
        differences.map(squared),
    ]
    .map(Group)
}

/// Luma in steps of 0..255.
#[inline(always)]
fn scaled(luma: i32) -> f64 {
    f64::from(luma) * (1.0 / f64::from(LUMA_ONE))
}

/// The means of a quantity each.
impl<V> From<[V; PLANES]> for Moments<V> {
    #[inline(always)]
    fn from([sum, difference, sum_squared, difference_squared]: [V; PLANES]) -> Self {
        Self {
            sum,
            difference,
            sum_squared,
            difference_squared,
        }
    }
}

/// Measures the windows centred in a row, by their means down the columns.
struct AlongRow<'a> {
    means: &'a [Group],
    wanted: &'a [u32],
    row: usize,
    losses: &'a mut [Group],
}

impl<'a> AlongRow<'a> {
    fn measure(self) {
        #[cfg(target_arch = "x86_64")]
        if let Some(simd) = pulp::x86::V4::try_new() {
            return simd.vectorize(x86::Along { simd, row: self });
        }
        Arch::new().dispatch(self);
    }

    /// The means of each quantity.
    #[inline(always)]
    fn planes(&self) -> [&'a [Group]; PLANES] {
        let mut planes = self.means.chunks_exact(self.means.len() / PLANES);
        std::array::from_fn(|_| planes.next().unwrap_or_default())
    }
}

impl WithSimd for AlongRow<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) {
        let weights = weights(simd);
        let planes: [&[f64]; PLANES] = self.planes().map(bytemuck::cast_slice);
        let groups = self.wanted.iter().zip(self.losses).enumerate();
        for (group, (rows, losses)) in groups {
            if rows >> self.row & 1 == 0 {
                *losses = Group::default();
                continue;
            }
            let losses = vectors_mut::<S>(&mut losses.0);
            for (at, losses) in (group * LANES..).step_by(S::F64_LANES).zip(losses) {
                let means = planes
                    .map(|plane| weighted(simd, &weights, |tap| vector::<S>(plane, at + tap)));
                *losses = score::loss(simd, means.into());
            }
        }
    }
}

#[cfg(test)]
mod tests;
