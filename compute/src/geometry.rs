//! Sizes and rectangles in pixels; the origin is the top-left corner.

use std::fmt;

/// Width and height of a picture in pixels.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Size {
    /// Pixels per row.
    pub width: u32,
    /// Number of rows.
    pub height: u32,
}

/// A rectangle in pixels; `x` and `y` name its top-left corner.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Rect {
    /// Left edge.
    pub x: u32,
    /// Top edge.
    pub y: u32,
    /// Pixels per row; 0 makes the rectangle empty.
    pub width: u32,
    /// Number of rows; 0 makes the rectangle empty.
    pub height: u32,
}

impl Size {
    /// Number of pixels.
    pub fn pixels(self) -> u64 {
        u64::from(self.width) * u64::from(self.height)
    }

    /// The smallest size that holds both.
    pub(crate) fn union(self, other: Self) -> Self {
        Self {
            width: self.width.max(other.width),
            height: self.height.max(other.height),
        }
    }
}

impl fmt::Display for Size {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}×{}", self.width, self.height)
    }
}

impl Rect {
    /// Its sides.
    pub(crate) fn size(self) -> Size {
        Size {
            width: self.width,
            height: self.height,
        }
    }

    /// First column to the right of the rectangle.
    pub fn right(self) -> u32 {
        self.x.saturating_add(self.width)
    }

    /// First row below the rectangle.
    pub fn bottom(self) -> u32 {
        self.y.saturating_add(self.height)
    }

    /// The smallest rectangle that holds both; neither may be empty.
    pub(crate) fn union(self, other: Self) -> Self {
        let (x, y) = (self.x.min(other.x), self.y.min(other.y));
        Self {
            x,
            y,
            width: self.right().max(other.right()) - x,
            height: self.bottom().max(other.bottom()) - y,
        }
    }

    /// The part that lies on a picture of this size; `None` when there is none.
    pub(crate) fn within(self, size: Size) -> Option<Self> {
        let (right, bottom) = (self.right().min(size.width), self.bottom().min(size.height));
        (self.x < right && self.y < bottom).then(|| Self {
            width: right - self.x,
            height: bottom - self.y,
            ..self
        })
    }

    /// Number of whole pixels between the two, the longer of the gaps along both axes; 0 when they
    /// touch or overlap.
    pub(crate) fn gap(self, other: Self) -> u32 {
        let along_x = self
            .x
            .max(other.x)
            .saturating_sub(self.right().min(other.right()));
        let along_y = self
            .y
            .max(other.y)
            .saturating_sub(self.bottom().min(other.bottom()));
        along_x.max(along_y)
    }

    /// Whether the two share a pixel.
    pub(crate) fn overlaps(self, other: Self) -> bool {
        self.x < other.right()
            && other.x < self.right()
            && self.y < other.bottom()
            && other.y < self.bottom()
    }
}
