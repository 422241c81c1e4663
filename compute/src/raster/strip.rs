//! Strips of 64 rows, in which pictures are decoded and kept.

use std::sync::Arc;

use crate::geometry::Size;
use crate::pool::Buffer;

use super::row::Row;

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

    /// From RGBA rows as they are.
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

    /// All of its memory.
    pub(crate) fn data(&self) -> &[u8] {
        &self.data
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

/// Strips of a picture.
pub(crate) fn strip_count(size: Size) -> u32 {
    size.height.div_ceil(STRIP_ROWS)
}

/// Rows of one of its strips; the last may have fewer.
pub(crate) fn strip_rows(size: Size, strip: u32) -> u32 {
    (size.height - strip * STRIP_ROWS).min(STRIP_ROWS)
}
