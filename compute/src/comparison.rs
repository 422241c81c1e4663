//! What a comparison is asked and what it answers.

use crate::backend::Backend;
use crate::geometry::{Rect, Size};
use crate::mask::BitMask;
use crate::metric::{DELTA_ONE, MAX_DELTA, SUM_SHIFT};
use crate::tile::Tile;

/// pixelmatch's own default: a distance of 1 % of the largest one.
const DEFAULT_THRESHOLD: f64 = 0.1;

/// Settings of one comparison.
#[derive(Debug, Clone, PartialEq)]
pub struct CompareOptions {
    /// From 0 (every difference counts) to 1 (none does); a pixel has changed when its squared YIQ
    /// distance exceeds 35,215 times the square of this. 0.1 by default.
    pub threshold: f64,
    /// Areas left out of every number; parts beyond the page do no harm.
    pub ignore: Vec<Rect>,
}

impl Default for CompareOptions {
    fn default() -> Self {
        Self {
            threshold: DEFAULT_THRESHOLD,
            ignore: Vec::new(),
        }
    }
}

/// The measured facts about two pictures.
#[derive(Debug, Clone, PartialEq)]
pub struct Comparison {
    /// Size of the baseline.
    pub baseline: Size,
    /// Size of the current picture.
    pub current: Size,
    /// The page that holds both: the larger width and the larger height.
    pub size: Size,
    /// Pixels whose colour changed by more than the threshold, or that only one picture has.
    pub changed_pixels: u64,
    /// Pixels of `size` that are not ignored.
    pub total_pixels: u64,
    /// Mean structural similarity (SSIM), from 0 to 100 (no difference).
    pub score: f64,
    /// Mean distance of the changed pixels, 0 to 1 of the largest possible; 0 when none changed.
    pub mean_delta: f64,
    /// Largest distance of a changed pixel, 0 to 1 of the largest possible.
    pub max_delta: f64,
    /// Clusters of changed pixels in reading order; every changed pixel belongs to exactly one.
    pub regions: Vec<Region>,
    /// The changed pixels.
    pub mask: BitMask,
    /// Where the numbers were worked out.
    pub backend: Backend,
}

/// A cluster of changed pixels.
#[derive(Debug, Clone, PartialEq)]
pub struct Region {
    /// A, B, … Z, AA, AB, … in reading order.
    pub label: String,
    /// The box around its changed pixels.
    pub area: Rect,
    /// Number of changed pixels.
    pub changed_pixels: u64,
    /// Mean distance of its changed pixels, 0 to 1 of the largest possible.
    pub mean_delta: f64,
    /// Largest distance of one of its changed pixels, 0 to 1 of the largest possible.
    pub max_delta: f64,
}

impl Comparison {
    /// Share of the page's pixels that changed, 0 to 100; 0 when all are ignored.
    pub fn diff_percentage(&self) -> f64 {
        if self.total_pixels == 0 {
            return 0.0;
        }
        100.0 * self.changed_pixels as f64 / self.total_pixels as f64
    }
}

/// Sums over any number of tiles.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct DeltaSums {
    pub(crate) changed: u64,
    sum: u64,
    max: u32,
}

impl DeltaSums {
    pub(crate) fn of(tile: &Tile) -> Self {
        Self {
            changed: tile.changed.into(),
            sum: tile.delta_sum.into(),
            max: tile.delta_max,
        }
    }

    pub(crate) fn plus(self, other: Self) -> Self {
        Self {
            changed: self.changed + other.changed,
            sum: self.sum + other.sum,
            max: self.max.max(other.max),
        }
    }

    /// Mean distance, 0 to 1.
    pub(crate) fn mean(self) -> f64 {
        if self.changed == 0 {
            return 0.0;
        }
        let summed = self.sum as f64 * f64::from(1 << SUM_SHIFT);
        (summed / self.changed as f64 / (MAX_DELTA * DELTA_ONE)).min(1.0)
    }

    /// Largest distance, 0 to 1.
    pub(crate) fn largest(self) -> f64 {
        (f64::from(self.max) / (MAX_DELTA * DELTA_ONE)).min(1.0)
    }
}
