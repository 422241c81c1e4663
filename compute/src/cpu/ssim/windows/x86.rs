//! Windows along a row with AVX-512: each value is read once, and what lies between two groups is put together in registers.
//! Read from memory it would lie across two lines of the cache nearly always, which takes twice as long.

use std::arch::x86_64::__m512i;

use pulp::x86::V4;
use pulp::{NullaryFnOnce, f64x8};

use super::super::vectors::{Group, weighted, weights};
use super::{AlongRow, NEXT_GROUPS, PLANES};
use crate::score::{self, WINDOW};

/// Losses of the windows centred in a row.
pub(super) struct Along<'a> {
    pub(super) simd: V4,
    pub(super) row: AlongRow<'a>,
}

impl NullaryFnOnce for Along<'_> {
    type Output = ();

    #[inline(always)]
    fn call(self) {
        const { assert!(NEXT_GROUPS == 2) };
        let (simd, row) = (self.simd, self.row);
        let weights = weights(simd);
        let planes = row.planes();
        let read = |group: usize| planes.map(|plane| pulp::cast::<_, f64x8>(plane[group].0));
        let (mut own, mut next) = (read(0), read(1));
        for (group, (rows, losses)) in row.wanted.iter().zip(row.losses).enumerate() {
            let last = read(group + NEXT_GROUPS);
            *losses = if rows >> row.row & 1 == 0 {
                Group::default()
            } else {
                let means = std::array::from_fn::<_, PLANES, _>(|plane| {
                    let values = along(simd, own[plane], next[plane], last[plane]);
                    weighted(simd, &weights, |tap| values[tap])
                });
                Group(pulp::cast(score::loss(simd, means.into())))
            };
            (own, next) = (next, last);
        }
    }
}

/// What lies under each weight of the windows of a group.
#[inline(always)]
fn along(simd: V4, own: f64x8, next: f64x8, last: f64x8) -> [f64x8; WINDOW] {
    [
        own,
        between::<1>(simd, own, next),
        between::<2>(simd, own, next),
        between::<3>(simd, own, next),
        between::<4>(simd, own, next),
        between::<5>(simd, own, next),
        between::<6>(simd, own, next),
        between::<7>(simd, own, next),
        next,
        between::<1>(simd, next, last),
        between::<2>(simd, next, last),
    ]
}

/// The vector that begins so many values behind the first of two neighbours.
#[inline(always)]
fn between<const BEHIND: i32>(simd: V4, first: f64x8, second: f64x8) -> f64x8 {
    let (first, second): (__m512i, __m512i) = (pulp::cast(first), pulp::cast(second));
    pulp::cast(simd.avx512f._mm512_alignr_epi64::<BEHIND>(second, first))
}
