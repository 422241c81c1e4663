//! A picture in strips of 64 rows, of which only those are in memory that somebody needs.

mod row;

use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use crate::decode::{Image, read_size};
use crate::error::Error;
use crate::file::FileBytes;
use crate::geometry::Size;
use crate::picture::{Form, Picture};
use crate::png_rows::PngRows;
use crate::pool::Buffer;
use crate::strips::StripFile;

pub(crate) use row::{ALIKE_BYTES, Row, alike, apart, are_all_alike};

/// Rows of a strip: at common widths a pair of strips fits the second-level cache of a processor,
/// so that rows are compared while they are still at hand.
pub(crate) const STRIP_ROWS: u32 = 64;

/// Decoded rows, row-major, 8 bits a channel, without padding.
#[derive(Debug)]
pub(crate) struct Strip {
    /// 3 (RGB, when every pixel is opaque) or 4 (RGBA, alpha not premultiplied).
    channels: usize,
    /// May be longer than the rows.
    data: Buffer,
}

/// Where the rows of one strip of a picture lie.
#[derive(Debug, Clone)]
pub(crate) enum StripRows {
    /// Together; a strip that is the same in both pictures may be shared by them.
    Own(Arc<Strip>),
    /// In two neighbouring strips of the other picture, which is as wide and shows them further up or down.
    Among {
        strips: [Arc<Strip>; 2],
        /// The row of the first strip where they begin.
        first: u32,
    },
}

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

impl Strip {
    /// From RGBA rows; the alpha channel goes when every pixel is opaque.
    pub(crate) fn from_rgba(data: Buffer, bytes: usize) -> Self {
        let (pixels, _) = data[..bytes].as_chunks::<4>();
        if pixels.iter().any(|pixel| pixel[3] != 255) {
            return Self::from_translucent(data);
        }
        // A long page keeps all its strips.
        let mut rgb = Buffer::take_snug(3 * pixels.len());
        for (to, &[r, g, b, _]) in rgb.as_chunks_mut::<3>().0.iter_mut().zip(pixels) {
            *to = [r, g, b];
        }
        Self::from_rgb(rgb)
    }

    /// From RGBA rows of which some pixel is not opaque.
    pub(crate) fn from_translucent(data: Buffer) -> Self {
        Self { channels: 4, data }
    }

    /// From RGB rows.
    pub(crate) fn from_rgb(data: Buffer) -> Self {
        Self { channels: 3, data }
    }

    pub(crate) fn channels(&self) -> usize {
        self.channels
    }

    /// The bytes of its first `pixels` pixels.
    pub(crate) fn bytes(&self, pixels: usize) -> &[u8] {
        &self.data[..pixels * self.channels]
    }

    /// The bytes of a row counted from the strip's first, in a picture of this width.
    pub(crate) fn row_mut(&mut self, index: u32, width: usize) -> &mut [u8] {
        let stride = width * self.channels;
        &mut self.data[index as usize * stride..][..stride]
    }

    /// A row counted from the strip's first, in a picture of this width.
    pub(crate) fn row(&self, index: u32, width: u32) -> Row<'_> {
        let stride = width as usize * self.channels;
        Row {
            channels: self.channels,
            bytes: &self.data[index as usize * stride..][..stride],
        }
    }
}

impl StripRows {
    pub(crate) fn own(strip: Strip) -> Self {
        Self::Own(Arc::new(strip))
    }

    /// A row counted from the first, in a picture of this width.
    pub(crate) fn row(&self, index: u32, width: u32) -> Row<'_> {
        match self {
            Self::Own(strip) => strip.row(index, width),
            Self::Among { strips, first } => {
                let at = first + index;
                strips[(at / STRIP_ROWS) as usize].row(at % STRIP_ROWS, width)
            }
        }
    }
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

    /// A picture that is drawn already.
    pub(crate) fn of_image(image: &Image) -> Raster<'static> {
        let row_bytes = image.size.width as usize * image.channels;
        let strips = (image.data.chunks(row_bytes * STRIP_ROWS as usize))
            .map(|rows| {
                let mut data = Buffer::take(rows.len());
                data.copy_from_slice(rows);
                Some(StripRows::own(Strip {
                    channels: image.channels,
                    data,
                }))
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

/// Strips of a picture.
pub(crate) fn strip_count(size: Size) -> u32 {
    size.height.div_ceil(STRIP_ROWS)
}

/// Rows of one of its strips; the last may have fewer.
pub(crate) fn strip_rows(size: Size, strip: u32) -> u32 {
    (size.height - strip * STRIP_ROWS).min(STRIP_ROWS)
}
