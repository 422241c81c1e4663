//! A pair held in memory, so that benchmarks can time its stages one by one.
//!
//! Only built with the feature `stage-bench`; nothing of it is part of comparing.

use crate::align::align;
use crate::cpu;
use crate::dirty::Dirty;
use crate::error::Error;
use crate::geometry::Size;
use crate::load::{load, load_hashed, page_size};
use crate::loaded::{Keep, KnownRows, Loaded};
use crate::measured::Measured;
use crate::one_sided;
use crate::options::{Alignment, CompareOptions};
use crate::pair::Pair;
use crate::picture::Picture;
use crate::png_rows::PngRows;
use crate::raster::Raster;
use crate::raster::kept::Room;
use crate::raster::strip::strip_count;
use crate::regions::find_regions;
use crate::workers;

/// Two decoded pictures, compared in place, and what is found of them.
pub struct Staged<'a> {
    pair: Pair<'a>,
    dirty: Dirty,
    /// Before smoothed edges are told from changes.
    colored: Measured,
    measured: Measured,
}

/// Two loaded pictures whose rows are to be aligned.
pub struct Unaligned<'a>(Loaded<'a>);

impl<'a> Staged<'a> {
    /// Decodes both PNGs whole; nothing is known of their rows yet.
    ///
    /// # Errors
    /// As [`crate::Comparator::compare`].
    pub fn decode(baseline: &'a [u8], current: &'a [u8]) -> Result<Self, Error> {
        let loaded = Loaded {
            baseline: load_hashed(Room::default(), baseline.into())?.0,
            current: load_hashed(Room::default(), current.into())?.0,
            rows: KnownRows::default(),
            room: Room::default(),
        };
        let options = CompareOptions {
            alignment: Alignment::Off,
            ..CompareOptions::default()
        };
        let pair = Pair::of(loaded, &options)?;
        let mut colored = Measured::nothing(&pair, Dirty::find(&pair));
        cpu::color_stage(&pair, &mut colored);
        Ok(Self {
            dirty: Dirty::find(&pair),
            measured: cpu::measure(&pair),
            colored,
            pair,
        })
    }

    /// Finds the differences, decides them, and sums up the tiles; gives the changed pixels.
    pub fn compare(&self) -> u64 {
        let mut measured = Measured::nothing(&self.pair, Dirty::find(&self.pair));
        cpu::pixel_stages(&self.pair, &mut measured);
        measured.changed.count()
    }

    /// Which blocks hold a difference; gives how many rows of tiles do.
    pub fn find(&self) -> usize {
        let (dirty, (_, rows)) = (Dirty::find(&self.pair), self.pair.tiles());
        (0..rows).filter(|&row| dirty.row(row)).count()
    }

    /// The colour distance of what differs; gives the pixels beyond the threshold.
    pub fn color_delta(&self) -> u64 {
        let mut measured = Measured::nothing(&self.pair, Dirty::find(&self.pair));
        cpu::color_stage(&self.pair, &mut measured);
        measured.changed.count()
    }

    /// Tells smoothed edges from changes; `found` is a copy of [`Staged::colored`]. Gives the smoothed pixels.
    pub fn antialias(&self, found: &mut Found) -> u64 {
        cpu::antialias_stage(&self.pair, &mut found.0);
        found.0.anti_aliased.count()
    }

    /// What the colour stage found.
    pub fn colored(&self) -> Found {
        Found(self.colored.clone())
    }

    /// Sums up the changed pixels by tiles of 16 × 16; gives the number of tiles.
    pub fn tiles(&self, found: &mut Found) -> usize {
        cpu::tiles_stage(&self.pair, &mut found.0);
        found.0.tiles.len()
    }

    /// The windows that touch a difference; gives their summed loss. What differs is found beforehand.
    pub fn ssim(&self) -> impl Fn() -> f64 {
        move || cpu::ssim_loss(&self.pair, &self.dirty)
    }

    /// Clusters the changed pixels into regions and says what became of each; gives their number.
    pub fn regions(&mut self) -> usize {
        let lone = one_sided::measure(&mut self.pair);
        let Measured { changed, tiles, .. } = &self.measured;
        find_regions(&mut self.pair, changed, tiles, &lone).len()
    }

    /// The changed pixels as a PNG of one bit a pixel; gives its bytes.
    ///
    /// # Errors
    /// [`Error::Encode`].
    pub fn mask_png(&self) -> Result<usize, Error> {
        Ok(self.measured.changed.to_png()?.len())
    }
}

/// Results of stages over a canvas.
pub struct Found(Measured);

impl<'a> Unaligned<'a> {
    /// Loads both side by side as a comparison does, on as many threads: of PNGs, what differs is decoded and rows are hashed; stored captures are
    /// opened, and their pixels unpacked by whoever asks for them.
    ///
    /// # Errors
    /// As [`crate::Comparator::compare`].
    pub fn load(
        baseline: impl Into<Picture<'a>>,
        current: impl Into<Picture<'a>>,
    ) -> Result<Self, Error> {
        let (baseline, current) = (baseline.into(), current.into());
        let pixels = page_size(baseline, current).map_or(0, Size::pixels);
        let loaded = workers::compare(pixels, || {
            load(
                Room::default(),
                [baseline, current],
                Alignment::Auto,
                Keep::Differing,
            )
        });
        loaded.map(Self)
    }

    /// Matches the rows; gives the number of bands.
    pub fn align(&self) -> usize {
        align(&self.0).bands().count()
    }
}

/// Decodes a PNG strip by strip and keeps none of them; gives the number of strips.
///
/// # Errors
/// As [`crate::read_size`]; [`Error::Corrupt`].
pub fn decode_png(png: &[u8]) -> Result<u32, Error> {
    let mut rows = PngRows::open(png.into())?;
    let strips = strip_count(rows.size());
    for _ in 0..strips {
        rows.read_strip()?;
    }
    Ok(strips)
}

/// Unpacks all strips of a stored capture.
///
/// # Errors
/// As [`crate::Comparator::compare`].
pub fn unpack_strips(file: &[u8]) -> Result<(), Error> {
    Raster::open(Picture::strips(file))?.complete()
}
