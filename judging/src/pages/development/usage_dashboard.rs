//! The public figures of a bike scheme, dark, with the hashed class names of styled components.

use crate::edit::{Edit, Part, Step, head, step, whole};
use crate::page::{Page, document};

/// What may be done to the page.
const STEPS: &[Step] = &[
    step(
        Edit::Text(
            "Wednesday is the strongest day of the week, which has not happened since the tram line to the port closed.",
        ),
        ".mNbVcx",
        "the takeaway above the chart",
        r#"[data-testid="chart"]"#,
    ),
    step(
        Edit::Price("€ 4.80"),
        ".yUiOpa",
        "the price of a day ticket",
        r#"[data-testid="kpi-ticket"]"#,
    ),
    step(
        Edit::Link("/open-numbers/api-v2"),
        ".vHyNuj",
        "the Data feed entry",
        r#"[data-testid="sidebar"]"#,
    ),
    step(
        Edit::Colour("background-color: #3a2f1b"),
        ".aQwSdf",
        "the tile with the bikes that are out",
        r#"[data-testid="kpis"]"#,
    ),
    step(
        Edit::Spacing("padding-bottom: 60px"),
        ".nHgTfr",
        "the panel of the busiest stands",
        r#"[data-testid="stands"]"#,
    ),
    step(
        Edit::Insert {
            part: Part::Banner,
            before: "#root",
            html: r#"<div id="outage" role="status" style="background:#f0b35a;color:#231703;padding:12px 28px">The counters at the port were silent on Monday, figures of that day are estimates.</div>"#,
        },
        "#outage",
        "the notice about silent counters",
        r#"[role="status"]"#,
    ),
    step(
        Edit::Insert {
            part: Part::Card,
            before: ".aQwPlk",
            html: r#"<div class="sc-kpi lKjHgf" data-testid="kpi-cargo"><span>Cargo bikes out now</span><strong>41</strong><em>of 60</em></div>"#,
        },
        ".lKjHgf",
        "the tile for cargo bikes",
        r#"[data-testid="kpis"]"#,
    ),
    step(
        Edit::Insert {
            part: Part::Row,
            before: "#stand-opera",
            html: r#"<tr data-testid="stand-row" class="sWaQzx"><td>Botanical garden</td><td>Hill</td><td>32</td><td>934</td><td>702</td></tr>"#,
        },
        ".sWaQzx",
        "the stand at the botanical garden",
        r#"[data-testid="stands"] table"#,
    ),
    step(
        Edit::Remove(Part::Row),
        ".cDeRfv",
        "the Lido stand",
        r#"[data-testid="stands"]"#,
    ),
    step(
        Edit::SwapWithNext,
        ".bVfRde",
        "the Fish market stand",
        r#"[data-testid="stands"] tbody"#,
    ),
    step(
        Edit::MoveBefore(".zAqXsw"),
        ".eDcRfv",
        "the panel on what happened",
        r#"[data-testid="dashboard"]"#,
    ),
    step(
        Edit::ContrastLoss("color: #272c3b"),
        ".uJmIkl",
        "the footnote of the table",
        r#"[data-testid="stands-footnote"]"#,
    ),
    step(
        Edit::Overflow("margin-right: -600px"),
        ".rFvTgb",
        "the load scale",
        r#"[data-testid="load-scale"]"#,
    ),
    step(
        Edit::Hidden,
        ".iXoJmt",
        "the export button",
        r#"[data-testid="page-head"]"#,
    ),
    head(
        Edit::CanonicalHost("http://dashboards.internal.example/open-numbers"),
        r#"link[rel="canonical"]"#,
    ),
    head(Edit::NoIndex, r#"meta[name="robots"]"#),
    step(
        Edit::Jitter,
        ".qAzWsx",
        "the hint below the chart",
        r#"[data-testid="chart"]"#,
    ),
    step(
        Edit::Clock("Synced at 16:55:31"),
        ".hYdLcw",
        "the time of the last sync",
        r#"[data-testid="synced-at"]"#,
    ),
    whole(Edit::Identical),
];

pub(super) fn page() -> Page {
    Page {
        name: "usage-dashboard",
        seed: 109,
        intent: "Figures come from a fixture in tests. Panels may only change with a ticket of the data team.",
        steps: STEPS,
        root: document(
            include_str!("../../../pages/development/usage-dashboard.html"),
            &[],
        ),
    }
}
