//! Plain PNGs unfiltered strip by strip: one by itself, or two in step.
//!
//! In step, a row of the current picture whose filtered bytes are those of the baseline's row is the
//! same row when the rows above are the same; it is neither unfiltered nor compared again. On two
//! captures of a page that is most rows, and unfiltering is most of what decoding takes.

use std::sync::Arc;

use crate::error::Error;
use crate::geometry::Size;
use crate::pool::Buffer;
use crate::raster::Strip;
use crate::scanlines::{Lines, Scanlines};
use crate::unfilter::{Filtered, unfilter, unfilter_both};
use crate::workers;

/// A plain PNG on its way from the first strip to the last.
pub(crate) struct PlainRows<'a> {
    lines: Scanlines<'a>,
    width: usize,
    /// The pixels of the row read last; zeros before the first.
    last: Vec<u8>,
}

/// Strips of both pictures, and for each row that both have whether it is the same.
#[derive(Default)]
pub(crate) struct InStep {
    pub(crate) baseline: Vec<Arc<Strip>>,
    pub(crate) current: Vec<Arc<Strip>>,
    pub(crate) same: Vec<bool>,
}

impl<'a> PlainRows<'a> {
    pub(crate) fn new(lines: Scanlines<'a>, size: Size) -> Self {
        let width = size.width as usize;
        Self {
            last: vec![0; width * lines.channels()],
            width,
            lines,
        }
    }

    /// Whether both can be read in step.
    pub(crate) fn goes_with(&self, other: &Self) -> bool {
        self.width == other.width && self.lines.channels() == other.lines.channels()
    }

    /// Reads a strip of so many rows.
    pub(crate) fn read(&mut self, rows: usize) -> Result<Strip, Error> {
        let channels = self.lines.channels();
        let lines = self.lines.take(rows)?;
        let mut pixels = unfilter_strips(lines, &[rows], channels, &mut self.last)?;
        let data = pixels.pop().unwrap_or_else(|| Buffer::take(0));
        Ok(strip(data, channels, rows * self.width))
    }

    /// Reads what is behind the last row.
    pub(crate) fn finish(&mut self) -> Result<(), Error> {
        self.lines.finish()
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
    let (channels, width) = (baseline.lines.channels(), baseline.width);
    let (ours, theirs) = workers::join(
        || baseline.lines.take(rows[0].iter().sum()),
        || current.lines.take(rows[1].iter().sum()),
    );
    let (ours, theirs) = (ours?, theirs?);
    let alike: Vec<bool> = ours
        .iter()
        .zip(theirs.iter())
        .map(|(a, b)| a == b)
        .collect();
    let mostly_alike = alike.iter().filter(|&&alike| alike).count() * 2 > alike.len();
    let finish = |data: Buffer, rows: usize| Arc::new(strip(data, channels, rows * width));
    if workers::threads() > 1 && !*above_same && !mostly_alike {
        // Little would be saved, so both go their way at the same time.
        let (ours, theirs) = workers::join(
            || unfilter_strips(ours, rows[0], channels, &mut baseline.last),
            || unfilter_strips(theirs, rows[1], channels, &mut current.last),
        );
        let (ours, theirs) = (ours?, theirs?);
        let stride = channels * width;
        let mut same = Vec::with_capacity(alike.len());
        for (one, other) in ours.iter().zip(&theirs) {
            let pairs = one.chunks_exact(stride).zip(other.chunks_exact(stride));
            same.extend(pairs.map(|(one, other)| one == other));
        }
        *above_same = same.last().copied().unwrap_or(false);
        let strips = |data: Vec<Buffer>, rows: &[usize]| -> Vec<Arc<Strip>> {
            let strips = data.into_iter().zip(rows);
            strips.map(|(data, &rows)| finish(data, rows)).collect()
        };
        return Ok(InStep {
            baseline: strips(ours, rows[0]),
            current: strips(theirs, rows[1]),
            same,
        });
    }
    let mut read = InStep::default();
    let mut strips = StripsInStep {
        channels,
        lines: [ours, theirs],
        alike: &alike,
        at: 0,
        above_same: *above_same,
        last: [&mut baseline.last, &mut current.last],
        same: Vec::with_capacity(alike.len()),
    };
    for at in 0..rows[0].len().max(rows[1].len()) {
        let rows = rows.map(|rows| rows.get(at).copied().unwrap_or(0));
        let (ours, theirs) = strips.read(rows)?;
        let ours = finish(ours, rows[0]);
        let theirs = theirs.map_or_else(|| Arc::clone(&ours), |theirs| finish(theirs, rows[1]));
        read.baseline.extend((rows[0] > 0).then_some(ours));
        read.current.extend((rows[1] > 0).then_some(theirs));
    }
    *above_same = strips.above_same;
    read.same = strips.same;
    Ok(read)
}

/// Reads strips of both pictures at the same place.
struct StripsInStep<'l> {
    channels: usize,
    lines: [Lines<'l>; 2],
    /// For each row that both have, whether its filtered bytes are the same.
    alike: &'l [bool],
    /// The first row of the strips that come next.
    at: usize,
    /// Whether the rows right above are the same.
    above_same: bool,
    /// The pixels of those rows.
    last: [&'l mut [u8]; 2],
    same: Vec<bool>,
}

impl StripsInStep<'_> {
    /// The pixels of the next strips, of so many rows each; `None` for the current picture when they are those of the
    /// baseline's strip.
    fn read(&mut self, rows: [usize; 2]) -> Result<(Buffer, Option<Buffer>), Error> {
        let (channels, stride) = (self.channels, self.last[0].len());
        let lines = [0, 1].map(|side| {
            let first = self.at.min(self.lines[side].count());
            self.lines[side].part(first..first + rows[side])
        });
        let both = rows[0].min(rows[1]);
        let alike = self.alike.get(self.at..self.at + both).unwrap_or_default();
        let mut ours = Buffer::take(rows[0] * stride);
        let mut theirs: Option<Buffer> = None;
        let mut row = 0;
        while row < both {
            let follows = self.above_same && alike[row];
            // Rows below one that differs must be unfiltered too where their bytes differ, and several at once are faster.
            let like_this = |alike: &&bool| **alike == follows;
            let until = row + 1 + alike[row + 1..].iter().take_while(like_this).count();
            let bytes = row * stride..until * stride;
            let mut lead = Filtered {
                lines: lines[0],
                above: self.last[0],
                to: &mut ours,
            };
            if follows {
                unfilter(channels, lead.part(row..until))?;
                if let Some(theirs) = &mut theirs {
                    theirs[bytes.clone()].copy_from_slice(&ours[bytes]);
                }
                self.same.extend(std::iter::repeat_n(true, until - row));
            } else {
                let theirs = theirs.get_or_insert_with(|| {
                    let mut theirs = Buffer::take(rows[1] * stride);
                    theirs[..bytes.start].copy_from_slice(&lead.to[..bytes.start]);
                    theirs
                });
                let mut behind = Filtered {
                    lines: lines[1],
                    above: self.last[1],
                    to: theirs,
                };
                unfilter_both(channels, [lead.part(row..until), behind.part(row..until)])?;
                let pairs = ours[bytes.clone()].chunks_exact(stride);
                let pairs = pairs.zip(theirs[bytes].chunks_exact(stride));
                self.same.extend(pairs.map(|(one, other)| one == other));
                self.above_same = self.same.last().copied().unwrap_or(false);
            }
            row = until;
        }
        // Rows that only one has belong to its strip alone.
        if rows[0] > both {
            let mut lead = Filtered {
                lines: lines[0],
                above: self.last[0],
                to: &mut ours,
            };
            unfilter(channels, lead.part(both..rows[0]))?;
        }
        if rows[0] != rows[1] {
            let shared = both * stride;
            let theirs = theirs.get_or_insert_with(|| {
                let mut theirs = Buffer::take(rows[1] * stride);
                theirs[..shared].copy_from_slice(&ours[..shared]);
                theirs
            });
            let mut behind = Filtered {
                lines: lines[1],
                above: self.last[1],
                to: theirs,
            };
            unfilter(channels, behind.part(both..rows[1]))?;
        }
        let pixels = [&ours, theirs.as_ref().unwrap_or(&ours)];
        for (last, pixels) in self.last.iter_mut().zip(pixels) {
            if let Some(row) = pixels.rchunks_exact(stride).next() {
                last.copy_from_slice(row);
            }
        }
        self.at += rows[0].max(rows[1]);
        Ok((ours, theirs))
    }
}

/// Unfilters lines into strips of so many rows each; `last` holds the row above, and then the last.
fn unfilter_strips(
    lines: Lines<'_>,
    strips: &[usize],
    channels: usize,
    last: &mut [u8],
) -> Result<Vec<Buffer>, Error> {
    let (mut first, mut unfiltered) = (0, Vec::with_capacity(strips.len()));
    for &rows in strips {
        let mut data = Buffer::take(rows * last.len());
        let rows = Filtered {
            lines: lines.part(first..first + rows),
            above: last,
            to: &mut data,
        };
        first += rows.lines.count();
        unfilter(channels, rows)?;
        let end = data.len() - last.len();
        last.copy_from_slice(&data[end..]);
        unfiltered.push(data);
    }
    Ok(unfiltered)
}

fn strip(data: Buffer, channels: usize, pixels: usize) -> Strip {
    if channels == 3 {
        Strip::from_rgb(data)
    } else {
        Strip::from_rgba(data, pixels * 4)
    }
}

#[cfg(test)]
mod tests {
    use png::{BitDepth, ColorType, Encoder, Filter};

    use super::*;
    use crate::decode::decode_by_crate;
    use crate::png_rows::PngRows;
    use crate::raster::{strip_count, strip_rows};

    const WIDTH: u32 = 37;

    const FILTERS: [Filter; 6] = [
        Filter::NoFilter,
        Filter::Sub,
        Filter::Up,
        Filter::Avg,
        Filter::Paeth,
        Filter::Adaptive,
    ];

    /// Pixels without a pattern, but for every fourth row, which repeats the one above.
    fn noise(rows: u32, channels: usize, seed: u32) -> Vec<u8> {
        let stride = WIDTH as usize * channels;
        let mut state = seed;
        let mut pixels: Vec<u8> = Vec::new();
        for row in 0..rows as usize {
            if row % 4 == 3 {
                pixels.extend_from_within((row - 1) * stride..);
                continue;
            }
            pixels.extend((0..stride).map(|_| {
                state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                state.to_be_bytes()[0]
            }));
        }
        pixels
    }

    fn encode(rows: u32, channels: usize, filter: Filter, pixels: &[u8]) -> Vec<u8> {
        let mut png = Vec::new();
        let mut encoder = Encoder::new(&mut png, WIDTH, rows);
        encoder.set_color(match channels {
            3 => ColorType::Rgb,
            _ => ColorType::Rgba,
        });
        encoder.set_depth(BitDepth::Eight);
        encoder.set_filter(filter);
        let mut writer = encoder.write_header().unwrap();
        // Small chunks: rows begin and end anywhere in them.
        let mut stream = writer.stream_writer_with_size(100).unwrap();
        std::io::Write::write_all(&mut stream, pixels).unwrap();
        stream.finish().unwrap();
        writer.finish().unwrap();
        png
    }

    fn all_rows<'s>(strips: impl Iterator<Item = &'s Strip>, rows: u32) -> Vec<Vec<u8>> {
        let size = Size {
            width: WIDTH,
            height: rows,
        };
        (strips.zip(0..))
            .flat_map(|(strip, index)| {
                (0..strip_rows(size, index)).map(|row| strip.row(row, WIDTH).bytes.to_vec())
            })
            .collect()
    }

    fn expected(png: &[u8]) -> Vec<Vec<u8>> {
        let image = decode_by_crate(png);
        let stride = image.size.width as usize * image.channels;
        image.data.chunks(stride).map(<[u8]>::to_vec).collect()
    }

    #[test]
    fn every_filter_is_undone_as_the_png_crate_does_it() {
        for channels in [3, 4] {
            for filter in FILTERS {
                let png = encode(150, channels, filter, &noise(150, channels, 1));
                let mut rows = PngRows::open(&png).unwrap();
                let strips: Vec<Strip> = (0..strip_count(rows.size()))
                    .map(|_| rows.read_strip().unwrap())
                    .collect();
                let found = all_rows(strips.iter(), 150);
                assert_eq!(found, expected(&png), "{channels} channels, {filter:?}");
            }
        }
    }

    #[test]
    fn two_in_step_are_what_each_is_alone() {
        let (heights, edits) = (
            [(150, 150), (150, 131), (70, 200)],
            [0, 1, 64, 67, 100, 149],
        );
        for channels in [3, 4] {
            for filter in FILTERS {
                for (ours, theirs) in heights {
                    for (edit, rows) in edits.into_iter().flat_map(|edit| [(edit, 1), (edit, 9)]) {
                        for at_once in [1, 2] {
                            let edited = (edit, rows);
                            in_step_or_alone(channels, filter, [ours, theirs], edited, at_once);
                        }
                    }
                }
            }
        }
    }

    /// The current picture has another first pixel in so many rows from one on, and in as many of every twenty below.
    fn in_step_or_alone(
        channels: usize,
        filter: Filter,
        heights: [u32; 2],
        (first, rows): (usize, usize),
        at_once: usize,
    ) {
        let stride = WIDTH as usize * channels;
        let before = noise(heights[0], channels, 7);
        let mut after = noise(heights[1], channels, 7);
        for row in (first..heights[1] as usize).filter(|row| (row - first) % 20 < rows) {
            after[row * stride] ^= 0x55;
        }
        let pngs = [(heights[0], &before), (heights[1], &after)]
            .map(|(rows, pixels)| encode(rows, channels, filter, pixels));
        let [mut one, mut other] = pngs.each_ref().map(|png| PngRows::open(png).unwrap());
        let count = strip_count(one.size().union(other.size()));
        let (mut ours, mut theirs, mut same, mut above_same) = (vec![], vec![], vec![], true);
        for group in (0..count).collect::<Vec<_>>().chunks(at_once) {
            let read = PngRows::read_in_step(&mut one, &mut other, group, &mut above_same);
            let read = read.unwrap().unwrap();
            ours.extend(read.baseline);
            theirs.extend(read.current);
            same.extend(read.same);
        }
        let alone = pngs.each_ref().map(|png| expected(png));
        let found = [
            all_rows(ours.iter().map(|strip| &**strip), heights[0]),
            all_rows(theirs.iter().map(|strip| &**strip), heights[1]),
        ];
        assert!(
            found == alone,
            "{channels} channels, {filter:?}, {heights:?}, {first} {rows}"
        );
        let rows = alone[0].iter().zip(&alone[1]);
        let expected: Vec<bool> = rows.map(|(one, other)| one == other).collect();
        assert_eq!(same, expected);
    }
}
