//! Rows filtered by Paeth's predictor, which take most of the time of decoding: every pixel hangs on the
//! one before it.
//!
//! All channels of a pixel are worked on at once, in instructions that x86-64 processors with AVX2 have, and
//! what does not hang on the pixel before is out of the way by the time that pixel is there.

use std::arch::x86_64::__m128i;

use pulp::NullaryFnOnce;
use pulp::x86::V3;

/// Pixels whose bytes are loaded at once.
const AT_ONCE: usize = 4;

/// Undoes the filter of as many pixels of a row of 3 or 4 channels as go together; says how many bytes that
/// were. 0 when the processor cannot.
pub(super) fn undo(channels: usize, row: &[u8], above: &[u8], to: &mut [u8]) -> usize {
    let Some(simd) = V3::try_new() else {
        return 0;
    };
    if channels == 3 {
        simd.vectorize(Line::<{ 3 * AT_ONCE }> {
            simd,
            filtered: row,
            above,
            to,
        })
    } else {
        simd.vectorize(Line::<{ 4 * AT_ONCE }> {
            simd,
            filtered: row,
            above,
            to,
        })
    }
}

/// A row whose pixels come in groups of so many bytes.
struct Line<'a, const BYTES: usize> {
    simd: V3,
    filtered: &'a [u8],
    above: &'a [u8],
    to: &'a mut [u8],
}

impl<const BYTES: usize> NullaryFnOnce for Line<'_, BYTES> {
    type Output = usize;

    #[inline(always)]
    fn call(self) -> usize {
        let Self {
            simd,
            filtered,
            above,
            to,
        } = self;
        let (sse2, sse4_1) = (simd.sse2, simd.sse4_1);
        let mut pixels = Neighbours {
            left: sse2._mm_setzero_si128(),
            left_above: sse2._mm_setzero_si128(),
        };
        let groups = (filtered.as_chunks::<BYTES>().0.iter())
            .zip(above.as_chunks::<BYTES>().0)
            .zip(to.as_chunks_mut::<BYTES>().0);
        let mut done = 0;
        for ((filtered, above), to) in groups {
            let (filtered, above) = (spread(simd, filtered), spread(simd, above));
            let first = pixels.next(
                simd,
                sse4_1._mm_cvtepu8_epi16(filtered),
                sse4_1._mm_cvtepu8_epi16(above),
            );
            let second = pixels.next(
                simd,
                sse4_1._mm_cvtepu8_epi16(sse2._mm_bsrli_si128::<4>(filtered)),
                sse4_1._mm_cvtepu8_epi16(sse2._mm_bsrli_si128::<4>(above)),
            );
            let third = pixels.next(
                simd,
                sse4_1._mm_cvtepu8_epi16(sse2._mm_bsrli_si128::<8>(filtered)),
                sse4_1._mm_cvtepu8_epi16(sse2._mm_bsrli_si128::<8>(above)),
            );
            let fourth = pixels.next(
                simd,
                sse4_1._mm_cvtepu8_epi16(sse2._mm_bsrli_si128::<12>(filtered)),
                sse4_1._mm_cvtepu8_epi16(sse2._mm_bsrli_si128::<12>(above)),
            );
            let all = sse2._mm_packus_epi16(
                sse2._mm_unpacklo_epi64(first, second),
                sse2._mm_unpacklo_epi64(third, fourth),
            );
            gather(simd, all, to);
            done += BYTES;
        }
        done
    }
}

/// Pixels next to the one whose turn it is, 16 bits a channel.
struct Neighbours {
    left: __m128i,
    left_above: __m128i,
}

impl Neighbours {
    /// The next pixel; see [`super::paeth`] for the rule.
    #[inline(always)]
    fn next(&mut self, simd: V3, filtered: __m128i, above: __m128i) -> __m128i {
        let sse2 = simd.sse2;
        let (left, left_above) = (self.left, self.left_above);
        let thrice = sse2._mm_add_epi16(left_above, sse2._mm_add_epi16(left_above, left_above));
        let turn = sse2._mm_sub_epi16(sse2._mm_sub_epi16(thrice, above), left);
        let low = sse2._mm_min_epi16(left, above);
        let high = sse2._mm_max_epi16(left, above);
        let not_low = sse2._mm_cmpgt_epi16(high, turn);
        let not_high = sse2._mm_cmpgt_epi16(turn, low);
        let neither = sse2._mm_and_si128(not_low, not_high);
        // Where both are right they are equal.
        let low_or_high = sse2._mm_or_si128(
            sse2._mm_andnot_si128(not_low, low),
            sse2._mm_andnot_si128(not_high, high),
        );
        let predicted = sse2._mm_or_si128(low_or_high, sse2._mm_and_si128(neither, left_above));
        // Bytes are added, so that the upper half of each channel stays 0.
        self.left = sse2._mm_add_epi8(filtered, predicted);
        self.left_above = above;
        self.left
    }
}

/// Four pixels, four bytes each.
#[inline(always)]
fn spread<const BYTES: usize>(simd: V3, bytes: &[u8; BYTES]) -> __m128i {
    if let Some(all) = bytes.first_chunk::<16>() {
        return bytemuck::cast(*all);
    }
    let mut all = [0; 16];
    all[..BYTES].copy_from_slice(bytes);
    let places = [0_u8, 1, 2, 255, 3, 4, 5, 255, 6, 7, 8, 255, 9, 10, 11, 255];
    simd.ssse3
        ._mm_shuffle_epi8(bytemuck::cast(all), bytemuck::cast(places))
}

/// The way back from [`spread`].
#[inline(always)]
fn gather<const BYTES: usize>(simd: V3, pixels: __m128i, to: &mut [u8; BYTES]) {
    if let Some(to) = to.first_chunk_mut::<16>() {
        *to = bytemuck::cast(pixels);
        return;
    }
    let places = [
        0_u8, 1, 2, 4, 5, 6, 8, 9, 10, 12, 13, 14, 255, 255, 255, 255,
    ];
    let all: [u8; 16] = bytemuck::cast(simd.ssse3._mm_shuffle_epi8(pixels, bytemuck::cast(places)));
    to.copy_from_slice(&all[..BYTES]);
}
