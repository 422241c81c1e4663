//! What the pixels of a region say of it, whatever the document says: whether it is measurably nothing.

use pentimento_api::result::{Decision, RegionVerdict};
use pentimento_compute::{Region, RegionKind};

use super::numbers::thousands;

/// Most changed pixels of a region that may be noise: a 4×4 block.
const NOISE_MAX_PIXELS: u64 = 16;

/// Largest colour delta of a region that may be noise, as a share of the metric's maximum. The scale is squared: this is
/// a step of some 59 in 255 greys, five times the least that counts as a change at all.
pub(super) const NOISE_MAX_DELTA: f64 = 0.05;

/// Pixels by which something may move and still be noise.
const NOISE_MAX_SHIFT_PX: i32 = 1;

/// Share of a region's area, in percent, that pixels may be which are edges drawn anew.
const EDGES_MAX_PERCENT: u64 = 15;

/// How sure the rules are that pixels are edges drawn anew.
const EDGES_CONFIDENCE: f64 = 0.7;

/// How sure the rules are that something is noise.
const NOISE_CONFIDENCE: f64 = 0.9;

/// How sure they are when no rule settles a region.
pub(super) const OPEN_CONFIDENCE: f64 = 0.5;

/// The figures of a region, for a reason.
pub(super) fn figures(region: &Region) -> String {
    format!(
        "{} changed pixels, largest colour delta {:.3} of 1",
        thousands(region.changed_pixels),
        region.max_delta
    )
}

/// Judges a region by itself.
pub(super) fn judge_region(region: &Region) -> RegionVerdict {
    let figures = figures(region);
    if region.changed_pixels <= NOISE_MAX_PIXELS && region.max_delta <= NOISE_MAX_DELTA {
        return noise(format!(
            "Too small and too faint to see: {figures} (limits {NOISE_MAX_PIXELS} and {NOISE_MAX_DELTA})."
        ));
    }
    // Rows that one picture has alone went another way than what is around them, however near to its place they came to lie.
    let are_on_both = region.baseline_area.is_some() && region.current_area.is_some();
    if let RegionKind::Shifted { x, y } = region.kind
        && x.abs().max(y.abs()) <= NOISE_MAX_SHIFT_PX
        && are_on_both
    {
        return noise(format!(
            "Moved by no more than {NOISE_MAX_SHIFT_PX} px: {figures}."
        ));
    }
    open(format!("No rule settles it: {figures}."))
}

/// Judges a region where both documents are the same: what is drawn there again with other edges is noise.
pub(super) fn judge_unexplained(region: &Region) -> RegionVerdict {
    let pixels = u64::from(region.area.width) * u64::from(region.area.height);
    let is_sparse = region.changed_pixels * 100 <= pixels * EDGES_MAX_PERCENT;
    if is_sparse && region.redrawn {
        return RegionVerdict {
            confidence: EDGES_CONFIDENCE,
            ..noise(format!(
                "The document is the same here, and the pixels differ as edges do that are drawn at another part of a pixel: {}, \
                 at most {EDGES_MAX_PERCENT} % of the area, and no colour that was not beside it before.",
                figures(region)
            ))
        };
    }
    judge_region(region)
}

/// What is measurably nothing.
pub(super) fn noise(reasoning: String) -> RegionVerdict {
    RegionVerdict {
        decision: Decision::Noise,
        confidence: NOISE_CONFIDENCE,
        reasoning,
    }
}

/// What a person must decide.
pub(super) fn open(reasoning: String) -> RegionVerdict {
    RegionVerdict {
        decision: Decision::NeedsReview,
        confidence: OPEN_CONFIDENCE,
        reasoning,
    }
}

#[cfg(test)]
pub(super) mod tests {
    use pentimento_compute::Rect;

    use super::*;

    /// An edited region of 320×48 px.
    pub(in crate::verdict) fn region(changed_pixels: u64, max_delta: f64) -> Region {
        let area = Rect {
            x: 8,
            y: 1200,
            width: 320,
            height: 48,
        };
        Region {
            label: "A".to_owned(),
            kind: RegionKind::Edited,
            redrawn: false,
            line: None,
            loose_rows: None,
            area,
            baseline_area: Some(area),
            current_area: Some(area),
            changed_pixels,
            mean_delta: max_delta,
            max_delta,
        }
    }

    #[test]
    fn only_small_and_faint_regions_are_noise() {
        assert_eq!(judge_region(&region(16, 0.05)).decision, Decision::Noise);
        assert_eq!(
            judge_region(&region(17, 0.05)).decision,
            Decision::NeedsReview
        );
        assert_eq!(
            judge_region(&region(16, 0.06)).decision,
            Decision::NeedsReview
        );
    }

    #[test]
    fn a_pixel_to_the_side_is_noise() {
        let moved = |x, y| Region {
            kind: RegionKind::Shifted { x, y },
            ..region(5000, 1.0)
        };
        assert_eq!(judge_region(&moved(1, -1)).decision, Decision::Noise);
        assert_eq!(judge_region(&moved(0, 2)).decision, Decision::NeedsReview);
    }

    #[test]
    fn rows_that_left_their_neighbours_are_no_noise_where_they_came_to_lie_beside_their_place() {
        let moved = Region {
            kind: RegionKind::Shifted { x: 0, y: 1 },
            ..region(5000, 1.0)
        };
        let came = Region {
            baseline_area: None,
            ..moved.clone()
        };
        let went = Region {
            current_area: None,
            ..moved
        };
        for one_sided in [came, went] {
            assert_eq!(judge_region(&one_sided).decision, Decision::NeedsReview);
        }
    }

    #[test]
    fn edges_drawn_anew_are_sparse() {
        // The area has 15,360 pixels.
        let redrawn = |changed_pixels| Region {
            redrawn: true,
            ..region(changed_pixels, 0.2)
        };
        let judged = |region| judge_unexplained(&region).decision;
        assert_eq!(judged(redrawn(2304)), Decision::Noise);
        assert_eq!(judged(redrawn(2305)), Decision::NeedsReview);
        // However faint a text is, another one is no noise.
        assert_eq!(judged(region(90, 0.06)), Decision::NeedsReview);
    }
}
