//! Where pictures differ by too little to count: a pale tint on white is no changed pixel, and is seen all the same.

use std::cell::OnceCell;
use std::ops::Range;

use crate::comparison::Comparison;
use crate::dirty::Dirty;
use crate::geometry::Rect;
use crate::layout::part_in_band;
use crate::mask::{BitMask, WORD_BITS};
use crate::pair::Pair;
use crate::tile::{TILE, pixels_of, tiles_of};

/// A bit for each tile of the canvas: whether it differs visibly, although no pixel of it is beyond the threshold (`beyond`
/// holds those that changed and those that are anti-aliased), and nothing of it is left out.
pub(crate) fn faint_tiles(
    pair: &mut Pair<'_>,
    differing: &Dirty,
    beyond: [&BitMask; 2],
) -> BitMask {
    let tiles = tiles_of(pair.size);
    let mut faint = BitMask::new(tiles);
    let found = pair.piecewise(
        tiles.height,
        pair.rows_at_once().div_ceil(TILE),
        |pair, rows| {
            (rows.filter(|&row| differing.row(row)))
                .flat_map(|row| faint_in(pair, differing, beyond, row))
                .collect()
        },
    );
    for (x, y) in found {
        faint.fill(Rect {
            x,
            y,
            width: 1,
            height: 1,
        });
    }
    faint
}

/// Columns and row of the faint tiles of a row.
fn faint_in(
    pair: &Pair<'_>,
    differing: &Dirty,
    beyond: [&BitMask; 2],
    row: u32,
) -> impl Iterator<Item = (u32, u32)> {
    let all_plain = OnceCell::new();
    let beyond = beyond.into_iter().chain(&pair.ignored);
    let marks = marks_along(beyond, pair.pixel_rows(row));
    let is_faint = move |&(column, row): &(u32, u32)| {
        differing.any_in(column..column + 1, row)
            && !marks_tile(&marks, column)
            // What differs behind an alpha of 0 is not seen, nor what neither picture has.
            && (*all_plain.get_or_init(|| is_plain(pair, row))
                || differs_visibly(pair, pixels_of(column, row)))
    };
    let columns = 0..tiles_of(pair.size).width;
    columns.map(move |column| (column, row)).filter(is_faint)
}

/// What some masks mark in any of these rows, in the words of one of them.
fn marks_along<'m>(masks: impl Iterator<Item = &'m BitMask>, rows: Range<u32>) -> Vec<u32> {
    let mut words: Vec<u32> = Vec::new();
    for row in masks.flat_map(|mask| rows.clone().map(|y| mask.row(y))) {
        words.resize(row.len(), 0);
        for (word, marks) in words.iter_mut().zip(row) {
            *word |= marks;
        }
    }
    words
}

/// Whether some of these marks lie in a column of tiles.
fn marks_tile(marks: &[u32], column: u32) -> bool {
    let of_word = WORD_BITS / TILE;
    let marks = marks[(column / of_word) as usize] >> (column % of_word * TILE);
    marks & ((1 << TILE) - 1) != 0
}

/// Whether both pictures have all of a row of tiles, as opaque pixels: then whatever differs in it is seen.
fn is_plain(pair: &Pair<'_>, tile_row: u32) -> bool {
    let is_opaque = |y| {
        (pair.unsettled_rows(y)).all(|row| row.baseline.channels == 3 && row.current.channels == 3)
    };
    (pair.pixel_rows(tile_row)).all(|y| is_opaque(y) && pair.one_sided_along(y).is_empty())
}

/// Whether an area shows other pixels in one picture than in the other.
fn differs_visibly(pair: &Pair<'_>, area: Rect) -> bool {
    let area = area.within(pair.size);
    area.is_some_and(|area| {
        (area.y..area.bottom())
            .flat_map(|y| pair.both_along(y, area.x..area.right()))
            .any(|(before, after)| before != after)
    })
}

impl Comparison {
    /// How much of an area of the current picture differs by less than the threshold, 0 to 1, in tiles of 16 × 16 pixels:
    /// those that differ and hold no pixel beyond it, of all whose middle lies in the area. A smaller area goes by the
    /// tiles that it touches.
    pub fn faint_share(&self, area: Rect) -> f64 {
        let parts = (self.layout.bands())
            .filter_map(|(lane, band)| part_in_band(area, lane, band, band.current_y?));
        let (mut faint, mut all) = (0, 0);
        for part in parts {
            let tiles = tiles_in(part);
            faint += self.faint.count_in(tiles);
            all += u64::from(tiles.width) * u64::from(tiles.height);
        }
        if all == 0 {
            0.0
        } else {
            faint as f64 / all as f64
        }
    }
}

/// The tiles whose middle lies in an area of the canvas; along an axis where there is none, those that it touches.
fn tiles_in(area: Rect) -> Rect {
    let along = |start: u32, end: u32| {
        let (first, until) = ((start + TILE / 2 - 1) / TILE, (end + TILE / 2 - 1) / TILE);
        if first < until {
            (first, until - first)
        } else {
            let touched = start / TILE..end.div_ceil(TILE);
            (touched.start, touched.end - touched.start)
        }
    };
    let ((x, width), (y, height)) = (along(area.x, area.right()), along(area.y, area.bottom()));
    Rect {
        x,
        y,
        width,
        height,
    }
}
