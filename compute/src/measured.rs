//! What both backends hand back, and the finishing touches of what one has left to the host.

use rayon::prelude::*;

use crate::cpu::antialias::Around;
use crate::cpu::color_delta::for_each_bit;
use crate::dirty::Dirty;
use crate::mask::{BitMask, WORD_BITS, words_per_row};
use crate::metric::any_fixed_delta;
use crate::options::AntiAliasing;
use crate::pair::{Pair, SharedRow};
use crate::pool::Recycled;
use crate::tile::{TILE, Tile};
use crate::workers;

/// Raw results of the stages over a whole canvas, of what both pictures have.
#[cfg_attr(feature = "stage-bench", derive(Clone))]
pub(crate) struct Measured {
    /// Changed pixels.
    pub(crate) changed: BitMask,
    /// Pixels that changed but look like the smoothing of an edge; part of `changed` only when they
    /// are to count.
    pub(crate) anti_aliased: BitMask,
    /// Row-major, one for every tile of the canvas.
    pub(crate) tiles: Recycled<Tile>,
    /// Summed loss of all windows.
    pub(crate) loss: f64,
    /// Where anything differs, by however little.
    pub(crate) differing: Dirty,
}

impl Measured {
    /// Nothing of what differs counts, as far as is known yet.
    pub(crate) fn nothing(pair: &Pair<'_>, differing: Dirty) -> Self {
        let (columns, rows) = pair.tiles();
        Self {
            changed: BitMask::new(pair.size),
            anti_aliased: BitMask::new(pair.size),
            tiles: Recycled::filled(Tile::EMPTY, columns as usize * rows as usize),
            loss: 0.0,
            differing,
        }
    }

    /// Decides the pixels that a backend left to the host, and adds those that count.
    pub(crate) fn finish(&mut self, pair: &Pair<'_>, doubtful: &BitMask) {
        let words = words_per_row(pair.size.width) * TILE as usize;
        let (columns, _) = pair.tiles();
        let rows = (self.changed.words_mut().par_chunks_mut(words))
            .zip(self.anti_aliased.words_mut().par_chunks_mut(words))
            .zip(self.tiles.par_chunks_mut(columns as usize))
            .zip(doubtful.words().par_chunks(words))
            .enumerate();
        workers::map(
            rows,
            |(row, (((changed, anti_aliased), tiles), doubtful))| {
                if doubtful.iter().all(|&word| word == 0) {
                    return;
                }
                let mut row = TileRow {
                    row: u32::try_from(row).expect("rows of tiles fit 32 bits"),
                    changed,
                    anti_aliased,
                    tiles,
                };
                row.decide(pair, doubtful);
            },
        );
    }
}

/// One row of tiles.
struct TileRow<'m> {
    row: u32,
    changed: &'m mut [u32],
    anti_aliased: &'m mut [u32],
    tiles: &'m mut [Tile],
}

impl TileRow<'_> {
    fn decide(&mut self, pair: &Pair<'_>, doubtful: &[u32]) {
        let stride = words_per_row(pair.size.width);
        for (at, (y, doubtful)) in pair
            .pixel_rows(self.row)
            .zip(doubtful.chunks(stride))
            .enumerate()
        {
            if doubtful.iter().all(|&word| word == 0) {
                continue;
            }
            for row in pair.unsettled_rows(y) {
                let around = Around::of(pair, &row, y);
                for word in row.from / WORD_BITS..row.until.div_ceil(WORD_BITS) {
                    for_each_bit(doubtful[word as usize], |bit| {
                        let x = word * WORD_BITS + bit;
                        if (row.from..row.until).contains(&x) {
                            self.decide_pixel(pair, &row, &around, (x, y), at * stride);
                        }
                    });
                }
            }
        }
    }

    /// Decides one pixel as the stages on the processor do: its colour, then whether it smooths an
    /// edge.
    fn decide_pixel(
        &mut self,
        pair: &Pair<'_>,
        row: &SharedRow<'_>,
        around: &Around<'_>,
        (x, y): (u32, u32),
        first_word: usize,
    ) {
        let (baseline, current) = (row.baseline.pixel(x), row.current.pixel(x));
        let index = pair.index(x, y);
        if !pair.threshold.exceeds(baseline, current, index) {
            return;
        }
        let word = first_word + (x / WORD_BITS) as usize;
        let bit = 1 << (x % WORD_BITS);
        if around.is_anti_aliased(x) {
            self.anti_aliased[word] |= bit;
            if pair.anti_aliasing == AntiAliasing::Exclude {
                return;
            }
        }
        self.changed[word] |= bit;
        let delta = any_fixed_delta(baseline, current, index);
        self.tiles[(x / TILE) as usize].add_changed(x % TILE, y % TILE, delta);
    }
}
