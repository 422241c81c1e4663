//! In vectors of eight, in instructions that x86-64 processors with AVX2 have.
//!
//! These have sixteen registers, so that no more is kept than is asked for again. The darkest and the brightest neighbour are found
//! as one number each: a [key](keys) is in the order of ranks and leaves room below for the order in which neighbours are visited and
//! for whether one has siblings. Which pixels are of the same colour is one bit a column.

mod keys;

use std::arch::x86_64::__m256i;

use pulp::NullaryFnOnce;
use pulp::x86::V3;

use self::keys::{Keys, MIRRORED, OFF, SPACING};
use super::super::{Neighbourhood, REACH};
use crate::cpu::by_eight::EIGHT;
use crate::mask::WORD_BITS;

/// Vectors of the pixels of a word.
const GROUPS: usize = WORD_BITS as usize / EIGHT;

/// Vectors of the pixels of a word and of neighbours of their neighbours, which begin two columns to the left of it.
const COVERED: usize = GROUPS + 1;

/// Rows of a picture that are looked at.
const ROWS: usize = 2 * REACH + 1;

/// Rows in which neighbours are looked for.
const NEAR_ROWS: usize = 3;

/// What a key has more for a neighbour in the column to the left and in the pixel's own, and for one in the row above and in the
/// pixel's own: the rule visits columns from left to right, each from top to bottom, and takes the first of equals.
const BY_COLUMN: [i32; 2] = [12, 6];
const BY_ROW: [i32; 2] = [4, 2];
const _: () = assert!(BY_COLUMN[0] + BY_ROW[0] + 1 < SPACING && SPACING % 2 == 0);

/// What was made of the neighbourhood of a word; the word below it shares most of that.
pub(in super::super) struct Recent {
    /// The word's first column, and the rows of both pictures in which it lies.
    place: Option<(u32, [u32; 2])>,
    rows: Ring<[Row; 2], ROWS>,
    near: Ring<Near, NEAR_ROWS>,
}

/// A row of one picture in and around a word. One bit a column says whether a pixel is of the same colour as another.
#[derive(Clone, Copy, Default)]
struct Row {
    keys: Keys,
    /// As the pixel to its right.
    as_right: u64,
    /// The pixel above it as it.
    as_above: u64,
    /// The pixel above it as the one to its right.
    above_as_right: u64,
    /// It as the one above that to its right.
    as_above_right: u64,
}

/// What a row has to offer as neighbours.
#[derive(Clone, Copy)]
struct Near {
    /// One bit a column, of both pictures: whether it has three neighbours of its very colour.
    have_siblings: [u64; 2],
    /// The brightest in both pictures, and the darkest by mirrored keys.
    brightest: [Best; 2],
    darkest: [Best; 2],
}

/// The largest keys of neighbours in one row, for each pixel of a word.
#[derive(Clone, Copy)]
struct Best {
    /// Of those to the left and to the right.
    beside: [__m256i; GROUPS],
    /// Of all three.
    three: [__m256i; GROUPS],
}

/// The latest values.
#[derive(Clone, Copy)]
struct Ring<T, const N: usize> {
    values: [T; N],
    first: usize,
}

impl Default for Recent {
    fn default() -> Self {
        let off = pulp::cast([OFF; EIGHT]);
        let best = Best {
            beside: [off; GROUPS],
            three: [off; GROUPS],
        };
        let near = Near {
            have_siblings: [0; 2],
            brightest: [best; 2],
            darkest: [best; 2],
        };
        Self {
            place: None,
            rows: Ring::of([Row::default(); 2]),
            near: Ring::of(near),
        }
    }
}

/// Which of the wanted pixels of the word that begins in column `first` the rule recognises, one bit each; all other bits mean nothing.
pub(super) fn find(
    simd: V3,
    around: &Neighbourhood<'_, 3>,
    first: u32,
    wanted: u32,
    recent: &mut Recent,
) -> u32 {
    simd.vectorize(Word {
        simd,
        around,
        first,
        wanted,
        recent,
    })
}

struct Word<'a> {
    simd: V3,
    around: &'a Neighbourhood<'a, 3>,
    first: u32,
    wanted: u32,
    recent: &'a mut Recent,
}

impl NullaryFnOnce for Word<'_> {
    type Output = u32;

    #[inline(always)]
    fn call(self) -> u32 {
        let Self {
            simd,
            around,
            first,
            wanted,
            recent,
        } = self;
        recent.move_to(simd, around, first);
        let mut found = 0;
        for picture in 0..2 {
            if wanted & !found != 0 {
                found |= recent.smoothed(simd, picture);
            }
        }
        found
    }
}

impl Recent {
    /// Forgets the word before.
    pub(super) fn forget(&mut self) {
        self.place = None;
    }

    /// Looks around a word, as far as the word before does not tell.
    #[inline(always)]
    fn move_to(&mut self, simd: V3, around: &Neighbourhood<'_, 3>, first: u32) {
        let follows = self.place.is_some_and(|(column, [baseline, current])| {
            column == first && [baseline + 1, current + 1] == around.rows_at
        });
        self.place = Some((first, around.rows_at));
        let (mut fresh_rows, mut fresh_near) = (0, 0);
        if follows {
            self.rows.turn();
            self.near.turn();
            (fresh_rows, fresh_near) = (ROWS - 1, NEAR_ROWS - 1);
        }
        for at in fresh_rows..ROWS {
            for (picture, rows) in [&around.baseline, &around.current].into_iter().enumerate() {
                // Nothing asks what the first row has in common with the one above it.
                let above = &self.rows.get(at.saturating_sub(1))[picture];
                let row = rows[at].as_deref();
                let row = Row::below(simd, above, row, first, around.width);
                self.rows.get_mut(at)[picture] = row;
            }
        }
        for (at, down) in (0..NEAR_ROWS).zip(-1..).skip(fresh_near) {
            let edges = edges(around, first, down);
            let [centre, below] = [at + 1, at + 2].map(|at| self.rows.get(at));
            let near = self.near.get_mut(at);
            for picture in 0..2 {
                near.have_siblings[picture] = centre[picture].siblings(&below[picture], edges);
            }
            near.offer(simd, centre);
        }
    }

    /// Those pixels of the word that lie on a slope of brightness in one picture, one end of which has siblings in both.
    #[inline(always)]
    fn smoothed(&self, simd: V3, picture: usize) -> u32 {
        let (avx, avx2) = (simd.avx, simd.avx2);
        let [above, own, below] = [0, 1, 2].map(|at| self.near.get(at));
        let centre = &self.rows.get(REACH)[picture].keys;
        let less = avx._mm256_set1_epi32(SPACING - 1);
        let mut found = 0;
        for group in 0..GROUPS {
            let best = |of: fn(&Near) -> &[Best; 2]| {
                let [above, own, below] = [above, own, below].map(|near| &of(near)[picture]);
                let [first, second] = BY_ROW.map(|more| avx._mm256_set1_epi32(more));
                let above = avx2._mm256_add_epi32(above.three[group], first);
                let own = avx2._mm256_add_epi32(own.beside[group], second);
                avx2._mm256_max_epi32(avx2._mm256_max_epi32(above, own), below.three[group])
            };
            let (brightest, darkest) = (best(|near| &near.brightest), best(|near| &near.darkest));
            let key = centre.own[group];
            let is_brighter = avx2._mm256_cmpgt_epi32(brightest, avx2._mm256_add_epi32(key, less));
            let mirrored = avx2._mm256_sub_epi32(avx._mm256_set1_epi32(MIRRORED), key);
            let is_darker = avx2._mm256_cmpgt_epi32(darkest, avx2._mm256_add_epi32(mirrored, less));
            let siblings = avx2._mm256_slli_epi32::<31>(avx2._mm256_or_si256(brightest, darkest));
            let on_slope = avx2._mm256_and_si256(is_brighter, is_darker);
            found |= signs(simd, avx2._mm256_and_si256(on_slope, siblings)) << (EIGHT * group);
        }
        lower(found & !(own.have_siblings[picture] >> REACH))
    }
}

impl Row {
    /// The row below another, of these pixels and so wide, around the word that begins in column `first`.
    #[inline(always)]
    fn below(simd: V3, above: &Self, pixels: Option<&[[u8; 3]]>, first: u32, width: u32) -> Self {
        let keys = Keys::of(simd, pixels, first, width);
        let same = |one: &[__m256i; COVERED], other: &[__m256i; COVERED]| {
            let mut same = 0;
            for group in 0..COVERED {
                let equal = simd.avx2._mm256_cmpeq_epi32(one[group], other[group]);
                same |= signs(simd, equal) << (EIGHT * group);
            }
            same
        };
        Self {
            as_right: same(&keys.all, &keys.next),
            as_above: same(&above.keys.all, &keys.all),
            above_as_right: same(&above.keys.all, &keys.next),
            as_above_right: same(&above.keys.next, &keys.all),
            keys,
        }
    }

    /// Where three neighbours are of the pixel's very colour; at the edges of the pictures one counts as such. `below` is the row below.
    #[inline(always)]
    fn siblings(&self, below: &Self, edges: u64) -> u64 {
        // Nine bits of each column are added up digit by digit.
        let sum = |one: u64, two: u64, three: u64| {
            let either = one ^ two;
            (either ^ three, one & two | either & three)
        };
        let (beside, two_beside) = sum(edges, self.as_right, self.as_right << 1);
        let (above, two_above) = sum(self.as_above, self.above_as_right << 1, self.as_above_right);
        let (under, two_under) = sum(
            below.as_above,
            below.above_as_right,
            below.as_above_right << 1,
        );
        let (odd, two_odd) = sum(beside, above, under);
        let two = two_beside | two_above | two_under | two_odd;
        let four = two_beside & two_above
            | two_under & two_odd
            | (two_beside | two_above) & (two_under | two_odd);
        four | two & odd
    }
}

impl Near {
    /// Finds the best neighbours in a row of both pictures.
    #[inline(always)]
    fn offer(&mut self, simd: V3, row: &[Row; 2]) {
        let (avx, avx2) = (simd.avx, simd.avx2);
        // Neighbours begin one column further right than keys.
        let both = (self.have_siblings[0] & self.have_siblings[1]) >> 1;
        let bits: __m256i = pulp::cast([1, 2, 4, 8, 16, 32, 64, 128_i32]);
        let off = avx._mm256_set1_epi32(OFF);
        let mirrored = avx._mm256_set1_epi32(MIRRORED);
        let mut siblings = [off; COVERED];
        for (group, siblings) in siblings.iter_mut().enumerate() {
            let of_group = avx._mm256_set1_epi32(lower(both >> (EIGHT * group)).cast_signed());
            *siblings = avx2._mm256_cmpeq_epi32(avx2._mm256_and_si256(of_group, bits), bits);
        }
        for (picture, row) in row.iter().enumerate() {
            let (mut bright, mut dark) = ([off; COVERED], [off; COVERED]);
            for group in 0..COVERED {
                let key = row.keys.next[group];
                let is_off = avx2._mm256_cmpeq_epi32(key, off);
                let mirror = avx2._mm256_sub_epi32(mirrored, key);
                let mirror = avx2._mm256_blendv_epi8(mirror, off, is_off);
                // What is so is -1.
                bright[group] = avx2._mm256_sub_epi32(key, siblings[group]);
                dark[group] = avx2._mm256_sub_epi32(mirror, siblings[group]);
            }
            self.brightest[picture] = Best::of(simd, &bright);
            self.darkest[picture] = Best::of(simd, &dark);
        }
    }
}

impl Best {
    /// Of keys from the column to the left of the word on.
    #[inline(always)]
    fn of(simd: V3, keys: &[__m256i; COVERED]) -> Self {
        let avx2 = simd.avx2;
        let [first, second] = BY_COLUMN.map(|more| simd.avx._mm256_set1_epi32(more));
        let mut best = Self {
            beside: [first; GROUPS],
            three: [first; GROUPS],
        };
        for group in 0..GROUPS {
            let [own, right] = keys::further(simd, keys[group], keys[group + 1]);
            let left = avx2._mm256_add_epi32(keys[group], first);
            best.beside[group] = avx2._mm256_max_epi32(left, right);
            let own = avx2._mm256_add_epi32(own, second);
            best.three[group] = avx2._mm256_max_epi32(best.beside[group], own);
        }
        best
    }
}

impl<T: Copy, const N: usize> Ring<T, N> {
    fn of(value: T) -> Self {
        Self {
            values: [value; N],
            first: 0,
        }
    }

    /// The first becomes the last, to be written anew.
    #[inline(always)]
    fn turn(&mut self) {
        self.first = self.place(1);
    }

    #[inline(always)]
    fn get(&self, at: usize) -> &T {
        &self.values[self.place(at)]
    }

    #[inline(always)]
    fn get_mut(&mut self, at: usize) -> &mut T {
        &mut self.values[self.place(at)]
    }

    #[inline(always)]
    fn place(&self, at: usize) -> usize {
        let place = self.first + at;
        if place < N { place } else { place - N }
    }
}

/// One bit for each place at an edge of the pictures, so many rows down.
#[inline(always)]
fn edges(around: &Neighbourhood<'_, 3>, first: u32, down: i32) -> u64 {
    if around.is_outermost_row(down) {
        return u64::MAX;
    }
    let leftmost = u64::from(first == 0) << REACH;
    let last = u64::from(around.width - 1 - first) + REACH as u64;
    let rightmost = 1_u64.checked_shl(u32::try_from(last).unwrap_or(u32::MAX));
    leftmost | rightmost.unwrap_or(0)
}

/// The sign of each of eight values, the first in the lowest bit.
#[inline(always)]
fn signs(simd: V3, values: __m256i) -> u64 {
    let signs = simd.avx._mm256_movemask_ps(pulp::cast(values));
    u64::from(signs.cast_unsigned())
}

/// The lower half.
#[inline(always)]
#[expect(clippy::cast_possible_truncation, reason = "that is what it is for")]
fn lower(bits: u64) -> u32 {
    bits as u32
}
