//! The stages on the processor: rows of tiles in parallel, and only those in which something
//! differs.

pub(crate) mod color_delta;
pub(crate) mod ssim;
pub(crate) mod tiles;

use rayon::prelude::*;

use crate::mask::words_per_row;
use crate::measured::Measured;
use crate::pair::Pair;
use crate::tile::TILE;

/// Runs every stage in the order of the stage table.
pub(crate) fn measure(pair: &Pair) -> Measured {
    let dirty = pair.dirty_tile_rows();
    let mut measured = Measured::nothing(pair);
    color_pass(pair, &dirty, &mut measured);
    measured.decide_doubtful(pair);
    let (_, tile_rows) = pair.tiles();
    // Collected before it is summed: the order of a floating-point sum must not hang on the number
    // of threads.
    let losses: Vec<f64> = (0..tile_rows)
        .into_par_iter()
        .map(|row| ssim::ssim(pair, &measured.tiles, row))
        .collect();
    measured.loss = losses.iter().sum();
    measured
}

/// The two stages that look at single pixels.
fn color_pass(pair: &Pair, dirty: &[bool], measured: &mut Measured) {
    let words = words_per_row(pair.size.width) * TILE as usize;
    let (columns, _) = pair.tiles();
    (measured.changed.words_mut().par_chunks_mut(words))
        .zip(measured.doubtful.words_mut().par_chunks_mut(words))
        .zip(measured.tiles.par_chunks_mut(columns as usize))
        .zip(dirty)
        .enumerate()
        .filter(|(_, (_, dirty))| **dirty)
        .for_each(|(row, (((changed, doubtful), tiles), _))| {
            let row = u32::try_from(row).expect("rows of tiles fit 32 bits");
            color_delta::color_delta(pair, row, changed, doubtful);
            tiles::tiles(pair, row, changed, tiles);
        });
}
