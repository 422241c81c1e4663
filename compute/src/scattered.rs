//! Pictures whose pixels do not come row by row from the top: interlaced files, and animations whose first frame leaves a part
//! of the picture out.

use std::vec::IntoIter;

use png::ColorType;

use crate::decode::{PngReader, frame_area};
use crate::error::Error;
use crate::geometry::Size;
use crate::pool::Buffer;
use crate::raster::spool::{Spool, tell_no_room};
use crate::raster::strip::{STRIP_ROWS, Strip, strip_count, strip_rows};

/// Where the pixels of one pass lie: the first column and row, and the steps to the next ones.
#[derive(Debug, Clone, Copy)]
struct Pass {
    left: u32,
    top: u32,
    across: u32,
    down: u32,
}

/// The passes of an interlaced file (PNG specification, third edition, section 8.1, "Adam7").
const ADAM7: [Pass; 7] = [
    Pass::new((0, 0), (8, 8)),
    Pass::new((4, 0), (8, 8)),
    Pass::new((0, 4), (4, 8)),
    Pass::new((2, 0), (4, 4)),
    Pass::new((0, 2), (2, 4)),
    Pass::new((1, 0), (2, 2)),
    Pass::new((0, 1), (1, 2)),
];

/// The only pass of a file that is not interlaced.
const IN_ORDER: [Pass; 1] = [Pass::new((0, 0), (1, 1))];

/// A strip that gets its pixels one by one. It has an alpha channel from its first pixel on that is not opaque: of a whole
/// page that is kept, a quarter counts.
struct Filling {
    width: usize,
    rows: usize,
    strip: Strip,
}

/// Strips that were decoded at once, and are handed out one by one.
pub(crate) enum Waiting {
    InMemory(IntoIter<Strip>),
    /// With the next one's number.
    OnDisk(Spool, usize),
}

impl Waiting {
    /// In memory when they have no more than so many bytes: the other picture of a pair needs room, too.
    pub(crate) fn of(strips: Vec<Strip>, most: usize) -> Self {
        let bytes: usize = strips.iter().map(|strip| strip.data().len()).sum();
        let written = (bytes > most).then(|| -> std::io::Result<Spool> {
            let spool = Spool::create()?;
            for (index, strip) in strips.iter().enumerate() {
                spool.write(index, strip)?;
            }
            Ok(spool)
        });
        match written {
            Some(Ok(spool)) => Self::OnDisk(spool, 0),
            Some(Err(error)) => {
                tell_no_room(&error);
                Self::InMemory(strips.into_iter())
            }
            None => Self::InMemory(strips.into_iter()),
        }
    }

    /// The next one; there must be one.
    pub(crate) fn next(&mut self) -> Result<Strip, Error> {
        match self {
            Self::InMemory(strips) => strips.next().ok_or_else(Error::ended_early),
            Self::OnDisk(spool, next) => {
                let strip = spool.read(*next).ok_or_else(Error::ended_early)??;
                *next += 1;
                Ok(strip)
            }
        }
    }
}

/// Decodes all strips at once, since the last pixels of such a file may belong to any of them.
pub(crate) fn read_scattered(reader: &mut PngReader<'_>, size: Size) -> Result<Vec<Strip>, Error> {
    let (color, _) = reader.output_color_type();
    let frame = frame_area(reader, size);
    let mut strips: Vec<Filling> = (0..strip_count(size))
        .map(|index| {
            let rows = strip_rows(size, index);
            if frame.size() == size {
                Filling::opaque(size.width, rows)
            } else {
                Filling::transparent(size.width, rows)
            }
        })
        .collect();
    let passes: &[Pass] = if reader.info().interlaced {
        &ADAM7
    } else {
        &IN_ORDER
    };
    for pass in passes.iter().filter(|pass| pass.left < frame.width) {
        for y in (pass.top..frame.height).step_by(pass.down as usize) {
            let row = reader.next_row()?;
            let row = row.ok_or_else(Error::ended_early)?;
            let (left, y) = (frame.x + pass.left, frame.y + y);
            let columns = (left as usize..).step_by(pass.across as usize);
            let strip = &mut strips[(y / STRIP_ROWS) as usize];
            strip.set(y % STRIP_ROWS, columns, row.data(), color);
        }
    }
    // The end of the compressed stream is part of a whole file.
    reader.next_row()?;
    Ok(strips.into_iter().map(|filling| filling.strip).collect())
}

impl Pass {
    const fn new((left, top): (u32, u32), (across, down): (u32, u32)) -> Self {
        Self {
            left,
            top,
            across,
            down,
        }
    }
}

impl Filling {
    /// Every pixel is still to come.
    fn opaque(width: u32, rows: u32) -> Self {
        let (width, rows) = (width as usize, rows as usize);
        Self {
            width,
            rows,
            strip: Strip::from_rgb(Buffer::take(3 * width * rows)),
        }
    }

    /// What is never set stays transparent.
    fn transparent(width: u32, rows: u32) -> Self {
        let (width, rows) = (width as usize, rows as usize);
        let mut data = Buffer::take_snug(4 * width * rows);
        data.fill(0);
        Self {
            width,
            rows,
            strip: Strip::from_translucent(data),
        }
    }

    /// Puts the pixels of a decoded row into some columns of one of its rows.
    fn set(
        &mut self,
        row: u32,
        columns: impl Iterator<Item = usize>,
        samples: &[u8],
        color: ColorType,
    ) {
        match color {
            ColorType::Grayscale => {
                self.set_pixels(row, columns, samples, |&[grey]| [grey, grey, grey, 255]);
            }
            ColorType::GrayscaleAlpha => {
                self.set_pixels(row, columns, samples, |&[grey, alpha]| {
                    [grey, grey, grey, alpha]
                });
            }
            ColorType::Rgb | ColorType::Indexed => {
                self.set_pixels(row, columns, samples, |&[r, g, b]| [r, g, b, 255]);
            }
            ColorType::Rgba => self.set_pixels(row, columns, samples, |&pixel: &[u8; 4]| pixel),
        }
    }

    fn set_pixels<const N: usize>(
        &mut self,
        row: u32,
        columns: impl Iterator<Item = usize>,
        samples: &[u8],
        rgba: impl Fn(&[u8; N]) -> [u8; 4],
    ) {
        let (samples, _) = samples.as_chunks::<N>();
        if self.strip.channels() == 3 && samples.iter().any(|pixel| rgba(pixel)[3] != 255) {
            self.add_alpha();
        }
        let to = self.strip.row_mut(row, self.width);
        if to.len() == 3 * self.width {
            let (to, _) = to.as_chunks_mut::<3>();
            for (x, pixel) in columns.zip(samples) {
                let [r, g, b, _] = rgba(pixel);
                to[x] = [r, g, b];
            }
        } else {
            let (to, _) = to.as_chunks_mut::<4>();
            for (x, pixel) in columns.zip(samples) {
                to[x] = rgba(pixel);
            }
        }
    }

    fn add_alpha(&mut self) {
        let pixels = self.width * self.rows;
        let mut data = Buffer::take_snug(4 * pixels);
        let (from, _) = self.strip.bytes(pixels).as_chunks::<3>();
        for (to, &[r, g, b]) in data.as_chunks_mut::<4>().0.iter_mut().zip(from) {
            *to = [r, g, b, 255];
        }
        self.strip = Strip::from_translucent(data);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_strip_gets_its_alpha_channel_with_its_first_translucent_pixel() {
        let mut filling = Filling::opaque(4, 2);
        for row in [0, 1] {
            filling.set(row, 0..4, &[7; 16][..12], ColorType::Rgb);
        }
        filling.set(1, 0..2, &[1, 2, 3, 255, 4, 5, 6, 255], ColorType::Rgba);
        assert_eq!(filling.strip.channels(), 3);
        filling.set(
            0,
            (1..4).step_by(2),
            &[9, 128, 8, 255],
            ColorType::GrayscaleAlpha,
        );
        assert_eq!(filling.strip.channels(), 4);
        let opaque = [7, 7, 7, 255];
        let (pixels, _) = filling.strip.bytes(8).as_chunks::<4>();
        assert_eq!(
            pixels[..4],
            [opaque, [9, 9, 9, 128], opaque, [8, 8, 8, 255]]
        );
        assert_eq!(
            pixels[4..],
            [[1, 2, 3, 255], [4, 5, 6, 255], opaque, opaque]
        );
    }

    #[test]
    fn strips_come_in_their_order_from_memory_and_from_disk() {
        for most in [usize::MAX, 0] {
            let strips = (1..4).map(|grey| {
                let mut data = Buffer::take(12);
                data.fill(grey);
                if grey == 2 {
                    Strip::from_translucent(data)
                } else {
                    Strip::from_rgb(data)
                }
            });
            let mut waiting = Waiting::of(strips.collect(), most);
            assert_eq!(matches!(waiting, Waiting::OnDisk(..)), most == 0);
            for (grey, channels) in [(1, 3), (2, 4), (3, 3)] {
                let strip = waiting.next().unwrap();
                assert_eq!(
                    (strip.data(), strip.channels()),
                    (&[grey; 12][..], channels)
                );
            }
            assert!(waiting.next().is_err());
        }
    }

    #[test]
    fn the_passes_of_an_interlaced_file_hold_every_pixel_once() {
        for (width, height) in [(1, 1), (5, 3), (8, 8), (13, 9)] {
            let mut seen = vec![0; (width * height) as usize];
            for pass in ADAM7 {
                for y in (pass.top..height).step_by(pass.down as usize) {
                    for x in (pass.left..width).step_by(pass.across as usize) {
                        seen[(y * width + x) as usize] += 1;
                    }
                }
            }
            assert!(seen.iter().all(|&times| times == 1), "{width}×{height}");
        }
    }
}
