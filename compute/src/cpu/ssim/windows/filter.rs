//! Columns filtered down, and what they come to filtered along the rows.
//!
//! A variance is the mean of squares less the square of the mean, and 32 bits hold it only where what is squared is not much larger
//! than what it varies by. So values are counted from a level among those averaged that weighs much: the mean of the two middle
//! places of the block. And means are kept as what they are beyond an origin, near which most of them are: they would lose what they
//! differ by.

use pulp::Simd;

use crate::score::Moments;

use super::super::vectors::{
    BLOCK, Group, LANES, LEVEL, SPAN, Square, Weights, vector, vectors_mut, weighted,
};
use super::COVERED;

/// Means, counted from the origin, and variances down eight columns, of a square of windows of which the first begin at the first
/// of these rows. (Written in place: what is returned would be copied.)
#[inline(always)]
pub(super) fn down<S: Simd>(
    simd: S,
    weights: &Weights<S>,
    rows: &[Group<i32>],
    origin: i32,
    by_row: &mut Moments<Square>,
) {
    for (block, to) in blocks(by_row).enumerate() {
        let rows = rows[block * BLOCK..].first_chunk();
        block_down(simd, weights, rows.expect("bands have as many"), origin, to);
    }
}

#[inline(always)]
fn block_down<S: Simd>(
    simd: S,
    weights: &Weights<S>,
    rows: &[Group<i32>; SPAN],
    origin: i32,
    Moments {
        mean: means,
        variance: variances,
    }: Moments<&mut [Group<f32>; BLOCK]>,
) {
    let [above, below] = LEVEL.map(|row| &rows[row].0);
    // Rounded towards 0: what is found must not hang on which picture is the baseline.
    #[expect(
        clippy::manual_midpoint,
        reason = "lumas do not overflow; a midpoint is taken in 64 bits"
    )]
    let level: [i32; LANES] = std::array::from_fn(|lane| (above[lane] + below[lane]) / 2);
    let beyond_origin = Group(level.map(|level| float(level - origin)));
    for part in 0..LANES / S::F32_LANES {
        let found = weighted(simd, weights, |row| {
            let values = &rows[row].0;
            let beyond = Group(std::array::from_fn(|lane| {
                float(values[lane] - level[lane])
            }));
            let beyond = vector::<S>(&beyond, part);
            [beyond, simd.mul_f32s(beyond, beyond)]
        });
        let level = vector::<S>(&beyond_origin, part);
        for (row, [mean, squares]) in found.into_iter().enumerate() {
            vectors_mut::<S>(&mut means[row])[part] = simd.add_f32s(level, mean);
            vectors_mut::<S>(&mut variances[row])[part] = variance(simd, mean, squares);
        }
    }
}

/// Means and variances over the windows of a square from those of the columns that they cover.
#[inline(always)]
pub(super) fn along<S: Simd>(
    simd: S,
    weights: &Weights<S>,
    covered: [&Moments<Square>; COVERED],
    windows: &mut Moments<Square>,
) {
    const { assert!(LANES == 2 * BLOCK) };
    let mut blocks = blocks(windows);
    let mut next = || blocks.next().expect("a square has two blocks");
    block_along::<S, 0>(simd, weights, covered, next());
    block_along::<S, BLOCK>(simd, weights, covered, next());
}

/// `FIRST` is the first window's column.
#[inline(always)]
fn block_along<S: Simd, const FIRST: usize>(
    simd: S,
    weights: &Weights<S>,
    covered: [&Moments<Square>; COVERED],
    Moments {
        mean: means,
        variance: variances,
    }: Moments<&mut [Group<f32>; BLOCK]>,
) {
    for part in 0..LANES / S::F32_LANES {
        let square = |place: usize| (covered[(FIRST + place) / LANES], (FIRST + place) % LANES);
        let mean = |place: usize| {
            let (square, column) = square(place);
            vector::<S>(&square.mean[column], part)
        };
        let [left, right] = LEVEL.map(mean);
        let level = simd.mul_f32s(simd.splat_f32s(0.5), simd.add_f32s(left, right));
        let found = weighted(simd, weights, |place| {
            let beyond = simd.sub_f32s(mean(place), level);
            let (square, column) = square(place);
            let variance = vector::<S>(&square.variance[column], part);
            [beyond, simd.mul_add_e_f32s(beyond, beyond, variance)]
        });
        for (column, [mean, squares]) in found.into_iter().enumerate() {
            vectors_mut::<S>(&mut means[column])[part] = simd.add_f32s(level, mean);
            vectors_mut::<S>(&mut variances[column])[part] = variance(simd, mean, squares);
        }
    }
}

/// The parts of a square that are averaged together.
#[inline(always)]
fn blocks(square: &mut Moments<Square>) -> impl Iterator<Item = Moments<&mut [Group<f32>; BLOCK]>> {
    let (means, _) = square.mean.as_chunks_mut();
    let (variances, _) = square.variance.as_chunks_mut();
    (means.iter_mut().zip(variances)).map(|(mean, variance)| Moments { mean, variance })
}
/// The variance of what has this mean and, squared, that one.
#[inline(always)]
fn variance<S: Simd>(simd: S, mean: S::f32s, mean_of_squares: S::f32s) -> S::f32s {
    let variance = simd.negate_mul_add_e_f32s(mean, mean, mean_of_squares);
    simd.max_f32s(variance, simd.splat_f32s(0.0))
}

/// A luma, or what it is beyond another, still in units of [`crate::score::LUMA_ONE`].
#[inline(always)]
#[expect(
    clippy::cast_precision_loss,
    reason = "the digits that are lost are worth less than what varies"
)]
pub(super) fn float(luma: i32) -> f32 {
    luma as f32
}
