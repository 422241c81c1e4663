//! The judgement of a changed page, from measured facts alone. Pure: no clock, no network, no database.
//!
//! A region that is too small and too faint for an eye to find is noise, and so is a page that differs in the smoothing
//! of edges alone; everything else needs a person.

mod rows;
mod words;

use std::collections::BTreeMap;

use pentimento_api::result::{Decision, RegionVerdict, ServiceSummary, Verdict, VerdictBasis};
use pentimento_compute::{Comparison, Region};

/// Most changed pixels of a region that may be noise: a 4×4 block.
const NOISE_MAX_PIXELS: u64 = 16;

/// Largest colour delta of a region that may be noise, as a share of the metric's maximum. The scale is squared: this is
/// a step of some 59 in 255 greys, five times the least that counts as a change at all.
const NOISE_MAX_DELTA: f64 = 0.05;

/// How sure the rules are that something is noise.
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

/// Judges a comparison; nothing when no pixel is beyond the threshold.
///
/// Pixels that differ in the smoothing of edges are beyond it, so a page that has no others is changed too, and noise.
pub fn judge(comparison: &Comparison) -> Option<Judgement> {
    if comparison.changed_pixels == 0 {
        return (comparison.anti_aliased_pixels > 0).then(|| {
            let text = words::smoothing_sentence(comparison.anti_aliased_pixels);
            let verdict = noise(text.clone());
            conclude(vec![finding("", text, verdict)])
        });
    }
    let of_page = rows::sentences(&comparison.layout)
        .into_iter()
        .chain(words::size_sentence(comparison))
        .map(|text| finding("", text.clone(), open(text)));
    let of_regions = comparison.regions.iter().map(|region| {
        finding(
            &region.label,
            words::region_sentence(region),
            judge_region(region),
        )
    });
    Some(conclude(of_page.chain(of_regions).collect()))
}

/// The page takes the worst of its findings.
fn conclude(summary: Vec<ServiceSummary>) -> Judgement {
    let all: Vec<&RegionVerdict> = summary
        .iter()
        .filter_map(|finding| finding.verdict.as_ref())
        .collect();
    let is_noise = |verdict: &&RegionVerdict| verdict.decision == Decision::Noise;
    let decision = if !all.is_empty() && all.iter().all(is_noise) {
        Decision::Noise
    } else {
        Decision::NeedsReview
    };
    let min = all
        .iter()
        .map(|verdict| verdict.confidence)
        .reduce(f64::min);
    let sum: f64 = all.iter().map(|verdict| verdict.confidence).sum();
    let regions: BTreeMap<String, RegionVerdict> = summary
        .iter()
        .filter(|finding| !finding.label.is_empty())
        .filter_map(|finding| Some((finding.label.clone(), finding.verdict.clone()?)))
        .collect();
    let verdict = Verdict {
        decision,
        min_confidence: min.unwrap_or(OPEN_CONFIDENCE),
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
        return noise(format!(
            "Too small and too faint to see: {figures} (limits {NOISE_MAX_PIXELS} and {NOISE_MAX_DELTA})."
        ));
    }
    open(format!("No rule settles it: {figures}."))
}

fn finding(label: &str, text: String, verdict: RegionVerdict) -> ServiceSummary {
    ServiceSummary {
        label: label.to_owned(),
        text,
        verdict: Some(verdict),
    }
}

fn noise(reasoning: String) -> RegionVerdict {
    RegionVerdict {
        decision: Decision::Noise,
        confidence: NOISE_CONFIDENCE,
        reasoning,
    }
}

fn open(reasoning: String) -> RegionVerdict {
    RegionVerdict {
        decision: Decision::NeedsReview,
        confidence: OPEN_CONFIDENCE,
        reasoning,
    }
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
    use pentimento_compute::{Backend, BitMask, Layout, Rect, RegionKind, Size};

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

    fn comparison(changed_pixels: u64, anti_aliased_pixels: u64) -> Comparison {
        let size = Size {
            width: 400,
            height: 2000,
        };
        Comparison {
            baseline: size,
            current: size,
            layout: Layout::in_place(size, size),
            changed_pixels,
            anti_aliased_pixels,
            inserted_pixels: 0,
            removed_pixels: 0,
            unaligned_pixels: None,
            total_pixels: size.pixels(),
            score: 99.0,
            mean_delta: 0.0,
            max_delta: 0.0,
            regions: Vec::new(),
            mask: BitMask::new(size),
            backend: Backend::Cpu,
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
    fn smoothing_alone_is_noise_and_yet_a_change() {
        assert!(judge(&comparison(0, 0)).is_none());
        let judged = judge(&comparison(0, 1204)).unwrap();
        assert_eq!(judged.verdict.decision, Decision::Noise);
        assert_eq!(
            judged.summary[0].text,
            "1,204 pixels differ only in the smoothing of edges (anti-aliasing)."
        );
        let mut with_region = comparison(400, 1204);
        with_region.regions.push(region(400, 1.0));
        let judged = judge(&with_region).unwrap();
        assert_eq!(judged.verdict.decision, Decision::NeedsReview);
        assert_eq!(judged.summary.len(), 1, "the region alone is a finding");
    }
}
