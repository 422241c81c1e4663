//! Rows without what looks like the row above. Most of a page is flat: what is left out costs neither bytes nor the time to
//! unpack them, and copying it from the row above is many times faster.
//!
//! A row is cut into cells of [`CELL_PX`] pixels, the last of which may be narrower. Folded rows begin with one bit for each
//! cell of each row but the first, set where the cell is the same as the one above; every row begins with a byte of its own,
//! the lowest bit for the leftmost cell. The bytes of all other cells follow, row by row.

use std::hint::select_unpredictable;
use std::ops::Range;

use crate::tile::TILE;

/// Columns of a cell: narrower ones leave out more, but take longer to put together.
const CELL_PX: usize = TILE as usize;

/// Cells to a byte of bits.
const BITS: usize = u8::BITS as usize;

/// Some rows of so many bytes, and how many bytes a cell of them has.
#[derive(Debug, Clone, Copy)]
pub(super) struct Rows {
    count: usize,
    stride: usize,
    cell: usize,
}

impl Rows {
    /// `count` rows, at least one, of `width` pixels with 3 or 4 channels.
    pub(super) fn new(count: usize, width: usize, channels: usize) -> Self {
        Self {
            count,
            stride: width * channels,
            cell: CELL_PX * channels,
        }
    }

    /// Bytes that they fold to at most, which is also the room that unfolding them takes.
    pub(super) fn most(self) -> usize {
        self.bits() + self.count * self.stride
    }

    /// What the rows fold to.
    pub(super) fn fold(self, rows: &[u8]) -> Vec<u8> {
        if self.cell == CELL_PX * 3 {
            self.fold_cells::<{ CELL_PX * 3 }>(rows)
        } else {
            self.fold_cells::<{ CELL_PX * 4 }>(rows)
        }
    }

    fn fold_cells<const CELL: usize>(self, rows: &[u8]) -> Vec<u8> {
        let mut folded = Vec::with_capacity(self.most());
        folded.resize(self.bits(), 0);
        folded.extend_from_slice(&rows[..self.stride]);
        let pairs = rows.windows(2 * self.stride).step_by(self.stride);
        for (row, pair) in pairs.enumerate() {
            let (above, here) = pair.split_at(self.stride);
            let ((above, last_above), (here, last)) = (above.as_chunks::<CELL>(), here.as_chunks());
            let bits = row * self.bits_of_row();
            for (index, (above, here)) in above.iter().zip(here).enumerate() {
                if above == here {
                    folded[bits + index / BITS] |= 1 << (index % BITS);
                } else {
                    folded.extend_from_slice(here);
                }
            }
            if last.is_empty() {
                continue;
            }
            if last_above == last {
                folded[bits + here.len() / BITS] |= 1 << (here.len() % BITS);
            } else {
                folded.extend_from_slice(last);
            }
        }
        folded
    }

    /// Unfolds where the folded bytes lie: at the end of the room for [`Rows::most`] bytes, from `start` on. The rows
    /// begin where the room begins; `None` when the folded bytes are not as many as their bits say.
    ///
    /// No byte is written over before it is read, for what is still to be read is never more than what is still to be
    /// written.
    pub(super) fn unfold(self, room: &mut [u8], start: usize) -> Option<()> {
        let bits = room.get(start..start + self.bits())?.to_vec();
        let mut from = start + self.bits();
        from = copy(room, from..from + self.stride, 0)?;
        for (row, bits) in (1..).zip(bits.chunks_exact(self.bits_of_row())) {
            from = if self.cell == CELL_PX * 3 {
                self.unfold_row::<{ CELL_PX * 3 }>(room, bits, row * self.stride, from)?
            } else {
                self.unfold_row::<{ CELL_PX * 4 }>(room, bits, row * self.stride, from)?
            };
        }
        (from == room.len()).then_some(())
    }

    /// One row; says where the next one's cells begin.
    #[inline(always)]
    fn unfold_row<const CELL: usize>(
        self,
        room: &mut [u8],
        bits: &[u8],
        row: usize,
        mut from: usize,
    ) -> Option<usize> {
        let above = row - self.stride;
        let whole = self.stride / CELL;
        for (first, &same) in (0..whole).step_by(BITS).zip(bits) {
            let cells = first..whole.min(first + BITS);
            if same == u8::MAX {
                let begin = first * CELL;
                room.copy_within(above + begin..above + cells.end * CELL, row + begin);
                continue;
            }
            for (bit, cell) in cells.enumerate() {
                let is_same = same >> bit & 1 == 1;
                let at = select_unpredictable(is_same, above + cell * CELL, from);
                copy(room, at..at + CELL, row + cell * CELL)?;
                from += select_unpredictable(is_same, 0, CELL);
            }
        }
        let begin = whole * CELL;
        let rest = self.stride - begin;
        if rest > 0 {
            let is_same = bits[whole / BITS] >> (whole % BITS) & 1 == 1;
            let at = if is_same { above + begin } else { from };
            copy(room, at..at + rest, row + begin)?;
            from += if is_same { 0 } else { rest };
        }
        Some(from)
    }

    fn bits(self) -> usize {
        (self.count - 1) * self.bits_of_row()
    }

    fn bits_of_row(self) -> usize {
        self.stride.div_ceil(self.cell).div_ceil(BITS)
    }
}

/// Copies some bytes to an earlier or later place; says where they end, `None` when that is beyond the room.
#[inline(always)]
fn copy(room: &mut [u8], from: Range<usize>, to: usize) -> Option<usize> {
    if from.end > room.len() {
        return None;
    }
    let end = from.end;
    room.copy_within(from, to);
    Some(end)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use proptest::sample::Index;

    use super::*;

    /// Rows that are the ones above but for a few bytes.
    fn any_rows() -> impl Strategy<Value = (Rows, Vec<u8>)> {
        let shape = (1..70_usize, 1..300_usize, 3..=4_usize);
        let edits = proptest::collection::vec((any::<Index>(), any::<Index>(), 0..4_u8), 0..150);
        (shape, edits).prop_map(|((count, width, channels), edits)| {
            let stride = width * channels;
            let mut rows = vec![0; count * stride];
            for row in 0..count {
                let here = row * stride..(row + 1) * stride;
                if row > 0 {
                    rows.copy_within(here.start - stride..here.start, here.start);
                }
                for (_, column, value) in edits.iter().filter(|edit| edit.0.index(count) == row) {
                    rows[here.start + column.index(stride)] = *value;
                }
            }
            (Rows::new(count, width, channels), rows)
        })
    }

    fn unfolded(rows: Rows, folded: &[u8]) -> Option<Vec<u8>> {
        let mut room = vec![0xAA; rows.most()];
        let start = rows.most().checked_sub(folded.len())?;
        room[start..].copy_from_slice(folded);
        rows.unfold(&mut room, start)?;
        room.truncate(rows.count * rows.stride);
        Some(room)
    }

    proptest! {
        #[test]
        fn what_is_folded_unfolds_to_the_same((rows, bytes) in any_rows()) {
            let folded = rows.fold(&bytes);
            prop_assert!(folded.len() <= rows.most());
            prop_assert_eq!(unfolded(rows, &folded), Some(bytes));
        }

        #[test]
        fn what_is_too_short_or_too_long_is_refused((rows, bytes) in any_rows()) {
            let folded = rows.fold(&bytes);
            prop_assert_eq!(unfolded(rows, &folded[..folded.len() - 1]), None);
            let longer = [&folded[..], &[0]].concat();
            prop_assert_eq!(unfolded(rows, &longer), None);
        }
    }

    #[test]
    fn flat_rows_fold_to_one_row_and_bits() {
        let rows = Rows::new(64, 1280, 3);
        let flat = vec![7; 64 * 1280 * 3];
        assert_eq!(rows.fold(&flat).len(), 1280 * 3 + 63 * 10);
    }

    #[test]
    fn rows_without_likeness_grow_by_their_bits() {
        let rows = Rows::new(3, 20, 4);
        let bytes: Vec<u8> = (0..240).collect();
        assert_eq!(rows.fold(&bytes).len(), rows.most());
        assert_eq!(unfolded(rows, &rows.fold(&bytes)), Some(bytes));
    }
}
