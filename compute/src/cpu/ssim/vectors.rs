//! Windows side by side in the processor's vectors, and what is averaged over each.

use std::sync::LazyLock;

use bytemuck::{Pod, Zeroable};
use pulp::Simd;

use crate::score::{self, MIDDLE, WINDOW};

/// Windows of a group, and columns from each group to the next.
pub(super) const LANES: usize = 8;

/// Neighbouring values along a row; begins where a vector of them does.
#[derive(Clone, Copy, Default, Pod, Zeroable)]
#[repr(C, align(32))]
pub(super) struct Group(pub(super) [f32; LANES]);

/// The weights of a window along one axis, each in all lanes.
#[inline(always)]
pub(super) fn weights<S: Simd>(simd: S) -> [S::f32s; WINDOW] {
    static WEIGHTS: LazyLock<[f32; WINDOW]> = LazyLock::new(score::single_weights);
    WEIGHTS.map(|weight| simd.splat_f32s(weight))
}

/// Weighted means over windows that begin one after the other. What has the same weight on both sides of the middle is added up
/// first: most processors add beside what they multiply. From the middle outwards each value is read once.
#[inline(always)]
pub(super) fn weighted<S: Simd, const COUNT: usize>(
    simd: S,
    weights: &[S::f32s; WINDOW],
    values: impl Fn(usize) -> S::f32s,
) -> [S::f32s; COUNT] {
    let mut means: [S::f32s; COUNT] =
        std::array::from_fn(|at| simd.mul_f32s(weights[MIDDLE], values(at + MIDDLE)));
    for tap in (0..MIDDLE).rev() {
        for (at, mean) in means.iter_mut().enumerate() {
            let both = simd.add_f32s(values(at + tap), values(at + WINDOW - 1 - tap));
            *mean = simd.mul_add_e_f32s(weights[tap], both, *mean);
        }
    }
    means
}

/// One of them, in two sums that do not wait for each other.
#[inline(always)]
pub(super) fn weighted_one<S: Simd>(
    simd: S,
    weights: &[S::f32s; WINDOW],
    values: impl Fn(usize) -> S::f32s,
) -> S::f32s {
    let both = |tap: usize| simd.add_f32s(values(tap), values(WINDOW - 1 - tap));
    let outer = simd.mul_f32s(weights[0], both(0));
    let inner = simd.mul_f32s(weights[MIDDLE], values(MIDDLE));
    let outer = simd.mul_add_e_f32s(weights[1], both(1), outer);
    let inner = simd.mul_add_e_f32s(weights[4], both(4), inner);
    let outer = simd.mul_add_e_f32s(weights[2], both(2), outer);
    let inner = simd.mul_add_e_f32s(weights[3], both(3), inner);
    simd.add_f32s(outer, inner)
}

/// The values from one of them on.
#[inline(always)]
pub(super) fn vector<S: Simd>(values: &[f32], at: usize) -> S::f32s {
    bytemuck::pod_read_unaligned(bytemuck::cast_slice(&values[at..at + S::F32_LANES]))
}

/// The vectors of a group.
#[inline(always)]
pub(super) fn vectors_mut<S: Simd>(group: &mut Group) -> &mut [S::f32s] {
    const { assert!(LANES.is_multiple_of(S::F32_LANES)) };

    S::as_mut_simd_f32s(&mut group.0).0
}
