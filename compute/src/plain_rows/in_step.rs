//! Two plain PNGs read in step.
//!
//! A row of the current picture whose filtered bytes are those of the baseline's row is the same row when the rows above are
//! the same; it is neither unfiltered nor compared again. On two captures of a page that is most rows, and unfiltering is much of
//! what decoding takes.

use std::iter::repeat_n;
use std::ops::Range;
use std::sync::Arc;

use super::{PlainRows, strip, unfilter_strips};
use crate::error::Error;
use crate::pool::Buffer;
use crate::raster::strip::Strip;
use crate::scanlines::{Lines, Scanlines};
use crate::unfilter::{Filtered, unfilter, unfilter_both};
use crate::workers;

/// Rows that a single thread inflates at once: so few that at common widths they are still in the second-level cache when they are
/// unfiltered.
const BATCH_ROWS: usize = 32;

/// Strips of both pictures, and for each row that both have whether it is the same.
#[derive(Default)]
pub(crate) struct InStep {
    pub(crate) baseline: Vec<Arc<Strip>>,
    pub(crate) current: Vec<Arc<Strip>>,
    pub(crate) same: Vec<bool>,
}

impl PlainRows<'_> {
    /// Whether both can be read in step.
    pub(crate) fn goes_with(&self, other: &Self) -> bool {
        self.width == other.width && self.lines.channels() == other.lines.channels()
    }
}

/// Reads the next strips of both pictures, of so many rows each. `above_same` says whether the rows
/// right above are the same, and is kept up.
pub(crate) fn read_in_step(
    baseline: &mut PlainRows<'_>,
    current: &mut PlainRows<'_>,
    rows: [&[usize]; 2],
    above_same: &mut bool,
) -> Result<InStep, Error> {
    let (ours, theirs) = (&mut baseline.lines, &mut current.lines);
    let mut reading = Reading {
        channels: ours.channels(),
        width: baseline.width,
        last: [&mut baseline.last, &mut current.last],
        above_same: *above_same,
        read: InStep::default(),
    };
    if workers::threads() == 1 {
        reading.in_batches(ours, theirs, rows)?;
    } else {
        let (ours, theirs) = workers::join(
            || ours.take(rows[0].iter().sum()),
            || theirs.take(rows[1].iter().sum()),
        );
        reading.at_once([ours?, theirs?], rows)?;
    }
    *above_same = reading.above_same;
    Ok(reading.read)
}

struct Reading<'p> {
    channels: usize,
    /// Pixels of a row.
    width: usize,
    /// The pixels of the rows read last.
    last: [&'p mut Vec<u8>; 2],
    /// Whether those are the same.
    above_same: bool,
    read: InStep,
}

/// Strips at the same place, as far as they have been read.
struct Strips {
    rows: [usize; 2],
    done: [usize; 2],
    ours: Buffer,
    /// `None` while they are those of the baseline's strip.
    theirs: Option<Buffer>,
}

impl Reading<'_> {
    /// Reads strips a few rows at a time.
    fn in_batches(
        &mut self,
        ours: &mut Scanlines<'_>,
        theirs: &mut Scanlines<'_>,
        rows: [&[usize]; 2],
    ) -> Result<(), Error> {
        for rows in places(rows) {
            let mut strips = self.begin(rows);
            while strips.done != strips.rows {
                let batch = [0, 1].map(|side| {
                    let left = strips.rows[side] - strips.done[side];
                    left.min(BATCH_ROWS)
                });
                let lines = [ours.take(batch[0])?, theirs.take(batch[1])?];
                self.go_on(&mut strips, lines, &are_alike(lines))?;
            }
            self.finish(strips);
        }
        Ok(())
    }

    /// Reads strips whose lines are all there; where little of them is alike both on a thread of their own.
    fn at_once(&mut self, lines: [Lines<'_>; 2], rows: [&[usize]; 2]) -> Result<(), Error> {
        let alike = are_alike(lines);
        let mostly_alike = alike.iter().filter(|&&alike| alike).count() * 2 > alike.len();
        if !self.above_same && !mostly_alike {
            return self.apart(lines, rows);
        }
        let mut first = 0;
        for rows in places(rows) {
            let mut strips = self.begin(rows);
            let lines = [0, 1].map(|side| {
                let first = first.min(lines[side].count());
                lines[side].part(first..first + rows[side])
            });
            let both = rows[0].min(rows[1]);
            let alike = alike.get(first..first + both).unwrap_or_default();
            self.go_on(&mut strips, lines, alike)?;
            self.finish(strips);
            first += rows[0].max(rows[1]);
        }
        Ok(())
    }

    /// Reads strips of both pictures, each by itself.
    fn apart(&mut self, lines: [Lines<'_>; 2], rows: [&[usize]; 2]) -> Result<(), Error> {
        let channels = self.channels;
        let [our_last, their_last] = &mut self.last;
        let (ours, theirs) = workers::join(
            || unfilter_strips(lines[0], rows[0], channels, our_last),
            || unfilter_strips(lines[1], rows[1], channels, their_last),
        );
        let (ours, theirs) = (ours?, theirs?);
        for (ours, theirs) in ours.iter().zip(&theirs) {
            self.note_same(ours, theirs);
        }
        let strips = |data: Vec<Buffer>, rows: &[usize]| -> Vec<Arc<Strip>> {
            let strips = data.into_iter().zip(rows);
            strips.map(|(data, &rows)| self.strip(data, rows)).collect()
        };
        let (ours, theirs) = (strips(ours, rows[0]), strips(theirs, rows[1]));
        self.read.baseline.extend(ours);
        self.read.current.extend(theirs);
        Ok(())
    }

    fn begin(&self, rows: [usize; 2]) -> Strips {
        Strips {
            rows,
            done: [0; 2],
            ours: Buffer::take(rows[0] * self.stride()),
            theirs: None,
        }
    }

    /// Reads the next rows of strips: as many of both pictures, but where one of them ends. `alike` says for each row that
    /// both have whether its filtered bytes are the same.
    fn go_on(
        &mut self,
        strips: &mut Strips,
        lines: [Lines<'_>; 2],
        alike: &[bool],
    ) -> Result<(), Error> {
        let (channels, stride) = (self.channels, self.stride());
        let Strips {
            rows,
            done,
            ours,
            theirs,
        } = strips;
        let bytes = |first: usize, rows: Range<usize>| {
            (first + rows.start) * stride..(first + rows.end) * stride
        };
        let mut row = 0;
        while row < alike.len() {
            let follows = self.above_same && alike[row];
            // Rows that follow do so down to one whose bytes differ. Others go on to one whose bytes are alike: it may follow again
            // when the row above it turns out to be the same.
            let goes_on = |alike: &&bool| **alike == follows;
            let until = row + 1 + alike[row + 1..].iter().take_while(goes_on).count();
            let there = bytes(done[0], row..until);
            if follows {
                let mut lead = Filtered::behind(done[0], lines[0], self.last[0], ours);
                unfilter(channels, lead.part(row..until))?;
                if let Some(theirs) = theirs {
                    theirs[there.clone()].copy_from_slice(&ours[there]);
                }
                self.read.same.extend(repeat_n(true, until - row));
            } else {
                let theirs =
                    theirs.get_or_insert_with(|| begun(rows[1] * stride, &ours[..there.start]));
                let mut lead = Filtered::behind(done[0], lines[0], self.last[0], ours);
                let mut behind = Filtered::behind(done[1], lines[1], self.last[1], theirs);
                unfilter_both(channels, [lead.part(row..until), behind.part(row..until)])?;
                self.note_same(&ours[there.clone()], &theirs[there]);
            }
            row = until;
        }
        // Rows that only one has belong to its strip alone.
        if lines[0].count() > row {
            let mut lead = Filtered::behind(done[0], lines[0], self.last[0], ours);
            unfilter(channels, lead.part(row..lines[0].count()))?;
        }
        if lines[1].count() > row {
            let theirs = theirs.get_or_insert_with(|| {
                begun(rows[1] * stride, &ours[..bytes(done[0], 0..row).end])
            });
            let mut behind = Filtered::behind(done[1], lines[1], self.last[1], theirs);
            unfilter(channels, behind.part(row..lines[1].count()))?;
        }
        for (done, lines) in done.iter_mut().zip(lines) {
            *done += lines.count();
        }
        Ok(())
    }

    fn finish(&mut self, strips: Strips) {
        let Strips {
            rows,
            ours,
            mut theirs,
            ..
        } = strips;
        if rows[0] != rows[1] && theirs.is_none() {
            let len = rows[1] * self.stride();
            theirs = Some(begun(len, &ours[..len]));
        }
        let pixels: [&[u8]; 2] = [&ours, theirs.as_ref().unwrap_or(&ours)];
        for (last, pixels) in self.last.iter_mut().zip(pixels) {
            if let Some(row) = pixels.rchunks_exact(last.len()).next() {
                last.copy_from_slice(row);
            }
        }
        let ours = self.strip(ours, rows[0]);
        let theirs = theirs.map_or_else(|| Arc::clone(&ours), |theirs| self.strip(theirs, rows[1]));
        self.read.baseline.extend((rows[0] > 0).then_some(ours));
        self.read.current.extend((rows[1] > 0).then_some(theirs));
    }

    /// Compares rows of both pictures, down to those read last.
    fn note_same(&mut self, ours: &[u8], theirs: &[u8]) {
        let stride = self.stride();
        let rows = ours.chunks_exact(stride).zip(theirs.chunks_exact(stride));
        self.read.same.extend(rows.map(|(one, other)| one == other));
        self.above_same = self.read.same.last().copied().unwrap_or(false);
    }

    fn strip(&self, pixels: Buffer, rows: usize) -> Arc<Strip> {
        Arc::new(strip(pixels, self.channels, rows * self.width))
    }

    /// Bytes of a row of pixels.
    fn stride(&self) -> usize {
        self.channels * self.width
    }
}

/// The rows of both pictures' strips at each place; none where a picture has no strip.
fn places(rows: [&[usize]; 2]) -> impl Iterator<Item = [usize; 2]> {
    let count = rows[0].len().max(rows[1].len());
    (0..count).map(move |at| rows.map(|rows| rows.get(at).copied().unwrap_or(0)))
}

/// A buffer of so many bytes that begins with these.
fn begun(len: usize, with: &[u8]) -> Buffer {
    let mut buffer = Buffer::take(len);
    buffer[..with.len()].copy_from_slice(with);
    buffer
}

/// For each row that both have, whether its filtered bytes are the same.
fn are_alike([ours, theirs]: [Lines<'_>; 2]) -> Vec<bool> {
    let rows = ours.iter().zip(theirs.iter());
    rows.map(|(one, other)| one == other).collect()
}
