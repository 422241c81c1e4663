//! What a comparison is asked.

use crate::doubt::Doubt;
use crate::geometry::Rect;

/// pixelmatch's own default: a distance of 1 % of the largest one.
const DEFAULT_THRESHOLD: f64 = 0.1;

/// Settings of one comparison.
#[derive(Debug, Clone, PartialEq)]
pub struct CompareOptions {
    /// From 0 (every difference counts) to 1 (none does); a pixel has changed when its squared YIQ
    /// distance exceeds 35,215 times the square of this. 0.1 by default.
    pub threshold: f64,
    /// Whether changed pixels that look like the smoothing of an edge count.
    pub anti_aliasing: AntiAliasing,
    /// Whether rows that moved are laid over each other before pixels are compared.
    pub alignment: Alignment,
    /// Areas left out of every number, in the coordinates of either picture; parts beyond them do
    /// no harm.
    pub ignore: Vec<Rect>,
    /// Places that other captures of the same pictures contradict: left out of every number but the
    /// percentage, which stays one of the whole page, and the unaligned pixels.
    pub doubts: Vec<Doubt>,
}

/// What to do with changed pixels that the anti-aliasing rule recognises.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum AntiAliasing {
    /// They are counted apart, as pixelmatch does by default.
    #[default]
    Exclude,
    /// They count as changed, as pixelmatch does with `includeAA`.
    Include,
}

/// What to do about inserted, removed and moved rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Alignment {
    /// Rows are matched by their content; a page without a shift is compared in place.
    #[default]
    Auto,
    /// Every pixel is compared with the one at the same place.
    Off,
}

impl Default for CompareOptions {
    fn default() -> Self {
        Self {
            threshold: DEFAULT_THRESHOLD,
            anti_aliasing: AntiAliasing::default(),
            alignment: Alignment::default(),
            ignore: Vec::new(),
            doubts: Vec::new(),
        }
    }
}
