//! Which tiles hold a difference, by memory compare alone.

use std::ops::Range;

use rayon::prelude::*;

use crate::mask::WORD_BITS;
use crate::pair::Pair;
use crate::tile::TILE;

/// Pixels compared at once: a multiple of the tile, and long enough for a memory compare to pay.
const BLOCK_PX: u32 = 64;

/// One flag for each tile of the canvas; a tile without one holds no difference.
pub(crate) struct Dirty {
    columns: u32,
    tiles: Vec<bool>,
}

impl Dirty {
    /// Looks at every row that is not known to be the same.
    pub(crate) fn find(pair: &Pair<'_>) -> Self {
        let (columns, rows) = pair.tiles();
        let mut tiles = vec![false; columns as usize * rows as usize];
        tiles
            .par_chunks_mut(columns as usize)
            .enumerate()
            .for_each(|(row, tiles)| {
                let row = u32::try_from(row).expect("rows of tiles fit 32 bits");
                for y in pair.pixel_rows(row) {
                    mark_row(pair, y, tiles);
                }
            });
        Self { columns, tiles }
    }

    /// Whether any of some neighbouring tiles of a row is dirty.
    pub(crate) fn any_in(&self, columns: Range<u32>, row: u32) -> bool {
        let columns = columns.start as usize..columns.end.min(self.columns) as usize;
        self.tiles_of(row)[columns].contains(&true)
    }

    /// Whether any tile of a row is dirty.
    pub(crate) fn row(&self, tile_row: u32) -> bool {
        self.tiles_of(tile_row).contains(&true)
    }

    /// For each row of tiles, whether any tile is dirty.
    pub(crate) fn rows(&self) -> Vec<bool> {
        self.tiles
            .chunks(self.columns as usize)
            .map(|tiles| tiles.contains(&true))
            .collect()
    }

    /// Whether the tile or one of its eight neighbours is dirty: what a window centred in it can
    /// touch.
    pub(crate) fn touches(&self, column: u32, row: u32) -> bool {
        let rows = u32::try_from(self.tiles.len()).expect("tiles fit 32 bits") / self.columns;
        let near = |at: u32, end: u32| at.saturating_sub(1)..(at + 2).min(end);
        near(row, rows).any(|row| {
            let columns = near(column, self.columns);
            self.tiles_of(row)[columns.start as usize..columns.end as usize].contains(&true)
        })
    }

    /// Runs of columns of pixels with dirty tiles, whole mask words each, up to column `until`.
    pub(crate) fn runs(
        &self,
        tile_row: u32,
        from: u32,
        until: u32,
    ) -> impl Iterator<Item = Range<u32>> {
        let tiles = self.tiles_of(tile_row);
        let per_word = (WORD_BITS / TILE) as usize;
        let dirty = move |word: u32| {
            let first = word as usize * per_word;
            tiles[first..(first + per_word).min(tiles.len())].contains(&true)
        };
        let mut word = from / WORD_BITS;
        let end = until.div_ceil(WORD_BITS);
        std::iter::from_fn(move || {
            while word < end && !dirty(word) {
                word += 1;
            }
            let first = word;
            while word < end && dirty(word) {
                word += 1;
            }
            (first < word).then(|| first * WORD_BITS..(word * WORD_BITS).min(until))
        })
    }

    fn tiles_of(&self, row: u32) -> &[bool] {
        let columns = self.columns as usize;
        &self.tiles[row as usize * columns..][..columns]
    }
}

/// Marks the tiles in which a row of the canvas differs.
fn mark_row(pair: &Pair<'_>, y: u32, tiles: &mut [bool]) {
    for row in pair.unsettled_rows(y) {
        if row.baseline.same_part(row.current, row.from..row.until) {
            continue;
        }
        let mut block = row.from;
        while block < row.until {
            let end = (block + BLOCK_PX).min(row.until);
            if !row.baseline.same_part(row.current, block..end) {
                for tile in block / TILE..end.div_ceil(TILE) {
                    let columns = tile * TILE..((tile + 1) * TILE).min(end);
                    let dirty = &mut tiles[tile as usize];
                    *dirty = *dirty || !row.baseline.same_part(row.current, columns);
                }
            }
            block = end;
        }
    }
    for columns in pair.has_one_sided(y) {
        tiles[(columns.start / TILE) as usize..columns.end.div_ceil(TILE) as usize].fill(true);
    }
}
