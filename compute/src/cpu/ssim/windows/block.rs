//! Columns filtered down: means and variances of what windows below each other cover of them.

use pulp::Simd;

use crate::score::{LUMA_ONE, Moments, WINDOW};

use super::super::BAND;
use super::super::vectors::{Group, LANES, vector, vectors_mut, weighted};
use super::{PLANES, variance};

/// Windows below each other that are filtered down a column together: most of what they cover is the same, and reading it
/// takes longer than multiplying it.
const AT_ONCE: usize = 4;

/// Windows below each other whose columns are counted from the same level.
pub(super) const BLOCK: usize = 8;
const _: () = assert!(BLOCK.is_multiple_of(AT_ONCE) && BLOCK <= BAND as usize);

/// Rows that they cover.
const BLOCK_ROWS: usize = BLOCK + WINDOW - 1;

/// The row of a block's that the others are counted from: all its windows cover it, none by its edge.
const LEVEL_ROW: usize = BLOCK_ROWS / 2;

/// What the columns of a group have over the rows of a block, counted from a level that is each column's own.
#[derive(Default)]
pub(super) struct Block {
    levels: [Group; PLANES],
    beyond: [[Group; BLOCK_ROWS]; PLANES],
    squares: [[Group; BLOCK_ROWS]; PLANES],
}

impl Block {
    /// Takes the lumas of both pictures: so many groups lie between two rows. Beyond the last there is nothing that a wanted window
    /// covers.
    #[inline(always)]
    pub(super) fn fill(&mut self, [ours, theirs]: [&[[i32; LANES]]; 2], stride: usize) {
        let lumas = |row: usize| (&ours[row * stride], &theirs[row * stride]);
        let (one, other) = lumas(LEVEL_ROW);
        let mut levels = [[0; LANES]; PLANES];
        for lane in 0..LANES {
            levels[0][lane] = one[lane] + other[lane];
            levels[1][lane] = one[lane] - other[lane];
        }
        self.levels = levels.map(|level| Group(level.map(scaled)));
        for row in 0..BLOCK_ROWS.min(ours.len().div_ceil(stride)) {
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

    /// Means and variances down the columns of the block's windows.
    #[inline(always)]
    pub(super) fn average<S: Simd>(
        &self,
        simd: S,
        weights: &[S::f32s; WINDOW],
        columns: &mut [[Moments<Group>; PLANES]; BLOCK],
    ) {
        let (parts, _) = columns.as_chunks_mut::<AT_ONCE>();
        for (part, columns) in parts.iter_mut().enumerate() {
            let first = part * AT_ONCE;
            for plane in 0..PLANES {
                for part in 0..LANES / S::F32_LANES {
                    let at = part * S::F32_LANES;
                    let of = |values: &[Group; BLOCK_ROWS]| -> [S::f32s; AT_ONCE] {
                        weighted(simd, weights, |row| vector::<S>(&values[first + row].0, at))
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
}

/// Luma in steps of 0..255.
#[inline(always)]
#[expect(
    clippy::cast_precision_loss,
    reason = "what is far from its level varies by much more"
)]
fn scaled(luma: i32) -> f32 {
    luma as f32 * (1.0 / LUMA_ONE as f32)
}
