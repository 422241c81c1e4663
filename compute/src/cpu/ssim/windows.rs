//! Windows filtered many at a time: down the columns first, then along the rows.

#[cfg(target_arch = "x86_64")]
mod x86;

use pulp::{Arch, Simd, WithSimd};

use crate::score::{self, LUMA_ONE, Moments, WINDOW};

use super::BAND;
use super::vectors::{Group, LANES, vector, vectors_mut, weighted, weights};

/// Groups to the right of its own that a group of windows reaches into.
pub(super) const NEXT_GROUPS: usize = (WINDOW - 1).div_ceil(LANES);

/// Quantities that are averaged over a window: sum and difference of both lumas, and their squares.
const PLANES: usize = 4;

/// Rows that the windows centred in a band cover.
const ROWS: usize = BAND as usize + WINDOW - 1;

/// Windows below each other that are filtered down a column together: most of what they cover is the same, and reading it
/// takes longer than multiplying it.
const AT_ONCE: usize = 4;
const _: () = assert!(AT_ONCE <= BAND as usize);

/// What a run of windows covers, and what has been made of it.
#[derive(Default)]
pub(super) struct Windows {
    /// Lumas of both pictures in units of [`LUMA_ONE`], row after row, from the topmost row and the
    /// leftmost column that the first window covers on. Rows are whole groups: one for each group of
    /// windows and [`NEXT_GROUPS`] more.
    pub(super) lumas: [Vec<i32>; 2],
    /// Means down the columns: for each row of centres, each quantity along the row.
    means: Vec<Group>,
    /// What the windows centred in one row lose.
    losses: Vec<Group>,
}

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
        let covered = differing.windows(1 + NEXT_GROUPS);
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

    /// Filters down the columns, for the rows of centres that are wanted: for each group of windows one
    /// bit a row.
    pub(super) fn filter_columns(&mut self, wanted: &[u32]) {
        let groups = wanted.len() + NEXT_GROUPS;
        let room = BAND as usize * PLANES * groups;
        if self.means.len() < room {
            self.means.resize(room, Group::default());
        }
        self.losses.resize(wanted.len(), Group::default());
        let [baseline, current] = &self.lumas;
        Arch::new().dispatch(DownColumns {
            baseline: baseline.as_chunks().0,
            current: current.as_chunks().0,
            wanted,
            means: &mut self.means,
        });
    }

    /// Adds up what the windows centred in a row lose, one sum for each place in a group; those that are not wanted lose 0.
    /// That is done for so many groups from the first on; what the windows behind them lose is handed out.
    pub(super) fn add_losses(
        &mut self,
        row: usize,
        wanted: &[u32],
        summed: usize,
        sums: &mut [f64; LANES],
    ) -> &[Group] {
        let stride = PLANES * (wanted.len() + NEXT_GROUPS);
        AlongRow {
            means: &self.means[row * stride..(row + 1) * stride],
            wanted,
            row,
            losses: &mut self.losses,
        }
        .measure();
        let (to_sum, others) = self.losses.split_at(summed);
        for losses in to_sum {
            for (sum, loss) in sums.iter_mut().zip(losses.0) {
                *sum += loss;
            }
        }
        others
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

struct DownColumns<'a> {
    baseline: &'a [[i32; LANES]],
    current: &'a [[i32; LANES]],
    wanted: &'a [u32],
    means: &'a mut [Group],
}

impl WithSimd for DownColumns<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) {
        let weights = weights(simd);
        let groups = self.wanted.len() + NEXT_GROUPS;
        // One group of columns at a time, which stays in the first-level cache.
        let mut column = [[Group::default(); PLANES]; ROWS];
        for group in 0..groups {
            let readers = group.saturating_sub(NEXT_GROUPS)..(group + 1).min(self.wanted.len());
            let mut rows = (self.wanted[readers].iter()).fold(0, |any, rows| any | rows);
            if rows == 0 {
                continue;
            }
            let lumas = (self.baseline[group..].iter().step_by(groups))
                .zip(self.current[group..].iter().step_by(groups));
            for ((baseline, current), quantities) in lumas.zip(&mut column) {
                *quantities = quantities_of(baseline, current);
            }
            while rows != 0 {
                // Nobody reads the means of rows among these that are not wanted.
                let first = (rows.trailing_zeros() as usize).min(BAND as usize - AT_ONCE);
                rows &= !(((1 << AT_ONCE) - 1) << first);
                let Some(covered) = column[first..].first_chunk::<{ WINDOW - 1 + AT_ONCE }>()
                else {
                    break;
                };
                for plane in 0..PLANES {
                    for at in (0..LANES).step_by(S::F64_LANES) {
                        let values = covered.each_ref().map(|row| vector::<S>(&row[plane].0, at));
                        for row in 0..AT_ONCE {
                            let to = ((first + row) * PLANES + plane) * groups + group;
                            let means = vectors_mut::<S>(&mut self.means[to].0);
                            means[at / S::F64_LANES] =
                                weighted(simd, &weights, |tap| values[row + tap]);
                        }
                    }
                }
            }
        }
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

/// Measures the windows centred in a row, by their means down the columns.
struct AlongRow<'a> {
    means: &'a [Group],
    wanted: &'a [u32],
    row: usize,
    losses: &'a mut [Group],
}

impl<'a> AlongRow<'a> {
    fn measure(self) {
        #[cfg(target_arch = "x86_64")]
        if let Some(simd) = pulp::x86::V4::try_new() {
            return simd.vectorize(x86::Along { simd, row: self });
        }
        Arch::new().dispatch(self);
    }

    /// The means of each quantity.
    #[inline(always)]
    fn planes(&self) -> [&'a [Group]; PLANES] {
        let mut planes = self.means.chunks_exact(self.means.len() / PLANES);
        std::array::from_fn(|_| planes.next().unwrap_or_default())
    }
}

impl WithSimd for AlongRow<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) {
        let weights = weights(simd);
        let planes: [&[f64]; PLANES] = self.planes().map(bytemuck::cast_slice);
        let groups = self.wanted.iter().zip(self.losses).enumerate();
        for (group, (rows, losses)) in groups {
            if rows >> self.row & 1 == 0 {
                *losses = Group::default();
                continue;
            }
            let losses = vectors_mut::<S>(&mut losses.0);
            for (at, losses) in (group * LANES..).step_by(S::F64_LANES).zip(losses) {
                let means = planes
                    .map(|plane| weighted(simd, &weights, |tap| vector::<S>(plane, at + tap)));
                *losses = score::loss(simd, means.into());
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const GROUPS: usize = 5;
    const WANTED: [u32; GROUPS] = [u32::MAX, 0x0f0f_0f0f, u32::MAX, 0, 1 << 31 | 1];

    #[test]
    fn exactly_the_windows_that_touch_a_difference_are_looked_at() {
        let stride = (GROUPS + NEXT_GROUPS) * LANES;
        let covers = |group: usize, row: usize, (x, y): (usize, usize)| {
            let columns = group * LANES..group * LANES + LANES + WINDOW - 1;
            columns.contains(&x) && (row..row + WINDOW).contains(&y)
        };
        for at in (0..stride * ROWS).step_by(3) {
            let mut windows = Windows {
                lumas: [vec![7; stride * ROWS], vec![7; stride * ROWS]],
                ..Windows::default()
            };
            windows.lumas[at % 2][at] = 8;
            let expected = std::array::from_fn::<u32, GROUPS, _>(|group| {
                let touches = |row: &u32| covers(group, *row as usize, (at % stride, at / stride));
                let rows = (0..BAND).filter(touches);
                WANTED[group] & rows.fold(0, |rows, row| rows | 1 << row)
            });
            assert_eq!(windows.touching_differences(&WANTED), expected, "{at}");
        }
    }

    /// Lumas of both pictures over all rows and groups: steps, noise, and stretches that are the same or flat.
    fn lumas() -> [Vec<[i32; LANES]>; 2] {
        let picture = |seed: usize| -> Vec<[i32; LANES]> {
            let places = (0..ROWS).flat_map(|y| (0..GROUPS + NEXT_GROUPS).map(move |x| (x, y)));
            let luma = |x: usize, y: usize| {
                let noise = (x * 7919 + y * 104_729 + seed * x % 13 * y) % 256;
                let level = if y < 20 { noise } else { x / 3 * 40 % 256 };
                i32::try_from(level).unwrap() * LUMA_ONE
            };
            places
                .map(|(x, y)| std::array::from_fn(|lane| luma(x * LANES + lane, y)))
                .collect()
        };
        [picture(0), picture(5)]
    }

    /// What each wanted window of some rows of groups loses, in the vectors of one kind of processor; `along` measures a row.
    /// What was not averaged over is no number.
    fn losses_in<S: Simd>(
        simd: S,
        [baseline, current]: &[Vec<[i32; LANES]>; 2],
        wanted: &[u32; GROUPS],
        along: impl Fn(AlongRow<'_>),
    ) -> Vec<f64> {
        let stride = PLANES * (GROUPS + NEXT_GROUPS);
        let mut means = vec![Group([f64::NAN; LANES]); BAND as usize * stride];
        simd.vectorize(DownColumns {
            baseline,
            current,
            wanted,
            means: &mut means,
        });
        let rows = means.chunks_exact(stride).enumerate();
        let losses = rows.flat_map(|(row, means)| {
            let mut losses = vec![Group::default(); GROUPS];
            along(AlongRow {
                means,
                wanted,
                row,
                losses: &mut losses,
            });
            losses.into_iter().flat_map(|group| group.0)
        });
        losses.collect()
    }

    /// What the window whose first pixel is there loses, as the paper words it.
    fn loss_of_the_paper(lumas: &[Vec<[i32; LANES]>; 2], x: usize, y: usize) -> f64 {
        let weights = score::weights();
        let luma = |side: usize, x: usize, y: usize| {
            let group = lumas[side][y * (GROUPS + NEXT_GROUPS) + x / LANES];
            f64::from(group[x % LANES]) / f64::from(LUMA_ONE)
        };
        let mean = |value: &dyn Fn(usize, usize) -> f64| -> f64 {
            let taps = (0..WINDOW).flat_map(|down| (0..WINDOW).map(move |along| (along, down)));
            taps.map(|(along, down)| weights[along] * weights[down] * value(x + along, y + down))
                .sum()
        };
        let [one, other] = [0, 1].map(|side| mean(&|x, y| luma(side, x, y)));
        let covariance = |left: usize, right: usize, of_means: f64| {
            mean(&|x, y| luma(left, x, y) * luma(right, x, y)) - of_means
        };
        let variances = covariance(0, 0, one * one) + covariance(1, 1, other * other);
        let luminance = (2.0 * one * other + score::C1) / (one * one + other * other + score::C1);
        let structure = (2.0 * covariance(0, 1, one * other) + score::C2) / (variances + score::C2);
        1.0 - luminance * structure
    }

    /// In the vectors of every kind that this processor has.
    fn losses_in_all(
        lumas: &[Vec<[i32; LANES]>; 2],
        wanted: &[u32; GROUPS],
    ) -> Vec<(&'static str, Vec<f64>)> {
        let scalar = pulp::Scalar::new();
        let of_scalar = losses_in(scalar, lumas, wanted, |row| Simd::vectorize(scalar, row));
        let mut losses = vec![("scalar", of_scalar)];
        #[cfg(target_arch = "x86_64")]
        if let Some(simd) = pulp::x86::V3::try_new() {
            let of_avx2 = losses_in(simd, lumas, wanted, |row| Simd::vectorize(simd, row));
            losses.push(("AVX2", of_avx2));
        }
        #[cfg(target_arch = "x86_64")]
        if let Some(simd) = pulp::x86::V4::try_new() {
            let of_avx512 = losses_in(simd, lumas, wanted, |row| {
                simd.vectorize(x86::Along { simd, row });
            });
            losses.push(("AVX-512", of_avx512));
        }
        losses
    }

    #[test]
    fn windows_lose_in_all_vectors_what_the_paper_says() {
        let lumas = lumas();
        for wanted in [[u32::MAX; GROUPS], WANTED, [0, 1 << 31, 1, 6 << 28, 0]] {
            let losses = losses_in_all(&lumas, &wanted);
            let mut most = 0.0_f64;
            for at in 0..GROUPS * LANES * BAND as usize {
                let (x, y) = (at % (GROUPS * LANES), at / (GROUPS * LANES));
                let expected = if wanted[x / LANES] >> y & 1 == 1 {
                    loss_of_the_paper(&lumas, x, y)
                } else {
                    0.0
                };
                most = most.max(expected);
                for (vectors, losses) in &losses {
                    let loss = losses[at];
                    assert!(
                        (loss - expected).abs() < 1e-10,
                        "{vectors} {x} {y}: {loss}, not {expected}"
                    );
                }
            }
            assert!(most > 0.5, "{most}");
        }
    }
}
