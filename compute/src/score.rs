//! The similarity score: which windows there are, how much each loses, and what the page gets.
//!
//! It is SSIM as Z. Wang, A. C. Bovik, H. R. Sheikh and E. P. Simoncelli define it in "Image
//! Quality Assessment: From Error Visibility to Structural Similarity" (IEEE Transactions on Image
//! Processing 13, 2004): a Gaussian window of 11×11 pixels, the luma of ITU-R BT.601 laid over
//! white. The page's score is the mean over all windows, times 100.
//!
//! **Border rule.** Only windows that lie wholly on the page count, as in scikit-image's
//! `structural_similarity(gaussian_weights=True, sigma=1.5, use_sample_covariance=False,
//! data_range=255)`. Along an axis shorter than the window every pixel gets one, and the page is
//! mirrored at its edges (edge pixel repeated) to fill it. Where one picture ends before the other,
//! white stands for what is missing. Ignored pixels are white in both, and windows centred on one
//! are left out of the mean.
//!
//! Stages sum what windows *lose* (1 − SSIM), not what they have: a window that touches no
//! difference then adds exactly 0 and need not be looked at.

use std::ops::Range;

use pulp::Simd;

use crate::geometry::{Rect, Size};
use crate::mask::BitMask;

/// Pixels along one side of a window.
pub(crate) const WINDOW: usize = 11;

/// Pixels from a window's centre to its edge.
pub(crate) const RADIUS: u32 = 5;

const _: () = assert!(WINDOW == 2 * RADIUS as usize + 1);

/// The tap of a window's weights that is its centre's.
pub(crate) const MIDDLE: usize = WINDOW / 2;

/// Standard deviation of the Gaussian in pixels.
const SIGMA: f64 = 1.5;

/// `(K1·L)²` with K1 = 0.01 and L = 255: keeps the luminance term steady in the dark.
pub(crate) const C1: f64 = 6.5025;

/// `(K2·L)²` with K2 = 0.03 and L = 255: keeps the contrast term steady where nothing varies.
pub(crate) const C2: f64 = 58.5225;

/// Units of whole-number luma in one step of 0..255: thousandths (the weights) by 255ths (the
/// blending over white).
pub(crate) const LUMA_ONE: i32 = 255_000;

/// Weights of red, green and blue in BT.601's luma, in thousandths.
pub(crate) const LUMA_WEIGHTS: [i32; 3] = [299, 587, 114];

/// BT.601 luma over white in units of [`LUMA_ONE`], exact: 0 to 65,025,000.
pub(crate) fn luma([r, g, b, a]: [u8; 4]) -> i32 {
    let [of_red, of_green, of_blue] = LUMA_WEIGHTS;
    let opaque = of_red * i32::from(r) + of_green * i32::from(g) + of_blue * i32::from(b);
    255 * LUMA_ONE - (LUMA_ONE - opaque) * i32::from(a)
}

/// The Gaussian along one axis, summing to 1.
pub(crate) fn weights() -> [f64; WINDOW] {
    let bell: [f64; WINDOW] = std::array::from_fn(|tap| {
        let distance = tap as f64 - f64::from(RADIUS);
        (-distance * distance / (2.0 * SIGMA * SIGMA)).exp()
    });
    let sum: f64 = bell.iter().sum();
    bell.map(|weight| weight / sum)
}

/// The same in 32 bits. What rounding leaves of 1 is in the middle.
pub(crate) fn single_weights() -> [f32; WINDOW] {
    let mut weights = weights().map(single);
    let others = weights.iter().copied().map(f64::from).sum::<f64>() - f64::from(weights[MIDDLE]);
    weights[MIDDLE] = single(1.0 - others);
    weights
}

#[expect(
    clippy::cast_possible_truncation,
    reason = "constants lose digits only"
)]
pub(crate) fn single(value: f64) -> f32 {
    value as f32
}

/// Centres of the windows along an axis of `length` pixels.
pub(crate) fn centres(length: u32) -> Range<u32> {
    if (length as usize) < WINDOW {
        0..length
    } else {
        RADIUS..length - RADIUS
    }
}

/// The pixel that stands for position `at` of a mirrored axis: d c b a | a b c d | d c b a.
pub(crate) fn mirror(at: i64, length: u32) -> u32 {
    let length = i64::from(length);
    let folded = at.rem_euclid(2 * length);
    let inside = if folded < length {
        folded
    } else {
        2 * length - 1 - folded
    };
    u32::try_from(inside).expect("a folded position lies on the axis")
}

/// Number of windows whose mean is the score.
pub(crate) fn window_count(size: Size, ignored: Option<&BitMask>) -> u64 {
    let (columns, rows) = (centres(size.width), centres(size.height));
    let area = Rect {
        x: columns.start,
        y: rows.start,
        width: columns.end - columns.start,
        height: rows.end - rows.start,
    };
    let all = u64::from(area.width) * u64::from(area.height);
    all - ignored.map_or(0, |mask| mask.count_in(area))
}

/// Of the sum s = x + y or the difference d = x − y of both lumas: weighted mean and variance over windows, one window in each
/// lane of a vector. Lumas are in units of [`LUMA_ONE`]; a variance is at least 0.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Moments<V> {
    pub(crate) mean: V,
    pub(crate) variance: V,
}

/// What windows lose, 1 − SSIM, from 0 (no difference) to 2.
///
/// With s and d the two terms of SSIM become 1 − mean(d)²/B1 and 1 − var(d)/B2, where B1 and B2 are
/// its denominators; nothing cancels when d is small, and the loss is exactly 0 when d is 0.
#[inline(always)]
pub(crate) fn loss<S: Simd>(
    simd: S,
    sum: Moments<S::f32s>,
    difference: Moments<S::f32s>,
) -> S::f32s {
    const SQUARE: f64 = LUMA_ONE as f64 * LUMA_ONE as f64;
    let [half, c1, c2] =
        [0.5, C1 * SQUARE, C2 * SQUARE].map(|value| simd.splat_f32s(single(value)));
    let squared = |value| simd.mul_f32s(value, value);
    let half_of_both =
        |one, other, plus| simd.mul_add_e_f32s(simd.add_f32s(one, other), half, plus);
    let (mean_sum, mean_difference) = (squared(sum.mean), squared(difference.mean));
    let luminance = half_of_both(mean_sum, mean_difference, c1);
    let structure = half_of_both(sum.variance, difference.variance, c2);
    // l + s − l·s for the losses l and s of the two terms, with one division instead of two.
    let by_structure = simd.mul_f32s(
        difference.variance,
        simd.sub_f32s(luminance, mean_difference),
    );
    simd.div_f32s(
        simd.mul_add_e_f32s(mean_difference, structure, by_structure),
        simd.mul_f32s(luminance, structure),
    )
}

/// The page's score, 0 to 100, from the summed loss of its windows; 100 when every window is
/// ignored.
pub(crate) fn score(total_loss: f64, windows: u64) -> f64 {
    if windows == 0 {
        return 100.0;
    }
    (100.0 * (1.0 - total_loss / windows as f64)).clamp(0.0, 100.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn luma_of_the_corners() {
        assert_eq!(luma([0, 0, 0, 255]), 0);
        assert_eq!(luma([255; 4]), 255 * LUMA_ONE);
        assert_eq!(
            luma([7, 8, 9, 0]),
            255 * LUMA_ONE,
            "nothing over white is white"
        );
        assert_eq!(luma([100, 0, 0, 255]), 29_900 * 255);
    }

    #[test]
    fn mirrored_axis() {
        let row: Vec<u32> = (-5..6).map(|at| mirror(at, 3)).collect();
        assert_eq!(row, [1, 2, 2, 1, 0, 0, 1, 2, 2, 1, 0]);
        assert!((-5..6).all(|at| mirror(at, 1) == 0));
    }

    #[test]
    fn windows_lie_on_the_page() {
        let count = |width, height| window_count(Size { width, height }, None);
        assert_eq!(
            (count(11, 11), count(12, 20), count(10, 12), count(1, 1)),
            (1, 20, 20, 1)
        );
    }

    /// Flat black against flat white: only the luminance term is left, C1 / (255² + C1).
    #[test]
    fn loss_of_black_against_white() {
        let flat = Moments {
            mean: 255.0 * LUMA_ONE as f32,
            variance: 0.0,
        };
        let kept = 1.0 - f64::from(loss(pulp::Scalar::new(), flat, flat));
        assert!((kept - C1 / (65_025.0 + C1)).abs() < 1e-7);
    }
}
