//! A picture in strips of 64 rows, of which only those are in memory that somebody needs.

use std::ops::Range;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use crate::decode::{Image, read_size, rgba};
use crate::error::Error;
use crate::file::FileBytes;
use crate::geometry::Size;
use crate::picture::{Form, Picture};
use crate::png_rows::PngRows;
use crate::pool::Buffer;
use crate::strips::StripFile;

/// Rows of a strip: at common widths a pair of strips fits the second-level cache of a processor,
/// so that rows are compared while they are still at hand.
pub(crate) const STRIP_ROWS: u32 = 64;

/// Columns compared at once where the first that differs is looked for.
const LOOKED_AT_PX: u32 = 64;

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

/// One row of a picture.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Row<'a> {
    /// 3 (RGB) or 4 (RGBA).
    pub(crate) channels: usize,
    pub(crate) bytes: &'a [u8],
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

impl<'a> Row<'a> {
    /// One pixel as RGBA.
    pub(crate) fn pixel(self, x: u32) -> [u8; 4] {
        let at = x as usize * self.channels;
        rgba(&self.bytes[at..at + self.channels])
    }

    /// One pixel as far as it is seen: red, green and blue by as much as its alpha lets through, and the alpha. What hides
    /// behind an alpha of 0 is gone.
    pub(crate) fn seen(self, x: u32) -> [u8; 4] {
        let pixel = self.pixel(x);
        if self.channels == 3 {
            return pixel;
        }
        let [red, green, blue, alpha] = pixel;
        let through = |channel: u8| {
            let product = u16::from(channel) * u16::from(alpha);
            u8::try_from((product + 127) / 255).expect("a share of 255 fits a byte")
        };
        [through(red), through(green), through(blue), alpha]
    }

    /// The bytes of some columns.
    pub(crate) fn part(self, columns: Range<u32>) -> &'a [u8] {
        &self.bytes[columns.start as usize * self.channels..columns.end as usize * self.channels]
    }

    /// Whether some columns show the same pixels as those of another row.
    pub(crate) fn same_part(self, other: Row<'_>, columns: Range<u32>) -> bool {
        if self.channels == other.channels {
            return self.part(columns.clone()) == other.part(columns);
        }
        columns.into_iter().all(|x| self.pixel(x) == other.pixel(x))
    }

    /// Whether from column `start` on it shows the pixels that another row shows in some columns.
    pub(crate) fn shows(self, start: u32, other: Row<'_>, columns: Range<u32>) -> bool {
        let width = columns.end - columns.start;
        if self.channels == other.channels {
            let (ours, theirs) = (self.part(start..start + width), other.part(columns));
            // Most are not the same, and the first byte tells sooner than a call.
            return ours.first() == theirs.first() && ours == theirs;
        }
        (start..)
            .zip(columns)
            .all(|(x, other_x)| self.pixel(x) == other.pixel(other_x))
    }

    /// How many columns it shows from `start` on what another row shows in some columns, before the first of which a channel is
    /// further off than so many levels; `None` when there is none.
    pub(crate) fn first_other(
        self,
        start: u32,
        other: Row<'_>,
        columns: Range<u32>,
        levels: u8,
    ) -> Option<u32> {
        let width = columns.end - columns.start;
        let same = |from: u32, until: u32| {
            self.shows_alike(
                start + from,
                other,
                columns.start + from..columns.start + until,
                levels,
            )
        };
        let block = (0..width)
            .step_by(LOOKED_AT_PX as usize)
            .find(|&from| !same(from, (from + LOOKED_AT_PX).min(width)))?;
        (block..width).find(|&x| !same(x, x + 1))
    }

    /// Whether from column `start` on no channel is further than so many levels, of 255, from what another row shows in some
    /// columns.
    pub(crate) fn shows_alike(
        self,
        start: u32,
        other: Row<'_>,
        columns: Range<u32>,
        levels: u8,
    ) -> bool {
        if levels == 0 {
            return self.shows(start, other, columns);
        }
        if self.channels == other.channels {
            let width = columns.end - columns.start;
            let (ours, theirs) = (self.part(start..start + width), other.part(columns));
            return are_alike(ours, theirs, levels);
        }
        (start..)
            .zip(columns)
            .all(|(x, other_x)| alike(self.pixel(x), other.pixel(other_x), levels))
    }
}

/// Bytes that are compared at once: eight opaque pixels.
pub(crate) const ALIKE_BYTES: usize = 24;

/// Whether no byte is further than so many levels from its counterpart.
fn are_alike(ours: &[u8], theirs: &[u8], levels: u8) -> bool {
    let ((ours, our_rest), (theirs, their_rest)) = (
        ours.as_chunks::<ALIKE_BYTES>(),
        theirs.as_chunks::<ALIKE_BYTES>(),
    );
    let mut whole = ours.iter().zip(theirs);
    whole.all(|(ours, theirs)| are_all_alike(ours, theirs, levels))
        && are_all_alike(our_rest, their_rest, levels)
}

/// The same of bytes that are compared at once: none of them ends it early.
#[inline(always)]
pub(crate) fn are_all_alike(ours: &[u8], theirs: &[u8], levels: u8) -> bool {
    let bytes = ours.iter().zip(theirs);
    bytes.fold(true, |all, (one, other)| {
        all & (apart(*one, *other) <= levels)
    })
}

/// How far one byte is from another: `abs_diff`, in the way that processors have for many bytes at once.
#[inline(always)]
pub(crate) fn apart(one: u8, other: u8) -> u8 {
    one.saturating_sub(other) | other.saturating_sub(one)
}

/// Whether no channel of a pixel is further than so many levels, of 255, from that of another.
pub(crate) fn alike(one: [u8; 4], other: [u8; 4], levels: u8) -> bool {
    one.into_iter()
        .zip(other)
        .all(|(one, other)| one.abs_diff(other) <= levels)
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
