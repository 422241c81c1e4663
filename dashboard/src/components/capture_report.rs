//! How the current capture was made: each step, how long it took, and what it gave up. Closed unless something was given up.

use std::sync::Arc;

use leptos::prelude::*;
use pentimento_api::capture::{CaptureReport, CaptureStep, StepName, StepOutcome};
use pentimento_api::review::ReviewItem;

use crate::components::icon::{Glyph, Icon};
use crate::format;

#[component]
pub(crate) fn CaptureReportPart(item: Arc<ReviewItem>) -> impl IntoView {
    let report_of = |picture: &Option<pentimento_api::picture::Picture>| {
        picture.as_ref().and_then(|picture| picture.report.clone())
    };
    let baseline = report_of(&item.baseline);
    report_of(&item.current).map(|report| {
        let gave_up = |step: &&CaptureStep| step.outcome == StepOutcome::GaveUp;
        let given_up = report.steps.iter().filter(gave_up).count() as u64;
        let is_open = given_up > 0;
        let took = format::duration(f64::from(report.took_ms) / 1000.0);
        let said = if given_up > 0 {
            format!("{took}, {} given up", format::counted(given_up, "wait"))
        } else {
            took
        };
        let cut = cut_text(&item, &report);
        let other_browser = baseline
            .map(|baseline| baseline.browser)
            .filter(|browser| *browser != report.browser);
        let rows: Vec<_> = report.steps.into_iter().map(row).collect();
        view! {
            <details class="inspector-part capture-report" open=is_open data-testid="capture-report">
                <summary>"How it was captured" <span class="help">{said}</span></summary>
                {cut.map(|cut| view! { <p data-testid="truncated"><Icon glyph=Glyph::Info /> " " {cut}</p> })}
                <ul>{rows}</ul>
                <p class="help">{report.browser}</p>
                {other_browser.map(|browser| view! {
                    <p><Icon glyph=Glyph::Info /> " The baseline was captured with " {browser} "."</p>
                })}
            </details>
        }
    })
}

/// What a picture that was cut off leaves out.
fn cut_text(item: &ReviewItem, report: &CaptureReport) -> Option<String> {
    let (whole, shown) = (report.truncated_from?, item.current.as_ref()?);
    Some(format!(
        "The page is {} × {} px, more than a capture holds: only the first {} × {} px were captured and compared.",
        whole.width, whole.height, shown.width, shown.height
    ))
}

fn row(step: CaptureStep) -> impl IntoView {
    let (glyph, meaning) = match step.outcome {
        StepOutcome::Done => (Glyph::Check, "done"),
        StepOutcome::GaveUp => (Glyph::Clock, "given up"),
        StepOutcome::Off => (Glyph::Minus, "switched off"),
    };
    let took = (step.outcome != StepOutcome::Off)
        .then(|| format::duration(f64::from(step.took_ms) / 1000.0));
    view! {
        <li data-outcome=meaning>
            <span class="step-mark" title=meaning><Icon glyph /><span class="visually-hidden">{meaning}</span></span>
            <span>{name(step.step)}</span>
            <span class="step-took">{took.unwrap_or_else(|| "off".to_owned())}</span>
            {step.note.map(|note| view! { <span class="step-note">{note}</span> })}
        </li>
    }
}

fn name(step: StepName) -> &'static str {
    match step {
        StepName::Load => "Loading",
        StepName::LazyContent => "Scrolling for lazy content",
        StepName::NetworkQuiet => "Quiet network",
        StepName::Fonts => "Fonts",
        StepName::Images => "Images",
        StepName::AriaBusy => "Busy elements",
        StepName::DomQuiet => "Quiet document",
        StepName::Animations => "Animations ended",
        StepName::Video => "Videos at their start",
        StepName::StickyElements => "Fixed elements pinned",
    }
}
