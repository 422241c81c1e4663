//! The judgement of a changed page, from measured facts and from what was meant. Pure: no clock, no network, no database.
//!
//! `docs/judging.md` says how a verdict comes about.

mod bugs;
mod changes;
mod colour;
mod decide;
mod elements;
mod facts;
mod faint;
mod found;
mod group;
mod intent;
pub(crate) mod numbers;
mod pixels;
pub(crate) mod rows;
mod words;

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use pentimento_api::result::{
    ChangeType, Decision, RegionVerdict, ServiceSummary, Verdict, VerdictBasis,
};
use pentimento_compute::{Comparison, Region};
use pentimento_document::{Damage, DocumentDiff, Fault, Finding};

use bugs::hard_bug;
use elements::{Explanation, has_loose_rows, lies_in, lies_within};
use faint::{faint_reason, is_tinted};
use found::{Found, Judged, of_pixels};
use pixels::{OPEN_CONFIDENCE, figures, judge_region, judge_unexplained, noise, open};

pub use facts::{Fact, Piece, pieces};
pub use faint::is_faint;
pub use intent::Intent;

/// Most sentences on changes of the document that no region shows; one more says how many are left out.
const MAX_OTHER_CHANGES: usize = 20;

/// Most sentences on inserted, removed and moved rows.
const MAX_ROW_SENTENCES: usize = 5;

/// What is said and judged of a changed page.
#[derive(Debug)]
pub struct Judgement {
    /// One sentence for each finding, the whole page first.
    pub summary: Vec<ServiceSummary>,
    /// What each of these rests on, without a word of the page; in the same order.
    pub facts: Vec<Fact>,
    /// The page's verdict: the worst of its regions.
    pub verdict: Verdict,
    /// The same on every result that shows the same changes, whatever the page, the device and the run.
    pub change_group: Option<String>,
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
    let is_faint =
        (pixels.zip(document)).is_some_and(|(pixels, document)| is_faint(pixels, document));
    if !pixels.is_some_and(differs) && !document.is_some_and(document_changed) && !is_faint {
        return None;
    }
    let document = document.map(|document| Judged::new(document, intent));
    let document = document.as_ref();
    let mut told = BTreeSet::new();
    let mut followed = BTreeSet::new();
    let mut unexplained = Vec::new();
    let mut of_regions = Vec::new();
    let mut of_page = Vec::new();
    if let Some(pixels) = pixels {
        of_page.extend(page_findings(
            pixels,
            document.map(|judged| judged.document),
        ));
        for region in &pixels.regions {
            let explanation = document.map(|judged| elements::explain(region, judged.document));
            match explanation {
                Some(Explanation::Change(index)) => drop(told.insert(index)),
                Some(Explanation::Consequence(index)) => drop(followed.insert(index)),
                Some(Explanation::Nothing) | None => {}
            }
            let found = region_finding(region, document.zip(explanation));
            let is_explained = !matches!(explanation, None | Some(Explanation::Nothing));
            let is_noise = found
                .told
                .verdict
                .as_ref()
                .is_some_and(|it| it.decision == Decision::Noise);
            if !is_explained && !is_noise {
                unexplained.push(region);
            }
            of_regions.push(found);
        }
    }
    if let Some(document) = document {
        of_page.extend(damages(document.document, intent));
        let pictures = pixels.map_or(Pictures::Same, Pictures::Compared);
        of_page.extend(other_changes(document, (&told, &followed), pictures));
    }
    of_page.extend(of_regions);
    let change_group = group::change_group(
        document.map(|judged| judged.document),
        &unexplained,
        pixels.map(|pixels| &pixels.mask),
    );
    Some(concluded(of_page, change_group))
}

/// Judges a page whose pictures changed and could not be measured, as `why` says: a person has to look at them. It is in no group,
/// as nobody knows what else shows the same.
pub fn judge_unmeasured(
    why: String,
    document: Option<&DocumentDiff>,
    intent: Option<&Intent>,
) -> Judgement {
    let mut of_page = vec![of_pixels("", why.clone(), open(why))];
    if let Some(document) = document.map(|document| Judged::new(document, intent)) {
        let none = BTreeSet::new();
        of_page.extend(damages(document.document, intent));
        of_page.extend(other_changes(
            &document,
            (&none, &none),
            Pictures::Unmeasured,
        ));
    }
    concluded(of_page, None)
}

/// Findings with the page's verdict.
fn concluded(findings: Vec<Found>, change_group: Option<String>) -> Judgement {
    let (summary, facts): (Vec<_>, Vec<_>) = findings
        .into_iter()
        .map(|Found { told, fact }| (told, fact))
        .unzip();
    Judgement {
        change_group,
        verdict: conclude(&summary),
        summary,
        facts,
    }
}

/// Whether a document is another one, whatever its pixels say.
pub fn document_changed(document: &DocumentDiff) -> bool {
    // An error of a script alone is no change of the page: those of others' scripts come and go.
    let is_change = |damage: &Damage| !matches!(damage.fault, Fault::Error { .. });
    document.content_changed()
        || document.metadata_changed()
        || document.damages.iter().any(is_change)
}

/// The most significant change of a document in a sentence.
pub fn lead_sentence(document: &DocumentDiff) -> Option<String> {
    let is_change = |finding: &Finding| !finding.is_consequence();
    let first = document.findings.iter().position(is_change)?;
    Some(changes::sentence(document, first))
}

/// What is said of all of both pictures.
fn page_findings(pixels: &Comparison, document: Option<&DocumentDiff>) -> Vec<Found> {
    if pixels.changed_pixels == 0 {
        if pixels.anti_aliased_pixels == 0 {
            return Vec::new();
        }
        let text = words::smoothing_sentence(pixels.anti_aliased_pixels);
        return vec![of_pixels("", text.clone(), noise(text))];
    }
    // The sentence of what made them move tells of rows that moved.
    let tells_of_rows = |document: &DocumentDiff| {
        let mut findings = document.findings.iter();
        findings.any(|finding| finding.is_consequence() && finding.cause.is_some())
    };
    let are_told = document.is_some_and(tells_of_rows);
    let rows = if are_told {
        Vec::new()
    } else {
        rows::sentences(&pixels.layout, &pixels.regions, MAX_ROW_SENTENCES)
    };
    rows.into_iter()
        .chain(words::size_sentence(pixels, are_told))
        .map(|text| of_pixels("", text.clone(), open(text)))
        .collect()
}

/// A region by what the document says of it, else by its pixels.
fn region_finding(region: &Region, explained: Option<(&Judged<'_>, Explanation)>) -> Found {
    let pixels = words::region_sentence(region);
    match explained {
        Some((judged, Explanation::Change(index))) => {
            let change = &judged.document.findings[index];
            let mut verdict = judged.verdict(index);
            verdict.reasoning = format!(
                "{} The document changed here, at `{}`: {}.",
                verdict.reasoning,
                change.element,
                figures(region)
            );
            judged.of_change(&region.label, index, verdict)
        }
        Some((judged, Explanation::Consequence(index))) => {
            let cause = judged.verdict(index);
            let verdict = match judge_region(region) {
                noise if noise.decision == Decision::Noise => noise,
                _ => RegionVerdict {
                    reasoning: format!("It follows from another change. {}", cause.reasoning),
                    ..cause
                },
            };
            judged.of_consequence(&region.label, &pixels, index, verdict)
        }
        Some((_, Explanation::Nothing)) => of_pixels(
            &region.label,
            format!("{pixels} No change of the document explains it."),
            judge_unexplained(region),
        ),
        None => of_pixels(&region.label, pixels, judge_region(region)),
    }
}

/// The damage that no change of the document is to blame for.
fn damages(document: &DocumentDiff, intent: Option<&Intent>) -> Vec<Found> {
    (document.damages.iter())
        .filter(|damage| damage.cause.is_none())
        .map(|damage| found::of_damage(&damage.fault, intent))
        .collect()
}

/// What is known of the pictures of a changed document.
#[derive(Clone, Copy)]
enum Pictures<'a> {
    Same,
    Compared(&'a Comparison),
    /// They changed, and nobody knows where.
    Unmeasured,
}

/// The changes of the document that no region shows; of those that are `followed` a region shows what became of them.
fn other_changes(
    judged: &Judged<'_>,
    (told, followed): (&BTreeSet<usize>, &BTreeSet<usize>),
    pictures: Pictures<'_>,
) -> Vec<Found> {
    let document = judged.document;
    let pixels = match pictures {
        Pictures::Compared(pixels) => Some(pixels),
        Pictures::Same | Pictures::Unmeasured => None,
    };
    let may_show = matches!(pictures, Pictures::Unmeasured);
    let others: Vec<usize> = (document.findings.iter().enumerate())
        .filter(|(index, change)| !told.contains(index) && !change.is_consequence())
        .map(|(index, _)| index)
        .collect();
    let mut findings: Vec<(usize, RegionVerdict)> = others
        .into_iter()
        .map(|index| {
            let change = &document.findings[index];
            let breaks = |damage: &Damage| damage.cause == Some(index);
            let is_style = change.kind == ChangeType::StyleOnly;
            let is_faint = || pixels.is_some_and(|pixels| is_tinted(pixels, change));
            let is_bug = |index| hard_bug(document, index).is_some();
            // Somewhere it can be seen, or what became of it. A region may show several changes, and was put down to one.
            let shows = may_show
                || followed.contains(&index)
                || document.damages.iter().any(breaks)
                || is_within(pixels, change)
                || pixels.is_some_and(|pixels| has_loose_rows(pixels, change))
                || (is_bug(index) && is_shown(pixels, change));
            let verdict = if is_style && is_faint() {
                let verdict = judged.verdict(index);
                let reasoning = format!("{} {}", verdict.reasoning, faint_reason(change));
                RegionVerdict {
                    reasoning,
                    ..verdict
                }
            } else if is_style && !shows {
                noise("Its styles differ, and no changed pixel shows it.".to_owned())
            } else {
                judged.verdict(index)
            };
            (index, verdict)
        })
        .collect();
    // The worst must not be among those that are left out.
    findings.sort_by_key(|(_, verdict)| Reverse(severity(verdict)));
    let more = findings.len().saturating_sub(MAX_OTHER_CHANGES);
    findings.truncate(MAX_OTHER_CHANGES);
    let rest = findings.last().filter(|_| more > 0).map(|(_, verdict)| {
        let text = format!("And {more} more changes of the document.");
        of_pixels("", text, verdict.clone())
    });
    findings
        .into_iter()
        .map(|(index, verdict)| judged.of_change("", index, verdict))
        .chain(rest)
        .collect()
}

/// Whether changed pixels lie where a change is, though they were put down to another one.
fn is_shown(pixels: Option<&Comparison>, change: &Finding) -> bool {
    regions_of(pixels).any(|region| lies_in(region, change))
}

/// Whether most of a change lies where pixels changed, though they were put down to another one.
fn is_within(pixels: Option<&Comparison>, change: &Finding) -> bool {
    regions_of(pixels).any(|region| lies_within(region, change))
}

/// The regions whose boxes say where pixels changed.
fn regions_of(pixels: Option<&Comparison>) -> impl Iterator<Item = &Region> {
    let regions = pixels.into_iter().flat_map(|pixels| &pixels.regions);
    regions.filter(|region| region.loose_rows.is_none())
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
pub fn conclude(summary: &[ServiceSummary]) -> Verdict {
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
    Verdict {
        decision,
        min_confidence: min.unwrap_or(OPEN_CONFIDENCE),
        avg_confidence: if all.is_empty() {
            OPEN_CONFIDENCE
        } else {
            sum / all.len() as f64
        },
        regions,
        basis: VerdictBasis::Measured,
        model: None,
        prompt_hash: None,
    }
}

#[cfg(test)]
mod tests;
