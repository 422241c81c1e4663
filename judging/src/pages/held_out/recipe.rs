//! A recipe in one narrow column.

use crate::edit::{Edit, Part, Step, head, step, whole};
use crate::page::{Page, document};

/// What may be done to the page.
const STEPS: &[Step] = &[
    step(
        Edit::Price("€ 7.40"),
        ".cost-value",
        "the cost of the dish",
        ".facts",
    ),
    step(
        Edit::Spacing("padding-top: 60px"),
        "#extra-swap",
        "the section on substitutes",
        "#extra-swap",
    ),
    step(
        Edit::Insert {
            part: Part::Row,
            before: "#value-protein",
            html: r#"<tr class="value value--sugar"><td>Sugar</td><td>6 g</td></tr>"#,
        },
        ".value--sugar",
        "sugar",
        ".values",
    ),
    step(
        Edit::Remove(Part::Banner),
        ".season--leeks",
        "the seasonal tip",
        ".season",
    ),
    step(Edit::Remove(Part::Row), ".value--fibre", "fibre", ".values"),
    step(
        Edit::MoveBefore(".extra--keep"),
        ".extra--values",
        "the nutrition table",
        ".extra--values",
    ),
    step(
        Edit::Image(731),
        "#shot-pan",
        "the photo of the pan",
        ".way",
    ),
    step(
        Edit::Font("font-family: sans-serif"),
        "#dish",
        "the name of the dish",
        "h1",
    ),
    step(
        Edit::Overflow("margin-right: -720px"),
        "#ribbon",
        "the ribbon below the facts",
        "#ribbon",
    ),
    step(
        Edit::Overlap("margin-top: -60px"),
        ".extra--talk",
        "the comments",
        ".extra--talk",
    ),
    step(Edit::BrokenImage, ".big--dish", "the large photo", "main"),
    head(Edit::NoIndex, r#"meta[name="robots"]"#),
    head(
        Edit::Title("Leek pancakes made of buckwheat | Plain Pot"),
        "title",
    ),
    step(
        Edit::AntiAliasing,
        ".hint--batter",
        "the hint about the batter",
        ".hint",
    ),
    whole(Edit::Identical),
    whole(Edit::AttributeOrder),
];

pub(super) fn page() -> Page {
    Page {
        name: "recipe",
        seed: 909,
        intent: "Recipes; readers print them, so the order of the steps matters most.",
        steps: STEPS,
        root: document(include_str!("../../../pages/held-out/recipe.html"), &[]),
    }
}
