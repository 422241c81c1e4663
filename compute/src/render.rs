//! Pictures of a comparison for people: the diff alone, or baseline, current picture and diff side
//! by side, with the regions outlined and lettered.
//!
//! Every panel shows the canvas, so that rows that belong together stand at the same height.

mod diff;
mod font;
mod laid;
mod overlay;
mod sheet;

use crate::comparison::Region;
use crate::encode::{encode_indexed, encode_rgb_quickly};
use crate::error::Error;
use crate::layout::Layout;
use crate::mask::BitMask;
use crate::pair::Side;
use crate::picture::Picture;
use crate::raster::Raster;
use crate::scale::shrink_drawn;
use crate::workers;
use diff::DiffPanel;
use laid::{GROUND, Laid};
use overlay::{Ink, Overlay};
use sheet::{GAP_PX, Sheet};

/// What to draw of a comparison.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Drawing {
    /// The diff alone.
    Diff,
    /// Baseline, current picture and diff beside each other.
    SideBySide,
}

/// Draws a comparison as a PNG of the canvas.
///
/// The diff is the current picture faded to grey with the changed pixels painted. Rows of the canvas
/// that a picture lacks are hatched. All is scaled down as far as needed to stay within
/// [`crate::MAX_PIXELS`]; a changed pixel stays visible at any scale. [`Drawing::Diff`] does not
/// decode the baseline, so damage beyond its header is not noticed, and its colours are a palette.
///
/// # Errors
/// As [`crate::read_size`] for each file; [`Error::Corrupt`] when one cannot be decoded;
/// [`Error::MaskSize`] when the mask is not of the canvas's size.
pub fn render_diff<'a>(
    baseline: impl Into<Picture<'a>>,
    current: impl Into<Picture<'a>>,
    layout: &Layout,
    mask: &BitMask,
    regions: &[Region],
    drawing: Drawing,
) -> Result<Vec<u8>, Error> {
    let pictures = [
        &Raster::open(baseline.into())?,
        &Raster::open(current.into())?,
    ];
    draw(pictures, layout, mask, regions, drawing)
}

/// The same with pictures at hand; what is missing of them is decoded.
pub(crate) fn draw(
    [baseline, current]: [&Raster<'_>; 2],
    layout: &Layout,
    mask: &BitMask,
    regions: &[Region],
    drawing: Drawing,
) -> Result<Vec<u8>, Error> {
    workers::compare(layout.size.pixels(), || {
        draw_here([baseline, current], layout, mask, regions, drawing)
    })
}

fn draw_here(
    [baseline, current]: [&Raster<'_>; 2],
    layout: &Layout,
    mask: &BitMask,
    regions: &[Region],
    drawing: Drawing,
) -> Result<Vec<u8>, Error> {
    if mask.size() != layout.size {
        return Err(Error::MaskSize {
            mask: mask.size(),
            expected: layout.size,
        });
    }
    let sheet = Sheet::new(
        layout.size,
        match drawing {
            Drawing::Diff => 1,
            Drawing::SideBySide => 3,
        },
    );
    let areas =
        (regions.iter()).map(|region| (sheet.scale_area(region.area), region.label.clone()));
    let overlay = Overlay::new(sheet.panel, areas);
    match drawing {
        Drawing::Diff => {
            current.complete()?;
            let drawn = draw_diff(current, layout, mask, &sheet, &overlay)?;
            current.check()?;
            Ok(drawn)
        }
        Drawing::SideBySide => {
            let (one, other) = workers::join(|| baseline.complete(), || current.complete());
            one.and(other)?;
            let drawn = draw_side_by_side([baseline, current], layout, mask, &sheet, &overlay)?;
            baseline.check().and(current.check())?;
            Ok(drawn)
        }
    }
}

fn draw_diff(
    current: &Raster<'_>,
    layout: &Layout,
    mask: &BitMask,
    sheet: &Sheet,
    overlay: &Overlay,
) -> Result<Vec<u8>, Error> {
    let draw = |laid: Laid<'_>, mask: &BitMask| {
        let mut panel = DiffPanel::new(laid, mask);
        encode_indexed(sheet.panel, &diff::palette(), |y, row| {
            panel.draw(y, row);
            overlay.draw(y, row, &diff::INK);
            panel.paint_changed(y, row);
        })
    };
    let laid = Laid::new(current, layout, Side::Current);
    if sheet.is_full_size() {
        return draw(laid, mask);
    }
    let small = shrunk(&laid, sheet);
    let layout = Layout::in_place(sheet.panel, sheet.panel);
    draw(
        Laid::new(&small, &layout, Side::Current),
        &sheet.scale_mask(mask),
    )
}

fn draw_side_by_side(
    pictures: [&Raster<'_>; 2],
    layout: &Layout,
    mask: &BitMask,
    sheet: &Sheet,
    overlay: &Overlay,
) -> Result<Vec<u8>, Error> {
    let [baseline, current] = pictures;
    let laid = [
        Laid::new(baseline, layout, Side::Baseline),
        Laid::new(current, layout, Side::Current),
    ];
    if sheet.is_full_size() {
        return draw_panels(laid, mask, sheet, overlay);
    }
    let small = laid.map(|laid| shrunk(&laid, sheet));
    let layout = Layout::in_place(sheet.panel, sheet.panel);
    draw_panels(
        [
            Laid::new(&small[0], &layout, Side::Baseline),
            Laid::new(&small[1], &layout, Side::Current),
        ],
        &sheet.scale_mask(mask),
        sheet,
        overlay,
    )
}

fn draw_panels(
    [baseline, current]: [Laid<'_>; 2],
    mask: &BitMask,
    sheet: &Sheet,
    overlay: &Overlay,
) -> Result<Vec<u8>, Error> {
    let ink = Ink {
        outline: overlay::OUTLINE,
        letter: overlay::LETTER,
    };
    let palette = diff::palette();
    let mut diff = DiffPanel::new(current, mask);
    let (width, gap) = (sheet.panel.width as usize, GAP_PX as usize);
    let mut indices = vec![0; width];
    encode_rgb_quickly(sheet.total(), |y, row| {
        let (row, _) = row.as_chunks_mut::<3>();
        row.fill(GROUND);
        let (left, row) = row.split_at_mut(width);
        let (middle, row) = row[gap..].split_at_mut(width);
        let right = &mut row[gap..];
        baseline.draw(y, left);
        current.draw(y, middle);
        for panel in [left, middle] {
            overlay.draw(y, panel, &ink);
        }
        diff.draw(y, &mut indices);
        overlay.draw(y, &mut indices, &diff::INK);
        diff.paint_changed(y, &mut indices);
        for (to, &index) in right.iter_mut().zip(&indices) {
            *to = palette[usize::from(index)];
        }
    })
}

/// A picture on the canvas, scaled to a panel.
fn shrunk(laid: &Laid<'_>, sheet: &Sheet) -> Raster<'static> {
    Raster::of_image(&shrink_drawn(sheet.canvas, sheet.panel, |y, row| {
        laid.draw(y, row);
    }))
}
