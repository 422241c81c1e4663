//! What is said of a page as a whole.

use super::pixels::tests::region;
use super::*;
use pentimento_compute::{Backend, BitMask, Layout, Rect, RegionKind, Size};
use pentimento_document::Area;

/// Of a page on which so many pixels changed, in no region.
pub(super) fn comparison(changed_pixels: u64, anti_aliased_pixels: u64) -> Comparison {
    let size = Size {
        width: 400,
        height: 2000,
    };
    Comparison {
        baseline: size,
        current: size,
        layout: Layout::in_place(size, size),
        changed_pixels,
        anti_aliased_pixels,
        inserted_pixels: 0,
        removed_pixels: 0,
        unaligned_pixels: None,
        total_pixels: size.pixels(),
        score: 99.0,
        mean_delta: 0.0,
        max_delta: 0.0,
        regions: Vec::new(),
        mask: BitMask::new(size),
        faint: BitMask::new(Size {
            width: size.width.div_ceil(16),
            height: size.height.div_ceil(16),
        }),
        backend: Backend::Cpu,
    }
}

#[test]
fn smoothing_alone_is_noise_and_yet_a_change() {
    assert!(judge(Some(&comparison(0, 0)), None, None).is_none());
    let judged = judge(Some(&comparison(0, 1204)), None, None).unwrap();
    assert_eq!(judged.verdict.decision, Decision::Noise);
    assert_eq!(
        judged.summary[0].text,
        "1,204 pixels differ only in the smoothing of edges (anti-aliasing)."
    );
    let mut with_region = comparison(400, 1204);
    with_region.regions.push(region(400, 1.0));
    let judged = judge(Some(&with_region), None, None).unwrap();
    assert_eq!(judged.verdict.decision, Decision::NeedsReview);
    assert_eq!(judged.summary.len(), 1, "the region alone is a finding");
}

/// The box of a card in which everything changed.
const CARD: Area = Area {
    x: 8,
    y: 1200,
    w: 320,
    h: 48,
};

/// That of something small, so far down the page.
fn small(y: i64) -> Area {
    Area {
        x: 20,
        y,
        w: 80,
        h: 20,
    }
}

fn styled(element: &str, (property, from, to): (&str, &str, &str), area: Area) -> Finding {
    let mut finding = Finding::new(ChangeType::StyleOnly, element.to_owned());
    finding.tag = "button".to_owned();
    finding.area = Some(area);
    let values = [from, to].map(str::to_owned);
    finding.style.insert(property.to_owned(), values);
    finding
}

/// The decision where a card becomes black, as was said, and something else became of another element; rows came and went above
/// it and below it.
fn beside_a_black_card(other: Finding) -> Decision {
    let mut pixels = comparison(400, 0);
    pixels.regions.push(region(400, 1.0));
    let area = pentimento_compute::Rect {
        x: 0,
        y: 10,
        width: 1280,
        height: 3000,
    };
    pixels.regions.push(Region {
        loose_rows: Some(pentimento_compute::LooseRows {
            inserted: 0,
            removed: 0,
            is_rounding: true,
            places: Vec::new(),
        }),
        baseline_area: Some(area),
        current_area: Some(area),
        ..region(0, 0.0)
    });
    let black = ("background-color", "rgb(255, 255, 255)", "rgb(0, 0, 0)");
    let document = DocumentDiff {
        findings: vec![styled("#plan-card", black, CARD), other],
        damages: Vec::new(),
    };
    let intent = Intent::of(Some("The plan card's background becomes black."), None).unwrap();
    let judged = judge(Some(&pixels), Some(&document), Some(&intent)).unwrap();
    judged.verdict.decision
}

#[test]
fn what_is_broken_in_a_region_is_told_whichever_change_the_region_is_put_down_to() {
    let hidden = |y| beside_a_black_card(styled("#it", ("opacity", "1", "0"), small(y)));
    assert_eq!(hidden(1210), Decision::Bug);
    // Where no pixel changed, it could not be seen before either.
    assert_ne!(hidden(100), Decision::Bug);
}

#[test]
fn a_style_that_may_have_made_rows_come_and_go_is_no_noise() {
    let size = Size {
        width: 400,
        height: 2000,
    };
    let places: Vec<std::ops::Range<u32>> = (1..5).map(|at| at * 100..at * 100 + 1).collect();
    let mut bands = Vec::new();
    for place in &places {
        bands.extend([(place.start - 99, 99, true), (place.start, 1, false)]);
    }
    let bands = bands
        .into_iter()
        .map(|(y, rows, is_old)| pentimento_compute::Band {
            y,
            rows,
            baseline_y: is_old.then_some(y),
            current_y: Some(y),
            moved: None,
        });
    let mut pixels = comparison(400, 0);
    pixels.layout = Layout {
        size,
        lanes: vec![pentimento_compute::Lane {
            x: 0,
            width: 400,
            bands: bands.collect(),
        }],
    };
    let area = Rect {
        x: 0,
        y: 100,
        width: 400,
        height: 301,
    };
    pixels.regions.push(Region {
        area,
        baseline_area: Some(area),
        current_area: Some(area),
        loose_rows: Some(pentimento_compute::LooseRows {
            inserted: 4,
            removed: 0,
            is_rounding: false,
            places,
        }),
        ..region(1600, 1.0)
    });
    let spaced = |y| {
        let change = styled("#it", ("line-height", "20px", "21px"), small(y));
        let document = DocumentDiff {
            findings: vec![change],
            damages: Vec::new(),
        };
        let judged = judge(Some(&pixels), Some(&document), None).unwrap();
        let told = judged
            .summary
            .iter()
            .find(|told| told.label.is_empty() && told.text.contains("line-height"));
        told.unwrap().verdict.clone().unwrap().decision
    };
    assert_ne!(spaced(190), Decision::Noise, "a row came there");
    assert_eq!(spaced(110), Decision::Noise, "no row did");
}

#[test]
fn a_style_that_shares_a_region_with_another_change_is_judged_by_itself() {
    let red = ("background-color", "rgb(255, 255, 255)", "rgb(200, 0, 0)");
    let badge = |y| beside_a_black_card(styled("#badge", red, small(y)));
    assert_eq!(badge(1210), Decision::NeedsReview, "nothing was said of it");
    assert_eq!(badge(100), Decision::Intentional, "no pixel shows it");
}

#[test]
fn a_style_shows_where_something_moved_because_of_it() {
    let mut clipped = Finding::new(ChangeType::StyleOnly, "main div".to_owned());
    clipped
        .style
        .insert("height".to_owned(), ["96px", "20px"].map(str::to_owned));
    let mut follows = Finding::new(ChangeType::ReflowDisplacement, "main p".to_owned());
    follows.cause = Some(0);
    follows.shift = Some((0, -76));
    follows.area = Some(CARD);
    follows.area_before = Some(Area { y: 1276, ..CARD });
    let document = DocumentDiff {
        findings: vec![clipped, follows],
        damages: Vec::new(),
    };
    let of_cause = |pixels: &Comparison| {
        let judged = judge(Some(pixels), Some(&document), None).unwrap();
        let said = judged
            .summary
            .iter()
            .find(|said| said.text.contains("main div"));
        said.unwrap().verdict.clone().unwrap().decision
    };
    let mut pixels = comparison(400, 0);
    assert_eq!(
        of_cause(&pixels),
        Decision::Noise,
        "no region shows anything"
    );
    let mut moved = region(400, 1.0);
    moved.kind = RegionKind::Shifted { x: 0, y: -76 };
    pixels.regions.push(moved);
    assert_eq!(of_cause(&pixels), Decision::NeedsReview);
}

/// The judgement where a card becomes black, as was said, what follows it moves by a pixel, and one row below it is new.
fn beside_a_row_that_came(line: Option<std::ops::Range<u32>>) -> Judgement {
    let row = Rect {
        x: 0,
        y: 1300,
        width: 400,
        height: 1,
    };
    let mut pixels = comparison(800, 0);
    pixels.regions.push(region(400, 1.0));
    pixels.regions.push(Region {
        label: "B".to_owned(),
        kind: RegionKind::Added,
        line,
        area: row,
        baseline_area: None,
        current_area: Some(row),
        ..region(400, 1.0)
    });
    let black = ("background-color", "rgb(255, 255, 255)", "rgb(0, 0, 0)");
    let mut follows = Finding::new(ChangeType::ReflowDisplacement, "main p".to_owned());
    follows.cause = Some(0);
    follows.shift = Some((0, 1));
    follows.area = Some(Area { y: 1501, ..CARD });
    follows.area_before = Some(Area { y: 1500, ..CARD });
    let document = DocumentDiff {
        findings: vec![styled("#plan-card", black, CARD), follows],
        damages: Vec::new(),
    };
    let intent = Intent::of(Some("The plan card's background becomes black."), None).unwrap();
    judge(Some(&pixels), Some(&document), Some(&intent)).unwrap()
}

#[test]
fn a_row_that_came_as_boxes_were_rounded_follows_and_a_rule_is_to_be_looked_at() {
    let rounded = beside_a_row_that_came(None).verdict;
    assert_eq!(rounded.decision, Decision::Intentional);
    let ruled = beside_a_row_that_came(Some(40..360));
    assert_eq!(ruled.verdict.decision, Decision::NeedsReview);
    let told = ruled.summary.iter().find(|told| told.label == "B").unwrap();
    assert!(
        told.text
            .ends_with("No change of the document explains it.")
    );
    assert!(!told.consequence);
}
