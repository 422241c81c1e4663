//! The panels of a drawing, and how the canvas is scaled into them.

use crate::decode::MAX_PIXELS;
use crate::geometry::{Rect, Size};
use crate::mask::{BitMask, WORD_BITS};

/// Pixels between two panels.
pub(super) const GAP_PX: u32 = 16;

/// Panels of one size beside each other.
pub(super) struct Sheet {
    /// What a panel shows.
    pub(super) canvas: Size,
    /// One panel.
    pub(super) panel: Size,
    panels: u32,
}

impl Sheet {
    /// The largest panels, up to the canvas's own size, that stay within [`MAX_PIXELS`].
    pub(super) fn new(canvas: Size, panels: u32) -> Self {
        let gaps = u64::from((panels - 1) * GAP_PX);
        let panels_wide = u64::from(panels);
        let total = (panels_wide * u64::from(canvas.width) + gaps) * u64::from(canvas.height);
        let mut sheet = Self {
            canvas,
            panel: canvas,
            panels,
        };
        if total <= MAX_PIXELS {
            return sheet;
        }
        let factor = (MAX_PIXELS as f64 / total as f64).sqrt();
        let panel_height = scaled(canvas.height, factor);
        // A page of few but very long rows or columns cannot shrink below one pixel across: the
        // other side gives way.
        let widest = (MAX_PIXELS / u64::from(panel_height)).saturating_sub(gaps) / panels_wide;
        let width = u64::from(scaled(canvas.width, factor)).min(widest).max(1);
        let height = u64::from(panel_height)
            .min(MAX_PIXELS / (panels_wide * width + gaps))
            .max(1);
        let small = |side: u64| u32::try_from(side).expect("it is not longer than the canvas");
        sheet.panel = Size {
            width: small(width),
            height: small(height),
        };
        sheet
    }

    /// Whether a panel has a pixel for every pixel of the canvas.
    pub(super) fn is_full_size(&self) -> bool {
        self.panel == self.canvas
    }

    /// Size of the whole picture.
    pub(super) fn total(&self) -> Size {
        Size {
            width: self.panels * self.panel.width + (self.panels - 1) * GAP_PX,
            height: self.panel.height,
        }
    }

    /// A box on the canvas as it stands on a panel; at least one pixel each way.
    pub(super) fn scale_area(&self, area: Rect) -> Rect {
        let (x, y) = (self.scale_x(area.x), self.scale_y(area.y));
        Rect {
            x,
            y,
            width: self.scale_x(area.right()).max(x + 1) - x,
            height: self.scale_y(area.bottom()).max(y + 1) - y,
        }
    }

    /// A pixel of the result is set when any of the pixels it stands for is.
    pub(super) fn scale_mask(&self, mask: &BitMask) -> BitMask {
        let mut small = BitMask::new(self.panel);
        for y in 0..self.canvas.height {
            for (word, &bits) in (0..).zip(mask.row(y)) {
                let mut left = bits;
                while left != 0 {
                    let x = word * WORD_BITS + left.trailing_zeros();
                    left &= left - 1;
                    small.fill(Rect {
                        x: self.scale_x(x),
                        y: self.scale_y(y),
                        width: 1,
                        height: 1,
                    });
                }
            }
        }
        small
    }

    fn scale_x(&self, x: u32) -> u32 {
        ratio(x, self.panel.width, self.canvas.width)
    }

    fn scale_y(&self, y: u32) -> u32 {
        ratio(y, self.panel.height, self.canvas.height)
    }
}

fn ratio(value: u32, times: u32, by: u32) -> u32 {
    u32::try_from(u64::from(value) * u64::from(times) / u64::from(by)).expect("scaled down, not up")
}

fn scaled(side: u32, factor: f64) -> u32 {
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "the factor lies between 0 and 1"
    )]
    let scaled = (f64::from(side) * factor) as u32;
    scaled.max(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_canvas_fits() {
        for (width, height) in [
            (1, 262_144),
            (262_144, 1),
            (305, 262_144),
            (8000, 10_000),
            (8000, 20_000),
            (1280, 720),
            (1, 1),
            (8944, 8944),
        ] {
            for panels in [1, 3] {
                let canvas = Size { width, height };
                let sheet = Sheet::new(canvas, panels);
                assert!(
                    sheet.total().pixels() <= MAX_PIXELS,
                    "{panels} of {canvas} give {}",
                    sheet.total()
                );
                assert!(sheet.panel.width >= 1 && sheet.panel.height >= 1);
                assert_eq!(
                    sheet.is_full_size(),
                    Sheet {
                        panel: canvas,
                        ..sheet
                    }
                    .total()
                    .pixels()
                        <= MAX_PIXELS,
                    "{panels} of {canvas}"
                );
            }
        }
    }
}
