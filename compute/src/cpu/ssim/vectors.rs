//! Values in the processor's vectors, and what is averaged over windows that begin one after the other.

use std::sync::LazyLock;

use pulp::Simd;

use crate::score::{self, MIDDLE, WINDOW};

/// Values in a group, and windows side by side that are worked on together.
pub(super) const LANES: usize = 8;

/// Neighbouring values; begins where a vector of them does.
#[derive(Clone, Copy, Default)]
#[repr(C, align(32))]
pub(super) struct Group<T>(pub(super) [T; LANES]);

/// As many groups as each has values: one for each row or, turned, for each column.
pub(super) type Square = [Group<f32>; LANES];

/// Windows behind each other that are averaged together: most of what they cover is the same.
pub(super) const BLOCK: usize = 4;
const _: () = assert!(LANES.is_multiple_of(BLOCK));

/// Places that they cover.
pub(super) const SPAN: usize = BLOCK + WINDOW - 1;

/// The places whose mean what is averaged is counted from: one weighs at least 0.21 in each window, the other at least 0.1.
pub(super) const LEVEL: [usize; 2] = [SPAN / 2 - 1, SPAN / 2];

/// The weights of a window along one axis, from its end to its middle, each in all lanes.
pub(super) type Weights<S> = [<S as Simd>::f32s; MIDDLE + 1];

#[inline(always)]
pub(super) fn weights<S: Simd>(simd: S) -> Weights<S> {
    static WEIGHTS: LazyLock<[f32; WINDOW]> = LazyLock::new(score::single_weights);
    std::array::from_fn(|tap| simd.splat_f32s(WEIGHTS[tap]))
}

/// Weighted means over the windows of a block, of both values at each place. Each place is asked for once, and every sum stays
/// in its register until all are done.
#[inline(always)]
pub(super) fn weighted<S: Simd>(
    simd: S,
    weights: &Weights<S>,
    at: impl Fn(usize) -> [S::f32s; 2],
) -> [[S::f32s; 2]; BLOCK] {
    let mut means = [[simd.splat_f32s(0.0); 2]; BLOCK];
    // A loop's places would be looked up one by one where the compiler does not unroll it.
    macro_rules! add {
        ($($place:literal)*) => {
            const { assert!([$($place),*].len() == SPAN) };
            $(
                let values = at($place);
                for window in 0..BLOCK {
                    if window <= $place && $place < window + WINDOW {
                        let tap = $place - window;
                        let weight = weights[tap.min(WINDOW - 1 - tap)];
                        for (mean, value) in means[window].iter_mut().zip(values) {
                            *mean = simd.mul_add_e_f32s(weight, value, *mean);
                        }
                    }
                }
            )*
        };
    }
    add!(0 1 2 3 4 5 6 7 8 9 10 11 12 13);
    means
}

/// One of the vectors of a group.
#[inline(always)]
pub(super) fn vector<S: Simd>(group: &Group<f32>, part: usize) -> S::f32s {
    S::as_simd_f32s(&group.0).0[part]
}

/// The vectors of a group.
#[inline(always)]
pub(super) fn vectors_mut<S: Simd>(group: &mut Group<f32>) -> &mut [S::f32s] {
    const { assert!(LANES.is_multiple_of(S::F32_LANES)) };

    S::as_mut_simd_f32s(&mut group.0).0
}
