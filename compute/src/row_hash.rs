//! Hashes of rows and of the cells of rows, by which rows are matched without looking at pixels.
//!
//! Rows hash by what they show: an opaque row has the same hash whether its file has an alpha
//! channel or not. The hash is XXH3 (<https://github.com/Cyan4973/xxHash>): 64 bits for rows, whose
//! equality decides that nothing differs; 32 bits for cells, by which alignments are only proposed.

use std::ops::Range;

use twox_hash::XxHash3_64;

use crate::raster::row::Row;

/// Columns of a cell in pictures of common widths.
const CELL_PX: u32 = 64;

/// Cells in a row at most, which bounds what a stored capture grows by.
const MAX_CELLS: u32 = 32;

/// Columns of a cell; a multiple of [`CELL_PX`].
pub(crate) fn cell_width(width: u32) -> u32 {
    width.div_ceil(MAX_CELLS).next_multiple_of(CELL_PX)
}

/// Cells in a row.
pub(crate) fn cell_count(width: u32) -> u32 {
    width.div_ceil(cell_width(width))
}

/// The hash of a whole row.
pub(crate) fn row_hash(row: Row<'_>) -> u64 {
    hash(row.bytes, row.channels)
}

/// The hash of the cell with this number, in a picture of this width.
#[expect(clippy::cast_possible_truncation, reason = "half of a hash is a hash")]
pub(crate) fn cell_hash(row: Row<'_>, cell: u32, width: u32) -> u32 {
    hash(row.part(cell_columns(cell, width)), row.channels) as u32
}

/// The columns of the cell with this number, in a picture of this width.
pub(crate) fn cell_columns(cell: u32, width: u32) -> Range<u32> {
    let step = cell_width(width);
    cell * step..((cell + 1) * step).min(width)
}

fn hash(bytes: &[u8], channels: usize) -> u64 {
    if channels == 3 {
        return XxHash3_64::oneshot(bytes);
    }
    let (pixels, _) = bytes.as_chunks::<4>();
    if pixels.iter().any(|pixel| pixel[3] != 255) {
        return XxHash3_64::oneshot(bytes);
    }
    let opaque: Vec<u8> = pixels
        .iter()
        .flat_map(|pixel| [pixel[0], pixel[1], pixel[2]])
        .collect();
    XxHash3_64::oneshot(&opaque)
}
