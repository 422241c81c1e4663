//! The changed regions of a page in words; each leads to its place on the canvas.

use std::sync::Arc;

use leptos::html::Details;
use leptos::prelude::*;
use pentimento_api::comparison::Region;
use pentimento_api::result::ServiceSummary;
use pentimento_api::review::ReviewItem;

use crate::components::badge::Badge;
use crate::components::icon::{Glyph, Icon};
use crate::components::sentence::Sentence;
use crate::format;
use crate::labels;
use crate::review::arrange::{self, Arrangement};
use crate::review::masking::{self, use_masking};
use crate::review::quiet;
use crate::review::state::{Jump, Review, use_review};
use crate::review::steps;

/// The regions by their letters, and before them what is said of the whole page.
#[component]
pub(crate) fn RegionList(item: Arc<ReviewItem>) -> impl IntoView {
    let review = use_review();
    let letters: Vec<&str> = item
        .regions
        .iter()
        .map(|region| region.label.as_str())
        .collect();
    let of_page: Vec<_> = item
        .result
        .service_summary
        .iter()
        .filter(|sentence| !letters.contains(&sentence.label.as_str()))
        .map(page_finding)
        .collect();
    let follows = |region: &Region| {
        let mut findings = item.result.service_summary.iter();
        findings.any(|finding| finding.consequence && finding.label == region.label)
    };
    let receding = quiet::receding(&item);
    let (noise, others): (Vec<_>, Vec<_>) =
        (item.regions.iter().enumerate()).partition(|(index, _)| receding[*index]);
    let (following, causes): (Vec<_>, Vec<_>) =
        others.into_iter().partition(|(_, region)| follows(region));
    let rows = |regions: Vec<(usize, &Region)>| -> Vec<_> {
        (regions.into_iter())
            .map(|(index, region)| row(review, &item, index, region))
            .collect()
    };
    let folded = |regions: Vec<(usize, &Region)>, summary: String, name: &'static str| {
        let places: Vec<usize> = regions.iter().map(|(index, _)| *index).collect();
        (!places.is_empty()).then(|| view! { <Folded name summary places rows=rows(regions) /> })
    };
    let of_following = match following.len() {
        1 => "1 region follows from these changes".to_owned(),
        more => format!("{more} regions follow from these changes"),
    };
    let of_noise = match noise.len() {
        1 => "1 region is noise".to_owned(),
        more => format!("{more} regions are noise"),
    };
    let heading = format::counted(causes.len() as u64, "changed region");
    let rows_of_causes = rows(causes);
    let skipped = item.result.dom_assist_skip_reason.clone().map(|reason| {
        view! { <p class="page-note">"Pixels alone were compared. "{reason}</p> }
    });
    view! {
        {(!of_page.is_empty()).then(|| view! { <ul class="page-findings">{of_page}</ul> })}
        {skipped}
        {(!rows_of_causes.is_empty()).then(|| view! {
            <h3>{heading}</h3>
            <ol class="region-list">{rows_of_causes}</ol>
        })}
        {folded(following, of_following, "regions-following")}
        {folded(noise, of_noise, "regions-noise")}
    }
}

/// Regions that are folded up until a jump leads to one of them, or a hand unfolds them. Only a hand folds them up again, so that
/// nothing that has the focus goes away.
#[component]
fn Folded<R: IntoView + 'static>(
    name: &'static str,
    summary: String,
    /// Their numbers.
    places: Vec<usize>,
    rows: Vec<R>,
) -> impl IntoView {
    let open_folds = use_review().open_folds;
    let jump = use_review().jump;
    // The list is made anew whenever something is decided; the jump that was there before is none.
    Effect::new(move |before: Option<Option<Jump>>| {
        let now = jump.get();
        let is_new = before.is_some_and(|before| before != now);
        if is_new && now.is_some_and(|jump| places.contains(&jump.region)) {
            open_folds.update(|open| {
                open.insert(name);
            });
        }
        now
    });
    let details = NodeRef::<Details>::new();
    let note = move |_| {
        let is_open = details.get_untracked().is_some_and(|it| it.open());
        open_folds.update(|open| {
            if is_open {
                open.insert(name);
            } else {
                open.remove(name);
            }
        });
    };
    view! {
        <details
            class="region-rest"
            data-testid=name
            node_ref=details
            prop:open=move || open_folds.with(|open| open.contains(name))
            on:toggle=note
        >
            <summary>{summary}</summary>
            <ol class="region-list">{rows}</ol>
        </details>
    }
}

/// What is said of the whole page, or of what no region shows.
fn page_finding(finding: &ServiceSummary) -> impl IntoView + use<> {
    let verdict = finding.verdict.clone();
    // What is only repeated by the reason needs no reason.
    let reason = verdict
        .as_ref()
        .map(|verdict| verdict.reasoning.clone())
        .filter(|reason| !reason.is_empty() && *reason != finding.text);
    let badge = verdict.map(|verdict| labels::decision(verdict.decision));
    view! {
        <li class="region-words">
            <span><Sentence text=finding.text.clone() /></span>
            {reason.map(|reason| view! { <span class="region-reason"><Sentence text=reason /></span> })}
            {badge.map(|label| view! { <span class="region-figures"><Badge label /></span> })}
        </li>
    }
}

fn row(review: Review, item: &ReviewItem, index: usize, region: &Region) -> impl IntoView + use<> {
    let summary = item
        .result
        .service_summary
        .iter()
        .find(|sentence| sentence.label == region.label);
    let judged = summary
        .and_then(|sentence| sentence.verdict.as_ref())
        .or_else(|| item.result.verdict.as_ref()?.regions.get(&region.label));
    let kind = labels::region_kind(region);
    let text = summary.map_or_else(
        || format!("{}: pixels changed here.", kind.word),
        |sentence| sentence.text.clone(),
    );
    let reasoning = judged.map(|verdict| verdict.reasoning.clone());
    let badge = judged.map(|verdict| labels::decision(verdict.decision));
    // Where the captures have it; on the canvas it may lie further down.
    let area = arrange::place(region, Arrangement::Raw);
    let place = masking::place_of(review, item, region).map(|place| {
        let masking = use_masking();
        let name = format!("Mask region {}…", region.label);
        view! {
            <button
                type="button"
                id=masking::opener(Some(&region.label))
                class="button icon-only region-mask"
                aria-label=name.clone()
                title=name
                data-testid=format!("mask-{}", region.label)
                on:click=move |_| masking.open(place.clone())
            >
                <Icon glyph=Glyph::Mask />
            </button>
        }
    });
    view! {
        <li class="region-item">
            <button
                type="button"
                class="region-row"
                class:is-current=move || review.jump.get().is_some_and(|jump| jump.region == index)
                data-testid=format!("region-{}", region.label)
                on:click=move |_| {
                    // On a phone the details lie over the canvas.
                    review.details_open.set(false);
                    steps::jump_to(review, index);
                }
            >
                <span class="region-letter">{region.label.clone()}</span>
                <span class="region-words">
                    <span class="region-text"><Icon glyph=kind.glyph /> <span><Sentence text /></span></span>
                    {reasoning.filter(|reasoning| !reasoning.is_empty()).map(|reasoning| view! {
                        <span class="region-reason"><Sentence text=reasoning /></span>
                    })}
                    <span class="region-figures">
                        {badge.map(|label| view! { <Badge label /> })}
                        {format!("{} px · {} × {} at {}, {}", format::grouped(region.changed_pixels), area.w, area.h, area.x, area.y)}
                    </span>
                </span>
            </button>
            {place}
        </li>
    }
}
