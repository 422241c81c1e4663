//! The bytes of a picture's file: in memory, or on disk and read piece by piece.
//!
//! A page of photographs or noise is nearly as long in its file as its pixels are in memory, and both pictures of a pair lie in
//! memory when they differ all over. Files that long need not lie there beside them.

use std::borrow::Cow;
use std::fs::{File, Metadata};
use std::io::{BufRead, BufReader, Cursor, Error, ErrorKind, Read, Result, Seek, SeekFrom};
use std::ops::Range;
use std::os::unix::fs::FileExt;

use twox_hash::xxhash3_128::Hasher;

/// Bytes of the longest file that is read into memory at once: two of them are little beside the pixels of a large pair.
const SHORT_BYTES: u64 = 1 << 20;

/// Bytes read of a file on disk at once: few calls, and they are still in the second-level cache when they are inflated.
const PIECE_BYTES: usize = 256 << 10;

/// A picture's file, in memory or on disk.
#[derive(Debug)]
pub enum PictureFile {
    /// All of its bytes.
    Memory(Vec<u8>),
    /// A file that stays open, and is read as far as somebody needs it.
    Disk(DiskFile),
}

/// A file on disk. Whoever changes it while it is read gets an error ([`crate::Error`]) or another picture of its size.
#[derive(Debug)]
pub struct DiskFile {
    file: File,
    len: u64,
}

/// The bytes of a picture's file, wherever they are.
#[derive(Debug, Clone, Copy)]
pub enum FileBytes<'a> {
    /// In memory.
    Memory(&'a [u8]),
    /// On disk.
    Disk(&'a DiskFile),
}

/// A file that is read from some place on.
#[derive(Debug)]
pub(crate) enum Reading<'a> {
    Memory(Cursor<&'a [u8]>),
    Disk(BufReader<Place<'a>>),
}

/// A place in a file on disk; another one's reading does not move it.
#[derive(Debug)]
pub(crate) struct Place<'a> {
    file: &'a DiskFile,
    at: u64,
}

impl PictureFile {
    /// Whether a file should stay on disk: it is long, and a regular one, which can be read again.
    pub fn stays_on_disk(about: &Metadata) -> bool {
        about.is_file() && about.len() > SHORT_BYTES
    }

    /// What reads it.
    pub fn bytes(&self) -> FileBytes<'_> {
        match self {
            Self::Memory(bytes) => FileBytes::Memory(bytes),
            Self::Disk(file) => FileBytes::Disk(file),
        }
    }
}

impl From<Vec<u8>> for PictureFile {
    fn from(bytes: Vec<u8>) -> Self {
        Self::Memory(bytes)
    }
}

impl DiskFile {
    /// An open file of so many bytes.
    pub fn new(file: File, len: u64) -> Self {
        Self { file, len }
    }
}

impl<'a> FileBytes<'a> {
    /// How many there are.
    pub(crate) fn len(self) -> u64 {
        match self {
            Self::Memory(bytes) => bytes.len() as u64,
            Self::Disk(file) => file.len,
        }
    }

    /// Some of them; `None` when the file does not reach that far.
    pub(crate) fn part(self, range: Range<u64>) -> Result<Option<Cow<'a, [u8]>>> {
        if range.start > range.end || range.end > self.len() {
            return Ok(None);
        }
        let fits = |at: u64| usize::try_from(at).map_err(|_| Error::from(ErrorKind::OutOfMemory));
        match self {
            Self::Memory(bytes) => {
                let range = fits(range.start)?..fits(range.end)?;
                Ok(Some(Cow::Borrowed(&bytes[range])))
            }
            Self::Disk(file) => {
                let mut part = vec![0; fits(range.end - range.start)?];
                file.file.read_exact_at(&mut part, range.start)?;
                Ok(Some(Cow::Owned(part)))
            }
        }
    }

    /// Its first bytes, at most so many.
    pub(crate) fn head(self, most: u64) -> Result<Cow<'a, [u8]>> {
        let part = self.part(0..most.min(self.len()))?;
        Ok(part.expect("it reaches that far"))
    }

    /// Reads it from its start, or from another place that is sought.
    pub(crate) fn reading(self) -> Reading<'a> {
        match self {
            Self::Memory(bytes) => Reading::Memory(Cursor::new(bytes)),
            Self::Disk(file) => {
                let place = Place { file, at: 0 };
                Reading::Disk(BufReader::with_capacity(PIECE_BYTES, place))
            }
        }
    }

    /// Whether another file has the same bytes; not when that cannot be told because one cannot be read, which whoever reads it
    /// next is told.
    pub fn same(self, other: FileBytes<'_>) -> bool {
        if let (Self::Memory(one), FileBytes::Memory(other)) = (self, other) {
            return one == other;
        }
        self.len() == other.len()
            && same_to_the_end(self.reading(), other.reading()).unwrap_or(false)
    }

    /// A hash of all of them, wide enough that no two files of a service share one; `None` when they cannot be read.
    pub(crate) fn hash(self) -> Option<u128> {
        let mut hasher = Hasher::new();
        self.each_piece(|piece| hasher.write(piece)).ok()?;
        Some(hasher.finish_128())
    }

    /// Hands over all of them, piece by piece from the first on.
    ///
    /// # Errors
    /// The file cannot be read.
    pub fn each_piece(self, mut take: impl FnMut(&[u8])) -> Result<()> {
        let mut reading = self.reading();
        loop {
            let piece = reading.fill_buf()?;
            if piece.is_empty() {
                return Ok(());
            }
            take(piece);
            let read = piece.len();
            reading.consume(read);
        }
    }
}

fn same_to_the_end(mut one: impl BufRead, mut other: impl BufRead) -> Result<bool> {
    loop {
        let (ours, theirs) = (one.fill_buf()?, other.fill_buf()?);
        let both = ours.len().min(theirs.len());
        if ours[..both] != theirs[..both] || (both == 0 && ours.len() != theirs.len()) {
            return Ok(false);
        }
        if both == 0 {
            return Ok(true);
        }
        one.consume(both);
        other.consume(both);
    }
}

impl<'a> From<&'a [u8]> for FileBytes<'a> {
    fn from(bytes: &'a [u8]) -> Self {
        Self::Memory(bytes)
    }
}

impl<'a, const N: usize> From<&'a [u8; N]> for FileBytes<'a> {
    fn from(bytes: &'a [u8; N]) -> Self {
        Self::Memory(bytes)
    }
}

impl<'a> From<&'a Vec<u8>> for FileBytes<'a> {
    fn from(bytes: &'a Vec<u8>) -> Self {
        Self::Memory(bytes)
    }
}

impl<'a> From<&'a DiskFile> for FileBytes<'a> {
    fn from(file: &'a DiskFile) -> Self {
        Self::Disk(file)
    }
}

impl<'a> From<&'a PictureFile> for FileBytes<'a> {
    fn from(file: &'a PictureFile) -> Self {
        file.bytes()
    }
}

impl Reading<'_> {
    /// Passes over so many bytes, whether there are any or not.
    pub(crate) fn pass_over(&mut self, bytes: u64) -> Result<()> {
        let bytes = i64::try_from(bytes).map_err(|_| Error::from(ErrorKind::InvalidInput))?;
        match self {
            Self::Memory(cursor) => cursor.seek_relative(bytes),
            // What is in its buffer already stays there.
            Self::Disk(reader) => reader.seek_relative(bytes),
        }
    }
}

impl Read for Reading<'_> {
    fn read(&mut self, to: &mut [u8]) -> Result<usize> {
        match self {
            Self::Memory(cursor) => cursor.read(to),
            Self::Disk(reader) => reader.read(to),
        }
    }
}

impl BufRead for Reading<'_> {
    fn fill_buf(&mut self) -> Result<&[u8]> {
        match self {
            Self::Memory(cursor) => cursor.fill_buf(),
            Self::Disk(reader) => reader.fill_buf(),
        }
    }

    fn consume(&mut self, bytes: usize) {
        match self {
            Self::Memory(cursor) => cursor.consume(bytes),
            Self::Disk(reader) => reader.consume(bytes),
        }
    }
}

impl Seek for Reading<'_> {
    fn seek(&mut self, to: SeekFrom) -> Result<u64> {
        match self {
            Self::Memory(cursor) => cursor.seek(to),
            Self::Disk(reader) => reader.seek(to),
        }
    }
}

impl Read for Place<'_> {
    fn read(&mut self, to: &mut [u8]) -> Result<usize> {
        let left = usize::try_from(self.file.len.saturating_sub(self.at)).unwrap_or(usize::MAX);
        let most = left.min(to.len());
        let read = loop {
            match self.file.file.read_at(&mut to[..most], self.at) {
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                read => break read?,
            }
        };
        self.at += read as u64;
        Ok(read)
    }
}

impl Seek for Place<'_> {
    fn seek(&mut self, to: SeekFrom) -> Result<u64> {
        let at = match to {
            SeekFrom::Start(at) => Some(at),
            SeekFrom::Current(way) => self.at.checked_add_signed(way),
            SeekFrom::End(way) => self.file.len.checked_add_signed(way),
        };
        self.at = at.ok_or_else(|| Error::from(ErrorKind::InvalidInput))?;
        Ok(self.at)
    }
}
