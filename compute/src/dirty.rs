//! Which tiles hold a difference, by memory compare alone.

use std::ops::Range;

use pulp::{Arch, Simd, WithSimd};
use rayon::prelude::*;

use crate::mask::WORD_BITS;
use crate::pair::Pair;
use crate::tile::TILE;
use crate::workers;

/// Bytes of a tile's row of opaque pixels, and of others.
const OPAQUE_SPAN: usize = 3 * TILE as usize;
const TRANSLUCENT_SPAN: usize = 4 * TILE as usize;

/// Where the tiles of the canvas differ; a tile without a bit holds no difference, as far as it was looked at.
#[cfg_attr(feature = "stage-bench", derive(Clone))]
pub(crate) struct Dirty {
    columns: u32,
    /// One bit for each row of pixels of a tile, the lowest for the topmost.
    tiles: Vec<u16>,
}

/// A row of tiles that has not been looked at.
pub(crate) struct Unmarked<'d> {
    row: u32,
    tiles: &'d mut [u16],
}

impl Unmarked<'_> {
    /// Looks at it.
    pub(crate) fn mark(self, pair: &Pair<'_>) {
        for y in pair.pixel_rows(self.row) {
            mark_row(pair, y, self.tiles);
        }
    }
}

impl Dirty {
    /// Looks at every row that is not known to be the same.
    #[cfg(any(test, feature = "stage-bench"))]
    pub(crate) fn find(pair: &Pair<'_>) -> Self {
        let mut dirty = Self::unknown(pair);
        dirty.look_at(pair, 0..dirty.rows_of_tiles());
        dirty
    }

    /// Nothing has been looked at. Whoever asks for a tile must have its row and those above and below looked at before.
    pub(crate) fn unknown(pair: &Pair<'_>) -> Self {
        let (columns, rows) = pair.tiles();
        Self {
            columns,
            tiles: vec![0; columns as usize * rows as usize],
        }
    }

    /// Looks at some rows of tiles.
    pub(crate) fn look_at(&mut self, pair: &Pair<'_>, rows: Range<u32>) {
        let rows: Vec<Unmarked<'_>> = self.unmarked(rows).collect();
        workers::map(rows.into_par_iter(), |row| row.mark(pair));
    }

    /// Some rows of tiles, each to be looked at by itself.
    pub(crate) fn unmarked(&mut self, rows: Range<u32>) -> impl Iterator<Item = Unmarked<'_>> {
        let columns = self.columns as usize;
        let tiles = &mut self.tiles[rows.start as usize * columns..rows.end as usize * columns];
        let of_rows = rows.zip(tiles.chunks_mut(columns));
        of_rows.map(|(row, tiles)| Unmarked { row, tiles })
    }

    /// Whether any of some neighbouring tiles of a row is dirty.
    pub(crate) fn any_in(&self, columns: Range<u32>, row: u32) -> bool {
        let columns = columns.start as usize..columns.end.min(self.columns) as usize;
        is_dirty(&self.tiles_of(row)[columns])
    }

    /// Whether any tile of a row is dirty.
    pub(crate) fn row(&self, tile_row: u32) -> bool {
        is_dirty(self.tiles_of(tile_row))
    }

    /// Whether any tile of some rows or of those above and below is dirty.
    pub(crate) fn rows_touch(&self, rows: Range<u32>) -> bool {
        let mut around = rows.start.saturating_sub(1)..(rows.end + 1).min(self.rows_of_tiles());
        around.any(|row| self.row(row))
    }

    /// Whether the tile or one of its eight neighbours is dirty: what a window centred in it can
    /// touch.
    pub(crate) fn touches(&self, column: u32, row: u32) -> bool {
        near(row, self.rows_of_tiles()).any(|row| self.any_in(near(column, self.columns), row))
    }

    /// Where two rows of tiles from this one on differ, and those above and below them.
    pub(crate) fn around_band(&self, row: u32) -> AroundBand {
        let mut columns = vec![0; self.columns as usize];
        let above = i64::from(row) - 1;
        for (tile_row, shift) in (above..).zip((0..u64::BITS).step_by(TILE as usize)) {
            let tile_row = u32::try_from(tile_row).ok();
            let Some(tile_row) = tile_row.filter(|&row| row < self.rows_of_tiles()) else {
                continue;
            };
            for (column, &rows) in columns.iter_mut().zip(self.tiles_of(tile_row)) {
                *column |= u64::from(rows) << shift;
            }
        }
        AroundBand { columns }
    }

    /// Runs of columns of pixels with dirty tiles, whole mask words each but for those that columns `from` and `until` cut.
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
            is_dirty(&tiles[first..(first + per_word).min(tiles.len())])
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
            (first < word).then(|| (first * WORD_BITS).max(from)..(word * WORD_BITS).min(until))
        })
    }

    /// Of each tile of a row, in which rows of pixels it differs: the lowest bit stands for the topmost.
    pub(crate) fn tiles_of(&self, row: u32) -> &[u16] {
        let columns = self.columns as usize;
        &self.tiles[row as usize * columns..][..columns]
    }

    fn rows_of_tiles(&self) -> u32 {
        u32::try_from(self.tiles.len()).expect("tiles fit 32 bits") / self.columns
    }
}

/// Where two rows of tiles differ, a band, and those above and below them.
pub(crate) struct AroundBand {
    /// For each column of tiles the rows of pixels in which it differs: the lowest bit stands for the topmost of the four.
    columns: Vec<u64>,
}

impl AroundBand {
    /// Whether a tile of the band in this column, or one right around it, is dirty: what a window centred there can touch.
    pub(crate) fn touches(&self, column: u32) -> bool {
        self.any_of(near(column, u32::MAX)) != 0
    }

    /// Which rows of the band lie within `radius` pixels, at most a tile, of a difference in these columns of tiles: the lowest bit
    /// stands for the topmost row.
    pub(crate) fn rows_reached(&self, tiles: Range<u32>, radius: u32) -> u32 {
        const { assert!(4 * TILE == u64::BITS) };
        let rows = self.any_of(tiles);
        let reached = (0..radius).fold(rows, |rows, _| rows | rows << 1 | rows >> 1);
        let of_band = reached >> TILE & u64::from(u32::MAX);
        u32::try_from(of_band).expect("they were cut to 32 bits")
    }

    /// The rows in which some of these columns differ; there may be fewer.
    fn any_of(&self, tiles: Range<u32>) -> u64 {
        let end = self.columns.len().min(tiles.end as usize);
        let columns = &self.columns[tiles.start as usize..end];
        columns.iter().fold(0, |any, rows| any | rows)
    }
}

/// Whether any of some tiles differs.
pub(crate) fn is_dirty(tiles: &[u16]) -> bool {
    tiles.iter().any(|&rows| rows != 0)
}

/// A place along an axis and those beside it.
fn near(at: u32, end: u32) -> Range<u32> {
    at.saturating_sub(1)..(at + 2).min(end)
}

/// Marks the tiles in which a row of the canvas differs.
fn mark_row(pair: &Pair<'_>, y: u32, tiles: &mut [u16]) {
    let bit = 1 << (y % TILE);
    for row in pair.unsettled_rows(y) {
        // A lane may begin within a tile.
        let whole = row.from.next_multiple_of(TILE).min(row.until);
        if row.from < whole && !row.baseline.same_part(row.current, row.from..whole) {
            tiles[(row.from / TILE) as usize] |= bit;
        }
        let columns = whole..row.until;
        let tiles = &mut tiles[whole.div_ceil(TILE) as usize..];
        if row.baseline.channels == row.current.channels {
            Arch::new().dispatch(MarkSpans {
                span: TILE as usize * row.baseline.channels,
                baseline: row.baseline.part(columns.clone()),
                current: row.current.part(columns),
                bit,
                tiles,
            });
        } else {
            for (from, tile) in columns.step_by(TILE as usize).zip(tiles) {
                let columns = from..(from + TILE).min(row.until);
                if !row.baseline.same_part(row.current, columns) {
                    *tile |= bit;
                }
            }
        }
    }
    for columns in pair.one_sided_along(y) {
        for tile in columns.start / TILE..columns.end.div_ceil(TILE) {
            tiles[tile as usize] |= bit;
        }
    }
}

/// Marks the tiles in which the bytes of a row differ.
struct MarkSpans<'a> {
    /// Bytes of a tile's part of the row.
    span: usize,
    baseline: &'a [u8],
    current: &'a [u8],
    bit: u16,
    tiles: &'a mut [u16],
}

impl WithSimd for MarkSpans<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) {
        match self.span {
            OPAQUE_SPAN => self.mark::<OPAQUE_SPAN>(),
            _ => self.mark::<TRANSLUCENT_SPAN>(),
        }
    }
}

impl MarkSpans<'_> {
    #[inline(always)]
    fn mark<const SPAN: usize>(self) {
        let (baseline, baseline_rest) = self.baseline.as_chunks::<SPAN>();
        let (current, current_rest) = self.current.as_chunks::<SPAN>();
        let (tiles, last) = self.tiles.split_at_mut(baseline.len());
        for ((one, other), tile) in baseline.iter().zip(current).zip(tiles) {
            *tile |= self.bit * u16::from(one != other);
        }
        if let Some(tile) = last.first_mut()
            && baseline_rest != current_rest
        {
            *tile |= self.bit;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::decode::Image;
    use crate::geometry::Size;

    const HEIGHT: u32 = 20;

    /// Pixels of one grey but for every so manyth.
    fn picture(width: u32, channels: usize, every: u32) -> Image {
        let size = Size {
            width,
            height: HEIGHT,
        };
        Image::of_greys(size, channels, |x, y| {
            let at = y * width + x;
            if at % every == every - 1 { 90 } else { 200 }
        })
    }

    #[test]
    fn exactly_the_rows_of_tiles_that_differ_are_marked() {
        let widths =
            (1..70).flat_map(|width| [(width, width), (width, width + 5), (width + 40, width)]);
        for (ours, theirs) in widths {
            for (channels, other_channels) in [(3, 3), (4, 4), (3, 4)] {
                let images = [
                    picture(ours, channels, 61),
                    picture(theirs, other_channels, 97),
                ];
                let pair = Pair::in_place(&images);
                let dirty = Dirty::find(&pair);
                let pixel = |at: usize, x: u32, y: u32| {
                    let size = images[at].size;
                    (x < size.width).then(|| {
                        let first = (y * size.width + x) as usize * images[at].channels;
                        images[at].data[first]
                    })
                };
                let mut expected = vec![0; dirty.tiles.len()];
                for (y, x) in (0..HEIGHT).flat_map(|y| (0..ours.max(theirs)).map(move |x| (y, x))) {
                    let tile = y / TILE * dirty.columns + x / TILE;
                    let differs = pixel(0, x, y) != pixel(1, x, y);
                    expected[tile as usize] |= u16::from(differs) << (y % TILE);
                }
                assert!(
                    dirty.tiles == expected,
                    "{ours} {theirs} {channels} {other_channels}"
                );
            }
        }
    }
}
