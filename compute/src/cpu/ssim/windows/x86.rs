//! Windows along a row with AVX2 and AVX-512: each value is read once, and what lies between two vectors is put together in
//! registers. Read from memory it would lie across two lines of the cache often, which takes twice as long.

use std::arch::x86_64::{__m256d, __m512i};

use pulp::x86::{V3, V4};
use pulp::{f64x4, f64x8};

use super::super::vectors::{Group, weighted};
use super::{Along, COVERED};
use crate::score::WINDOW;

/// In vectors of eight windows.
#[derive(Clone, Copy)]
pub(super) struct ByEight;

impl Along<V4> for ByEight {
    #[inline(always)]
    fn average(self, simd: V4, weights: &[f64x8; WINDOW], covered: [&Group; COVERED]) -> Group {
        let [own, next, last] = covered.map(|group| pulp::cast::<_, f64x8>(group.0));
        let values = [
            own,
            behind::<1>(simd, own, next),
            behind::<2>(simd, own, next),
            behind::<3>(simd, own, next),
            behind::<4>(simd, own, next),
            behind::<5>(simd, own, next),
            behind::<6>(simd, own, next),
            behind::<7>(simd, own, next),
            next,
            behind::<1>(simd, next, last),
            behind::<2>(simd, next, last),
        ];
        Group(pulp::cast(weighted(simd, weights, |tap| values[tap])))
    }
}

/// The vector that begins so many values behind the first of two neighbours.
#[inline(always)]
fn behind<const BY: i32>(simd: V4, first: f64x8, second: f64x8) -> f64x8 {
    let (first, second): (__m512i, __m512i) = (pulp::cast(first), pulp::cast(second));
    pulp::cast(simd.avx512f._mm512_alignr_epi64::<BY>(second, first))
}

/// In vectors of four windows.
#[derive(Clone, Copy)]
pub(super) struct ByFour;

impl Along<V3> for ByFour {
    #[inline(always)]
    fn average(self, simd: V3, weights: &[f64x4; WINDOW], covered: [&Group; COVERED]) -> Group {
        let [[first, second], [third, fourth], [fifth, _]] =
            covered.map(|group| pulp::cast::<_, [f64x4; 2]>(group.0));
        let left = Quarters::of(simd, first, second);
        let middle = Quarters::of(simd, second, third);
        let right = Quarters::of(simd, third, fourth);
        let end = Quarters::of(simd, fourth, fifth);
        let mean = |by_four: [Quarters; 3]| {
            let [one, two, three] = by_four.map(|quarters| quarters.0);
            let values = [
                one[0], one[1], one[2], one[3], two[0], two[1], two[2], two[3], three[0], three[1],
                three[2],
            ];
            weighted(simd, weights, |tap| values[tap])
        };
        Group(pulp::cast([
            mean([left, middle, right]),
            mean([middle, right, end]),
        ]))
    }
}

/// The vectors that begin none to three values behind the first of two neighbours.
#[derive(Clone, Copy)]
struct Quarters([f64x4; 4]);

impl Quarters {
    #[inline(always)]
    fn of(simd: V3, first: f64x4, second: f64x4) -> Self {
        let avx = simd.avx;
        let (one, three): (__m256d, __m256d) = (pulp::cast(first), pulp::cast(second));
        let two = avx._mm256_permute2f128_pd::<0x21>(one, three);
        Self([
            first,
            pulp::cast(avx._mm256_shuffle_pd::<0b0101>(one, two)),
            pulp::cast(two),
            pulp::cast(avx._mm256_shuffle_pd::<0b0101>(two, three)),
        ])
    }
}
