//! A picture in strips of 64 rows, of which only those are in memory that somebody needs.

pub(crate) mod row;
pub(crate) mod strip;

use std::ops::Range;
use std::sync::{Mutex, OnceLock, PoisonError};

use crate::decode::{Image, read_size};
use crate::error::Error;
use crate::file::FileBytes;
use crate::geometry::Size;
use crate::picture::{Form, Picture};
use crate::png_rows::PngRows;
use crate::pool::Buffer;
use crate::strips::StripFile;

use row::Row;
use strip::{STRIP_ROWS, Strip, StripRows, strip_count, strip_rows};

/// A picture whose strips are decoded when they are first looked at.
#[derive(Debug)]
pub(crate) struct Raster<'a> {
    pub(crate) size: Size,
    strips: Vec<OnceLock<StripRows>>,
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
        let strips = known
            .into_iter()
            .map(|strip| strip.map_or_else(OnceLock::new, OnceLock::from))
            .collect();
        Self {
            size,
            strips,
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

    /// A picture that is drawn already.
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

    /// Decodes whatever is missing.
    pub(crate) fn complete(&self) -> Result<(), Error> {
        match &self.source {
            Source::Png(png) if self.strips.iter().any(|slot| slot.get().is_none()) => {
                self.decode_missing(*png)
            }
            Source::Png(_) | Source::Nowhere => Ok(()),
            Source::Stored(file) => (0..).zip(&self.strips).try_for_each(|(index, slot)| {
                if slot.get().is_none() {
                    let _ = slot.set(StripRows::own(file.strip(index)?));
                }
                Ok(())
            }),
        }
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

    /// Why a strip could not be decoded, if one could not.
    pub(crate) fn take_failure(&mut self) -> Option<Error> {
        self.failure.take()
    }

    /// How many strips lie among those of the other picture.
    #[cfg(test)]
    pub(crate) fn strips_among_others(&self) -> usize {
        let lies_there =
            |slot: &&OnceLock<StripRows>| matches!(slot.get(), Some(StripRows::Among { .. }));
        self.strips.iter().filter(lies_there).count()
    }

    /// Rows of the strip with this number.
    pub(crate) fn strip_rows(&self, strip: u32) -> u32 {
        strip_rows(self.size, strip)
    }

    fn strip(&self, index: u32) -> &StripRows {
        let slot = &self.strips[index as usize];
        if let Some(strip) = slot.get() {
            return strip;
        }
        match &self.source {
            Source::Nowhere => slot.get_or_init(|| self.blank(index)),
            Source::Stored(file) => slot.get_or_init(|| match file.strip(index) {
                Ok(strip) => StripRows::own(strip),
                Err(error) => self.fail(error, index),
            }),
            Source::Png(png) => {
                let _turn = self.again.lock().unwrap_or_else(PoisonError::into_inner);
                if slot.get().is_none()
                    && let Err(error) = self.decode_missing(*png)
                {
                    let _ = self.failure.set(error);
                }
                slot.get_or_init(|| self.blank(index))
            }
        }
    }

    /// Decodes a PNG from its start and fills every strip that is not there.
    fn decode_missing(&self, png: FileBytes<'_>) -> Result<(), Error> {
        let mut rows = PngRows::open(png)?;
        if rows.size() != self.size {
            return Err(Error::changed());
        }
        for slot in &self.strips {
            let strip = rows.read_strip()?;
            let _ = slot.set(StripRows::own(strip));
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
