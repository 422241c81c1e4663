//! What `diff --json` prints. Names and shapes are those of the REST interface where both say the same.

use std::path::Path;

use pentimento_compute::{Comparison, Rect, RegionKind, Size};
use serde::Serialize;

use super::Outcome;
use super::names::readable;
use super::pair::Pair;

/// Two files.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct PairReport {
    baseline: String,
    current: String,
    same: bool,
    #[serde(flatten)]
    facts: Facts,
}

/// What a comparison measured.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Facts {
    baseline_size: Extent,
    current_size: Extent,
    pub(super) changed_pixels: u64,
    anti_aliased_pixels: u64,
    inserted_pixels: u64,
    removed_pixels: u64,
    unaligned_pixels: Option<u64>,
    unaligned_percentage: Option<f64>,
    total_pixels: u64,
    pub(super) diff_percentage: f64,
    pub(super) score: f64,
    mean_delta: f64,
    max_delta: f64,
    pub(super) regions: Vec<Region>,
    layout: Layout,
    pub(super) backend: &'static str,
}

#[derive(Debug, Serialize)]
struct Extent {
    width: u32,
    height: u32,
}

/// A region; the box is on the canvas, as the mask is.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Region {
    label: String,
    kind: &'static str,
    /// How far the content of a shifted region moved.
    #[serde(skip_serializing_if = "Option::is_none")]
    shift: Option<Shift>,
    /// Rows that came and went one or two at a time, where the region gathers such.
    #[serde(skip_serializing_if = "Option::is_none")]
    loose_rows: Option<LooseRows>,
    #[serde(rename = "box")]
    area: Area,
    baseline_box: Option<Area>,
    current_box: Option<Area>,
    changed_pixels: u64,
    mean_delta: f64,
    max_delta: f64,
}

#[derive(Debug, Serialize)]
struct LooseRows {
    inserted: u32,
    removed: u32,
}

#[derive(Debug, Serialize)]
struct Shift {
    x: i32,
    y: i32,
}

#[derive(Debug, Serialize)]
struct Area {
    x: u32,
    y: u32,
    w: u32,
    h: u32,
}

/// The canvas: where the rows of both pictures lie on the mask.
#[derive(Debug, Serialize)]
struct Layout {
    width: u32,
    height: u32,
    lanes: Vec<Lane>,
}

#[derive(Debug, Serialize)]
struct Lane {
    x: u32,
    width: u32,
    bands: Vec<Band>,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Band {
    y: u32,
    rows: u32,
    baseline_y: Option<u32>,
    current_y: Option<u32>,
    moved: Option<u32>,
}

impl PairReport {
    pub(super) fn new([baseline, current]: [&Path; 2], pair: &Pair) -> Self {
        Self {
            baseline: readable(baseline),
            current: readable(current),
            same: pair.outcome() == Outcome::Same,
            facts: Facts::from(&pair.comparison),
        }
    }
}

impl From<&Comparison> for Facts {
    fn from(comparison: &Comparison) -> Self {
        Self {
            baseline_size: comparison.baseline.into(),
            current_size: comparison.current.into(),
            changed_pixels: comparison.changed_pixels,
            anti_aliased_pixels: comparison.anti_aliased_pixels,
            inserted_pixels: comparison.inserted_pixels,
            removed_pixels: comparison.removed_pixels,
            unaligned_pixels: comparison.unaligned_pixels,
            unaligned_percentage: comparison.unaligned_percentage(),
            total_pixels: comparison.total_pixels,
            diff_percentage: comparison.diff_percentage(),
            score: comparison.score,
            mean_delta: comparison.mean_delta,
            max_delta: comparison.max_delta,
            regions: comparison.regions.iter().map(Region::from).collect(),
            layout: Layout::from(&comparison.layout),
            backend: comparison.backend.as_str(),
        }
    }
}

impl From<&pentimento_compute::Region> for Region {
    fn from(region: &pentimento_compute::Region) -> Self {
        Self {
            label: region.label.clone(),
            kind: region.kind.as_str(),
            shift: match region.kind {
                RegionKind::Shifted { x, y } => Some(Shift { x, y }),
                RegionKind::Added
                | RegionKind::Removed
                | RegionKind::Recoloured
                | RegionKind::Edited => None,
            },
            loose_rows: (region.loose_rows.as_ref()).map(|rows| LooseRows {
                inserted: rows.inserted,
                removed: rows.removed,
            }),
            area: region.area.into(),
            baseline_box: region.baseline_area.map(Area::from),
            current_box: region.current_area.map(Area::from),
            changed_pixels: region.changed_pixels,
            mean_delta: region.mean_delta,
            max_delta: region.max_delta,
        }
    }
}

impl From<&pentimento_compute::Layout> for Layout {
    fn from(layout: &pentimento_compute::Layout) -> Self {
        let lane = |lane: &pentimento_compute::Lane| Lane {
            x: lane.x,
            width: lane.width,
            bands: lane.bands.iter().map(Band::from).collect(),
        };
        Self {
            width: layout.size.width,
            height: layout.size.height,
            lanes: layout.lanes.iter().map(lane).collect(),
        }
    }
}

impl From<&pentimento_compute::Band> for Band {
    fn from(band: &pentimento_compute::Band) -> Self {
        Self {
            y: band.y,
            rows: band.rows,
            baseline_y: band.baseline_y,
            current_y: band.current_y,
            moved: band.moved,
        }
    }
}

impl From<Size> for Extent {
    fn from(size: Size) -> Self {
        Self {
            width: size.width,
            height: size.height,
        }
    }
}

impl From<Rect> for Area {
    fn from(area: Rect) -> Self {
        Self {
            x: area.x,
            y: area.y,
            w: area.width,
            h: area.height,
        }
    }
}
