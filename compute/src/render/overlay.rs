//! Outlines and letter tags of regions, drawn into one row of a panel at a time.

use super::font::{GLYPH_HEIGHT, GLYPH_WIDTH, glyph_has};
use crate::comparison::Region;
use crate::geometry::{Rect, Size};

/// A blue that stands out from pages and from the paint of changed pixels.
pub(super) const OUTLINE: [u8; 3] = [0x1d, 0x4e, 0xd8];
pub(super) const LETTER: [u8; 3] = [0xff, 0xff, 0xff];

/// Pixels of an outline, which lies around its region and covers none of it, page edges aside.
const THICK_PX: u32 = 2;

/// Pixels of a dash, and between two, of the outline around rows that lie apart.
const DASH_PX: u32 = 8;

/// Pixels a dot of a letter is wide and high.
const DOT_PX: u32 = 2;

/// Pixels between a letter and its tag's edge, and between two letters.
const PAD_PX: u32 = 4;

const TAG_HEIGHT_PX: u32 = GLYPH_HEIGHT * DOT_PX + 2 * PAD_PX;

/// Rows that share a list of the marks they touch, so that a row does not ask all of them.
const BLOCK_ROWS: u32 = 64;

/// The two colours of an overlay, as pixels of the panel.
pub(super) struct Ink<P> {
    pub(super) outline: P,
    pub(super) letter: P,
}

/// What lies over a panel.
pub(super) struct Overlay {
    marks: Vec<Mark>,
    /// For each block of rows, which marks touch it, in order.
    blocks: Vec<Vec<usize>>,
}

/// One region's outline and tag.
struct Mark {
    /// What the outline surrounds.
    area: Rect,
    /// The outline's outer edge.
    frame: Rect,
    tag: Rect,
    label: String,
    /// Whether it is around rows that lie apart.
    is_dashed: bool,
}

impl Overlay {
    /// Of regions; `scaled` gives an area in pixels of the panel.
    pub(super) fn new(panel: Size, regions: &[Region], scaled: impl Fn(Rect) -> Rect) -> Self {
        let marks: Vec<Mark> = (regions.iter())
            .map(|region| {
                let area = scaled(region.area);
                let frame = grown(area, panel);
                Mark {
                    area,
                    frame,
                    tag: tag_place(frame, panel, &region.label),
                    label: region.label.clone(),
                    is_dashed: region.loose_rows.is_some(),
                }
            })
            .collect();
        let mut blocks = vec![Vec::new(); panel.height.div_ceil(BLOCK_ROWS) as usize];
        for (index, mark) in marks.iter().enumerate() {
            let touched = mark.frame.union(mark.tag);
            for block in touched.y / BLOCK_ROWS..touched.bottom().div_ceil(BLOCK_ROWS) {
                if let Some(block) = blocks.get_mut(block as usize) {
                    block.push(index);
                }
            }
        }
        Self { marks, blocks }
    }

    /// Draws what lies over row `y` of the panel.
    pub(super) fn draw<P: Copy>(&self, y: u32, row: &mut [P], ink: &Ink<P>) {
        let touched = self.blocks.get((y / BLOCK_ROWS) as usize);
        for &index in touched.into_iter().flatten() {
            self.marks[index].draw(y, row, ink);
        }
    }
}

impl Mark {
    fn draw<P: Copy>(&self, y: u32, row: &mut [P], ink: &Ink<P>) {
        let Self { area, frame, .. } = *self;
        if (frame.y..frame.bottom()).contains(&y) {
            if area.y <= y && y < area.bottom() {
                let inner = frame.right().saturating_sub(THICK_PX);
                if !self.is_dashed || ((y - frame.y) / DASH_PX).is_multiple_of(2) {
                    paint(row, frame.x, frame.x + THICK_PX, ink.outline);
                    paint(row, inner, frame.right(), ink.outline);
                }
            } else if self.is_dashed {
                for dash in (frame.x..frame.right()).step_by(2 * DASH_PX as usize) {
                    let end = (dash + DASH_PX).min(frame.right());
                    paint(row, dash, end, ink.outline);
                }
            } else {
                paint(row, frame.x, frame.right(), ink.outline);
            }
        }
        self.draw_tag(y, row, ink);
    }

    fn draw_tag<P: Copy>(&self, y: u32, row: &mut [P], ink: &Ink<P>) {
        let tag = self.tag;
        if y < tag.y || y >= tag.bottom() {
            return;
        }
        paint(row, tag.x, tag.right(), ink.outline);
        let Some(dot_row) = (y - tag.y)
            .checked_sub(PAD_PX)
            .map(|inside| inside / DOT_PX)
        else {
            return;
        };
        let mut left = tag.x + PAD_PX;
        for letter in self.label.chars() {
            for column in (0..GLYPH_WIDTH).filter(|&column| glyph_has(letter, column, dot_row)) {
                let dot = left + column * DOT_PX;
                paint(row, dot, dot + DOT_PX, ink.letter);
            }
            left += GLYPH_WIDTH * DOT_PX + PAD_PX;
        }
    }
}

/// The region with its outline, kept on the panel.
fn grown(area: Rect, panel: Size) -> Rect {
    let (x, y) = (
        area.x.saturating_sub(THICK_PX),
        area.y.saturating_sub(THICK_PX),
    );
    Rect {
        x,
        y,
        width: area
            .right()
            .saturating_add(THICK_PX)
            .min(panel.width)
            .saturating_sub(x),
        height: area
            .bottom()
            .saturating_add(THICK_PX)
            .min(panel.height)
            .saturating_sub(y),
    }
}

/// The tag sits on the outline's top left corner; at the top of the page it hangs below instead, at
/// the right edge it moves in.
fn tag_place(frame: Rect, panel: Size, label: &str) -> Rect {
    let letters = u32::try_from(label.len()).unwrap_or(u32::MAX);
    let width = letters
        .saturating_mul(GLYPH_WIDTH * DOT_PX + PAD_PX)
        .saturating_add(PAD_PX);
    let above = frame.y >= TAG_HEIGHT_PX;
    Rect {
        x: frame.x.min(panel.width.saturating_sub(width)),
        y: if above {
            frame.y - TAG_HEIGHT_PX
        } else {
            frame
                .bottom()
                .min(panel.height.saturating_sub(TAG_HEIGHT_PX))
        },
        width,
        height: TAG_HEIGHT_PX,
    }
}

/// Paints the columns `from..until`, as far as the row goes.
fn paint<P: Copy>(row: &mut [P], from: u32, until: u32, color: P) {
    let until = (until as usize).min(row.len());
    if let Some(pixels) = row.get_mut(from as usize..until) {
        pixels.fill(color);
    }
}
