//! A picture in strips of 64 rows, of which only those are in memory that somebody needs.

pub(crate) mod kept;
pub(crate) mod row;
pub(crate) mod spool;
pub(crate) mod strip;

use std::ops::Range;
use std::sync::{Mutex, OnceLock, PoisonError};

#[cfg(test)]
use crate::decode::Image;
use crate::decode::read_size;
use crate::error::Error;
use crate::file::FileBytes;
use crate::geometry::Size;
use crate::picture::{Form, Picture};
use crate::png_rows::PngRows;
use crate::pool::Buffer;
use crate::strips::StripFile;

use kept::{Kept, Room, Side};
use row::Row;
use strip::{STRIP_ROWS, Strip, StripRows, strip_count, strip_rows};

/// A picture whose strips are decoded when they are first looked at.
#[derive(Debug)]
pub(crate) struct Raster<'a> {
    pub(crate) size: Size,
    kept: Kept,
    source: Source<'a>,
    /// One thread at a time decodes a PNG once more.
    again: Mutex<()>,
    /// The first strip that could not be decoded; white stands for it until somebody asks.
    failure: OnceLock<Error>,
}

/// Where missing strips come from.
#[derive(Debug)]
pub(crate) enum Source<'a> {
    /// No strip is missing.
    Nowhere,
    /// A PNG file, which can only be read from its start.
    Png(FileBytes<'a>),
    /// A stored capture, whose strips can be read one by one.
    Stored(StripFile<'a>),
}

impl<'a> Raster<'a> {
    /// A picture with the strips that are known already, in their order.
    pub(crate) fn new(size: Size, known: Vec<Option<StripRows>>, source: Source<'a>) -> Self {
        Self::of_kept(size, Kept::new(known), source)
    }

    /// The same with those that are kept already.
    pub(crate) fn of_kept(size: Size, kept: Kept, source: Source<'a>) -> Self {
        Self {
            size,
            kept,
            source,
            again: Mutex::new(()),
            failure: OnceLock::new(),
        }
    }

    /// A picture of which nothing is decoded yet.
    pub(crate) fn open(picture: Picture<'a>) -> Result<Self, Error> {
        let file = picture.file;
        let (size, source) = match picture.form {
            Form::Png => (read_size(file)?, Source::Png(file)),
            Form::Strips => {
                let file = StripFile::open(file)?;
                (file.size(), Source::Stored(file))
            }
        };
        let strips = (0..strip_count(size)).map(|_| None).collect();
        Ok(Self::new(size, strips, source))
    }

    /// A PNG read to its end, since damage anywhere is damage, of which only the strips with some of its rows are kept; nobody may
    /// look at others.
    pub(crate) fn of_rows(
        mut png: PngRows<'_>,
        rows: Range<u32>,
    ) -> Result<Raster<'static>, Error> {
        let size = png.size();
        let mut kept = Vec::new();
        for index in 0..strip_count(size) {
            let strip = png.read_strip()?;
            let first = index * STRIP_ROWS;
            let is_wanted = first < rows.end && rows.start < first + STRIP_ROWS;
            kept.push(is_wanted.then(|| StripRows::own(strip)));
        }
        Ok(Raster::new(size, kept, Source::Nowhere))
    }

    /// A picture that is at hand.
    #[cfg(test)]
    pub(crate) fn of_image(image: &Image) -> Raster<'static> {
        let row_bytes = image.size.width as usize * image.channels;
        let strips = (image.data.chunks(row_bytes * STRIP_ROWS as usize))
            .map(|rows| {
                let mut data = Buffer::take(rows.len());
                data.copy_from_slice(rows);
                let strip = match image.channels {
                    3 => Strip::from_rgb(data),
                    _ => Strip::from_translucent(data),
                };
                Some(StripRows::own(strip))
            })
            .collect();
        Raster::new(image.size, strips, Source::Nowhere)
    }

    /// A picture that is drawn strip by strip, see [`Raster::go_on`]: nobody may look at others than the latest.
    pub(crate) fn to_be_drawn(size: Size) -> Raster<'static> {
        let strips = (0..strip_count(size)).map(|_| None).collect();
        Raster::new(size, strips, Source::Nowhere)
    }

    /// Takes the next strip, whose number this is, in the place of the one before.
    pub(crate) fn go_on(&mut self, index: u32, strip: Strip) {
        let index = index as usize;
        if let Some(before) = index.checked_sub(1) {
            self.kept.forget(before);
        }
        self.kept.get_or(index, || StripRows::own(strip));
    }

    /// Decodes whatever is missing.
    pub(crate) fn complete(&self) -> Result<(), Error> {
        let mut lacking = (0..strip_count(self.size)).filter(|&at| self.kept.lacks(at as usize));
        match &self.source {
            Source::Png(png) if lacking.next().is_some() => self.decode_missing(*png, false),
            Source::Png(_) | Source::Nowhere => Ok(()),
            Source::Stored(file) => lacking.try_for_each(|index| {
                self.kept.add(index as usize, file.strip(index)?, false);
                Ok(())
            }),
        }
    }

    /// The same for who asks for strips in their order and lets them go again: what is long goes to the disk, and strips that can
    /// be read one by one wait until they are asked for.
    pub(crate) fn complete_in_turn(&self) -> Result<(), Error> {
        let lacks_any = || (0..self.kept.len()).any(|at| self.kept.lacks(at));
        match self.source {
            Source::Png(png) if lacks_any() => self.decode_missing(png, self.is_long()),
            _ => Ok(()),
        }
    }

    /// Whether it and another one like it may have no room in memory.
    fn is_long(&self) -> bool {
        Room::default().may_be_short_for(2 * self.size.pixels())
    }

    /// Whether some of its strips had no room in memory.
    pub(crate) fn has_written(&self) -> bool {
        self.kept.has_spool()
    }

    /// Its strips in memory, and whether its file gives them one by one.
    pub(crate) fn side(&mut self) -> Side<'_> {
        let can_be_read = matches!(self.source, Source::Stored(_));
        (&mut self.kept, can_be_read)
    }

    /// One row; `y` must lie on the picture.
    pub(crate) fn row(&self, y: u32) -> Row<'_> {
        self.strip(y / STRIP_ROWS)
            .row(y % STRIP_ROWS, self.size.width)
    }

    /// One row; `None` below the picture and above it.
    pub(crate) fn row_at(&self, y: i64) -> Option<Row<'_>> {
        let y = u32::try_from(y).ok()?;
        (y < self.size.height).then(|| self.row(y))
    }

    /// Rows below each other, with their numbers: faster than to ask for one after the other.
    pub(crate) fn rows(&self, rows: Range<u32>) -> impl Iterator<Item = (u32, Row<'_>)> {
        let strips = rows.start / STRIP_ROWS..rows.end.div_ceil(STRIP_ROWS);
        strips.flat_map(move |index| {
            let strip = self.strip(index);
            let first = index * STRIP_ROWS;
            let here = rows.start.max(first)..rows.end.min(first + STRIP_ROWS);
            here.map(move |y| (y, strip.row(y - first, self.size.width)))
        })
    }

    /// Why a strip could not be read, if one could not.
    pub(crate) fn check(&self) -> Result<(), Error> {
        self.failure
            .get()
            .map_or(Ok(()), |error| Err(error.clone()))
    }

    /// Whether these rows could be read, and every other that anybody has asked for: else some of them may be white in its place.
    pub(crate) fn can_read(&self, rows: Range<u32>) -> bool {
        for index in rows.start / STRIP_ROWS..rows.end.div_ceil(STRIP_ROWS) {
            self.strip(index);
        }
        self.failure.get().is_none()
    }

    /// Why a strip could not be read, if one could not; it is told once.
    pub(crate) fn take_failure(&mut self) -> Option<Error> {
        self.failure.take()
    }

    /// How many strips lie among those of the other picture.
    #[cfg(test)]
    pub(crate) fn strips_among_others(&self) -> usize {
        let lies_there = |&at: &usize| matches!(self.kept.get(at), Some(StripRows::Among { .. }));
        (0..self.kept.len()).filter(lies_there).count()
    }

    /// Rows of the strip with this number.
    pub(crate) fn strip_rows(&self, strip: u32) -> u32 {
        strip_rows(self.size, strip)
    }

    fn strip(&self, index: u32) -> &StripRows {
        match self.kept.get(index as usize) {
            Some(strip) => strip,
            None => self.fetch(index),
        }
    }

    /// A strip for whoever passes by: one that is not in memory does not stay there.
    pub(crate) fn strip_in_passing(&self, index: u32) -> StripRows {
        let at_hand = || self.kept.get(index as usize).cloned();
        at_hand().unwrap_or_else(|| {
            self.make_readable(index);
            at_hand().unwrap_or_else(|| self.read(index))
        })
    }

    /// A strip that is not in memory.
    fn fetch(&self, index: u32) -> &StripRows {
        self.make_readable(index);
        self.kept.get_or(index as usize, || self.read(index))
    }

    /// Sees to it that a strip is in memory, or on disk, where its picture's file does not give strips one by one.
    fn make_readable(&self, index: u32) {
        if let Source::Png(png) = self.source {
            let _turn = self.again.lock().unwrap_or_else(PoisonError::into_inner);
            // Whoever asks for one strip does not want to have all of a long page in memory.
            if self.kept.lacks(index as usize)
                && let Err(error) = self.decode_missing(png, self.is_long())
            {
                let _ = self.failure.set(error);
            }
        }
    }

    /// Reads a strip that is not in memory.
    fn read(&self, index: u32) -> StripRows {
        let read = match (self.kept.written(index as usize), &self.source) {
            (Some(written), _) => written.map_err(Error::from),
            (None, Source::Stored(file)) => file.strip(index),
            (None, Source::Png(_) | Source::Nowhere) => return self.blank(index),
        };
        read.map_or_else(|error| self.fail(error, index), StripRows::own)
    }

    /// Decodes a PNG from its start and keeps every strip that is not there, in memory or on disk.
    fn decode_missing(&self, png: FileBytes<'_>, to_disk: bool) -> Result<(), Error> {
        let mut rows = PngRows::open(png)?;
        if rows.size() != self.size {
            return Err(Error::changed());
        }
        for at in 0..self.kept.len() {
            let strip = rows.read_strip()?;
            if self.kept.lacks(at) {
                self.kept.add(at, strip, to_disk);
            }
        }
        Ok(())
    }

    fn fail(&self, error: Error, index: u32) -> StripRows {
        let _ = self.failure.set(error);
        self.blank(index)
    }

    fn blank(&self, index: u32) -> StripRows {
        let bytes = self.strip_rows(index) as usize * self.size.width as usize * 3;
        let mut data = Buffer::take(bytes);
        data.fill(255);
        StripRows::own(Strip::from_rgb(data))
    }
}
