//! What lies where a region changed, and right beside it: all that tells what became of it.

use std::ops::Range;

use crate::geometry::Rect;
use crate::mask::{BitMask, WORD_BITS, span_bits};
use crate::pair::{Both, Pair, RowPair};

/// Pixels of a box from which on some of its rows are passed over.
const MAX_PIXELS: u64 = 1 << 18;

/// The changed pixels of a region, and those beside, above, below and diagonally next to one. The others in its box are the same
/// in both pictures, and may be anything.
#[derive(Clone, Copy)]
pub(super) struct Near<'n> {
    pub(super) pair: &'n Pair<'n>,
    /// What changed, or is in one picture alone.
    pub(super) mask: &'n BitMask,
    pub(super) area: Rect,
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
    /// The rows of the box, and one more above it and below it: all, or of a larger box as many as hold [`MAX_PIXELS`], two and
    /// two next to each other all over it.
    pub(super) fn rows(&self) -> impl Iterator<Item = u32> {
        let first = self.area.y.saturating_sub(1);
        let until = (self.area.bottom() + 1).min(self.pair.size.height);
        let share = self.area.size().pixels().div_ceil(MAX_PIXELS).max(1);
        (first..until).filter(move |y| u64::from(y - first) % (2 * share) < 2)
    }

    /// Whether a row is one of the box's.
    pub(super) fn is_in_box(&self, y: u32) -> bool {
        (self.area.y..self.area.bottom()).contains(&y)
    }

    /// Reads a row of the canvas.
    pub(super) fn read(&self, y: u32, row: &mut NearRow) {
        row.stretches.clear();
        row.pixels
            .resize(self.area.width as usize + 2, ([0; 4], [0; 4]));
        if y >= self.pair.size.height {
            return;
        }
        let (left, right) = (self.area.x.saturating_sub(1), self.area.right() + 1);
        let first = left / WORD_BITS;
        self.find_changes(y, first, &mut row.changed);
        if row.changed.iter().all(|&word| word == 0) {
            return;
        }
        for (columns, rows) in self.pair.shared_along(y, left..right) {
            let words = columns.start / WORD_BITS..=(columns.end - 1) / WORD_BITS;
            for word in words {
                let near = self.near(&row.changed, (word - first) as usize, y, word);
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
    fn find_changes(&self, y: u32, first: u32, words: &mut Vec<u32>) {
        let (left, right) = (self.area.x, self.area.right());
        let last = (right / WORD_BITS).min((self.pair.size.width - 1) / WORD_BITS);
        words.clear();
        words.resize((last + 1 - first) as usize, 0);
        let rows = y.saturating_sub(1).max(self.area.y)..(y + 2).min(self.area.bottom());
        for y in rows {
            let row = &self.mask.row(y)[first as usize..=last as usize];
            // What one picture lacks is in the mask too, and is near nothing.
            for columns in self.pair.columns_shared_along(y, left..right) {
                for ((word, changed), index) in words.iter_mut().zip(row).zip(first..) {
                    *word |= changed & span_bits(index, columns.start, columns.end);
                }
            }
        }
    }

    /// The pixels near changes of one word of a row that are not left out.
    fn near(&self, changed: &[u32], index: usize, y: u32, word: u32) -> u32 {
        let at = |index: Option<usize>| index.and_then(|index| changed.get(index)).unwrap_or(&0);
        let (before, own, after) = (
            at(index.checked_sub(1)),
            changed[index],
            at(index.checked_add(1)),
        );
        let near = own | own << 1 | own >> 1 | before >> (WORD_BITS - 1) | after << (WORD_BITS - 1);
        near & !(self.pair.ignored.as_ref()).map_or(0, |mask| mask.row(y)[word as usize])
    }
}
