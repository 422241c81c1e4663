//! Whether a region may show the same edges as before, drawn at another part of a pixel.
//!
//! An edge that goes on by less than a pixel mixes colours that were beside each other before. A stroke that is new, or is
//! gone, shows a colour where the other picture has nothing like it: so a text that reads otherwise is told from one that
//! is set a third of a pixel further, however faint it is.

use std::cell::OnceCell;

use pulp::{Arch, Simd, WithSimd};

use crate::geometry::Rect;
use crate::mask::{BitMask, WORD_BITS};
use crate::pair::{Pair, RowPair};
use crate::tile::{TILE, Tile};

/// Share in percent, of all that both pictures show right around a pixel, by which its colour may lie beyond what the other
/// one shows there. A line one pixel wide that comes to lie across two loses half of its strength; a new stroke has all of
/// its own.
const MOST_BEYOND_PERCENT: u16 = 60;

/// Bytes of as many RGB pixels as a tile is wide, and of those with one more at either end.
const RUN_BYTES: usize = 3 * TILE as usize;
const NEAR_BYTES: usize = RUN_BYTES + 6;

/// Of a pixel as it is seen: a stroke in the colour of its transparent ground shows in its alpha alone.
const CHANNELS: usize = 4;

/// What changed on a canvas.
#[derive(Clone, Copy)]
pub(super) struct Changed<'c> {
    pub(super) mask: &'c BitMask,
    /// Row-major, `columns` in a row.
    pub(super) tiles: &'c [Tile],
    pub(super) columns: u32,
}

/// Whether no changed pixel of an area has a colour that the other picture has nothing like within a pixel of it. Most of a
/// region did not change: only the boxes of its tiles are looked at, and of these not what belongs to other regions.
pub(super) fn is_redrawn(pair: &mut Pair<'_>, area: Rect, changed: Changed<'_>) -> bool {
    let rows = area.y / TILE..area.bottom().div_ceil(TILE);
    let at_once = pair.rows_at_once().div_ceil(TILE);
    rows.clone().step_by(at_once as usize).all(|first| {
        pair.make_room();
        let some = first..rows.end.min(first.saturating_add(at_once));
        are_redrawn(pair, some, area, changed)
    })
}

/// The same in some rows of tiles.
fn are_redrawn(
    pair: &Pair<'_>,
    rows: std::ops::Range<u32>,
    area: Rect,
    changed: Changed<'_>,
) -> bool {
    for row in rows {
        let tiles = &changed.tiles[(row * changed.columns) as usize..];
        for lane in &pair.layout.lanes {
            let (left, right) = (area.x.max(lane.x), area.right().min(lane.x + lane.width));
            if left >= right {
                continue;
            }
            let near = RowsAround::of(pair, row, left);
            for column in left / TILE..right.div_ceil(TILE) {
                let own = tiles[column as usize].area(column, row);
                let Some(own) = own.filter(|own| own.overlaps(area)) else {
                    continue;
                };
                let (left, right) = (own.x.max(lane.x), own.right().min(lane.x + lane.width));
                let place = Place {
                    area: Rect {
                        x: left,
                        width: right.saturating_sub(left),
                        ..own
                    },
                    near: &near,
                    changed: changed.mask,
                };
                if !Arch::new().dispatch(place) {
                    return false;
                }
            }
        }
    }
    true
}

/// The rows of a row of tiles, and one more above and below it, in the lane with some column: each is looked up when it is
/// first asked for.
struct RowsAround<'p> {
    pair: &'p Pair<'p>,
    column: u32,
    first: u32,
    rows: [OnceCell<Option<RowPair<'p>>>; TILE as usize + 2],
}

impl<'p> RowsAround<'p> {
    fn of(pair: &'p Pair<'_>, tile_row: u32, column: u32) -> Self {
        Self {
            pair,
            column,
            first: pair.pixel_rows(tile_row).start.saturating_sub(1),
            rows: [const { OnceCell::new() }; TILE as usize + 2],
        }
    }

    /// A row of the canvas in both pictures; `None` where one lacks it, and off the canvas.
    #[inline(always)]
    fn row(&self, y: Option<u32>) -> Option<&RowPair<'p>> {
        let y = y.filter(|&y| y < self.pair.size.height)?;
        let row =
            self.rows[(y - self.first) as usize].get_or_init(|| self.pair.row_pair(y, self.column));
        row.as_ref()
    }

    /// Whether none of the pixels of a row whose bits are set has a colour of its own: the lowest for the one in column `left`.
    #[inline(always)]
    fn row_is_redrawn(&self, y: u32, left: u32, mut bits: u32) -> bool {
        let Some(own) = self.row(Some(y)) else {
            // What one picture lacks is not drawn anew.
            return false;
        };
        // Rows that one of them lacks say nothing of what is around a pixel.
        let (above, below) = (self.row(y.checked_sub(1)), self.row(y.checked_add(1)));
        if let (Some(above), Some(below)) = (above, below)
            && let Some(rows) = WholeRows::of([above, own, below])
            && let Some(far) = rows.far(left)
        {
            return bits & far == 0;
        }
        while bits != 0 {
            let x = left + bits.trailing_zeros();
            bits &= bits - 1;
            if !pixel_is_near(own, [above, Some(own), below], x) {
                return false;
            }
        }
        true
    }
}

/// Some of a tile, and what lies around it.
struct Place<'n, 'p> {
    area: Rect,
    near: &'n RowsAround<'p>,
    changed: &'n BitMask,
}

impl WithSimd for Place<'_, '_> {
    type Output = bool;

    /// Whether no changed pixel has a colour of its own.
    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) -> bool {
        for y in self.area.y..self.area.bottom() {
            let word = self.changed.row(y)[(self.area.x / WORD_BITS) as usize];
            let bits = word >> (self.area.x % WORD_BITS) & ((1 << self.area.width) - 1);
            if bits != 0 && !self.near.row_is_redrawn(y, self.area.x, bits) {
                return false;
            }
        }
        true
    }
}

/// Whether the pixel in a column of a row is near what the other picture shows in these rows right around it.
#[inline(never)]
fn pixel_is_near(own: &RowPair<'_>, near: [Option<&RowPair<'_>>; 3], x: u32) -> bool {
    let Some((before, after)) = own.both(x) else {
        return false;
    };
    let (mut was, mut is) = ([Range::NONE; CHANNELS], [Range::NONE; CHANNELS]);
    for (before, after) in near.into_iter().flatten().flat_map(|row| row.around(x)) {
        for channel in 0..CHANNELS {
            was[channel] = was[channel].with(before[channel]);
            is[channel] = is[channel].with(after[channel]);
        }
    }
    (0..CHANNELS).all(|channel| is_near(was[channel], is[channel], before[channel], after[channel]))
}

/// Whether a channel of a pixel lies near what the other picture shows of it right around the pixel.
#[inline(always)]
fn is_near(was: Range, is: Range, before: u8, after: u8) -> bool {
    let whole = was.joined(is).extent();
    let beyond = was.beyond(after).max(is.beyond(before));
    beyond * 100 <= whole * MOST_BEYOND_PERCENT
}

/// A row of opaque pixels, and those above and below it, in both pictures.
struct WholeRows<'p> {
    pictures: [[&'p [u8]; 3]; 2],
    /// Columns that both pictures have.
    columns: std::ops::Range<u32>,
}

impl<'p> WholeRows<'p> {
    /// `None` where a row has translucent pixels.
    fn of(rows: [&RowPair<'p>; 3]) -> Option<Self> {
        let [above, own, below] = rows.map(RowPair::opaque);
        let (above, own, below) = (above?, own?, below?);
        Some(Self {
            pictures: [0, 1].map(|side| [above[side], own[side], below[side]]),
            columns: rows[1].columns(),
        })
    }

    /// Which of a tile's width of pixels are not near what the other picture shows around them, one bit each, the lowest for
    /// the one in this column; `None` at the edges.
    #[inline(always)]
    fn far(&self, left: u32) -> Option<u32> {
        let first = left
            .checked_sub(1)
            .filter(|first| self.columns.contains(first))?;
        if left + TILE >= self.columns.end {
            return None;
        }
        let at = 3 * first as usize;
        let was = Around::of(&self.pictures[0], at)?;
        let is = Around::of(&self.pictures[1], at)?;
        let mut far = [false; RUN_BYTES];
        for (byte, far) in far.iter_mut().enumerate() {
            let (before, after) = (was.own[byte], is.own[byte]);
            *far = !is_near(was.range(byte), is.range(byte), before, after);
        }
        // What did not change is near itself, so mostly none is far.
        if !far.iter().fold(false, |any, far| any | far) {
            return Some(0);
        }
        let (pixels, _) = far.as_chunks::<3>();
        Some(pixels.iter().rev().fold(0, |bits, channels| {
            bits << 1 | u32::from(channels[0] | channels[1] | channels[2])
        }))
    }
}

/// What one picture shows of each channel of a run of pixels, and in the nine pixels around each.
struct Around {
    own: [u8; RUN_BYTES],
    least: [u8; RUN_BYTES],
    most: [u8; RUN_BYTES],
}

impl Around {
    /// From rows one above the other, for the run whose left neighbour begins at this byte.
    #[inline(always)]
    fn of(rows: &[&[u8]; 3], at: usize) -> Option<Self> {
        let [above, own, below] = rows;
        let above = above.get(at..)?.first_chunk::<NEAR_BYTES>()?;
        let own = own.get(at..)?.first_chunk::<NEAR_BYTES>()?;
        let below = below.get(at..)?.first_chunk::<NEAR_BYTES>()?;
        let mut around = Self {
            own: *own[3..].first_chunk()?,
            least: [u8::MAX; RUN_BYTES],
            most: [0; RUN_BYTES],
        };
        // All nine are read from the rows: what was written just now would have to be waited for.
        for row in [above, own, below] {
            for step in [0, 3, 6] {
                let part: &[u8; RUN_BYTES] = row[step..].first_chunk()?;
                let ranges = around.least.iter_mut().zip(&mut around.most);
                for ((least, most), &value) in ranges.zip(part) {
                    *least = value.min(*least);
                    *most = value.max(*most);
                }
            }
        }
        Some(around)
    }

    /// Around one byte of the run.
    #[inline(always)]
    fn range(&self, byte: usize) -> Range {
        Range {
            least: self.least[byte],
            most: self.most[byte],
        }
    }
}

/// The least and the most of a channel.
#[derive(Clone, Copy)]
struct Range {
    least: u8,
    most: u8,
}

impl Range {
    const NONE: Self = Self {
        least: u8::MAX,
        most: 0,
    };

    fn with(self, value: u8) -> Self {
        Self {
            least: self.least.min(value),
            most: self.most.max(value),
        }
    }

    #[inline(always)]
    fn joined(self, other: Self) -> Self {
        Self {
            least: self.least.min(other.least),
            most: self.most.max(other.most),
        }
    }

    #[inline(always)]
    fn extent(self) -> u16 {
        u16::from(self.most.saturating_sub(self.least))
    }

    #[inline(always)]
    fn beyond(self, value: u8) -> u16 {
        u16::from(
            self.least
                .saturating_sub(value)
                .max(value.saturating_sub(self.most)),
        )
    }
}

#[cfg(test)]
mod tests;
