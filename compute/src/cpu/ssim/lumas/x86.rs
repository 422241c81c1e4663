//! Lumas of eight opaque pixels at a time, in instructions that x86-64 processors with AVX2 have.

use std::arch::x86_64::__m256i;

use pulp::NullaryFnOnce;
use pulp::x86::V3;

use super::UNIT;
use crate::score::LUMA_WEIGHTS;

/// Pixels worked on at once.
const AT_ONCE: usize = 8;

/// Bytes of half of them, and those that are loaded for each half.
const HALF: usize = 3 * AT_ONCE / 2;
const LOADED: usize = 16;

/// Stands for a byte of zeros where bytes are put in another order.
const NONE: u8 = 0x80;

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
        let avx2 = self.simd.avx2;
        let both = |half: [u8; 16]| -> __m256i { pulp::cast([half, half]) };
        // Red and green of four pixels as pairs of 16 bits, and blue beside nothing.
        let red_and_green = both(order([0, 1]));
        let blue = both(order([2, usize::MAX]));
        let [of_red, of_green, of_blue] = LUMA_WEIGHTS;
        let weights = self.simd.avx._mm256_set1_epi32(of_red | of_green << 16);
        let of_blue = self.simd.avx._mm256_set1_epi32(of_blue);
        let (lumas, _) = self.lumas.as_chunks_mut::<AT_ONCE>();
        let groups = self.bytes.windows(HALF + LOADED).step_by(2 * HALF);
        let mut done = 0;
        for (bytes, lumas) in groups.zip(lumas) {
            let half = |from: usize| {
                bytes[from..]
                    .first_chunk::<LOADED>()
                    .copied()
                    .unwrap_or_default()
            };
            let pixels: __m256i = pulp::cast([half(0), half(HALF)]);
            let sum = avx2._mm256_add_epi32(
                avx2._mm256_madd_epi16(avx2._mm256_shuffle_epi8(pixels, red_and_green), weights),
                avx2._mm256_madd_epi16(avx2._mm256_shuffle_epi8(pixels, blue), of_blue),
            );
            *lumas = pulp::cast(avx2._mm256_sub_epi32(avx2._mm256_slli_epi32::<8>(sum), sum));
            done += AT_ONCE;
        }
        done
    }
}

/// How two channels of each of four pixels come to lie in 16 bits each; none beyond the third.
const fn order(channels: [usize; 2]) -> [u8; 16] {
    let mut order = [NONE; 16];
    let mut at = 0;
    while at < 8 {
        let channel = channels[at % 2];
        if channel < 3 {
            #[expect(
                clippy::cast_possible_truncation,
                reason = "four pixels have twelve bytes"
            )]
            let byte = (at / 2 * 3 + channel) as u8;
            order[2 * at] = byte;
        }
        at += 1;
    }
    order
}
