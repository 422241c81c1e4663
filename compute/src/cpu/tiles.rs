//! Stage `tiles`: count, distances and box of each tile's changed pixels. Twin of
//! `shaders/tiles.wgsl`.

use crate::mask::{WORD_BITS, words_per_row};
use crate::metric::any_fixed_delta;
use crate::pair::Pair;
use crate::tile::{TILE, Tile};

/// Fills the summaries of one row of tiles from its changed bits.
pub(crate) fn tiles(pair: &Pair, tile_row: u32, changed: &[u32], tiles: &mut [Tile]) {
    let stride = words_per_row(pair.size.width);
    let rows = tile_row * TILE..((tile_row + 1) * TILE).min(pair.size.height);
    for (row, y) in rows.enumerate() {
        for (column, tile) in (0..).zip(tiles.iter_mut()) {
            let columns = column * TILE..((column + 1) * TILE).min(pair.size.width);
            if pair.same_run(y, columns.clone()) {
                continue;
            }
            let words = &changed[row * stride..][..stride];
            for x in columns {
                add_pixel(pair, (x, y), words, tile);
            }
        }
    }
}

/// Counts one pixel, if it is not ignored and differs; a doubtful one joins the changed ones later.
fn add_pixel(pair: &Pair, (x, y): (u32, u32), words: &[u32], tile: &mut Tile) {
    let place = pair.place(x, y);
    if (place.baseline == place.current && !place.only_one) || pair.is_ignored(x, y) {
        return;
    }
    tile.differing += 1;
    if words[(x / WORD_BITS) as usize] >> (x % WORD_BITS) & 1 == 1 {
        let delta = any_fixed_delta(place.baseline, place.current, pair.index(x, y));
        tile.add_changed(x % TILE, y % TILE, delta);
    }
}
