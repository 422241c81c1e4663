//! Stage `ssim`: what the windows centred in each tile lose, see [`crate::score`]. Twin of
//! `shaders/ssim.wgsl`.
//!
//! This side works in 64-bit floats and is the reference; the shader's 32-bit floats stay within
//! 1e-4 of the score.

use std::cell::RefCell;
use std::ops::Range;
use std::sync::LazyLock;

use pulp::Arch;

use crate::dirty::Dirty;
use crate::pair::{Pair, Side};
use crate::raster::Row;
use crate::score::{LUMA_ONE, Moments, RADIUS, WINDOW, centres, loss, luma, mirror, weights};
use crate::tile::TILE;

/// Tiles filtered in one go. Bounds the scratch memory to some 400 KiB, which stays in the
/// second-level cache.
const RUN_TILES: u32 = 16;

/// Quantities that are averaged over a window, in the order of [`Moments`].
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
            total += run_loss(pair, column..end, tile_row);
        }
        column = end.max(column + 1);
    }
    total
}

/// Values along the rows that the windows of a run cover.
#[derive(Default)]
struct Scratch {
    /// Luma of both pictures along one row, in units of [`LUMA_ONE`].
    lumas: [Vec<i32>; 2],
    /// One plane after the other, row after row.
    values: [Vec<f64>; PLANES],
    /// Means down the columns, for one row of centres.
    columns: [Vec<f64>; PLANES],
    /// Means of whole windows, for one row of centres.
    windows: [Vec<f64>; PLANES],
}

/// Summed loss of the windows centred in a run of neighbouring tiles: filtered down the columns
/// first, then along the rows.
fn run_loss(pair: &Pair<'_>, tiles: Range<u32>, tile_row: u32) -> f64 {
    let columns = overlap(
        tiles.start * TILE..tiles.end * TILE,
        centres(pair.size.width),
    );
    let rows = overlap(
        tile_row * TILE..(tile_row + 1) * TILE,
        centres(pair.size.height),
    );
    if columns.is_empty() || rows.is_empty() {
        return 0.0;
    }
    SCRATCH.with_borrow_mut(|scratch| {
        let covered = reach(&columns);
        let width = usize::try_from(covered.end - covered.start).expect("windows have a width");
        scratch.values.iter_mut().for_each(Vec::clear);
        for y in reach(&rows) {
            let y = mirror(y, pair.size.height);
            for (side, lumas) in [Side::Baseline, Side::Current]
                .into_iter()
                .zip(&mut scratch.lumas)
            {
                luma_row(pair, side, &covered, y, lumas);
            }
            let [baseline, current] = &scratch.lumas;
            Arch::new().dispatch(|| add_values(baseline, current, &mut scratch.values));
        }
        let mut total = 0.0;
        for (row, y) in rows.enumerate() {
            let Scratch {
                values,
                columns: down,
                windows,
                ..
            } = scratch;
            Arch::new().dispatch(|| {
                for plane in 0..PLANES {
                    filter_columns(&values[plane][row * width..], width, &mut down[plane]);
                    filter_row(&down[plane], &mut windows[plane]);
                }
            });
            total += row_loss(pair, windows, &columns, y);
        }
        total
    })
}

fn row_loss(pair: &Pair<'_>, windows: &[Vec<f64>; PLANES], columns: &Range<u32>, y: u32) -> f64 {
    let [sums, differences, sums_squared, differences_squared] = windows;
    let values = sums
        .iter()
        .zip(differences)
        .zip(sums_squared.iter().zip(differences_squared));
    values
        .zip(columns.clone())
        .filter(|(_, x)| pair.ignored.is_none() || !pair.is_ignored(*x, y))
        .map(
            |(((&sum, &difference), (&sum_squared, &difference_squared)), _)| {
                loss(Moments {
                    sum,
                    difference,
                    sum_squared,
                    difference_squared,
                })
            },
        )
        .sum()
}

/// Lumas of one picture along a row of the canvas; white where it has nothing or is ignored.
fn luma_row(pair: &Pair<'_>, side: Side, columns: &Range<i64>, y: u32, lumas: &mut Vec<i32>) {
    let white = luma([255; 4]);
    lumas.clear();
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
        for (luma, x) in lumas.iter_mut().zip(columns) {
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
        Arch::new().dispatch(|| {
            lumas.extend(pixels.iter().map(|&[r, g, b]| {
                255 * (299 * i32::from(r) + 587 * i32::from(g) + 114 * i32::from(b))
            }));
        });
    } else {
        let (pixels, _) = bytes.as_chunks::<4>();
        lumas.extend(pixels.iter().map(|&pixel| luma(pixel)));
    }
}

/// Adds a row's sums and differences of both lumas, and their squares.
#[inline(always)]
fn add_values(baseline: &[i32], current: &[i32], values: &mut [Vec<f64>; PLANES]) {
    let one = 1.0 / f64::from(LUMA_ONE);
    let pairs = || baseline.iter().zip(current);
    let [sums, differences, sums_squared, differences_squared] = values;
    let sum = |(&one_luma, &other): (&i32, &i32)| f64::from(one_luma + other) * one;
    let difference = |(&one_luma, &other): (&i32, &i32)| f64::from(one_luma - other) * one;
    sums.extend(pairs().map(sum));
    differences.extend(pairs().map(difference));
    sums_squared.extend(pairs().map(|pair| sum(pair) * sum(pair)));
    differences_squared.extend(pairs().map(|pair| difference(pair) * difference(pair)));
}

/// Weighted means of eleven rows of `width` values each.
#[inline(always)]
fn filter_columns(rows: &[f64], width: usize, means: &mut Vec<f64>) {
    means.clear();
    means.resize(width, 0.0);
    for (row, &weight) in rows.chunks_exact(width).zip(WEIGHTS.iter()) {
        for (mean, value) in means.iter_mut().zip(row) {
            *mean += weight * value;
        }
    }
}

/// Weighted means around each value of a row that has five neighbours on both sides.
#[inline(always)]
fn filter_row(values: &[f64], means: &mut Vec<f64>) {
    means.clear();
    means.resize(values.len() + 1 - WINDOW, 0.0);
    for (tap, &weight) in WEIGHTS.iter().enumerate() {
        for (mean, value) in means.iter_mut().zip(&values[tap..]) {
            *mean += weight * value;
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
