//! A table of eighty rows below a few figures.

use crate::edit::{Edit, Part, Step, head, step, whole};
use crate::page::{Page, document};
use crate::random::Random;

const FIRST: [&str; 10] = [
    "Raven", "Cold", "Upper", "Grey", "Birch", "Stone", "Hollow", "Windy", "Black", "Long",
];
const SECOND: [&str; 8] = [
    "Fell", "Tarn", "Gill", "Hause", "Pike", "Moss", "Knott", "Beck",
];
const VALLEYS: [&str; 5] = ["Esker", "Dunnerdale", "Whin", "Kirkdale", "Sleet"];

/// What may be done to the page.
const STEPS: &[Step] = &[
    step(
        Edit::Colour("background-color: #dcecff"),
        ".figure--cold",
        "the coldest figure",
        ".figures",
    ),
    step(
        Edit::Spacing("padding-top: 40px"),
        "#sheet",
        "the sheet around the table",
        ".sheet",
    ),
    step(
        Edit::Insert {
            part: Part::Banner,
            before: "#top",
            html: r#"<div id="storm" style="background:#8c1d18;color:#ffffff;padding:16px 28px">Storm warning for all valleys above 600 metres until midnight.</div>"#,
        },
        "#storm",
        "the storm warning",
        "#storm",
    ),
    step(
        Edit::Insert {
            part: Part::Row,
            before: "#station-34",
            html: r#"<tr id="station-new"><td>Lamb Crag</td><td>Whin</td><td>512 m</td><td>3.3 °C</td><td>21 km/h</td><td>0.2 mm</td></tr>"#,
        },
        "#station-new",
        "the station Lamb Crag",
        ".sheet",
    ),
    step(
        Edit::Remove(Part::Row),
        ".station--47",
        "the station in row forty-seven",
        ".sheet",
    ),
    step(
        Edit::SwapWithNext,
        ".station--13",
        "the station in the thirteenth row",
        ".sheet",
    ),
    step(
        Edit::MoveAndReword {
            before: "#key-none",
            text: "slightly damp or dew",
        },
        ".key--damp",
        "the damp key",
        ".keys",
    )
    .in_place(),
    step(
        Edit::Overflow("margin-right: -520px"),
        "#spectrum",
        "the colour scale",
        ".spectrum",
    ),
    head(Edit::NoIndex, r#"meta[name="robots"]"#),
    head(
        Edit::CanonicalHost("https://preview.upland.example/stations"),
        r#"link[rel="canonical"]"#,
    ),
    head(
        Edit::Description("Live readings of eighty mountain weather stations run by volunteers."),
        r#"meta[name="description"]"#,
    ),
    step(Edit::Jitter, ".legend--colours", "the legend", ".legend"),
    step(
        Edit::Clock("Readings loaded at 14:11:20"),
        ".loaded--at",
        "the time of loading",
        ".loaded",
    ),
    whole(Edit::Identical),
    whole(Edit::AttributeOrder),
];

pub(super) fn page() -> Page {
    Page {
        name: "data-table",
        seed: 106,
        intent: "Readings are frozen for the test; only real changes of the table or its frame matter.",
        steps: STEPS,
        root: document(
            include_str!("../../../pages/development/data-table.html"),
            &[("rows", rows())],
        ),
    }
}

/// Even rows have an id, odd ones a class of their own.
fn rows() -> String {
    let mut random = Random::new(106);
    let mut list = Vec::new();
    for number in 0..80 {
        let itself = if number % 2 == 0 {
            format!("id=\"station-{number}\"")
        } else {
            format!("class=\"station station--{number}\"")
        };
        let name = format!("{} {}", FIRST[number % 10], SECOND[number / 10]);
        let (valley, height) = (random.pick(&VALLEYS), 180 + random.below(700));
        let (degrees, tenth) = (random.below(14), random.below(10));
        let (wind, rain) = (random.below(60), random.below(9));
        list.push(format!(
            "<tr {itself}><td>{name}</td><td>{valley}</td><td>{height} m</td><td>{degrees}.{tenth} °C</td><td>{wind} km/h</td><td>{rain}.0 mm</td></tr>"
        ));
    }
    list.join("\n")
}
