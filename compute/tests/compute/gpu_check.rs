//! The check of a graphics adapter: both paths agree, few pixels are left to the host, and what is printed tells it all.

use std::sync::LazyLock;

use pentimento_compute::gpu_check::{Extent, ParityRow, Report, run};
use serde_json::{Value, json};

use crate::both::NO_ADAPTER;

/// What was found, once for all tests: a software adapter needs some seconds.
static REPORT: LazyLock<Report> =
    LazyLock::new(|| run(Extent::Quick, None, |_| ()).expect(NO_ADAPTER));

const STAGES: [&str; 4] = ["color_delta", "antialias", "tiles", "ssim"];

fn report_json() -> Value {
    serde_json::from_str(&REPORT.to_json()).expect("the report is JSON")
}

fn number(value: &Value, field: &str) -> f64 {
    let number = value[field].as_f64();
    number.unwrap_or_else(|| panic!("{field} is no number: {value:#}"))
}

/// Fails when a field is not a number above 0 and below a bound that no machine reaches.
#[track_caller]
fn assert_sane(value: &Value, fields: &[&str], bound: f64) {
    for field in fields {
        let number = number(value, field);
        assert!(0.0 < number && number < bound, "{field}: {value:#}");
    }
}

#[test]
fn an_adapter_that_is_not_there_is_not_checked() {
    let refused = run(Extent::Quick, Some("no such card"), |_| ());
    let why = refused.expect_err("no adapter has that name").to_string();
    assert!(why.contains("\"no such card\""), "{why}");
    assert!(why.contains(&REPORT.adapter), "{why}");
}

#[test]
fn both_paths_agree_on_every_pair() {
    assert!(REPORT.is_right(), "{}", *REPORT);
    for kind in [
        "heavy",
        "noise",
        "translucent",
        "ignored area",
        "inserted and removed rows",
        "beside",
        "in a mixed batch",
        "callers at once",
        "resident baseline",
    ] {
        let rows = REPORT.parity.iter().filter(|row| row.name.contains(kind));
        let changed = rows.map(|row| row.changed_pixels).sum::<u64>();
        assert!(changed > 1000, "{changed} pixels of pairs called {kind}");
    }
    let smoothed = REPORT.parity.iter().map(|row| row.anti_aliased_pixels);
    assert!(smoothed.sum::<u64>() > 1000, "{}", *REPORT);
}

/// Else shaders that decide nothing would agree with the processor on everything.
#[test]
fn only_pixels_that_are_hard_to_decide_are_left_to_the_host() {
    let is_called = |row: &ParityRow, kinds: &[&str]| kinds.iter().any(|it| row.name.contains(it));
    let mut translucent = 0;
    for row in &REPORT.parity {
        if is_called(row, &["translucent"]) {
            translucent += row.left_to_host;
            continue;
        }
        // Near the threshold.
        let near = row.changed_pixels / 1000;
        // Two rows on either side of a place where the canvas joins rows that are no neighbours; there are two at most.
        let at_seams = if is_called(row, &["inserted and removed rows", "beside"]) {
            2 * 4 * u64::from(row.size.width)
        } else {
            0
        };
        assert!(row.left_to_host <= near + at_seams, "{row:?}");
        // The check itself allows no more but at seams where nothing differs.
        if at_seams == 0 {
            assert_eq!(row.hard_pixels, near, "{row:?}");
        }
    }
    assert!(translucent > 1000, "{translucent}");
}

#[test]
fn what_is_wrong_is_told() {
    type Spoil = fn(&mut ParityRow);
    let spoils: [(Spoil, &str); 3] = [
        (|row| row.tiles = false, "the paths differ"),
        (
            |row| (row.left_to_host, row.hard_pixels) = (900, 7),
            "900 pixels were left to the host, of which at most 7 are hard to decide",
        ),
        (
            |row| row.resident_rows = Some(0),
            "the baseline did not stay on the card",
        ),
    ];
    for (spoil, what) in spoils {
        let mut report = REPORT.clone();
        let row = &mut report.parity[2];
        spoil(row);
        let line = format!("\n- {} {}: {what}\n", row.name, row.size);
        assert!(!report.is_right());
        let tables = report.to_string();
        assert!(tables.contains("NOT TO BE TRUSTED"), "{tables}");
        assert!(tables.contains(&line), "{line} is not in\n{tables}");
        let json: Value = serde_json::from_str(&report.to_json()).expect("the report is JSON");
        assert_eq!(json["isRight"], false);
        assert_eq!(json["parity"][2]["flaw"], what);
    }
}

#[test]
fn the_json_has_what_was_found() {
    let json = report_json();
    assert!(!REPORT.adapter.is_empty());
    assert_eq!(json["adapter"], REPORT.adapter);
    assert_eq!(json["driver"], REPORT.driver);
    assert_eq!(json["kind"], REPORT.kind);
    assert_eq!(json["cpuThreads"], REPORT.cpu_threads);
    assert_eq!(
        (&json["isQuick"], &json["isRight"]),
        (&json!(true), &json!(true))
    );
    let rows = json["parity"].as_array().expect("a list of pairs");
    assert_eq!(rows.len(), REPORT.parity.len());
    for (row, found) in rows.iter().zip(&REPORT.parity) {
        let expected = json!({
            "name": found.name,
            "width": found.size.width,
            "height": found.size.height,
            "changedPixels": found.changed_pixels,
            "antiAliasedPixels": found.anti_aliased_pixels,
            "leftToHost": found.left_to_host,
            "hardPixels": found.hard_pixels,
            "residentRows": found.resident_rows,
            "colorDelta": true,
            "antialias": true,
            "tiles": true,
            "scoreDifference": row["scoreDifference"],
            "flaw": Value::Null,
        });
        assert_eq!(*row, expected);
        assert!((0.0..=1e-4).contains(&number(row, "scoreDifference")));
    }
}

#[test]
fn the_json_has_figures_that_can_be() {
    let json = report_json();
    assert_eq!(json["speedError"], Value::Null, "{json:#}");
    assert_sane(&json, &["copiedBytesPerS"], 1e15);
    let list = |field: &str| json[field].as_array().expect("a list").clone();
    let pages = list("pages");
    let names: Vec<&Value> = pages.iter().map(|page| &page["name"]).collect();
    assert_eq!(names, ["text edit", "smoothing", "heavy"]);
    for page in &pages {
        let seconds = [
            "planS",
            "fillS",
            "sendS",
            "transferS",
            "stagesWallS",
            "collectS",
            "wholeS",
            "cpuS",
        ];
        assert_sane(page, &seconds, 600.0);
        assert_sane(
            page,
            &["kernelBytesPerS", "kernelOfCopying", "wholeByTransfer"],
            1e15,
        );
        // Of both pictures, three bytes a pixel, with some rows around what differs.
        let whole = 6.0 * number(page, "width") * number(page, "height");
        assert_sane(page, &["pixelBytes"], 1.1 * whole);
        if let Some(stages) = page["stages"].as_array() {
            let names: Vec<&Value> = stages.iter().map(|stage| &stage["name"]).collect();
            assert_eq!(names, STAGES);
            let seconds = stages.iter().map(|stage| number(stage, "seconds"));
            assert!(seconds.sum::<f64>() <= number(page, "stagesWallS"));
        }
    }
    let fills = list("fills");
    assert!(!fills.is_empty());
    for row in &fills {
        assert_sane(row, &["threads", "bytesPerS"], 1e15);
    }
    let batches = list("batches");
    assert_eq!(batches.len(), 2);
    for row in &batches {
        let rates = [
            "gpuPairsPerS",
            "cpuPairsPerS",
            "gpuFilesPerS",
            "cpuFilesPerS",
        ];
        assert_sane(row, &rates, 1e9);
        // Small pairs share a submission.
        assert_sane(row, &["submissions"], number(row, "pairs"));
    }
}

#[test]
fn the_tables_name_the_adapter_and_every_stage() {
    let tables = REPORT.to_string();
    let json = report_json();
    assert!(tables.contains(&format!("**{}** ({})", REPORT.adapter, REPORT.kind)));
    assert!(tables.contains("Both paths agree on every pair."));
    let heading = tables.lines().find(|line| line.starts_with("| pair |"));
    let heading = heading.expect("a table of pairs");
    for stage in STAGES {
        assert!(heading.contains(stage), "{stage} is not in {heading}");
    }
    for row in &REPORT.parity {
        let begin = format!(
            "| {} | {} | {} | {} | {} | same | same | same | ",
            row.name, row.size, row.changed_pixels, row.anti_aliased_pixels, row.left_to_host
        );
        assert!(tables.contains(&begin), "{begin} is not in\n{tables}");
    }
    let pages = json["pages"].as_array().expect("a list of pages");
    for name in pages.iter().map(|page| page["name"].as_str().unwrap()) {
        assert!(tables.contains(&format!("| {name} | 1280×1500 | ")));
    }
    if pages.iter().all(|page| page["stages"].is_array()) {
        for stage in STAGES {
            assert!(
                tables.contains(&format!("| heavy | {stage} | ")),
                "{tables}"
            );
        }
    } else {
        assert!(
            tables.contains("the card has no clock to go by"),
            "{tables}"
        );
    }
    for heading in ["| threads that fill |", "| batch |"] {
        assert!(tables.contains(heading), "{tables}");
    }
}
