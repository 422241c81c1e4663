//! One row of a picture, and what it shows beside another.

use std::ops::Range;

use crate::decode::rgba;

/// Levels of a channel, of 255, by which neighbours differ at an edge: more than those of a gradient, fewer than those of pale text.
pub(crate) const EDGE: u8 = 16;

/// Pixels of a row without an edge: more than lie between letters or two words, fewer than between two cells of a table.
pub(crate) const CELL_GAP_PX: u32 = 8;

/// Columns compared at once where the first that differs is looked for.
const LOOKED_AT_PX: u32 = 64;

/// One row of a picture.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Row<'a> {
    /// 3 (RGB) or 4 (RGBA).
    pub(crate) channels: usize,
    pub(crate) bytes: &'a [u8],
}

impl<'a> Row<'a> {
    /// How many pixels it has.
    pub(crate) fn width(self) -> u32 {
        u32::try_from(self.bytes.len() / self.channels).expect("a row fits 32 bits")
    }

    /// One pixel as RGBA.
    pub(crate) fn pixel(self, x: u32) -> [u8; 4] {
        let at = x as usize * self.channels;
        rgba(&self.bytes[at..at + self.channels])
    }

    /// One pixel as far as it is seen: red, green and blue by as much as its alpha lets through, and the alpha. What hides
    /// behind an alpha of 0 is gone.
    pub(crate) fn seen(self, x: u32) -> [u8; 4] {
        let pixel = self.pixel(x);
        if self.channels == 3 {
            return pixel;
        }
        let [red, green, blue, alpha] = pixel;
        let through = |channel: u8| {
            let product = u16::from(channel) * u16::from(alpha);
            u8::try_from((product + 127) / 255).expect("a share of 255 fits a byte")
        };
        [through(red), through(green), through(blue), alpha]
    }

    /// Some columns of it, as a row.
    pub(crate) fn within(self, columns: Range<u32>) -> Self {
        Self {
            bytes: self.part(columns),
            ..self
        }
    }

    /// The bytes of some columns.
    pub(crate) fn part(self, columns: Range<u32>) -> &'a [u8] {
        &self.bytes[columns.start as usize * self.channels..columns.end as usize * self.channels]
    }

    /// Whether some columns show the same pixels as those of another row.
    pub(crate) fn same_part(self, other: Row<'_>, columns: Range<u32>) -> bool {
        if self.channels == other.channels {
            return self.part(columns.clone()) == other.part(columns);
        }
        columns.into_iter().all(|x| self.pixel(x) == other.pixel(x))
    }

    /// Whether from column `start` on it shows the pixels that another row shows in some columns.
    pub(crate) fn shows(self, start: u32, other: Row<'_>, columns: Range<u32>) -> bool {
        let width = columns.end - columns.start;
        if self.channels == other.channels {
            let (ours, theirs) = (self.part(start..start + width), other.part(columns));
            // Most are not the same, and the first byte tells sooner than a call.
            return ours.first() == theirs.first() && ours == theirs;
        }
        (start..)
            .zip(columns)
            .all(|(x, other_x)| self.pixel(x) == other.pixel(other_x))
    }

    /// How many columns it shows from `start` on what another row shows in some columns, before the first of which a channel is
    /// further off than so many levels; `None` when there is none.
    pub(crate) fn first_other(
        self,
        start: u32,
        other: Row<'_>,
        columns: Range<u32>,
        levels: u8,
    ) -> Option<u32> {
        let width = columns.end - columns.start;
        let same = |from: u32, until: u32| {
            self.shows_alike(
                start + from,
                other,
                columns.start + from..columns.start + until,
                levels,
            )
        };
        let block = (0..width)
            .step_by(LOOKED_AT_PX as usize)
            .find(|&from| !same(from, (from + LOOKED_AT_PX).min(width)))?;
        (block..width).find(|&x| !same(x, x + 1))
    }

    /// Of some columns those from the first to the last that do not show the same pixels as another row; `None` when all do.
    pub(crate) fn differing_part(self, other: Row<'_>, columns: Range<u32>) -> Option<Range<u32>> {
        self.part_apart(other, columns, 0)
    }

    /// The same of those in which a channel is further off than so many levels.
    pub(crate) fn part_apart(
        self,
        other: Row<'_>,
        columns: Range<u32>,
        levels: u8,
    ) -> Option<Range<u32>> {
        let first = self.first_other(columns.start, other, columns.clone(), levels)?;
        let is_alike = |part: Range<u32>| self.shows_alike(part.start, other, part, levels);
        let start = columns.start + first;
        let mut end = columns.end;
        while is_alike(end.saturating_sub(LOOKED_AT_PX).max(start)..end) {
            end = end.saturating_sub(LOOKED_AT_PX).max(start);
        }
        let last = (start..end).rfind(|&x| !is_alike(x..x + 1))?;
        Some(start..last + 1)
    }

    /// How many channels of its pixels are further than so many levels, of 255, from those of another row.
    pub(crate) fn channels_apart(self, other: Row<'_>, levels: u8) -> u64 {
        self.sum_over_channels(other, |one, other| u32::from(apart(one, other) > levels))
    }

    /// The sum of what is told of each channel of its pixels beside that of another row, which fits 32 bits; with alpha where only one
    /// of both has it.
    #[inline(always)]
    pub(crate) fn sum_over_channels(self, other: Row<'_>, of: impl Fn(u8, u8) -> u32) -> u64 {
        let of_bytes = |ours: &[u8], theirs: &[u8]| -> u32 {
            let bytes = ours.iter().zip(theirs);
            bytes.map(|(one, other)| of(*one, *other)).sum()
        };
        if self.channels == other.channels {
            return of_bytes(self.bytes, other.bytes).into();
        }
        let columns = 0..self.width().min(other.width());
        let pixels = columns.map(|x| of_bytes(&self.pixel(x), &other.pixel(x)));
        pixels.sum::<u32>().into()
    }

    /// Whether from column `start` on no channel is further than so many levels, of 255, from what another row shows in some
    /// columns.
    pub(crate) fn shows_alike(
        self,
        start: u32,
        other: Row<'_>,
        columns: Range<u32>,
        levels: u8,
    ) -> bool {
        if levels == 0 {
            return self.shows(start, other, columns);
        }
        if self.channels == other.channels {
            let width = columns.end - columns.start;
            let (ours, theirs) = (self.part(start..start + width), other.part(columns));
            return are_alike(ours, theirs, levels);
        }
        (start..)
            .zip(columns)
            .all(|(x, other_x)| alike(self.pixel(x), other.pixel(other_x), levels))
    }
}

/// Bytes that are compared at once: eight opaque pixels.
pub(crate) const ALIKE_BYTES: usize = 24;

/// Whether no byte is further than so many levels from its counterpart.
fn are_alike(ours: &[u8], theirs: &[u8], levels: u8) -> bool {
    let ((ours, our_rest), (theirs, their_rest)) = (
        ours.as_chunks::<ALIKE_BYTES>(),
        theirs.as_chunks::<ALIKE_BYTES>(),
    );
    let mut whole = ours.iter().zip(theirs);
    whole.all(|(ours, theirs)| are_all_alike(ours, theirs, levels))
        && are_all_alike(our_rest, their_rest, levels)
}

/// The same of bytes that are compared at once: none of them ends it early.
#[inline(always)]
pub(crate) fn are_all_alike(ours: &[u8], theirs: &[u8], levels: u8) -> bool {
    let bytes = ours.iter().zip(theirs);
    bytes.fold(true, |all, (one, other)| {
        all & (apart(*one, *other) <= levels)
    })
}

/// How far one byte is from another: `abs_diff`, in the way that processors have for many bytes at once.
#[inline(always)]
pub(crate) fn apart(one: u8, other: u8) -> u8 {
    one.saturating_sub(other) | other.saturating_sub(one)
}

/// Whether no channel of a pixel is further than so many levels, of 255, from that of another.
pub(crate) fn alike(one: [u8; 4], other: [u8; 4], levels: u8) -> bool {
    one.into_iter()
        .zip(other)
        .all(|(one, other)| one.abs_diff(other) <= levels)
}
