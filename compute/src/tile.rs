//! Summaries of 16×16 pixels, from which regions are made and by which later stages know what to
//! skip.

use std::ops::Range;

use bytemuck::{Pod, Zeroable};

use crate::geometry::{Rect, Size};

/// Pixels along one side of a tile. Not less than the radius of an SSIM window, so that a window
/// touches only adjacent tiles.
pub(crate) const TILE: u32 = 16;

/// What happened inside one tile; the shaders share this layout.
#[repr(C)]
#[derive(Debug, Clone, Copy, PartialEq, Eq, Pod, Zeroable)]
pub(crate) struct Tile {
    /// Pixels that changed by more than the threshold.
    pub(crate) changed: u32,
    /// Sum of the changed pixels' distances, in units of 1/256 of the squared YIQ distance.
    pub(crate) delta_sum: u32,
    /// The largest distance of a changed pixel, in units of 1/65536.
    pub(crate) delta_max: u32,
    /// Box around the changed pixels, relative to the tile's corner, both ends included; left >
    /// right when none changed.
    pub(crate) left: u32,
    pub(crate) top: u32,
    pub(crate) right: u32,
    pub(crate) bottom: u32,
}

impl Tile {
    /// A tile in which nothing differs.
    pub(crate) const EMPTY: Self = Self {
        changed: 0,
        delta_sum: 0,
        delta_max: 0,
        left: TILE,
        top: TILE,
        right: 0,
        bottom: 0,
    };

    /// Counts a changed pixel at a place inside the tile.
    pub(crate) fn add_changed(&mut self, x: u32, y: u32, fixed_delta: u32) {
        self.changed += 1;
        self.delta_sum += fixed_delta >> crate::metric::SUM_SHIFT;
        self.delta_max = self.delta_max.max(fixed_delta);
        self.left = self.left.min(x);
        self.top = self.top.min(y);
        self.right = self.right.max(x);
        self.bottom = self.bottom.max(y);
    }

    /// Counts the changed pixels of a row inside the tile: their bits, at least one, and the distances of all pixels, 0 for
    /// those that did not change.
    #[inline(always)]
    pub(crate) fn add_changed_row(
        &mut self,
        y: u32,
        bits: u32,
        fixed_deltas: &[u32; TILE as usize],
    ) {
        self.changed += bits.count_ones();
        for &delta in fixed_deltas {
            self.delta_sum += delta >> crate::metric::SUM_SHIFT;
            self.delta_max = self.delta_max.max(delta);
        }
        self.left = self.left.min(bits.trailing_zeros());
        self.top = self.top.min(y);
        self.right = self.right.max(u32::BITS - 1 - bits.leading_zeros());
        self.bottom = self.bottom.max(y);
    }

    /// The box around its changed pixels on the page, for the tile at this column and row of tiles.
    pub(crate) fn area(&self, column: u32, row: u32) -> Option<Rect> {
        (self.changed > 0).then(|| Rect {
            x: column * TILE + self.left,
            y: row * TILE + self.top,
            width: self.right - self.left + 1,
            height: self.bottom - self.top + 1,
        })
    }
}

/// Columns and rows of tiles of a canvas.
pub(crate) fn tiles_of(canvas: Size) -> Size {
    Size {
        width: tiles_along(canvas.width),
        height: tiles_along(canvas.height),
    }
}

/// The pixels of the tile at this column and row of tiles; those at an edge may reach over the canvas.
pub(crate) fn pixels_of(column: u32, row: u32) -> Rect {
    Rect {
        x: column * TILE,
        y: row * TILE,
        width: TILE,
        height: TILE,
    }
}

/// Rows of pixels of a row of tiles on a canvas of this height.
pub(crate) fn pixel_rows(tile_row: u32, height: u32) -> Range<u32> {
    debug_assert!(tile_row < tiles_along(height));
    tile_row * TILE..((tile_row + 1) * TILE).min(height)
}

/// Tiles along an axis of `length` pixels.
pub(crate) fn tiles_along(length: u32) -> u32 {
    length.div_ceil(TILE)
}
