//! Windows filtered many at a time: down the columns first, then along the rows.

mod filter;
mod planes;
mod turn;

#[cfg(not(target_arch = "x86_64"))]
use pulp::Arch;
#[cfg(target_arch = "x86_64")]
use pulp::NullaryFnOnce;
use pulp::{Simd, WithSimd};

use crate::score::{self, Moments, WINDOW};

use super::BAND;
use super::vectors::{Group, LANES, Square, Weights, vector, vectors_mut, weights};
use filter::{along, down, float};
use planes::Planes;
#[cfg(target_arch = "x86_64")]
use turn::ByEight;
use turn::{Portable, Turn};

/// Groups to the right of its own that a group of windows reaches into.
pub(super) const NEXT_GROUPS: usize = (WINDOW - 1).div_ceil(LANES);

/// Groups that the windows of a group cover.
const COVERED: usize = 1 + NEXT_GROUPS;

/// What is averaged over a window: the sum and the difference of both lumas.
const PLANES: usize = 2;

/// Squares of windows below each other that the rows of a band fill.
const SQUARES: usize = BAND as usize / LANES;

/// Rows of a square.
const SIDE: u32 = super::GROUP_PX;

/// What a run of windows covers, and room for what is made of it.
#[derive(Default)]
pub(super) struct Windows {
    planes: Planes,
    /// Of the latest groups.
    columns: Box<[Columns; COVERED]>,
}

/// Means and variances down the columns of a group, for each square of windows: of the sum and the difference of both lumas.
type Columns = [[Moments<Square>; PLANES]; SQUARES];

impl Windows {
    /// Begins a run of so many groups of windows.
    pub(super) fn begin(&mut self, groups: usize) {
        self.planes.begin(groups + NEXT_GROUPS);
    }

    /// Takes the lumas of the next row that the windows cover, in units of [`score::LUMA_ONE`], those of the baseline first. Rows are
    /// whole groups from the leftmost column that the first window covers on: one for each group of windows and
    /// [`NEXT_GROUPS`] more.
    pub(super) fn take_row(&mut self, lumas: [&[[i32; LANES]]; 2]) {
        self.planes.take_row(lumas);
    }

    /// Measures windows: `wanted` holds for each group one bit a row of centres. What those of the first `summed` groups lose
    /// is added up, one sum for each place in a square; what those of the others lose is handed to `take` with row and column, for all
    /// that touch a difference.
    pub(super) fn measure(
        &mut self,
        wanted: &[u32],
        summed: usize,
        take: impl FnMut(usize, usize, f32),
    ) -> [f64; LANES] {
        let wanted = self.planes.touching_differences(wanted);
        Measuring {
            planes: &self.planes,
            squares: squares(&wanted),
            wanted: &wanted,
            columns: &mut self.columns,
            summed,
            take,
        }
        .run()
    }
}

/// The first row of each square of windows, and the rows of it that are no other's as bits of a band: they cover what is wanted of
/// any group.
fn squares(wanted: &[u32]) -> [(usize, u32); SQUARES] {
    let mut left = wanted.iter().fold(0, |any, rows| any | rows);
    std::array::from_fn(|_| {
        // None is left: no row is of this square.
        let first = left.trailing_zeros().min(BAND - SIDE);
        let rows = left & ((1 << SIDE) - 1) << first;
        left &= !rows;
        (first as usize, rows)
    })
}

/// Measures windows, group by group from left to right.
struct Measuring<'a, F> {
    planes: &'a Planes,
    squares: [(usize, u32); SQUARES],
    wanted: &'a [u32],
    /// Of the latest groups; those of a group stay in their place until the windows that reach into it are done.
    columns: &'a mut [Columns; COVERED],
    summed: usize,
    take: F,
}

impl<F: FnMut(usize, usize, f32)> Measuring<'_, F> {
    #[cfg(target_arch = "x86_64")]
    fn run(self) -> [f64; LANES] {
        match pulp::x86::V3::try_new() {
            Some(simd) => simd.vectorize(self.with(simd, ByEight)),
            // Longer vectors than a group's are not needed: a processor that has them has these, too.
            None => pulp::Scalar::new().vectorize(self),
        }
    }

    #[cfg(not(target_arch = "x86_64"))]
    fn run(self) -> [f64; LANES] {
        Arch::new().dispatch(self)
    }

    #[inline(always)]
    fn measure<S: Simd>(mut self, simd: S, turn: impl Turn<S>) -> [f64; LANES] {
        let weights = weights(simd);
        let origin = self.planes.means();
        let mut sums = [0.0; LANES];
        for group in 0..self.wanted.len() + NEXT_GROUPS {
            self.average_down(simd, turn, &weights, group, origin);
            if let Some(group) = group.checked_sub(NEXT_GROUPS) {
                self.lose(simd, &weights, group, origin, &mut sums);
            }
        }
        sums
    }

    /// Filters down the columns of a group.
    #[inline(always)]
    fn average_down<S: Simd>(
        &mut self,
        simd: S,
        turn: impl Turn<S>,
        weights: &Weights<S>,
        group: usize,
        origin: [i32; PLANES],
    ) {
        let readers = group.saturating_sub(NEXT_GROUPS)..(group + 1).min(self.wanted.len());
        let rows = (self.wanted[readers].iter()).fold(0, |any, rows| any | rows);
        let by_row = &mut Moments::default();
        let squares = (self.squares.iter()).zip(&mut self.columns[group % COVERED]);
        for (&(first, of_square), columns) in squares {
            if rows & of_square == 0 {
                continue;
            }
            let planes = self.planes.columns.iter().zip(origin);
            for (columns, (plane, origin)) in columns.iter_mut().zip(planes) {
                down(simd, weights, &plane[group][first..], origin, by_row);
                turn.turn(simd, &by_row.mean, &mut columns.mean);
                turn.turn(simd, &by_row.variance, &mut columns.variance);
            }
        }
    }

    /// What the windows of a group lose is added up, or handed out.
    #[inline(always)]
    fn lose<S: Simd>(
        &mut self,
        simd: S,
        weights: &Weights<S>,
        group: usize,
        origin: [i32; PLANES],
        sums: &mut [f64; LANES],
    ) {
        let mut windows = <[Moments<Square>; PLANES]>::default();
        for (square, &(first, of_square)) in self.squares.iter().enumerate() {
            let wanted = (self.wanted[group] & of_square) >> first;
            if wanted == 0 {
                continue;
            }
            for (plane, windows) in windows.iter_mut().enumerate() {
                let covered = |next: usize| &self.columns[(group + next) % COVERED][square][plane];
                along(simd, weights, std::array::from_fn(covered), windows);
            }
            let losses = losses(simd, &windows, origin);
            let rows = (0..LANES).filter(|row| wanted >> row & 1 == 1);
            if group < self.summed {
                let of_rows = across(&losses);
                rows.for_each(|row| sums[row] += f64::from(of_rows[row]));
                continue;
            }
            for row in rows {
                for (column, losses) in losses.iter().enumerate() {
                    (self.take)(first + row, group * LANES + column, losses.0[row]);
                }
            }
        }
    }
}

/// What each window of a square loses.
#[inline(always)]
fn losses<S: Simd>(simd: S, windows: &[Moments<Square>; PLANES], origin: [i32; PLANES]) -> Square {
    let origin = origin.map(|origin| simd.splat_f32s(float(origin)));
    let mut losses = Square::default();
    for (column, losses) in losses.iter_mut().enumerate() {
        for (part, losses) in vectors_mut::<S>(losses).iter_mut().enumerate() {
            let [sums, differences] = std::array::from_fn(|plane| {
                let Moments { mean, variance } = &windows[plane];
                Moments {
                    mean: simd.add_f32s(origin[plane], vector::<S>(&mean[column], part)),
                    variance: vector::<S>(&variance[column], part),
                }
            });
            *losses = score::loss(simd, sums, differences);
        }
    }
    losses
}

/// The sums of all columns, in pairs.
#[inline(always)]
fn across(columns: &Square) -> [f32; LANES] {
    let mut sums = *columns;
    for half in [LANES / 2, LANES / 4, LANES / 8] {
        for at in 0..half {
            sums[at] = Group(std::array::from_fn(|row| {
                sums[at].0[row] + sums[at + half].0[row]
            }));
        }
    }
    sums[0].0
}

impl<F: FnMut(usize, usize, f32)> WithSimd for Measuring<'_, F> {
    type Output = [f64; LANES];

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) -> [f64; LANES] {
        self.measure(simd, Portable)
    }
}

/// Measuring in the vectors of one kind of processor, with a way of their own to make columns of rows.
#[cfg(target_arch = "x86_64")]
struct With<S, T, M> {
    simd: S,
    turn: T,
    windows: M,
}

#[cfg(target_arch = "x86_64")]
impl<F> Measuring<'_, F> {
    fn with<S, T>(self, simd: S, turn: T) -> With<S, T, Self> {
        With {
            simd,
            turn,
            windows: self,
        }
    }
}

#[cfg(target_arch = "x86_64")]
impl<S: Simd, T: Turn<S>, F: FnMut(usize, usize, f32)> NullaryFnOnce
    for With<S, T, Measuring<'_, F>>
{
    type Output = [f64; LANES];

    #[inline(always)]
    fn call(self) -> [f64; LANES] {
        self.windows.measure(self.simd, self.turn)
    }
}

#[cfg(test)]
mod tests;
