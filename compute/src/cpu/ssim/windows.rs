//! Windows filtered many at a time: down the columns first, then along the rows.

use std::sync::LazyLock;

use bytemuck::{Pod, Zeroable};
use pulp::{Arch, Simd, WithSimd};

use crate::score::{self, LUMA_ONE, Moments, WINDOW, weights};

use super::BAND;

/// Windows worked on at once: the longest vector there is, so that the sums of all quantities stay in
/// registers.
pub(super) const LANES: usize = 8;

/// Groups to the right of its own that a group of windows reaches into.
pub(super) const NEXT_GROUPS: usize = (WINDOW - 1).div_ceil(LANES);

/// Quantities that are averaged over a window: sum and difference of both lumas, and their squares.
const PLANES: usize = 4;

/// Rows that the windows centred in a band cover.
const ROWS: usize = BAND as usize + WINDOW - 1;

static WEIGHTS: LazyLock<[f64; WINDOW]> = LazyLock::new(weights);

/// Neighbouring values along a row; begins where a line of the cache does.
#[derive(Clone, Copy, Default, Pod, Zeroable)]
#[repr(C, align(64))]
pub(super) struct Group(pub(super) [f64; LANES]);

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

    /// What the windows centred in a row lose; 0 for those that are not wanted.
    pub(super) fn losses(&mut self, row: usize, wanted: &[u32]) -> &[Group] {
        let stride = PLANES * (wanted.len() + NEXT_GROUPS);
        Arch::new().dispatch(AlongRow {
            means: &self.means[row * stride..(row + 1) * stride],
            wanted,
            row,
            losses: &mut self.losses,
        });
        &self.losses
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
    fn with_simd<S: Simd>(self, _: S) {
        let weights: [f64; WINDOW] = *WEIGHTS;
        let groups = self.wanted.len() + NEXT_GROUPS;
        // One group of columns at a time, which stays in the first-level cache.
        let mut column = [[Group::default(); PLANES]; ROWS];
        for group in 0..groups {
            let readers = group.saturating_sub(NEXT_GROUPS)..(group + 1).min(self.wanted.len());
            let mut rows = (self.wanted[readers].iter()).fold(0, |any, rows| any | rows);
            let lumas = (self.baseline[group..].iter().step_by(groups))
                .zip(self.current[group..].iter().step_by(groups));
            for ((baseline, current), quantities) in lumas.zip(&mut column) {
                *quantities = quantities_of(baseline, current);
            }
            while rows != 0 {
                let row = rows.trailing_zeros() as usize;
                rows &= rows - 1;
                let Some(window) = column[row..].first_chunk::<WINDOW>() else {
                    break;
                };
                let mut means = [[0.0_f64; LANES]; PLANES];
                for (quantities, weight) in window.iter().zip(weights) {
                    for (means, values) in means.iter_mut().zip(quantities) {
                        for (mean, &value) in means.iter_mut().zip(&values.0) {
                            *mean = add_product::<S>(weight, value, *mean);
                        }
                    }
                }
                for (plane, means) in means.into_iter().enumerate() {
                    self.means[(row * PLANES + plane) * groups + group] = Group(means);
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

struct AlongRow<'a> {
    means: &'a [Group],
    wanted: &'a [u32],
    row: usize,
    losses: &'a mut [Group],
}

impl WithSimd for AlongRow<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) {
        let weights: [f64; WINDOW] = *WEIGHTS;
        let means: &[f64] = bytemuck::cast_slice(self.means);
        let planes: [&[f64]; PLANES] = {
            let mut planes = means.chunks_exact(means.len() / PLANES);
            std::array::from_fn(|_| planes.next().unwrap_or_default())
        };
        let groups = self.wanted.iter().zip(self.losses).enumerate();
        for (group, (rows, losses)) in groups {
            if rows >> self.row & 1 == 0 {
                *losses = Group::default();
                continue;
            }
            let mut moments = [[0.0_f64; LANES]; PLANES];
            for (moments, plane) in moments.iter_mut().zip(planes) {
                let Some(covered) = plane[group * LANES..].first_chunk::<{ LANES + WINDOW - 1 }>()
                else {
                    break;
                };
                for (tap, weight) in weights.into_iter().enumerate() {
                    for (lane, moment) in moments.iter_mut().enumerate() {
                        *moment = add_product::<S>(weight, covered[lane + tap], *moment);
                    }
                }
            }
            let [sums, differences, sums_squared, differences_squared] = moments;
            for (lane, loss) in losses.0.iter_mut().enumerate() {
                *loss = score::loss(Moments {
                    sum: sums[lane],
                    difference: differences[lane],
                    sum_squared: sums_squared[lane],
                    difference_squared: differences_squared[lane],
                });
            }
        }
    }
}

/// One factor times the other, plus a sum; fused where the processor can.
#[inline(always)]
fn add_product<S: Simd>(one: f64, other: f64, sum: f64) -> f64 {
    if S::IS_SCALAR {
        one * other + sum
    } else {
        one.mul_add(other, sum)
    }
}
