//! Lumas of rows of opaque pixels, eight at a time where the processor has AVX2.

use crate::score::{LUMA_ONE, LUMA_WEIGHTS};

/// Units of a luma in one step of its weights.
const UNIT: i32 = LUMA_ONE / 1000;

/// Writes the luma of each pixel in units of [`LUMA_ONE`].
pub(super) fn opaque(pixels: &[[u8; 3]], lumas: &mut [i32]) {
    let done = eights(pixels.as_flattened(), lumas);
    for (luma, pixel) in lumas[done..].iter_mut().zip(&pixels[done..]) {
        let channels = LUMA_WEIGHTS.iter().zip(pixel);
        *luma = UNIT
            * channels
                .map(|(weight, &value)| weight * i32::from(value))
                .sum::<i32>();
    }
}

/// Writes the lumas of as many pixels as the processor does at once; says how many those were.
#[cfg(target_arch = "x86_64")]
fn eights(bytes: &[u8], lumas: &mut [i32]) -> usize {
    pulp::x86::V3::try_new().map_or(0, |simd| simd.vectorize(x86::Eights { simd, bytes, lumas }))
}

#[cfg(not(target_arch = "x86_64"))]
fn eights(_: &[u8], _: &mut [i32]) -> usize {
    0
}

#[cfg(target_arch = "x86_64")]
mod x86;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::score::luma;

    #[test]
    fn they_are_those_of_the_definition() {
        let mut state = 1_u32;
        let mut byte = || {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            state.to_be_bytes()[0]
        };
        for count in 0..70 {
            let pixels: Vec<[u8; 3]> = (0..count)
                .map(|at| match at {
                    0 => [255; 3],
                    1 => [0; 3],
                    _ => [byte(), byte(), byte()],
                })
                .collect();
            let mut lumas = vec![-1; count];
            opaque(&pixels, &mut lumas);
            let expected: Vec<i32> = pixels
                .iter()
                .map(|&[r, g, b]| luma([r, g, b, 255]))
                .collect();
            assert_eq!(lumas, expected, "{count}");
        }
    }
}
