//! A picture's rows, laid on the canvas.

use std::ops::Range;

use crate::decode::rgba;
use crate::layout::{Band, Lane, Layout};
use crate::pair::Side;
use crate::raster::Raster;
use crate::raster::row::Row;
use crate::scale::over_white;

/// Where a panel shows nothing, and between the panels: a mid grey that is neither page.
pub(super) const GROUND: [u8; 3] = [0x80, 0x80, 0x80];

/// Columns and rows after which the hatching repeats, and how many of them are dark.
const HATCH_PERIOD_PX: usize = 8;
const HATCH_LINE_PX: usize = 2;

/// The lines that fill rows a picture lacks: light grey on white, unlike any content and pale enough
/// not to draw the eye.
pub(super) const HATCH: [u8; 3] = [0xc8, 0xc8, 0xc8];

const WHITE: [u8; 3] = [0xff; 3];

/// One picture on the canvas.
#[derive(Clone, Copy)]
pub(super) struct Laid<'a> {
    picture: &'a Raster<'a>,
    layout: &'a Layout,
    side: Side,
}

/// What some columns of a canvas row show.
#[derive(Debug)]
pub(super) enum Content<'a> {
    /// The picture: the columns of one of its rows.
    Picture(Row<'a>),
    /// The picture has no such row; the other one has.
    Lacking,
    /// Neither the picture nor, in this lane, the canvas goes on here.
    Nothing,
}

impl<'a> Laid<'a> {
    pub(super) fn new(picture: &'a Raster<'a>, layout: &'a Layout, side: Side) -> Self {
        Self {
            picture,
            layout,
            side,
        }
    }

    /// Columns of the canvas.
    pub(super) fn width(&self) -> usize {
        self.layout.size.width as usize
    }

    /// What row `y` of the canvas shows, from left to right without gaps, each with its columns.
    pub(super) fn row(self, y: u32) -> impl Iterator<Item = (Range<usize>, Content<'a>)> {
        (self.layout.lanes.iter()).flat_map(move |lane| self.lane_row(lane, y))
    }

    /// Draws row `y` of the canvas, over white.
    pub(super) fn draw(self, y: u32, row: &mut [[u8; 3]]) {
        for (columns, content) in self.row(y) {
            let start = columns.start;
            let to = &mut row[columns];
            match content {
                Content::Picture(row) if row.channels == 3 => {
                    to.as_flattened_mut().copy_from_slice(row.bytes);
                }
                Content::Picture(row) => {
                    for (to, from) in to.iter_mut().zip(row.bytes.chunks_exact(row.channels)) {
                        *to = over_white(rgba(from));
                    }
                }
                Content::Lacking => hatch(to, start, y, HATCH, WHITE),
                Content::Nothing => to.fill(GROUND),
            }
        }
    }

    /// The columns that the picture covers, and those to their right in the lane.
    fn lane_row(self, lane: &'a Lane, y: u32) -> [(Range<usize>, Content<'a>); 2] {
        let within = |x: u32| x.min(self.layout.size.width) as usize;
        let left = within(lane.x);
        let right = within(lane.x.saturating_add(lane.width));
        let covered = (self.picture.size.width as usize).clamp(left, right);
        let content = self.content(lane, y, left..covered);
        [(left..covered, content), (covered..right, Content::Nothing)]
    }

    /// What a lane shows in those columns, which the picture covers.
    fn content(self, lane: &'a Lane, y: u32, columns: Range<usize>) -> Content<'a> {
        let after = lane.bands.partition_point(|band| band.y <= y);
        let band = lane.bands[..after].last();
        let Some(band) = band.filter(|band| y - band.y < band.rows) else {
            return Content::Nothing;
        };
        let Some(start) = self.start_in(band) else {
            return Content::Lacking;
        };
        let Some(row) = (self.picture).row_at(i64::from(start) + i64::from(y - band.y)) else {
            return Content::Nothing;
        };
        if columns.is_empty() {
            // The picture ends to the left of the lane.
            return Content::Nothing;
        }
        let bytes = &row.bytes[columns.start * row.channels..columns.end * row.channels];
        Content::Picture(Row { bytes, ..row })
    }

    fn start_in(self, band: &Band) -> Option<u32> {
        match self.side {
            Side::Baseline => band.baseline_y,
            Side::Current => band.current_y,
        }
    }
}

/// Fills a piece of row `y` that begins at column `x` with its part of diagonal lines.
pub(super) fn hatch<P: Copy>(to: &mut [P], x: usize, y: u32, line: P, paper: P) {
    for (x, to) in (x + y as usize..).zip(to) {
        *to = if x % HATCH_PERIOD_PX < HATCH_LINE_PX {
            line
        } else {
            paper
        };
    }
}
