//! The measured numbers of a result as they are kept: from the compute crate into JSON, and back for drawing.

use pentimento_api::comparison::{Band, Lane, Layout, LooseRows, Region, RegionKind, Shift};
use pentimento_api::result::Box as PageBox;
use pentimento_compute as compute;
use serde::{Deserialize, Serialize};

/// The measured numbers that a result keeps.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct StoredComparison {
    /// Columns of the canvas.
    pub width: u32,
    /// Rows of the canvas.
    pub height: u32,
    /// Where the rows of both captures lie on the canvas; rows that were stored before rows were aligned have none.
    pub layout: Option<Layout>,
    /// Pixels that changed.
    pub changed_pixels: u64,
    /// Pixels that differ in the smoothing of edges alone.
    pub anti_aliased_pixels: u64,
    /// Pixels that only the current capture has.
    pub inserted_pixels: u64,
    /// Pixels that only the baseline has.
    pub removed_pixels: u64,
    /// Pixels that differ place by place; none when no row had to be aligned.
    pub unaligned_pixels: Option<u64>,
    /// The same in percent of the page, 0–100.
    pub unaligned_percentage: Option<f64>,
    /// Changed regions in reading order.
    pub regions: Vec<Region>,
    /// `cpu`, `gpu`, or `hash` where nothing had to be decoded; empty where nothing was compared.
    pub backend: String,
}

/// What a stored comparison was made by; none when that is not known. Nothing else of it is read.
///
/// # Errors
/// It is no stored comparison.
pub fn backend_of(json: &str) -> serde_json::Result<Option<String>> {
    #[derive(Deserialize)]
    struct Made {
        backend: Option<String>,
    }
    let made: Made = serde_json::from_str(json)?;
    Ok(made.backend.filter(|backend| !backend.is_empty()))
}

impl StoredComparison {
    /// The facts of a comparison.
    pub fn of(comparison: &compute::Comparison) -> Self {
        Self {
            width: comparison.layout.size.width,
            height: comparison.layout.size.height,
            layout: Some(stored_layout(&comparison.layout)),
            changed_pixels: comparison.changed_pixels,
            anti_aliased_pixels: comparison.anti_aliased_pixels,
            inserted_pixels: comparison.inserted_pixels,
            removed_pixels: comparison.removed_pixels,
            unaligned_pixels: comparison.unaligned_pixels,
            unaligned_percentage: comparison.unaligned_percentage(),
            regions: comparison.regions.iter().map(stored_region).collect(),
            backend: comparison.backend.as_str().to_owned(),
        }
    }

    /// The facts of two captures of this size whose files are equal.
    pub fn of_equal_files(size: compute::Size) -> Self {
        Self {
            width: size.width,
            height: size.height,
            layout: Some(stored_layout(&compute::Layout::in_place(size, size))),
            backend: "hash".to_owned(),
            ..Self::default()
        }
    }

    /// Where two captures of these sizes lie that were not compared: their pixels were too many.
    pub fn unmeasured(baseline: compute::Size, current: compute::Size) -> Self {
        let layout = compute::Layout::in_place(baseline, current);
        Self {
            width: layout.size.width,
            height: layout.size.height,
            layout: Some(stored_layout(&layout)),
            ..Self::default()
        }
    }

    /// Reads what was stored. A row without a layout was compared in place: its boxes hold in both captures.
    ///
    /// # Errors
    /// It is no stored comparison.
    pub fn from_json(json: &str) -> serde_json::Result<Self> {
        let mut stored: Self = serde_json::from_str(json)?;
        if stored.layout.is_none() {
            for region in &mut stored.regions {
                region.baseline_box = Some(region.area);
                region.current_box = Some(region.area);
            }
        }
        Ok(stored)
    }

    /// The layout for the wire; in place where none was stored. Nothing when nothing was compared.
    pub fn wire_layout(
        &self,
        baseline: Option<compute::Size>,
        current: Option<compute::Size>,
    ) -> Option<Layout> {
        let in_place = || {
            Some(stored_layout(&compute::Layout::in_place(
                baseline?, current?,
            )))
        };
        self.layout.clone().or_else(in_place)
    }

    /// The layout for drawing these two captures.
    pub fn drawn_layout(&self, baseline: compute::Size, current: compute::Size) -> compute::Layout {
        let Some(layout) = &self.layout else {
            return compute::Layout::in_place(baseline, current);
        };
        compute::Layout {
            size: compute::Size {
                width: self.width,
                height: self.height,
            },
            lanes: layout.lanes.iter().map(drawn_lane).collect(),
        }
    }

    /// The regions for drawing.
    pub fn drawn_regions(&self) -> Vec<compute::Region> {
        self.regions.iter().map(drawn_region).collect()
    }
}

fn stored_layout(layout: &compute::Layout) -> Layout {
    let band = |band: &compute::Band| Band {
        y: band.y,
        rows: band.rows,
        baseline_y: band.baseline_y,
        current_y: band.current_y,
        moved: band.moved,
    };
    let lane = |lane: &compute::Lane| Lane {
        x: lane.x,
        width: lane.width,
        bands: lane.bands.iter().map(band).collect(),
    };
    Layout {
        lanes: layout.lanes.iter().map(lane).collect(),
    }
}

fn drawn_lane(lane: &Lane) -> compute::Lane {
    let band = |band: &Band| compute::Band {
        y: band.y,
        rows: band.rows,
        baseline_y: band.baseline_y,
        current_y: band.current_y,
        moved: band.moved,
    };
    compute::Lane {
        x: lane.x,
        width: lane.width,
        bands: lane.bands.iter().map(band).collect(),
    }
}

fn stored_region(region: &compute::Region) -> Region {
    let (kind, shift) = match region.kind {
        compute::RegionKind::Added => (RegionKind::Added, None),
        compute::RegionKind::Removed => (RegionKind::Removed, None),
        compute::RegionKind::Recoloured => (RegionKind::Recoloured, None),
        compute::RegionKind::Shifted { x, y } => (RegionKind::Shifted, Some(Shift { x, y })),
        compute::RegionKind::Edited => (RegionKind::Edited, None),
    };
    Region {
        label: region.label.clone(),
        kind,
        shift,
        loose_rows: (region.loose_rows.as_ref()).map(|rows| LooseRows {
            inserted: rows.inserted,
            removed: rows.removed,
        }),
        area: stored_box(region.area),
        baseline_box: region.baseline_area.map(stored_box),
        current_box: region.current_area.map(stored_box),
        changed_pixels: region.changed_pixels,
        mean_delta: region.mean_delta,
        max_delta: region.max_delta,
    }
}

fn drawn_region(region: &Region) -> compute::Region {
    let kind = match (region.kind, region.shift) {
        (RegionKind::Added, _) => compute::RegionKind::Added,
        (RegionKind::Removed, _) => compute::RegionKind::Removed,
        (RegionKind::Recoloured, _) => compute::RegionKind::Recoloured,
        (RegionKind::Shifted, Some(Shift { x, y })) => compute::RegionKind::Shifted { x, y },
        (RegionKind::Shifted, None) | (RegionKind::Edited, _) => compute::RegionKind::Edited,
    };
    compute::Region {
        label: region.label.clone(),
        kind,
        // Whoever draws it does not judge it.
        redrawn: false,
        line: None,
        loose_rows: (region.loose_rows).map(|rows| compute::LooseRows {
            inserted: rows.inserted,
            removed: rows.removed,
            // Their box is all that is drawn.
            is_rounding: false,
            places: Vec::new(),
        }),
        area: drawn_box(region.area),
        baseline_area: region.baseline_box.map(drawn_box),
        current_area: region.current_box.map(drawn_box),
        changed_pixels: region.changed_pixels,
        mean_delta: region.mean_delta,
        max_delta: region.max_delta,
    }
}

fn stored_box(area: compute::Rect) -> PageBox {
    PageBox {
        x: area.x.into(),
        y: area.y.into(),
        w: area.width.into(),
        h: area.height.into(),
    }
}

fn drawn_box(area: PageBox) -> compute::Rect {
    let pixels = |value: i64| u32::try_from(value).unwrap_or(0);
    compute::Rect {
        x: pixels(area.x),
        y: pixels(area.y),
        width: pixels(area.w),
        height: pixels(area.h),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// As rows were stored before anything was aligned.
    const OLD: &str = r#"{"width":1280,"height":900,"changedPixels":12,"backend":"cpu",
        "regions":[{"label":"A","box":{"x":1,"y":2,"w":3,"h":4},"changedPixels":12}]}"#;

    const SIZE: compute::Size = compute::Size {
        width: 1280,
        height: 900,
    };

    #[test]
    fn old_rows_were_compared_in_place() {
        let stored = StoredComparison::from_json(OLD).unwrap();
        let region = &stored.regions[0];
        assert_eq!(region.kind, RegionKind::Edited);
        assert_eq!(
            (region.baseline_box, region.current_box),
            (Some(region.area), Some(region.area))
        );
        assert_eq!(
            stored.drawn_layout(SIZE, SIZE),
            compute::Layout::in_place(SIZE, SIZE)
        );
        assert!(
            stored
                .wire_layout(Some(SIZE), Some(SIZE))
                .unwrap()
                .is_in_place()
        );
        assert_eq!(stored.wire_layout(Some(SIZE), None), None);
    }

    #[test]
    fn what_is_drawn_is_what_was_measured() {
        let area = compute::Rect {
            x: 0,
            y: 120,
            width: 1280,
            height: 40,
        };
        let canvas = compute::Size {
            width: 1280,
            height: 940,
        };
        let comparison = compute::Comparison {
            baseline: SIZE,
            current: canvas,
            layout: compute::Layout {
                size: canvas,
                lanes: vec![compute::Lane {
                    x: 0,
                    width: 1280,
                    bands: vec![
                        compute::Band {
                            y: 0,
                            rows: 40,
                            baseline_y: None,
                            current_y: Some(0),
                            moved: None,
                        },
                        compute::Band {
                            y: 40,
                            rows: 900,
                            baseline_y: Some(0),
                            current_y: Some(40),
                            moved: None,
                        },
                    ],
                }],
            },
            changed_pixels: 51_200,
            anti_aliased_pixels: 7,
            inserted_pixels: 51_200,
            removed_pixels: 0,
            unaligned_pixels: Some(601_600),
            total_pixels: canvas.pixels(),
            score: 90.0,
            mean_delta: 0.5,
            max_delta: 1.0,
            regions: vec![compute::Region {
                label: "A".to_owned(),
                kind: compute::RegionKind::Shifted { x: -3, y: 8 },
                redrawn: false,
                line: None,
                loose_rows: Some(compute::LooseRows {
                    inserted: 3,
                    removed: 2,
                    is_rounding: false,
                    places: Vec::new(),
                }),
                area,
                baseline_area: None,
                current_area: Some(area),
                changed_pixels: 51_200,
                mean_delta: 0.5,
                max_delta: 1.0,
            }],
            mask: compute::BitMask::new(canvas),
            faint: compute::BitMask::new(compute::Size {
                width: 80,
                height: 59,
            }),
            backend: compute::Backend::Cpu,
        };
        let json = serde_json::to_string(&StoredComparison::of(&comparison)).unwrap();
        let stored = StoredComparison::from_json(&json).unwrap();
        assert_eq!(stored.unaligned_percentage, Some(50.0));
        assert_eq!(stored.drawn_layout(SIZE, canvas), comparison.layout);
        assert_eq!(stored.drawn_regions(), comparison.regions);
    }
}
