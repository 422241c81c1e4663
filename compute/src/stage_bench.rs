//! A pair held in memory, so that benchmarks can time its stages one by one.
//!
//! Only built with the feature `stage-bench`; nothing of it is part of comparing.

use crate::comparison::CompareOptions;
use crate::cpu;
use crate::dirty::Dirty;
use crate::error::Error;
use crate::load::{KnownRows, Loaded, load_hashed};
use crate::measured::Measured;
use crate::pair::Pair;

/// Two decoded pictures, compared in place.
pub struct Staged<'a>(Pair<'a>);

impl<'a> Staged<'a> {
    /// Decodes both PNGs whole; nothing is known of their rows yet.
    ///
    /// # Errors
    /// As [`crate::Comparator::compare`].
    pub fn decode(baseline: &'a [u8], current: &'a [u8]) -> Result<Self, Error> {
        let loaded = Loaded {
            baseline: load_hashed(baseline.into())?.0,
            current: load_hashed(current.into())?.0,
            rows: KnownRows::default(),
        };
        Ok(Self(Pair::of(loaded, &CompareOptions::default())?))
    }

    /// Finds the differences, decides them, and sums up the tiles; gives the changed pixels.
    pub fn compare(&self) -> u64 {
        let mut measured = Measured::nothing(&self.0, Dirty::find(&self.0));
        cpu::pixel_stages(&self.0, &mut measured);
        measured.changed.count()
    }

    /// The windows that touch a difference; gives their summed loss. What differs is found beforehand.
    pub fn ssim(&self) -> impl Fn() -> f64 {
        let dirty = Dirty::find(&self.0);
        move || cpu::ssim_loss(&self.0, &dirty)
    }
}
