//! Changed pixels that belong together.

use crate::comparison::{DeltaSums, LooseRows};
use crate::geometry::Rect;
use crate::pair::OneSided;

/// Changed pixels on their way to becoming a region.
#[derive(Debug, Clone)]
pub(super) struct Cluster {
    pub(super) area: Rect,
    pub(super) deltas: DeltaSums,
    /// Set while it is one area that only one picture has.
    pub(super) lone: Option<OneSided>,
    /// Set for rows that came or went one or two at a time.
    pub(super) loose_rows: Option<LooseRows>,
    /// Set while it is of a column that went so many pixels to the right.
    pub(super) right: Option<i32>,
}

impl Cluster {
    /// Becomes one with another.
    pub(super) fn absorb(&mut self, other: &Self) {
        self.area = self.area.union(other.area);
        self.deltas = self.deltas.plus(other.deltas);
        self.lone = None;
        self.right = None;
    }
}
