//! Stage `ssim`: what the windows centred in each tile lose, see [`crate::score`]. Twin of
//! `shaders/ssim.wgsl`.
//!
//! This side works in 64-bit floats, many windows at a time in whatever vectors the processor has, and
//! is the reference; the shader's 32-bit floats stay within 1e-5 of it, in units of SSIM.

use std::cell::RefCell;
use std::ops::Range;
use std::sync::LazyLock;

use pulp::{Arch, Simd, WithSimd};

use crate::dirty::{Dirty, Reached};
use crate::pair::{Pair, Side};
use crate::raster::Row;
use crate::score::{self, LUMA_ONE, Moments, RADIUS, WINDOW, centres, luma, mirror, weights};

/// Tiles filtered in one go. Bounds the scratch memory to some 100 KiB, which stays in the
/// second-level cache.
const RUN_TILES: u32 = 16;

/// Windows worked on at once: the longest vector there is, so that the sums of all planes stay in
/// registers.
const LANES: usize = 8;

/// Values beyond the last centre's lane that windows reach into: whole lanes, and no fewer than a
/// window's other taps.
const MARGIN: usize = (WINDOW - 1).next_multiple_of(LANES);

/// Quantities that are averaged over a window: sum and difference of both lumas, and their squares.
const PLANES: usize = 4;

static WEIGHTS: LazyLock<[f64; WINDOW]> = LazyLock::new(weights);

thread_local! {
    static SCRATCH: RefCell<Scratch> = RefCell::default();
}

/// Summed loss of the windows centred in one row of tiles.
pub(crate) fn ssim(pair: &Pair<'_>, dirty: &Dirty, tile_row: u32) -> f64 {
    let (columns, _) = pair.tiles();
    let mut total = 0.0;
    let mut column = 0;
    while column < columns {
        let end = (column..columns.min(column + RUN_TILES))
            .find(|&column| !dirty.touches(column, tile_row))
            .unwrap_or(columns.min(column + RUN_TILES));
        if column < end {
            total += run_loss(pair, dirty.reached(&(column..end), tile_row, RADIUS));
        }
        column = end.max(column + 1);
    }
    total
}

/// Values along the rows that the windows of a run cover.
#[derive(Default)]
struct Scratch {
    /// Lumas of both pictures, row after row, in units of [`LUMA_ONE`].
    lumas: [Vec<i32>; 2],
    /// Sums of both lumas, row after row, each padded to whole lanes.
    sums: Vec<f64>,
    /// Differences of both lumas, laid out in the same way.
    differences: Vec<f64>,
    /// Means down the columns, for one row of centres.
    columns: [Vec<f64>; PLANES],
    /// Losses of one row of centres.
    losses: Vec<f64>,
}

/// Summed loss of the windows centred in an area: filtered down the columns first, then along the
/// rows.
fn run_loss(pair: &Pair<'_>, area: Reached) -> f64 {
    let columns = overlap(area.columns, centres(pair.size.width));
    let rows = overlap(area.rows, centres(pair.size.height));
    if columns.is_empty() || rows.is_empty() {
        return 0.0;
    }
    SCRATCH.with_borrow_mut(|scratch| {
        let covered = reach(&columns);
        let padded = columns.len().next_multiple_of(LANES) + MARGIN;
        for (side, lumas) in [Side::Baseline, Side::Current]
            .into_iter()
            .zip(&mut scratch.lumas)
        {
            lumas.clear();
            for y in reach(&rows) {
                luma_row(pair, side, &covered, mirror(y, pair.size.height), lumas);
            }
        }
        let [baseline, current] = &scratch.lumas;
        let width = baseline.len() / (rows.len() + WINDOW - 1);
        let filled = padded * (rows.len() + WINDOW - 1);
        scratch.sums.clear();
        scratch.sums.resize(filled, 0.0);
        scratch.differences.clear();
        scratch.differences.resize(filled, 0.0);
        let rows_of_values =
            (scratch.sums.chunks_mut(padded)).zip(scratch.differences.chunks_mut(padded));
        let rows_of_lumas = baseline.chunks(width).zip(current.chunks(width));
        for ((baseline, current), (sums, differences)) in rows_of_lumas.zip(rows_of_values) {
            Arch::new().dispatch(FillRow {
                baseline,
                current,
                sums,
                differences,
            });
        }
        let mut total = 0.0;
        for (row, y) in rows.enumerate() {
            let first = row * padded;
            Arch::new().dispatch(RowLosses {
                scratch: &mut *scratch,
                first,
                padded,
            });
            let losses = scratch.losses.iter().zip(columns.clone());
            total += losses
                .filter(|(_, x)| pair.ignored.is_none() || !pair.is_ignored(*x, y))
                .map(|(&loss, _)| loss)
                .sum::<f64>();
        }
        total
    })
}

/// Sums and differences of both lumas along one row.
struct FillRow<'a> {
    baseline: &'a [i32],
    current: &'a [i32],
    sums: &'a mut [f64],
    differences: &'a mut [f64],
}

impl WithSimd for FillRow<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) {
        let lumas = self.baseline.iter().zip(self.current);
        let values = self.sums.iter_mut().zip(self.differences);
        for ((&one, &other), (sum, difference)) in lumas.zip(values) {
            *sum = scaled(one + other);
            *difference = scaled(one - other);
        }
    }
}

/// Luma in steps of 0..255.
#[inline(always)]
fn scaled(luma: i32) -> f64 {
    f64::from(luma) * (1.0 / f64::from(LUMA_ONE))
}

/// Fills the losses of one row of centres, whose windows begin in the row at `first`.
struct RowLosses<'a> {
    scratch: &'a mut Scratch,
    first: usize,
    padded: usize,
}

impl WithSimd for RowLosses<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) {
        let Self {
            scratch,
            first,
            padded,
        } = self;
        let weights: &[f64; WINDOW] = &WEIGHTS;
        for plane in &mut scratch.columns {
            plane.resize(padded, 0.0);
        }
        for at in (0..padded).step_by(LANES) {
            let mut means = [[0.0_f64; LANES]; PLANES];
            for (tap, &weight) in weights.iter().enumerate() {
                let from = first + tap * padded + at;
                let sums = lanes(&scratch.sums, from);
                let differences = lanes(&scratch.differences, from);
                for lane in 0..LANES {
                    let (sum, difference) = (sums[lane], differences[lane]);
                    let (weighted, weighted_difference) = (weight * sum, weight * difference);
                    means[0][lane] += weighted;
                    means[1][lane] += weighted_difference;
                    means[2][lane] = add_product::<S>(weighted, sum, means[2][lane]);
                    means[3][lane] =
                        add_product::<S>(weighted_difference, difference, means[3][lane]);
                }
            }
            for (plane, means) in scratch.columns.iter_mut().zip(means) {
                plane[at..at + LANES].copy_from_slice(&means);
            }
        }
        scratch.losses.resize(padded - MARGIN, 0.0);
        for at in (0..padded - MARGIN).step_by(LANES) {
            let mut means = [[0.0_f64; LANES]; PLANES];
            for (plane, means) in scratch.columns.iter().zip(&mut means) {
                for (tap, &weight) in weights.iter().enumerate() {
                    let values = lanes(plane, at + tap);
                    for lane in 0..LANES {
                        means[lane] = add_product::<S>(weight, values[lane], means[lane]);
                    }
                }
            }
            let mut losses = [0.0_f64; LANES];
            for (lane, loss) in losses.iter_mut().enumerate() {
                let [sums, differences, sums_squared, differences_squared] = &means;
                let window = Moments {
                    sum: sums[lane],
                    difference: differences[lane],
                    sum_squared: sums_squared[lane],
                    difference_squared: differences_squared[lane],
                };
                *loss = score::loss(window);
            }
            scratch.losses[at..at + LANES].copy_from_slice(&losses);
        }
    }
}

/// One factor times the other, plus a sum; fused where the processor can.
#[inline(always)]
fn add_product<S: Simd>(one: f64, other: f64, sum: f64) -> f64 {
    if S::IS_SCALAR {
        one * other + sum
    } else {
        one.mul_add(other, sum)
    }
}

#[inline(always)]
fn lanes(values: &[f64], from: usize) -> &[f64; LANES] {
    values[from..]
        .first_chunk()
        .expect("rows are padded to whole lanes")
}

/// Adds the lumas of one picture along a row of the canvas; white where it has nothing or is ignored.
fn luma_row(pair: &Pair<'_>, side: Side, columns: &Range<i64>, y: u32, lumas: &mut Vec<i32>) {
    let white = luma([255; 4]);
    let filled = lumas.len();
    let width = pair.size.width;
    if columns.start < 0 || columns.end > i64::from(width) {
        // Only a canvas narrower than a window is mirrored.
        let mut whole = Vec::new();
        luma_row(pair, side, &(0..i64::from(width)), y, &mut whole);
        lumas.extend(columns.clone().map(|x| whole[mirror(x, width) as usize]));
        return;
    }
    let inside = |at: i64| u32::try_from(at).expect("it lies on the canvas");
    let columns = inside(columns.start)..inside(columns.end);
    for (lane, row) in pair.rows_of(side, y) {
        let part = overlap(lane, columns.clone());
        let drawn = row.map_or(part.start..part.start, |row| {
            let width = u32::try_from(row.bytes.len() / row.channels).expect("rows fit 32 bits");
            part.start..part.end.min(width).max(part.start)
        });
        if let Some(row) = row {
            add_lumas(row, drawn.clone(), lumas);
        }
        let missing = part.end.saturating_sub(drawn.end) as usize;
        lumas.extend(std::iter::repeat_n(white, missing));
    }
    if pair.ignored.is_some() {
        for (luma, x) in lumas[filled..].iter_mut().zip(columns) {
            if pair.is_ignored(x, y) {
                *luma = white;
            }
        }
    }
}

fn add_lumas(row: Row<'_>, columns: Range<u32>, lumas: &mut Vec<i32>) {
    if columns.is_empty() {
        return;
    }
    let bytes = row.part(columns);
    if row.channels == 3 {
        let (pixels, _) = bytes.as_chunks::<3>();
        let filled = lumas.len();
        lumas.resize(filled + pixels.len(), 0);
        Arch::new().dispatch(OpaqueLumas {
            pixels,
            lumas: &mut lumas[filled..],
        });
    } else {
        let (pixels, _) = bytes.as_chunks::<4>();
        lumas.extend(pixels.iter().map(|&pixel| luma(pixel)));
    }
}

/// Lumas of opaque pixels.
struct OpaqueLumas<'a> {
    pixels: &'a [[u8; 3]],
    lumas: &'a mut [i32],
}

impl WithSimd for OpaqueLumas<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) {
        for (luma, &[r, g, b]) in self.lumas.iter_mut().zip(self.pixels) {
            *luma = 255 * (299 * i32::from(r) + 587 * i32::from(g) + 114 * i32::from(b));
        }
    }
}

/// What the windows around these centres cover.
fn reach(centres: &Range<u32>) -> Range<i64> {
    i64::from(centres.start) - i64::from(RADIUS)..i64::from(centres.end) + i64::from(RADIUS)
}

fn overlap(one: Range<u32>, other: Range<u32>) -> Range<u32> {
    let start = one.start.max(other.start);
    start..one.end.min(other.end).max(start)
}
