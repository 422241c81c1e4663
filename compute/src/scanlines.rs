//! The rows of a plain PNG as its file has them: inflated, each still filtered behind its filter type.
//!
//! The `png` crate hands out finished pixels only. Two captures of a page share most of their rows, and
//! rows that are the same before filtering need not be unfiltered twice; see [`crate::side_by_side`].
//! Everything in front of the pixels stays the crate's business, and so do all kinds of pictures that
//! browsers do not write: grey, palettes, 16 bits, interlaced, transparent colours, animations.

use std::ops::Range;

use png::{BitDepth, ColorType};
use zlib_rs::{Inflate, InflateFlush};

use crate::chunks::{Chunks, PIXELS};
use crate::decode::PngReader;
use crate::error::Error;
use crate::file::FileBytes;
use crate::pool::Buffer;

/// Bytes of the header in front of a deflate stream (RFC 1950).
const ZLIB_HEADER: usize = 2;

/// Power of two of the bytes that a deflate stream may refer back to (RFC 1951).
const WINDOW_BITS: u8 = 15;

/// Rows of one plain PNG, from the first on.
pub(crate) struct Scanlines<'a> {
    /// 3 (RGB) or 4 (RGBA).
    channels: usize,
    row_bytes: usize,
    /// At a chunk with pixels, or behind the last.
    chunks: Chunks<'a>,
    /// Whether it is behind the last, and what follows it is a chunk.
    ended: bool,
    /// Works on the bare stream: the checksum behind it would cost more than it tells.
    inflate: Box<Inflate>,
    /// The header's bytes, as far as they were read.
    header: Vec<u8>,
    /// The latest rows.
    inflated: Buffer,
}

/// What one call of the inflater came to.
struct Step {
    had_input: bool,
    read: usize,
    written: usize,
}

/// Rows as the file has them: a byte for the filter type each, and its filtered bytes.
#[derive(Clone, Copy)]
pub(crate) struct Lines<'l> {
    bytes: &'l [u8],
    row_bytes: usize,
}

impl<'a> Scanlines<'a> {
    /// The rows of a file whose header a reader has read; `None` when it is of another kind.
    pub(crate) fn of(png: FileBytes<'a>, reader: &PngReader<'_>) -> Result<Option<Self>, Error> {
        let info = reader.info();
        let channels = match info.color_type {
            ColorType::Rgb => 3,
            ColorType::Rgba => 4,
            ColorType::Grayscale | ColorType::GrayscaleAlpha | ColorType::Indexed => {
                return Ok(None);
            }
        };
        let plain = info.bit_depth == BitDepth::Eight
            && !info.interlaced
            && info.trns.is_none()
            && info.animation_control.is_none();
        if !plain {
            return Ok(None);
        }
        let mut chunks = Chunks::behind_header(png)?;
        while &chunks.next()?.ok_or_else(Error::ended_early)? != PIXELS {}
        Ok(Some(Self {
            channels,
            row_bytes: 1 + info.width as usize * channels,
            chunks,
            ended: false,
            inflate: Box::new(Inflate::new(false, WINDOW_BITS)),
            header: Vec::with_capacity(ZLIB_HEADER),
            inflated: Buffer::take(0),
        }))
    }

    /// Channels of its pixels: 3 (RGB) or 4 (RGBA).
    pub(crate) fn channels(&self) -> usize {
        self.channels
    }

    /// The next so many rows.
    pub(crate) fn take(&mut self, rows: usize) -> Result<Lines<'_>, Error> {
        let end = rows * self.row_bytes;
        if self.inflated.len() < end {
            self.inflated = Buffer::take(end);
        }
        let mut filled = 0;
        while filled < end {
            if self.header.len() < ZLIB_HEADER && self.read_header()? {
                continue;
            }
            let step = self.step(filled..end)?;
            filled += step.written;
            if step.is_stuck() && (step.had_input || !self.next_chunk()?) {
                return Err(Error::ended_early());
            }
        }
        Ok(Lines {
            bytes: &self.inflated[..end],
            row_bytes: self.row_bytes,
        })
    }

    /// Reads what is behind the last row; there must be the end of the file's pixels.
    pub(crate) fn finish(&mut self) -> Result<(), Error> {
        while self.next_chunk()? {}
        Ok(())
    }

    /// Reads a byte of the header, and checks it when it is the last; says whether the current chunk had one.
    fn read_header(&mut self) -> Result<bool, Error> {
        let Some(&byte) = self.chunks.contents()?.first() else {
            return Ok(false);
        };
        self.chunks.consume(1);
        self.header.push(byte);
        let &[method, flags] = self.header.as_slice() else {
            return Ok(true);
        };
        let is_deflate = method & 0x0f == 8 && method >> 4 <= WINDOW_BITS - 8;
        let has_dictionary = flags & 0x20 != 0;
        if is_deflate && !has_dictionary && u16::from_be_bytes([method, flags]).is_multiple_of(31) {
            Ok(true)
        } else {
            Err(cannot_inflate("their header is none of zlib's"))
        }
    }

    /// Inflates what the current chunk gives into a part of the buffer.
    fn step(&mut self, to: Range<usize>) -> Result<Step, Error> {
        let input = self.chunks.contents()?;
        let had_input = !input.is_empty();
        let before = (self.inflate.total_in(), self.inflate.total_out());
        (self.inflate)
            .decompress(input, &mut self.inflated[to], InflateFlush::NoFlush)
            .map_err(|error| cannot_inflate(error.as_str()))?;
        let passed = |from: u64, to: u64| usize::try_from(to - from).expect("a part of a buffer");
        let read = passed(before.0, self.inflate.total_in());
        self.chunks.consume(read);
        Ok(Step {
            had_input,
            read,
            written: passed(before.1, self.inflate.total_out()),
        })
    }

    /// Goes on to the next chunk with pixels, if there is one.
    fn next_chunk(&mut self) -> Result<bool, Error> {
        if !self.ended {
            let name = self.chunks.next()?.ok_or_else(Error::ended_early)?;
            self.ended = &name != PIXELS;
        }
        Ok(!self.ended)
    }
}

impl Step {
    /// It got no further, so it wants more input.
    fn is_stuck(&self) -> bool {
        self.read + self.written == 0
    }
}

impl<'l> Lines<'l> {
    /// Rows of so many bytes each, one behind the other.
    #[cfg(test)]
    pub(crate) fn of(bytes: &'l [u8], row_bytes: usize) -> Self {
        Self { bytes, row_bytes }
    }

    pub(crate) fn count(self) -> usize {
        self.bytes.len() / self.row_bytes
    }

    /// Some of the rows; there must be as many.
    pub(crate) fn part(self, rows: Range<usize>) -> Self {
        Self {
            bytes: &self.bytes[rows.start * self.row_bytes..rows.end * self.row_bytes],
            row_bytes: self.row_bytes,
        }
    }

    pub(crate) fn iter(self) -> impl Iterator<Item = &'l [u8]> {
        self.bytes.chunks_exact(self.row_bytes)
    }

    /// The row with this number; there must be one.
    pub(crate) fn line(self, row: usize) -> &'l [u8] {
        &self.bytes[row * self.row_bytes..][..self.row_bytes]
    }
}

fn cannot_inflate(why: &str) -> Error {
    Error::Corrupt(format!("its pixels cannot be inflated: {why}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::decode::open_reader;
    use crate::encode::encode_rgb;
    use crate::geometry::Size;

    const SIZE: Size = Size {
        width: 40,
        height: 30,
    };

    /// A picture's file: what lies in front of its pixels, and their whole zlib stream.
    fn parts() -> (Vec<u8>, Vec<u8>) {
        let png = encode_rgb(SIZE, |y, row| {
            for (x, byte) in (0u32..).zip(row) {
                *byte = u8::try_from((x * 7 + y * y * 13) % 251).unwrap();
            }
        })
        .unwrap();
        let mut chunks = Chunks::behind_header((&png).into()).unwrap();
        let mut stream = Vec::new();
        while let Some(name) = chunks.next().unwrap() {
            if &name == PIXELS {
                stream.extend_from_slice(chunks.contents().unwrap());
            }
        }
        (png[..8 + 12 + 13].to_vec(), stream)
    }

    /// A file with its pixels' stream in these chunks.
    fn file(front: &[u8], idats: &[&[u8]]) -> Vec<u8> {
        let ends = [(b"IEND", &[][..])];
        let chunks = idats.iter().map(|&part| (b"IDAT", part)).chain(ends);
        let mut png = front.to_vec();
        for (name, contents) in chunks {
            png.extend(u32::try_from(contents.len()).unwrap().to_be_bytes());
            png.extend(name);
            png.extend(contents);
            // Nobody looks at the checksum of a chunk with pixels.
            png.extend([0; 4]);
        }
        png
    }

    /// All rows of a file, taken so many at a time, and what is behind them.
    fn rows(png: &[u8], at_once: usize) -> Result<Vec<u8>, Error> {
        let (reader, size) = open_reader(png.into())?;
        let mut scanlines = Scanlines::of(png.into(), &reader)?.unwrap();
        let mut found = Vec::new();
        let mut left = size.height as usize;
        while left > 0 {
            let lines = scanlines.take(at_once.min(left))?;
            found.extend(lines.iter().flatten());
            left -= at_once.min(left);
        }
        scanlines.finish()?;
        Ok(found)
    }

    fn why(png: &[u8]) -> String {
        rows(png, 8).unwrap_err().to_string()
    }

    #[test]
    fn a_stream_may_be_cut_into_chunks_anywhere() {
        let (front, stream) = parts();
        let whole = rows(&file(&front, &[&stream]), 30).unwrap();
        assert_eq!(whole.len(), 30 * (1 + 3 * 40));
        for at_once in [1, 7, 30] {
            let single: Vec<&[u8]> = stream.chunks(1).collect();
            assert_eq!(rows(&file(&front, &single), at_once).unwrap(), whole);
            let (head, body) = stream.split_at(1);
            let (flags, body) = body.split_at(1);
            let empty: [&[u8]; 7] = [&[], head, &[], flags, &[], body, &[]];
            assert_eq!(rows(&file(&front, &empty), at_once).unwrap(), whole);
        }
    }

    #[test]
    fn a_stream_without_the_header_of_zlib_is_refused() {
        let (front, stream) = parts();
        let with_header = |method: u8, flags: u8| {
            let mut stream = stream.clone();
            stream[..2].copy_from_slice(&[method, flags]);
            why(&file(&front, &[&stream]))
        };
        // A check that fails, another method, too large a window, and a dictionary that no file of this kind has.
        for (method, flags) in [(0x78, 0x02), (0x79, 0x18), (0x88, 0x1c), (0x78, 0x20)] {
            let is_checked = u16::from_be_bytes([method, flags]).is_multiple_of(31);
            assert_eq!(is_checked, flags != 0x02, "{method:x} {flags:x}");
            let why = with_header(method, flags);
            assert!(why.contains("header is none of zlib's"), "{why}");
        }
    }

    #[test]
    fn a_stream_that_ends_early_is_refused_wherever_it_is_cut() {
        let (front, stream) = parts();
        // The last four bytes are a checksum that is not read.
        let deflated = stream.len() - 4;
        for kept in (0..deflated - 2).step_by(11).chain([1, 2, deflated / 2]) {
            let why = why(&file(&front, &[&stream[..kept]]));
            let expected = match kept {
                0 => "it has no pixels",
                _ => "it ends before its last row",
            };
            assert!(why.contains(expected), "{kept}: {why}");
        }
        let mut cut = file(&front, &[&stream]);
        cut.truncate(cut.len() - 30);
        assert!(why(&cut).contains("it is cut off before its end"));
    }

    #[test]
    fn a_stream_that_is_none_is_refused() {
        let (front, mut stream) = parts();
        // A block of the kind that does not exist.
        stream[2] |= 0b110;
        let why = why(&file(&front, &[&stream]));
        assert!(why.contains("its pixels cannot be inflated"), "{why}");
    }
}
