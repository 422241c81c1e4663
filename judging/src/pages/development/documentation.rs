//! A manual's page with a side bar under a sticky header.

use crate::edit::{Edit, Part, Step, head, step, whole};
use crate::page::{Page, document};

/// What may be done to the page.
const STEPS: &[Step] = &[
    step(
        Edit::Text(
            "Brindle reads a single file at start and watches it for changes. Whatever the file leaves out has a sensible default.",
        ),
        "#summary",
        "the summary",
        ".doc",
    ),
    step(
        Edit::Link("/upgrade-4"),
        ".side-link--upgrade",
        "the upgrading entry",
        ".side",
    ),
    step(
        Edit::Insert {
            part: Part::Banner,
            before: "#bar",
            html: r#"<aside class="old-version" style="background:#fde7c7;padding:10px 24px">You are reading the manual of version 4, version 5 is in beta.</aside>"#,
        },
        ".old-version",
        "the hint about the beta version",
        ".old-version",
    ),
    step(
        Edit::Insert {
            part: Part::Row,
            before: "#row-retries",
            html: r#"<tr class="row row--heartbeat"><td>heartbeat</td><td>10s</td><td>Interval at which jobs report that they are alive</td></tr>"#,
        },
        ".row--heartbeat",
        "the heartbeat setting",
        ".topic--settings",
    ),
    step(
        Edit::Remove(Part::Row),
        ".row--color",
        "the colour setting",
        ".topic--settings",
    ),
    step(
        Edit::MoveBefore(".topic--file"),
        ".topic--reload",
        "the section about reloading",
        ".doc",
    ),
    step(
        Edit::SwapWithNext,
        ".nav-item--tour",
        "the short tour",
        ".side",
    ),
    step(
        Edit::Font("font-family: serif"),
        "#where",
        "the heading on where the file lives",
        ".topic--file",
    ),
    step(
        Edit::ContrastLoss("color: #e4eee5"),
        ".hint-text--width",
        "the hint about the width",
        ".hint",
    ),
    step(
        Edit::Overlap("margin-top: -80px"),
        "#topic-queues",
        "the section on queues",
        "#topic-queues",
    ),
    head(Edit::NoIndex, r#"meta[name="robots"]"#),
    head(
        Edit::CanonicalHost("https://brindle-docs.pages.example/configuration"),
        r#"link[rel="canonical"]"#,
    ),
    head(
        Edit::Description(
            "Reference of the Brindle configuration file, setting by setting, with defaults.",
        ),
        r#"meta[name="description"]"#,
    ),
    step(
        Edit::AntiAliasing,
        ".para--lookup",
        "the paragraph on the lookup",
        ".topic--file",
    ),
    step(
        Edit::Clock("Built today at 09:52:07"),
        ".stamp--built",
        "the build time",
        ".stamp",
    ),
    whole(Edit::Identical),
];

pub(super) fn page() -> Page {
    Page {
        name: "documentation",
        seed: 104,
        intent: "A manual that is built from Markdown on every merge.",
        steps: STEPS,
        root: document(
            include_str!("../../../pages/development/documentation.html"),
            &[],
        ),
    }
}
