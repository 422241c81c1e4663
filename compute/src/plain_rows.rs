//! Plain PNGs unfiltered strip by strip: one by itself, or two in step.

mod in_step;

use crate::error::Error;
use crate::geometry::Size;
use crate::pool::Buffer;
use crate::raster::strip::Strip;
use crate::scanlines::{Lines, Scanlines};
use crate::unfilter::{Filtered, unfilter};

pub(crate) use in_step::{InStep, read_in_step};

/// A plain PNG on its way from the first strip to the last.
pub(crate) struct PlainRows<'a> {
    lines: Scanlines<'a>,
    width: usize,
    /// The pixels of the row read last; zeros before the first.
    last: Vec<u8>,
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
    use crate::raster::strip::{strip_count, strip_rows};

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
                let mut rows = PngRows::open((&png).into()).unwrap();
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
            [(150, 150), (150, 131), (70, 200), (200, 70)],
            [0, 1, 64, 67, 100, 149],
        );
        // On one thread they are read a few rows at a time.
        for threads in [1, 2] {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads);
            let pool = pool.build().unwrap();
            for (channels, filter) in [3, 4]
                .map(|channels| FILTERS.map(|filter| (channels, filter)))
                .concat()
            {
                for (ours, theirs) in heights {
                    for edited in edits
                        .into_iter()
                        .flat_map(|edit| [1, 9, 20].map(|rows| (edit, rows)))
                    {
                        for at_once in [1, 2] {
                            pool.install(|| {
                                in_step_or_alone(channels, filter, [ours, theirs], edited, at_once);
                            });
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
        let [mut one, mut other] = pngs
            .each_ref()
            .map(|png| PngRows::open(png.into()).unwrap());
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
