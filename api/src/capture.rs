//! How pages are captured: which steps a project wants before the picture is taken, and what each step found.

use serde::{Deserialize, Serialize};

use crate::form::objects_only;

/// The steps before a page's picture is taken. All are on unless a project says otherwise; each waits for a bounded time.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase", default, remote = "Self")]
#[expect(clippy::struct_excessive_bools, reason = "each is a switch of its own")]
pub struct CaptureProfile {
    /// Scroll once down to the end of the page and back, so that content is fetched which waits to be seen; at most 10 s.
    pub lazy_content: bool,
    /// Wait until nothing was fetched for 500 ms; at most 15 s.
    pub network_quiet: bool,
    /// Wait for fonts that load; at most 5 s.
    pub fonts: bool,
    /// Have images loaded at once, and wait for them; at most 10 s.
    pub images: bool,
    /// Wait while a visible element is `aria-busy`; at most 5 s.
    pub aria_busy: bool,
    /// Wait until the document did not change for 300 ms; at most 5 s.
    pub dom_quiet: bool,
    /// End finite animations, take back endless ones, and ask the page for reduced motion.
    pub animations: bool,
    /// Show videos at their poster, or at their first frame; at most 5 s.
    pub video: bool,
    /// Hide the text cursor.
    pub caret: bool,
    /// Hide scrollbars.
    pub scrollbars: bool,
    /// Pin fixed and sticky elements where they are, so that no picture shows one twice.
    pub sticky_elements: bool,
    /// Capture a page that differs from its baseline again, and call a change only what two captures agree on.
    pub agreement: bool,
    /// The one time that it is for the page's scripts, in RFC 3339; absent, time goes on.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(value_type = Option<crate::values::Instant>))]
    pub clock: Option<String>,
    /// Give the page's scripts the same random numbers each time; off unless asked for.
    pub seeded_random: bool,
}

impl Default for CaptureProfile {
    fn default() -> Self {
        Self {
            lazy_content: true,
            network_quiet: true,
            fonts: true,
            images: true,
            aria_busy: true,
            dom_quiet: true,
            animations: true,
            video: true,
            caret: true,
            scrollbars: true,
            sticky_elements: true,
            agreement: true,
            clock: None,
            seeded_random: false,
        }
    }
}

/// What happened before a picture was taken.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct CaptureReport {
    /// The browser that took it, with its version.
    pub browser: String,
    /// From the opening of the page to the end of the capture, in milliseconds.
    pub took_ms: u32,
    /// The steps in their order.
    pub steps: Vec<CaptureStep>,
    /// The page's own size where the picture shows less of it: it has more pixels than a capture holds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub truncated_from: Option<PageExtent>,
}

/// A page's size in CSS pixels.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct PageExtent {
    /// Across.
    pub width: u32,
    /// Down.
    pub height: u32,
}

/// One step.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct CaptureStep {
    /// Which.
    pub step: StepName,
    /// How it ended.
    pub outcome: StepOutcome,
    /// How long it took, in milliseconds; steps may run side by side.
    pub took_ms: u32,
    /// What is worth knowing, in one sentence.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
}

/// The steps of a capture; those of [`CaptureProfile`] have its names.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
#[expect(missing_docs, reason = "the profile describes them")]
pub enum StepName {
    /// Opening the page until its load event.
    Load,
    LazyContent,
    NetworkQuiet,
    Fonts,
    Images,
    AriaBusy,
    DomQuiet,
    Animations,
    Video,
    StickyElements,
}

/// How a step ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum StepOutcome {
    /// What it waited for came.
    Done,
    /// Its time was over before; the capture went on without.
    GaveUp,
    /// The project has switched it off.
    Off,
}

objects_only!(CaptureProfile);
