//! Stored captures: a picture kept beside its PNG in a form that comparisons read without decoding
//! it whole.
//!
//! The file begins with a header of fixed size, then one compressed block with the hashes of all
//! rows and cells, the table of strips, and the strips themselves, each [folded](fold) and compressed
//! by itself (Zstandard). All numbers are little-endian. All of it is in the PNG as well, so a file of
//! another version is refused, and whoever asked compares the PNGs.

mod fold;

use std::borrow::Cow;
use std::ops::Range;

use zstd::zstd_safe::{CParameter, get_frame_content_size};

use crate::decode::accept;
use crate::error::Error;
use crate::file::FileBytes;
use crate::geometry::Size;
use crate::png_rows::PngRows;
use crate::pool::Buffer;
use crate::raster::row::Row;
use crate::raster::strip::{Strip, strip_count, strip_rows};
use crate::row_hash::{cell_count, cell_hash, row_hash};

use fold::Rows;

/// Names the format and its version.
const MAGIC: [u8; 8] = *b"PTSTRIP4";

/// What every version begins with.
const FAMILY: &[u8] = b"PTSTRIP";

/// Magic, width, height, bytes of the compressed hashes.
const HEADER_BYTES: usize = 8 + 4 + 4 + 4;

/// One entry of the table: channels (1), bytes of the compressed strip (4).
const ENTRY_BYTES: usize = 5;

/// Zstandard's level: the seventh takes a sixteenth off a comparison, and nearly doubles what it takes to store a capture.
const LEVEL: i32 = 1;

/// The shortest repetition that Zstandard looks for. What repeats over fewer bytes saves little, and each takes time to unpack.
const MIN_MATCH: u32 = 7;

/// Hashes of a picture's rows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Hashes {
    /// One a row.
    pub(crate) rows: Vec<u64>,
    /// Row-major, [`cell_count`] a row.
    pub(crate) cells: Vec<u32>,
}

/// A stored capture that has been checked as far as its table.
#[derive(Debug)]
pub(crate) struct StripFile<'a> {
    file: FileBytes<'a>,
    size: Size,
    /// Where the compressed hashes lie.
    hashes: Range<u64>,
    /// Channels of each strip, and where its compressed bytes lie.
    strips: Vec<(usize, Range<u64>)>,
}

/// Turns a PNG into a stored capture.
///
/// # Errors
/// As [`crate::read_size`]; [`Error::Corrupt`] when the file cannot be decoded.
#[expect(clippy::missing_panics_doc, reason = "channels are 3 or 4")]
pub fn to_strips<'a>(png: impl Into<FileBytes<'a>>) -> Result<Vec<u8>, Error> {
    let mut rows = PngRows::open(png.into())?;
    let size = rows.size();
    let cells = cell_count(size.width);
    let count = strip_count(size);
    let mut hashes = Vec::with_capacity(size.height as usize * (8 + 4 * cells as usize));
    let mut cell_hashes = Vec::with_capacity(size.height as usize * 4 * cells as usize);
    let mut table = Vec::with_capacity(count as usize * ENTRY_BYTES);
    let mut body = Vec::new();
    let mut compressor = zstd::bulk::Compressor::new(LEVEL).map_err(encode_error)?;
    compressor
        .set_parameter(CParameter::MinMatch(MIN_MATCH))
        .map_err(encode_error)?;
    for index in 0..count {
        let strip = rows.read_strip()?;
        let strip_rows = strip_rows(size, index);
        for row in (0..strip_rows).map(|row| strip.row(row, size.width)) {
            hashes.extend(row_hash(row).to_le_bytes());
            cell_hashes
                .extend((0..cells).flat_map(|cell| cell_hash(row, cell, size.width).to_le_bytes()));
        }
        let pixels = strip_rows as usize * size.width as usize;
        let rows = Rows::new(strip_rows as usize, size.width as usize, strip.channels());
        let packed = compressor
            .compress(&rows.fold(strip.bytes(pixels)))
            .map_err(encode_error)?;
        table.push(u8::try_from(strip.channels()).expect("3 or 4"));
        table.extend(length(packed.len()).to_le_bytes());
        body.extend(packed);
    }
    hashes.extend(cell_hashes);
    let hashes = compressor.compress(&hashes).map_err(encode_error)?;
    let mut file = Vec::with_capacity(HEADER_BYTES + hashes.len() + table.len() + body.len());
    file.extend(MAGIC);
    file.extend(size.width.to_le_bytes());
    file.extend(size.height.to_le_bytes());
    file.extend(length(hashes.len()).to_le_bytes());
    file.extend(hashes);
    file.extend(table);
    file.extend(body);
    Ok(file)
}

/// Whether a file is a stored capture that this version reads, as far as its header and its table tell.
///
/// # Errors
/// [`Error::Unreadable`].
pub fn is_strips<'a>(file: impl Into<FileBytes<'a>>) -> Result<bool, Error> {
    match StripFile::open(file.into()) {
        Ok(_) => Ok(true),
        Err(error @ Error::Unreadable(_)) => Err(error),
        Err(_) => Ok(false),
    }
}

impl<'a> StripFile<'a> {
    /// Checks a stored capture's header and table; nothing is decompressed.
    pub(crate) fn open(file: FileBytes<'a>) -> Result<Self, Error> {
        let header = file.head(HEADER_BYTES as u64)?;
        if header.starts_with(FAMILY) && !header.starts_with(&MAGIC) {
            return Err(damaged("it is of another version"));
        }
        if !header.starts_with(&MAGIC) || header.len() < HEADER_BYTES {
            return Err(damaged("its header is missing"));
        }
        let number = |at: usize| {
            u32::from_le_bytes([header[at], header[at + 1], header[at + 2], header[at + 3]])
        };
        let size = Size {
            width: number(8),
            height: number(12),
        };
        if size.width == 0 || size.height == 0 {
            return Err(damaged("its header names no pixels"));
        }
        accept(size)?;
        let start = HEADER_BYTES as u64;
        let hashes = start..start + u64::from(number(16));
        if hashes.end > file.len() {
            return Err(damaged("its hashes end early"));
        }
        let mut end = hashes.end + u64::from(strip_count(size)) * ENTRY_BYTES as u64;
        let table = file.part(hashes.end..end)?;
        let table = table.ok_or_else(|| damaged("its table ends early"))?;
        let (entries, _) = table.as_chunks::<ENTRY_BYTES>();
        let strips = entries
            .iter()
            .map(|&[channels, a, b, c, d]| {
                let start = end;
                end += u64::from(u32::from_le_bytes([a, b, c, d]));
                if end > file.len() || !matches!(channels, 3 | 4) {
                    return Err(damaged("its strips end early"));
                }
                Ok((usize::from(channels), start..end))
            })
            .collect::<Result<_, Error>>()?;
        Ok(Self {
            file,
            size,
            hashes,
            strips,
        })
    }

    pub(crate) fn size(&self) -> Size {
        self.size
    }

    /// A part of the file that lay in it when it was opened.
    fn part(&self, range: &Range<u64>) -> Result<Cow<'a, [u8]>, Error> {
        let part = self.file.part(range.clone())?;
        Ok(part.expect("it was looked at when the file was opened"))
    }

    /// The hashes of all rows and cells.
    pub(crate) fn hashes(&self) -> Result<Hashes, Error> {
        let rows = self.size.height as usize;
        let cells = rows * cell_count(self.size.width) as usize;
        let bytes = unpack(&self.part(&self.hashes)?, rows * 8 + cells * 4)?;
        let (row_bytes, cell_bytes) = bytes.split_at(rows * 8);
        let (row_bytes, _) = row_bytes.as_chunks::<8>();
        let (cell_bytes, _) = cell_bytes.as_chunks::<4>();
        Ok(Hashes {
            rows: row_bytes
                .iter()
                .map(|hash| u64::from_le_bytes(*hash))
                .collect(),
            cells: cell_bytes
                .iter()
                .map(|hash| u32::from_le_bytes(*hash))
                .collect(),
        })
    }

    /// Decompresses one strip.
    pub(crate) fn strip(&self, index: u32) -> Result<Strip, Error> {
        let (channels, range) = &self.strips[index as usize];
        let (channels, packed) = (*channels, self.part(range)?);
        let (count, width) = (
            strip_rows(self.size, index) as usize,
            self.size.width as usize,
        );
        let rows = Rows::new(count, width, channels);
        let folded = match get_frame_content_size(&packed) {
            Ok(Some(bytes)) => usize::try_from(bytes).ok(),
            _ => None,
        };
        let start = folded
            .and_then(|folded| rows.most().checked_sub(folded))
            .ok_or_else(|| damaged("a strip does not say how long it is, or is too long"))?;
        let mut data = Buffer::take(rows.most());
        unpack_to(&packed, &mut data[start..])?;
        rows.unfold(&mut data, start)
            .ok_or_else(|| damaged("a strip does not hold what it says"))?;
        Ok(if channels == 3 {
            Strip::from_rgb(data)
        } else {
            Strip::from_rgba(data, count * width * 4)
        })
    }
}

/// The hashes of a picture that is at hand.
pub(crate) fn cell_hashes<'a>(rows: impl Iterator<Item = Row<'a>>, width: u32) -> Vec<u32> {
    let cells = cell_count(width);
    rows.flat_map(|row| (0..cells).map(move |cell| cell_hash(row, cell, width)))
        .collect()
}

/// Decompresses to exactly this many bytes.
fn unpack(packed: &[u8], bytes: usize) -> Result<Buffer, Error> {
    let mut data = Buffer::take(bytes);
    unpack_to(packed, &mut data)?;
    Ok(data)
}

/// Decompresses to exactly as many bytes as there is room.
fn unpack_to(packed: &[u8], room: &mut [u8]) -> Result<(), Error> {
    thread_local! {
        static DECOMPRESSOR: std::cell::RefCell<Option<zstd::bulk::Decompressor<'static>>> =
            const { std::cell::RefCell::new(None) };
    }
    DECOMPRESSOR.with_borrow_mut(|slot| {
        let decompressor = match slot {
            Some(decompressor) => decompressor,
            None => slot.insert(
                zstd::bulk::Decompressor::new()
                    .map_err(|error| Error::Corrupt(error.to_string()))?,
            ),
        };
        match decompressor.decompress_to_buffer(packed, room) {
            Ok(written) if written == room.len() => Ok(()),
            Ok(_) => Err(damaged("a block is too short")),
            Err(error) => Err(Error::Corrupt(error.to_string())),
        }
    })
}

fn damaged(what: &str) -> Error {
    Error::Corrupt(format!("the stored capture cannot be read: {what}"))
}

fn length(bytes: usize) -> u32 {
    u32::try_from(bytes).expect("a picture's part is smaller than 4 GiB")
}

#[expect(
    clippy::needless_pass_by_value,
    reason = "it is what map_err hands over"
)]
fn encode_error(error: std::io::Error) -> Error {
    Error::Encode(error.to_string())
}
