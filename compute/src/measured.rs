//! What both backends hand back, and the finishing touches of what one has left to the host.

use rayon::prelude::*;

use crate::cpu::color_delta::for_each_bit;
use crate::cpu::{antialias, tiles};
use crate::mask::{BitMask, WORD_BITS, words_per_row};
use crate::pair::Pair;
use crate::tile::{TILE, Tile};

/// Raw results of the stages over a whole canvas, of what both pictures have.
pub(crate) struct Measured {
    /// Changed pixels.
    pub(crate) changed: BitMask,
    /// Pixels that changed but look like the smoothing of an edge; part of `changed` only when they
    /// are to count.
    pub(crate) anti_aliased: BitMask,
    /// Row-major, one for every tile of the canvas.
    pub(crate) tiles: Vec<Tile>,
    /// Summed loss of all windows.
    pub(crate) loss: f64,
}

impl Measured {
    /// Nothing differs, as far as is known yet.
    pub(crate) fn nothing(pair: &Pair<'_>) -> Self {
        let (columns, rows) = pair.tiles();
        Self {
            changed: BitMask::new(pair.size),
            anti_aliased: BitMask::new(pair.size),
            tiles: vec![Tile::EMPTY; columns as usize * rows as usize],
            loss: 0.0,
        }
    }

    /// Decides the pixels that a backend left to the host, and runs the stages it has not run.
    pub(crate) fn finish(&mut self, pair: &Pair<'_>, doubtful: &BitMask) {
        let stride = words_per_row(pair.size.width);
        let words = stride * TILE as usize;
        let (columns, _) = pair.tiles();
        (self.changed.words_mut().par_chunks_mut(words))
            .zip(self.anti_aliased.words_mut().par_chunks_mut(words))
            .zip(self.tiles.par_chunks_mut(columns as usize))
            .zip(doubtful.words().par_chunks(words))
            .enumerate()
            .for_each(|(row, (((changed, anti_aliased), tiles), doubtful))| {
                let row = u32::try_from(row).expect("rows of tiles fit 32 bits");
                let rows = changed.chunks_mut(stride).zip(doubtful.chunks(stride));
                for (y, (changed, doubtful)) in pair.pixel_rows(row).zip(rows) {
                    decide_doubtful(pair, y, changed, doubtful);
                }
                tiles.fill(Tile::EMPTY);
                antialias::antialias(pair, row, changed, anti_aliased);
                tiles::tiles(pair, row, changed, tiles);
            });
    }
}

/// Decides the doubtful pixels of one row by the exact distance; places that only one picture has
/// are none of them.
fn decide_doubtful(pair: &Pair<'_>, y: u32, changed: &mut [u32], doubtful: &[u32]) {
    for (word, (changed, &doubtful)) in (0..).zip(changed.iter_mut().zip(doubtful)) {
        for_each_bit(doubtful, |bit| {
            let x = word * WORD_BITS + bit;
            if let Some((baseline, current)) = pair.both(x, y)
                && (pair.threshold).exceeds(baseline, current, pair.index(x, y))
            {
                *changed |= 1 << bit;
            }
        });
    }
}
