//! Stage `tiles`: count, distances and box of each tile's changed pixels. Twin of
//! `shaders/tiles.wgsl`.

use std::ops::Range;

use pulp::{Arch, Simd, WithSimd};

use crate::cpu::color_delta::for_each_bit;
use crate::mask::{WORD_BITS, words_per_row};
use crate::metric::{any_fixed_delta, fixed_delta};
use crate::pair::{Pair, SharedRow};
use crate::tile::{TILE, Tile};

/// Bytes of a tile's row of opaque pixels.
const TILE_BYTES: usize = 3 * TILE as usize;

/// Fills the summaries of one row of tiles from its changed bits.
pub(crate) fn tiles(pair: &Pair<'_>, tile_row: u32, changed: &[u32], tiles: &mut [Tile]) {
    let stride = words_per_row(pair.size.width);
    for (y, words) in pair.pixel_rows(tile_row).zip(changed.chunks(stride)) {
        if words.iter().all(|&word| word == 0) {
            continue;
        }
        for row in pair.unsettled_rows(y) {
            let done = add_opaque(&row, y % TILE, words, tiles);
            let before = row.from / TILE..done.start;
            for at in before.chain(done.end..row.until.div_ceil(TILE)) {
                let changed = bits_of(words, at) & columns_of(&row, at);
                for_each_bit(changed, |bit| {
                    let x = at * TILE + bit;
                    let (baseline, current) = (row.baseline.pixel(x), row.current.pixel(x));
                    let delta = any_fixed_delta(baseline, current, pair.index(x, y));
                    tiles[at as usize].add_changed(bit, y % TILE, delta);
                });
            }
        }
    }
}

/// Adds the tiles that lie in a row as a whole, when its pixels are opaque in both pictures; says which these are.
fn add_opaque(row: &SharedRow<'_>, y: u32, words: &[u32], tiles: &mut [Tile]) -> Range<u32> {
    let first = row.from.div_ceil(TILE);
    if row.baseline.channels != 3 || row.current.channels != 3 {
        return first..first;
    }
    let next = (row.until / TILE).max(first);
    let columns = first * TILE..next * TILE;
    if !columns.is_empty() {
        Arch::new().dispatch(AddOpaque {
            baseline: row.baseline.part(columns.clone()).as_chunks().0,
            current: row.current.part(columns).as_chunks().0,
            first,
            y,
            words,
            tiles: &mut tiles[first as usize..],
        });
    }
    first..next
}

/// The columns of a tile that a row has, the lowest bit for the leftmost.
fn columns_of(row: &SharedRow<'_>, tile: u32) -> u32 {
    let left = (tile * TILE).max(row.from) - tile * TILE;
    let right = (tile * TILE + TILE).min(row.until) - tile * TILE;
    (1 << right) - (1 << left)
}

/// The changed bits of a row's part that lies in a tile.
fn bits_of(words: &[u32], tile: u32) -> u32 {
    let x = tile * TILE;
    words[(x / WORD_BITS) as usize] >> (x % WORD_BITS) & u32::from(u16::MAX)
}

struct AddOpaque<'a> {
    baseline: &'a [[u8; TILE_BYTES]],
    current: &'a [[u8; TILE_BYTES]],
    first: u32,
    y: u32,
    words: &'a [u32],
    tiles: &'a mut [Tile],
}

impl WithSimd for AddOpaque<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) {
        let rows = self.baseline.iter().zip(self.current);
        for ((at, tile), (baseline, current)) in (self.first..).zip(self.tiles).zip(rows) {
            let changed = bits_of(self.words, at);
            if changed == 0 {
                continue;
            }
            let mut deltas = [0_u32; TILE as usize];
            for (at, delta) in deltas.iter_mut().enumerate() {
                let difference = |channel: usize| {
                    i32::from(baseline[3 * at + channel]) - i32::from(current[3 * at + channel])
                };
                let is_changed = changed >> at & 1;
                *delta = fixed_delta([difference(0), difference(1), difference(2)]) * is_changed;
            }
            tile.add_changed_row(self.y, changed, &deltas);
        }
    }
}
