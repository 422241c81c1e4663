//! Whether a region may show the same edges as before, drawn at another part of a pixel.
//!
//! An edge that goes on by less than a pixel mixes colours that were beside each other before. A stroke that is new, or is
//! gone, shows a colour where the other picture has nothing like it: so a text that reads otherwise is told from one that
//! is set a third of a pixel further, however faint it is.

use crate::geometry::Rect;
use crate::mask::{BitMask, WORD_BITS};
use crate::pair::{Pair, RowPair};
use crate::tile::{TILE, Tile};

/// Share in percent, of all that both pictures show right around a pixel, by which its colour may lie beyond what the other
/// one shows there. A line one pixel wide that comes to lie across two loses half of its strength; a new stroke has all of
/// its own.
const MOST_BEYOND_PERCENT: u32 = 60;

/// Bytes looked at around a pixel along a row of RGB pixels: those of three pixels, rounded up to a whole vector.
const NEAR_BYTES: usize = 16;

/// What changed on a canvas.
#[derive(Clone, Copy)]
pub(super) struct Changed<'c> {
    pub(super) mask: &'c BitMask,
    /// Row-major, `columns` in a row.
    pub(super) tiles: &'c [Tile],
    pub(super) columns: u32,
}

/// Whether no changed pixel of an area has a colour that the other picture has nothing like within a pixel of it. Most of a
/// region did not change: only the boxes of its tiles are looked at.
pub(super) fn is_redrawn(pair: &Pair<'_>, area: Rect, changed: Changed<'_>) -> bool {
    let tile_columns = area.x / TILE..area.right().div_ceil(TILE);
    (area.y / TILE..area.bottom().div_ceil(TILE)).all(|row| {
        let tiles = &changed.tiles[(row * changed.columns) as usize..];
        let mut near: Option<NearRows<'_>> = None;
        tile_columns.clone().all(|column| {
            let Some(place) = tiles[column as usize].area(column, row) else {
                return true;
            };
            // Neighbours in one lane have the same rows around them.
            let kept = near.take().filter(|_| pair.layout.lanes.len() == 1);
            let near = near.insert(kept.unwrap_or_else(|| NearRows::of(pair, row, place.x)));
            near.is_redrawn(place, changed.mask)
        })
    })
}

/// The rows of a row of tiles, and one more above and below it, in the lane with some column.
struct NearRows<'p> {
    first: u32,
    rows: Vec<Option<RowPair<'p>>>,
}

impl<'p> NearRows<'p> {
    fn of(pair: &'p Pair<'_>, tile_row: u32, column: u32) -> Self {
        let tile = pair.pixel_rows(tile_row);
        let first = tile.start.saturating_sub(1);
        let rows = first..(tile.end + 1).min(pair.size.height);
        Self {
            first,
            rows: rows.map(|y| pair.row_pair(y, column)).collect(),
        }
    }

    /// Whether no changed pixel of a place, which lies in a tile, has a colour of its own.
    fn is_redrawn(&self, place: Rect, changed: &BitMask) -> bool {
        (place.y..place.bottom()).all(|y| {
            let word = changed.row(y)[(place.x / WORD_BITS) as usize];
            let bits = word >> (place.x % WORD_BITS) & ((1 << place.width) - 1);
            bits == 0 || self.row_is_redrawn(y, place.x, bits)
        })
    }

    /// The same for the pixels of a row whose bits are set, the lowest for the one in column `left`.
    fn row_is_redrawn(&self, y: u32, left: u32, mut bits: u32) -> bool {
        let rows = self.rows.as_slice();
        let at = (y - self.first) as usize;
        let Some(own) = &rows[at] else {
            // What one picture lacks is not drawn anew.
            return false;
        };
        // Rows that one of them lacks say nothing of what is around a pixel.
        let near = &rows[at.saturating_sub(1)..(at + 2).min(rows.len())];
        let whole = match rows.get(at.wrapping_sub(1)..at + 2) {
            Some([Some(above), _, Some(below)]) => WholeRows::of([above, own, below]),
            _ => None,
        };
        while bits != 0 {
            let x = left + bits.trailing_zeros();
            bits &= bits - 1;
            let is_near = match whole.as_ref().and_then(|whole| whole.is_near(x)) {
                Some(is_near) => is_near,
                None => pixel_is_near(own, near, x),
            };
            if !is_near {
                return false;
            }
        }
        true
    }
}

/// Whether the pixel in a column of a row is near what the other picture shows in these rows right around it.
fn pixel_is_near(own: &RowPair<'_>, near: &[Option<RowPair<'_>>], x: u32) -> bool {
    let Some((before, after)) = own.both(x) else {
        return false;
    };
    let (mut was, mut is) = ([Range::NONE; 3], [Range::NONE; 3]);
    for (before, after) in near.iter().flatten().flat_map(|row| row.around(x)) {
        for channel in 0..3 {
            was[channel] = was[channel].with(before[channel]);
            is[channel] = is[channel].with(after[channel]);
        }
    }
    (0..3).all(|channel| is_near(was[channel], is[channel], before[channel], after[channel]))
}

/// Whether a channel of a pixel lies near what the other picture shows of it right around the pixel.
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

    /// Whether the pixel in this column is near what the other picture shows around it; `None` at the edges.
    fn is_near(&self, x: u32) -> Option<bool> {
        let first = x
            .checked_sub(1)
            .filter(|first| self.columns.contains(first))?;
        if x + 1 >= self.columns.end {
            return None;
        }
        let at = 3 * first as usize;
        let [was, is] = [self.around(0, at)?, self.around(1, at)?];
        let [before, after] =
            [0, 1].map(|side: usize| self.pictures[side][1][at + 3..].first_chunk::<3>());
        let (before, after) = (before?, after?);
        Some(
            (0..3)
                .all(|channel| is_near(was[channel], is[channel], before[channel], after[channel])),
        )
    }

    /// What one picture shows of each channel in the nine pixels of which the first of a row begins at this byte.
    #[inline]
    fn around(&self, side: usize, at: usize) -> Option<[Range; 3]> {
        let [above, own, below] = &self.pictures[side];
        let near = |row: &'p [u8]| row.get(at..)?.first_chunk::<NEAR_BYTES>();
        let (above, own, below) = (near(above)?, near(own)?, near(below)?);
        let (mut least, mut most) = ([0; NEAR_BYTES], [0; NEAR_BYTES]);
        for byte in 0..NEAR_BYTES {
            least[byte] = above[byte].min(own[byte]).min(below[byte]);
            most[byte] = above[byte].max(own[byte]).max(below[byte]);
        }
        Some([0, 1, 2].map(|channel| {
            Range {
                least: least[channel]
                    .min(least[channel + 3])
                    .min(least[channel + 6]),
                most: most[channel].max(most[channel + 3]).max(most[channel + 6]),
            }
        }))
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

    fn joined(self, other: Self) -> Self {
        Self {
            least: self.least.min(other.least),
            most: self.most.max(other.most),
        }
    }

    fn extent(self) -> u32 {
        u32::from(self.most.saturating_sub(self.least))
    }

    fn beyond(self, value: u8) -> u32 {
        u32::from(
            self.least
                .saturating_sub(value)
                .max(value.saturating_sub(self.most)),
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cpu;
    use crate::decode::Image;
    use crate::geometry::Size;

    const SIZE: Size = Size {
        width: 60,
        height: 40,
    };

    /// A page of white on which something is drawn: how much of a pixel's ink is there, 0 to 1.
    fn page(ink: f64, covered: impl Fn(u32, u32) -> f64) -> Image {
        Image::of_greys(SIZE, 3, |x, y| {
            #[expect(
                clippy::cast_possible_truncation,
                clippy::cast_sign_loss,
                reason = "0 to 255"
            )]
            let grey = (255.0 - ink * covered(x, y)).round() as u8;
            grey
        })
    }

    /// How much of the pixel in this column lies in a stroke from here on, so many pixels wide.
    fn stroke(x: u32, from: f64, width: f64) -> f64 {
        let x = f64::from(x);
        ((x + 1.0).min(from + width) - x.max(from)).clamp(0.0, 1.0)
    }

    /// How many pixels changed, and whether they may be drawn anew.
    fn redrawn(before: Image, after: Image) -> (u64, bool) {
        let area = Rect {
            x: 0,
            y: 0,
            width: SIZE.width,
            height: SIZE.height,
        };
        let pair = Pair::in_place(&[before, after]);
        let measured = cpu::measure(&pair);
        let changed = Changed {
            mask: &measured.changed,
            tiles: &measured.tiles,
            columns: pair.tiles().0,
        };
        let count = measured.changed.count();
        (count, is_redrawn(&pair, area, changed))
    }

    #[test]
    fn strokes_a_part_of_a_pixel_further_are_redrawn() {
        let mut seen = 0;
        for ink in [255.0, 120.0] {
            for width in [1.0, 1.3, 2.0, 5.0] {
                for further in [0.2, 0.3, 0.5] {
                    let strokes = |shift: f64| {
                        move |x, _| {
                            [10.0, 20.0, 30.0]
                                .map(|from| stroke(x, from + shift, width))
                                .iter()
                                .sum()
                        }
                    };
                    for (from, to) in [(0.0, further), (further, 0.0)] {
                        let (one, other) = (page(ink, strokes(from)), page(ink, strokes(to)));
                        let (changed, is_redrawn) = redrawn(one, other);
                        assert!(is_redrawn, "{ink} {width} from {from} to {to}");
                        seen += changed;
                    }
                }
            }
        }
        assert!(seen > 1000, "{seen}");
    }

    #[test]
    fn a_stroke_that_comes_or_goes_is_no_redrawing() {
        let faint = 100.0;
        let one = |x: u32, _| stroke(x, 10.0, 1.0) + stroke(x, 20.3, 1.0);
        let two = |x: u32, _| one(x, 0) + stroke(x, 26.0, 1.0);
        assert!(!redrawn(page(faint, one), page(faint, two)).1, "it came");
        assert!(!redrawn(page(faint, two), page(faint, one)).1, "it went");
        let moved = |x: u32, _| stroke(x, 10.0, 1.0) + stroke(x, 23.3, 1.0);
        assert!(!redrawn(page(faint, one), page(faint, moved)).1);
        // A one becomes a seven: a bar is drawn on top of a stroke that stays.
        let seven = |x: u32, y: u32| {
            let bar = if y == 5 && (5..10).contains(&x) {
                1.0
            } else {
                0.0
            };
            one(x, 0) + bar
        };
        assert!(!redrawn(page(faint, one), page(faint, seven)).1);
    }
}
