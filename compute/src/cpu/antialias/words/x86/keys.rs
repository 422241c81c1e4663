//! Pixels as keys: numbers in the order of their [ranks](rank), far enough apart that something small can be added to each.

use std::arch::x86_64::__m256i;

use pulp::x86::V3;

use super::super::super::REACH;
use super::{COVERED, GROUPS};
use crate::cpu::by_eight::{EIGHT, EIGHT_BYTES, EIGHT_READ, channels, weighted, weights};
use crate::metric::{BRIGHTNESS, RANK_SHIFT, rank};

/// How far keys of different colours are apart at least.
pub(super) const SPACING: i32 = 18;

/// Stands for a pixel beyond the edge: below every key, and not to be mirrored.
pub(super) const OFF: i32 = i32::MIN;

/// A key and its mirror add up to this: what is darker has the larger mirror.
pub(super) const MIRRORED: i32 = LEAST.wrapping_add(key(WHITE));

/// The least of all.
const LEAST: i32 = key(0);

/// The largest rank.
#[expect(clippy::cast_possible_truncation, reason = "ranks are below 2²⁸")]
const WHITE: i32 = ((255 * (BRIGHTNESS[0] + BRIGHTNESS[1] + BRIGHTNESS[2])) >> RANK_SHIFT) as i32;

/// Pixels of a row that are read at once: those that are covered, and what is read besides.
const READ: usize = EIGHT * COVERED + 2;
const _: () = assert!(3 * READ >= EIGHT_BYTES * (COVERED - 1) + EIGHT_READ);

/// Columns in which neighbours of neighbours of a word's pixels lie.
const REACHED: usize = EIGHT * GROUPS + 2 * REACH;

/// The weights of brightness are products of 16 bits in two halves, of which the lower one has so many.
const LOWER_BITS: u32 = 13;

/// By how much the sum of the upper halves, and that of the lower ones, is shifted to the left and to the right.
const UPPER_LEFT: i32 = (LOWER_BITS - RANK_SHIFT).cast_signed();
const LOWER_RIGHT: i32 = RANK_SHIFT.cast_signed();

/// The keys of a row in and around a word.
#[derive(Clone, Copy)]
pub(super) struct Keys {
    /// From two columns to the left of the word on.
    pub(super) all: [__m256i; COVERED],
    /// From one column to the left of the word on.
    pub(super) next: [__m256i; COVERED],
    /// Those of the word.
    pub(super) own: [__m256i; GROUPS],
}

impl Default for Keys {
    /// Beyond the edge.
    fn default() -> Self {
        let off = pulp::cast([OFF; EIGHT]);
        Self {
            all: [off; COVERED],
            next: [off; COVERED],
            own: [off; GROUPS],
        }
    }
}

impl Keys {
    /// Those of a row, so wide, around the word that begins in column `first`.
    #[inline(always)]
    pub(super) fn of(simd: V3, row: Option<&[[u8; 3]]>, first: u32, width: u32) -> Self {
        let off = simd.avx._mm256_set1_epi32(OFF);
        let mut all = [off; COVERED];
        if let Some(row) = row {
            let (row, first) = (&row[..width as usize], first as usize);
            let from = first.checked_sub(REACH);
            if let Some(pixels) = from.and_then(|from| row[from..].first_chunk::<READ>()) {
                all = by_eight(simd, pixels.as_flattened());
            } else {
                all = one_by_one(row, first).map(pulp::cast);
            }
        }
        let mut keys = Self {
            all,
            next: all,
            own: [off; GROUPS],
        };
        for group in 0..COVERED {
            let following = if group + 1 < COVERED {
                all[group + 1]
            } else {
                off
            };
            let [next, own] = further(simd, all[group], following);
            keys.next[group] = next;
            if group < GROUPS {
                keys.own[group] = own;
            }
        }
        keys
    }
}

/// The key of a rank.
const fn key(rank: i32) -> i32 {
    (rank + 1).wrapping_mul(SPACING).wrapping_add(i32::MIN)
}

/// The eight values that begin one place further right than these, and those that begin two places further; others follow on these.
#[inline(always)]
pub(super) fn further(simd: V3, values: __m256i, following: __m256i) -> [__m256i; 2] {
    /// The last half of one, and the first one of the other.
    const MIDDLE: i32 = 0x21;
    let avx2 = simd.avx2;
    let middle = avx2._mm256_permute2x128_si256::<MIDDLE>(values, following);
    [
        avx2._mm256_alignr_epi8::<4>(middle, values),
        avx2._mm256_alignr_epi8::<8>(middle, values),
    ]
}

/// Near the sides of the pictures.
#[cold]
fn one_by_one(row: &[[u8; 3]], first: usize) -> [[i32; EIGHT]; COVERED] {
    let mut keys = [[OFF; EIGHT]; COVERED];
    let beyond = REACH.saturating_sub(first);
    let pixels = &row[(first + beyond - REACH).min(row.len())..];
    for (to, &pixel) in keys.as_flattened_mut()[beyond..REACHED]
        .iter_mut()
        .zip(pixels)
    {
        *to = key(rank(pixel));
    }
    keys
}

/// The keys of as many pixels as are covered.
#[inline(always)]
fn by_eight(simd: V3, bytes: &[u8]) -> [__m256i; COVERED] {
    let avx2 = simd.avx2;
    let upper = weights(simd, const { halves(LOWER_BITS, u32::MAX) });
    let lower = weights(simd, const { halves(0, (1 << LOWER_BITS) - 1) });
    let least = simd.avx._mm256_set1_epi32(LEAST);
    let mut keys = [least; COVERED];
    for (group, key) in keys.iter_mut().enumerate() {
        let channels = channels(simd, &bytes[EIGHT_BYTES * group..]);
        let (upper, lower) = (
            weighted(simd, channels, upper),
            weighted(simd, channels, lower),
        );
        let rank = avx2._mm256_add_epi32(
            avx2._mm256_slli_epi32::<UPPER_LEFT>(upper),
            avx2._mm256_srli_epi32::<LOWER_RIGHT>(lower),
        );
        const { assert!(SPACING == 16 + 2) };
        let spaced = avx2._mm256_add_epi32(
            avx2._mm256_slli_epi32::<4>(rank),
            avx2._mm256_slli_epi32::<1>(rank),
        );
        *key = avx2._mm256_add_epi32(spaced, least);
    }
    keys
}

/// Parts of the weights of brightness: those above some bits, as many as a mask leaves.
const fn halves(above: u32, mask: u32) -> [i32; 3] {
    let mut halves = [0; 3];
    let mut at = 0;
    while at < 3 {
        let half = (BRIGHTNESS[at] >> above) & mask as i64;
        assert!(half < 1 << 15);
        #[expect(clippy::cast_possible_truncation, reason = "it has fifteen bits")]
        let half = half as i32;
        halves[at] = half;
        at += 1;
    }
    halves
}
