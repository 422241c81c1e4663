//! Pictures scaled down to panels, a strip of each at a time: of a page that is so long not all is in memory at once.

use rayon::prelude::*;

use crate::error::Error;
use crate::layout::Layout;
use crate::pair::Side;
use crate::pool;
use crate::raster::Raster;
use crate::raster::kept::Room;
use crate::raster::strip::{STRIP_ROWS, Strip, strip_rows};
use crate::scale::shrink_rows;
use crate::workers;

use super::laid::Laid;
use super::sheet::Sheet;

/// What stays in memory of the pictures meanwhile, all together.
const ROOM: Room = Room {
    most: 32 << 20,
    left: 16 << 20,
};

/// Some pictures of a comparison as their panels show them.
pub(super) struct Shrunk<'p, 'a, const N: usize> {
    pictures: [(&'p mut Raster<'a>, Side); N],
    layout: &'p Layout,
    sheet: &'p Sheet,
    /// Scaled, of which only the latest strip is there.
    small: [Raster<'static>; N],
    /// Of the panel, where each row has its own place.
    small_layout: Layout,
}

impl<'p, 'a, const N: usize> Shrunk<'p, 'a, N> {
    /// Before the first row.
    ///
    /// # Errors
    /// [`Error::Corrupt`] and [`Error::Unreadable`] when a PNG cannot be decoded.
    pub(super) fn new(
        pictures: [(&'p mut Raster<'a>, Side); N],
        layout: &'p Layout,
        sheet: &'p Sheet,
    ) -> Result<Self, Error> {
        let decode = |(picture, _): &(&mut Raster<'_>, Side)| picture.complete_in_turn();
        let decoded = workers::map(pictures.par_iter(), decode);
        decoded.into_iter().collect::<Result<(), _>>()?;
        let mut shrunk = Self {
            pictures,
            layout,
            sheet,
            small: std::array::from_fn(|_| Raster::to_be_drawn(sheet.panel)),
            small_layout: Layout::in_place(sheet.panel, sheet.panel),
        };
        shrunk.make_room();
        // What comparing took; the picture that is drawn may take as much.
        pool::give_back();
        Ok(shrunk)
    }

    /// The pictures on the panel, with the strip that row `y` lies in; rows are asked for in their order.
    pub(super) fn at(&mut self, y: u32) -> [Laid<'_>; N] {
        if y.is_multiple_of(STRIP_ROWS) {
            self.draw(y / STRIP_ROWS);
        }
        let (small, layout) = (&self.small, &self.small_layout);
        std::array::from_fn(|at| Laid::new(&small[at], layout, self.pictures[at].1))
    }

    fn draw(&mut self, index: u32) {
        let Sheet { canvas, panel, .. } = *self.sheet;
        let first = index * STRIP_ROWS;
        let rows = first..first + strip_rows(panel, index);
        for at in 0..N {
            let (picture, side) = &self.pictures[at];
            let laid = Laid::new(picture, self.layout, *side);
            let draw = |y, row: &mut [[u8; 3]]| laid.draw(y, row);
            let strip = Strip::from_rgb(shrink_rows(canvas, panel, rows.clone(), draw));
            self.small[at].go_on(index, strip);
            self.make_room();
        }
    }

    fn make_room(&mut self) {
        let mut sides: Vec<_> = (self.pictures.iter_mut())
            .map(|(picture, _)| picture.side())
            .collect();
        ROOM.make_if_full(&mut sides);
    }
}
