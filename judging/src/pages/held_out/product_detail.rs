//! A single product under a fixed header.

use crate::edit::{Edit, Part, Step, head, step, whole};
use crate::page::{Page, document};

/// What may be done to the page.
const STEPS: &[Step] = &[
    step(
        Edit::Text(
            "Woven from recycled nylon, waxed on both sides, with taped seams wherever the rain may run.",
        ),
        "#fabric-text",
        "the paragraph on the fabric",
        "#chapter-fabric",
    ),
    step(
        Edit::Price("€ 174.00"),
        "#price-tag",
        "the price of the pack",
        ".buy",
    ),
    step(
        Edit::Colour("background-color: #cfd8e3"),
        ".swatch--slate",
        "the slate swatch",
        ".swatches",
    ),
    step(
        Edit::Insert {
            part: Part::Card,
            before: "#mini-stove",
            html: r#"<article class="mini mini--mat"><img src="picture:619:193x120" alt="Mat"><p>Drift mat<br>€ 79.00</p></article>"#,
        },
        ".mini--mat",
        "the Drift mat",
        ".also",
    ).in_place(),
    step(
        Edit::Remove(Part::Banner),
        ".sale--autumn",
        "the clearance strip",
        ".sale",
    ),
    step(
        Edit::Remove(Part::Card),
        ".mini--poles",
        "the poles",
        ".also",
    )
    .in_place(),
    step(
        Edit::MoveBefore(".chapter--carry"),
        ".chapter--sizes",
        "the table of sizes",
        ".chapter--sizes",
    ),
    step(
        Edit::Image(688),
        ".shot-front",
        "the main product shot",
        ".gallery",
    ),
    step(
        Edit::ContrastLoss("color: #edeee6"),
        "#promise-return",
        "the line about returns",
        ".promise",
    ),
    step(
        Edit::Overlap("margin-top: -112px"),
        "#chapter-fabric",
        "the fabric chapter",
        "#chapter-fabric",
    ),
    step(Edit::Hidden, ".add--basket", "the basket button", ".buy"),
    step(
        Edit::BrokenImage,
        ".thumb--back",
        "the thumbnail of the back panel",
        ".gallery",
    ),
    head(Edit::NoIndex, r#"meta[name="robots"]"#),
    head(
        Edit::CanonicalHost("https://shop-eu.cairn-cdn.example/packs/marlow-38"),
        r#"link[rel="canonical"]"#,
    ),
    head(
        Edit::Description(
            "Trekking pack with 38 litres, a removable frame and a ten year repair promise.",
        ),
        r#"meta[name="description"]"#,
    ),
    head(Edit::SchemaPrice("174.00"), "JSON-LD Product"),
    step(Edit::Jitter, ".tax--note", "the note on tax", ".buy"),
    whole(Edit::Identical),
    whole(Edit::AttributeOrder),
];

pub(super) fn page() -> Page {
    Page {
        name: "product-detail",
        seed: 908,
        intent: "Product pages must always let people buy; pictures and texts are refreshed each season.",
        steps: STEPS,
        root: document(
            include_str!("../../../pages/held-out/product-detail.html"),
            &[],
        ),
    }
}
