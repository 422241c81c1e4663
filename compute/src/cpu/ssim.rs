//! Stage `ssim`: what the windows centred in each tile lose, see [`crate::score`]. Twin of
//! `shaders/ssim.wgsl`.
//!
//! This side works in 64-bit floats and is the reference; the shader's 32-bit floats stay within
//! 1e-4 of the score.

use std::ops::Range;
use std::sync::LazyLock;

use crate::decode::{Image, rgba};
use crate::pair::Pair;
use crate::score::{LUMA_ONE, Moments, RADIUS, WINDOW, centres, loss, luma, mirror, weights};
use crate::tile::{TILE, Tile};

/// Tiles filtered in one go. Bounds the scratch memory to some 200 KiB, which stays in the
/// second-level cache.
const RUN_TILES: u32 = 16;

static WEIGHTS: LazyLock<[f64; WINDOW]> = LazyLock::new(weights);

/// Summed loss of the windows centred in one row of tiles; `tiles` are those of the whole page.
pub(crate) fn ssim(pair: &Pair, tiles: &[Tile], tile_row: u32) -> f64 {
    let (columns, _) = pair.tiles();
    let mut total = 0.0;
    let mut column = 0;
    while column < columns {
        let end = (column..columns.min(column + RUN_TILES))
            .find(|&column| !touches_difference(pair, tiles, column, tile_row))
            .unwrap_or(columns.min(column + RUN_TILES));
        total += run_loss(pair, column..end, tile_row);
        column = end.max(column + 1);
    }
    total
}

/// Whether a window centred in the tile can touch a differing pixel: the tile itself or one of its
/// eight neighbours has one.
fn touches_difference(pair: &Pair, tiles: &[Tile], column: u32, row: u32) -> bool {
    let (columns, rows) = pair.tiles();
    let near = |at: u32, end: u32| at.saturating_sub(1)..(at + 2).min(end);
    near(row, rows).any(|row| {
        near(column, columns)
            .any(|column| tiles[row as usize * columns as usize + column as usize].differing > 0)
    })
}

/// One value a column for each of the four [`Moments`], in their order.
type Planes = [Vec<f64>; 4];

/// Summed loss of the windows centred in a run of neighbouring tiles: filtered along the rows
/// first, then down the columns.
fn run_loss(pair: &Pair, tiles: Range<u32>, tile_row: u32) -> f64 {
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
    let covered = reach(&columns);
    let filtered: Vec<Planes> = reach(&rows)
        .map(|y| filter_row(&row_values(pair, &covered, mirror(y, pair.size.height))))
        .collect();
    let mut total = 0.0;
    for (y, window) in rows.zip(filtered.windows(WINDOW)) {
        let means = filter_column(window);
        for (at, x) in columns.clone().enumerate() {
            if !pair.is_ignored(x, y) {
                total += loss(Moments {
                    sum: means[0][at],
                    difference: means[1][at],
                    sum_squared: means[2][at],
                    difference_squared: means[3][at],
                });
            }
        }
    }
    total
}

/// Sum and difference of both lumas and their squares, along one row of the page.
fn row_values(pair: &Pair, columns: &Range<i64>, y: u32) -> Planes {
    let mut baseline = luma_row(&pair.baseline, pair.size.width, columns, y);
    let mut current = luma_row(&pair.current, pair.size.width, columns, y);
    if pair.ignored.is_some() {
        let white = luma([255; 4]);
        for (at, x) in columns.clone().enumerate() {
            if pair.is_ignored(mirror(x, pair.size.width), y) {
                (baseline[at], current[at]) = (white, white);
            }
        }
    }
    let both = |combine: fn(i32, i32) -> i32| -> Vec<f64> {
        let pixels = baseline.iter().zip(&current);
        let one = f64::from(LUMA_ONE);
        pixels
            .map(|(&baseline, &current)| f64::from(combine(baseline, current)) / one)
            .collect()
    };
    let squares = |values: &[f64]| values.iter().map(|value| value * value).collect();
    let (sum, difference) = (
        both(|one, other| one + other),
        both(|one, other| one - other),
    );
    let (sum_squared, difference_squared) = (squares(&sum), squares(&difference));
    [sum, difference, sum_squared, difference_squared]
}

/// Lumas of a picture along one row of the page, which is `width` wide; white where it has none.
fn luma_row(image: &Image, width: u32, columns: &Range<i64>, y: u32) -> Vec<i32> {
    let bytes = |at: i64| usize::try_from(at).ok()?.checked_mul(image.channels);
    let inside = image
        .row(y)
        .zip(bytes(columns.start))
        .zip(bytes(columns.end));
    match inside.and_then(|((row, start), end)| row.get(start..end)) {
        Some(pixels) => (pixels.chunks_exact(image.channels))
            .map(|pixel| luma(rgba(pixel)))
            .collect(),
        None => (columns.clone())
            .map(|x| luma(image.pixel(mirror(x, width), y).unwrap_or([255; 4])))
            .collect(),
    }
}

/// Weighted means around each value of a row that has five neighbours on both sides.
fn filter_row(values: &Planes) -> Planes {
    values.each_ref().map(|values| {
        let mut means = vec![0.0; values.len() + 1 - WINDOW];
        for (tap, &weight) in WEIGHTS.iter().enumerate() {
            add_weighted(&mut means, &values[tap..], weight);
        }
        means
    })
}

/// Weighted means of eleven rows.
fn filter_column(rows: &[Planes]) -> Planes {
    std::array::from_fn(|plane| {
        let mut means = vec![0.0; rows[0][plane].len()];
        for (row, &weight) in rows.iter().zip(WEIGHTS.iter()) {
            add_weighted(&mut means, &row[plane], weight);
        }
        means
    })
}

fn add_weighted(sums: &mut [f64], values: &[f64], weight: f64) {
    for (sum, value) in sums.iter_mut().zip(values) {
        *sum += weight * value;
    }
}

/// What the windows around these centres cover.
fn reach(centres: &Range<u32>) -> Range<i64> {
    i64::from(centres.start) - i64::from(RADIUS)..i64::from(centres.end) + i64::from(RADIUS)
}

fn overlap(one: Range<u32>, other: Range<u32>) -> Range<u32> {
    one.start.max(other.start)..one.end.min(other.end)
}
