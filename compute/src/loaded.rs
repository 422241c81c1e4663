//! Two pictures in memory, and what is known of their rows on arrival.

mod passing;

use crate::raster::Raster;
use crate::raster::kept::Room;

pub(crate) use passing::Passing;

/// Both pictures and what is known of their rows.
#[derive(Debug)]
pub(crate) struct Loaded<'a> {
    pub(crate) baseline: Raster<'a>,
    pub(crate) current: Raster<'a>,
    pub(crate) rows: KnownRows,
    /// How much of them may be in memory.
    pub(crate) room: Room,
}

/// Which decoded strips stay in memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Keep {
    /// Those with a difference, and those around them.
    Differing,
    /// These, and all of the current picture, to draw it afterwards.
    Current,
}

/// What is known of rows without looking at their pixels again.
#[derive(Debug, Default)]
pub(crate) struct KnownRows {
    /// For each row that both pictures have, whether it shows the same pixels in both.
    pub(crate) same_in_place: Vec<bool>,
    /// Rows at the top without hashes; they are the same in both pictures.
    pub(crate) unhashed: u32,
    /// Hashes of the baseline's other rows; empty when nobody asked for them.
    pub(crate) baseline: Vec<u64>,
    /// Hashes of the current picture's other rows.
    pub(crate) current: Vec<u64>,
    /// Hashes of the cells of all rows, of rows at the top without hashes any value; none when both pictures are PNGs that fit
    /// into memory.
    pub(crate) cells: Option<[Vec<u32>; 2]>,
}

impl KnownRows {
    /// Whether hashes tell that two rows show the same pixels; `None` when they do not tell.
    pub(crate) fn same(&self, baseline_y: u32, current_y: u32) -> Option<bool> {
        if baseline_y == current_y
            && let Some(&same) = self.same_in_place.get(baseline_y as usize)
        {
            return Some(same);
        }
        let hash = |hashes: &[u64], y: u32| {
            let at = y.checked_sub(self.unhashed)?;
            hashes.get(at as usize).copied()
        };
        Some(hash(&self.baseline, baseline_y)? == hash(&self.current, current_y)?)
    }
}
