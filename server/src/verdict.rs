//! The judgement of a changed page, from measured facts alone. Pure: no clock, no network, no database.
//!
//! A region that is too small and too faint for an eye to find is noise, unless the document says that something changed
//! there; so is a page that differs in the smoothing of edges alone. Everything else needs a person.

mod bugs;
mod changes;
mod decide;
mod elements;
mod group;
mod intent;
mod rows;
mod words;

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use pentimento_api::result::{
    ChangeType, Decision, RegionVerdict, ServiceSummary, Verdict, VerdictBasis,
};
use pentimento_compute::{Comparison, Region, RegionKind};
use pentimento_document::{DocumentDiff, Finding};

use decide::decide;
use elements::Explanation;

pub use group::change_group;
pub use intent::Intent;

/// Most changed pixels of a region that may be noise: a 4×4 block.
const NOISE_MAX_PIXELS: u64 = 16;

/// Largest colour delta of a region that may be noise, as a share of the metric's maximum. The scale is squared: this is
/// a step of some 59 in 255 greys, five times the least that counts as a change at all.
const NOISE_MAX_DELTA: f64 = 0.05;

/// Pixels by which something may move and still be noise.
const NOISE_MAX_SHIFT_PX: i32 = 1;

/// Share of a region's area, in percent, and largest colour delta of pixels that may be edges drawn anew.
const EDGES_MAX_PERCENT: u64 = 15;
const EDGES_MAX_DELTA: f64 = 0.2;

/// How sure the rules are that pixels are edges drawn anew.
const EDGES_CONFIDENCE: f64 = 0.7;

/// Most sentences on changes of the document that no region shows; one more says how many are left out.
const MAX_OTHER_CHANGES: usize = 20;

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

/// Judges what was found in the pictures, none when their files are equal, and in the documents, none when they could not
/// be compared. Nothing when no pixel is beyond the threshold and no document changed.
///
/// Pixels that differ in the smoothing of edges are beyond it, so a page that has no others is changed too, and noise.
pub fn judge(
    pixels: Option<&Comparison>,
    document: Option<&DocumentDiff>,
    intent: Option<&Intent>,
) -> Option<Judgement> {
    let differs = |pixels: &Comparison| pixels.changed_pixels + pixels.anti_aliased_pixels > 0;
    let changed =
        |document: &DocumentDiff| document.content_changed() || document.metadata_changed();
    if !pixels.is_some_and(differs) && !document.is_some_and(changed) {
        return None;
    }
    let mut told = BTreeSet::new();
    let mut of_regions = Vec::new();
    let mut of_page = Vec::new();
    if let Some(pixels) = pixels {
        of_page.extend(page_findings(pixels, document));
        for region in &pixels.regions {
            let explanation = document.map(|document| elements::explain(region, document));
            if let Some(Explanation::Change(index)) = explanation {
                told.insert(index);
            }
            of_regions.push(region_finding(region, document.zip(explanation), intent));
        }
    }
    if let Some(document) = document {
        of_page.extend(other_changes(document, &told, intent));
    }
    of_page.extend(of_regions);
    Some(conclude(of_page))
}

/// The most significant change of a document in a sentence.
pub fn lead_sentence(document: &DocumentDiff) -> Option<String> {
    let is_change = |finding: &Finding| !elements::is_consequence(finding.kind);
    let first = document.findings.iter().position(is_change)?;
    Some(changes::sentence(document, first))
}

/// What is said of all of both pictures.
fn page_findings(pixels: &Comparison, document: Option<&DocumentDiff>) -> Vec<ServiceSummary> {
    if pixels.changed_pixels == 0 {
        if pixels.anti_aliased_pixels == 0 {
            return Vec::new();
        }
        let text = words::smoothing_sentence(pixels.anti_aliased_pixels);
        return vec![finding("", text.clone(), noise(text))];
    }
    // The sentence of what made them move tells of rows that moved.
    let tells_of_rows = |document: &DocumentDiff| {
        let mut findings = document.findings.iter();
        findings.any(|finding| elements::is_consequence(finding.kind) && finding.cause.is_some())
    };
    let rows = if document.is_some_and(tells_of_rows) {
        Vec::new()
    } else {
        rows::sentences(&pixels.layout)
    };
    rows.into_iter()
        .chain(words::size_sentence(pixels))
        .map(|text| finding("", text.clone(), open(text)))
        .collect()
}

/// A region by what the document says of it, else by its pixels.
fn region_finding(
    region: &Region,
    explained: Option<(&DocumentDiff, Explanation)>,
    intent: Option<&Intent>,
) -> ServiceSummary {
    let pixels = words::region_sentence(region);
    let (text, verdict) = match explained {
        Some((document, Explanation::Change(index))) => {
            let change = &document.findings[index];
            let mut verdict = decide(change, intent);
            verdict.reasoning = format!(
                "{} The document changed here, at `{}`: {}.",
                verdict.reasoning,
                change.element,
                figures(region)
            );
            (changes::sentence(document, index), verdict)
        }
        Some((document, Explanation::Consequence(index))) => {
            let cause = decide(&document.findings[index], intent);
            let told = changes::cause(&document.findings[index]);
            let verdict = match judge_region(region) {
                noise if noise.decision == Decision::Noise => noise,
                _ => RegionVerdict {
                    reasoning: format!("It follows from another change. {}", cause.reasoning),
                    ..cause
                },
            };
            (
                format!("{pixels} It follows from another change: {told}"),
                verdict,
            )
        }
        Some((_, Explanation::Nothing)) => (
            format!("{pixels} No change of the document explains it."),
            judge_unexplained(region),
        ),
        None => (pixels, judge_region(region)),
    };
    finding(&region.label, text, verdict)
}

/// The changes of the document that no region shows.
fn other_changes(
    document: &DocumentDiff,
    told: &BTreeSet<usize>,
    intent: Option<&Intent>,
) -> Vec<ServiceSummary> {
    let others: Vec<usize> = (document.findings.iter().enumerate())
        .filter(|(index, change)| !told.contains(index) && !elements::is_consequence(change.kind))
        .map(|(index, _)| index)
        .collect();
    let mut judged: Vec<ServiceSummary> = others
        .into_iter()
        .map(|index| {
            let change = &document.findings[index];
            let verdict = if change.kind == ChangeType::StyleOnly {
                noise("Its styles differ, and no changed pixel shows it.".to_owned())
            } else {
                decide(change, intent)
            };
            finding("", changes::sentence(document, index), verdict)
        })
        .collect();
    // The worst must not be among those that are left out.
    judged.sort_by_key(|finding| Reverse(finding.verdict.as_ref().map(severity)));
    let more = judged.len().saturating_sub(MAX_OTHER_CHANGES);
    judged.truncate(MAX_OTHER_CHANGES);
    if more > 0 {
        let text = format!("And {more} more changes of the document.");
        let verdict = judged.last().and_then(|last| last.verdict.clone());
        judged.push(ServiceSummary {
            label: String::new(),
            text,
            verdict,
        });
    }
    judged
}

/// How bad a verdict is: the page takes the worst.
fn severity(verdict: &RegionVerdict) -> u8 {
    match verdict.decision {
        Decision::Noise => 0,
        Decision::Intentional => 1,
        Decision::NeedsReview => 2,
        Decision::Bug => 3,
    }
}

/// The page takes the worst of its findings.
fn conclude(summary: Vec<ServiceSummary>) -> Judgement {
    let all: Vec<&RegionVerdict> = summary
        .iter()
        .filter_map(|finding| finding.verdict.as_ref())
        .collect();
    let worst = all.iter().max_by_key(|verdict| severity(verdict));
    let decision = worst.map_or(Decision::NeedsReview, |worst| worst.decision);
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

fn figures(region: &Region) -> String {
    format!(
        "{} changed pixels, largest colour delta {:.3} of 1",
        thousands(region.changed_pixels),
        region.max_delta
    )
}

fn judge_region(region: &Region) -> RegionVerdict {
    let figures = figures(region);
    if region.changed_pixels <= NOISE_MAX_PIXELS && region.max_delta <= NOISE_MAX_DELTA {
        return noise(format!(
            "Too small and too faint to see: {figures} (limits {NOISE_MAX_PIXELS} and {NOISE_MAX_DELTA})."
        ));
    }
    if let RegionKind::Shifted { x, y } = region.kind
        && x.abs().max(y.abs()) <= NOISE_MAX_SHIFT_PX
    {
        return noise(format!(
            "Moved by no more than {NOISE_MAX_SHIFT_PX} px: {figures}."
        ));
    }
    open(format!("No rule settles it: {figures}."))
}

/// Judges a region where both documents are the same: what is drawn there again with other edges is noise.
fn judge_unexplained(region: &Region) -> RegionVerdict {
    let pixels = u64::from(region.area.width) * u64::from(region.area.height);
    let is_sparse = region.changed_pixels * 100 <= pixels * EDGES_MAX_PERCENT;
    if is_sparse && region.max_delta <= EDGES_MAX_DELTA && region.kind == RegionKind::Edited {
        return RegionVerdict {
            confidence: EDGES_CONFIDENCE,
            ..noise(format!(
                "The document is the same here, and the pixels differ as edges do that are drawn at another part of a pixel: {} \
                 (limits {EDGES_MAX_PERCENT} % of the area and {EDGES_MAX_DELTA}).",
                figures(region)
            ))
        };
    }
    judge_region(region)
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
    use pentimento_compute::{Backend, BitMask, Layout, Rect, Size};

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
        assert!(judge(Some(&comparison(0, 0)), None, None).is_none());
        let judged = judge(Some(&comparison(0, 1204)), None, None).unwrap();
        assert_eq!(judged.verdict.decision, Decision::Noise);
        assert_eq!(
            judged.summary[0].text,
            "1,204 pixels differ only in the smoothing of edges (anti-aliasing)."
        );
        let mut with_region = comparison(400, 1204);
        with_region.regions.push(region(400, 1.0));
        let judged = judge(Some(&with_region), None, None).unwrap();
        assert_eq!(judged.verdict.decision, Decision::NeedsReview);
        assert_eq!(judged.summary.len(), 1, "the region alone is a finding");
    }
}
