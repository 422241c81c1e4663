//! What both paths found on one pair.

use std::fmt;

use crate::geometry::Size;

/// Largest difference of the scores, which run from 0 to 100.
const SCORE_TOLERANCE: f64 = 1e-4;

/// One pair on both paths.
#[derive(Debug, Clone)]
pub struct ParityRow {
    /// What kind of pair.
    pub name: String,
    /// Its size in pixels.
    pub size: Size,
    /// Changed pixels, anti-aliased ones included.
    pub changed_pixels: u64,
    /// Anti-aliased ones among them.
    pub anti_aliased_pixels: u64,
    /// Pixels that the shaders left to the host.
    pub left_to_host: u64,
    /// As many of them are too hard for shaders at most: translucent, close to the threshold or at seams.
    pub hard_pixels: u64,
    /// Rows of the baseline that were found on the card, where it was to stay there.
    pub resident_rows: Option<u64>,
    /// Stage `color_delta` gives the same mask.
    pub color_delta: bool,
    /// Stage `antialias` gives the same masks.
    pub antialias: bool,
    /// Stage `tiles` gives the same summaries.
    pub tiles: bool,
    /// How far the scores of stage `ssim` are apart, if the page were nothing but what windows with a difference cover: what
    /// did not change hides nothing.
    pub score_difference: f64,
}

/// What is wrong with an adapter, going by one pair.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Flaw {
    /// A stage found something else than the processor.
    Differs,
    /// The shaders left so many pixels to the host, of which at most so many are hard to decide: agreeing on the others says
    /// nothing of them.
    Undecided {
        /// Pixels that they left.
        left: u64,
        /// See [`ParityRow::hard_pixels`].
        most: u64,
    },
    /// A baseline was to stay on the card and was not found there, so nothing is known of those that do.
    NotResident,
}

impl ParityRow {
    /// What is wrong, if anything is.
    pub fn flaw(&self) -> Option<Flaw> {
        let (left, most) = (self.left_to_host, self.hard_pixels);
        if !self.is_equal() {
            Some(Flaw::Differs)
        } else if left > most {
            Some(Flaw::Undecided { left, most })
        } else if self.resident_rows == Some(0) {
            Some(Flaw::NotResident)
        } else {
            None
        }
    }

    /// Whether every stage agrees.
    pub fn is_equal(&self) -> bool {
        self.color_delta && self.antialias && self.tiles && self.score_difference <= SCORE_TOLERANCE
    }
}

impl fmt::Display for Flaw {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Differs => write!(out, "the paths differ"),
            Self::Undecided { left, most } => write!(
                out,
                "{left} pixels were left to the host, of which at most {most} are hard to decide"
            ),
            Self::NotResident => write!(out, "the baseline did not stay on the card"),
        }
    }
}
