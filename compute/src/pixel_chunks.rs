//! A PNG file as if it had only the chunks that its pixels hang on.
//!
//! Photographs' data, texts and colour profiles may be megabytes long, and the decoder would read them into memory, or give up on
//! them, for nothing: no figure of a comparison hangs on them.

use std::io::{BufRead, Error, ErrorKind, Read, Result, Seek, SeekFrom};

use crate::chunks::CHECKSUM_BYTES;
use crate::file::{FileBytes, Reading};

/// Length and name of a chunk; a file's signature is as long.
const HEAD_BYTES: usize = 8;

/// What a decoder must know of the chunks that others may ignore (PNG, third edition, section 11.3): transparent colours, and
/// which part of the picture an animation begins with.
const ANCILLARY: [[u8; 4]; 4] = [*b"tRNS", *b"acTL", *b"fcTL", *b"fdAT"];

/// The bytes of a file without the chunks that do not matter, and without what follows the last chunk.
#[derive(Debug)]
pub(crate) struct PixelChunks<'a> {
    reading: Reading<'a>,
    /// The signature, or the head of the current chunk.
    head: [u8; HEAD_BYTES],
    /// How many of its bytes were consumed.
    head_consumed: usize,
    /// Bytes left of the current chunk behind its head, its checksum among them.
    left: u64,
    /// The current chunk is the last.
    is_last: bool,
}

impl<'a> PixelChunks<'a> {
    /// Those of a file with a PNG's signature.
    pub(crate) fn of(png: FileBytes<'a>) -> Result<Self> {
        let mut chunks = Self {
            reading: png.reading(),
            head: [0; HEAD_BYTES],
            head_consumed: 0,
            left: 0,
            is_last: false,
        };
        chunks.reading.read_exact(&mut chunks.head)?;
        Ok(chunks)
    }

    /// Goes on to the next chunk that matters.
    fn next_chunk(&mut self) -> Result<()> {
        loop {
            self.reading.read_exact(&mut self.head)?;
            let [a, b, c, d, name @ ..] = self.head;
            self.left = u64::from(u32::from_be_bytes([a, b, c, d])) + CHECKSUM_BYTES;
            if matters(name) {
                self.head_consumed = 0;
                self.is_last = &name == b"IEND";
                return Ok(());
            }
            self.reading.pass_over(self.left)?;
        }
    }
}

/// Chunks whose name begins with a byte without this bit, a capital where it is a letter, are those that every decoder must know
/// (section 5.4); one that is no letter is left to the decoder to refuse.
fn matters(name: [u8; 4]) -> bool {
    const ANCILLARY_BIT: u8 = 1 << 5;
    name[0] & ANCILLARY_BIT == 0 || ANCILLARY.contains(&name)
}

impl BufRead for PixelChunks<'_> {
    fn fill_buf(&mut self) -> Result<&[u8]> {
        if self.head_consumed == HEAD_BYTES && self.left == 0 {
            if self.is_last {
                return Ok(&[]);
            }
            self.next_chunk()?;
        }
        if self.head_consumed < HEAD_BYTES {
            return Ok(&self.head[self.head_consumed..]);
        }
        let at_hand = self.reading.fill_buf()?;
        let left = usize::try_from(self.left).unwrap_or(usize::MAX);
        Ok(&at_hand[..left.min(at_hand.len())])
    }

    fn consume(&mut self, bytes: usize) {
        if self.head_consumed < HEAD_BYTES {
            self.head_consumed += bytes;
        } else {
            self.reading.consume(bytes);
            self.left -= bytes as u64;
        }
    }
}

impl Read for PixelChunks<'_> {
    fn read(&mut self, to: &mut [u8]) -> Result<usize> {
        let read = self.fill_buf()?.read(to)?;
        self.consume(read);
        Ok(read)
    }
}

impl Seek for PixelChunks<'_> {
    /// The decoder wants to be able to, and never does.
    fn seek(&mut self, _: SeekFrom) -> Result<u64> {
        Err(Error::from(ErrorKind::Unsupported))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chunk(name: [u8; 4], contents: &[u8]) -> Vec<u8> {
        let length = u32::try_from(contents.len()).unwrap().to_be_bytes();
        [&length[..], &name, contents, &[7; 4]].concat()
    }

    fn file(chunks: &[Vec<u8>]) -> Vec<u8> {
        [b"\x89PNG\r\n\x1a\n".to_vec(), chunks.concat()].concat()
    }

    /// What is read of it, so many bytes at a time.
    fn read(png: &[u8], at_once: usize) -> Result<Vec<u8>> {
        let mut chunks = PixelChunks::of(png.into())?;
        let (mut read, mut piece) = (Vec::new(), vec![0; at_once]);
        loop {
            match chunks.read(&mut piece)? {
                0 => return Ok(read),
                bytes => read.extend(&piece[..bytes]),
            }
        }
    }

    #[test]
    fn what_says_nothing_about_pixels_is_left_out() {
        let [header, palette, pixels, end] = [
            chunk(*b"IHDR", &[1; 13]),
            chunk(*b"PLTE", &[2; 6]),
            chunk(*b"IDAT", &[3; 50]),
            chunk(*b"IEND", &[]),
        ];
        let transparent = chunk(*b"tRNS", &[9]);
        let [photograph, text] = [chunk(*b"eXIf", &[4; 300]), chunk(*b"tEXt", &[])];
        let needed = [header, palette, transparent, pixels.clone(), pixels, end];
        let others = [&photograph, &text, &photograph, &text, &text, &photograph];
        let whole: Vec<_> = needed
            .iter()
            .zip(others)
            .flat_map(|(needed, other)| [other.clone(), needed.clone()])
            .chain([text.clone()])
            .collect();
        let whole = file(&whole);
        for at_once in [1, 3, 8, 1000] {
            assert_eq!(read(&whole, at_once).unwrap(), file(&needed), "{at_once}");
        }
    }

    /// Of a file that has changed since it was looked through.
    #[test]
    fn a_file_that_ends_early_is_an_error() {
        let whole = file(&[chunk(*b"IDAT", &[3; 50]), chunk(*b"IEND", &[])]);
        for length in [0, 7, 8, 12, 8 + 62, 8 + 62 + 5] {
            let error = read(&whole[..length], 100).unwrap_err();
            assert_eq!(error.kind(), ErrorKind::UnexpectedEof, "{length}");
        }
        let within_contents = read(&whole[..30], 100).unwrap();
        assert_eq!(within_contents, &whole[..30], "the decoder notices");
    }
}
