//! Cutting a page into chunks of rows: only where something differs, and small enough for the
//! adapter.

use std::ops::Range;

use crate::dirty::Dirty;
use crate::error::Error;
use crate::pair::Pair;
use crate::stages::Config;
use crate::tile::TILE;

/// Bytes that a shader sees of one buffer at most: what WebGPU guarantees.
pub(crate) const MAX_BINDING_BYTES: u64 = 128 << 20;

/// Bytes of one picture in a chunk. Half the limit keeps both pictures, their staging copies and
/// the results under 300 MiB.
const CHUNK_BYTES: u64 = 64 << 20;

/// Workgroups along one axis at most: what WebGPU guarantees.
const MAX_WORKGROUPS: u32 = 65_535;

/// Rows of tiles around the core: a window centred in a core tile reaches into the next tile.
const HALO: u32 = 1;

/// Clean rows of tiles that are uploaded rather than begin another chunk: a submission costs about
/// as much as 200 rows.
const BRIDGE: u32 = 12;

/// Rows of tiles that are uploaded together.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Chunk {
    /// Rows of tiles whose results count.
    pub(crate) core: Range<u32>,
    /// The core and the rows around it.
    uploaded: Range<u32>,
    /// Height of the page in pixels, where the last row of tiles may end early.
    page_height: u32,
}

impl Chunk {
    /// Rows of pixels in the buffers.
    pub(crate) fn rows(&self) -> u32 {
        (self.uploaded.end * TILE).min(self.page_height) - self.first_row()
    }

    /// Rows of pixels whose results count.
    pub(crate) fn core_pixel_rows(&self) -> Range<u32> {
        self.core.start * TILE..(self.core.end * TILE).min(self.page_height)
    }

    /// First row of pixels in the buffers.
    pub(crate) fn first_row(&self) -> u32 {
        self.uploaded.start * TILE
    }

    /// Rows of tiles in the buffers above the core.
    pub(crate) fn rows_above_core(&self) -> u32 {
        self.core.start - self.uploaded.start
    }

    /// Adds the chunk's own settings to those of the page.
    pub(crate) fn config(&self, page: Config) -> Config {
        Config {
            first_row: self.first_row(),
            rows: self.rows(),
            core_first: self.rows_above_core(),
            core_rows: self.core.end - self.core.start,
            ..page
        }
    }
}

/// Cuts a page so that every row of tiles that a difference can reach lies in the core of exactly
/// one chunk.
pub(crate) fn plan(pair: &Pair) -> Result<Vec<Chunk>, Error> {
    let core_rows = core_tile_rows(pair.size.width).ok_or_else(|| {
        Error::Gpu(format!(
            "rows of {} pixels are longer than its limits",
            pair.size.width
        ))
    })?;
    Ok(cut(&Dirty::find(pair).rows(), core_rows, pair.size.height))
}

/// Rows of tiles that the core of a chunk may have; `None` when rows are too long for any.
fn core_tile_rows(width: u32) -> Option<u32> {
    if width.div_ceil(TILE) > MAX_WORKGROUPS {
        return None;
    }
    let by_bytes = u32::try_from(CHUNK_BYTES / (4 * u64::from(width))).unwrap_or(u32::MAX) / TILE;
    // The colour stage covers eight rows of pixels with one workgroup, half a row of tiles.
    let rows = by_bytes.min(MAX_WORKGROUPS / 2);
    rows.checked_sub(2 * HALO).filter(|&rows| rows > 0)
}

fn cut(dirty: &[bool], core_rows: u32, page_height: u32) -> Vec<Chunk> {
    let tile_rows = u32::try_from(dirty.len()).expect("rows of tiles fit 32 bits");
    let reached = |row: u32| {
        (row.saturating_sub(HALO)..(row + HALO + 1).min(tile_rows)).any(|row| dirty[row as usize])
    };
    let mut chunks: Vec<Chunk> = Vec::new();
    for row in (0..tile_rows).filter(|&row| reached(row)) {
        match chunks.last_mut() {
            Some(last) if row - last.core.end <= BRIDGE && row < last.core.start + core_rows => {
                last.core.end = row + 1;
            }
            _ => chunks.push(Chunk {
                core: row..row + 1,
                uploaded: 0..0,
                page_height,
            }),
        }
    }
    for chunk in &mut chunks {
        chunk.uploaded =
            chunk.core.start.saturating_sub(HALO)..(chunk.core.end + HALO).min(tile_rows);
    }
    chunks
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::decode::MAX_SIDE;

    fn cores(dirty: &[u32], tile_rows: u32, core_rows: u32) -> Vec<(u32, u32)> {
        let rows: Vec<bool> = (0..tile_rows).map(|row| dirty.contains(&row)).collect();
        cut(&rows, core_rows, tile_rows * TILE)
            .into_iter()
            .map(|chunk| (chunk.core.start, chunk.core.end))
            .collect()
    }

    #[test]
    fn chunks_hold_what_a_difference_can_reach() {
        assert_eq!(cores(&[], 50, 40), []);
        assert_eq!(cores(&[0], 50, 40), [(0, 2)]);
        assert_eq!(cores(&[10, 49], 50, 40), [(9, 12), (48, 50)]);
        assert_eq!(cores(&[10, 20], 50, 40), [(9, 22)], "the gap is bridged");
        assert_eq!(
            cores(&[10, 20], 50, 8),
            [(9, 12), (19, 22)],
            "unless it does not fit"
        );
        assert_eq!(
            cores(&(0..50).collect::<Vec<_>>(), 50, 20),
            [(0, 20), (20, 40), (40, 50)]
        );
    }

    #[test]
    fn chunks_stay_within_the_limits() {
        for width in [1, 31, 1280, 8000, 100_000, MAX_SIDE] {
            let rows = u64::from((core_tile_rows(width).unwrap() + 2 * HALO) * TILE);
            assert!(rows * u64::from(width) * 4 <= MAX_BINDING_BYTES, "{width}");
            assert!(rows.div_ceil(8) <= u64::from(MAX_WORKGROUPS), "{width}");
        }
        assert_eq!(core_tile_rows(80_000_000), None);
    }
}
