//! A form with a column of facts beside it.

use crate::edit::{Edit, Part, Step, head, step, whole};
use crate::page::{Page, document};

/// What may be done to the page.
const STEPS: &[Step] = &[
    step(
        Edit::Price("£245"),
        ".fee--evening",
        "the fee for an evening",
        "aside .panel",
    ),
    step(
        Edit::Colour("background-color: #1d6f63"),
        "#send",
        "the send button",
        "form",
    ),
    step(
        Edit::Insert {
            part: Part::Row,
            before: "#slot-saturday",
            html: r#"<tr id="slot-friday"><td>Friday</td><td>18–24</td></tr>"#,
        },
        "#slot-friday",
        "Friday",
        ".hours",
    ),
    step(
        Edit::Remove(Part::Banner),
        ".alert--flood",
        "the flood warning",
        ".alert",
    ),
    step(
        Edit::Remove(Part::Row),
        ".slot--tuesday",
        "Tuesday",
        ".hours",
    ),
    step(
        Edit::Font("font-family: serif"),
        ".title--hire",
        "the title of the form",
        "main",
    ),
    step(
        Edit::ContrastLoss("color: #f4f6f6"),
        "#help-wish",
        "the help text about music",
        "form",
    ),
    step(
        Edit::Overflow("margin-right: -640px"),
        ".shore--band",
        "the shore band",
        ".spot",
    ),
    step(Edit::Hidden, "#send", "the send button", "form"),
    step(Edit::BrokenImage, ".map--river", "the map", ".spot"),
    head(Edit::NoIndex, r#"meta[name="robots"]"#),
    head(
        Edit::Title("Hire the boathouse for a party – Fenwick Rowing Club"),
        "title",
    ),
    head(Edit::SchemaPrice("245.00"), "JSON-LD EventVenue"),
    step(
        Edit::Jitter,
        ".help--mail",
        "the help text below the e-mail field",
        "form",
    ),
    whole(Edit::ClassNames),
    whole(Edit::AttributeOrder),
];

pub(super) fn page() -> Page {
    Page {
        name: "contact-form",
        seed: 105,
        intent: "The hire form must stay usable at all times; texts around it may change.",
        steps: STEPS,
        root: document(
            include_str!("../../../pages/development/contact-form.html"),
            &[],
        ),
    }
}
