//! The inspector: what was measured on a page, what it means, and what was decided.

use std::sync::Arc;

use leptos::prelude::*;
use pentimento_api::agreement::Disagreement;
use pentimento_api::ids::JobId;
use pentimento_api::result::{TriageStatus, Verdict};
use pentimento_api::review::{Outcome, ReviewItem};

use crate::components::agreement::Agreement;
use crate::components::badge::Badge;
use crate::components::capture_report::CaptureReportPart;
use crate::components::icon::{Glyph, Icon};
use crate::components::mask_controls::MaskControls;
use crate::components::mask_panel::MaskPanel;
use crate::components::region_list::RegionList;
use crate::components::run_history::RunHistory;
use crate::components::time::Ago;
use crate::format;
use crate::labels;
use crate::review::arrange;
use crate::review::masking::{self, Place, use_masking};
use crate::review::queue::triage_of;
use crate::review::state::use_review;

/// The column at the right; on a narrow page a sheet over the canvas.
#[component]
pub(crate) fn Inspector() -> impl IntoView {
    let review = use_review();
    view! {
        <aside class="inspector" aria-label="Details">
            <button
                type="button"
                class="button icon-only inspector-close"
                aria-label="Hide the details"
                on:click=move |_| review.details_open.set(false)
            >
                <Icon glyph=Glyph::Close />
            </button>
            <MaskPanel />
            {move || review.item.get().map(|item| view! { <Details item /> })}
        </aside>
    }
}

#[component]
fn Details(item: Arc<ReviewItem>) -> impl IntoView {
    let result = &item.result;
    let job_href = format!("/app/jobs/{}", item.job_id);
    let unstable = result.unstable == Some(true);
    let said = match item.outcome {
        Outcome::Match if unstable => {
            Some("As far as its captures agree, the page looks as its baseline.")
        }
        Outcome::Match => Some("The page looks as its baseline."),
        Outcome::NewBaseline => Some(
            "The page is new. Its capture became its first baseline; there is nothing to compare with yet.",
        ),
        Outcome::Regression | Outcome::Error | Outcome::Pending => None,
    };
    let problem = result.error_message.clone();
    let page_url = result.url.clone();
    let variant = result.variant_name.clone();
    let is_masked = |apart: &Disagreement| apart.mask_url.is_some();
    let mask = item.mask_url.is_some() || item.disagreements.iter().any(is_masked);
    let skipped = result.dom_assist_skip_reason.clone();
    view! {
        <section class="inspector-part">
            <p class="inspector-labels">
                <Badge label=labels::outcome(item.outcome) />
                {unstable.then(|| view! { <span class="badge-place" data-testid="unstable"><Badge label=labels::unstable() /></span> })}
                {result.verdict.as_ref().map(|verdict| view! { <Badge label=labels::decision(verdict.decision) /> })}
            </p>
            <p class="inspector-page">
                <a class="clamped" href=page_url.clone() title=page_url.clone() target="_blank" rel="noreferrer">{page_url.clone()}</a>
                <span class="help">{variant}</span>
            </p>
            {said.map(|said| view! { <p>{said}</p> })}
            {problem.map(|problem| view! {
                <p class="job-problem" data-testid="error-message"><Icon glyph=Glyph::Alert /> <span>{problem}</span></p>
            })}
        </section>
        <Agreement item=item.clone() />
        <Decision item=item.clone() />
        <Figures item=item.clone() />
        <section class="inspector-part">
            <RegionList item=item.clone() />
            <DrawButton item=item.clone() />
            {mask.then(|| view! { <h3>"Mask"</h3> <MaskControls /> })}
        </section>
        <RunHistory />
        <CaptureReportPart item=item.clone() />
        <section class="inspector-part">
            {skipped.map(|reason| view! { <p class="help">"The document was not compared: " {reason}</p> })}
            <p class="inspector-links">
                <a href=job_href data-testid="to-job">"All pages of this job"</a>
                {item.project.clone().map(|project| {
                    let href = format!("/app/projects/{}", crate::client::encoded(&project));
                    view! { <a href=href>"Project " {project}</a> }
                })}
            </p>
        </section>
    }
}

/// Begins to draw what is to be masked; for those who may.
#[component]
fn DrawButton(item: Arc<ReviewItem>) -> impl IntoView {
    let (review, masking) = (use_review(), use_masking());
    let place = Memo::new(move |_| masking::any_place(review, &item));
    let draw = move |place: Place| {
        // On a phone the details lie over the canvas.
        review.details_open.set(false);
        masking.open(place);
    };
    move || {
        let place = place.get().filter(|_| !review.is_apart())?;
        Some(view! {
            <p>
                <button type="button" id=masking::opener(None) class="button" data-testid="draw-mask" on:click=move |_| draw(place.clone())>
                    <Icon glyph=Glyph::Mask />
                    "Mask a place…"
                </button>
            </p>
        })
    }
}

#[component]
fn Decision(item: Arc<ReviewItem>) -> impl IntoView {
    let status = triage_of(&item);
    let is_shown = status != TriageStatus::Pending || item.outcome == Outcome::Regression;
    let result = &item.result;
    let by = result
        .triaged_by
        .clone()
        .filter(|_| status != TriageStatus::Pending);
    let at = result
        .triaged_at
        .clone()
        .filter(|_| status != TriageStatus::Pending);
    let note = result.triage_note.clone().filter(|note| !note.is_empty());
    is_shown.then(|| {
        view! {
            <section class="inspector-part" aria-label="Decision">
                <h3>"Decision"</h3>
                <p class="decision">
                    <span data-testid="triage-status" data-triage=status.as_str()>
                        <Badge label=labels::triage(status) />
                    </span>
                    {at.map(|time| view! { <span class="help"><Ago time /></span> })}
                    {by.map(|name| view! { <span class="help">"by " {name}</span> })}
                </p>
                {note.map(|note| view! { <blockquote class="note">{note}</blockquote> })}
                <Alike job=item.job_id />
            </section>
        }
    })
}

/// How many pages show the same change, and where they are listed.
#[component]
fn Alike(job: JobId) -> impl IntoView {
    let group = use_review().group;
    move || {
        group.get().map(|group| {
            let href = format!(
                "/app/jobs/{job}?group={}",
                crate::client::encoded(&group.label)
            );
            let pages = format::grouped(group.all as u64);
            view! {
                <p><a href=href data-testid="alike">{pages}" pages"</a>" show this same change."</p>
            }
        })
    }
}

#[component]
fn Figures(item: Arc<ReviewItem>) -> impl IntoView {
    let result = &item.result;
    let diff = result.diff_percentage.map(format::percent);
    let score = result
        .visual_match_score
        .map(|score| format!("{score:.1} of 100"));
    let size = |picture: &Option<pentimento_api::picture::Picture>| {
        picture
            .as_ref()
            .map(|picture| format!("{} × {}", picture.width, picture.height))
    };
    let (before, after) = (size(&item.baseline), size(&item.current));
    let sizes = match (&before, &after) {
        (Some(before), Some(after)) if before != after => Some(format!("{before}, now {after}")),
        _ => after.or(before),
    };
    let pixels = diff.is_some().then(|| format::grouped(item.changed_pixels));
    let smoothed = (item.anti_aliased_pixels > 0).then(|| {
        format!(
            "{} not counted",
            format::counted(item.anti_aliased_pixels, "pixel")
        )
    });
    let confidence = result.verdict.as_ref().map(confidence_text);
    let backend = item.result.backend.as_deref().and_then(backend_text);
    let facts = [
        ("Changed", diff, "diff"),
        ("Rows aligned", alignment_text(&item), "alignment"),
        ("Changed pixels", pixels, "changed-pixels"),
        ("Anti-aliasing", smoothed, "anti-aliased-pixels"),
        ("Similarity", score, "score"),
        ("Size", sizes, "size"),
        ("Compared on", backend, "backend"),
        ("Verdict", confidence, "confidence"),
    ];
    let rows: Vec<_> = facts
        .into_iter()
        .filter_map(|(term, text, hook)| {
            text.map(|text| view! { <dt>{term}</dt> <dd data-testid=hook>{text}</dd> })
        })
        .collect();
    (!rows.is_empty()).then(|| view! { <dl class="inspector-part figures">{rows}</dl> })
}

/// What aligning rows did to the figures; nothing where no row moved.
fn alignment_text(item: &ReviewItem) -> Option<String> {
    let counts = arrange::shifted(item)?.row_counts();
    let rows = [
        (counts.inserted, "inserted"),
        (counts.removed, "removed"),
        (counts.moved, "moved"),
    ]
    .into_iter()
    .filter(|(count, _)| *count > 0)
    .map(|(count, word)| format!("{} {word}", format::counted(count.into(), "row")));
    let raw = item
        .unaligned_percentage
        .map(|percentage| format!("raw difference {}", format::percent(percentage)));
    Some(rows.chain(raw).collect::<Vec<_>>().join(" · "))
}

/// What compared the captures; nothing needs to where their files are equal.
fn backend_text(backend: &str) -> Option<String> {
    match backend {
        "cpu" => Some("the processor".to_owned()),
        "gpu" => Some("the graphics card".to_owned()),
        _ => None,
    }
}

fn confidence_text(verdict: &Verdict) -> String {
    let word = labels::decision(verdict.decision).word.to_lowercase();
    format!("{word}, {:.0} % sure", verdict.min_confidence * 100.0)
}
