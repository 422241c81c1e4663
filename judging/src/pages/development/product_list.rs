//! A shop's list of 24 lamps under a sticky header.

use crate::edit::{Edit, Part, Step, head, step, whole};
use crate::page::{Page, document};
use crate::random::Random;

const NAMES: [&str; 24] = [
    "Skerry",
    "Holm",
    "Alder",
    "Saltmarsh",
    "Pilot",
    "Gannet",
    "Bollard",
    "Fathom",
    "Driftwood",
    "Lantern",
    "Cooper",
    "Heron",
    "Jetty",
    "Kelp",
    "Marram",
    "Nettle",
    "Osier",
    "Pebble",
    "Quay",
    "Reed",
    "Sandbar",
    "Tern",
    "Undertow",
    "Willow",
];
const KINDS: [&str; 4] = ["table lamp", "pendant", "wall light", "floor lamp"];
const MAKERS: [&str; 5] = [
    "Workshop Aalto, Turku",
    "Glass house Viljandi",
    "M. Ozoliņa, Riga",
    "Bornholm Turnery",
    "Two Sisters, Gdynia",
];

/// What may be done to the page.
const STEPS: &[Step] = &[
    step(
        Edit::Price("€ 212"),
        ".cost--gannet",
        "the price of the Gannet lamp",
        ".item--gannet",
    ),
    step(
        Edit::Link("/repairs"),
        "#repair-link",
        "the link to repairs",
        ".filters",
    ),
    step(
        Edit::Insert {
            part: Part::Banner,
            before: "#top",
            html: r#"<div id="stocktaking" style="background:#e9d9a6;padding:14px;text-align:center">Closed for stocktaking from Thursday to Saturday; orders wait until Monday.</div>"#,
        },
        "#stocktaking",
        "the note about stocktaking",
        "#stocktaking",
    ),
    step(
        Edit::Insert {
            part: Part::Card,
            before: "#item-heron",
            html: r#"<article class="item item--breakwater"><img src="picture:930:240x150" alt="Breakwater pendant"><h3>Breakwater pendant</h3><p class="maker">Bornholm Turnery</p><p class="cost">€ 264</p></article>"#,
        },
        ".item--breakwater",
        "the Breakwater pendant",
        ".grid",
    ),
    step(
        Edit::Remove(Part::Card),
        "#item-quay",
        "the Quay lamp",
        ".grid",
    ),
    step(
        Edit::SwapWithNext,
        ".item--saltmarsh",
        "the Saltmarsh lamp",
        ".grid",
    ),
    step(
        Edit::Image(444),
        ".photo--fathom",
        "the photo of the Fathom lamp",
        "#item-fathom",
    ),
    step(
        Edit::ContrastLoss("color: #f1ece5"),
        ".note--range",
        "the note below the title",
        ".intro",
    ),
    step(
        Edit::Hidden,
        ".call--advice",
        "the advice button",
        ".toolbar",
    ),
    step(
        Edit::BrokenImage,
        ".photo--alder",
        "the photo of the Alder lamp",
        ".item--alder",
    ),
    head(Edit::NoIndex, r#"meta[name="robots"]"#),
    head(
        Edit::CanonicalHost("https://staging-kestrel.example/lamps"),
        r#"link[rel="canonical"]"#,
    ),
    head(
        Edit::Description(
            "Handmade lamps from nine Baltic workshops, all of them repairable, from 60 euros.",
        ),
        r#"meta[name="description"]"#,
    ),
    head(Edit::SchemaPrice("156.00"), "JSON-LD Product"),
    step(
        Edit::Jitter,
        ".toolbar__count",
        "the count above the grid",
        ".toolbar",
    ),
    step(
        Edit::Clock("Stock counted at 10:48:09"),
        ".counted--stock",
        "the time of the stock count",
        ".intro",
    ),
    whole(Edit::ClassNames),
];

pub(super) fn page() -> Page {
    Page {
        name: "product-list",
        seed: 102,
        intent: "A small furniture shop; products and prices change daily, the frame around them does not.",
        steps: STEPS,
        root: document(
            include_str!("../../../pages/development/product-list.html"),
            &[("items", items())],
        ),
    }
}

/// Every second item has an id, the others have a class of their own.
fn items() -> String {
    let mut random = Random::new(102);
    let mut list = Vec::new();
    for (number, name) in NAMES.iter().enumerate() {
        let key = name.to_lowercase();
        let itself = if number % 3 == 1 || *name == "Heron" || *name == "Quay" {
            format!("id=\"item-{key}\" class=\"item\"")
        } else {
            format!("class=\"item item--{key}\"")
        };
        let title = format!("{name} {}", random.pick(&KINDS));
        let (maker, cost) = (random.pick(&MAKERS), 60 + 4 * random.below(60));
        list.push(format!(
            "<article {itself}><img class=\"photo photo--{key}\" src=\"picture:{}:240x150\" alt=\"{title}\"><h3>{title}</h3><p class=\"maker\">{maker}</p><p class=\"cost cost--{key}\">€ {cost}</p></article>",
            200 + number,
        ));
    }
    list.join("\n")
}
