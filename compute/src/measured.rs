//! What both backends hand back, and the finishing touches that are the same for both.

use rayon::prelude::*;

use crate::mask::{BitMask, WORD_BITS, words_per_row};
use crate::metric::any_fixed_delta;
use crate::pair::Pair;
use crate::tile::{TILE, Tile};

/// Raw results of the stages over a whole page.
pub(crate) struct Measured {
    /// Changed pixels.
    pub(crate) changed: BitMask,
    /// Pixels that the colour stage left to the host; empty again after
    /// [`Measured::decide_doubtful`].
    pub(crate) doubtful: BitMask,
    /// Row-major, one for every tile of the page.
    pub(crate) tiles: Vec<Tile>,
    /// Summed loss of all windows.
    pub(crate) loss: f64,
}

impl Measured {
    /// Nothing differs, as far as is known yet.
    pub(crate) fn nothing(pair: &Pair) -> Self {
        let (columns, rows) = pair.tiles();
        Self {
            changed: BitMask::new(pair.size),
            doubtful: BitMask::new(pair.size),
            tiles: vec![Tile::EMPTY; columns as usize * rows as usize],
            loss: 0.0,
        }
    }

    /// Decides the pixels that whole numbers could not, by the exact distance.
    pub(crate) fn decide_doubtful(&mut self, pair: &Pair) {
        let words = words_per_row(pair.size.width);
        let (columns, _) = pair.tiles();
        (self
            .changed
            .words_mut()
            .par_chunks_mut(words * TILE as usize))
        .zip(
            self.doubtful
                .words_mut()
                .par_chunks_mut(words * TILE as usize),
        )
        .zip(self.tiles.par_chunks_mut(columns as usize))
        .enumerate()
        .for_each(|(row, ((changed, doubtful), tiles))| {
            let top = u32::try_from(row).expect("rows of tiles fit 32 bits") * TILE;
            decide_tile_row(pair, top, changed, doubtful, tiles);
        });
    }
}

/// Decides the doubtful pixels of one row of tiles and adds those that changed to the mask and the
/// tiles.
fn decide_tile_row(
    pair: &Pair,
    top: u32,
    changed: &mut [u32],
    doubtful: &mut [u32],
    tiles: &mut [Tile],
) {
    let words = words_per_row(pair.size.width);
    for (at, (changed, doubtful)) in changed.iter_mut().zip(doubtful).enumerate() {
        let row = u32::try_from(at / words).expect("a tile has few rows");
        let first = u32::try_from(at % words).expect("words of a row fit 32 bits") * WORD_BITS;
        while *doubtful != 0 {
            let bit = doubtful.trailing_zeros();
            *doubtful &= *doubtful - 1;
            let (x, y) = (first + bit, top + row);
            let (place, index) = (pair.place(x, y), pair.index(x, y));
            if place.only_one || pair.threshold.exceeds(place.baseline, place.current, index) {
                *changed |= 1 << bit;
                let delta = any_fixed_delta(place.baseline, place.current, index);
                tiles[(x / TILE) as usize].add_changed(x % TILE, row, delta);
            }
        }
    }
}
