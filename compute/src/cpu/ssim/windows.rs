//! Windows filtered many at a time: down the columns first, then along the rows.

mod block;
mod differing;
#[cfg(target_arch = "x86_64")]
mod x86;

#[cfg(not(target_arch = "x86_64"))]
use pulp::Arch;
#[cfg(target_arch = "x86_64")]
use pulp::NullaryFnOnce;
use pulp::{Simd, WithSimd};

use crate::score::{self, MIDDLE, Moments, WINDOW};

use super::BAND;
use super::vectors::{Group, LANES, vector, vectors_mut, weighted_one, weights};
use block::{BLOCK, Block, scaled};

/// Groups to the right of its own that a group of windows reaches into.
pub(super) const NEXT_GROUPS: usize = (WINDOW - 1).div_ceil(LANES);

/// Groups that the windows of a group cover.
const COVERED: usize = 1 + NEXT_GROUPS;

/// What is averaged over a window: the sum and the difference of both lumas.
const PLANES: usize = 2;

/// What a run of windows covers, and room for what is made of it.
#[derive(Default)]
pub(super) struct Windows {
    /// Lumas of both pictures in units of [`score::LUMA_ONE`], row after row, from the topmost row and the
    /// leftmost column that the first window covers on. Rows are whole groups: one for each group of
    /// windows and [`NEXT_GROUPS`] more.
    pub(super) lumas: [Vec<i32>; 2],
    /// Of the columns of the latest groups.
    columns: Box<[Columns; COVERED]>,
}

/// Means and variances down the columns of a group: for each row of centres, of the sum and the difference of both lumas.
type Columns = [[Moments<Group>; PLANES]; BAND as usize];

impl Windows {
    /// Of the rows of centres that are wanted, for each group of windows one bit a row, those in which a window touches
    /// pixels of different luma; the others lose exactly nothing.
    pub(super) fn touching_differences(&self, wanted: &[u32]) -> Vec<u32> {
        let [baseline, current] = &self.lumas;
        differing::touched(baseline.as_chunks().0, current.as_chunks().0, wanted)
    }

    /// Measures windows: `wanted` holds for each group one bit a row of centres. What those of the first `summed` groups lose
    /// is added up, one sum for each place in a group; what those of the others lose is handed to `take` with row and group.
    pub(super) fn measure(
        &mut self,
        wanted: &[u32],
        summed: usize,
        take: impl FnMut(usize, usize, [f32; LANES]),
    ) -> [f64; LANES] {
        let [baseline, current] = &self.lumas;
        Measuring {
            baseline: baseline.as_chunks().0,
            current: current.as_chunks().0,
            wanted,
            columns: &mut self.columns,
            summed,
            take,
        }
        .run()
    }
}

/// Measures windows, group by group from left to right.
///
/// A variance is the mean of squares less the square of the mean, and 32 bits hold it only where what is squared is not much larger
/// than what it varies by. So values are counted from a level among those averaged that weighs much: what lies in a column
/// from the middle rows of its block, and what columns have in the mean from the middle column of the window. And means are
/// kept as what they are beyond the run's origin, near which most of them are: they would lose what they differ by.
struct Measuring<'a, F> {
    baseline: &'a [[i32; LANES]],
    current: &'a [[i32; LANES]],
    wanted: &'a [u32],
    /// Of the latest groups; those of a group stay in their place until the windows that reach into it are done.
    columns: &'a mut [Columns; COVERED],
    summed: usize,
    take: F,
}

impl<F: FnMut(usize, usize, [f32; LANES])> Measuring<'_, F> {
    #[cfg(target_arch = "x86_64")]
    fn run(self) -> [f64; LANES] {
        match pulp::x86::V3::try_new() {
            Some(simd) => simd.vectorize(self.with(simd, x86::ByEight)),
            // Longer vectors than a group's are not needed: a processor that has them has these, too.
            None => pulp::Scalar::new().vectorize(self),
        }
    }

    #[cfg(not(target_arch = "x86_64"))]
    fn run(self) -> [f64; LANES] {
        Arch::new().dispatch(self)
    }

    #[inline(always)]
    fn measure<S: Simd>(mut self, simd: S, along: impl Along<S>) -> [f64; LANES] {
        let weights = weights(simd);
        let origin = self.origin();
        let mut block = Block::default();
        let mut windows = Columns::default();
        let mut sums = [0.0; LANES];
        for group in 0..self.wanted.len() + NEXT_GROUPS {
            self.average_down(simd, &weights, group, origin, &mut block);
            if let Some(group) = group.checked_sub(NEXT_GROUPS) {
                self.average_along(simd, along, &weights, group, &mut windows);
                self.lose(simd, group, origin, &windows, &mut sums);
            }
        }
        sums
    }

    /// Roughly the mean sum and difference of both lumas.
    fn origin(&self) -> [i32; PLANES] {
        // Of the groups of lumas every so many are looked at, not the same of each row.
        let groups = self.wanted.len() + NEXT_GROUPS;
        let every = if groups.is_multiple_of(7) { 5 } else { 7 };
        let mean = |lumas: &[[i32; LANES]]| {
            let looked_at = lumas.iter().step_by(every).flatten();
            let count = i64::try_from(lumas.len().div_ceil(every) * LANES).unwrap_or(i64::MAX);
            let sum: i64 = looked_at.map(|&luma| i64::from(luma)).sum();
            i32::try_from(sum / count.max(1)).expect("a mean is no more than the largest")
        };
        let (ours, theirs) = (mean(self.baseline), mean(self.current));
        [ours + theirs, ours - theirs]
    }

    /// Filters down the columns of a group.
    #[inline(always)]
    fn average_down<S: Simd>(
        &mut self,
        simd: S,
        weights: &[S::f32s; WINDOW],
        group: usize,
        origin: [i32; PLANES],
        block: &mut Block,
    ) {
        let groups = self.wanted.len() + NEXT_GROUPS;
        let readers = group.saturating_sub(NEXT_GROUPS)..(group + 1).min(self.wanted.len());
        let mut rows = (self.wanted[readers].iter()).fold(0, |any, rows| any | rows);
        let columns = &mut self.columns[group % COVERED];
        while rows != 0 {
            // Nobody reads the means of rows among these that are not wanted.
            let first = (rows.trailing_zeros() as usize).min(BAND as usize - BLOCK);
            rows &= !(((1 << BLOCK) - 1) << first);
            let lumas = [self.baseline, self.current];
            let lumas = lumas.map(|lumas| &lumas[first * groups + group..]);
            block.fill(lumas, groups, origin);
            let columns = columns[first..].first_chunk_mut::<BLOCK>();
            block.average(simd, weights, columns.expect("a block lies in its band"));
        }
    }

    /// Filters along the rows of a group of windows.
    #[inline(always)]
    fn average_along<S: Simd>(
        &self,
        simd: S,
        along: impl Along<S>,
        weights: &[S::f32s; WINDOW],
        group: usize,
        windows: &mut Columns,
    ) {
        let covered: [&Columns; COVERED] =
            std::array::from_fn(|next| &self.columns[(group + next) % COVERED]);
        let mut rows = self.wanted[group];
        while rows != 0 {
            let row = rows.trailing_zeros() as usize;
            rows &= rows - 1;
            for (plane, moments) in windows[row].iter_mut().enumerate() {
                let covered = covered.map(|columns| &columns[row][plane]);
                *moments = average_along(simd, along, weights, covered);
            }
        }
    }

    /// What the windows of a group lose is added up, or handed out. This is apart from filtering, so that no window waits
    /// for the one before.
    #[inline(always)]
    fn lose<S: Simd>(
        &mut self,
        simd: S,
        group: usize,
        origin: [i32; PLANES],
        windows: &Columns,
        sums: &mut [f64; LANES],
    ) {
        let origin = origin.map(|origin| simd.splat_f32s(scaled(origin)));
        let mut rows = self.wanted[group];
        while rows != 0 {
            let row = rows.trailing_zeros() as usize;
            rows &= rows - 1;
            let mut losses = Group::default();
            for (part, losses) in vectors_mut::<S>(&mut losses).iter_mut().enumerate() {
                let [sums, differences] = std::array::from_fn(|plane| {
                    let Moments { mean, variance } = windows[row][plane].part::<S>(part);
                    let mean = simd.add_f32s(origin[plane], mean);
                    Moments { mean, variance }
                });
                *losses = score::loss(simd, sums, differences);
            }
            if group >= self.summed {
                (self.take)(row, group, losses.0);
                continue;
            }
            for (sum, loss) in sums.iter_mut().zip(losses.0) {
                *sum += f64::from(loss);
            }
        }
    }
}

/// Filters along a row: means and variances over windows from those of the columns that they cover.
#[inline(always)]
fn average_along<S: Simd>(
    simd: S,
    along: impl Along<S>,
    weights: &[S::f32s; WINDOW],
    covered: [&Moments<Group>; COVERED],
) -> Moments<Group> {
    let mut moments = Moments::default();
    for part in 0..LANES / S::F32_LANES {
        let means = along.taps(simd, covered.map(|columns| &columns.mean), part);
        let variances = along.taps(simd, covered.map(|columns| &columns.variance), part);
        let level = means[MIDDLE];
        let beyond = means.map(|mean| simd.sub_f32s(mean, level));
        let squares = |tap: usize| simd.mul_add_e_f32s(beyond[tap], beyond[tap], variances[tap]);
        let squares = weighted_one(simd, weights, squares);
        let beyond = weighted_one(simd, weights, |tap| beyond[tap]);
        vectors_mut::<S>(&mut moments.mean)[part] = simd.add_f32s(level, beyond);
        vectors_mut::<S>(&mut moments.variance)[part] = variance(simd, beyond, squares);
    }
    moments
}

/// The variance of what has this mean and, squared, that one.
#[inline(always)]
fn variance<S: Simd>(simd: S, mean: S::f32s, mean_of_squares: S::f32s) -> S::f32s {
    let variance = simd.negate_mul_add_e_f32s(mean, mean, mean_of_squares);
    simd.max_f32s(variance, simd.splat_f32s(0.0))
}

impl Moments<Group> {
    /// A vector of each.
    #[inline(always)]
    fn part<S: Simd>(&self, part: usize) -> Moments<S::f32s> {
        let [mean, variance] =
            [&self.mean, &self.variance].map(|group| vector::<S>(&group.0, part * S::F32_LANES));
        Moments { mean, variance }
    }
}

impl<F: FnMut(usize, usize, [f32; LANES])> WithSimd for Measuring<'_, F> {
    type Output = [f64; LANES];

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) -> [f64; LANES] {
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
impl<S: Simd, A: Along<S>, F: FnMut(usize, usize, [f32; LANES])> NullaryFnOnce
    for With<S, A, Measuring<'_, F>>
{
    type Output = [f64; LANES];

    #[inline(always)]
    fn call(self) -> [f64; LANES] {
        self.windows.measure(self.simd, self.along)
    }
}

/// A way to read along rows.
trait Along<S: Simd>: Copy {
    /// What the windows of a vector among those of the first group have at each place along them.
    fn taps(self, simd: S, covered: [&Group; COVERED], part: usize) -> [S::f32s; WINDOW];
}

/// Any vectors: they are read from wherever they begin.
#[derive(Clone, Copy)]
struct Portable;

impl<S: Simd> Along<S> for Portable {
    #[inline(always)]
    fn taps(self, _: S, covered: [&Group; COVERED], part: usize) -> [S::f32s; WINDOW] {
        let values = covered.map(|group| group.0);
        let at = part * S::F32_LANES;
        std::array::from_fn(|tap| vector::<S>(values.as_flattened(), at + tap))
    }
}

#[cfg(test)]
mod tests;
