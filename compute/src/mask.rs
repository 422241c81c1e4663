//! One bit a pixel: which pixels changed, and which are left out.

mod png;

use std::ops::Range;

use pulp::{Arch, Simd, WithSimd};

use crate::decode::pixel_count;
use crate::geometry::{Rect, Size};
use crate::pool::Recycled;

/// Pixels in one word of a mask; every row begins a new word.
pub(crate) const WORD_BITS: u32 = 32;

/// A bit for every pixel of a page; a set bit means "changed".
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BitMask {
    size: Size,
    /// Row-major, `words_per_row` a row, the leftmost pixel in the lowest bit; bits beyond the
    /// width are 0.
    words: Recycled<u32>,
}

impl BitMask {
    /// A mask with no bit set.
    pub fn new(size: Size) -> Self {
        let words = words_per_row(size.width) * size.height as usize;
        Self {
            size,
            words: Recycled::filled(0, words),
        }
    }

    /// Width and height in pixels.
    pub fn size(&self) -> Size {
        self.size
    }

    /// Number of set bits.
    pub fn count(&self) -> u64 {
        Arch::new().dispatch(Count(&self.words))
    }

    /// Whether the pixel's bit is set; `false` outside the page.
    pub fn get(&self, x: u32, y: u32) -> bool {
        if x >= self.size.width || y >= self.size.height {
            return false;
        }
        self.row(y)[(x / WORD_BITS) as usize] >> (x % WORD_BITS) & 1 == 1
    }

    /// Set bits in each cell of a grid of `columns` × `rows` over `area`, row by row; cells are as alike in size as whole
    /// pixels allow. What of `area` lies outside the page counts as not set. It costs a step a word, not a step a pixel.
    ///
    /// # Panics
    /// When the grid has no column or no row.
    pub fn density(&self, area: Rect, columns: u32, rows: u32) -> Vec<u32> {
        assert!(columns > 0 && rows > 0, "a grid has cells");
        let edge = |start: u32, extent: u32, part: u32, parts: u32| {
            let offset = u64::from(extent) * u64::from(part) / u64::from(parts);
            start.saturating_add(u32::try_from(offset).expect("an offset within the extent"))
        };
        let mut cells = Vec::with_capacity((columns * rows) as usize);
        for row in 0..rows {
            let top = edge(area.y, area.height, row, rows);
            let bottom = edge(area.y, area.height, row + 1, rows).min(self.size.height);
            for column in 0..columns {
                let left = edge(area.x, area.width, column, columns);
                let right = edge(area.x, area.width, column + 1, columns).min(self.size.width);
                let counts = (top..bottom).map(|y| count_within(self.row(y), left, right));
                cells.push(counts.sum());
            }
        }
        cells
    }

    /// The words of one row; `y` must lie on the page.
    pub(crate) fn row(&self, y: u32) -> &[u32] {
        let stride = words_per_row(self.size.width);
        &self.words[y as usize * stride..][..stride]
    }

    /// All words, row after row.
    pub(crate) fn words(&self) -> &[u32] {
        &self.words
    }

    /// All words, row after row; bits beyond the width must stay 0.
    pub(crate) fn words_mut(&mut self) -> &mut [u32] {
        &mut self.words
    }

    /// Sets every bit of the part of `area` that lies on the page.
    pub(crate) fn fill(&mut self, area: Rect) {
        let stride = words_per_row(self.size.width);
        let (left, right) = (
            area.x.min(self.size.width),
            area.right().min(self.size.width),
        );
        let (top, bottom) = (
            area.y.min(self.size.height),
            area.bottom().min(self.size.height),
        );
        if left >= right {
            return;
        }
        for y in top..bottom {
            let row = &mut self.words[y as usize * stride..][..stride];
            for word in left / WORD_BITS..=(right - 1) / WORD_BITS {
                row[word as usize] |= span_bits(word, left, right);
            }
        }
    }

    /// Clears every bit that is set in another mask of the same size.
    pub(crate) fn remove(&mut self, other: &Self) {
        for (word, other) in self.words.iter_mut().zip(&*other.words) {
            *word &= !other;
        }
    }

    /// Sets the bits of row `y` within `columns` that are set in `words`, a row of this or another mask.
    pub(crate) fn add_row(&mut self, y: u32, words: &[u32], columns: Range<u32>) {
        let (left, right) = (columns.start, columns.end.min(self.size.width));
        let stride = words_per_row(self.size.width);
        let row = &mut self.words[y as usize * stride..][..stride];
        for (index, (word, other)) in (0..).zip(row.iter_mut().zip(words)) {
            *word |= other & span_bits(index, left, right);
        }
    }

    /// Sets every bit of another mask of the same size.
    pub(crate) fn add(&mut self, other: &Self) {
        for (word, other) in self.words.iter_mut().zip(&*other.words) {
            *word |= other;
        }
    }

    /// Sets every bit beside, above, below or diagonally next to a set one.
    pub(crate) fn grow(&mut self) {
        let stride = words_per_row(self.size.width);
        if stride == 0 {
            return;
        }
        let width = self.size.width;
        for row in self.words.chunks_exact_mut(stride) {
            let mut before = 0;
            for index in 0..stride {
                let word = row[index];
                let after = row.get(index + 1).copied().unwrap_or(0);
                let spread =
                    word << 1 | word >> 1 | before >> (WORD_BITS - 1) | after << (WORD_BITS - 1);
                let at = u32::try_from(index).expect("a page is not that wide");
                row[index] |= spread & span_bits(at, 0, width);
                before = word;
            }
        }
        let across = self.words.clone();
        for (index, word) in self.words.iter_mut().enumerate() {
            let above = index.checked_sub(stride).map_or(0, |index| across[index]);
            *word |= above | across.get(index + stride).copied().unwrap_or(0);
        }
    }

    /// Number of set bits in the part of `area` that lies on the page.
    pub(crate) fn count_in(&self, area: Rect) -> u64 {
        let (left, right) = (
            area.x.min(self.size.width),
            area.right().min(self.size.width),
        );
        let (top, bottom) = (
            area.y.min(self.size.height),
            area.bottom().min(self.size.height),
        );
        if left >= right {
            return 0;
        }
        let words = left / WORD_BITS..=(right - 1) / WORD_BITS;
        (top..bottom)
            .flat_map(|y| words.clone().map(move |word| (y, word)))
            .map(|(y, word)| self.row(y)[word as usize] & span_bits(word, left, right))
            .map(|bits| u64::from(bits.count_ones()))
            .sum()
    }
}

/// Counts set bits in whatever vectors the processor has.
struct Count<'m>(&'m [u32]);

impl WithSimd for Count<'_> {
    type Output = u64;

    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) -> u64 {
        (self.0.iter())
            .map(|word| u64::from(word.count_ones()))
            .sum()
    }
}

/// Set bits of a row from `left` up to `right`.
fn count_within(row: &[u32], left: u32, right: u32) -> u32 {
    if left >= right {
        return 0;
    }
    let (first, last) = (left / WORD_BITS, (right - 1) / WORD_BITS);
    (first..=last)
        .map(|word| (row[word as usize] & span_bits(word, left, right)).count_ones())
        .sum()
}

/// Words in one row of a mask.
pub(crate) fn words_per_row(width: u32) -> usize {
    width.div_ceil(WORD_BITS) as usize
}

/// Which bits of the row's word number `word` lie in the columns `left..right`.
pub(crate) fn span_bits(word: u32, left: u32, right: u32) -> u32 {
    let start = word * WORD_BITS;
    let from = left.saturating_sub(start);
    let until = right.saturating_sub(start).min(WORD_BITS);
    if from >= until {
        return 0;
    }
    (u32::MAX >> (WORD_BITS - (until - from))) << from
}

/// The pixels that all of `areas` cover, or `None` when they cover nothing of the page.
pub(crate) fn union_of(size: Size, areas: impl Iterator<Item = Rect>) -> Option<BitMask> {
    let mut areas = areas.peekable();
    if areas.peek().is_none() || pixel_count(size) == 0 {
        return None;
    }
    let mut mask = BitMask::new(size);
    for area in areas {
        mask.fill(area);
    }
    (mask.count() > 0).then_some(mask)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mask_grows_by_a_pixel_to_every_side_and_never_off_the_page() {
        let size = Size {
            width: 70,
            height: 9,
        };
        for (x, y) in [(0, 0), (31, 4), (32, 4), (69, 8), (64, 0)] {
            let mut mask = BitMask::new(size);
            mask.fill(Rect {
                x,
                y,
                width: 1,
                height: 1,
            });
            mask.grow();
            for (column, row) in (0..9).flat_map(|row| (0..70).map(move |column| (column, row))) {
                let is_near = x.abs_diff(column) <= 1 && y.abs_diff(row) <= 1;
                assert_eq!(mask.get(column, row), is_near, "{column},{row} of {x},{y}");
            }
            let on_page = |at: u32, extent: u32| {
                u64::from(at.saturating_sub(1).abs_diff((at + 2).min(extent)))
            };
            assert_eq!(mask.count(), on_page(x, 70) * on_page(y, 9));
        }
    }

    #[test]
    fn the_density_of_a_grid_counts_every_pixel_of_its_area_once() {
        let size = Size {
            width: 77,
            height: 40,
        };
        let mut mask = BitMask::new(size);
        for (word, bits) in mask
            .words
            .iter_mut()
            .zip((0_u32..).map(|n| n.wrapping_mul(0x9e37_79b9)))
        {
            *word = bits;
        }
        let stride = words_per_row(size.width);
        for row in mask.words.chunks_exact_mut(stride) {
            row[stride - 1] &= (1 << (size.width % WORD_BITS)) - 1;
        }
        for area in [
            (0, 0, 77, 40),
            (5, 3, 64, 31),
            (31, 0, 2, 40),
            (60, 30, 50, 50),
        ] {
            let (x, y, width, height) = area;
            let cells = mask.density(
                Rect {
                    x,
                    y,
                    width,
                    height,
                },
                4,
                3,
            );
            let pixels = (y..y + height).flat_map(|y| (x..x + width).map(move |x| (x, y)));
            let set = pixels.filter(|(x, y)| mask.get(*x, *y)).count();
            assert_eq!(cells.len(), 12);
            assert_eq!(
                cells.iter().map(|cell| *cell as usize).sum::<usize>(),
                set,
                "{area:?}"
            );
        }
        let corner = mask.density(
            Rect {
                x: 0,
                y: 0,
                width: 2,
                height: 1,
            },
            2,
            1,
        );
        assert_eq!(
            corner,
            [u32::from(mask.get(0, 0)), u32::from(mask.get(1, 0))]
        );
    }
}
