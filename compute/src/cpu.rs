//! The stages on the processor: rows or bands of tiles in parallel, and only those in which something
//! differs.

pub(crate) mod antialias;
pub(crate) mod color_delta;
pub(crate) mod ssim;
pub(crate) mod tiles;

use rayon::prelude::*;

use crate::dirty::Dirty;
use crate::mask::words_per_row;
use crate::measured::Measured;
use crate::pair::Pair;
use crate::tile::TILE;

/// Runs every stage in the order of the stage table.
pub(crate) fn measure(pair: &Pair<'_>) -> Measured {
    let mut measured = Measured::nothing(pair, Dirty::find(pair));
    pixel_stages(pair, &mut measured);
    measured.loss = ssim_loss(pair, &measured.differing);
    measured
}

/// Summed loss of all windows.
pub(crate) fn ssim_loss(pair: &Pair<'_>, dirty: &Dirty) -> f64 {
    let (_, tile_rows) = pair.tiles();
    // Collected before it is summed: the order of a floating-point sum must not hang on the number
    // of threads.
    let losses: Vec<f64> = (0..ssim::bands(tile_rows))
        .into_par_iter()
        .map(|band| ssim::ssim(pair, dirty, band))
        .collect();
    losses.iter().sum()
}

/// The stages that look at single pixels and their neighbours.
pub(crate) fn pixel_stages(pair: &Pair<'_>, measured: &mut Measured) {
    let words = words_per_row(pair.size.width) * TILE as usize;
    let (columns, _) = pair.tiles();
    let dirty = &measured.differing;
    (measured.changed.words_mut().par_chunks_mut(words))
        .zip(measured.anti_aliased.words_mut().par_chunks_mut(words))
        .zip(measured.tiles.par_chunks_mut(columns as usize))
        .enumerate()
        .for_each(|(row, ((changed, anti_aliased), tiles))| {
            let row = u32::try_from(row).expect("rows of tiles fit 32 bits");
            if dirty.row(row) {
                color_delta::color_delta(pair, dirty, row, changed);
                antialias::antialias(pair, row, changed, anti_aliased);
                tiles::tiles(pair, row, changed, tiles);
            }
        });
}
