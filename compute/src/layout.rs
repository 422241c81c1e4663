//! Where the rows of two pictures lie on the canvas that holds both.

use std::ops::Range;

use crate::geometry::{Rect, Size};

/// A canvas with a place for every row of either picture.
///
/// It is cut into lanes from left to right (usually one; a side bar that stays while the page beside
/// it moves is a lane of its own), and each lane into bands from top to bottom. Rows of a band that
/// both pictures have are compared with each other; a band that one picture lacks was inserted or
/// removed. A lane whose bands end before the canvas does has nothing below them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Layout {
    /// The canvas: the larger width, and the height of the tallest lane.
    pub size: Size,
    /// From left to right, without gaps.
    pub lanes: Vec<Lane>,
}

/// A range of columns whose rows are aligned by themselves.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Lane {
    /// Its first column.
    pub x: u32,
    /// Its columns.
    pub width: u32,
    /// From the top of the canvas down, without gaps.
    pub bands: Vec<Band>,
}

/// Rows of a lane that have the same fate.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Band {
    /// First row on the canvas.
    pub y: u32,
    /// Number of rows.
    pub rows: u32,
    /// Its first row in the baseline; `None` when it was inserted.
    pub baseline_y: Option<u32>,
    /// Its first row in the current picture; `None` when it was removed.
    pub current_y: Option<u32>,
    /// Where its content lies in the other picture, when it was not inserted or removed but moved.
    pub moved: Option<u32>,
}

impl Layout {
    /// Where an area of the canvas lies in the baseline and in the current picture.
    pub(crate) fn places_of(&self, area: Rect) -> (Option<Rect>, Option<Rect>) {
        let mut places: [Option<Rect>; 2] = [None, None];
        for lane in &self.lanes {
            let left = area.x.max(lane.x);
            let right = area.right().min(lane.x + lane.width);
            if left >= right {
                continue;
            }
            for band in &lane.bands {
                let top = area.y.max(band.y);
                let bottom = area.bottom().min(band.y + band.rows);
                if top >= bottom {
                    continue;
                }
                for (place, first) in places.iter_mut().zip([band.baseline_y, band.current_y]) {
                    let Some(first) = first else { continue };
                    let part = Rect {
                        x: left,
                        y: first + (top - band.y),
                        width: right - left,
                        height: bottom - top,
                    };
                    *place = Some(place.map_or(part, |place| place.union(part)));
                }
            }
        }
        (places[0], places[1])
    }

    /// Every row in its place.
    pub fn in_place(baseline: Size, current: Size) -> Self {
        let size = baseline.union(current);
        let both = baseline.height.min(current.height);
        let mut bands = vec![Band {
            y: 0,
            rows: both,
            baseline_y: Some(0),
            current_y: Some(0),
            moved: None,
        }];
        if size.height > both {
            bands.push(Band {
                y: both,
                rows: size.height - both,
                baseline_y: (baseline.height > both).then_some(both),
                current_y: (current.height > both).then_some(both),
                moved: None,
            });
        }
        Self {
            size,
            lanes: vec![Lane {
                x: 0,
                width: size.width,
                bands,
            }],
        }
    }

    /// The bands of all lanes, with the lane of each: from left to right, and in a lane from top to bottom.
    pub(crate) fn bands(&self) -> impl Iterator<Item = (&Lane, &Band)> {
        (self.lanes.iter()).flat_map(|lane| lane.bands.iter().map(move |band| (lane, band)))
    }

    /// The rows of the canvas that show some rows of the baseline, in the lane with this column.
    pub(crate) fn canvas_rows(&self, column: u32, rows: Range<u32>) -> Vec<Option<u32>> {
        let mut shown = vec![None; rows.len()];
        let has_column = |lane: &&Lane| (lane.x..lane.x + lane.width).contains(&column);
        let bands = self.lanes.iter().find(has_column);
        for band in bands.into_iter().flat_map(|lane| &lane.bands) {
            let Some(first) = band.baseline_y else {
                continue;
            };
            for row in first.max(rows.start)..(first + band.rows).min(rows.end) {
                shown[(row - rows.start) as usize] = Some(band.y + (row - first));
            }
        }
        shown
    }

    /// Whether every row is compared with the row at the same place.
    pub fn is_in_place(&self) -> bool {
        self.bands().all(|(_, band)| {
            band.baseline_y.is_none_or(|y| y == band.y)
                && band.current_y.is_none_or(|y| y == band.y)
        })
    }
}

/// The part of a picture's area that a band shows, on the canvas; `first` is the band's first row in that picture.
pub(crate) fn part_in_band(area: Rect, lane: &Lane, band: &Band, first: u32) -> Option<Rect> {
    let left = area.x.max(lane.x);
    let right = area.right().min(lane.x + lane.width);
    let top = area.y.max(first);
    let bottom = area.bottom().min(first + band.rows);
    (left < right && top < bottom).then(|| Rect {
        x: left,
        y: band.y + (top - first),
        width: right - left,
        height: bottom - top,
    })
}
