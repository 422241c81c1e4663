//! With AVX: halves of two rows are read into one vector, so that nothing has to cross its middle afterwards.

use std::arch::x86_64::__m256;

use pulp::x86::V3;

use super::super::super::vectors::{Group, LANES, Square};
use super::Turn;

/// Rows and columns in half of a vector.
const HALF: usize = LANES / 2;

/// Eight rows of eight values.
#[derive(Clone, Copy)]
pub(in super::super) struct ByEight;

impl Turn<V3> for ByEight {
    #[inline(always)]
    fn turn(self, simd: V3, rows: &Square, columns: &mut Square) {
        for first in [0, HALF] {
            let half = |row: usize| -> [f32; HALF] {
                std::array::from_fn(|column| rows[row].0[first + column])
            };
            let rows = std::array::from_fn(|row| pulp::cast([half(row), half(row + HALF)]));
            let turned = turn_halves(simd, rows);
            for (column, turned) in columns[first..].iter_mut().zip(turned) {
                *column = Group(pulp::cast::<__m256, [f32; LANES]>(turned));
            }
        }
    }
}

/// Each half by itself: four columns of four rows.
#[inline(always)]
fn turn_halves(simd: V3, [one, two, three, four]: [__m256; HALF]) -> [__m256; HALF] {
    /// The first two places of both, and the last two.
    const FIRST: i32 = 0b01_00_01_00;
    const LAST: i32 = 0b11_10_11_10;
    let avx = simd.avx;
    let above = avx._mm256_unpacklo_ps(one, two);
    let below = avx._mm256_unpacklo_ps(three, four);
    let above_last = avx._mm256_unpackhi_ps(one, two);
    let below_last = avx._mm256_unpackhi_ps(three, four);
    [
        avx._mm256_shuffle_ps::<FIRST>(above, below),
        avx._mm256_shuffle_ps::<LAST>(above, below),
        avx._mm256_shuffle_ps::<FIRST>(above_last, below_last),
        avx._mm256_shuffle_ps::<LAST>(above_last, below_last),
    ]
}
