//! The chunks of a PNG file (Portable Network Graphics, third edition, section 5), as far as their names and lengths go.

use std::io::{BufRead, Read};

use crate::error::Error;
use crate::file::{FileBytes, Reading};

/// Signature, and the header chunk with its length, name and checksum.
const FIRST_CHUNK_END: u64 = 8 + 12 + 13;

/// Length and name in front of a chunk's contents.
const HEAD_BYTES: u64 = 4 + 4;

/// The checksum behind them, which is not looked at.
pub(crate) const CHECKSUM_BYTES: u64 = 4;

/// The chunks of a file from some place on.
#[derive(Debug)]
pub(crate) struct Chunks<'a> {
    reading: Reading<'a>,
    /// Where the reading stands.
    at: u64,
    /// Where the contents of the current chunk end.
    contents_end: u64,
    file_end: u64,
}

impl<'a> Chunks<'a> {
    /// Those behind the header; [`Chunks::next`] finds none when the file ends before.
    pub(crate) fn behind_header(png: FileBytes<'a>) -> Result<Self, Error> {
        let mut reading = png.reading();
        reading.pass_over(FIRST_CHUNK_END)?;
        Ok(Self {
            reading,
            at: FIRST_CHUNK_END,
            // As if the header were the current chunk.
            contents_end: FIRST_CHUNK_END - CHECKSUM_BYTES,
            file_end: png.len(),
        })
    }

    /// Goes on to the next chunk and tells its name; `None` when there is none, or it is cut off.
    pub(crate) fn next(&mut self) -> Result<Option<[u8; 4]>, Error> {
        let start = self.contents_end + CHECKSUM_BYTES;
        if start + HEAD_BYTES > self.file_end {
            return Ok(None);
        }
        self.reading.pass_over(start - self.at)?;
        let mut head = [0; 8];
        self.reading.read_exact(&mut head)?;
        self.at = start + HEAD_BYTES;
        let [a, b, c, d, name @ ..] = head;
        self.contents_end = self.at + u64::from(u32::from_be_bytes([a, b, c, d]));
        if self.contents_end + CHECKSUM_BYTES > self.file_end {
            // Nothing of it is read, and nothing is behind it.
            self.contents_end = self.file_end;
            self.at = self.file_end;
            return Ok(None);
        }
        Ok(Some(name))
    }

    /// What comes next of the current chunk's contents, as far as it is at hand; nothing at their end.
    pub(crate) fn contents(&mut self) -> Result<&[u8], Error> {
        let left = usize::try_from(self.contents_end.saturating_sub(self.at)).unwrap_or(usize::MAX);
        if left == 0 {
            return Ok(&[]);
        }
        let at_hand = self.reading.fill_buf()?;
        Ok(&at_hand[..left.min(at_hand.len())])
    }

    /// Passes over so many bytes of what [`Chunks::contents`] gave.
    pub(crate) fn consume(&mut self, bytes: usize) {
        self.reading.consume(bytes);
        self.at += bytes as u64;
    }
}

/// The name of chunks with pixels.
pub(crate) const PIXELS: &[u8; 4] = b"IDAT";

/// Refuses a file that is cut off before its last chunk ends, or whose pixels are none or do not lie together; what follows the
/// last chunk does not matter.
pub(crate) fn check_whole(png: FileBytes<'_>) -> Result<(), Error> {
    let corrupt = |why: &str| Err(Error::Corrupt(why.into()));
    let mut chunks = Chunks::behind_header(png)?;
    let mut pixel_bytes = 0;
    let mut before = [0; 4];
    while let Some(name) = chunks.next()? {
        if &name == b"IEND" {
            if pixel_bytes == 0 {
                return corrupt("it has no pixels");
            }
            return Ok(());
        }
        if &name == PIXELS {
            if pixel_bytes > 0 && &before != PIXELS {
                return corrupt("its chunks with pixels do not follow each other");
            }
            pixel_bytes += chunks.contents_end - chunks.at;
        }
        before = name;
    }
    corrupt("it is cut off before its end")
}
