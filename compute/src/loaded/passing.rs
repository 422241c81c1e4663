//! Rows of both pictures that are looked at in passing: of a long page they do not stay in memory.

use std::cell::RefCell;
use std::ops::Range;

use crate::pair::Side;
use crate::raster::Raster;
use crate::raster::row::Row;
use crate::raster::strip::{STRIP_ROWS, StripRows};

use super::Loaded;

/// A strip and its number.
type Latest = Option<(u32, StripRows)>;

/// Who looks at rows of both pictures, mostly from top to bottom.
pub(crate) struct Passing<'l, 'a> {
    pub(crate) loaded: &'l Loaded<'a>,
    /// The latest strip of each picture and its number, where not all rows may be in memory.
    latest: RefCell<[Latest; 2]>,
    /// The same of each picture for two places further apart.
    apart: RefCell<[[Latest; 2]; 2]>,
    is_long: bool,
}

impl<'l, 'a> Passing<'l, 'a> {
    pub(crate) fn of(loaded: &'l Loaded<'a>) -> Self {
        let pixels = loaded.baseline.size.pixels() + loaded.current.size.pixels();
        Self {
            loaded,
            latest: RefCell::default(),
            apart: RefCell::default(),
            is_long: loaded.room.may_be_short_for(pixels),
        }
    }

    /// Looks at a row of each picture.
    pub(crate) fn look<T>(
        &self,
        baseline_y: u32,
        current_y: u32,
        look: impl FnOnce(Row<'_>, Row<'_>) -> T,
    ) -> T {
        let Loaded {
            baseline, current, ..
        } = self.loaded;
        if !self.is_long {
            return look(baseline.row(baseline_y), current.row(current_y));
        }
        let mut latest = self.latest.borrow_mut();
        let [ours, theirs] = &mut *latest;
        look(
            row(baseline, baseline_y, ours),
            row(current, current_y, theirs),
        )
    }

    /// Looks at a row of one picture.
    pub(crate) fn look_at<T>(&self, side: Side, y: u32, look: impl FnOnce(Row<'_>) -> T) -> T {
        let (raster, at) = match side {
            Side::Baseline => (&self.loaded.baseline, 0),
            Side::Current => (&self.loaded.current, 1),
        };
        if !self.is_long {
            return look(raster.row(y));
        }
        look(row(raster, y, &mut self.latest.borrow_mut()[at]))
    }

    /// Whether two rows of one picture show the same in some columns.
    pub(crate) fn are_same(&self, side: Side, rows: [u32; 2], columns: Range<u32>) -> bool {
        let (raster, at) = match side {
            Side::Baseline => (&self.loaded.baseline, 0),
            Side::Current => (&self.loaded.current, 1),
        };
        let [upper, lower] = &mut self.apart.borrow_mut()[at];
        let [one, other] = rows;
        row(raster, one, upper).same_part(row(raster, other, lower), columns)
    }
}

/// A row of a picture, whose strip takes the place of the latest one.
fn row<'s>(raster: &Raster<'_>, y: u32, latest: &'s mut Latest) -> Row<'s> {
    let index = y / STRIP_ROWS;
    latest.take_if(|(before, _)| *before != index);
    let (_, strip) = latest.get_or_insert_with(|| (index, raster.strip_in_passing(index)));
    strip.row(y % STRIP_ROWS, raster.size.width)
}
