//! Cutting a canvas into parts: ranges of rows around differences, and what stages look at in them.

use std::ops::Range;

use crate::dirty::{Dirty, is_dirty};
use crate::gpu::seams::row_flags;
use crate::mask::{WORD_BITS, words_per_row};
use crate::pair::{Pair, Side};
use crate::score::RADIUS;
use crate::stages::{RGB_WORDS, RGBA_WORDS};
use crate::tile::TILE;

/// Bytes that a shader sees of one buffer at most: what WebGPU guarantees.
pub(crate) const MAX_BINDING_BYTES: u64 = 128 << 20;

/// Bytes of pixels that are sent together. Small enough that looking for one batch, filling another and working on a third go on
/// at the same time, large enough that a submission (some 0.1 ms) does not
/// show beside the transfer (some 1.5 ms).
pub(crate) const BATCH_BYTES: u64 = 32 << 20;

/// Tiles in a block along x.
pub(crate) const TILES_PER_BLOCK: u32 = WORD_BITS / TILE;

/// Blocks in a stack at most: the more, the less is filtered twice at the borders of stacks, and the fewer are worked on at once.
pub(crate) const MOST_STACKED: u32 = 8;

/// A range of rows of one canvas that is uploaded in one piece.
pub(crate) struct Part<'p> {
    /// The number of its pair.
    pub(crate) pair_index: usize,
    pub(crate) pair: &'p Pair<'p>,
    /// Rows of the canvas: those of its tiles, and what windows reach around them.
    pub(crate) rows: Range<u32>,
    /// Words of pixels for one word of a mask.
    pub(crate) pixel_words: u32,
    /// One a row.
    pub(crate) row_flags: Vec<u32>,
    /// The blocks in which something differs, each by itself.
    pub(crate) blocks: Vec<Stack>,
    /// Those with windows that touch a difference, as many together as follow each other.
    pub(crate) stacks: Vec<Stack>,
}

/// Blocks one below the other.
pub(crate) struct Stack {
    /// Column and row of the topmost.
    pub(crate) column: u32,
    pub(crate) row: u32,
    pub(crate) count: u32,
}

impl Part<'_> {
    /// Words of one row of pixels in the buffers.
    pub(crate) fn words_per_row(&self) -> u32 {
        let words = u32::try_from(words_per_row(self.pair.size.width)).expect("rows fit 32 bits");
        words * self.pixel_words
    }

    pub(crate) fn row_count(&self) -> u32 {
        self.rows.end - self.rows.start
    }

    /// Words of one picture's pixels.
    pub(crate) fn side_words(&self) -> u32 {
        self.words_per_row() * self.row_count()
    }

    /// Bytes of both pictures' pixels.
    pub(crate) fn pixel_bytes(&self) -> u64 {
        2 * 4 * u64::from(self.side_words())
    }
}

/// Rows of tiles that one part of about so many bytes may have; `None` when rows are too long for any.
pub(crate) fn most_tile_rows(width: u32, bytes: u64) -> Option<u32> {
    let row_bytes = 2 * 4 * words_per_row(width) as u64 * u64::from(RGBA_WORDS);
    let rows_in = |bytes: u64| {
        let rows = u32::try_from(bytes / row_bytes).unwrap_or(u32::MAX);
        rows.saturating_sub(2 * RADIUS) / TILE
    };
    match rows_in(bytes) {
        // Extremely wide pages: a single row of tiles fills more than a usual batch.
        0 => (rows_in(MAX_BINDING_BYTES) > 0).then_some(1),
        rows => Some(rows),
    }
}

/// What is sent of some rows of tiles.
pub(crate) fn part<'p>(
    pair_index: usize,
    pair: &'p Pair<'p>,
    dirty: &Dirty,
    core: &Range<u32>,
) -> Part<'p> {
    let rows = (core.start * TILE).saturating_sub(RADIUS)
        ..(core.end * TILE + RADIUS).min(pair.size.height);
    let mut blocks = Vec::new();
    let mut stacks = Stacks::new(pair);
    for row in core.clone() {
        let tiles = dirty.tiles_of(row).chunks(TILES_PER_BLOCK as usize);
        let differing = (0..).zip(tiles).filter(|(_, tiles)| is_dirty(tiles));
        blocks.extend(differing.map(|(column, _)| Stack {
            column,
            row,
            count: 1,
        }));
        stacks.add(dirty, row);
    }
    Part {
        pair_index,
        pair,
        pixel_words: pixel_words(pair, rows.clone()),
        row_flags: rows.clone().map(|y| row_flags(pair, y)).collect(),
        rows,
        blocks,
        stacks: stacks.finish(core.end),
    }
}

/// Stacks of blocks with windows that touch a difference, found from the top to the bottom.
struct Stacks {
    rows: u32,
    /// Blocks of the stack in each column that goes on in the row that comes next.
    open: Vec<u32>,
    found: Vec<Stack>,
    /// Rows of pixels in which each tile of a row, or the one above or below it, differs; none on either side of it.
    near: Vec<u16>,
}

impl Stacks {
    fn new(pair: &Pair<'_>) -> Self {
        let (columns, rows) = pair.tiles();
        let blocks = columns.div_ceil(TILES_PER_BLOCK);
        Self {
            rows,
            open: vec![0; blocks as usize],
            found: Vec::new(),
            near: vec![0; (TILES_PER_BLOCK * blocks + 2) as usize],
        }
    }

    /// Looks at the next row of tiles.
    fn add(&mut self, dirty: &Dirty, row: u32) {
        self.near.fill(0);
        for row in row.saturating_sub(1)..(row + 2).min(self.rows) {
            for (near, tile) in self.near[1..].iter_mut().zip(dirty.tiles_of(row)) {
                *near |= tile;
            }
        }
        // A block's tiles and those on either side of it.
        let around = (self.near.windows(TILES_PER_BLOCK as usize + 2))
            .step_by(TILES_PER_BLOCK as usize)
            .map(is_dirty);
        for ((column, open), is_touched) in (0..).zip(&mut self.open).zip(around) {
            if *open > 0 && (!is_touched || *open == MOST_STACKED) {
                self.found.push(Stack {
                    column,
                    row: row - *open,
                    count: *open,
                });
                *open = 0;
            }
            *open += u32::from(is_touched);
        }
    }

    /// All of them, when the rows end with this one.
    fn finish(mut self, end: u32) -> Vec<Stack> {
        let open = (0..).zip(self.open).filter(|&(_, count)| count > 0);
        self.found.extend(open.map(|(column, count)| Stack {
            column,
            row: end - count,
            count,
        }));
        self.found
    }
}

/// RGB as long as every pixel is opaque, which saves a quarter of the transfer.
fn pixel_words(pair: &Pair<'_>, mut rows: Range<u32>) -> u32 {
    let has_alpha = |side: Side, y: u32| {
        pair.rows_of(side, y)
            .any(|(_, row)| row.is_some_and(|row| row.channels == 4))
    };
    if rows.any(|y| has_alpha(Side::Baseline, y) || has_alpha(Side::Current, y)) {
        RGBA_WORDS
    } else {
        RGB_WORDS
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::decode::MAX_SIDE;

    #[test]
    fn parts_stay_within_the_limits() {
        for width in [1, 31, 1280, 8000, 100_000, MAX_SIDE] {
            let rows = u64::from(most_tile_rows(width, BATCH_BYTES).unwrap() * TILE + 2 * RADIUS);
            let bytes = rows * words_per_row(width) as u64 * 256;
            assert!(bytes <= MAX_BINDING_BYTES, "{width}");
            assert!(bytes <= BATCH_BYTES || rows == 26, "{width}");
        }
        assert_eq!(most_tile_rows(80_000_000, BATCH_BYTES), None);
    }
}
