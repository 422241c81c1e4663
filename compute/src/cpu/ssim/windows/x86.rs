//! Windows along a row with AVX2: each value is read once, and what lies between two vectors is put together in registers. Read
//! from memory it would lie across two lines of the cache often, which takes twice as long.

use std::arch::x86_64::__m256;

use pulp::f32x8;
use pulp::x86::V3;

use super::super::vectors::Group;
use super::{Along, COVERED};
use crate::score::WINDOW;

/// In vectors of eight windows.
#[derive(Clone, Copy)]
pub(super) struct ByEight;

impl Along<V3> for ByEight {
    #[inline(always)]
    fn taps(self, simd: V3, covered: [&Group; COVERED], _: usize) -> [f32x8; WINDOW] {
        let [own, next, last] = covered.map(|group| pulp::cast::<_, f32x8>(group.0));
        let between = halves(simd, own, next);
        let beyond = halves(simd, next, last);
        let [one, two, three] = quarters(simd, own, between);
        let [five, six, seven] = quarters(simd, between, next);
        let [nine, ten, _] = quarters(simd, next, beyond);
        [
            own, one, two, three, between, five, six, seven, next, nine, ten,
        ]
    }
}

/// The second half of a vector and the first of the next.
#[inline(always)]
fn halves(simd: V3, first: f32x8, second: f32x8) -> f32x8 {
    let (first, second): (__m256, __m256) = (pulp::cast(first), pulp::cast(second));
    pulp::cast(simd.avx._mm256_permute2f128_ps::<0x21>(first, second))
}

/// The vectors that begin one to three values behind the first of two which begin four apart.
#[inline(always)]
fn quarters(simd: V3, first: f32x8, second: f32x8) -> [f32x8; 3] {
    /// Places 1 and 2 of both.
    const INNER: i32 = 0b10_01_10_01;
    let avx = simd.avx;
    let (zero, four): (__m256, __m256) = (pulp::cast(first), pulp::cast(second));
    let two = avx._mm256_shuffle_pd::<0b0101>(pulp::cast(first), pulp::cast(second));
    let two: __m256 = pulp::cast(two);
    [
        avx._mm256_shuffle_ps::<INNER>(zero, two),
        two,
        avx._mm256_shuffle_ps::<INNER>(two, four),
    ]
    .map(pulp::cast)
}
