//! Two decoded pictures on one page, and what is left out of their comparison.

use rayon::prelude::*;

use crate::comparison::CompareOptions;
use crate::decode::{Image, accept, decode, read_size, rgba};
use crate::error::Error;
use crate::geometry::Size;
use crate::mask::{BitMask, union_of};
use crate::metric::Threshold;
use crate::tile::{TILE, tiles_along};

/// White stands for what one picture lacks.
const WHITE: [u8; 4] = [255; 4];

/// Both pictures, with the same number of channels, and the settings of their comparison.
pub(crate) struct Pair {
    pub(crate) baseline: Image,
    pub(crate) current: Image,
    /// The page: the larger width and the larger height.
    pub(crate) size: Size,
    pub(crate) ignored: Option<BitMask>,
    pub(crate) threshold: Threshold,
}

/// One place of the page in both pictures.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Place {
    pub(crate) baseline: [u8; 4],
    pub(crate) current: [u8; 4],
    /// Whether the place exists in exactly one picture.
    pub(crate) only_one: bool,
}

impl Pair {
    /// Decodes both pictures side by side.
    pub(crate) fn decode(
        baseline_png: &[u8],
        current_png: &[u8],
        options: &CompareOptions,
    ) -> Result<Self, Error> {
        let threshold = Threshold::new(options.threshold)?;
        let size = page_size(baseline_png, current_png)?;
        let (baseline, current) = rayon::join(|| decode(baseline_png), || decode(current_png));
        let (mut baseline, mut current) = (baseline?, current?);
        if baseline.channels != current.channels {
            (baseline, current) = (baseline.with_alpha(), current.with_alpha());
        }
        let ignored = union_of(size, &options.ignore);
        Ok(Self {
            baseline,
            current,
            size,
            ignored,
            threshold,
        })
    }

    /// Columns and rows of tiles on the page.
    pub(crate) fn tiles(&self) -> (u32, u32) {
        (tiles_along(self.size.width), tiles_along(self.size.height))
    }

    /// The pixels at a place of the page.
    pub(crate) fn place(&self, x: u32, y: u32) -> Place {
        let (baseline, current) = (self.baseline.pixel(x, y), self.current.pixel(x, y));
        Place {
            baseline: baseline.unwrap_or(WHITE),
            current: current.unwrap_or(WHITE),
            only_one: baseline.is_some() != current.is_some(),
        }
    }

    /// The number of a place, counted row by row.
    pub(crate) fn index(&self, x: u32, y: u32) -> usize {
        y as usize * self.size.width as usize + x as usize
    }

    /// Whether the place is left out of every number.
    pub(crate) fn is_ignored(&self, x: u32, y: u32) -> bool {
        self.ignored.as_ref().is_some_and(|mask| mask.get(x, y))
    }

    /// The bits of a row that are left out, for the 32 pixels from column `word * 32`.
    pub(crate) fn ignored_word(&self, word: usize, y: u32) -> u32 {
        self.ignored.as_ref().map_or(0, |mask| mask.row(y)[word])
    }

    /// Whether a run of pixels has the same bytes in both pictures; a run that leaves a picture
    /// never has.
    pub(crate) fn same_run(&self, y: u32, columns: std::ops::Range<u32>) -> bool {
        let channels = self.baseline.channels;
        let bytes = columns.start as usize * channels..columns.end as usize * channels;
        match (self.baseline.row(y), self.current.row(y)) {
            (Some(baseline), Some(current)) => {
                match (baseline.get(bytes.clone()), current.get(bytes)) {
                    (Some(baseline), Some(current)) => baseline == current,
                    _ => false,
                }
            }
            _ => false,
        }
    }

    /// Which rows of tiles hold a row that differs, by memory compare alone.
    pub(crate) fn dirty_tile_rows(&self) -> Vec<bool> {
        let (_, tile_rows) = self.tiles();
        let row_differs = |y: u32| !self.same_run(y, 0..self.size.width);
        (0..tile_rows)
            .into_par_iter()
            .map(|row| (row * TILE..((row + 1) * TILE).min(self.size.height)).any(row_differs))
            .collect()
    }
}

/// The size of the page that holds both pictures, refused when it is larger than one picture may
/// be.
pub(crate) fn page_size(baseline_png: &[u8], current_png: &[u8]) -> Result<Size, Error> {
    accept(read_size(baseline_png)?.union(read_size(current_png)?))
}

/// Writes the pixels of a row of the page as RGBA, white where the picture has none.
pub(crate) fn write_row_rgba(image: &Image, y: u32, row: &mut [[u8; 4]]) {
    let pixels = image.row(y).unwrap_or_default();
    let drawn = pixels.len() / image.channels;
    for (to, from) in row.iter_mut().zip(pixels.chunks_exact(image.channels)) {
        *to = rgba(from);
    }
    row[drawn..].fill(WHITE);
}
