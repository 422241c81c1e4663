//! The front page of a local paper under a sticky flag.

use crate::edit::{Edit, Part, Step, head, step, whole};
use crate::page::{Page, document};

/// What may be done to the page.
const STEPS: &[Step] = &[
    step(
        Edit::Text(
            "Engineers found cracks in three piers during a night inspection. Buses run instead of trains from Monday, season tickets stay valid.",
        ),
        "#standfirst",
        "the standfirst of the lead story",
        ".lead-story",
    ),
    step(
        Edit::Link("/roads-and-rail"),
        ".desk-link--transport",
        "the Transport desk",
        ".desks",
    ),
    step(
        Edit::Spacing("padding-bottom: 54px"),
        "#brief-heat",
        "the brief about heating",
        ".briefs",
    ),
    step(
        Edit::Insert {
            part: Part::Banner,
            before: "#flag",
            html: r#"<p class="strike-notice" style="margin:0;background:#ffe9a8;padding:12px;text-align:center">Printers are on strike today, the whole paper is free to read here.</p>"#,
        },
        ".strike-notice",
        "the notice about the strike",
        ".strike-notice",
    ),
    step(
        Edit::Insert {
            part: Part::Card,
            before: "#card-chess",
            html: r#"<article id="card-rowing" class="card"><img src="picture:777:272x150" alt="An eight on the water"><h3>Eight without a cox</h3><p>The rowers steer by voice, mostly.</p></article>"#,
        },
        "#card-rowing",
        "the rowing story",
        "#desk-sport",
    ),
    step(
        Edit::Remove(Part::Card),
        ".card--fell",
        "the fell race story",
        "#desk-sport",
    )
    .in_place(),
    step(
        Edit::MoveBefore(".desk--letters"),
        "#desk-sport",
        "the sport desk",
        "#desk-sport",
    ),
    step(
        Edit::MoveAndReword {
            before: "#read-council",
            text: "Pool opens two weeks early",
        },
        ".read--pool",
        "the pool story among the most read",
        ".rail-box--read",
    ),
    step(
        Edit::Font("font-family: sans-serif"),
        ".splash",
        "the lead headline",
        ".lead-story",
    ),
    step(
        Edit::Overflow("margin-right: -420px"),
        ".ticker--live",
        "the live ticker",
        ".ticker",
    ),
    step(
        Edit::BrokenImage,
        "#shot-bowls",
        "the picture of the bowling green",
        "#desk-sport",
    ),
    step(
        Edit::Hidden,
        "#subscribe-now",
        "the subscribe button",
        "#subscribe",
    ),
    head(Edit::NoIndex, r#"meta[name="robots"]"#),
    head(
        Edit::Title("Viaduct shuts for nine weeks – Hallam Courier"),
        "title",
    ),
    head(Edit::SchemaPrice("7.20"), "JSON-LD NewsMediaOrganization"),
    step(
        Edit::AntiAliasing,
        ".body-text--second",
        "the second paragraph of the lead story",
        ".lead-story",
    ),
    step(
        Edit::Clock("Wednesday, 07:09"),
        ".flag__date--now",
        "the clock in the flag",
        ".flag",
    ),
    whole(Edit::ClassNames),
];

pub(super) fn page() -> Page {
    Page {
        name: "news-front",
        seed: 907,
        intent: "Front page of a newspaper with frozen stories; editors touch up single pieces.",
        steps: STEPS,
        root: document(include_str!("../../../pages/held-out/news-front.html"), &[]),
    }
}
