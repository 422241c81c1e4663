//! Two pictures laid on one canvas, and what is left out of their comparison.

mod room;
mod rows;

use std::ops::Range;

use crate::align::align;
#[cfg(test)]
use crate::decode::Image;
use crate::doubt;
use crate::error::Error;
use crate::geometry::{Rect, Size};
use crate::layout::{Band, Lane, Layout, part_in_band};
use crate::load::{load, page_size};
use crate::loaded::{Keep, KnownRows, Loaded};
use crate::mask::{BitMask, union_of};
use crate::metric::Threshold;
use crate::options::{Alignment, AntiAliasing, CompareOptions};
use crate::picture::Picture;
use crate::raster::Raster;
use crate::raster::kept::Room;
use crate::raster::row::Row;
use crate::tile::{pixel_rows, tiles_of};

/// White stands for what one picture lacks.
pub(crate) const WHITE: [u8; 4] = [255; 4];

/// Stands for "no row" where rows are listed.
const NONE: u32 = u32::MAX;

/// Both pictures, where their rows lie on the canvas, and the settings of their comparison.
pub(crate) struct Pair<'a> {
    pub(crate) baseline: Raster<'a>,
    pub(crate) current: Raster<'a>,
    pub(crate) layout: Layout,
    /// The canvas.
    pub(crate) size: Size,
    /// Pixels that count, of the page that holds both pictures.
    pub(crate) total_pixels: u64,
    /// Columns that both pictures have.
    pub(crate) shared_columns: u32,
    /// What is left out, on the canvas.
    pub(crate) ignored: Option<BitMask>,
    pub(crate) threshold: Threshold,
    pub(crate) anti_aliasing: AntiAliasing,
    /// What the baseline's file is known by, when it is to stay on a graphics card.
    pub(crate) baseline_key: Option<u128>,
    known: KnownRows,
    lanes: Vec<LaneRows>,
    room: Room,
    /// Whether rows had to go so that others fitted into memory.
    is_tight: bool,
}

/// Which rows of the pictures each row of a lane shows.
struct LaneRows {
    columns: Range<u32>,
    /// Baseline and current row for each row of the canvas, [`NONE`] where there is none.
    rows: Vec<[u32; 2]>,
}

/// A stretch of one row of the canvas that both pictures have.
#[derive(Clone, Copy)]
pub(crate) struct SharedRow<'p> {
    pub(crate) baseline_y: u32,
    pub(crate) current_y: u32,
    pub(crate) baseline: Row<'p>,
    pub(crate) current: Row<'p>,
    pub(crate) from: u32,
    pub(crate) until: u32,
}

/// The row that both pictures have at a row of the canvas, in one lane.
#[derive(Clone, Copy)]
pub(crate) struct RowPair<'p> {
    baseline: Row<'p>,
    current: Row<'p>,
    from: u32,
    until: u32,
}

/// The baseline's and the current picture's pixel at one place, as [`Row::seen`] gives them.
pub(crate) type Both = ([u8; 4], [u8; 4]);

/// An area of the canvas that only one picture has.
#[derive(Debug, Clone, Copy)]
pub(crate) struct OneSided {
    pub(crate) area: Rect,
    pub(crate) side: Side,
    /// Rows of the band that it is of: where some are left out, it has fewer.
    pub(crate) band_rows: u32,
    /// How many rows down its content went from the baseline to the current picture, when it moved.
    pub(crate) way: Option<i32>,
}

/// One of the two pictures.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Side {
    Baseline,
    Current,
}

impl<'a> Pair<'a> {
    /// Loads both pictures and lays them on their canvas.
    pub(crate) fn load(
        baseline: Picture<'a>,
        current: Picture<'a>,
        options: &CompareOptions,
        keep: Keep,
    ) -> Result<Self, Error> {
        Self::load_into(Room::default(), baseline, current, options, keep)
    }

    /// The same with so much room.
    fn load_into(
        room: Room,
        baseline: Picture<'a>,
        current: Picture<'a>,
        options: &CompareOptions,
        keep: Keep,
    ) -> Result<Self, Error> {
        Threshold::new(options.threshold)?;
        page_size(baseline, current)?;
        let loaded = load(room, [baseline, current], options.alignment, keep)?;
        Self::of(loaded, options)
    }

    /// Lays loaded pictures on their canvas.
    pub(crate) fn of(loaded: Loaded<'a>, options: &CompareOptions) -> Result<Self, Error> {
        let threshold = Threshold::new(options.threshold)?;
        let page = loaded.baseline.size.union(loaded.current.size);
        let layout = match options.alignment {
            Alignment::Auto => align(&loaded),
            Alignment::Off => Layout::in_place(loaded.baseline.size, loaded.current.size),
        };
        let Loaded {
            baseline,
            current,
            rows: known,
            room,
        } = loaded;
        let ignored = union_of(page, options.ignore.iter().copied()).map_or(0, |mask| mask.count());
        let sizes = [baseline.size, current.size];
        Ok(Self {
            size: layout.size,
            total_pixels: page.pixels() - ignored,
            shared_columns: baseline.size.width.min(current.size.width),
            ignored: both(
                union_of(layout.size, on_canvas(&layout, &options.ignore)),
                doubt::on_canvas(&layout, &options.doubts, sizes),
            ),
            threshold,
            anti_aliasing: options.anti_aliasing,
            baseline_key: None,
            known,
            lanes: layout
                .lanes
                .iter()
                .map(|lane| lane_rows(lane, layout.size.height))
                .collect(),
            room,
            is_tight: baseline.has_written() || current.has_written(),
            layout,
            baseline,
            current,
        })
    }

    /// Lays pictures over each other place by place; nothing is known of their rows.
    #[cfg(test)]
    pub(crate) fn in_place(pictures: &[Image; 2]) -> Pair<'static> {
        let [baseline, current] = pictures.each_ref().map(Raster::of_image);
        let loaded = Loaded {
            baseline,
            current,
            rows: KnownRows::default(),
            room: Room::default(),
        };
        let options = CompareOptions {
            alignment: Alignment::Off,
            ..CompareOptions::default()
        };
        Pair::of(loaded, &options).expect("the default threshold is valid")
    }

    /// Columns and rows of tiles on the canvas.
    pub(crate) fn tiles(&self) -> (u32, u32) {
        let tiles = tiles_of(self.size);
        (tiles.width, tiles.height)
    }

    /// Rows of pixels in a row of tiles.
    pub(crate) fn pixel_rows(&self, tile_row: u32) -> Range<u32> {
        pixel_rows(tile_row, self.size.height)
    }

    /// The number of a place of the canvas, counted row by row.
    pub(crate) fn index(&self, x: u32, y: u32) -> usize {
        y as usize * self.size.width as usize + x as usize
    }

    /// Whether the place is left out of every number.
    pub(crate) fn is_ignored(&self, x: u32, y: u32) -> bool {
        self.ignored.as_ref().is_some_and(|mask| mask.get(x, y))
    }

    /// The areas that only one picture has, from left to right and top to bottom.
    pub(crate) fn one_sided(&self) -> Vec<OneSided> {
        let mut areas = Vec::new();
        for (lane, band) in self.layout.bands() {
            let of = |size: Size| lane.x.min(size.width)..(lane.x + lane.width).min(size.width);
            let (ours, theirs) = (of(self.baseline.size), of(self.current.size));
            let beyond = |columns: &Range<u32>| self.shared_columns.max(columns.start)..columns.end;
            let mut add = |columns: Range<u32>, side| {
                if columns.start < columns.end {
                    areas.push(OneSided {
                        area: Rect {
                            x: columns.start,
                            y: band.y,
                            width: columns.end - columns.start,
                            height: band.rows,
                        },
                        side,
                        band_rows: band.rows,
                        way: way_of(band),
                    });
                }
            };
            match (band.baseline_y, band.current_y) {
                (Some(_), Some(_)) => {
                    add(beyond(&ours), Side::Baseline);
                    add(beyond(&theirs), Side::Current);
                }
                (Some(_), None) => add(ours, Side::Baseline),
                (None, Some(_)) => add(theirs, Side::Current),
                (None, None) => {}
            }
        }
        areas
    }

    /// Whether the GPU path can take it: it knows one lane.
    pub(crate) fn fits_gpu(&self) -> bool {
        self.lanes.len() == 1
    }

    /// Says why a part of a picture could not be decoded, if one could not.
    pub(crate) fn check(&mut self) -> Result<(), Error> {
        match (self.baseline.take_failure()).or_else(|| self.current.take_failure()) {
            Some(error) => Err(error),
            None => Ok(()),
        }
    }
}

fn lane_rows(lane: &Lane, height: u32) -> LaneRows {
    let mut rows = Vec::with_capacity(height as usize);
    for band in &lane.bands {
        let at = |first: Option<u32>, row: u32| first.map_or(NONE, |first| first + row);
        rows.extend((0..band.rows).map(|row| [at(band.baseline_y, row), at(band.current_y, row)]));
    }
    rows.resize(height as usize, [NONE; 2]);
    LaneRows {
        columns: lane.x..lane.x + lane.width,
        rows,
    }
}

/// What either of two masks covers.
fn both(one: Option<BitMask>, other: Option<BitMask>) -> Option<BitMask> {
    match (one, other) {
        (Some(mut one), Some(other)) => {
            one.add(&other);
            Some(one)
        }
        (one, other) => one.or(other),
    }
}

/// How far down the content of a moved band went.
fn way_of(band: &Band) -> Option<i32> {
    let (from, to) = match (band.baseline_y, band.current_y) {
        (None, Some(to)) => (band.moved?, to),
        (Some(from), None) => (from, band.moved?),
        _ => return None,
    };
    Some(i32::try_from(i64::from(to) - i64::from(from)).expect("pictures are not that tall"))
}

/// Areas of the pictures as areas of the canvas: wherever either picture shows a part of one.
fn on_canvas(layout: &Layout, areas: &[Rect]) -> impl Iterator<Item = Rect> {
    areas.iter().flat_map(|&area| {
        layout.bands().flat_map(move |(lane, band)| {
            let firsts = [band.baseline_y, band.current_y].into_iter().flatten();
            firsts.filter_map(move |first| part_in_band(area, lane, band, first))
        })
    })
}
