//! The chunks of a PNG file (Portable Network Graphics, third edition, section 5), as far as their names and lengths go.

use crate::error::Error;

/// Signature, and the header chunk with its length, name and checksum.
pub(crate) const FIRST_CHUNK_END: usize = 8 + 12 + 13;

/// The chunks of a file from some place on.
pub(crate) struct Chunks<'a> {
    rest: &'a [u8],
}

impl<'a> Chunks<'a> {
    /// Those behind the header; `None` when the file ends before.
    pub(crate) fn behind_header(png: &'a [u8]) -> Option<Self> {
        let rest = png.get(FIRST_CHUNK_END..)?;
        Some(Self { rest })
    }

    /// The name of the chunk that comes next.
    pub(crate) fn name(&self) -> Option<&'a [u8; 4]> {
        self.rest.get(4..)?.first_chunk()
    }

    /// The contents of the next chunk; `None` when it is cut off.
    pub(crate) fn next(&mut self) -> Option<&'a [u8]> {
        let length = u32::from_be_bytes(*self.rest.first_chunk()?) as usize;
        let end = length.checked_add(8)?;
        let contents = self.rest.get(8..end)?;
        // A checksum follows; it is not looked at.
        self.rest = self.rest.get(end.checked_add(4)?..)?;
        Some(contents)
    }
}

/// Refuses a file that is cut off before its last chunk ends; what follows that does not matter.
pub(crate) fn check_whole(png: &[u8]) -> Result<(), Error> {
    let mut chunks = Chunks::behind_header(png);
    while let Some(name) = chunks.as_ref().and_then(Chunks::name) {
        if chunks.as_mut().and_then(Chunks::next).is_none() {
            break;
        }
        if name == b"IEND" {
            return Ok(());
        }
    }
    Err(Error::Corrupt("it is cut off before its end".into()))
}
