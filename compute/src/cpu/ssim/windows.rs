//! Windows filtered many at a time: down the columns first, then along the rows.

#[cfg(target_arch = "x86_64")]
mod x86;

#[cfg(target_arch = "x86_64")]
use pulp::NullaryFnOnce;
use pulp::{Arch, Simd, WithSimd};

use crate::score::{self, LUMA_ONE, Moments, WINDOW};

use super::BAND;
use super::vectors::{Group, LANES, vector, vectors_mut, weighted, weights};

/// Groups to the right of its own that a group of windows reaches into.
pub(super) const NEXT_GROUPS: usize = (WINDOW - 1).div_ceil(LANES);

/// Groups that the windows of a group cover.
const COVERED: usize = 1 + NEXT_GROUPS;

/// Quantities that are averaged over a window: sum and difference of both lumas, and their squares.
const PLANES: usize = 4;

/// Rows that the windows centred in a band cover.
const ROWS: usize = BAND as usize + WINDOW - 1;

/// Windows below each other that are filtered down a column together: most of what they cover is the same, and reading it
/// takes longer than multiplying it.
const AT_ONCE: usize = 4;
const _: () = assert!(AT_ONCE <= BAND as usize);

/// What a run of windows covers, and room for what is made of it.
#[derive(Default)]
pub(super) struct Windows {
    /// Lumas of both pictures in units of [`LUMA_ONE`], row after row, from the topmost row and the
    /// leftmost column that the first window covers on. Rows are whole groups: one for each group of
    /// windows and [`NEXT_GROUPS`] more.
    pub(super) lumas: [Vec<i32>; 2],
    /// Means down the columns of the latest groups.
    means: Box<[Means; COVERED]>,
}

/// Means down the columns of a group: for each row of centres, each quantity.
type Means = [[Group; PLANES]; BAND as usize];

impl Windows {
    /// Of the rows of centres that are wanted, for each group of windows one bit a row, those in which a window touches
    /// pixels of different luma; the others lose exactly nothing.
    pub(super) fn touching_differences(&self, wanted: &[u32]) -> Vec<u32> {
        let groups = wanted.len() + NEXT_GROUPS;
        let mut differing = vec![Differing::default(); groups];
        let [baseline, current] = &self.lumas;
        Arch::new().dispatch(FindDifferences {
            baseline: baseline.as_chunks().0,
            current: current.as_chunks().0,
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
        let of_band = |rows: u64| {
            u32::try_from(rows & u64::from(u32::MAX)).expect("they were cut to 32 bits")
        };
        (wanted.iter().zip(reached))
            .map(|(&wanted, reached)| wanted & of_band(reached))
            .collect()
    }

    /// Measures windows: `wanted` holds for each group one bit a row of centres. What those of the first `summed` groups lose
    /// is added up, one sum for each place in a group; what those of the others lose is handed to `take` with row and group.
    pub(super) fn measure(
        &mut self,
        wanted: &[u32],
        summed: usize,
        take: impl FnMut(usize, usize, [f64; LANES]),
    ) -> [f64; LANES] {
        let [baseline, current] = &self.lumas;
        Measuring {
            baseline: baseline.as_chunks().0,
            current: current.as_chunks().0,
            wanted,
            means: &mut self.means,
            summed,
            take,
        }
        .run()
        .0
    }
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

/// Measures windows, group by group from left to right: what has been averaged down the columns of a group is still, where not
/// all rows are wanted, in the first-level cache when the windows that reach into it are averaged along their rows.
struct Measuring<'a, F> {
    baseline: &'a [[i32; LANES]],
    current: &'a [[i32; LANES]],
    wanted: &'a [u32],
    /// Of the latest groups; those of a group stay in their place until the windows that reach into it are done.
    means: &'a mut [Means; COVERED],
    summed: usize,
    take: F,
}

impl<F: FnMut(usize, usize, [f64; LANES])> Measuring<'_, F> {
    fn run(self) -> Group {
        #[cfg(target_arch = "x86_64")]
        {
            if let Some(simd) = pulp::x86::V4::try_new() {
                return simd.vectorize(self.with(simd, x86::ByEight));
            }
            if let Some(simd) = pulp::x86::V3::try_new() {
                return simd.vectorize(self.with(simd, x86::ByFour));
            }
        }
        Arch::new().dispatch(self)
    }

    #[inline(always)]
    fn measure<S: Simd>(mut self, simd: S, along: impl Along<S>) -> Group {
        let weights = weights(simd);
        let mut quantities = [[Group::default(); PLANES]; ROWS];
        let mut sums = Group::default();
        for group in 0..self.wanted.len() + NEXT_GROUPS {
            self.average_down(simd, &weights, group, &mut quantities);
            if let Some(group) = group.checked_sub(NEXT_GROUPS) {
                self.measure_group(simd, along, &weights, group, &mut sums);
            }
        }
        sums
    }

    /// Filters down the columns of a group.
    #[inline(always)]
    fn average_down<S: Simd>(
        &mut self,
        simd: S,
        weights: &[S::f64s; WINDOW],
        group: usize,
        quantities: &mut [[Group; PLANES]; ROWS],
    ) {
        let groups = self.wanted.len() + NEXT_GROUPS;
        let readers = group.saturating_sub(NEXT_GROUPS)..(group + 1).min(self.wanted.len());
        let mut rows = (self.wanted[readers].iter()).fold(0, |any, rows| any | rows);
        if rows == 0 {
            return;
        }
        let mut done = 0;
        let means = &mut self.means[group % COVERED];
        while rows != 0 {
            // Nobody reads the means of rows among these that are not wanted.
            let first = (rows.trailing_zeros() as usize).min(BAND as usize - AT_ONCE);
            rows &= !(((1 << AT_ONCE) - 1) << first);
            done = done.max(first);
            let until = first + WINDOW - 1 + AT_ONCE;
            let below = done * groups + group;
            let [ours, theirs] =
                [self.baseline, self.current].map(|lumas| lumas.iter().skip(below).step_by(groups));
            for ((ours, theirs), quantities) in ours.zip(theirs).zip(&mut quantities[done..until]) {
                *quantities = quantities_of(ours, theirs);
            }
            done = until;
            let covered = quantities[first..].first_chunk::<{ WINDOW - 1 + AT_ONCE }>();
            let covered = covered.expect("a window covers no rows below those of the band");
            let means = &mut means[first..first + AT_ONCE];
            for plane in 0..PLANES {
                for at in (0..LANES).step_by(S::F64_LANES) {
                    let values = covered.each_ref().map(|row| vector::<S>(&row[plane].0, at));
                    for (row, means) in means.iter_mut().enumerate() {
                        let means = vectors_mut::<S>(&mut means[plane].0);
                        means[at / S::F64_LANES] = weighted(simd, weights, |tap| values[row + tap]);
                    }
                }
            }
        }
    }

    /// Filters along the rows of a group of windows, and measures them.
    #[inline(always)]
    fn measure_group<S: Simd>(
        &mut self,
        simd: S,
        along: impl Along<S>,
        weights: &[S::f64s; WINDOW],
        group: usize,
        sums: &mut Group,
    ) {
        let covered: [&Means; COVERED] =
            std::array::from_fn(|next| &self.means[(group + next) % COVERED]);
        let mut rows = self.wanted[group];
        while rows != 0 {
            let row = rows.trailing_zeros() as usize;
            rows &= rows - 1;
            let mut means = [Group::default(); PLANES];
            for (plane, means) in means.iter_mut().enumerate() {
                *means = along.average(simd, weights, covered.map(|means| &means[row][plane]));
            }
            let mut losses = Group::default();
            let parts = vectors_mut::<S>(&mut losses.0).iter_mut();
            for ((part, losses), sum) in parts.enumerate().zip(vectors_mut::<S>(&mut sums.0)) {
                let at = part * S::F64_LANES;
                let means = means.each_ref().map(|plane| vector::<S>(&plane.0, at));
                *losses = score::loss(simd, means.into());
                if group < self.summed {
                    *sum = simd.add_f64s(*sum, *losses);
                }
            }
            if group >= self.summed {
                (self.take)(row, group, losses.0);
            }
        }
    }
}

impl<F: FnMut(usize, usize, [f64; LANES])> WithSimd for Measuring<'_, F> {
    type Output = Group;

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) -> Group {
        self.measure(simd, Portable)
    }
}

/// Measuring in the vectors of one kind of processor, with a way along rows of their own.
#[cfg(target_arch = "x86_64")]
struct With<S, A, M> {
    simd: S,
    along: A,
    windows: M,
}

#[cfg(target_arch = "x86_64")]
impl<F> Measuring<'_, F> {
    fn with<S, A>(self, simd: S, along: A) -> With<S, A, Self> {
        With {
            simd,
            along,
            windows: self,
        }
    }
}

#[cfg(target_arch = "x86_64")]
impl<S: Simd, A: Along<S>, F: FnMut(usize, usize, [f64; LANES])> NullaryFnOnce
    for With<S, A, Measuring<'_, F>>
{
    type Output = Group;

    #[inline(always)]
    fn call(self) -> Group {
        self.windows.measure(self.simd, self.along)
    }
}

/// A way to average along rows.
trait Along<S: Simd>: Copy {
    /// Weighted means over the windows of the first of the groups that they cover.
    fn average(self, simd: S, weights: &[S::f64s; WINDOW], covered: [&Group; COVERED]) -> Group;
}

/// Any vectors: they are read from wherever they begin.
#[derive(Clone, Copy)]
struct Portable;

impl<S: Simd> Along<S> for Portable {
    #[inline(always)]
    fn average(self, simd: S, weights: &[S::f64s; WINDOW], covered: [&Group; COVERED]) -> Group {
        let values = covered.map(|group| group.0);
        let mut means = Group::default();
        for (part, means) in vectors_mut::<S>(&mut means.0).iter_mut().enumerate() {
            let at = part * S::F64_LANES;
            *means = weighted(simd, weights, |tap| {
                vector::<S>(values.as_flattened(), at + tap)
            });
        }
        means
    }
}

/// The quantities of neighbouring pixels.
#[inline(always)]
fn quantities_of(baseline: &[i32; LANES], current: &[i32; LANES]) -> [Group; PLANES] {
    let (mut sums, mut differences) = ([0.0; LANES], [0.0; LANES]);
    for lane in 0..LANES {
        sums[lane] = scaled(baseline[lane] + current[lane]);
        differences[lane] = scaled(baseline[lane] - current[lane]);
    }
    let squared = |value: f64| value * value;
    [
        sums,
        differences,
        sums.map(squared),
        differences.map(squared),
    ]
    .map(Group)
}

/// Luma in steps of 0..255.
#[inline(always)]
fn scaled(luma: i32) -> f64 {
    f64::from(luma) * (1.0 / f64::from(LUMA_ONE))
}

/// The means of a quantity each.
impl<V> From<[V; PLANES]> for Moments<V> {
    #[inline(always)]
    fn from([sum, difference, sum_squared, difference_squared]: [V; PLANES]) -> Self {
        Self {
            sum,
            difference,
            sum_squared,
            difference_squared,
        }
    }
}

#[cfg(test)]
mod tests;
