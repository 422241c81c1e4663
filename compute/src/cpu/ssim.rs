//! Stage `ssim`: what the windows centred in each tile lose, see [`crate::score`]. Twin of
//! `shaders/ssim.wgsl`.
//!
//! Both work in 32-bit floats and add up in another order: their scores of a page, of 100, are within 1e-4 of each other. (Pages of few
//! windows are measured once more, in 64 bits.) This side is the reference. It works at many windows at a time in whatever vectors the processor has; what a window loses is within
//! 1.5e-6 of what the paper's formula comes to in 64 bits, and within 1e-6 on average over a page that repeats its worst windows.

mod few;
mod lumas;
mod rows;
mod vectors;
mod windows;

use std::cell::RefCell;
use std::ops::Range;

use crate::dirty::{AroundBand, Dirty};
use crate::pair::Pair;
use crate::raster::row::Row;
use crate::score::{RADIUS, WINDOW, centres, luma, mirror};
use crate::tile::TILE;

use super::BAND_TILES;
pub(crate) use few::loss_of_few;
use rows::{Part, Rows};
use vectors::LANES;
use windows::{NEXT_GROUPS, Windows};

/// Columns of tiles of a band filtered in one go: enough that what neighbouring runs share is little, while the lumas of a
/// run, some 90 KiB, stay in every processor's second-level cache.
const RUN_TILES: u32 = 16;

/// Rows of pixels in a band of tiles that are filtered in one go.
const BAND: u32 = BAND_TILES * TILE;
const _: () = assert!(BAND_TILES == 2 && BAND == u32::BITS && RADIUS <= TILE);

/// Columns of a group of windows.
const GROUP_PX: u32 = 8;
const _: () = assert!(GROUP_PX as usize == LANES);

thread_local! {
    static ROOM: RefCell<Room> = RefCell::default();
}

/// Memory that is used again.
#[derive(Default)]
struct Room {
    windows: Windows,
    /// Of a row of the baseline, and of one of the current picture.
    lumas: [Vec<[i32; LANES]>; 2],
}

/// A run of neighbouring windows in each of some rows.
struct Run {
    /// Columns and rows of their centres.
    columns: Range<u32>,
    rows: Range<u32>,
    /// For each group of columns, the rows whose windows may touch a difference: the lowest bit stands
    /// for the first row.
    wanted: Vec<u32>,
}

/// Summed loss of the windows centred in one band of the canvas.
pub(crate) fn ssim(pair: &Pair<'_>, dirty: &Dirty, band: u32) -> f64 {
    let (columns, tile_rows) = pair.tiles();
    let rows = band * BAND_TILES..tile_rows.min((band + 1) * BAND_TILES);
    if !dirty.rows_touch(rows.clone()) {
        return 0.0;
    }
    let differing = dirty.around_band(rows.start);
    let centres = overlap(rows.start * TILE..rows.end * TILE, 0..pair.size.height);
    let mut covered = Rows::around(pair, &centres);
    let mut total = 0.0;
    let mut column = 0;
    while column < columns {
        let end = (column..columns.min(column + RUN_TILES))
            .find(|&column| !differing.touches(column))
            .unwrap_or(columns.min(column + RUN_TILES));
        if column < end
            && let Some(run) = Run::find(pair, &differing, column..end, rows.clone())
        {
            total += ROOM.with_borrow_mut(|room| run.loss(&mut covered, room));
        }
        column = end.max(column + 1);
    }
    total
}

impl Run {
    /// The windows centred in some tiles of a band that touch a difference; the others lose exactly
    /// nothing.
    fn find(
        pair: &Pair<'_>,
        differing: &AroundBand,
        tile_columns: Range<u32>,
        tile_rows: Range<u32>,
    ) -> Option<Self> {
        let columns = overlap(
            tile_columns.start * TILE..tile_columns.end * TILE,
            centres(pair.size.width),
        );
        let top = tile_rows.start * TILE;
        let on_page = overlap(top..tile_rows.end * TILE, centres(pair.size.height));
        if on_page.is_empty() {
            return None;
        }
        let countable = u32::MAX >> (u32::BITS - (on_page.end - on_page.start));
        let countable = countable << (on_page.start - top);
        let groups: Vec<(u32, u32)> = (columns.clone())
            .step_by(LANES)
            .map(|x| {
                let covered = x.saturating_sub(RADIUS)..x + GROUP_PX + RADIUS;
                let tiles = covered.start / TILE..covered.end.div_ceil(TILE);
                (x, differing.rows_reached(tiles, RADIUS) & countable)
            })
            .collect();
        let touches = |(_, rows): &(u32, u32)| *rows != 0;
        let first = groups.iter().position(touches)?;
        let last = groups.iter().rposition(touches)?;
        let groups = &groups[first..=last];
        let any = groups.iter().fold(0, |any, (_, rows)| any | rows);
        Some(Self {
            columns: groups[0].0..columns.end.min(groups[last - first].0 + GROUP_PX),
            rows: top + any.trailing_zeros()..top + u32::BITS - any.leading_zeros(),
            wanted: (groups.iter())
                .map(|(_, rows)| rows >> any.trailing_zeros())
                .collect(),
        })
    }

    /// Summed loss of the windows.
    fn loss(&self, covered: &mut Rows<'_>, room: &mut Room) -> f64 {
        let pair = covered.pair();
        self.take_rows(covered, room);
        // Groups all of whose windows count.
        let whole = if pair.ignored.is_some() {
            0
        } else {
            self.columns.len() / LANES
        };
        let mut others = 0.0;
        // One sum for each place in a square, so that the order of the additions does not hang on the processor. (Whether products
        // are rounded before they are added does.)
        let sums = room
            .windows
            .measure(&self.wanted, whole, |row, column, loss| {
                let at = |from: u32, places: usize| {
                    from + u32::try_from(places).expect("a run has few rows and columns")
                };
                let (x, y) = (at(self.columns.start, column), at(self.rows.start, row));
                if x < self.columns.end && !pair.is_ignored(x, y) {
                    others += f64::from(loss);
                }
            });
        sums.iter().sum::<f64>() + others
    }

    /// Has what the windows cover taken.
    fn take_rows(&self, covered: &mut Rows<'_>, Room { windows, lumas }: &mut Room) {
        let pair = covered.pair();
        windows.begin(self.wanted.len());
        let columns = reach(&self.columns);
        let width = self.columns.len() + WINDOW - 1;
        for lumas in &mut *lumas {
            lumas.resize(self.wanted.len() + NEXT_GROUPS, [0; LANES]);
            lumas.as_flattened_mut()[width..].fill(0);
        }
        for y in reach(&self.rows) {
            let (y, rows) = covered.row(y);
            for (parts, lumas) in rows.into_iter().zip(&mut *lumas) {
                let lumas = &mut lumas.as_flattened_mut()[..width];
                luma_row(pair, parts, &columns, y, lumas);
            }
            windows.take_row([&lumas[0], &lumas[1]]);
        }
    }
}

/// Writes the lumas of one picture along a row of the canvas; white where it has nothing or is ignored.
fn luma_row(pair: &Pair<'_>, parts: &[Part<'_>], columns: &Range<i64>, y: u32, lumas: &mut [i32]) {
    let white = luma([255; 4]);
    let width = pair.size.width;
    if columns.start < 0 || columns.end > i64::from(width) {
        // Only a canvas narrower than a window is mirrored.
        let mut whole = vec![0; width as usize];
        luma_row(pair, parts, &(0..i64::from(width)), y, &mut whole);
        for (luma, x) in lumas.iter_mut().zip(columns.clone()) {
            *luma = whole[mirror(x, width) as usize];
        }
        return;
    }
    let inside = |at: i64| u32::try_from(at).expect("it lies on the canvas");
    let columns = inside(columns.start)..inside(columns.end);
    debug_assert_eq!(lumas.len(), columns.len());
    let mut written = 0;
    // Lanes lie side by side without gaps, so each luma is written.
    for (lane, row) in parts {
        let part = overlap(lane.clone(), columns.clone());
        if part.is_empty() {
            continue;
        }
        let to = (part.start - columns.start) as usize..(part.end - columns.start) as usize;
        let to = &mut lumas[to];
        let drawn = row.map_or(0, |row| {
            let drawn = part.start..part.end.min(row.width()).max(part.start);
            write_lumas(row, drawn.clone(), &mut to[..drawn.len()]);
            drawn.len()
        });
        to[drawn..].fill(white);
        written += to.len();
    }
    debug_assert_eq!(written, lumas.len());
    if pair.ignored.is_some() {
        for (luma, x) in lumas.iter_mut().zip(columns) {
            if pair.is_ignored(x, y) {
                *luma = white;
            }
        }
    }
}

fn write_lumas(row: Row<'_>, columns: Range<u32>, lumas: &mut [i32]) {
    if columns.is_empty() {
        return;
    }
    let bytes = row.part(columns);
    if row.channels == 3 {
        lumas::opaque(bytes.as_chunks().0, lumas);
    } else {
        let (pixels, _) = bytes.as_chunks::<4>();
        for (to, &pixel) in lumas.iter_mut().zip(pixels) {
            *to = luma(pixel);
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
