//! Rows without what looks like its neighbours. Most of a page is flat or repeats itself, and most of the rest is grey: what is
//! left out costs neither bytes nor the time to unpack them, and putting it back is many times faster.
//!
//! A row is cut into cells of [`CELL_PX`] pixels, the last of which may be narrower. Folded rows begin with what each cell of
//! each row but the first is, in four bits: the same as the one above, the same as the one to its left, grey, anything, or
//! nearly the one above, as along a gradient. Eight cells make a number of four bytes, the lowest bits for the leftmost; every
//! row begins a number of its own. Two bits for each byte of the cells that are nearly those above follow: one more, one less.
//! Then come the first row as it is, and the bytes of the other rows' cells: none of those that come of another one, one for
//! each pixel of a grey one, all of the others.

#[cfg(target_arch = "x86_64")]
mod x86;

use std::ops::Range;

use crate::tile::TILE;

/// Columns of a cell: narrower ones leave out more, but take longer to put together.
const CELL_PX: usize = TILE as usize;

/// Bytes of a cell without transparency.
const OPAQUE: usize = CELL_PX * 3;

/// What a cell is. The narrow one at the end of a row is [`ABOVE`] or [`ANYTHING`].
const ABOVE: u32 = 0;
const LEFT: u32 = 1;
/// Only of pixels without transparency.
const GREY: u32 = 2;
const ANYTHING: u32 = 3;
/// No byte is further than one from the one above, where 0 comes after 255; only of pixels without transparency.
const NEAR: u32 = 4;

/// Bits that say what a cell is, and which of them they are.
const KIND_BITS: usize = 4;
const KIND: u32 = (1 << KIND_BITS) - 1;

/// Cells to a number that says what they are, and its bytes.
const TOGETHER: usize = u32::BITS as usize / KIND_BITS;
const KINDS_BYTES: usize = size_of::<u32>();

/// The lowest bit of each kind of a number, and the one that only [`NEAR`] has.
const ONES: u32 = u32::MAX / KIND;
const NEARS: u32 = ONES * NEAR;

/// Steps to a byte, and bytes of those of a cell.
const STEPS_TOGETHER: usize = 4;
const STEPS: usize = OPAQUE / STEPS_TOGETHER;

/// A step is a sum of these: the byte is one more or one less than the one above.
const MORE: u8 = 1;
const LESS: u8 = 2;

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
        let mut kinds = vec![0; self.kinds()];
        let (mut steps, mut bytes) = (Vec::new(), Vec::with_capacity(self.count * self.stride));
        bytes.extend_from_slice(&rows[..self.stride]);
        let pairs = rows.windows(2 * self.stride).step_by(self.stride);
        for (row, pair) in pairs.enumerate() {
            let (above, here) = pair.split_at(self.stride);
            let kinds = &mut kinds[row * self.kinds_of_row()..];
            let mut left: &[u8] = &[];
            let cells = above.chunks(self.cell).zip(here.chunks(self.cell));
            for (index, (above, here)) in cells.enumerate() {
                let opaque = self.cell == OPAQUE && here.len() == OPAQUE;
                let kind = if above == here {
                    ABOVE
                } else if left == here {
                    LEFT
                } else if opaque && is_near(above, here) {
                    NEAR
                } else if opaque && is_grey(here) {
                    GREY
                } else {
                    ANYTHING
                };
                match kind {
                    NEAR => steps.extend(steps_between(above, here)),
                    GREY => bytes.extend(here.iter().step_by(3)),
                    ANYTHING => bytes.extend_from_slice(here),
                    _ => {}
                }
                // Two cells to a byte.
                kinds[index / 2] |= kind.to_le_bytes()[0] << (index % 2 * KIND_BITS);
                left = here;
            }
        }
        [kinds, steps, bytes].concat()
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
            OPAQUE => self.unfold_rows(room, start, |row, room, kinds| {
                row.unfold::<OPAQUE>(room, kinds)
            }),
            _ => self.unfold_rows(room, start, |row, room, kinds| {
                row.unfold::<{ CELL_PX * 4 }>(room, kinds)
            }),
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
        whole_cells: impl Fn(&mut Row<'_>, &mut [u8], &[u32]) -> Option<()>,
    ) -> Option<()> {
        let folded = room.get(start..)?;
        let kinds: Vec<u32> = (folded.get(..self.kinds())?.as_chunks().0.iter())
            .map(|kinds| u32::from_le_bytes(*kinds))
            .collect();
        let near: u32 = kinds.iter().map(|&kinds| count_near(kinds)).sum();
        let steps = near as usize * STEPS;
        let steps = folded.get(self.kinds()..self.kinds() + steps)?.to_vec();
        let (steps, _) = steps.as_chunks();
        let first = start + self.kinds() + steps.as_flattened().len();
        let mut row = Row {
            begin: 0,
            stride: self.stride,
            whole: self.stride / self.cell,
            steps,
            from: copy(room, first..first + self.stride, 0)?,
        };
        for kinds in kinds.chunks_exact(self.kinds_of_row() / KINDS_BYTES) {
            row.begin += self.stride;
            if !row.can_be(kinds, self.cell) {
                return None;
            }
            whole_cells(&mut row, room, kinds)?;
            row.unfold_rest(room, kinds, self.cell)?;
        }
        (row.from == room.len()).then_some(())
    }

    fn kinds(self) -> usize {
        (self.count - 1) * self.kinds_of_row()
    }

    fn kinds_of_row(self) -> usize {
        self.stride.div_ceil(self.cell).div_ceil(TOGETHER) * KINDS_BYTES
    }
}

/// The row that is being unfolded, and how far what it is unfolded from was read.
struct Row<'s> {
    begin: usize,
    stride: usize,
    /// Cells that are not narrower than others.
    whole: usize,
    /// Steps of the cells that are near, from here on.
    steps: &'s [[u8; STEPS]],
    /// Where the next bytes of a cell are read.
    from: usize,
}

impl Row<'_> {
    /// Whether there are such kinds, no cell is that to its left where there is none, and nothing is said of cells beyond the
    /// last.
    fn can_be(&self, kinds: &[u32], cell: usize) -> bool {
        let (Some(first), Some(last)) = (kinds.first(), kinds.last()) else {
            return false;
        };
        let cells = self.stride.div_ceil(cell);
        let beyond = u64::from(*last) >> (((cells - 1) % TOGETHER + 1) * KIND_BITS);
        first & KIND != LEFT && beyond == 0 && kinds.iter().all(|&kinds| are_known(kinds))
    }

    /// Its whole cells.
    fn unfold<const CELL: usize>(&mut self, room: &mut [u8], kinds: &[u32]) -> Option<()> {
        self.unfold_by::<CELL>(room, kinds, Self::unfold_cell::<CELL>)
    }

    /// The same by what puts one cell where it belongs and goes on to the next.
    #[inline(always)]
    fn unfold_by<const CELL: usize>(
        &mut self,
        room: &mut [u8],
        kinds: &[u32],
        unfold_cell: impl Fn(&mut Self, &mut [u8], u32, usize) -> Option<()>,
    ) -> Option<()> {
        for (first, &kinds) in (0..self.whole).step_by(TOGETHER).zip(kinds) {
            let mut kinds = kinds;
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
                unfold_cell(self, room, kinds & KIND, to)?;
                kinds >>= KIND_BITS;
            }
        }
        Some(())
    }

    fn unfold_cell<const CELL: usize>(
        &mut self,
        room: &mut [u8],
        kind: u32,
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
            NEAR if CELL == OPAQUE => {
                let steps = self.next_steps()?;
                for (at, to) in (to..to + CELL).enumerate() {
                    let step = steps[at / STEPS_TOGETHER] >> (at % STEPS_TOGETHER * 2);
                    let above = room[to - self.stride];
                    room[to] = (above.wrapping_add(step & MORE)).wrapping_sub((step / LESS) & 1);
                }
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

    /// The steps of the next cell that is near.
    #[inline(always)]
    fn next_steps(&mut self) -> Option<[u8; STEPS]> {
        let (&next, rest) = self.steps.split_first()?;
        self.steps = rest;
        Some(next)
    }

    /// The narrow cell at the end, if there is one.
    fn unfold_rest(&mut self, room: &mut [u8], kinds: &[u32], cell: usize) -> Option<()> {
        let rest = self.stride - self.whole * cell;
        if rest == 0 {
            return Some(());
        }
        let to = self.begin + self.whole * cell;
        match kinds[self.whole / TOGETHER] >> (self.whole % TOGETHER * KIND_BITS) & KIND {
            ABOVE => {
                let above = to - self.stride;
                copy(room, above..above + rest, to)?;
            }
            ANYTHING => self.from = copy(room, self.from..self.from + rest, to)?,
            _ => return None,
        }
        Some(())
    }
}

/// How many cells of a number are near.
fn count_near(kinds: u32) -> u32 {
    (kinds & NEARS).count_ones()
}

/// Whether a number holds no kinds beyond [`NEAR`], which is the only one with its bit.
fn are_known(kinds: u32) -> bool {
    let near = (kinds & NEARS) / NEAR;
    kinds & (ONES << (KIND_BITS - 1) | near | near << 1) == 0
}

/// Whether no byte is further than one from the one above.
fn is_near(above: &[u8], here: &[u8]) -> bool {
    let steps = above
        .iter()
        .zip(here)
        .map(|(above, here)| here.wrapping_sub(*above));
    steps
        .map(|step| u8::from(step.wrapping_add(1) > 2))
        .fold(0, |far, is_far| far | is_far)
        == 0
}

/// The steps from a cell to one that is near.
fn steps_between(above: &[u8], here: &[u8]) -> [u8; STEPS] {
    let mut steps = [0; STEPS];
    for (at, (above, here)) in above.iter().zip(here).enumerate() {
        let step = match here.wrapping_sub(*above) {
            1 => MORE,
            u8::MAX => LESS,
            _ => 0,
        };
        steps[at / STEPS_TOGETHER] |= step << (at % STEPS_TOGETHER * 2);
    }
    steps
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
