//! Eight opaque pixels in a vector, in instructions that x86-64 processors with AVX2 have.

use std::arch::x86_64::__m256i;

use pulp::x86::V3;

/// Pixels in a vector.
pub(super) const EIGHT: usize = 8;

/// Bytes of them.
pub(super) const EIGHT_BYTES: usize = 3 * EIGHT;

/// Bytes of half of them, and those that are read for each half.
const HALF: usize = EIGHT_BYTES / 2;
const HALF_READ: usize = 16;

/// Bytes that are read for all of them.
pub(super) const EIGHT_READ: usize = HALF + HALF_READ;

/// Stands for a byte of zeros where bytes are put in another order.
const NONE: u8 = 0x80;

/// Red and green of eight pixels as pairs of 16 bits, and blue beside nothing; of [`EIGHT_READ`] bytes.
#[inline(always)]
pub(super) fn channels(simd: V3, bytes: &[u8]) -> [__m256i; 2] {
    let avx2 = simd.avx2;
    let half = |from: usize| {
        let bytes = bytes[from..].first_chunk::<HALF_READ>();
        bytes.copied().unwrap_or_default()
    };
    let both = |half: [u8; HALF_READ]| -> __m256i { pulp::cast([half, half]) };
    let pixels: __m256i = pulp::cast([half(0), half(HALF)]);
    let red_and_green = both(const { order([0, 1]) });
    let blue = both(const { order([2, usize::MAX]) });
    [
        avx2._mm256_shuffle_epi8(pixels, red_and_green),
        avx2._mm256_shuffle_epi8(pixels, blue),
    ]
}

/// The weights of [`channels`], below 2¹⁵ each.
#[inline(always)]
pub(super) fn weights(simd: V3, [of_red, of_green, of_blue]: [i32; 3]) -> [__m256i; 2] {
    [
        simd.avx._mm256_set1_epi32(of_red | of_green << 16),
        simd.avx._mm256_set1_epi32(of_blue),
    ]
}

/// The weighted sum of each pixel's channels.
#[inline(always)]
pub(super) fn weighted(simd: V3, channels: [__m256i; 2], weights: [__m256i; 2]) -> __m256i {
    let avx2 = simd.avx2;
    avx2._mm256_add_epi32(
        avx2._mm256_madd_epi16(channels[0], weights[0]),
        avx2._mm256_madd_epi16(channels[1], weights[1]),
    )
}

/// How two channels of each of four pixels come to lie in 16 bits each; none beyond the third.
const fn order(channels: [usize; 2]) -> [u8; HALF_READ] {
    let mut order = [NONE; HALF_READ];
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
