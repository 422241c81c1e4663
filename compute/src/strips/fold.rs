//! Rows without what looks like its neighbours. Most of a page is flat or repeats itself, and most of the rest is grey: what is
//! left out costs neither bytes nor the time to unpack them, and putting it back is many times faster.
//!
//! A row is cut into cells of [`CELL_PX`] pixels, the last of which may be narrower. Folded rows begin with what each cell of
//! each row but the first is, in two bits: the same as the one above, the same as the one to its left, grey, or anything.
//! Eight cells make a number of two bytes, the lowest bits for the leftmost; every row begins a number of its own. The first
//! row follows as it is, then the bytes of the other rows' cells: none of those that are the same as another, one for each
//! pixel of a grey one, all of the others.

#[cfg(target_arch = "x86_64")]
mod x86;

use std::ops::Range;

use crate::tile::TILE;

/// Columns of a cell: narrower ones leave out more, but take longer to put together.
const CELL_PX: usize = TILE as usize;

/// Bytes of a cell without transparency.
const OPAQUE: usize = CELL_PX * 3;

/// What a cell is. The narrow one at the end of a row is one of the first or the last.
const ABOVE: u16 = 0;
const LEFT: u16 = 1;
/// Only of pixels without transparency.
const GREY: u16 = 2;
const ANYTHING: u16 = 3;

/// Cells to a number that says what they are.
const TOGETHER: usize = u16::BITS as usize / 2;

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
        self.kinds() + self.count * self.stride
    }

    /// What the rows fold to.
    pub(super) fn fold(self, rows: &[u8]) -> Vec<u8> {
        let mut folded = Vec::with_capacity(self.most());
        folded.resize(self.kinds(), 0);
        folded.extend_from_slice(&rows[..self.stride]);
        let pairs = rows.windows(2 * self.stride).step_by(self.stride);
        for (row, pair) in pairs.enumerate() {
            let (above, here) = pair.split_at(self.stride);
            let mut left: &[u8] = &[];
            let cells = above.chunks(self.cell).zip(here.chunks(self.cell));
            for (index, (above, here)) in cells.enumerate() {
                let kind = if above == here {
                    ABOVE
                } else if left == here {
                    LEFT
                } else if self.cell == OPAQUE && here.len() == OPAQUE && is_grey(here) {
                    GREY
                } else {
                    ANYTHING
                };
                match kind {
                    GREY => folded.extend(here.iter().step_by(3)),
                    ANYTHING => folded.extend_from_slice(here),
                    _ => {}
                }
                let at = row * self.kinds_of_row() + index / TOGETHER * 2;
                let kinds = u16::from_le_bytes([folded[at], folded[at + 1]])
                    | kind << (index % TOGETHER * 2);
                folded[at..at + 2].copy_from_slice(&kinds.to_le_bytes());
                left = here;
            }
        }
        folded
    }

    /// Unfolds where the folded bytes lie: at the end of the room for [`Rows::most`] bytes, from `start` on. The rows
    /// begin where the room begins; `None` when the folded bytes are not as many as their kinds say, or a kind is not allowed.
    ///
    /// No byte is written over before it is read, for what is still to be read is never more than what is still to be
    /// written.
    pub(super) fn unfold(self, room: &mut [u8], start: usize) -> Option<()> {
        let kinds = room.get(start..start + self.kinds())?.to_vec();
        let mut from = start + self.kinds();
        from = copy(room, from..from + self.stride, 0)?;
        for (row, kinds) in (1..).zip(kinds.chunks_exact(self.kinds_of_row())) {
            let (kinds, _) = kinds.as_chunks();
            from = self.unfold_row(room, kinds, row * self.stride, from)?;
        }
        (from == room.len()).then_some(())
    }

    /// One row; says where the next one's cells begin.
    fn unfold_row(
        self,
        room: &mut [u8],
        kinds: &[[u8; 2]],
        row: usize,
        from: usize,
    ) -> Option<usize> {
        let row = Row {
            begin: row,
            stride: self.stride,
            whole: self.stride / self.cell,
            from,
        };
        let from = match self.cell {
            OPAQUE => row.unfold_opaque(room, kinds)?,
            _ => row.unfold::<{ CELL_PX * 4 }>(room, kinds)?,
        };
        let begin = row.whole * self.cell;
        let rest = self.stride - begin;
        if rest == 0 {
            return Some(from);
        }
        let to = row.begin + begin;
        match u16::from_le_bytes(kinds[row.whole / TOGETHER]) >> (row.whole % TOGETHER * 2) & 3 {
            ABOVE => {
                let above = to - self.stride;
                copy(room, above..above + rest, to)?;
                Some(from)
            }
            ANYTHING => copy(room, from..from + rest, to),
            _ => None,
        }
    }

    fn kinds(self) -> usize {
        (self.count - 1) * self.kinds_of_row()
    }

    fn kinds_of_row(self) -> usize {
        self.stride.div_ceil(self.cell).div_ceil(TOGETHER) * 2
    }
}

/// A row that is being unfolded.
#[derive(Clone, Copy)]
struct Row {
    begin: usize,
    stride: usize,
    /// Cells that are not narrower than others.
    whole: usize,
    /// Where the bytes of its cells begin.
    from: usize,
}

impl Row {
    fn unfold_opaque(self, room: &mut [u8], kinds: &[[u8; 2]]) -> Option<usize> {
        #[cfg(target_arch = "x86_64")]
        if let Some(simd) = pulp::x86::V3::try_new() {
            return simd.vectorize(x86::Unfold {
                simd,
                row: self,
                room,
                kinds,
            });
        }
        self.unfold::<OPAQUE>(room, kinds)
    }

    /// Its whole cells; says where those behind them begin.
    fn unfold<const CELL: usize>(mut self, room: &mut [u8], kinds: &[[u8; 2]]) -> Option<usize> {
        for (first, kinds) in (0..self.whole).step_by(TOGETHER).zip(kinds) {
            let mut kinds = u16::from_le_bytes(*kinds);
            for cell in first..self.whole.min(first + TOGETHER) {
                self.unfold_cell::<CELL>(room, kinds & 3, self.begin + cell * CELL)?;
                kinds >>= 2;
            }
        }
        Some(self.from)
    }

    /// Puts one cell where it belongs, and goes on to the next.
    fn unfold_cell<const CELL: usize>(
        &mut self,
        room: &mut [u8],
        kind: u16,
        to: usize,
    ) -> Option<()> {
        let back = match kind {
            ABOVE => self.stride,
            LEFT => CELL,
            GREY if CELL == OPAQUE => {
                let greys = *room.get(self.from..)?.first_chunk::<CELL_PX>()?;
                let pixels = room.get_mut(to..to + CELL)?.chunks_exact_mut(3);
                for (pixel, grey) in pixels.zip(greys) {
                    pixel.fill(grey);
                }
                self.from += CELL_PX;
                return Some(());
            }
            ANYTHING => {
                self.from = copy(room, self.from..self.from + CELL, to)?;
                return Some(());
            }
            _ => return None,
        };
        copy(room, to - back..to - back + CELL, to)?;
        Some(())
    }
}

/// Whether all pixels of three channels are grey.
fn is_grey(pixels: &[u8]) -> bool {
    let (pixels, _) = pixels.as_chunks();
    pixels.iter().all(|&[r, g, b]| r == g && g == b)
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

    /// Rows that are the ones above but for a few bytes and a few runs of grey.
    fn any_rows() -> impl Strategy<Value = (Rows, Vec<u8>)> {
        let shape = (1..70_usize, 1..300_usize, 3..=4_usize);
        let edits = proptest::collection::vec((any::<Index>(), any::<Index>(), 0..4_u8), 0..150);
        let greys = proptest::collection::vec(
            (any::<Index>(), any::<Index>(), 1..60_usize, any::<bool>()),
            0..60,
        );
        (shape, edits, greys).prop_map(|((count, width, channels), edits, greys)| {
            let stride = width * channels;
            let mut rows = vec![0; count * stride];
            for row in 0..count {
                let here = row * stride..(row + 1) * stride;
                if row > 0 {
                    rows.copy_within(here.start - stride..here.start, here.start);
                }
                for (_, column, length, is_flat) in
                    greys.iter().filter(|run| run.0.index(count) == row)
                {
                    let pixels = rows[here.clone()].chunks_exact_mut(channels);
                    for (x, pixel) in pixels.enumerate().skip(column.index(width)).take(*length) {
                        let grey = if *is_flat { 99 } else { x * 37 % 251 };
                        pixel.fill(u8::try_from(grey).unwrap());
                    }
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
        fn vectors_unfold_to_the_same((rows, bytes) in any_rows(), edits in proptest::collection::vec((any::<Index>(), any::<u8>()), 0..9)) {
            prop_assume!(rows.cell == OPAQUE && rows.count > 1);
            let mut folded = rows.fold(&bytes);
            let kinds = rows.kinds();
            for (at, value) in edits {
                folded[at.index(kinds)] = value;
            }
            let room = || {
                let mut room = vec![0xAA; rows.most()];
                room[rows.most() - folded.len()..].copy_from_slice(&folded);
                room
            };
            let row = Row {
                begin: rows.stride,
                stride: rows.stride,
                whole: rows.stride / rows.cell,
                from: rows.most() - folded.len() + kinds + rows.stride,
            };
            let (kinds, _) = folded[..rows.kinds_of_row()].as_chunks();
            let (mut one, mut other) = (room(), room());
            let by_one = row.unfold::<OPAQUE>(&mut one, kinds);
            prop_assert_eq!(by_one, row.unfold_opaque(&mut other, kinds));
            if by_one.is_some() {
                prop_assert_eq!(one, other);
            }
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
        assert_eq!(rows.fold(&flat).len(), 1280 * 3 + 63 * 20);
    }

    #[test]
    fn greys_and_repetitions_are_left_out() {
        let (width, cells) = (1280 + 5, 80);
        let rows = Rows::new(2, width, 3);
        let folded = |second: &dyn Fn(usize) -> [u8; 3]| {
            let pixels = (0..width)
                .flat_map(|_| [1; 3])
                .chain((0..width).flat_map(second));
            rows.fold(&pixels.collect::<Vec<u8>>()).len() - rows.kinds() - width * 3
        };
        let grey = |x: usize| [u8::try_from(x % 250).unwrap() + 2; 3];
        assert_eq!(folded(&grey), cells * 16 + 5 * 3);
        assert_eq!(
            folded(&|x| [u8::try_from(x % 16).unwrap(), 9, 8]),
            48 + 5 * 3
        );
        assert_eq!(
            folded(&|x| [u8::try_from(x % 200).unwrap(), 9, 8]),
            width * 3
        );
    }

    #[test]
    fn kinds_that_a_row_cannot_have_are_refused() {
        for (channels, kind) in [(3, LEFT), (3, GREY), (4, LEFT), (4, GREY)] {
            // The narrow cell at the end.
            let rows = Rows::new(2, 5, channels);
            let mut folded = rows.fold(&(0..200).take(10 * channels).collect::<Vec<u8>>());
            folded[0] = u8::try_from(kind).unwrap();
            folded.truncate(rows.kinds() + 5 * channels);
            assert_eq!(unfolded(rows, &folded), None, "{channels} {kind}");
        }
        let rows = Rows::new(2, 16, 4);
        let mut folded = rows.fold(&(0..128).collect::<Vec<u8>>());
        folded[0] = u8::try_from(GREY).unwrap();
        folded.truncate(rows.kinds() + 64 + 16);
        assert_eq!(unfolded(rows, &folded), None);
    }

    #[test]
    fn rows_without_likeness_grow_by_their_bits() {
        let rows = Rows::new(3, 20, 4);
        let bytes: Vec<u8> = (0..240).collect();
        assert_eq!(rows.fold(&bytes).len(), rows.most());
        assert_eq!(unfolded(rows, &rows.fold(&bytes)), Some(bytes));
    }
}
