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

/// What a cell is. The narrow one at the end of a row is [`ABOVE`] or [`ANYTHING`].
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
    /// begin where the room begins; `None`, and a room of no use, when the folded bytes are not as many as their kinds say,
    /// or a kind stands where it cannot.
    pub(super) fn unfold(self, room: &mut [u8], start: usize) -> Option<()> {
        #[cfg(target_arch = "x86_64")]
        if self.cell == OPAQUE
            && let Some(simd) = pulp::x86::V3::try_new()
        {
            return self.unfold_rows(room, start, |row, room, kinds| {
                simd.vectorize(x86::Unfold {
                    simd,
                    row,
                    room,
                    kinds,
                })
            });
        }
        self.unfold_portably(room, start)
    }

    /// The same without the instructions of a processor.
    fn unfold_portably(self, room: &mut [u8], start: usize) -> Option<()> {
        match self.cell {
            OPAQUE => self.unfold_rows(room, start, Row::unfold::<OPAQUE>),
            _ => self.unfold_rows(room, start, Row::unfold::<{ CELL_PX * 4 }>),
        }
    }

    /// Unfolds by what unfolds the whole cells of a row.
    ///
    /// No byte is written over before it is read: a cell takes no more bytes than it makes, so what is still to be read is
    /// never more than what is still to be written, as long as none is left in the end. When some are, all is refused.
    fn unfold_rows(
        self,
        room: &mut [u8],
        start: usize,
        whole_cells: impl Fn(Row, &mut [u8], &[[u8; 2]]) -> Option<usize>,
    ) -> Option<()> {
        let kinds = room.get(start..start + self.kinds())?.to_vec();
        let mut from = start + self.kinds();
        from = copy(room, from..from + self.stride, 0)?;
        for (row, kinds) in (1..).zip(kinds.chunks_exact(self.kinds_of_row())) {
            let (kinds, _) = kinds.as_chunks();
            let row = Row {
                begin: row * self.stride,
                stride: self.stride,
                whole: self.stride / self.cell,
                from,
            };
            if !row.can_be(kinds, self.cell) {
                return None;
            }
            from = whole_cells(row, room, kinds)?;
            from = row.unfold_rest(room, kinds, self.cell, from)?;
        }
        (from == room.len()).then_some(())
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
    /// Where the next bytes of a cell are read.
    from: usize,
}

impl Row {
    /// Whether no cell is that to its left where there is none, and nothing is said of cells beyond the last.
    fn can_be(self, kinds: &[[u8; 2]], cell: usize) -> bool {
        let [Some(first), Some(last)] = [kinds.first(), kinds.last()].map(Option::<&_>::copied)
        else {
            return false;
        };
        let cells = self.stride.div_ceil(cell);
        let beyond = u32::from(u16::from_le_bytes(last)) >> ((cells - 1) % TOGETHER * 2 + 2);
        u16::from_le_bytes(first) & 3 != LEFT && beyond == 0
    }

    /// Its whole cells; says where what is behind them is read.
    fn unfold<const CELL: usize>(self, room: &mut [u8], kinds: &[[u8; 2]]) -> Option<usize> {
        self.unfold_by::<CELL>(room, kinds, Self::unfold_cell::<CELL>)
    }

    /// The same by what puts one cell where it belongs and goes on to the next.
    #[inline(always)]
    fn unfold_by<const CELL: usize>(
        mut self,
        room: &mut [u8],
        kinds: &[[u8; 2]],
        unfold_cell: impl Fn(&mut Self, &mut [u8], u16, usize) -> Option<()>,
    ) -> Option<usize> {
        for (first, kinds) in (0..self.whole).step_by(TOGETHER).zip(kinds) {
            let mut kinds = u16::from_le_bytes(*kinds);
            let cells = first..self.whole.min(first + TOGETHER);
            let (begin, end) = (
                self.begin + cells.start * CELL,
                self.begin + cells.end * CELL,
            );
            // Most are those above.
            if kinds == 0 {
                room.copy_within(begin - self.stride..end - self.stride, begin);
                continue;
            }
            for to in (begin..end).step_by(CELL) {
                unfold_cell(&mut self, room, kinds & 3, to)?;
                kinds >>= 2;
            }
        }
        Some(self.from)
    }

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

    /// The narrow cell at the end, if there is one; says where the next row's cells are read.
    fn unfold_rest(
        self,
        room: &mut [u8],
        kinds: &[[u8; 2]],
        cell: usize,
        from: usize,
    ) -> Option<usize> {
        let rest = self.stride - self.whole * cell;
        if rest == 0 {
            return Some(from);
        }
        let to = self.begin + self.whole * cell;
        match u16::from_le_bytes(kinds[self.whole / TOGETHER]) >> (self.whole % TOGETHER * 2) & 3 {
            ABOVE => {
                let above = to - self.stride;
                copy(room, above..above + rest, to)?;
                Some(from)
            }
            ANYTHING => copy(room, from..from + rest, to),
            _ => None,
        }
    }
}

/// Whether all pixels of three channels are grey.
fn is_grey(pixels: &[u8]) -> bool {
    let (pixels, _) = pixels.as_chunks();
    pixels.iter().all(|&[r, g, b]| r == g && g == b)
}

/// Copies some bytes to an earlier or later place; says where those that were copied end, `None` when that is beyond the room.
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
mod tests;
