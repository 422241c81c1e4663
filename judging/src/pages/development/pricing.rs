//! A pricing page with four plans.

use crate::edit::{Edit, Part, Step, head, step, whole};
use crate::page::{Page, document};

/// What may be done to the page.
const STEPS: &[Step] = &[
    step(
        Edit::Text(
            "Plan shifts for five or five hundred people. They swap among themselves, and you only confirm the result.",
        ),
        "#lead",
        "the lead under the headline",
        ".hero",
    ),
    step(
        Edit::Price("€ 34"),
        ".price--crew",
        "the monthly price of Crew",
        "#plan-crew",
    ),
    step(
        Edit::Colour("background-color: #ffe8cc"),
        ".plan--fleet",
        "the Fleet card",
        ".plans",
    ),
    step(
        Edit::Spacing("padding-top: 72px"),
        ".section--faq",
        "the questions section",
        ".section--faq",
    ),
    step(
        Edit::Insert {
            part: Part::Card,
            before: ".plan--harbour",
            html: r#"<article class="plan plan--season"><h2>Season</h2><p class="price">€ 45</p><p class="per">only while you are open</p><ul><li>Pause up to eight months</li><li>Seasonal contracts</li></ul><a class="button button--plain" href="/start?plan=season">Choose Season</a></article>"#,
        },
        ".plan--season",
        "the Season plan",
        ".plans",
    ),
    step(
        Edit::Remove(Part::Banner),
        ".promo--spring",
        "the spring offer strip",
        ".promo",
    ),
    step(
        Edit::Remove(Part::Card),
        ".plan--solo",
        "the Solo plan",
        ".plans",
    )
    .in_place(),
    step(
        Edit::MoveBefore("#band"),
        "#stories",
        "the customer quote",
        "#stories",
    ),
    step(
        Edit::MoveAndReword {
            before: "#point-history",
            text: "Public holidays of 41 countries",
        },
        ".point--holidays",
        "the point about public holidays",
        ".points",
    ),
    step(
        Edit::Image(57),
        ".portrait--ines",
        "the portrait beside the quote",
        "#stories",
    ),
    step(
        Edit::Font("font-family: serif"),
        "#headline",
        "the headline",
        ".hero",
    ),
    step(
        Edit::Overlap("margin-top: -90px"),
        "#band",
        "the walk-through box",
        "#band",
    ),
    step(
        Edit::Hidden,
        "#choose-crew",
        "the button of the Crew plan",
        "#plan-crew",
    ),
    head(Edit::NoIndex, r#"meta[name="robots"]"#),
    head(
        Edit::Title("Prices: shift planning from € 0 – Tidewater"),
        "title",
    ),
    head(Edit::SchemaPrice("34.00"), "JSON-LD Product"),
    step(Edit::AntiAliasing, ".saying--ines", "the quote", "#stories"),
    whole(Edit::Identical),
];

pub(super) fn page() -> Page {
    Page {
        name: "pricing-page",
        seed: 101,
        intent: "Prices of a shift planner. Amounts change a few times a year, the layout rarely.",
        steps: STEPS,
        root: document(include_str!("../../../pages/development/pricing.html"), &[]),
    }
}
