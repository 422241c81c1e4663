//! What lies where a region changed, and right beside it: all that tells what became of it.

use std::ops::Range;

use crate::geometry::Rect;
use crate::mask::{BitMask, WORD_BITS, span_bits};
use crate::pair::{Both, Pair, RowPair};

/// Changed pixels of a region up to which all of its rows are looked at.
const WHOLE_UP_TO: u64 = 1 << 18;

/// The changed pixels of a region, and those beside, above, below and diagonally next to one. The others in its box may
/// be anything: they are the same in both pictures, or nearly, or count as smoothing.
#[derive(Clone, Copy)]
pub(super) struct Near<'n> {
    /// What changed, or is in one picture alone.
    pub(super) mask: &'n BitMask,
    /// The region's box.
    pub(super) area: Rect,
    /// How many of its pixels changed, or are in one picture alone.
    pub(super) changed: u64,
}

/// Pixels near changes along a row: from the column left of the box to the one right of it.
#[derive(Default)]
pub(super) struct NearRow {
    /// What both pictures show in each column, where changes are near.
    pixels: Vec<Both>,
    /// Where they are: from left to right, none next to another.
    stretches: Vec<Range<usize>>,
    /// Changes in this row and those above and below it, in the words of the mask.
    changed: Vec<u32>,
}

impl NearRow {
    /// Neighbours to the right of each other: the number of the left one's column, counted from the one left of the box.
    pub(super) fn neighbours(&self) -> impl Iterator<Item = (usize, [Both; 2])> {
        self.stretches.iter().flat_map(|stretch| {
            let pixels = self.pixels[stretch.clone()].array_windows();
            (stretch.start..).zip(pixels.copied())
        })
    }

    /// Pixels, and those below them in the next row.
    pub(super) fn neighbours_in<'r>(
        &'r self,
        below: &'r Self,
    ) -> impl Iterator<Item = (usize, [Both; 2])> {
        let mut others = below.stretches.as_slice();
        self.stretches.iter().flat_map(move |stretch| {
            while others.first().is_some_and(|it| it.end <= stretch.start) {
                others = &others[1..];
            }
            let shared = others.iter().take_while(|it| it.start < stretch.end);
            shared.flat_map(|other| {
                (stretch.start.max(other.start)..stretch.end.min(other.end))
                    .map(|at| (at, [self.pixels[at], below.pixels[at]]))
            })
        })
    }

    /// The pixels in the columns of the box.
    pub(super) fn in_box(&self) -> impl Iterator<Item = Both> {
        let last = self.pixels.len() - 1;
        self.stretches.iter().flat_map(move |stretch| {
            self.pixels[stretch.start.max(1)..stretch.end.min(last)]
                .iter()
                .copied()
        })
    }
}

impl Near<'_> {
    /// The rows of the box, and one more above it and below it: all, or of more changes than [`WHOLE_UP_TO`] the first two, the last
    /// two and some between them, two and two next to each other, in no order that lines of text or rows of a table may have.
    pub(super) fn rows(&self, pair: &Pair<'_>) -> impl Iterator<Item = u32> + use<> {
        let first = self.area.y.saturating_sub(1);
        let until = (self.area.bottom() + 1).min(pair.size.height);
        let share = self.share();
        let is_taken = move |y: u32| {
            let mixed = ((y - first) / 2).wrapping_mul(0x9e37_79b9) >> 16;
            u64::from(mixed).is_multiple_of(share) || y - first < 2 || until - y <= 2
        };
        (first..until).filter(move |&y| is_taken(y))
    }

    /// Of so many rows one is looked at.
    pub(super) fn share(&self) -> u64 {
        self.changed.div_ceil(WHOLE_UP_TO).max(1)
    }

    /// Whether a row is one of the box's.
    pub(super) fn is_in_box(&self, y: u32) -> bool {
        (self.area.y..self.area.bottom()).contains(&y)
    }

    /// Reads a row of the canvas.
    pub(super) fn read(&self, pair: &Pair<'_>, y: u32, row: &mut NearRow) {
        row.stretches.clear();
        row.pixels
            .resize(self.area.width as usize + 2, ([0; 4], [0; 4]));
        let (left, right) = (self.area.x.saturating_sub(1), self.area.right() + 1);
        let first = left / WORD_BITS;
        self.find_changes(pair, y, first, &mut row.changed);
        if row.changed.iter().all(|&word| word == 0) {
            return;
        }
        for (columns, rows) in pair.shared_along(y, left..right) {
            let words = columns.start / WORD_BITS..=(columns.end - 1) / WORD_BITS;
            for word in words {
                let near = near_in_word(&row.changed, (word - first) as usize);
                let ignored = (pair.ignored.as_ref()).map_or(0, |mask| mask.row(y)[word as usize]);
                let near = near & !ignored;
                let near = near & span_bits(word, columns.start, columns.end);
                self.read_pixels(near, word * WORD_BITS, &rows, row);
            }
        }
    }

    /// Reads the pixels of a word of a row whose bits are set.
    fn read_pixels(&self, mut near: u32, start: u32, rows: &RowPair<'_>, row: &mut NearRow) {
        let slot = |x: u32| (x + 1 - self.area.x) as usize;
        while near != 0 {
            let from = near.trailing_zeros();
            let length = (near >> from).trailing_ones();
            near &= u32::MAX.checked_shl(from + length).unwrap_or(0);
            let columns = start + from..start + from + length;
            let stretch = slot(columns.start)..slot(columns.end);
            rows.read(columns, &mut row.pixels[stretch.clone()]);
            match row.stretches.last_mut() {
                Some(last) if last.end == stretch.start => last.end = stretch.end,
                _ => row.stretches.push(stretch),
            }
        }
    }

    /// Sets `words` to what changed in a row or in one of its neighbours, from word number `first` of a row on.
    fn find_changes(&self, pair: &Pair<'_>, y: u32, first: u32, words: &mut Vec<u32>) {
        let (left, right) = (self.area.x, self.area.right());
        let last = (right / WORD_BITS).min((pair.size.width - 1) / WORD_BITS);
        words.clear();
        words.resize((last + 1 - first) as usize, 0);
        let rows = y.saturating_sub(1).max(self.area.y)..(y + 2).min(self.area.bottom());
        for y in rows {
            let row = &self.mask.row(y)[first as usize..=last as usize];
            // What one picture lacks is in the mask too, and is near nothing.
            for columns in pair.columns_shared_along(y, left..right) {
                for ((word, changed), index) in words.iter_mut().zip(row).zip(first..) {
                    *word |= changed & span_bits(index, columns.start, columns.end);
                }
            }
        }
    }
}

/// The pixels near changes of one word of a row.
fn near_in_word(changed: &[u32], index: usize) -> u32 {
    let at = |index: Option<usize>| index.and_then(|index| changed.get(index)).unwrap_or(&0);
    let (before, own, after) = (
        at(index.checked_sub(1)),
        changed[index],
        at(index.checked_add(1)),
    );
    own | own << 1 | own >> 1 | before >> (WORD_BITS - 1) | after << (WORD_BITS - 1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::decode::Image;
    use crate::geometry::Size;

    /// A pixel in seven, here and there.
    fn is_changed(seed: u32, x: u32, y: u32) -> bool {
        let mixed = (x * 31 + y * 17 + seed * 101).wrapping_mul(0x9e37_79b9);
        (mixed >> 13).is_multiple_of(7)
    }

    #[test]
    fn what_is_near_changes_is_read_wherever_they_lie() {
        let mut read = 0;
        for (seed, width) in (0..).zip([1, 2, 31, 32, 33, 64, 65, 100]) {
            let size = Size { width, height: 9 };
            let shade = |x: u32, y: u32| u8::try_from(x + y).unwrap();
            let pictures = [0, 100].map(|more| {
                Image::of_greys(size, 3 + seed as usize % 2, |x, y| shade(x, y) + more)
            });
            let pair = Pair::in_place(&pictures);
            let mut mask = BitMask::new(size);
            let all = || (0..9).flat_map(|y| (0..width).map(move |x| (x, y)));
            for (x, y) in all().filter(|&(x, y)| is_changed(seed, x, y)) {
                let dot = Rect {
                    x,
                    y,
                    width: 1,
                    height: 1,
                };
                mask.fill(dot);
            }
            let (left, right) = (width / 4, width - width / 4);
            for area in [
                Rect {
                    x: 0,
                    y: 0,
                    width,
                    height: 9,
                },
                Rect {
                    x: left,
                    y: 2,
                    width: right - left,
                    height: 4,
                },
            ] {
                let near = Near {
                    mask: &mask,
                    area,
                    changed: mask.count_in(area),
                };
                let mut row = NearRow::default();
                for y in near.rows(&pair) {
                    near.read(&pair, y, &mut row);
                    let beside = |x: u32| {
                        let around = (-1..=1).flat_map(|dy| (-1..=1).map(move |dx| (dx, dy)));
                        around.into_iter().any(|(dx, dy)| {
                            let place = x.checked_add_signed(dx).zip(y.checked_add_signed(dy));
                            place.is_some_and(|(x, y)| {
                                let there = Rect {
                                    x,
                                    y,
                                    width: 1,
                                    height: 1,
                                };
                                area.overlaps(there) && mask.get(x, y)
                            })
                        })
                    };
                    let expected: Vec<(usize, Both)> = (area.x.saturating_sub(1)
                        ..(area.right() + 1).min(width))
                        .filter(|&x| beside(x))
                        .map(|x| {
                            let grey = |more: u8| [shade(x, y) + more; 3];
                            let opaque = |[r, g, b]: [u8; 3]| [r, g, b, 255];
                            let at = (x + 1 - area.x) as usize;
                            (at, (opaque(grey(0)), opaque(grey(100))))
                        })
                        .collect();
                    let found: Vec<(usize, Both)> = (row.stretches.iter())
                        .flat_map(|stretch| stretch.clone().map(|at| (at, row.pixels[at])))
                        .collect();
                    assert_eq!(found, expected, "{width} {area:?} {y}");
                    read += found.len();
                    let in_box = expected
                        .iter()
                        .filter(|(at, _)| (1..=area.width as usize).contains(at));
                    assert!(row.in_box().eq(in_box.map(|&(_, both)| both)));
                }
            }
        }
        assert!(read > 1000, "{read}");
    }

    /// However far apart lines of text are, rows of all of their parts are looked at.
    #[test]
    fn some_rows_tell_of_all() {
        let size = Size {
            width: 2,
            height: 4000,
        };
        let pictures = [0, 100].map(|grey| Image::of_greys(size, 3, |_, _| grey));
        let pair = Pair::in_place(&pictures);
        let mask = BitMask::new(size);
        let area = Rect {
            x: 0,
            y: 1,
            width: 2,
            height: 3998,
        };
        for share in [2, 3, 10, 20] {
            let near = Near {
                mask: &mask,
                area,
                changed: share * WHOLE_UP_TO,
            };
            assert_eq!(near.share(), share);
            let rows: Vec<u32> = near.rows(&pair).collect();
            assert!(rows.starts_with(&[0, 1]) && rows.ends_with(&[3998, 3999]));
            let count = rows.len() as u64;
            assert!(
                (4000 / 2..=4000 * 2).contains(&(count * share)),
                "{count} of {share}"
            );
            for pitch in [8, 10, 20, 24, 40] {
                let parts: std::collections::BTreeSet<u32> =
                    rows.iter().map(|y| y % pitch).collect();
                assert_eq!(parts.len(), pitch as usize, "{share}");
            }
        }
    }
}
