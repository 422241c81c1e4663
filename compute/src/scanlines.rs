//! The rows of a plain PNG as its file has them: inflated, each still filtered behind its filter type.
//!
//! The `png` crate hands out finished pixels only. Two captures of a page share most of their rows, and
//! rows that are the same before filtering need not be unfiltered twice; see [`crate::side_by_side`].
//! Everything in front of the pixels stays the crate's business, and so do all kinds of pictures that
//! browsers do not write: grey, palettes, 16 bits, interlaced, transparent colours, animations.

use std::ops::Range;

use png::{BitDepth, ColorType};
use zlib_rs::{Inflate, InflateFlush};

use crate::decode::PngReader;
use crate::error::Error;
use crate::pool::Buffer;

/// Bytes of the header in front of a deflate stream (RFC 1950).
const ZLIB_HEADER: usize = 2;

/// Power of two of the bytes that a deflate stream may refer back to (RFC 1951).
const WINDOW_BITS: u8 = 15;

/// Signature, and the header chunk with its length, name and checksum.
const FIRST_CHUNK_END: usize = 8 + 12 + 13;

/// Rows of one plain PNG, from the first on.
pub(crate) struct Scanlines<'a> {
    /// 3 (RGB) or 4 (RGBA).
    channels: usize,
    row_bytes: usize,
    chunks: Chunks<'a>,
    /// What is left of the chunk that is being inflated.
    input: &'a [u8],
    /// Works on the bare stream: the checksum behind it would cost more than it tells.
    inflate: Box<Inflate>,
    /// The header's bytes, as far as they were read.
    header: Vec<u8>,
    /// The latest rows.
    inflated: Buffer,
}

/// Rows as the file has them: a byte for the filter type each, and its filtered bytes.
#[derive(Clone, Copy)]
pub(crate) struct Lines<'l> {
    bytes: &'l [u8],
    row_bytes: usize,
}

/// The chunks with pixels, and what comes behind them.
struct Chunks<'a> {
    rest: &'a [u8],
}

impl<'a> Scanlines<'a> {
    /// The rows of a file whose header a reader has read; `None` when it is of another kind.
    pub(crate) fn of(png: &'a [u8], reader: &PngReader<'_>) -> Option<Self> {
        let info = reader.info();
        let channels = match info.color_type {
            ColorType::Rgb => 3,
            ColorType::Rgba => 4,
            ColorType::Grayscale | ColorType::GrayscaleAlpha | ColorType::Indexed => return None,
        };
        let plain = info.bit_depth == BitDepth::Eight
            && !info.interlaced
            && info.trns.is_none()
            && info.animation_control.is_none();
        let mut chunks = Chunks {
            rest: png.get(FIRST_CHUNK_END..)?,
        };
        while chunks.name()? != b"IDAT" {
            chunks.next()?;
        }
        plain.then(|| Self {
            channels,
            row_bytes: 1 + info.width as usize * channels,
            chunks,
            input: &[],
            inflate: Box::new(Inflate::new(false, WINDOW_BITS)),
            header: Vec::with_capacity(ZLIB_HEADER),
            inflated: Buffer::take(0),
        })
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
            if self.header.len() < ZLIB_HEADER && !self.input.is_empty() {
                self.read_header()?;
                continue;
            }
            let (read, written) = self.step(filled..end)?;
            filled += written;
            // It got no further, so it wants more input.
            if read + written == 0 && (!self.input.is_empty() || !self.next_chunk()?) {
                return Err(ended_early());
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
        match self.chunks.name() {
            Some(_) => Ok(()),
            None => Err(ended_early()),
        }
    }

    /// Reads a byte of the header, and checks it when it is the last.
    fn read_header(&mut self) -> Result<(), Error> {
        let (&byte, rest) = self.input.split_first().ok_or_else(ended_early)?;
        self.input = rest;
        self.header.push(byte);
        let &[method, flags] = self.header.as_slice() else {
            return Ok(());
        };
        let is_deflate = method & 0x0f == 8 && method >> 4 <= WINDOW_BITS - 8;
        let has_dictionary = flags & 0x20 != 0;
        if is_deflate && !has_dictionary && u16::from_be_bytes([method, flags]).is_multiple_of(31) {
            Ok(())
        } else {
            Err(cannot_inflate("their header is none of zlib's"))
        }
    }

    /// Inflates what the current chunk gives into a part of the buffer; says how many bytes it read and wrote.
    fn step(&mut self, to: Range<usize>) -> Result<(usize, usize), Error> {
        let before = (self.inflate.total_in(), self.inflate.total_out());
        (self.inflate)
            .decompress(self.input, &mut self.inflated[to], InflateFlush::NoFlush)
            .map_err(|error| cannot_inflate(error.as_str()))?;
        let passed = |from: u64, to: u64| usize::try_from(to - from).expect("a part of a buffer");
        let read = passed(before.0, self.inflate.total_in());
        let written = passed(before.1, self.inflate.total_out());
        self.input = &self.input[read..];
        Ok((read, written))
    }

    /// Goes on to the next chunk with pixels, if there is one.
    fn next_chunk(&mut self) -> Result<bool, Error> {
        if self.chunks.name() != Some(b"IDAT") {
            return Ok(false);
        }
        self.input = self.chunks.next().ok_or_else(ended_early)?;
        Ok(true)
    }
}

impl<'l> Lines<'l> {
    pub(crate) fn iter(self) -> impl Iterator<Item = &'l [u8]> {
        self.bytes.chunks_exact(self.row_bytes)
    }

    /// The row with this number; there must be one.
    pub(crate) fn line(self, row: usize) -> &'l [u8] {
        &self.bytes[row * self.row_bytes..][..self.row_bytes]
    }
}

impl<'a> Chunks<'a> {
    /// The name of the chunk that comes next.
    fn name(&self) -> Option<&'a [u8; 4]> {
        self.rest.get(4..)?.first_chunk()
    }

    /// The contents of the next chunk; `None` when it is cut off.
    fn next(&mut self) -> Option<&'a [u8]> {
        let length = u32::from_be_bytes(*self.rest.first_chunk()?) as usize;
        let end = length.checked_add(8)?;
        let contents = self.rest.get(8..end)?;
        // A checksum follows; it is not looked at.
        self.rest = self.rest.get(end.checked_add(4)?..)?;
        Some(contents)
    }
}

fn cannot_inflate(why: &str) -> Error {
    Error::Corrupt(format!("its pixels cannot be inflated: {why}"))
}

fn ended_early() -> Error {
    Error::Corrupt("it ends before its last row".into())
}
