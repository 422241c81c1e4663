//! The rows of a plain PNG as its file has them: inflated, each still filtered behind its filter type.
//!
//! The `png` crate hands out finished pixels only. Two captures of a page share most of their rows, and
//! rows that are the same before filtering need not be unfiltered twice; see [`crate::side_by_side`].
//! Everything in front of the pixels stays the crate's business, and so do all kinds of pictures that
//! browsers do not write: grey, palettes, 16 bits, interlaced, transparent colours, animations.

use fdeflate::Decompressor;
use png::{BitDepth, ColorType};

use crate::decode::PngReader;
use crate::error::Error;
use crate::pool::Buffer;

/// Bytes that a deflate stream may refer back to (RFC 1951).
const HISTORY: usize = 32 << 10;

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
    inflate: Box<Decompressor>,
    /// Up to [`HISTORY`] bytes of earlier rows, and behind them the latest.
    inflated: Buffer,
    filled: usize,
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
        let mut inflate = Box::new(Decompressor::new());
        inflate.ignore_adler32();
        plain.then(|| Self {
            channels,
            row_bytes: 1 + info.width as usize * channels,
            chunks,
            input: &[],
            inflate,
            inflated: Buffer::take(0),
            filled: 0,
        })
    }

    /// Channels of its pixels: 3 (RGB) or 4 (RGBA).
    pub(crate) fn channels(&self) -> usize {
        self.channels
    }

    /// The next so many rows.
    pub(crate) fn take(&mut self, rows: usize) -> Result<Lines<'_>, Error> {
        let kept = self.filled.min(HISTORY);
        let history = self.filled - kept..self.filled;
        let end = kept + rows * self.row_bytes;
        if self.inflated.len() < end {
            let mut longer = Buffer::take(HISTORY + rows * self.row_bytes);
            longer[..kept].copy_from_slice(&self.inflated[history]);
            self.inflated = longer;
        } else {
            self.inflated.copy_within(history, 0);
        }
        self.filled = kept;
        while self.filled < end {
            if self.step(end)? {
                continue;
            }
            // It got no further, so it wants more input.
            if !self.input.is_empty() || !self.next_chunk()? {
                return Err(ended_early());
            }
        }
        Ok(Lines {
            bytes: &self.inflated[kept..end],
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

    /// Inflates what the current chunk gives, up to the place `end`; whether that was anything.
    fn step(&mut self, end: usize) -> Result<bool, Error> {
        let (read, written) = self
            .inflate
            .read(self.input, &mut self.inflated[..end], self.filled, false)
            .map_err(|error| Error::Corrupt(format!("its pixels cannot be inflated: {error:?}")))?;
        self.input = &self.input[read..];
        self.filled += written;
        Ok(read + written > 0)
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

fn ended_early() -> Error {
    Error::Corrupt("it ends before its last row".into())
}
