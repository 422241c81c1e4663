//! Rows filtered by Paeth's predictor, which take most of the time of decoding: every pixel hangs on the
//! one before it.
//!
//! All channels of a pixel are worked on at once, in instructions that x86-64 processors with AVX2 have, and
//! what does not hang on the pixel before is out of the way by the time that pixel is there. Rows that follow
//! each other go together, each a few pixels behind the row above: two in the halves of a vector, and while one
//! vector waits for its last pixels, the processor works on the others.

use std::arch::x86_64::__m128i;

use pulp::NullaryFnOnce;
use pulp::x86::V3;

use super::MAX_TOGETHER;

/// Pixels whose bytes are loaded at once.
const AT_ONCE: usize = 4;

/// Undoes the filter of as many pixels of each row of 3 or 4 channels as go together; says how many bytes of a
/// row that were. `filtered` are the rows without their filter types, at most [`MAX_TOGETHER`]; `to` takes as
/// many rows, one behind the other. 0 when the processor cannot.
pub(super) fn undo(channels: usize, filtered: &[&[u8]], above: &[u8], to: &mut [u8]) -> usize {
    let Some(simd) = V3::try_new() else {
        return 0;
    };
    if channels == 3 {
        undo_groups::<{ 3 * AT_ONCE }>(simd, filtered, above, to)
    } else {
        undo_groups::<{ 4 * AT_ONCE }>(simd, filtered, above, to)
    }
}

fn undo_groups<const BYTES: usize>(
    simd: V3,
    filtered: &[&[u8]],
    above: &[u8],
    to: &mut [u8],
) -> usize {
    const { assert!(MAX_TOGETHER == 8) };
    match filtered.len().div_ceil(2) {
        1 => Together::<BYTES, 1>::undo(simd, filtered, above, to),
        2 => Together::<BYTES, 2>::undo(simd, filtered, above, to),
        3 => Together::<BYTES, 3>::undo(simd, filtered, above, to),
        4 => Together::<BYTES, 4>::undo(simd, filtered, above, to),
        _ => 0,
    }
}

/// Pairs of rows one below the other, whose pixels come in groups of so many bytes. The last pair may lack its
/// lower row.
struct Together<'a, const BYTES: usize, const PAIRS: usize> {
    simd: V3,
    pairs: [[Row<'a, BYTES>; 2]; PAIRS],
    above: &'a [[u8; BYTES]],
}

/// A row, filtered, and where it goes.
struct Row<'a, const BYTES: usize> {
    filtered: &'a [[u8; BYTES]],
    to: &'a mut [[u8; BYTES]],
}

impl<'a, const BYTES: usize, const PAIRS: usize> Together<'a, BYTES, PAIRS> {
    fn undo(simd: V3, filtered: &[&'a [u8]], above: &'a [u8], to: &'a mut [u8]) -> usize {
        let mut rows = filtered.iter().zip(to.chunks_exact_mut(above.len()));
        let mut next = || {
            let (filtered, to) = rows
                .next()
                .map_or((&[][..], &mut [][..]), |(&row, to)| (row, to));
            Row {
                filtered: filtered.as_chunks().0,
                to: to.as_chunks_mut().0,
            }
        };
        let together = Self {
            simd,
            pairs: std::array::from_fn(|_| [next(), next()]),
            above: above.as_chunks().0,
        };
        simd.vectorize(together)
    }
}

impl<const BYTES: usize, const PAIRS: usize> NullaryFnOnce for Together<'_, BYTES, PAIRS> {
    type Output = usize;

    #[inline(always)]
    fn call(self) -> usize {
        let Self { simd, pairs, above } = self;
        let nothing = simd.sse2._mm_setzero_si128();
        let mut beside = [Neighbours {
            left: nothing,
            left_above: nothing,
        }; PAIRS];
        // The groups that each pair came to last.
        let mut last = [[nothing; 2]; PAIRS];
        for turn in 0..above.len() + 2 * PAIRS - 1 {
            // From the lowest pair, which needs what the pair above it came to a turn ago.
            for pair in (0..PAIRS).rev() {
                let above = match pair {
                    0 => above.get(turn).map_or(nothing, |group| spread(simd, group)),
                    _ => last[pair - 1][1],
                };
                // Before its first group a row sees nothing but zeros and stays at zeros; what it makes behind its last
                // goes nowhere.
                let groups: [usize; 2] =
                    std::array::from_fn(|row| turn.wrapping_sub(2 * pair + row));
                let filtered = std::array::from_fn(|row| {
                    let group = pairs[pair][row].filtered.get(groups[row]);
                    group.map_or(nothing, |group| spread(simd, group))
                });
                let above = [above, last[pair][0]];
                last[pair] = beside[pair].next_groups(simd, filtered, above);
                for (row, (group, &pixels)) in groups.into_iter().zip(&last[pair]).enumerate() {
                    if let Some(to) = pairs[pair][row].to.get_mut(group) {
                        gather(simd, pixels, to);
                    }
                }
            }
        }
        above.len() * BYTES
    }
}

/// Pixels next to those whose turn it is, 16 bits a channel: of the upper row in the lower half, of the lower
/// row in the upper half.
#[derive(Clone, Copy)]
struct Neighbours {
    left: __m128i,
    left_above: __m128i,
}

impl Neighbours {
    /// The next four pixels of both rows, 8 bits a channel.
    #[inline(always)]
    fn next_groups(
        &mut self,
        simd: V3,
        filtered: [__m128i; 2],
        above: [__m128i; 2],
    ) -> [__m128i; 2] {
        let (sse2, sse4_1) = (simd.sse2, simd.sse4_1);
        let nothing = sse2._mm_setzero_si128();
        // The pixels of both rows in turns.
        let low = |rows: [__m128i; 2]| sse2._mm_unpacklo_epi32(rows[0], rows[1]);
        let high = |rows: [__m128i; 2]| sse2._mm_unpackhi_epi32(rows[0], rows[1]);
        let mut two_pixels = |filtered: __m128i, above: __m128i| {
            let first = self.next(
                simd,
                sse4_1._mm_cvtepu8_epi16(filtered),
                sse4_1._mm_cvtepu8_epi16(above),
            );
            let second = self.next(
                simd,
                sse2._mm_unpackhi_epi8(filtered, nothing),
                sse2._mm_unpackhi_epi8(above, nothing),
            );
            // Row by row again.
            sse2._mm_shuffle_epi32::<0b11_01_10_00>(sse2._mm_packus_epi16(first, second))
        };
        let left = two_pixels(low(filtered), low(above));
        let right = two_pixels(high(filtered), high(above));
        [
            sse2._mm_unpacklo_epi64(left, right),
            sse2._mm_unpackhi_epi64(left, right),
        ]
    }

    /// The next pixel of both rows; see [`super::paeth`] for the rule.
    #[inline(always)]
    fn next(&mut self, simd: V3, filtered: __m128i, above: __m128i) -> __m128i {
        let (sse2, sse4_1) = (simd.sse2, simd.sse4_1);
        let (left, left_above) = (self.left, self.left_above);
        let thrice = sse2._mm_add_epi16(left_above, sse2._mm_add_epi16(left_above, left_above));
        let turn = sse2._mm_sub_epi16(sse2._mm_sub_epi16(thrice, above), left);
        let low = sse2._mm_min_epi16(left, above);
        let high = sse2._mm_max_epi16(left, above);
        let not_low = sse2._mm_cmpgt_epi16(high, turn);
        let not_high = sse2._mm_cmpgt_epi16(turn, low);
        // Where both are wrong, low and high are the same.
        let low_or_between = sse4_1._mm_blendv_epi8(low, left_above, not_low);
        let predicted = sse4_1._mm_blendv_epi8(high, low_or_between, not_high);
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
