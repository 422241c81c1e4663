//! What can be seen of elements that lie in others which cut off or scroll what is too large for them.

use crate::document::{Document, NONE};
use crate::finding::Area;

/// Coordinates of a window that cuts nothing off: parsing keeps them far below.
const FAR: i64 = 1 << 40;

/// What can be seen of each element.
pub(crate) struct Cropped {
    areas: Vec<Area>,
}

impl Cropped {
    /// The part of an element's box that can be seen; without extent where none can.
    pub(crate) fn area(&self, at: u32) -> Area {
        self.areas[at as usize]
    }
}

/// A window onto the page: the edges at its left, top, right and bottom.
#[derive(Clone, Copy)]
struct Window([i64; 4]);

impl Window {
    const OPEN: Self = Self([-FAR, -FAR, FAR, FAR]);

    fn shows(self, area: Area) -> Area {
        let Self([left, top, right, bottom]) = self;
        let (x, y) = (area.x.max(left), area.y.max(top));
        Area {
            x,
            y,
            w: ((area.x + area.w).min(right) - x).max(0),
            h: ((area.y + area.h).min(bottom) - y).max(0),
        }
    }

    /// The window in an element that cuts off what is beyond its sides, or above and below it.
    fn narrowed(self, area: Area, [across, down]: [bool; 2]) -> Self {
        let Self([left, top, right, bottom]) = self;
        let seen = self.shows(area);
        Self([
            if across { seen.x } else { left },
            if down { seen.y } else { top },
            if across { seen.x + seen.w } else { right },
            if down { seen.y + seen.h } else { bottom },
        ])
    }
}

/// Cuts every element's box to what those around it let be seen. What is positioned absolutely may lie in an element that
/// does not hold it; then less of it is taken for seen than there is.
pub(crate) fn crop(tree: &Document) -> Cropped {
    let mut areas = Vec::with_capacity(tree.nodes.len());
    let mut windows: Vec<Window> = Vec::with_capacity(tree.nodes.len());
    for at in 0..tree.len() {
        let node = tree.node(at);
        let around = match node.parent {
            NONE => Window::OPEN,
            parent => windows[parent as usize],
        };
        // The page itself scrolls by what is set on its body, and an inline box cuts nothing off.
        let cuts = |name: &str| {
            node.parent != NONE
                && tree.style(at, "display") != "inline"
                && matches!(tree.style(at, name), "hidden" | "clip" | "auto" | "scroll")
        };
        areas.push(around.shows(node.area));
        windows.push(around.narrowed(node.area, ["overflow-x", "overflow-y"].map(cuts)));
    }
    Cropped { areas }
}
