//! Outlines and letter tags of regions, drawn into one row of a panel at a time.

use super::font::{GLYPH_HEIGHT, GLYPH_WIDTH, glyph_has};
use crate::geometry::{Rect, Size};

/// A blue that stands out from pages and from the paint of changed pixels.
const OUTLINE: [u8; 3] = [0x1d, 0x4e, 0xd8];
const LETTER: [u8; 3] = [0xff, 0xff, 0xff];

/// Pixels of an outline, which lies around its region and covers none of it, page edges aside.
const THICK_PX: u32 = 2;

/// Pixels a dot of a letter is wide and high.
const DOT_PX: u32 = 2;

/// Pixels between a letter and its tag's edge, and between two letters.
const PAD_PX: u32 = 4;

const TAG_HEIGHT_PX: u32 = GLYPH_HEIGHT * DOT_PX + 2 * PAD_PX;

/// Draws what a region's outline and tag have in row `y` of a panel.
pub(crate) fn draw(row: &mut [u8], panel: Size, area: Rect, label: &str, y: u32) {
    let frame = grown(area, panel);
    if (frame.y..frame.bottom()).contains(&y) {
        let inside = area.y <= y && y < area.bottom();
        if inside {
            paint(row, frame.x, frame.x + THICK_PX, OUTLINE);
            paint(
                row,
                frame.right().saturating_sub(THICK_PX),
                frame.right(),
                OUTLINE,
            );
        } else {
            paint(row, frame.x, frame.right(), OUTLINE);
        }
    }
    draw_tag(row, tag_place(frame, panel, label), label, y);
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

fn draw_tag(row: &mut [u8], tag: Rect, label: &str, y: u32) {
    if y < tag.y || y >= tag.bottom() {
        return;
    }
    paint(row, tag.x, tag.right(), OUTLINE);
    let Some(dot_row) = (y - tag.y)
        .checked_sub(PAD_PX)
        .map(|inside| inside / DOT_PX)
    else {
        return;
    };
    let mut left = tag.x + PAD_PX;
    for letter in label.chars() {
        for column in (0..GLYPH_WIDTH).filter(|&column| glyph_has(letter, column, dot_row)) {
            paint(
                row,
                left + column * DOT_PX,
                left + (column + 1) * DOT_PX,
                LETTER,
            );
        }
        left += GLYPH_WIDTH * DOT_PX + PAD_PX;
    }
}

/// Paints the columns `from..until`, as far as the row goes.
fn paint(row: &mut [u8], from: u32, until: u32, color: [u8; 3]) {
    let (pixels, _) = row.as_chunks_mut::<3>();
    let until = (until as usize).min(pixels.len());
    if let Some(pixels) = pixels.get_mut(from as usize..until) {
        pixels.fill(color);
    }
}
