//! Columns filtered down: means and variances of what windows below each other cover of them.

use pulp::Simd;

use crate::score::{LUMA_ONE, Moments, WINDOW};

use super::super::BAND;
use super::super::vectors::{Group, LANES, vector, vectors_mut, weighted};
use super::{PLANES, variance};

/// Windows below each other that are filtered down a column together: most of what they cover is the same, and reading it
/// takes longer than multiplying it.
pub(super) const BLOCK: usize = 4;
const _: () = assert!(BLOCK <= BAND as usize);

/// Rows that they cover.
const ROWS: usize = BLOCK + WINDOW - 1;

/// The rows whose mean the others are counted from: one weighs at least 0.21 in each window, the other at least 0.1.
const LEVEL_ROWS: [usize; 2] = [ROWS / 2 - 1, ROWS / 2];

/// What the columns of a group have over the rows of a block, counted from a level that is each column's own.
#[derive(Default)]
pub(super) struct Block {
    /// Counted from the origin of the run.
    levels: [Group; PLANES],
    beyond: [[Group; ROWS]; PLANES],
    squares: [[Group; ROWS]; PLANES],
}

impl Block {
    /// Takes the lumas of both pictures, whose rows are so many groups apart. Beyond the last there is nothing that a wanted window
    /// covers. `origin` is that of the run, for sum and difference.
    #[inline(always)]
    pub(super) fn fill(
        &mut self,
        [ours, theirs]: [&[[i32; LANES]]; 2],
        stride: usize,
        origin: [i32; PLANES],
    ) {
        let rows = ours.len().div_ceil(stride);
        let lumas = |row: usize| (&ours[row * stride], &theirs[row * stride]);
        let [above, below] = LEVEL_ROWS.map(lumas);
        let ours: [i32; LANES] = std::array::from_fn(|lane| above.0[lane] + below.0[lane]);
        let theirs: [i32; LANES] = std::array::from_fn(|lane| above.1[lane] + below.1[lane]);
        let of_two_rows: [[i32; LANES]; PLANES] = [
            std::array::from_fn(|lane| ours[lane] + theirs[lane]),
            std::array::from_fn(|lane| ours[lane] - theirs[lane]),
        ];
        let levels = of_two_rows.map(|sums| sums.map(|sum| sum / 2));
        for ((kept, levels), origin) in self.levels.iter_mut().zip(&levels).zip(origin) {
            *kept = Group(levels.map(|level| scaled(level - origin)));
        }
        for row in 0..ROWS.min(rows) {
            let (one, other) = lumas(row);
            let [beyond_sum, beyond_difference] = &mut self.beyond;
            let beyond = &mut beyond_sum[row].0;
            for lane in 0..LANES {
                beyond[lane] = scaled(one[lane] + other[lane] - levels[0][lane]);
            }
            let beyond = &mut beyond_difference[row].0;
            for lane in 0..LANES {
                beyond[lane] = scaled(one[lane] - other[lane] - levels[1][lane]);
            }
            for plane in 0..PLANES {
                for lane in 0..LANES {
                    let beyond = self.beyond[plane][row].0[lane];
                    self.squares[plane][row].0[lane] = beyond * beyond;
                }
            }
        }
    }

    /// Means, counted from the origin, and variances down the columns of the block's windows.
    #[inline(always)]
    pub(super) fn average<S: Simd>(
        &self,
        simd: S,
        weights: &[S::f32s; WINDOW],
        columns: &mut [[Moments<Group>; PLANES]; BLOCK],
    ) {
        for plane in 0..PLANES {
            for part in 0..LANES / S::F32_LANES {
                let at = part * S::F32_LANES;
                let of = |values: &[Group; ROWS]| -> [S::f32s; BLOCK] {
                    weighted(simd, weights, |row| vector::<S>(&values[row].0, at))
                };
                let (means, squares) = (of(&self.beyond[plane]), of(&self.squares[plane]));
                let level = vector::<S>(&self.levels[plane].0, at);
                for ((columns, mean), squares) in columns.iter_mut().zip(means).zip(squares) {
                    let to = &mut columns[plane];
                    vectors_mut::<S>(&mut to.mean)[part] = simd.add_f32s(level, mean);
                    vectors_mut::<S>(&mut to.variance)[part] = variance(simd, mean, squares);
                }
            }
        }
    }
}

/// Luma in steps of 0..255.
#[inline(always)]
#[expect(
    clippy::cast_precision_loss,
    reason = "the digits that are lost are worth less than what varies"
)]
pub(super) fn scaled(luma: i32) -> f32 {
    luma as f32 * (1.0 / LUMA_ONE as f32)
}
