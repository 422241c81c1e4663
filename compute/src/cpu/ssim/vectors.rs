//! Windows side by side in the processor's vectors, and what is averaged over each.

use std::sync::LazyLock;

use bytemuck::{Pod, Zeroable};
use pulp::{Simd, WithSimd};

use crate::score::{self, WINDOW};

/// Windows worked on at once: so few that the sums of all quantities stay in registers, and that few windows beside a
/// small difference are worked on with it.
pub(super) const LANES: usize = 8;

/// Neighbouring values along a row; begins where a vector of them does.
#[derive(Clone, Copy, Default, Pod, Zeroable)]
#[repr(C, align(32))]
pub(super) struct Group(pub(super) [f32; LANES]);

/// Runs it with the processor's vectors; with those of eight values where there are longer ones, too.
pub(super) fn dispatch<O: WithSimd>(stage: O) -> O::Output {
    #[cfg(target_arch = "x86_64")]
    {
        use pulp::{Scalar, x86::V3};
        match V3::try_new() {
            Some(simd) => Simd::vectorize(simd, stage),
            None => Simd::vectorize(Scalar::new(), stage),
        }
    }
    #[cfg(not(target_arch = "x86_64"))]
    pulp::Arch::new().dispatch(stage)
}

/// The weights of a window along one axis, each in all lanes.
#[inline(always)]
pub(super) fn weights<S: Simd>(simd: S) -> [S::f32s; WINDOW] {
    static WEIGHTS: LazyLock<[f32; WINDOW]> = LazyLock::new(score::weights);
    WEIGHTS.map(|weight| simd.splat_f32s(weight))
}

/// Weighted mean of neighbouring values. What has the same weight on both sides of the middle is added up first: most
/// processors add beside what they multiply.
#[inline(always)]
pub(super) fn weighted<S: Simd>(
    simd: S,
    weights: &[S::f32s; WINDOW],
    values: impl Fn(usize) -> S::f32s,
) -> S::f32s {
    const MIDDLE: usize = WINDOW / 2;
    let mean = simd.mul_f32s(weights[MIDDLE], values(MIDDLE));
    (0..MIDDLE).fold(mean, |mean, tap| {
        let both = simd.add_f32s(values(tap), values(WINDOW - 1 - tap));
        simd.mul_add_e_f32s(weights[tap], both, mean)
    })
}

/// The values from one of them on.
#[inline(always)]
pub(super) fn vector<S: Simd>(values: &[f32], at: usize) -> S::f32s {
    bytemuck::pod_read_unaligned(bytemuck::cast_slice(&values[at..at + S::F32_LANES]))
}

/// The vectors of a group.
#[inline(always)]
pub(super) fn vectors_mut<S: Simd>(group: &mut [f32; LANES]) -> &mut [S::f32s] {
    const { assert!(LANES.is_multiple_of(S::F32_LANES)) };

    S::as_mut_simd_f32s(group).0
}
