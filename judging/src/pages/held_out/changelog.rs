//! Release notes on a dark ground.

use crate::edit::{Edit, Part, Step, head, step, whole};
use crate::page::{Page, document};

/// What may be done to the page.
const STEPS: &[Step] = &[
    step(
        Edit::Text(
            "Routes can be shared as a link. Whoever opens it sees the tide and the wind at the hour you picked.",
        ),
        "#intro-7-2",
        "the introduction to 7.2",
        ".release--7-2",
    ),
    step(
        Edit::Link("/manual/share"),
        ".guide-link--share",
        "the sharing guide link",
        ".release--7-2",
    ),
    step(
        Edit::Insert {
            part: Part::Banner,
            before: ".crown--site",
            html: r#"<div id="recall" style="background:#f0b429;color:#1d1400;padding:14px 40px">Release 7.2.0 drains batteries on some phones. Please take 7.2.1.</div>"#,
        },
        "#recall",
        "the battery warning",
        "#recall",
    ),
    step(
        Edit::Insert {
            part: Part::Row,
            before: "#line-five",
            html: r#"<tr id="line-long"><td>6.9 LTS</td><td>maintained</td><td>in three years</td></tr>"#,
        },
        "#line-long",
        "the long-term line",
        ".support",
    ),
    step(
        Edit::Remove(Part::Row),
        ".line--four",
        "the closed line 4.x",
        ".support",
    ),
    step(
        Edit::SwapWithNext,
        ".release--6-9",
        "the notes of 6.9",
        ".core",
    ),
    step(
        Edit::MoveAndReword {
            before: "#news-night",
            text: "Anchor alarm wakes every phone on board",
        },
        ".news--anchor",
        "the item on the anchor alarm",
        ".release--7-2",
    ),
    step(
        Edit::Font("font-family: serif"),
        ".vtitle--7-1",
        "the heading of 7.1",
        ".release--7-1",
    ),
    step(
        Edit::Overflow("margin-right: -580px"),
        ".wave--top",
        "the wave pattern",
        ".wave",
    ),
    head(Edit::NoIndex, r#"meta[name="robots"]"#),
    head(
        Edit::CanonicalHost("https://www.sextant-nav.example/changes"),
        r#"link[rel="canonical"]"#,
    ),
    head(
        Edit::Description(
            "Everything that changed in the Sextant chart plotter, release by release.",
        ),
        r#"meta[name="description"]"#,
    ),
    head(Edit::SchemaPrice("54.00"), "JSON-LD SoftwareApplication"),
    step(
        Edit::AntiAliasing,
        ".about--7-1",
        "the paragraph on 7.1",
        ".release--7-1",
    ),
    step(
        Edit::Clock("Synchronised with the build server 9 minutes and 41 seconds ago"),
        ".status--sync",
        "the synchronisation line",
        ".status",
    ),
    whole(Edit::ClassNames),
];

pub(super) fn page() -> Page {
    Page {
        name: "changelog",
        seed: 910,
        intent: "Release notes: entries are added, old ones should stay as they were.",
        steps: STEPS,
        root: document(include_str!("../../../pages/held-out/changelog.html"), &[]),
    }
}
