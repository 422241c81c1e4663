//! PNG files read strip by strip, so that no more of a picture lies in memory than is needed.

use png::ColorType;

use crate::decode::{PngReader, frame_area, open_reader};
use crate::error::Error;
use crate::file::FileBytes;
use crate::geometry::Size;
use crate::plain_rows::{InStep, PlainRows, read_in_step};
use crate::pool::Buffer;
use crate::raster::kept::Room;
use crate::raster::strip::{Strip, strip_count, strip_rows};
use crate::scanlines::Scanlines;
use crate::scattered::{Waiting, read_scattered};

/// A PNG on its way from the first strip to the last.
pub(crate) struct PngRows<'a> {
    size: Size,
    /// The strip that comes next.
    next: u32,
    from: From<'a>,
}

enum From<'a> {
    /// Rows of the kind that browsers write.
    Plain(PlainRows<'a>),
    /// Rows in their order.
    Rows {
        reader: Box<PngReader<'a>>,
        color: ColorType,
        /// One row of grey, on its way to RGB.
        grey: Vec<u8>,
    },
    /// An interlaced file has its rows only at the end, and a frame may leave some out: all strips that were not handed
    /// out yet.
    Scattered(Waiting),
}

impl<'a> PngRows<'a> {
    /// Reads everything in front of the pixels.
    pub(crate) fn open(png: FileBytes<'a>) -> Result<Self, Error> {
        let (mut reader, size) = open_reader(png)?;
        let (color, _) = reader.output_color_type();
        let from = if let Some(lines) = Scanlines::of(png, &reader)? {
            From::Plain(PlainRows::new(lines, size))
        } else if reader.info().interlaced || frame_area(&reader, size).size() != size {
            let strips = read_scattered(&mut reader, size)?;
            From::Scattered(Waiting::of(strips, Room::default().most / 2))
        } else {
            From::Rows {
                reader: Box::new(reader),
                color,
                grey: Vec::new(),
            }
        };
        Ok(Self {
            size,
            next: 0,
            from,
        })
    }

    pub(crate) fn size(&self) -> Size {
        self.size
    }

    /// Reads some strips of both in step, as far as each has them; `None` when they do not go
    /// together.
    pub(crate) fn read_in_step(
        baseline: &mut Self,
        current: &mut Self,
        strips: &[u32],
        above_same: &mut bool,
    ) -> Result<Option<InStep>, Error> {
        let (From::Plain(ours), From::Plain(theirs)) = (&mut baseline.from, &mut current.from)
        else {
            return Ok(None);
        };
        if !ours.goes_with(theirs) {
            return Ok(None);
        }
        let rows = [baseline.size, current.size].map(|size| -> Vec<usize> {
            let there = strips.iter().filter(|&&index| index < strip_count(size));
            there
                .map(|&index| strip_rows(size, index) as usize)
                .collect()
        });
        let read = read_in_step(ours, theirs, [&rows[0], &rows[1]], above_same)?;
        for (picture, rows) in [baseline, current].into_iter().zip(rows) {
            picture.next += u32::try_from(rows.len()).expect("strips fit 32 bits");
            picture.finish_after_last()?;
        }
        Ok(Some(read))
    }

    /// Decodes the next strip; there must be one.
    pub(crate) fn read_strip(&mut self) -> Result<Strip, Error> {
        let rows = strip_rows(self.size, self.next);
        self.next += 1;
        let width = self.size.width as usize;
        let pixels = rows as usize * width;
        let strip = match &mut self.from {
            From::Rows {
                reader,
                color,
                grey,
            } => read_rows(reader, *color, grey, pixels, width)?,
            From::Plain(plain) => plain.read(rows as usize)?,
            From::Scattered(strips) => strips.next()?,
        };
        self.finish_after_last()?;
        Ok(strip)
    }

    /// The end of the compressed stream is part of a whole file.
    fn finish_after_last(&mut self) -> Result<(), Error> {
        if self.next < strip_count(self.size) {
            return Ok(());
        }
        match &mut self.from {
            From::Rows { reader, .. } => drop(reader.next_row()?),
            From::Plain(plain) => plain.finish()?,
            From::Scattered(_) => {}
        }
        Ok(())
    }
}

fn read_rows(
    reader: &mut PngReader<'_>,
    color: ColorType,
    grey: &mut Vec<u8>,
    pixels: usize,
    width: usize,
) -> Result<Strip, Error> {
    let samples = color.samples();
    let mut read = |row: &mut [u8]| match reader.read_row(row)? {
        Some(_) => Ok(()),
        None => Err(Error::ended_early()),
    };
    match color {
        ColorType::Rgb | ColorType::Rgba | ColorType::Indexed => {
            let mut data = Buffer::take(pixels * samples);
            for row in data.chunks_exact_mut(width * samples) {
                read(row)?;
            }
            Ok(if samples == 3 {
                Strip::from_rgb(data)
            } else {
                Strip::from_rgba(data, pixels * samples)
            })
        }
        ColorType::Grayscale => {
            let mut data = Buffer::take(pixels * 3);
            grey.resize(width, 0);
            for row in data.chunks_exact_mut(width * 3) {
                read(grey)?;
                for (to, from) in row.as_chunks_mut::<3>().0.iter_mut().zip(&*grey) {
                    *to = [*from; 3];
                }
            }
            Ok(Strip::from_rgb(data))
        }
        ColorType::GrayscaleAlpha => {
            let mut data = Buffer::take(pixels * 4);
            grey.resize(width * 2, 0);
            for row in data.chunks_exact_mut(width * 4) {
                read(grey)?;
                let (pixels, _) = grey.as_chunks::<2>();
                for (to, &[grey, alpha]) in row.as_chunks_mut::<4>().0.iter_mut().zip(pixels) {
                    *to = [grey, grey, grey, alpha];
                }
            }
            Ok(Strip::from_rgba(data, pixels * 4))
        }
    }
}
