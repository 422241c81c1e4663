//! What is done before a picture is taken: what is left out of it, and what is waited for.

use leptos::prelude::*;

use super::field::{Switch, TextField};
use super::form::{Form, Lens, lens};

/// The steps that can be switched off: name, lens, words.
const STEPS: [(&str, Lens<bool>, &str); 12] = [
    (
        "lazyContent",
        lens!(capture_profile.lazy_content),
        "Scroll down once, for content that waits to be seen",
    ),
    (
        "networkQuiet",
        lens!(capture_profile.network_quiet),
        "Wait until nothing is fetched any more",
    ),
    ("fonts", lens!(capture_profile.fonts), "Wait for fonts"),
    ("images", lens!(capture_profile.images), "Wait for images"),
    (
        "ariaBusy",
        lens!(capture_profile.aria_busy),
        "Wait while an element is busy (aria-busy)",
    ),
    (
        "domQuiet",
        lens!(capture_profile.dom_quiet),
        "Wait until the document stays as it is",
    ),
    (
        "animations",
        lens!(capture_profile.animations),
        "End animations",
    ),
    (
        "video",
        lens!(capture_profile.video),
        "Show videos at their start",
    ),
    (
        "caret",
        lens!(capture_profile.caret),
        "Hide the text cursor",
    ),
    (
        "scrollbars",
        lens!(capture_profile.scrollbars),
        "Hide scrollbars",
    ),
    (
        "stickyElements",
        lens!(capture_profile.sticky_elements),
        "Pin fixed elements where they are",
    ),
    (
        "agreement",
        lens!(capture_profile.agreement),
        "Capture what differs again, and call a change what both agree on",
    ),
];

#[component]
pub(super) fn Picture(form: Form) -> impl IntoView {
    view! {
        <TextField
            form
            name="masks"
            label="Masks"
            lens=lens!(masks)
            rows=3
            placeholder=".advert"
            help="CSS selectors, one on each line. What they match is hidden before the picture is taken; the layout stays. \
                  Elements with the attribute data-vr-mask are hidden too."
        />
        <TextField form name="customCss" label="Custom CSS" lens=lens!(custom_css) rows=3 help="Applied to every page before the picture is taken." />
        <details class="settings-more">
            <summary>"Steps before the picture"</summary>
            <div class="settings-switches">
                {STEPS.map(|(name, lens, label)| view! { <Switch form name lens label /> }).collect_view()}
                <Switch form name="seededRandom" lens=lens!(capture_profile.seeded_random) label="Give scripts the same random numbers each time" />
            </div>
            <TextField
                form
                name="captureProfile"
                label="The time that it is for the page’s scripts"
                lens=lens!(clock)
                placeholder="2026-01-15T12:00:00Z"
                help="Empty: time goes on."
            />
        </details>
    }
}
