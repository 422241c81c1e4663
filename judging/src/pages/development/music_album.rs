//! A record with its songs, dates and reviews, in block-element-modifier classes.

use crate::edit::{Edit, Part, Step, head, step, whole};
use crate::page::{Page, document};

/// What may be done to the page.
const STEPS: &[Step] = &[
    step(
        Edit::Text(
            "Recorded on a weather ship that no longer sails, in eleven days, with the hatches open in every shower. Listen for the ropes.",
        ),
        ".album__blurb",
        "the blurb",
        ".album__side",
    ),
    step(
        Edit::Price("£26"),
        ".buy__price--vinyl",
        "the vinyl price",
        ".buy",
    ),
    step(
        Edit::Link("https://boxoffice.example/hull/isobars"),
        ".tour__tickets--hull",
        "the ticket link for Hull",
        ".tour",
    ),
    step(
        Edit::Colour("background-color: #e4efe6"),
        ".tour--spring",
        "the tour box",
        ".tour",
    ),
    step(
        Edit::Font("font-family: serif"),
        ".album__title",
        "the album title",
        ".album__side",
    ),
    step(
        Edit::Insert {
            part: Part::Banner,
            before: "#label-bar",
            html: r#"<div class="ribbon ribbon--repress">The second pressing is here: four hundred copies, numbered by hand.</div>"#,
        },
        ".ribbon--repress",
        "the ribbon about the second pressing",
        ".ribbon",
    ),
    step(
        Edit::Insert {
            part: Part::Card,
            before: "#record-first",
            html: r#"<article class="record record--live"><img class="record__sleeve" src="picture:615:247x230" alt="Sleeve of Live at the Lock"><h3 class="record__name">Live at the Lock</h3><p class="record__year">Seven years ago</p></article>"#,
        },
        ".record--live",
        "the live record",
        ".records",
    ),
    step(
        Edit::Remove(Part::Card),
        ".record--drizzle",
        "Drizzle",
        ".records",
    )
    .in_place(),
    step(
        Edit::Remove(Part::Row),
        ".tracks__row--static",
        "the interlude",
        ".tracks",
    ),
    step(
        Edit::SwapWithNext,
        ".tracks__row--harbour",
        "the second song",
        ".tracks",
    ),
    step(
        Edit::MoveBefore(".block--tracks"),
        ".block--more",
        "the shelf of other records",
        ".album",
    ),
    step(
        Edit::MoveAndReword {
            before: "#date-leith",
            text: "4 April, Gdańsk, Shipyard 3",
        },
        ".tour__date--gdansk",
        "the concert in Gdańsk",
        ".tour__list",
    ),
    step(
        Edit::Image(655),
        ".album__cover--front",
        "the cover",
        ".album__top",
    ),
    step(
        Edit::BrokenImage,
        ".record__sleeve--tideline",
        "the sleeve of Tideline",
        ".record--tideline",
    ),
    step(
        Edit::Hidden,
        ".buy__button--vinyl",
        "the buy button",
        ".buy",
    ),
    step(
        Edit::Overlap("margin-top: -80px"),
        ".credits--album",
        "the credits box",
        ".credits",
    ),
    head(
        Edit::Description(
            "The third album of The Isobars, with all songs, dates of the tour and reviews.",
        ),
        r#"meta[name="description"]"#,
    ),
    head(Edit::SchemaPrice("26.00"), "JSON-LD MusicAlbum"),
    step(
        Edit::AntiAliasing,
        ".quote__text--herald",
        "the quote from the Herald",
        ".block--press",
    ),
    whole(Edit::ClassNames),
];

pub(super) fn page() -> Page {
    Page {
        name: "music-album",
        seed: 110,
        intent: "One page per record of a small label; shop and tour dates are kept by hand.",
        steps: STEPS,
        root: document(
            include_str!("../../../pages/development/music-album.html"),
            &[],
        ),
    }
}
