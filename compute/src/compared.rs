//! A comparison that can be drawn without reading its pictures again.

use crate::comparison::Comparison;
use crate::error::Error;
use crate::raster::Raster;
use crate::render::{Drawing, draw};

/// The facts of a comparison together with its pictures, as far as they were decoded.
#[derive(Debug)]
pub struct Compared<'a> {
    /// The facts.
    pub comparison: Comparison,
    pub(crate) baseline: Raster<'a>,
    pub(crate) current: Raster<'a>,
}

impl Compared<'_> {
    /// Draws it, as [`crate::render_diff`] does.
    ///
    /// # Errors
    /// [`Error::Corrupt`] and [`Error::Unreadable`] when a picture that was not read for the comparison cannot be decoded.
    pub fn draw(&mut self, drawing: Drawing) -> Result<Vec<u8>, Error> {
        let Comparison {
            layout,
            mask,
            regions,
            ..
        } = &self.comparison;
        let pictures = [&mut self.baseline, &mut self.current];
        draw(pictures, layout, mask, regions, drawing)
    }
}
