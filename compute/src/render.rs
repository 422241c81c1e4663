//! Pictures of a comparison for people: the diff alone, or baseline, current picture and diff side
//! by side, with the regions outlined and lettered.
//!
//! Every panel shows the canvas, so that rows that belong together stand at the same height.

mod diff;
mod font;
mod laid;
mod overlay;
mod sheet;
mod shrunk;

use crate::comparison::Region;
use crate::encode::{Palette, encode_indexed, encode_rgb_quickly};
use crate::error::Error;
use crate::layout::Layout;
use crate::mask::BitMask;
use crate::pair::Side;
use crate::picture::Picture;
use crate::raster::Raster;
use crate::workers;
use diff::DiffPanel;
use laid::{GROUND, Laid};
use overlay::{Ink, Overlay};
use sheet::{GAP_PX, Sheet};
use shrunk::Shrunk;

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
    let [mut baseline, mut current] = [
        Raster::open(baseline.into())?,
        Raster::open(current.into())?,
    ];
    draw(
        [&mut baseline, &mut current],
        layout,
        mask,
        regions,
        drawing,
    )
}

/// The same with pictures at hand; what is missing of them is decoded.
pub(crate) fn draw(
    pictures: [&mut Raster<'_>; 2],
    layout: &Layout,
    mask: &BitMask,
    regions: &[Region],
    drawing: Drawing,
) -> Result<Vec<u8>, Error> {
    workers::compare(layout.size.pixels(), || {
        draw_here(pictures, layout, mask, regions, drawing)
    })
}

fn draw_here(
    [baseline, current]: [&mut Raster<'_>; 2],
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
    let overlay = Overlay::new(sheet.panel, regions, |area| sheet.scale_area(area));
    match drawing {
        Drawing::Diff => {
            let drawn = draw_diff(current, layout, mask, &sheet, &overlay)?;
            current.check()?;
            Ok(drawn)
        }
        Drawing::SideBySide => {
            let pictures = [&mut *baseline, &mut *current];
            let drawn = draw_side_by_side(pictures, layout, mask, &sheet, &overlay)?;
            baseline.check().and(current.check())?;
            Ok(drawn)
        }
    }
}

fn draw_diff(
    current: &mut Raster<'_>,
    layout: &Layout,
    mask: &BitMask,
    sheet: &Sheet,
    overlay: &Overlay,
) -> Result<Vec<u8>, Error> {
    let draw = |panel: &mut DiffPanel<'_>, y: u32, row: &mut [u8]| {
        panel.draw(y, row);
        overlay.draw(y, row, &diff::INK);
        panel.paint_changed(y, row);
    };
    let palette = diff::palette();
    if sheet.is_full_size() {
        current.complete()?;
        let mut panel = DiffPanel::new(Laid::new(current, layout, Side::Current), mask);
        return encode_indexed(sheet.panel, &palette, |y, row| draw(&mut panel, y, row));
    }
    let mut small = Shrunk::new([(current, Side::Current)], layout, sheet)?;
    let mask = sheet.scale_mask(mask);
    encode_indexed(sheet.panel, &palette, |y, row| {
        let [laid] = small.at(y);
        draw(&mut DiffPanel::new(laid, &mask), y, row);
    })
}

fn draw_side_by_side(
    [baseline, current]: [&mut Raster<'_>; 2],
    layout: &Layout,
    mask: &BitMask,
    sheet: &Sheet,
    overlay: &Overlay,
) -> Result<Vec<u8>, Error> {
    let mut panels = Panels::new(sheet, overlay);
    if sheet.is_full_size() {
        let (one, other) = workers::join(|| baseline.complete(), || current.complete());
        one.and(other)?;
        let laid = [
            Laid::new(baseline, layout, Side::Baseline),
            Laid::new(current, layout, Side::Current),
        ];
        let mut diff = DiffPanel::new(laid[1], mask);
        return encode_rgb_quickly(sheet.total(), |y, row| panels.draw(y, row, laid, &mut diff));
    }
    let pictures = [(baseline, Side::Baseline), (current, Side::Current)];
    let mut small = Shrunk::new(pictures, layout, sheet)?;
    let mask = sheet.scale_mask(mask);
    encode_rgb_quickly(sheet.total(), |y, row| {
        let laid = small.at(y);
        panels.draw(y, row, laid, &mut DiffPanel::new(laid[1], &mask));
    })
}

/// Draws rows of baseline, current picture and diff beside each other.
struct Panels<'s> {
    overlay: &'s Overlay,
    palette: Palette,
    /// Room for a row of the diff.
    indices: Vec<u8>,
}

impl<'s> Panels<'s> {
    fn new(sheet: &Sheet, overlay: &'s Overlay) -> Self {
        Self {
            overlay,
            palette: diff::palette(),
            indices: vec![0; sheet.panel.width as usize],
        }
    }

    fn draw(
        &mut self,
        y: u32,
        row: &mut [u8],
        [baseline, current]: [Laid<'_>; 2],
        diff: &mut DiffPanel<'_>,
    ) {
        let ink = Ink {
            outline: overlay::OUTLINE,
            letter: overlay::LETTER,
        };
        let (width, gap) = (self.indices.len(), GAP_PX as usize);
        let (row, _) = row.as_chunks_mut::<3>();
        row.fill(GROUND);
        let (left, row) = row.split_at_mut(width);
        let (middle, row) = row[gap..].split_at_mut(width);
        let right = &mut row[gap..];
        baseline.draw(y, left);
        current.draw(y, middle);
        for panel in [left, middle] {
            self.overlay.draw(y, panel, &ink);
        }
        diff.draw(y, &mut self.indices);
        self.overlay.draw(y, &mut self.indices, &diff::INK);
        diff.paint_changed(y, &mut self.indices);
        for (to, &index) in right.iter_mut().zip(&self.indices) {
            *to = self.palette[usize::from(index)];
        }
    }
}
