//! Rows filtered by Paeth's predictor, which take most of the time of decoding: every pixel hangs on the
//! one before it.
//!
//! All channels of a pixel are worked on at once, in instructions that x86-64 processors with AVX2 have, and
//! what does not hang on the pixel before is out of the way by the time that pixel is there. Rows that follow
//! each other go together, each a few pixels behind the row above: four in the quarters of a vector, and while one
//! vector waits for its last pixels, the processor works on the others. Rows of two pictures do not wait for each
//! other, so that even single rows fill half a vector.

use std::arch::x86_64::{__m128i, __m256i};

use pulp::NullaryFnOnce;
use pulp::x86::V3;

use super::{Filtered, MAX_OF_BOTH, MAX_TOGETHER};

/// Pixels whose bytes are loaded at once.
const AT_ONCE: usize = 4;

/// Undoes the filter of as many pixels of each row of 3 or 4 channels as go together, at most [`MAX_TOGETHER`] rows; says
/// how many bytes of a row that were. 0 when the processor cannot.
pub(super) fn undo<const N: usize>(rows: Filtered<'_, '_>) -> usize {
    const { assert!(MAX_TOGETHER == 8) };
    let Some(simd) = V3::try_new() else {
        return 0;
    };
    match (N, rows.lines.count().div_ceil(4)) {
        (3, 1) => Together::<{ 3 * AT_ONCE }, 1, 1>::undo(simd, [rows]),
        (3, 2) => Together::<{ 3 * AT_ONCE }, 2, 1>::undo(simd, [rows]),
        (4, 1) => Together::<{ 4 * AT_ONCE }, 1, 1>::undo(simd, [rows]),
        (4, 2) => Together::<{ 4 * AT_ONCE }, 2, 1>::undo(simd, [rows]),
        _ => 0,
    }
}

/// The same for rows of two pictures, of which both have as many and at most [`MAX_OF_BOTH`], and which are equally long.
pub(super) fn undo_both<const N: usize>(rows: [Filtered<'_, '_>; 2]) -> usize {
    const { assert!(MAX_OF_BOTH == 4) };
    let Some(simd) = V3::try_new() else {
        return 0;
    };
    match (N, rows[0].lines.count().div_ceil(2)) {
        (3, 1) => Together::<{ 3 * AT_ONCE }, 1, 2>::undo(simd, rows),
        (3, 2) => Together::<{ 3 * AT_ONCE }, 2, 2>::undo(simd, rows),
        (4, 1) => Together::<{ 4 * AT_ONCE }, 1, 2>::undo(simd, rows),
        (4, 2) => Together::<{ 4 * AT_ONCE }, 2, 2>::undo(simd, rows),
        _ => 0,
    }
}

/// Rows of one or two pictures whose pixels come in groups of so many bytes: four for each vector, of two pictures two in
/// each half. Where there are fewer, the last vector has none to fill the rest.
struct Together<'a, const BYTES: usize, const VECTORS: usize, const PICTURES: usize> {
    simd: V3,
    /// For each vector its halves, and the rows of each.
    rows: [[[Row<'a, BYTES>; 2]; 2]; VECTORS],
    above: [&'a [[u8; BYTES]]; PICTURES],
}

/// A row, filtered, and where it goes.
struct Row<'a, const BYTES: usize> {
    filtered: &'a [[u8; BYTES]],
    to: &'a mut [[u8; BYTES]],
}

impl<'a, const BYTES: usize, const VECTORS: usize, const PICTURES: usize>
    Together<'a, BYTES, VECTORS, PICTURES>
{
    fn undo(simd: V3, pictures: [Filtered<'a, 'a>; PICTURES]) -> usize {
        let above = pictures.each_ref().map(|rows| rows.above.as_chunks().0);
        let mut pictures = pictures.map(|rows| {
            let lines = rows.lines.iter().map(|line| &line[1..]);
            lines.zip(rows.to.chunks_exact_mut(rows.above.len()))
        });
        let mut next = |picture: usize| {
            let (filtered, to) = pictures[picture].next().unwrap_or((&[][..], &mut [][..]));
            Row {
                filtered: filtered.as_chunks().0,
                to: to.as_chunks_mut().0,
            }
        };
        simd.vectorize(Self {
            simd,
            rows: std::array::from_fn(|_| {
                std::array::from_fn(|half| std::array::from_fn(|_| next(half % PICTURES)))
            }),
            above,
        })
    }

    /// Groups by which a row lies behind the first.
    #[inline(always)]
    fn behind(vector: usize, half: usize, row: usize) -> usize {
        match PICTURES {
            1 => 4 * vector + 2 * half + row,
            _ => 2 * vector + row,
        }
    }
}

impl<const BYTES: usize, const VECTORS: usize, const PICTURES: usize> NullaryFnOnce
    for Together<'_, BYTES, VECTORS, PICTURES>
{
    type Output = usize;

    #[inline(always)]
    fn call(self) -> usize {
        let Self {
            simd,
            mut rows,
            above,
        } = self;
        let nothing = simd.avx._mm256_setzero_si256();
        let mut beside = [Neighbours {
            left: nothing,
            left_above: nothing,
        }; VECTORS];
        // The groups that the upper and the lower rows of each vector came to last.
        let mut last = [[nothing; 2]; VECTORS];
        let width = above[0].len();
        for turn in 0..width + Self::behind(VECTORS - 1, 1, 1) {
            let on_top = [
                read(simd, above[0], turn),
                read(simd, above[PICTURES - 1], turn),
            ];
            let on_top = spread::<BYTES>(simd, on_top);
            // From the lowest vector, which needs what the one above it came to a turn ago.
            for vector in (0..VECTORS).rev() {
                let above_upper = match (PICTURES, vector) {
                    // A picture's rows run from half to half.
                    (1, 0) => whole([halves(on_top)[0], halves(last[0][1])[0]]),
                    (1, _) => whole([halves(last[vector - 1][1])[1], halves(last[vector][1])[0]]),
                    (_, 0) => on_top,
                    _ => last[vector - 1][1],
                };
                // Before its first group a row sees nothing but zeros and stays at zeros; what it makes behind its last
                // goes nowhere.
                let [lower_half, upper_half] = &rows[vector];
                let group = |half, row| turn.wrapping_sub(Self::behind(vector, half, row));
                let filtered = [
                    spread::<BYTES>(
                        simd,
                        [
                            read(simd, lower_half[0].filtered, group(0, 0)),
                            read(simd, upper_half[0].filtered, group(1, 0)),
                        ],
                    ),
                    spread::<BYTES>(
                        simd,
                        [
                            read(simd, lower_half[1].filtered, group(0, 1)),
                            read(simd, upper_half[1].filtered, group(1, 1)),
                        ],
                    ),
                ];
                let above = [above_upper, last[vector][0]];
                last[vector] = beside[vector].next_groups(simd, filtered, above);
                let packed = [
                    packed::<BYTES>(simd, last[vector][0]),
                    packed::<BYTES>(simd, last[vector][1]),
                ];
                for (half, rows) in rows[vector].iter_mut().enumerate() {
                    for (row, Row { to, .. }) in rows.iter_mut().enumerate() {
                        if let Some(to) = to.get_mut(group(half, row)) {
                            let bytes: [u8; 16] = bytemuck::cast(packed[row][half]);
                            to.copy_from_slice(&bytes[..BYTES]);
                        }
                    }
                }
            }
        }
        width * BYTES
    }
}

/// Pixels next to those whose turn it is, 16 bits a channel: in each half of the vector that of the upper row, then that of
/// the lower one.
#[derive(Clone, Copy)]
struct Neighbours {
    left: __m256i,
    left_above: __m256i,
}

impl Neighbours {
    /// The next four pixels of the upper and of the lower rows, 8 bits a channel.
    #[inline(always)]
    fn next_groups(
        &mut self,
        simd: V3,
        filtered: [__m256i; 2],
        above: [__m256i; 2],
    ) -> [__m256i; 2] {
        let avx2 = simd.avx2;
        // The pixels of both rows in turns.
        let low = |rows: [__m256i; 2]| avx2._mm256_unpacklo_epi32(rows[0], rows[1]);
        let high = |rows: [__m256i; 2]| avx2._mm256_unpackhi_epi32(rows[0], rows[1]);
        let left = self.next_two(simd, low(filtered), low(above));
        let right = self.next_two(simd, high(filtered), high(above));
        [
            avx2._mm256_unpacklo_epi64(left, right),
            avx2._mm256_unpackhi_epi64(left, right),
        ]
    }

    /// The next two pixels of each row; they come in turns and go row by row.
    #[inline(always)]
    fn next_two(&mut self, simd: V3, filtered: __m256i, above: __m256i) -> __m256i {
        let avx2 = simd.avx2;
        let nothing = simd.avx._mm256_setzero_si256();
        let first = self.next(
            simd,
            avx2._mm256_unpacklo_epi8(filtered, nothing),
            avx2._mm256_unpacklo_epi8(above, nothing),
        );
        let second = self.next(
            simd,
            avx2._mm256_unpackhi_epi8(filtered, nothing),
            avx2._mm256_unpackhi_epi8(above, nothing),
        );
        avx2._mm256_shuffle_epi32::<0b11_01_10_00>(avx2._mm256_packus_epi16(first, second))
    }

    /// The next pixel of each row; see [`super::paeth`] for the rule.
    #[inline(always)]
    fn next(&mut self, simd: V3, filtered: __m256i, above: __m256i) -> __m256i {
        let avx2 = simd.avx2;
        let (left, left_above) = (self.left, self.left_above);
        let thrice =
            avx2._mm256_add_epi16(left_above, avx2._mm256_add_epi16(left_above, left_above));
        let turn = avx2._mm256_sub_epi16(avx2._mm256_sub_epi16(thrice, above), left);
        let low = avx2._mm256_min_epi16(left, above);
        let high = avx2._mm256_max_epi16(left, above);
        let not_low = avx2._mm256_cmpgt_epi16(high, turn);
        let not_high = avx2._mm256_cmpgt_epi16(turn, low);
        // Where both are wrong, low and high are the same.
        let low_or_between = avx2._mm256_blendv_epi8(low, left_above, not_low);
        let predicted = avx2._mm256_blendv_epi8(high, low_or_between, not_high);
        // Bytes are added, so that the upper half of each channel stays 0.
        self.left = avx2._mm256_add_epi8(filtered, predicted);
        self.left_above = above;
        self.left
    }
}

#[inline(always)]
fn whole(halves: [__m128i; 2]) -> __m256i {
    bytemuck::cast(halves)
}

#[inline(always)]
fn halves(whole: __m256i) -> [__m128i; 2] {
    bytemuck::cast(whole)
}

/// A group's four pixels, four bytes each; zeros where there is none.
#[inline(always)]
fn read<const BYTES: usize>(simd: V3, groups: &[[u8; BYTES]], group: usize) -> __m128i {
    let Some(bytes) = groups.get(group) else {
        return simd.sse2._mm_setzero_si128();
    };
    if let Some(all) = bytes.first_chunk::<16>() {
        return bytemuck::cast(*all);
    }
    if let Some(all) = groups[group..].as_flattened().first_chunk::<16>() {
        return bytemuck::cast(*all);
    }
    let mut all = [0; 16];
    all[..BYTES].copy_from_slice(bytes);
    bytemuck::cast(all)
}

/// Four pixels in each half, four bytes each.
#[inline(always)]
fn spread<const BYTES: usize>(simd: V3, halves: [__m128i; 2]) -> __m256i {
    if BYTES == 16 {
        return whole(halves);
    }
    let places = [0_u8, 1, 2, 255, 3, 4, 5, 255, 6, 7, 8, 255, 9, 10, 11, 255];
    simd.avx2
        ._mm256_shuffle_epi8(whole(halves), bytemuck::cast([places; 2]))
}

/// The way back from [`spread`].
#[inline(always)]
fn packed<const BYTES: usize>(simd: V3, pixels: __m256i) -> [__m128i; 2] {
    if BYTES == 16 {
        return halves(pixels);
    }
    let places = [
        0_u8, 1, 2, 4, 5, 6, 8, 9, 10, 12, 13, 14, 255, 255, 255, 255,
    ];
    halves(
        simd.avx2
            ._mm256_shuffle_epi8(pixels, bytemuck::cast([places; 2])),
    )
}
