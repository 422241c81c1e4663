//! The judgement of a changed page, from measured facts alone. Pure: no clock, no network, no database.
//!
//! A region that is too small and too faint for an eye to find is noise; everything else needs a person.

use std::collections::BTreeMap;

use pentimento_api::result::{Decision, RegionVerdict, ServiceSummary, Verdict, VerdictBasis};
use pentimento_compute::{Comparison, Region};

/// Most changed pixels of a region that may be noise: a 4×4 block.
const NOISE_MAX_PIXELS: u64 = 16;

/// Largest colour delta of a region that may be noise, as a share of the metric's maximum; a tenth of the way from
/// black to white on the metric's squared scale is 0.01, and two greys 0.05 apart are hard to tell side by side.
const NOISE_MAX_DELTA: f64 = 0.05;

/// How sure the rules are that a region is noise.
const NOISE_CONFIDENCE: f64 = 0.9;

/// How sure they are when no rule settles a region.
const OPEN_CONFIDENCE: f64 = 0.5;

/// What is said and judged of a changed page.
#[derive(Debug)]
pub struct Judgement {
    /// One sentence for each finding, the whole page first.
    pub summary: Vec<ServiceSummary>,
    /// The page's verdict: the worst of its regions.
    pub verdict: Verdict,
}

/// Judges a comparison that found changes.
pub fn judge(comparison: &Comparison) -> Judgement {
    let mut summary: Vec<ServiceSummary> = size_sentence(comparison)
        .map(|text| ServiceSummary {
            label: String::new(),
            verdict: Some(RegionVerdict {
                decision: Decision::NeedsReview,
                confidence: OPEN_CONFIDENCE,
                reasoning: text.clone(),
            }),
            text,
        })
        .into_iter()
        .collect();
    let mut regions = BTreeMap::new();
    for region in &comparison.regions {
        let verdict = judge_region(region);
        summary.push(ServiceSummary {
            label: region.label.clone(),
            text: region_sentence(region),
            verdict: Some(verdict.clone()),
        });
        regions.insert(region.label.clone(), verdict);
    }
    let all: Vec<&RegionVerdict> = summary
        .iter()
        .filter_map(|finding| finding.verdict.as_ref())
        .collect();
    let decision = if !all.is_empty()
        && all
            .iter()
            .all(|verdict| verdict.decision == Decision::Noise)
    {
        Decision::Noise
    } else {
        Decision::NeedsReview
    };
    let min = all
        .iter()
        .map(|verdict| verdict.confidence)
        .fold(f64::INFINITY, f64::min);
    let sum: f64 = all.iter().map(|verdict| verdict.confidence).sum();
    let verdict = Verdict {
        decision,
        min_confidence: if min.is_finite() {
            min
        } else {
            OPEN_CONFIDENCE
        },
        avg_confidence: if all.is_empty() {
            OPEN_CONFIDENCE
        } else {
            sum / all.len() as f64
        },
        regions,
        basis: VerdictBasis::Measured,
    };
    Judgement { summary, verdict }
}

fn judge_region(region: &Region) -> RegionVerdict {
    let figures = format!(
        "{} changed pixels, largest colour delta {:.3} of 1",
        thousands(region.changed_pixels),
        region.max_delta
    );
    if region.changed_pixels <= NOISE_MAX_PIXELS && region.max_delta <= NOISE_MAX_DELTA {
        return RegionVerdict {
            decision: Decision::Noise,
            confidence: NOISE_CONFIDENCE,
            reasoning: format!(
                "Too small and too faint to see: {figures} (limits {NOISE_MAX_PIXELS} and {NOISE_MAX_DELTA})."
            ),
        };
    }
    RegionVerdict {
        decision: Decision::NeedsReview,
        confidence: OPEN_CONFIDENCE,
        reasoning: format!("No rule settles it: {figures}."),
    }
}

fn region_sentence(region: &Region) -> String {
    let area = region.area;
    let pixels = match region.changed_pixels {
        1 => "1 pixel changed".to_owned(),
        count => format!("{} pixels changed", thousands(count)),
    };
    format!(
        "{pixels} in an area of {} × {} px, {} px from the left and {} px from the top.",
        thousands(area.width.into()),
        thousands(area.height.into()),
        thousands(area.x.into()),
        thousands(area.y.into()),
    )
}

fn size_sentence(comparison: &Comparison) -> Option<String> {
    let (before, after) = (comparison.baseline, comparison.current);
    let part = |what: &str, before: u32, after: u32| {
        (before != after).then(|| {
            let verb = if after > before { "grew" } else { "shrank" };
            format!(
                "its {what} {verb} by {} px, from {} to {} px",
                thousands(before.abs_diff(after).into()),
                thousands(before.into()),
                thousands(after.into())
            )
        })
    };
    let parts: Vec<String> = [
        part("width", before.width, after.width),
        part("height", before.height, after.height),
    ]
    .into_iter()
    .flatten()
    .collect();
    (!parts.is_empty()).then(|| format!("The page has another size: {}.", parts.join("; ")))
}

/// Digits in groups of three.
pub(crate) fn thousands(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use pentimento_compute::{Rect, RegionKind};

    fn region(changed_pixels: u64, max_delta: f64) -> Region {
        let area = Rect {
            x: 8,
            y: 1200,
            width: 320,
            height: 48,
        };
        Region {
            label: "A".to_owned(),
            kind: RegionKind::Edited,
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
    fn a_region_is_told_with_its_figures() {
        assert_eq!(
            region_sentence(&region(12_345, 1.0)),
            "12,345 pixels changed in an area of 320 × 48 px, 8 px from the left and 1,200 px from the top."
        );
    }
}
