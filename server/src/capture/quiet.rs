//! Making a loaded page quiet before its picture is taken: the steps of its project's profile, each bounded and reported.

use std::time::Duration;

use pentimento_api::capture::{CaptureProfile, CaptureStep, StepName, StepOutcome};
use serde::Deserialize;
use serde_json::{Value, json};
use tokio::time::Instant;

use super::budget::Budget;
use super::open::LOAD_CAP;
use super::traffic::{Quiet, Traffic};
use super::world::World;
use super::{CaptureError, CaptureRequest};

const INSTALL: &str = include_str!("quiet/install.js");
const THERE: &str = "(cap) => globalThis.pentimento.there(cap)";
const DRESS: &str = include_str!("quiet/dress.js");
const UNROLL: &str = include_str!("quiet/unroll.js");
const SCROLL: &str = include_str!("quiet/scroll.js");
const WAIT: &str = include_str!("quiet/wait.js");
const SETTLE: &str = include_str!("quiet/settle.js");
const STILL: &str = include_str!("quiet/still.js");
const VIDEO: &str = include_str!("quiet/video.js");
const MEASURE: &str = include_str!("quiet/measure.js");
const PIN: &str = include_str!("quiet/pin.js");

/// How long a page is asked at a time whether its document is there: the browser has to answer each question within a time of
/// its own, which may be shorter than the page's.
const THERE_CAP_MS: u32 = 20_000;

/// Longest waits in milliseconds; docs/capturing.md says them to people.
const SCROLL_CAP_MS: u32 = 10_000;
const FONTS_CAP_MS: u32 = 5_000;
const IMAGES_CAP_MS: u32 = 10_000;
const BUSY_CAP_MS: u32 = 5_000;
const DOM_CAP_MS: u32 = 5_000;
const STILL_CAP_MS: u32 = 5_000;
const VIDEO_CAP_MS: u32 = 5_000;
const PIN_CAP_MS: u32 = 5_000;
const NETWORK_CAP: Duration = Duration::from_secs(15);

/// How long there must be quiet.
const DOM_QUIET_MS: u32 = 300;
const NETWORK_QUIET: Duration = Duration::from_millis(500);

/// A page's extent in CSS pixels.
#[derive(Debug, Clone, Copy, Deserialize)]
pub(super) struct Extent {
    pub(super) width: i64,
    pub(super) height: i64,
}

/// What dressing the document came to.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Dressed {
    /// Whether everything that the document loads has come.
    loaded: bool,
    /// Masks that are no selectors.
    bad_masks: Vec<String>,
}

/// What a script says of its step.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Told {
    gave_up: bool,
    took_ms: u32,
    note: Option<String>,
}

/// What the script says that waits for three things at once; null is what was not waited for.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Waited {
    fonts: Option<Told>,
    images: Option<Told>,
    aria_busy: Option<Told>,
}

/// Makes the page quiet; returns its extent, and appends what each step found.
pub(super) async fn make_quiet(
    world: &World<'_>,
    request: &CaptureRequest,
    traffic: &Traffic,
    budget: Budget,
    steps: &mut Vec<CaptureStep>,
) -> Result<Extent, CaptureError> {
    let profile = &request.profile;
    world.evaluate(INSTALL.to_owned()).await?;
    // There is the page's whole budget for it.
    while !world.call::<bool>(THERE, &json!(THERE_CAP_MS)).await? {}
    let wait_ms = |cap_ms| wait_ms(budget, cap_ms);
    let loaded = dress(world, request, budget).await?;
    steps.push(CaptureStep {
        step: StepName::Load,
        outcome: if loaded {
            StepOutcome::Done
        } else {
            StepOutcome::GaveUp
        },
        took_ms: milliseconds(budget.spent()),
        note: (!loaded).then(|| traffic.under_way().sentence()).flatten(),
    });
    unroll(world).await?;
    if profile.animations {
        let told: Told = world.call(STILL, &json!(wait_ms(STILL_CAP_MS))).await?;
        tracing::debug!(?told, "motion ended before scrolling");
    }
    let lazy = profile.lazy_content;
    let scroll = json!(wait_ms(SCROLL_CAP_MS));
    steps.push(step(world, lazy, StepName::LazyContent, SCROLL, &scroll).await?);
    let (network, waited) = futures::join!(
        wait_for_network(profile, traffic, budget),
        wait(world, profile, budget)
    );
    steps.push(network);
    steps.extend(waited?);
    let settle = json!({ "cap": wait_ms(DOM_CAP_MS), "quiet": DOM_QUIET_MS });
    steps.push(
        step(
            world,
            profile.dom_quiet,
            StepName::DomQuiet,
            SETTLE,
            &settle,
        )
        .await?,
    );
    if profile.images {
        wait_for_late_images(world, budget, steps).await?;
    }
    let still = json!(wait_ms(STILL_CAP_MS));
    steps.push(
        step(
            world,
            profile.animations,
            StepName::Animations,
            STILL,
            &still,
        )
        .await?,
    );
    let video = json!(wait_ms(VIDEO_CAP_MS));
    steps.push(step(world, profile.video, StepName::Video, VIDEO, &video).await?);
    // What scripts drew after the document had loaded may have come with a scroller of its own.
    unroll(world).await?;
    world.call(MEASURE, &Value::Null).await
}

/// Gives an element that a page scrolls in, where it does not by itself, room for all that is in it.
async fn unroll(world: &World<'_>) -> Result<(), CaptureError> {
    let unrolled: bool = world.call(UNROLL, &Value::Null).await?;
    tracing::debug!(unrolled, "what a page scrolls in was looked for");
    Ok(())
}

/// Masks, custom CSS and the caret, on a document that has loaded or was waited for long enough; says whether it has.
async fn dress(
    world: &World<'_>,
    request: &CaptureRequest,
    budget: Budget,
) -> Result<bool, CaptureError> {
    let clothes = json!({
        "masks": request.masks,
        "customCss": request.custom_css,
        "hideCaret": request.profile.caret,
        "patience": milliseconds(budget.wait(LOAD_CAP)),
    });
    let dressed: Dressed = world.call(DRESS, &clothes).await?;
    match dressed.bad_masks.first() {
        None => Ok(dressed.loaded),
        Some(selector) => Err(CaptureError::Page(format!(
            "the mask `{selector}` is no valid CSS selector"
        ))),
    }
}

async fn wait_for_network(
    profile: &CaptureProfile,
    traffic: &Traffic,
    budget: Budget,
) -> CaptureStep {
    if !profile.network_quiet {
        return reported(StepName::NetworkQuiet, None);
    }
    let begun = Instant::now();
    let cap = budget.wait(NETWORK_CAP);
    let (gave_up, note) = match traffic.quiet(NETWORK_QUIET, cap).await {
        Quiet::Reached => (false, None),
        Quiet::GaveUp(under_way) => {
            let again = || "It fetched something again and again.".to_owned();
            (true, Some(under_way.sentence().unwrap_or_else(again)))
        }
    };
    let told = Told {
        gave_up,
        took_ms: milliseconds(begun.elapsed()),
        note,
    };
    reported(StepName::NetworkQuiet, Some(told))
}

async fn wait(
    world: &World<'_>,
    profile: &CaptureProfile,
    budget: Budget,
) -> Result<[CaptureStep; 3], CaptureError> {
    let waited: Waited = world
        .call(
            WAIT,
            &json!({
                "fonts": profile.fonts.then_some(wait_ms(budget, FONTS_CAP_MS)),
                "images": profile.images.then_some(wait_ms(budget, IMAGES_CAP_MS)),
                "ariaBusy": profile.aria_busy.then_some(wait_ms(budget, BUSY_CAP_MS)),
            }),
        )
        .await?;
    Ok([
        reported(StepName::Fonts, waited.fonts),
        reported(StepName::Images, waited.images),
        reported(StepName::AriaBusy, waited.aria_busy),
    ])
}

/// Waits for images that scripts added meanwhile: what they fetch first has come by now, and with it perhaps images that would
/// not be loaded before somebody scrolls to them. Reported with the others.
async fn wait_for_late_images(
    world: &World<'_>,
    budget: Budget,
    steps: &mut [CaptureStep],
) -> Result<(), CaptureError> {
    let caps = json!({ "fonts": null, "images": wait_ms(budget, IMAGES_CAP_MS), "ariaBusy": null });
    let waited: Waited = world.call(WAIT, &caps).await?;
    let step = (steps.iter_mut()).find(|step| step.step == StepName::Images);
    if let (Some(step), Some(late)) = (step, waited.images) {
        step.took_ms = step.took_ms.saturating_add(late.took_ms);
        if late.gave_up {
            step.outcome = StepOutcome::GaveUp;
        }
        // It looked at all of them once more.
        step.note = late.note;
    }
    Ok(())
}

/// Pins what is fixed or sticky; the document is recorded before, since this changes it.
pub(super) async fn pin(
    world: &World<'_>,
    profile: &CaptureProfile,
    budget: Budget,
) -> Result<CaptureStep, CaptureError> {
    let pinned = profile.sticky_elements;
    step(
        world,
        pinned,
        StepName::StickyElements,
        PIN,
        &json!(wait_ms(budget, PIN_CAP_MS)),
    )
    .await
}

/// Runs the script of one step, unless it is switched off.
async fn step(
    world: &World<'_>,
    on: bool,
    step: StepName,
    script: &str,
    argument: &Value,
) -> Result<CaptureStep, CaptureError> {
    let told = if on {
        Some(world.call(script, argument).await?)
    } else {
        None
    };
    Ok(reported(step, told))
}

/// A step as it is reported; without what a script told, it is switched off.
fn reported(step: StepName, told: Option<Told>) -> CaptureStep {
    match told {
        None => CaptureStep {
            step,
            outcome: StepOutcome::Off,
            took_ms: 0,
            note: None,
        },
        Some(told) => CaptureStep {
            step,
            outcome: if told.gave_up {
                StepOutcome::GaveUp
            } else {
                StepOutcome::Done
            },
            took_ms: told.took_ms,
            note: told.note,
        },
    }
}

/// How many milliseconds a page's script may wait for something now, at most `cap_ms`.
fn wait_ms(budget: Budget, cap_ms: u32) -> u32 {
    milliseconds(budget.wait(Duration::from_millis(cap_ms.into())))
}

/// Whole milliseconds.
pub(super) fn milliseconds(duration: Duration) -> u32 {
    u32::try_from(duration.as_millis()).unwrap_or(u32::MAX)
}
