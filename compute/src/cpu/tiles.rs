//! Stage `tiles`: count, distances and box of each tile's changed pixels. Twin of
//! `shaders/tiles.wgsl`.

use crate::cpu::color_delta::for_each_bit;
use crate::mask::{WORD_BITS, words_per_row};
use crate::metric::any_fixed_delta;
use crate::pair::Pair;
use crate::tile::{TILE, Tile};

/// Fills the summaries of one row of tiles from its changed bits.
pub(crate) fn tiles(pair: &Pair<'_>, tile_row: u32, changed: &[u32], tiles: &mut [Tile]) {
    let stride = words_per_row(pair.size.width);
    for (y, words) in pair.pixel_rows(tile_row).zip(changed.chunks(stride)) {
        if words.iter().all(|&word| word == 0) {
            continue;
        }
        for row in pair.unsettled_rows(y) {
            for word in row.from / WORD_BITS..row.until.div_ceil(WORD_BITS) {
                for_each_bit(words[word as usize], |bit| {
                    let x = word * WORD_BITS + bit;
                    let (baseline, current) = (row.baseline.pixel(x), row.current.pixel(x));
                    let delta = any_fixed_delta(baseline, current, pair.index(x, y));
                    tiles[(x / TILE) as usize].add_changed(x % TILE, y % TILE, delta);
                });
            }
        }
    }
}
