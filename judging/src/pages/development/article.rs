//! A long article with figures and a table of contents.

use crate::edit::{Edit, Part, Step, head, step, whole};
use crate::page::{Page, document};

/// What may be done to the page.
const STEPS: &[Step] = &[
    step(
        Edit::Text(
            "On the morning the water fell below the fourth step, Joost Harmsen wrote a single word into the log of the lock: wait.",
        ),
        "#opening",
        "the first sentence",
        ".story",
    ),
    step(
        Edit::Link("/archive/acts/1874-water"),
        ".source--act",
        "the reference to the act",
        "#chapter-law",
    ),
    step(
        Edit::Spacing("padding-bottom: 64px"),
        ".chapter--gauge",
        "the chapter on the gauge",
        ".chapter",
    ),
    step(
        Edit::Insert {
            part: Part::Card,
            before: ".teaser--ice",
            html: r#"<div id="teaser-dredger" class="teaser"><h3>A dredger called Patience</h3><p>She moves nine tons of mud an hour.</p></div>"#,
        },
        "#teaser-dredger",
        "the teaser about a dredger",
        ".more",
    ),
    step(
        Edit::Remove(Part::Banner),
        ".appeal--summer",
        "the summer appeal",
        ".appeal",
    ),
    step(
        Edit::Remove(Part::Card),
        ".teaser--ferry",
        "the teaser about the rope ferry",
        ".more",
    )
    .in_place(),
    step(
        Edit::MoveBefore(".chapter--gauge"),
        "#chapter-law",
        "the chapter on the law",
        ".story",
    ),
    step(
        Edit::MoveAndReword {
            before: "#toc-waiting",
            text: "What the old gauge said",
        },
        ".toc--gauge",
        "the gauge entry in the contents",
        ".contents",
    ),
    step(
        Edit::Image(77),
        "#plate-barges",
        "the drawing of the barges",
        ".chapter--queue",
    ),
    step(
        Edit::Overflow("margin-right: -760px"),
        "#strip",
        "the coloured strip",
        ".chapter--queue",
    ),
    step(
        Edit::Overlap("margin-top: -100px"),
        ".chapter--after",
        "the last chapter",
        ".chapter--after",
    ),
    step(
        Edit::BrokenImage,
        ".plate--lock",
        "the drawing of the lock",
        ".story figure",
    ),
    head(Edit::NoIndex, r#"meta[name="robots"]"#),
    head(
        Edit::Title("The summer a river was late – The Towpath"),
        "title",
    ),
    step(
        Edit::AntiAliasing,
        ".para--gauge",
        "the second paragraph on the gauge",
        ".chapter--gauge",
    ),
    whole(Edit::ClassNames),
    whole(Edit::AttributeOrder),
];

pub(super) fn page() -> Page {
    Page {
        name: "article",
        seed: 103,
        intent: "A magazine. Texts are edited by hand after publication, the typography is fixed.",
        steps: STEPS,
        root: document(include_str!("../../../pages/development/article.html"), &[]),
    }
}
