//! The annotated picture for people: baseline, current and diff side by side, with the regions
//! outlined and lettered.

mod font;
mod overlay;

use crate::comparison::Region;
use crate::decode::{Image, MAX_PIXELS, decode, rgba};
use crate::encode::encode_rgb;
use crate::error::Error;
use crate::geometry::{Rect, Size};
use crate::load::page_size;
use crate::mask::{BitMask, WORD_BITS};
use crate::scale::{over_white, shrink};

/// Pixels between two panels.
const GAP_PX: u32 = 16;

/// Between and below the panels: a mid grey that is neither page.
const GROUND: [u8; 3] = [0x80, 0x80, 0x80];

/// Changed pixels: a magenta that pages seldom use.
const CHANGED: [u8; 3] = [0xe6, 0x00, 0x7a];

/// How much of the faded page is left to see, in 256ths.
const FADED: u32 = 64;

/// The three panels and how the page is scaled into them.
struct Layout {
    /// The page that holds both pictures.
    page: Size,
    /// One panel.
    panel: Size,
}

/// What to draw of a comparison.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Drawing {
    /// The diff alone.
    Diff,
    /// Baseline, current picture and diff beside each other.
    SideBySide,
}

/// Draws a comparison as a PNG: the diff is the current picture faded
/// to grey with the changed pixels painted. All is scaled down as far as needed to stay within
/// [`MAX_PIXELS`]; a changed pixel stays visible at any scale.
///
/// # Errors
/// As [`crate::read_size`] for each file and for the page that holds both; [`Error::Corrupt`] when
/// one cannot be decoded; [`Error::MaskSize`] when the mask belongs to another comparison.
pub fn render_diff(
    baseline_png: &[u8],
    current_png: &[u8],
    layout: &crate::layout::Layout,
    comparison_mask: &BitMask,
    regions: &[Region],
    drawing: Drawing,
) -> Result<Vec<u8>, Error> {
    let _ = (layout, drawing);
    let page = page_size(baseline_png.into(), current_png.into())?;
    if comparison_mask.size() != page {
        return Err(Error::MaskSize {
            mask: comparison_mask.size(),
            expected: page,
        });
    }
    let layout = Layout::new(page);
    let baseline = layout.scale_image(decode(baseline_png)?);
    let current = layout.scale_image(decode(current_png)?);
    let mask = layout.scale_mask(comparison_mask);
    let areas: Vec<Rect> = regions
        .iter()
        .map(|region| layout.scale_area(region.area))
        .collect();
    let panel_bytes = layout.panel.width as usize * 3;
    encode_rgb(layout.total(), |y, row| {
        row.as_chunks_mut::<3>().0.fill(GROUND);
        let gap_bytes = GAP_PX as usize * 3;
        let mut panels = row.chunks_mut(panel_bytes + gap_bytes);
        let mut next = || {
            panels
                .next()
                .and_then(|panel| panel.get_mut(..panel_bytes))
                .unwrap_or_default()
        };
        let (left, middle, right) = (next(), next(), next());
        draw_picture(left, &baseline, y);
        draw_picture(middle, &current, y);
        draw_diff(right, &current, &mask, y);
        for panel in [left, middle, right] {
            for (region, &area) in regions.iter().zip(&areas) {
                overlay::draw(panel, layout.panel, area, &region.label, y);
            }
        }
    })
}

impl Layout {
    fn new(page: Size) -> Self {
        let fixed = u64::from(2 * GAP_PX);
        let total = (3 * u64::from(page.width) + fixed) * u64::from(page.height);
        if total <= MAX_PIXELS {
            return Self { page, panel: page };
        }
        let factor = (MAX_PIXELS as f64 / total as f64).sqrt();
        let panel_height = scaled(page.height, factor);
        // A page of few but very long rows or columns cannot shrink below one pixel across: the
        // other side gives way.
        let widest = (MAX_PIXELS / u64::from(panel_height)).saturating_sub(fixed) / 3;
        let width = u64::from(scaled(page.width, factor)).min(widest).max(1);
        let height = u64::from(panel_height)
            .min(MAX_PIXELS / (3 * width + fixed))
            .max(1);
        let small = |side: u64| u32::try_from(side).expect("it is not longer than the page");
        Self {
            page,
            panel: Size {
                width: small(width),
                height: small(height),
            },
        }
    }

    /// Size of the whole picture.
    fn total(&self) -> Size {
        Size {
            width: 3 * self.panel.width + 2 * GAP_PX,
            height: self.panel.height,
        }
    }

    fn scale_x(&self, x: u32) -> u32 {
        ratio(x, self.panel.width, self.page.width)
    }

    fn scale_y(&self, y: u32) -> u32 {
        ratio(y, self.panel.height, self.page.height)
    }

    fn scale_image(&self, image: Image) -> Image {
        if self.panel == self.page {
            return image;
        }
        let to = Size {
            width: self.scale_x(image.size.width).max(1),
            height: self.scale_y(image.size.height).max(1),
        };
        let rows = image.size.height;
        shrink(&image, rows, to)
    }

    fn scale_area(&self, area: Rect) -> Rect {
        let (x, y) = (self.scale_x(area.x), self.scale_y(area.y));
        Rect {
            x,
            y,
            width: self.scale_x(area.right()).max(x + 1) - x,
            height: self.scale_y(area.bottom()).max(y + 1) - y,
        }
    }

    /// A pixel of the result is set when any of the pixels it stands for is.
    fn scale_mask(&self, mask: &BitMask) -> BitMask {
        if self.panel == self.page {
            return mask.clone();
        }
        let mut small = BitMask::new(self.panel);
        for y in 0..self.page.height {
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
}

/// A picture as it is, over white.
fn draw_picture(row: &mut [u8], image: &Image, y: u32) {
    let pixels = image
        .row(y)
        .unwrap_or_default()
        .chunks_exact(image.channels);
    for (to, from) in row.as_chunks_mut::<3>().0.iter_mut().zip(pixels) {
        *to = over_white(rgba(from));
    }
}

/// The current picture faded to grey, changed pixels painted; white where it has nothing.
fn draw_diff(row: &mut [u8], current: &Image, mask: &BitMask, y: u32) {
    for (x, to) in (0..).zip(row.as_chunks_mut::<3>().0) {
        *to = if mask.get(x, y) {
            CHANGED
        } else {
            [faded(current.pixel(x, y).unwrap_or([255; 4])); 3]
        };
    }
}

/// The grey of a colour, most of the way to white.
fn faded(pixel: [u8; 4]) -> u8 {
    let [r, g, b] = over_white(pixel).map(u32::from);
    let grey = (299 * r + 587 * g + 114 * b) / 1000;
    u8::try_from(255 - (255 - grey) * FADED / 256).unwrap_or(u8::MAX)
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
    fn every_page_fits() {
        for (width, height) in [
            (1, 262_144),
            (262_144, 1),
            (305, 262_144),
            (8000, 10_000),
            (1280, 720),
            (1, 1),
            (8944, 8944),
        ] {
            let layout = Layout::new(Size { width, height });
            assert!(
                layout.total().pixels() <= MAX_PIXELS,
                "{width}×{height} gives {}",
                layout.total()
            );
            assert!(layout.panel.width >= 1 && layout.panel.height >= 1);
        }
    }
}
