//! The colour metric: how far two pixels are apart, and whether that is a change.
//!
//! It is the squared YIQ distance of Y. Kotsarenko and F. Ramos, "Measuring perceived color
//! difference using YIQ NTSC transmission color space in mobile applications" (2010), with the
//! constants of pixelmatch 7.2 (<https://github.com/mapbox/pixelmatch>), so that counts can be
//! checked against that package. Like it, translucent pixels are laid over a coloured checkerboard
//! whose colour depends on the position: a change of transparency over white would otherwise go
//! unseen.
//!
//! Both backends decide opaque pixels by an approximation whose error has a known bound: the GPU in
//! whole numbers, where the distance is a quadratic form of the three channel differences with
//! coefficients rounded to 1/65536; the CPU in 32-bit floats, and in whole numbers where it has less
//! than a word of pixels beside each other. A pixel whose distance is closer to the threshold than
//! that bound, and every translucent pixel, is *doubtful* and decided on the host by
//! [`exact_delta`].
#![expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    clippy::many_single_char_names,
    reason = "channel arithmetic with stated ranges, in the letters of the cited formulas"
)]

use crate::error::Error;

/// The largest squared YIQ distance between two colours, as pixelmatch rounds it.
pub(crate) const MAX_DELTA: f64 = 35_215.0;

/// One unit of the squared distance in fixed point. The largest distance, 35,215 × 65,536, fits 32
/// bits.
pub(crate) const DELTA_ONE: f64 = 65_536.0;

/// Bits that a fixed-point distance loses before tiles sum it: 256 of the largest ones then fit 32
/// bits.
pub(crate) const SUM_SHIFT: u32 = 8;

// RGB to YIQ, and the weight of each of Y, I and Q in the distance.
const Y: [f64; 3] = [0.298_895_31, 0.586_622_47, 0.114_482_23];
const I: [f64; 3] = [0.595_977_99, -0.274_176_10, -0.321_801_89];
const Q: [f64; 3] = [0.211_470_17, -0.522_617_11, 0.311_146_94];
const WEIGHTS: [f64; 3] = [0.5053, 0.299, 0.1957];

/// Fixed-point coefficients of dr², dg², db², dr·dg, dr·db and dg·db.
pub(crate) const COEFFICIENTS: [i32; 6] = [
    coefficient(0, 0),
    coefficient(1, 1),
    coefficient(2, 2),
    coefficient(0, 1),
    coefficient(0, 2),
    coefficient(1, 2),
];

/// The weights of Y in units of 1e-8: they have eight decimals, so brightness in these units is exact.
pub(crate) const BRIGHTNESS: [i64; 3] = [29_889_531, 58_662_247, 11_448_223];

/// Lower bits of a brightness that its [`rank`] lacks.
pub(crate) const RANK_SHIFT: u32 = 7;

/// The weights of Y in units of a rank, and what is left of them in units of brightness.
const RANK_UPPER: [i32; 3] = [
    (BRIGHTNESS[0] >> RANK_SHIFT) as i32,
    (BRIGHTNESS[1] >> RANK_SHIFT) as i32,
    (BRIGHTNESS[2] >> RANK_SHIFT) as i32,
];
const RANK_LOWER: [i32; 3] = [
    (BRIGHTNESS[0] & ((1 << RANK_SHIFT) - 1)) as i32,
    (BRIGHTNESS[1] & ((1 << RANK_SHIFT) - 1)) as i32,
    (BRIGHTNESS[2] & ((1 << RANK_SHIFT) - 1)) as i32,
];

/// How far [`float_delta`] can be from the true distance: with roundings of 2⁻²⁴ each, Y is off by
/// less than 6e-5, I by 7e-5 and Q by 7e-5, so their weighted squares by less than 0.03, and the sum by
/// less than 0.01 more.
const FLOAT_ERROR: f64 = 0.0625;

/// The threshold for pixels that are decided in 32-bit floats.
#[derive(Debug, Clone, Copy)]
pub(crate) struct FloatBounds {
    /// Pixels none of whose channels differ by more are no change.
    pub(crate) channel: u8,
    /// A [`float_delta`] below `low` is no change, one above `high` is one; what lies between is too close to tell.
    pub(crate) low: f32,
    pub(crate) high: f32,
}

impl FloatBounds {
    /// Around the largest squared distance that is no change.
    fn of(max_delta: f64) -> Self {
        let low = (max_delta - FLOAT_ERROR).max(0.0);
        Self {
            // The distance grows with the square of the differences, and the largest is that of differences of 255.
            channel: (255.0 * (low / MAX_DELTA).sqrt()) as u8,
            // Pixels of one colour are never close, even to a threshold of 0: their distance is
            // exactly 0, that of any others is far above this.
            low: ((max_delta - FLOAT_ERROR) as f32).max(f32::MIN_POSITIVE),
            high: (max_delta + FLOAT_ERROR) as f32,
        }
    }
}

/// What the whole-number pass can tell of one pixel.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Decision {
    Same,
    Changed,
    /// Too close to the threshold, or translucent: [`exact_delta`] decides.
    Doubtful,
}

/// The threshold in the forms the stages use.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Threshold {
    /// Largest squared distance that is no change.
    max_delta: f64,
    /// The same in fixed point, rounded down.
    pub(crate) low: u32,
    /// The same in fixed point, rounded up.
    pub(crate) high: u32,
    /// The same in 32-bit floats.
    pub(crate) float: FloatBounds,
}

impl Threshold {
    /// From pixelmatch's `threshold`, 0 (every difference is a change) to 1 (none is).
    pub(crate) fn new(threshold: f64) -> Result<Self, Error> {
        if !(0.0..=1.0).contains(&threshold) {
            return Err(Error::Threshold(threshold));
        }
        let max_delta = MAX_DELTA * threshold * threshold;
        Ok(Self {
            max_delta,
            low: (max_delta * DELTA_ONE).floor() as u32,
            high: (max_delta * DELTA_ONE).ceil() as u32,
            float: FloatBounds::of(max_delta),
        })
    }

    /// Half of the levels of grey, 0..=132, that two pixels may be apart without being a change: what is that near to one colour is
    /// far from every other.
    pub(crate) fn half_of_grey(self) -> u8 {
        let squared = self.max_delta / f64::from(fixed_delta([1; 3])) * DELTA_ONE;
        (squared.sqrt() / 2.0) as u8
    }

    /// Decides what whole numbers can decide.
    pub(crate) fn decide(self, baseline: [u8; 4], current: [u8; 4]) -> Decision {
        if baseline == current {
            return Decision::Same;
        }
        if baseline[3] < 255 || current[3] < 255 {
            return Decision::Doubtful;
        }
        let difference = difference(baseline, current);
        let (delta, error) = (fixed_delta(difference), error_bound(difference));
        if delta > self.high + error {
            Decision::Changed
        } else if delta + error < self.low {
            Decision::Same
        } else {
            Decision::Doubtful
        }
    }

    /// Decides any pixel, as pixelmatch does it; `index` is its place in the page, counted row by
    /// row.
    pub(crate) fn exceeds(self, baseline: [u8; 4], current: [u8; 4], index: usize) -> bool {
        exact_delta(baseline, current, index) > self.max_delta
    }
}

/// Squared YIQ distance of two opaque pixels, 0 to 35,215, to within [`FLOAT_ERROR`].
#[inline(always)]
pub(crate) fn float_delta([r, g, b]: [f32; 3]) -> f32 {
    let along = |axis: [f64; 3]| r * axis[0] as f32 + g * axis[1] as f32 + b * axis[2] as f32;
    let (y, i, q) = (along(Y), along(I), along(Q));
    WEIGHTS[0] as f32 * y * y + WEIGHTS[1] as f32 * i * i + WEIGHTS[2] as f32 * q * q
}

/// Brightness (Y) of an opaque pixel in units of 1e-8, exact.
///
/// Two brightnesses are the same only if the colours are: no differences of channels below 511 but
/// zeros add up to nothing with these weights. So comparing them decides as pixelmatch's floats do.
pub(crate) fn brightness([r, g, b, _]: [u8; 4]) -> i64 {
    let [red, green, blue] = BRIGHTNESS;
    red * i64::from(r) + green * i64::from(g) + blue * i64::from(b)
}

/// The place of an opaque pixel in the order of brightness: its [`brightness`] in units of 1.28e-6,
/// rounded down, below 2²⁸.
///
/// The brightnesses of two colours that are not the same are at least 229e-8 apart, so that rounding
/// keeps their order and never makes two of them one.
#[inline(always)]
pub(crate) fn rank([r, g, b]: [u8; 3]) -> i32 {
    let [r, g, b] = [i32::from(r), i32::from(g), i32::from(b)];
    let sum = |weights: [i32; 3]| weights[0] * r + weights[1] * g + weights[2] * b;
    sum(RANK_UPPER) + (sum(RANK_LOWER) >> RANK_SHIFT)
}

/// How much brighter a pixel is than its neighbour in steps of 0..255, when one nearby is translucent; as
/// pixelmatch does it, with the ground below the pixel under both.
pub(crate) fn exact_brightness_delta(pixel: [u8; 4], neighbour: [u8; 4], index: usize) -> f64 {
    let [r, g, b] = blended_difference(pixel, neighbour, index);
    r * Y[0] + g * Y[1] + b * Y[2]
}

/// Squared YIQ distance of two opaque pixels in units of 1/65536.
///
/// Terms wrap around; their sum cannot, since it lies between 0 and the largest distance.
#[inline(always)]
pub(crate) fn fixed_delta([r, g, b]: [i32; 3]) -> u32 {
    let [rr, gg, bb, rg, rb, gb] = COEFFICIENTS;
    let squares = rr
        .wrapping_mul(r * r)
        .wrapping_add(gg.wrapping_mul(g * g))
        .wrapping_add(bb.wrapping_mul(b * b));
    let products = rg
        .wrapping_mul(r * g)
        .wrapping_add(rb.wrapping_mul(r * b))
        .wrapping_add(gb.wrapping_mul(g * b));
    squares.wrapping_add(products).cast_unsigned()
}

/// How far [`fixed_delta`] can be from the true distance: each coefficient is off by at most one
/// half, so the sum by at most half the square of the summed channel differences. One more covers
/// the rounding of the threshold.
fn error_bound([r, g, b]: [i32; 3]) -> u32 {
    let sum = r.unsigned_abs() + g.unsigned_abs() + b.unsigned_abs();
    sum * sum / 2 + 1
}

/// The distance of any two pixels in units of 1/65536, for the figures of regions; no decision
/// hangs on it.
pub(crate) fn any_fixed_delta(baseline: [u8; 4], current: [u8; 4], index: usize) -> u32 {
    if baseline[3] == 255 && current[3] == 255 {
        return fixed_delta(difference(baseline, current));
    }
    (exact_delta(baseline, current, index) * DELTA_ONE).round() as u32
}

/// Squared YIQ distance, 0 to 35,215, term by term in the order of pixelmatch 7.2 so that even the
/// last bit is the same.
pub(crate) fn exact_delta(baseline: [u8; 4], current: [u8; 4], index: usize) -> f64 {
    let [r, g, b] = blended_difference(baseline, current, index);
    let y = r * Y[0] + g * Y[1] + b * Y[2];
    let i = r * I[0] + g * I[1] + b * I[2];
    let q = r * Q[0] + g * Q[1] + b * Q[2];
    WEIGHTS[0] * y * y + WEIGHTS[1] * i * i + WEIGHTS[2] * q * q
}

/// Differences of the channels, translucent pixels laid over the checkerboard.
fn blended_difference(baseline: [u8; 4], current: [u8; 4], index: usize) -> [f64; 3] {
    let opaque = difference(baseline, current).map(f64::from);
    if baseline[3] == 255 && current[3] == 255 {
        return opaque;
    }
    let (a1, a2) = (f64::from(baseline[3]), f64::from(current[3]));
    let ground = checkerboard(index);
    std::array::from_fn(|channel| {
        let (c1, c2) = (f64::from(baseline[channel]), f64::from(current[channel]));
        (c1 * a1 - c2 * a2 - ground[channel] * (a1 - a2)) / 255.0
    })
}

/// The ground below a translucent pixel. The byte offset of a pixel is even, so red is always dark;
/// green and blue flip along multiples of the golden ratio.
fn checkerboard(index: usize) -> [f64; 3] {
    let offset = (index * 4) as f64;
    let shade = |step: f64| 48.0 + 159.0 * ((offset / step) as u64 % 2) as f64;
    [
        48.0,
        shade(1.618_033_988_749_895),
        shade(2.618_033_988_749_895),
    ]
}

fn difference(baseline: [u8; 4], current: [u8; 4]) -> [i32; 3] {
    std::array::from_fn(|channel| i32::from(baseline[channel]) - i32::from(current[channel]))
}

/// The coefficient of the product of two channel differences, rounded to 1/65536.
const fn coefficient(first: usize, second: usize) -> i32 {
    let both = WEIGHTS[0] * Y[first] * Y[second]
        + WEIGHTS[1] * I[first] * I[second]
        + WEIGHTS[2] * Q[first] * Q[second];
    // A mixed product appears twice in the square.
    let times = if first == second {
        DELTA_ONE
    } else {
        2.0 * DELTA_ONE
    };
    let half = if both < 0.0 { -0.5 } else { 0.5 };
    (both * times + half) as i32
}

#[cfg(test)]
mod tests;
