//! What was measured on a pair of captures: where their rows lie on one canvas, and what changed on it.

use serde::{Deserialize, Serialize};

use crate::result::Box;

/// Where the rows of two captures lie on the canvas that has a place for every row of either.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Layout {
    /// From left to right, without gaps; usually one.
    pub lanes: Vec<Lane>,
}

/// A range of columns whose rows are aligned by themselves.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Lane {
    /// Its first column.
    pub x: u32,
    /// Its columns.
    pub width: u32,
    /// From the top of the canvas down, without gaps. Below them the lane has nothing.
    pub bands: Vec<Band>,
}

/// Rows of a lane that have the same fate.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct Band {
    /// First row on the canvas.
    pub y: u32,
    /// Number of rows.
    pub rows: u32,
    /// Its first row in the baseline; null when the baseline has none of these rows. Nullable.
    pub baseline_y: Option<u32>,
    /// Its first row in the current capture; null when that has none of these rows. Nullable.
    pub current_y: Option<u32>,
    /// Where the rows lie in the other capture when they were moved; null otherwise. Nullable.
    pub moved: Option<u32>,
}

/// How many rows a layout found to be elsewhere.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct RowCounts {
    /// Rows that only the current capture has.
    pub inserted: u32,
    /// Rows that only the baseline has.
    pub removed: u32,
    /// Rows that both have, in another order.
    pub moved: u32,
}

impl Layout {
    /// Whether every row is compared with the row at the same place, so that there is nothing to align.
    pub fn is_in_place(&self) -> bool {
        self.lanes.iter().flat_map(|lane| &lane.bands).all(|band| {
            [band.baseline_y, band.current_y]
                .into_iter()
                .flatten()
                .all(|y| y == band.y)
        })
    }

    /// Inserted, removed and moved rows; with several lanes, those of the lane that has most of each.
    pub fn row_counts(&self) -> RowCounts {
        let most = |counts: RowCounts, lane: &Lane| {
            let of_lane = lane.row_counts();
            RowCounts {
                inserted: counts.inserted.max(of_lane.inserted),
                removed: counts.removed.max(of_lane.removed),
                moved: counts.moved.max(of_lane.moved),
            }
        };
        self.lanes.iter().fold(RowCounts::default(), most)
    }
}

impl Lane {
    fn row_counts(&self) -> RowCounts {
        let mut counts = RowCounts::default();
        for band in &self.bands {
            match (band.baseline_y, band.current_y, band.moved) {
                (None, Some(_), None) => counts.inserted += band.rows,
                (Some(_), None, None) => counts.removed += band.rows,
                (None, Some(_), Some(_)) => counts.moved += band.rows,
                // What was moved away arrives elsewhere, and is counted there.
                _ => {}
            }
        }
        counts
    }
}

/// What happened to a region, as far as pixels tell.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "lowercase")]
pub enum RegionKind {
    /// Something stands where there was nothing but ground.
    Added,
    /// Nothing but ground stands where there was something.
    Removed,
    /// The same shapes in other colours.
    Recoloured,
    /// The same content at another place nearby; `shift` says by how much.
    Shifted,
    /// Anything else.
    #[default]
    Edited,
}

/// How far content moved, in pixels.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Shift {
    /// To the right; negative to the left.
    pub x: i32,
    /// Down; negative up.
    pub y: i32,
}

/// Rows that came or went one or two at a time, at four places of a lane or more, between rows that are the same in both
/// captures: as where lines of text are no whole number of pixels tall, or are spaced otherwise.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct LooseRows {
    /// Rows that only the current capture has.
    pub inserted: u32,
    /// Rows that only the baseline has.
    pub removed: u32,
}

/// A cluster of changed pixels.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct Region {
    /// A, B, C … in reading order.
    pub label: String,
    /// What happened to it.
    #[serde(default)]
    pub kind: RegionKind,
    /// How far its content moved; present only when it was shifted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shift: Option<Shift>,
    /// How many rows came and went one or two at a time; present only where the region gathers such rows. Its box is around them
    /// all, so that other regions may lie in it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub loose_rows: Option<LooseRows>,
    /// Its smallest enclosing rectangle on the canvas.
    #[serde(rename = "box")]
    pub area: Box,
    /// The same place in the baseline; null where the baseline has nothing. Nullable.
    #[serde(default)]
    pub baseline_box: Option<Box>,
    /// The same place in the current capture; null where that has nothing. Nullable.
    #[serde(default)]
    pub current_box: Option<Box>,
    /// Pixels that changed in it.
    pub changed_pixels: u64,
    /// Mean colour delta of its changed pixels, 0–1: the square of the colour distance, by that of the largest possible one. A
    /// distance of 0.1, the threshold, is a delta of 0.01.
    #[serde(default)]
    pub mean_delta: f64,
    /// Largest colour delta of one of its changed pixels, 0–1.
    #[serde(default)]
    pub max_delta: f64,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn band(y: u32, rows: u32, baseline_y: Option<u32>, current_y: Option<u32>) -> Band {
        Band {
            y,
            rows,
            baseline_y,
            current_y,
            moved: None,
        }
    }

    fn layout(bands: Vec<Band>) -> Layout {
        Layout {
            lanes: vec![Lane {
                x: 0,
                width: 10,
                bands,
            }],
        }
    }

    #[test]
    fn a_longer_page_is_in_place_and_a_shifted_one_is_not() {
        let longer = layout(vec![
            band(0, 50, Some(0), Some(0)),
            band(50, 9, None, Some(50)),
        ]);
        assert!(longer.is_in_place());
        let shifted = layout(vec![
            band(0, 9, None, Some(0)),
            band(9, 50, Some(0), Some(9)),
        ]);
        assert!(!shifted.is_in_place());
    }

    #[test]
    fn moved_rows_count_once() {
        let moved = |y, baseline_y, current_y, moved| Band {
            moved: Some(moved),
            ..band(y, 30, baseline_y, current_y)
        };
        let layout = layout(vec![
            moved(0, Some(0), None, 50),
            band(30, 50, Some(30), Some(0)),
            moved(80, None, Some(50), 0),
            band(110, 7, Some(80), None),
            band(117, 5, None, Some(80)),
        ]);
        let counts = RowCounts {
            inserted: 5,
            removed: 7,
            moved: 30,
        };
        assert_eq!(layout.row_counts(), counts);
    }
}
