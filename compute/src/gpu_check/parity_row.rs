//! What both paths found on one pair.

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

impl ParityRow {
    /// Whether every stage agrees.
    pub fn is_equal(&self) -> bool {
        self.color_delta && self.antialias && self.tiles && self.score_difference <= SCORE_TOLERANCE
    }
}
