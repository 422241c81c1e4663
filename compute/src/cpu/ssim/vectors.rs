//! Windows side by side in the processor's vectors, and what is averaged over each.

use std::sync::LazyLock;

use bytemuck::{Pod, Zeroable};
use pulp::Simd;

use crate::score::{self, WINDOW};

/// Windows of a group: as many as the longest vector there is holds, so that every processor's vectors divide it.
pub(super) const LANES: usize = 8;

/// Neighbouring values along a row; begins where a vector of them does.
#[derive(Clone, Copy, Default, Pod, Zeroable)]
#[repr(C, align(64))]
pub(super) struct Group(pub(super) [f64; LANES]);

/// The weights of a window along one axis, each in all lanes.
#[inline(always)]
pub(super) fn weights<S: Simd>(simd: S) -> [S::f64s; WINDOW] {
    static WEIGHTS: LazyLock<[f64; WINDOW]> = LazyLock::new(score::weights);
    WEIGHTS.map(|weight| simd.splat_f64s(weight))
}

/// Weighted mean of neighbouring values. What has the same weight on both sides of the middle is added up first: most
/// processors add beside what they multiply.
#[inline(always)]
pub(super) fn weighted<S: Simd>(
    simd: S,
    weights: &[S::f64s; WINDOW],
    values: impl Fn(usize) -> S::f64s,
) -> S::f64s {
    const MIDDLE: usize = WINDOW / 2;
    let mean = simd.mul_f64s(weights[MIDDLE], values(MIDDLE));
    (0..MIDDLE).fold(mean, |mean, tap| {
        let both = simd.add_f64s(values(tap), values(WINDOW - 1 - tap));
        simd.mul_add_e_f64s(weights[tap], both, mean)
    })
}

/// The values from one of them on.
#[inline(always)]
pub(super) fn vector<S: Simd>(values: &[f64], at: usize) -> S::f64s {
    bytemuck::pod_read_unaligned(bytemuck::cast_slice(&values[at..at + S::F64_LANES]))
}

/// The vectors of a group.
#[inline(always)]
pub(super) fn vectors_mut<S: Simd>(group: &mut [f64; LANES]) -> &mut [S::f64s] {
    const { assert!(LANES.is_multiple_of(S::F64_LANES)) };

    S::as_mut_simd_f64s(group).0
}
