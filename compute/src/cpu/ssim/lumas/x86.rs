//! Lumas of eight opaque pixels at a time, in instructions that x86-64 processors with AVX2 have.

use pulp::NullaryFnOnce;
use pulp::x86::V3;

use super::UNIT;
use crate::cpu::by_eight::{EIGHT, EIGHT_BYTES, EIGHT_READ, channels, weighted, weights};
use crate::score::LUMA_WEIGHTS;

/// Pixels and where their lumas go.
pub(super) struct Eights<'a> {
    pub(super) simd: V3,
    pub(super) bytes: &'a [u8],
    pub(super) lumas: &'a mut [i32],
}

impl NullaryFnOnce for Eights<'_> {
    type Output = usize;

    /// Says how many lumas were written: all but a few at the end.
    #[inline(always)]
    fn call(self) -> usize {
        const { assert!(UNIT == 255) };
        let Self { simd, bytes, lumas } = self;
        let avx2 = simd.avx2;
        let weights = weights(simd, LUMA_WEIGHTS);
        let (lumas, _) = lumas.as_chunks_mut::<EIGHT>();
        let groups = bytes.windows(EIGHT_READ).step_by(EIGHT_BYTES);
        let mut done = 0;
        for (bytes, lumas) in groups.zip(lumas) {
            let sum = weighted(simd, channels(simd, bytes), weights);
            *lumas = pulp::cast(avx2._mm256_sub_epi32(avx2._mm256_slli_epi32::<8>(sum), sum));
            done += EIGHT;
        }
        done
    }
}
