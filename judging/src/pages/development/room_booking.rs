//! The rooms of a guest house, styled by utility classes alone.

use crate::edit::{Edit, Part, Step, head, step, whole};
use crate::page::{Page, document};

/// What may be done to the page.
const STEPS: &[Step] = &[
    step(
        Edit::Price("€ 148"),
        "#rate-mail",
        "the rate of the Mail room",
        "#room-mail",
    ),
    step(
        Edit::Link("/island/ferry-summer"),
        "#directions",
        "the ferry link",
        "#guests",
    ),
    step(
        Edit::Colour("background-color: #ecfdf5"),
        "#room-garden",
        "the card of the Garden room",
        "#rooms",
    ),
    step(
        Edit::Insert {
            part: Part::Card,
            before: "#room-cabin",
            html: r#"<article id="room-bell" class="bg-white rounded-xl shadow p-4"><img class="w-full h-48 object-cover rounded" src="picture:507:336x192" alt="Bell room"><h2 class="mt-4 text-xl font-bold">Bell room</h2><p class="text-sm text-slate-600">Second floor, balcony, two armchairs</p><div class="mt-4 flex items-center justify-between"><span class="text-lg font-bold">€ 162</span><a class="bg-sky-900 text-white text-sm px-4 py-2 rounded" href="/book/bell">Choose</a></div></article>"#,
        },
        "#room-bell",
        "the Bell room",
        "#rooms",
    ),
    step(
        Edit::Remove(Part::Card),
        "#room-pilot",
        "the Pilot’s room",
        "#rooms",
    ),
    step(Edit::SwapWithNext, "#room-loft", "the Net loft", "#rooms"),
    step(
        Edit::MoveAndReword {
            before: "#perk-breakfast",
            text: "Two bicycles for the lanes",
        },
        "#perk-bicycles",
        "the line about bicycles",
        "#perks ul",
    ),
    step(
        Edit::Image(588),
        "#photo-garden",
        "the photo of the Garden room",
        "#room-garden",
    ),
    step(
        Edit::BrokenImage,
        "#photo-mail",
        "the photo of the Mail room",
        "#room-mail img",
    ),
    step(
        Edit::Remove(Part::Banner),
        "#early-bird",
        "the early bird offer",
        "#early-bird",
    ),
    step(
        Edit::Overflow("margin-right: -680px"),
        "#coast",
        "the coast strip",
        "#coast",
    ),
    step(
        Edit::Overlap("margin-top: -84px"),
        "#rules",
        "the box with the house rules",
        "#rules",
    ),
    head(
        Edit::CanonicalHost("https://ferrymens-house.staging.example/rooms"),
        r#"link[rel="canonical"]"#,
    ),
    head(Edit::SchemaPrice("126.00"), "JSON-LD HotelRoom"),
    step(
        Edit::AntiAliasing,
        "#house",
        "the paragraph about the house",
        "main",
    ),
    step(Edit::Jitter, "#matches", "the number of free rooms", "form"),
    whole(Edit::ClassNames),
    whole(Edit::Identical),
];

pub(super) fn page() -> Page {
    Page {
        name: "room-booking",
        seed: 108,
        intent: "Rooms and rates of a guest house; guests must be able to book whatever else changes.",
        steps: STEPS,
        root: document(
            include_str!("../../../pages/development/room-booking.html"),
            &[],
        ),
    }
}
