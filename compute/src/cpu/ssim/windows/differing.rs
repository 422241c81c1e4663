//! Which windows touch a difference.

use pulp::{Arch, Simd, WithSimd};

use crate::score::WINDOW;

use super::super::vectors::LANES;
use super::{COVERED, NEXT_GROUPS};

/// Of the rows of centres that are wanted, for each group of windows one bit a row, those in which a window touches different
/// lumas. Rows of lumas have a group for each of windows, and those behind the last into which they reach.
pub(super) fn touched(
    baseline: &[[i32; LANES]],
    current: &[[i32; LANES]],
    wanted: &[u32],
) -> Vec<u32> {
    let groups = wanted.len() + NEXT_GROUPS;
    let mut differing = vec![Differing::default(); groups];
    Arch::new().dispatch(FindDifferences {
        baseline,
        current,
        differing: &mut differing,
    });
    let covered = differing.windows(COVERED);
    let reached = covered.map(|covered| {
        let [own @ .., last] = covered else { return 0 };
        let any = own
            .iter()
            .fold(last.reached, |any, group| any | group.anywhere);
        // A window covers its centre's row and so many below, counted from its first.
        (1..WINDOW).fold(any, |rows, row| rows | any >> row)
    });
    let of_band =
        |rows: u64| u32::try_from(rows & u64::from(u32::MAX)).expect("they were cut to 32 bits");
    (wanted.iter().zip(reached))
        .map(|(&wanted, reached)| wanted & of_band(reached))
        .collect()
}

/// In which rows the lumas of a group of columns differ: the lowest bit stands for the first row.
#[derive(Clone, Copy, Default)]
struct Differing {
    anywhere: u64,
    /// In the columns that the windows two groups to the left reach into.
    reached: u64,
}

struct FindDifferences<'a> {
    baseline: &'a [[i32; LANES]],
    current: &'a [[i32; LANES]],
    differing: &'a mut [Differing],
}

impl WithSimd for FindDifferences<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) {
        const REACHED: usize = WINDOW - 1 - LANES * (NEXT_GROUPS - 1);
        let groups = self.differing.len();
        let rows = (self.baseline.chunks_exact(groups)).zip(self.current.chunks_exact(groups));
        for (row, (baseline, current)) in rows.enumerate() {
            for ((one, other), differing) in baseline.iter().zip(current).zip(&mut *self.differing)
            {
                differing.anywhere |= u64::from(one != other) << row;
                differing.reached |= u64::from(one[..REACHED] != other[..REACHED]) << row;
            }
        }
    }
}
