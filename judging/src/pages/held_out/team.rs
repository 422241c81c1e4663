//! Twelve people with portraits.

use crate::edit::{Edit, Part, Step, head, step, whole};
use crate::page::{Page, document};

/// Name, key, role and a sentence of each.
const PEOPLE: [[&str; 4]; 12] = [
    [
        "Birgit Toft",
        "birgit",
        "Founder",
        "Counts windows on walks.",
    ],
    [
        "Kwame Asante",
        "kwame",
        "Architect",
        "Believes in deep eaves.",
    ],
    [
        "Lise Holmgaard",
        "lise",
        "Architect",
        "Draws every stair twice.",
    ],
    [
        "Tomasz Wilk",
        "tomasz",
        "Model maker",
        "Owns forty kinds of glue.",
    ],
    [
        "Yuki Harada",
        "yuki",
        "Landscape",
        "Plants before she plans.",
    ],
    [
        "Eamon Doyle",
        "eamon",
        "Site manager",
        "First on site, last to complain.",
    ],
    [
        "Freja Lund",
        "freja",
        "Interiors",
        "Tests chairs by sleeping.",
    ],
    [
        "Paolo Conti",
        "paolo",
        "Structures",
        "Trusts timber and springs.",
    ],
    [
        "Nadia Rahman",
        "nadia",
        "Building law",
        "Reads footnotes for fun.",
    ],
    [
        "Oskar Berg",
        "oskar",
        "Visuals",
        "Paints skies from memory.",
    ],
    [
        "Hanne Kjær",
        "hanne",
        "Office",
        "Knows where everything is.",
    ],
    [
        "Mikkel Juhl",
        "mikkel",
        "Beekeeper",
        "Looks after the roof.",
    ],
];

/// What may be done to the page.
const STEPS: &[Step] = &[
    step(
        Edit::Link("/notes/how-we-decide"),
        ".charter--link",
        "the charter link",
        ".open",
    ),
    step(
        Edit::Colour("background-color: #2f5d50"),
        "#apply",
        "the write-to-us button",
        ".open__jobs",
    ),
    step(
        Edit::Insert {
            part: Part::Banner,
            before: ".edge--top",
            html: r#"<div class="open-house" style="background:#26332f;color:#ffffff;padding:18px 60px">Open house on the first Saturday of June, coffee from ten.</div>"#,
        },
        ".open-house",
        "the open house announcement",
        ".open-house",
    ),
    step(
        Edit::Insert {
            part: Part::Card,
            before: "#person-paolo",
            html: r#"<article class="person person--ravi"><img src="picture:859:269x230" alt="Ravi Menon"><h2>Ravi Menon</h2><p class="role">Acoustics</p><p class="said">Claps in empty rooms.</p></article>"#,
        },
        ".person--ravi",
        "Ravi Menon",
        ".people",
    ),
    step(
        Edit::Remove(Part::Card),
        ".person--eamon",
        "Eamon Doyle",
        ".people",
    ),
    step(
        Edit::SwapWithNext,
        "#person-kwame",
        "Kwame Asante",
        ".people",
    ),
    step(
        Edit::MoveAndReword {
            before: "#job-intern",
            text: "Model maker, four days a week",
        },
        ".job--models",
        "the model maker vacancy",
        ".open__jobs",
    ),
    step(
        Edit::Image(877),
        ".face--yuki",
        "Yuki Harada’s portrait",
        "#person-yuki",
    ),
    step(
        Edit::ContrastLoss("color: #e9e5dd"),
        "#know-lunch",
        "the sentence on lunch",
        ".open",
    ),
    head(Edit::NoIndex, r#"meta[name="robots"]"#),
    head(
        Edit::CanonicalHost("https://orrery-studio.netdeploy.example/people"),
        r#"link[rel="canonical"]"#,
    ),
    head(
        Edit::Description(
            "Meet the twelve people of Orrery Studio in Aarhus and see who does what.",
        ),
        r#"meta[name="description"]"#,
    ),
    step(
        Edit::Jitter,
        ".numbers--table",
        "the opening paragraph",
        ".opening",
    ),
    whole(Edit::Identical),
    whole(Edit::AttributeOrder),
];

pub(super) fn page() -> Page {
    Page {
        name: "team-page",
        seed: 912,
        intent: "Who we are. People join and leave, the design has been the same for years.",
        steps: STEPS,
        root: document(
            include_str!("../../../pages/held-out/team.html"),
            &[("people", people())],
        ),
    }
}

/// Every third person has an id, the others a class of their own.
fn people() -> String {
    let mut list = Vec::new();
    for (number, [name, key, role, said]) in PEOPLE.iter().enumerate() {
        let itself = if number % 3 == 1 {
            format!("id=\"person-{key}\" class=\"person\"")
        } else {
            format!("class=\"person person--{key}\"")
        };
        list.push(format!(
            "<article {itself}><img class=\"face face--{key}\" src=\"picture:{}:269x230\" alt=\"{name}\"><h2>{name}</h2><p class=\"role\">{role}</p><p class=\"said\">{said}</p></article>",
            840 + number,
        ));
    }
    list.join("\n")
}
