//! The stages on the processor: bands of tiles in parallel, and only those in which something differs.

pub(crate) mod antialias;
#[cfg(target_arch = "x86_64")]
mod by_eight;
pub(crate) mod color_delta;
pub(crate) mod ssim;
pub(crate) mod tiles;

use std::ops::Range;

use rayon::prelude::*;

use crate::dirty::Dirty;
use crate::mask::words_per_row;
use crate::measured::Measured;
use crate::pair::Pair;
use crate::raster::strip::STRIP_ROWS;
use crate::tile::{TILE, Tile};
use crate::workers;

/// Rows of tiles of a band: few enough that its pixels stay in the second-level cache from stage to stage.
const BAND_TILES: u32 = 2;

/// Bands that a single thread measures before it looks for differences in those below: what it has just looked at, and
/// unpacked, is still in the second-level cache.
const BANDS_AT_ONCE: u32 = STRIP_ROWS / (TILE * BAND_TILES);

/// One band of tiles of a canvas, and what is measured there.
struct Band<'m> {
    index: u32,
    differing: &'m Dirty,
    changed: &'m mut [u32],
    anti_aliased: &'m mut [u32],
    tiles: &'m mut [Tile],
}

/// What is measured so far, band by band from the top.
struct Measuring {
    measured: Measured,
    /// Collected before they are summed: the order of a floating-point sum must not hang on the number of threads.
    losses: Vec<f64>,
    /// Bands that are done.
    bands: u32,
    /// Rows of tiles that were looked at.
    looked_at: u32,
}

/// Runs every stage in the order of the stage table: all of them on one band while its pixels are at hand, then on the next.
pub(crate) fn measure(pair: &Pair<'_>) -> Measured {
    let mut measuring = Measuring::begin(pair);
    while !measuring.is_done(pair) {
        measuring.go_on(pair, u32::MAX);
    }
    measuring.end()
}

/// The same, with no more rows of a long pair in memory than there is room for.
pub(crate) fn measure_in_room(pair: &mut Pair<'_>) -> Measured {
    let bands = if pair.is_long() {
        pair.rows_at_once() / (TILE * BAND_TILES)
    } else {
        u32::MAX
    };
    let mut measuring = Measuring::begin(pair);
    while !measuring.is_done(pair) {
        pair.make_room_if_full();
        measuring.go_on(pair, bands);
    }
    measuring.end()
}

impl Measuring {
    fn begin(pair: &Pair<'_>) -> Self {
        Self {
            measured: Measured::nothing(pair, Dirty::unknown(pair)),
            losses: Vec::with_capacity(band_count(pair) as usize),
            bands: 0,
            looked_at: 0,
        }
    }

    fn is_done(&self, pair: &Pair<'_>) -> bool {
        self.bands >= band_count(pair)
    }

    /// Measures at most so many more bands.
    fn go_on(&mut self, pair: &Pair<'_>, most: u32) {
        let (_, tile_rows) = pair.tiles();
        let at_once = match workers::threads() {
            1 => most.min(BANDS_AT_ONCE),
            _ => most,
        };
        let until = self.bands.saturating_add(at_once).min(band_count(pair));
        // What is centred in a row of tiles reaches into the one below.
        let next = tile_rows.min(until * BAND_TILES + 1);
        (self.measured.differing).look_at(pair, self.looked_at..next);
        self.looked_at = next;
        let these = bands(pair, &mut self.measured, self.bands..until);
        self.losses.extend(workers::map(these, |mut band| {
            band.pixel_stages(pair);
            ssim::ssim(pair, band.differing, band.index)
        }));
        self.bands = until;
    }

    fn end(mut self) -> Measured {
        self.measured.loss = self.losses.iter().sum();
        self.measured
    }
}

fn band_count(pair: &Pair<'_>) -> u32 {
    let (_, tile_rows) = pair.tiles();
    tile_rows.div_ceil(BAND_TILES)
}

/// Summed loss of all windows, alone.
#[cfg(feature = "stage-bench")]
pub(crate) fn ssim_loss(pair: &Pair<'_>, dirty: &Dirty) -> f64 {
    let losses: Vec<f64> = (0..band_count(pair))
        .into_par_iter()
        .map(|band| ssim::ssim(pair, dirty, band))
        .collect();
    losses.iter().sum()
}

/// The stages that look at single pixels and their neighbours, alone.
#[cfg(feature = "stage-bench")]
pub(crate) fn pixel_stages(pair: &Pair<'_>, measured: &mut Measured) {
    all_bands(pair, measured).for_each(|mut band| band.pixel_stages(pair));
}

/// The colour distance alone.
#[cfg(feature = "stage-bench")]
pub(crate) fn color_stage(pair: &Pair<'_>, measured: &mut Measured) {
    all_bands(pair, measured).for_each(|mut band| {
        band.differing_rows(pair, |differing, row, rows| {
            color_delta::color_delta(pair, differing, row, rows.changed);
        });
    });
}

/// Telling smoothed edges from changes, alone.
#[cfg(feature = "stage-bench")]
pub(crate) fn antialias_stage(pair: &Pair<'_>, measured: &mut Measured) {
    all_bands(pair, measured).for_each(|mut band| {
        band.differing_rows(pair, |_, row, rows| {
            antialias::antialias(pair, row, rows.changed, rows.anti_aliased);
        });
    });
}

/// Summing up tiles, alone.
#[cfg(feature = "stage-bench")]
pub(crate) fn tiles_stage(pair: &Pair<'_>, measured: &mut Measured) {
    all_bands(pair, measured).for_each(|mut band| {
        band.differing_rows(pair, |_, row, rows| {
            tiles::tiles(pair, row, rows.changed, rows.tiles);
        });
    });
}

/// Some bands of a canvas.
fn bands<'m>(
    pair: &Pair<'_>,
    measured: &'m mut Measured,
    which: Range<u32>,
) -> impl IndexedParallelIterator<Item = Band<'m>> {
    let (columns, _) = pair.tiles();
    let tiles = (columns * BAND_TILES) as usize;
    let words = words_per_row(pair.size.width) * (TILE * BAND_TILES) as usize;
    let differing = &measured.differing;
    let changed = part(measured.changed.words_mut(), words, &which);
    let anti_aliased = part(measured.anti_aliased.words_mut(), words, &which);
    let tiles = part(&mut measured.tiles, tiles, &which).par_chunks_mut(tiles);
    (changed.par_chunks_mut(words))
        .zip(anti_aliased.par_chunks_mut(words))
        .zip(tiles)
        .enumerate()
        .map(move |(index, ((changed, anti_aliased), tiles))| Band {
            index: which.start + u32::try_from(index).expect("bands of tiles fit 32 bits"),
            differing,
            changed,
            anti_aliased,
            tiles,
        })
}

/// All bands of a canvas.
#[cfg(feature = "stage-bench")]
fn all_bands<'m>(
    pair: &Pair<'_>,
    measured: &'m mut Measured,
) -> impl IndexedParallelIterator<Item = Band<'m>> {
    bands(pair, measured, 0..band_count(pair))
}

/// What belongs to some bands, of which each has so many values and only the last may have fewer.
fn part<'v, T>(values: &'v mut [T], of_band: usize, bands: &Range<u32>) -> &'v mut [T] {
    let end = (bands.end as usize * of_band).min(values.len());
    &mut values[bands.start as usize * of_band..end]
}

/// What is measured along one row of tiles.
struct TileRow<'r> {
    changed: &'r mut [u32],
    anti_aliased: &'r mut [u32],
    tiles: &'r mut [Tile],
}

impl Band<'_> {
    fn pixel_stages(&mut self, pair: &Pair<'_>) {
        self.differing_rows(pair, |differing, row, rows| {
            color_delta::color_delta(pair, differing, row, rows.changed);
            antialias::antialias(pair, row, rows.changed, rows.anti_aliased);
            tiles::tiles(pair, row, rows.changed, rows.tiles);
        });
    }

    /// Calls for each row of tiles in which something differs.
    #[inline(always)]
    fn differing_rows(&mut self, pair: &Pair<'_>, call: impl Fn(&Dirty, u32, TileRow<'_>)) {
        let words = words_per_row(pair.size.width) * TILE as usize;
        let (columns, _) = pair.tiles();
        let rows = (self.changed.chunks_mut(words))
            .zip(self.anti_aliased.chunks_mut(words))
            .zip(self.tiles.chunks_mut(columns as usize));
        for (row, ((changed, anti_aliased), tiles)) in (self.index * BAND_TILES..).zip(rows) {
            if self.differing.row(row) {
                let rows = TileRow {
                    changed,
                    anti_aliased,
                    tiles,
                };
                call(self.differing, row, rows);
            }
        }
    }
}
