//! The programme of a small festival: semantic elements with ids and hardly a class.

use crate::edit::{Edit, Part, Step, head, step, whole};
use crate::page::{Page, document};

/// What may be done to the page.
const STEPS: &[Step] = &[
    step(
        Edit::Text(
            "Bring a book with a broken spine and take it home mended. There is room for beginners in all halls, and tools lie ready on the benches.",
        ),
        "#welcome",
        "the welcome",
        "main",
    ),
    step(
        Edit::Link("/travel#tram"),
        "#way",
        "the link to the way",
        "main dl",
    ),
    step(
        Edit::Spacing("padding-top: 56px"),
        "#day-two",
        "the Saturday section",
        "#day-two",
    ),
    step(
        Edit::Font("font-family: serif"),
        "#title",
        "the main heading",
        "h1",
    ),
    step(
        Edit::Insert {
            part: Part::Banner,
            before: "#masthead",
            html: r#"<p id="sold-out" role="note" style="background:#5b2a6e;color:#ffffff">Badges for Friday are sold out; for Saturday there are some at the door.</p>"#,
        },
        "#sold-out",
        "the notice that Friday is sold out",
        "#sold-out",
    ),
    step(
        Edit::Remove(Part::Banner),
        "#rain-plan",
        "the rain plan",
        "[role=note]",
    ),
    step(
        Edit::Insert {
            part: Part::Row,
            before: "#talk-marbling",
            html: r#"<tr id="talk-vellum"><td><time>12:30</time></td><td>Vellum in damp weather</td><td>Cellar</td><td>Aoife Marchetti</td></tr>"#,
        },
        "#talk-vellum",
        "the talk on vellum",
        "#day-one table",
    ),
    step(
        Edit::Remove(Part::Row),
        "#talk-maps",
        "the session about maps",
        "#day-two",
    ),
    step(
        Edit::SwapWithNext,
        "#talk-sewing",
        "the talk on sewing",
        "#day-one",
    ),
    step(
        Edit::MoveBefore("#day-two"),
        "#good-to-know",
        "the Good to know part",
        "main > section",
    ),
    step(
        Edit::Remove(Part::Card),
        "#shop-gold",
        "the gilding workshop",
        "#workshops",
    )
    .in_place(),
    step(
        Edit::Hidden,
        "#reserve",
        "the button for badges",
        "main button",
    ),
    step(
        Edit::ContrastLoss("color: #efe9dc"),
        "#photo-rule",
        "the answer about photographs",
        "#good-to-know details",
    ),
    step(
        Edit::Clock("Programme as of 17:33:58"),
        "#as-of",
        "the time of the programme",
        "main small",
    ),
    head(Edit::NoIndex, r#"meta[name="robots"]"#),
    head(
        Edit::Title("Binders’ Days 2031: all talks and workshops"),
        "title",
    ),
    head(
        Edit::Description(
            "Which talk is when and where: both days of the Binders’ Days at a glance.",
        ),
        r#"meta[name="description"]"#,
    ),
    head(Edit::SchemaPrice("42.00"), "JSON-LD Festival"),
    whole(Edit::AttributeOrder),
];

pub(super) fn page() -> Page {
    Page {
        name: "event-schedule",
        seed: 107,
        intent: "The programme of a festival. Sessions come and go until the last day, the frame is printed on posters.",
        steps: STEPS,
        root: document(
            include_str!("../../../pages/development/event-schedule.html"),
            &[],
        ),
    }
}
