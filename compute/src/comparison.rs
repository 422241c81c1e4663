//! What a comparison answers.

use std::ops::Range;

use crate::backend::Backend;
use crate::geometry::{Rect, Size};
use crate::layout::{Band, Layout};
use crate::mask::BitMask;
use crate::metric::{DELTA_ONE, MAX_DELTA, SUM_SHIFT};
use crate::tile::Tile;

/// The measured facts about two pictures.
///
/// Both are laid on one canvas, which has a place for every row of either: see [`Layout`]. Without
/// a shift the canvas is simply the page that holds both.
#[derive(Debug, Clone, PartialEq)]
pub struct Comparison {
    /// Size of the baseline.
    pub baseline: Size,
    /// Size of the current picture.
    pub current: Size,
    /// Where the rows of both pictures lie on the canvas; its size is the mask's.
    pub layout: Layout,
    /// Pixels whose colour changed by more than the threshold, or that only one picture has; those
    /// inserted or removed are part of them, anti-aliased ones only when asked for.
    pub changed_pixels: u64,
    /// Pixels beyond the threshold that the anti-aliasing rule recognises.
    pub anti_aliased_pixels: u64,
    /// Pixels that only the current picture has.
    pub inserted_pixels: u64,
    /// Pixels that only the baseline has.
    pub removed_pixels: u64,
    /// Pixels beyond the threshold place by place, anti-aliased ones included, when rows were
    /// aligned; `None` when all rows stayed in place.
    pub unaligned_pixels: Option<u64>,
    /// Pixels of the page that holds both pictures (the larger width and height) that are not
    /// ignored.
    pub total_pixels: u64,
    /// Mean structural similarity (SSIM), from 0 to 100 (no difference).
    pub score: f64,
    /// Mean distance of the changed pixels, 0 to 1 of the largest possible; 0 when none changed.
    pub mean_delta: f64,
    /// Largest distance of a changed pixel, 0 to 1 of the largest possible.
    pub max_delta: f64,
    /// Clusters of changed pixels in reading order; every changed pixel belongs to exactly one. No two boxes overlap, but for those
    /// of [`LooseRows`].
    pub regions: Vec<Region>,
    /// The changed pixels, on the canvas.
    pub mask: BitMask,
    /// A bit for each tile of 16 × 16 pixels of the canvas: whether it differs by less than the threshold alone. Tiles with a
    /// pixel beyond it, or with one that is left out, have none.
    pub faint: BitMask,
    /// Where the numbers were worked out.
    pub backend: Backend,
}

impl Comparison {
    /// Whether both pictures look the same, each pixel of them, as far as nothing was left out.
    pub fn is_same_picture(&self) -> bool {
        self.baseline == self.current
            && self.changed_pixels + self.anti_aliased_pixels == 0
            && self.faint.count() == 0
    }
}

/// A cluster of changed pixels.
#[derive(Debug, Clone, PartialEq)]
pub struct Region {
    /// A, B, … Z, AA, AB, … in reading order.
    pub label: String,
    /// What happened to it, as far as pixels tell.
    pub kind: RegionKind,
    /// Whether it may be the same edges drawn at another part of a pixel: no changed pixel has a colour that the other
    /// picture has nothing like right around it. Only edited regions with no distance above 0.2 are looked at.
    pub redrawn: bool,
    /// The columns of a line that one picture lacks, where a row or two that the other has alone show one: they repeat neither
    /// what is above them nor what is below them.
    pub line: Option<Range<u32>>,
    /// Set where it gathers rows that came or went one or two at a time: its box is around them all.
    pub loose_rows: Option<LooseRows>,
    /// The box around its changed pixels on the canvas.
    pub area: Rect,
    /// The same place in the baseline; `None` where the baseline has nothing.
    pub baseline_area: Option<Rect>,
    /// The same place in the current picture; `None` where it has nothing.
    pub current_area: Option<Rect>,
    /// Number of changed pixels.
    pub changed_pixels: u64,
    /// Mean distance of its changed pixels, 0 to 1 of the largest possible.
    pub mean_delta: f64,
    /// Largest distance of one of its changed pixels, 0 to 1 of the largest possible.
    pub max_delta: f64,
}

/// Rows that came or went one or two at a time, at four places of a lane or more, between rows that are the same in both
/// pictures, and that are mixtures of these: as where lines of text are no whole number of pixels tall, or are spaced
/// otherwise. Other regions may lie between them.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct LooseRows {
    /// Rows that only the current picture has.
    pub inserted: u32,
    /// Rows that only the baseline has.
    pub removed: u32,
    /// Whether what lies between them was pushed by amounts that are at most a pixel apart, as rounding makes them; else
    /// something is spaced otherwise.
    pub is_rounding: bool,
    /// The rows of the canvas where they lie, from the top down.
    pub places: Vec<Range<u32>>,
}

impl LooseRows {
    /// Whether a band of their lane is, or has, one of their places.
    pub fn are_in(&self, band: &Band) -> bool {
        let above = self.places.partition_point(|place| place.end <= band.y);
        (self.places.get(above)).is_some_and(|place| place.start < band.y + band.rows)
    }
}

/// What happened to a region.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RegionKind {
    /// Something stands where there was nothing but ground.
    Added,
    /// Nothing but ground stands where there was something.
    Removed,
    /// The same shapes in other colours: where one colour was is another one now, the same everywhere.
    Recoloured,
    /// The same content, or nearly the same, so many pixels further to the right and down.
    Shifted {
        /// Pixels to the right; negative to the left.
        x: i32,
        /// Pixels down; negative up.
        y: i32,
    },
    /// Anything else.
    Edited,
}

impl RegionKind {
    /// The word for results and reports.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Added => "added",
            Self::Removed => "removed",
            Self::Recoloured => "recoloured",
            Self::Shifted { .. } => "shifted",
            Self::Edited => "edited",
        }
    }
}

impl Comparison {
    /// Share of the page's pixels that changed, 0 to 100; 0 when all are ignored.
    pub fn diff_percentage(&self) -> f64 {
        self.percentage(self.changed_pixels)
    }

    /// The same share when rows are not aligned; `None` when all rows stayed in place.
    pub fn unaligned_percentage(&self) -> Option<f64> {
        self.unaligned_pixels.map(|pixels| self.percentage(pixels))
    }

    fn percentage(&self, pixels: u64) -> f64 {
        if self.total_pixels == 0 {
            return 0.0;
        }
        (100.0 * pixels as f64 / self.total_pixels as f64).min(100.0)
    }
}

/// Sums over any number of tiles.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
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

    /// Counts one changed pixel with its distance in units of 1/65536.
    pub(crate) fn add(&mut self, fixed_delta: u32) {
        self.changed += 1;
        self.sum += u64::from(fixed_delta >> SUM_SHIFT);
        self.max = self.max.max(fixed_delta);
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
