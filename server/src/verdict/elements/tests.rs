//! Regions beside elements that changed, moved and grew.

use pentimento_api::result::ChangeType;
use pentimento_compute::LooseRows;

use super::*;

fn region(area: Rect, kind: RegionKind) -> Region {
    Region {
        label: "A".to_owned(),
        kind,
        redrawn: false,
        line: None,
        loose_rows: None,
        area,
        baseline_area: Some(area),
        current_area: Some(area),
        changed_pixels: 100,
        mean_delta: 0.5,
        max_delta: 1.0,
    }
}

fn rect(x: u32, y: u32, width: u32, height: u32) -> Rect {
    Rect {
        x,
        y,
        width,
        height,
    }
}

fn finding(kind: ChangeType, [x, y, w, h]: [i64; 4]) -> Finding {
    Finding {
        kind,
        area: Some(Area { x, y, w, h }),
        ..Finding::new(kind, "p".to_owned())
    }
}

fn document(findings: Vec<Finding>) -> DocumentDiff {
    DocumentDiff {
        findings,
        ..DocumentDiff::default()
    }
}

#[test]
fn the_smallest_element_that_covers_a_region_explains_it() {
    let document = document(vec![
        finding(ChangeType::StyleOnly, [0, 0, 1000, 1000]),
        finding(ChangeType::TextEdit, [90, 90, 200, 40]),
        finding(ChangeType::TextEdit, [600, 90, 20, 20]),
    ]);
    let at = |area| explain(&region(area, RegionKind::Edited), &document);
    assert_eq!(at(rect(100, 100, 50, 20)), Explanation::Change(1));
    assert_eq!(at(rect(100, 600, 50, 20)), Explanation::Change(0));
    assert_eq!(at(rect(2000, 600, 50, 20)), Explanation::Nothing);
}

#[test]
fn a_region_around_several_elements_goes_to_the_largest() {
    let document = document(vec![
        finding(ChangeType::TextEdit, [10, 10, 20, 20]),
        finding(ChangeType::TextEdit, [40, 10, 50, 30]),
    ]);
    let around = region(rect(0, 0, 100, 60), RegionKind::Edited);
    assert_eq!(explain(&around, &document), Explanation::Change(1));
}

#[test]
fn what_moved_is_a_consequence() {
    let mut moved = finding(ChangeType::ReflowDisplacement, [0, 400, 300, 40]);
    (moved.shift, moved.cause) = (Some((0, 24)), Some(0));
    let document = document(vec![finding(ChangeType::Insert, [0, 0, 300, 24]), moved]);
    let at = |area, kind| explain(&region(area, kind), &document);
    let shifted = RegionKind::Shifted { x: 0, y: 24 };
    assert_eq!(
        at(rect(50, 900, 40, 10), shifted),
        Explanation::Consequence(0)
    );
    assert_eq!(
        at(rect(50, 405, 40, 10), RegionKind::Edited),
        Explanation::Consequence(0)
    );
    assert_eq!(
        at(rect(50, 900, 40, 10), RegionKind::Edited),
        Explanation::Nothing
    );
}

/// A page on which a banner of 96 px pushed a card down, with a heading and a photo in it.
fn pushed(grown: i64) -> DocumentDiff {
    let area = |y, h| Area { x: 0, y, w: 600, h };
    let mut moved = finding(ChangeType::ReflowDisplacement, [0, 196, 600, 500 + grown]);
    moved.area_before = Some(area(100, 500));
    (moved.shift, moved.cause) = (Some((0, 96)), Some(0));
    moved.displaced = [(100, 40), (160, 300)]
        .map(|(y, h)| [area(y, h), area(y + 96, h)])
        .to_vec();
    document(vec![finding(ChangeType::Insert, [0, 0, 600, 96]), moved])
}

#[test]
fn rows_that_fill_a_short_page_up_follow_from_what_made_it_shorter() {
    let mut shrunk = finding(ChangeType::ReflowDisplacement, [0, 100, 600, 40]);
    (shrunk.shift, shrunk.cause) = (Some((0, -76)), Some(0));
    let document = document(vec![
        finding(ChangeType::StyleOnly, [0, 40, 600, 20]),
        shrunk,
    ]);
    let end = |max_delta| Region {
        max_delta,
        baseline_area: None,
        ..region(rect(0, 644, 600, 76), RegionKind::Added)
    };
    assert_eq!(explain(&end(0.0), &document), Explanation::Consequence(0));
    assert_eq!(
        explain(&end(0.4), &document),
        Explanation::Nothing,
        "something stands there"
    );
}

/// A region in rows of the current picture that were compared with those so much further up in the baseline.
fn aligned(area: Rect, drift: u32) -> Region {
    Region {
        baseline_area: Some(Rect {
            y: area.y - drift,
            ..area
        }),
        ..region(area, RegionKind::Edited)
    }
}

#[test]
fn what_differs_on_an_element_after_its_move_was_taken_out_is_not_explained_by_the_move() {
    let photo = rect(0, 256, 600, 300);
    let ground = rect(0, 600, 600, 60);
    for (document, of_ground) in [
        (pushed(0), Explanation::Nothing),
        // A card that grew besides may look different where it did.
        (pushed(40), Explanation::Consequence(0)),
    ] {
        for drift in [95, 96, 97] {
            assert_eq!(
                explain(&aligned(photo, drift), &document),
                Explanation::Nothing,
                "{drift}"
            );
            assert_eq!(explain(&aligned(ground, drift), &document), of_ground);
        }
        // Compared with other rows, it is seen where it was not.
        for drift in [0, 40, 192] {
            assert_eq!(
                explain(&aligned(photo, drift), &document),
                Explanation::Consequence(0),
                "{drift}"
            );
        }
        let removed = Region {
            current_area: None,
            ..region(rect(0, 160, 600, 300), RegionKind::Removed)
        };
        assert_eq!(explain(&removed, &document), Explanation::Consequence(0));
    }
}

#[test]
fn a_line_that_is_drawn_on_both_pictures_rows_is_no_rounding() {
    let document = pushed(0);
    let line = |area| Region {
        kind: RegionKind::Added,
        ..aligned(area, 96)
    };
    let underline = line(rect(0, 220, 300, 2));
    assert_eq!(explain(&underline, &document), Explanation::Nothing);
    // One that is hardly seen, and content that went a little further, come of placing what moved.
    let faint = Region {
        max_delta: 0.02,
        ..underline.clone()
    };
    let further = Region {
        kind: RegionKind::Shifted { x: 0, y: 2 },
        ..aligned(rect(0, 256, 600, 300), 96)
    };
    for placed in [faint, further] {
        assert_eq!(explain(&placed, &document), Explanation::Consequence(0));
    }
    let come = Region {
        baseline_area: None,
        ..underline
    };
    assert_eq!(explain(&come, &document), Explanation::Consequence(0));
}

#[test]
fn rows_that_came_and_went_all_down_a_page_follow_from_what_was_pushed() {
    let loose = |area| Region {
        loose_rows: Some(LooseRows {
            inserted: 9,
            removed: 8,
            is_rounding: true,
            places: Vec::new(),
        }),
        ..region(area, RegionKind::Edited)
    };
    let page = loose(rect(0, 10, 600, 2000));
    assert_eq!(explain(&page, &pushed(0)), Explanation::Consequence(0));
    // What has all of them in it comes first, and what has most of them is not enough.
    let mut around = pushed(0);
    around
        .findings
        .push(finding(ChangeType::StyleOnly, [0, 0, 600, 2400]));
    let own = around.findings.len() - 1;
    assert_eq!(explain(&page, &around), Explanation::Change(own));
    around.findings[own].area = Some(Area {
        x: 0,
        y: 100,
        w: 600,
        h: 2400,
    });
    assert_eq!(explain(&page, &around), Explanation::Consequence(0));
    // A banner spaces no lines; a style may.
    let mut spaced = page.clone();
    spaced.loose_rows.as_mut().unwrap().is_rounding = false;
    assert_eq!(explain(&spaced, &pushed(0)), Explanation::Nothing);
    let mut taller = pushed(0);
    let line_height = ["20px", "21px"].map(str::to_owned);
    taller.findings[0]
        .style
        .insert("line-height".to_owned(), line_height);
    assert_eq!(explain(&spaced, &taller), Explanation::Consequence(0));
    // Without anything that was, only an element around all of them may be why; not one that lies somewhere between them.
    let between = finding(ChangeType::TextEdit, [40, 500, 300, 400]);
    let body = finding(ChangeType::StyleOnly, [0, 0, 600, 2400]);
    let at = |findings| explain(&page, &document(findings));
    assert_eq!(at(vec![between.clone()]), Explanation::Nothing);
    assert_eq!(at(vec![between, body]), Explanation::Change(1));
}

#[test]
fn an_element_may_be_why_rows_came_and_went_in_it() {
    let (size, rows) = (
        pentimento_compute::Size {
            width: 600,
            height: 2000,
        },
        [1, 1, 2, 1],
    );
    let mut comparison = super::super::tests::comparison(4000, 0);
    let mut bands = Vec::new();
    let (mut y, mut places) = (0, Vec::new());
    for rows in rows {
        let shared = pentimento_compute::Band {
            y,
            rows: 100,
            baseline_y: Some(y),
            current_y: Some(y),
            moved: None,
        };
        let new = pentimento_compute::Band {
            y: y + 100,
            rows,
            baseline_y: None,
            current_y: Some(y + 100),
            moved: None,
        };
        bands.extend([shared, new]);
        places.push(y + 100..y + 100 + rows);
        y += 100 + rows;
    }
    comparison.layout = pentimento_compute::Layout {
        size,
        lanes: vec![pentimento_compute::Lane {
            x: 0,
            width: 600,
            bands,
        }],
    };
    let mut loose = region(rect(0, 100, 600, 305), RegionKind::Added);
    loose.loose_rows = Some(LooseRows {
        inserted: 5,
        removed: 0,
        is_rounding: true,
        places,
    });
    let at = |y, h| {
        let mut finding = finding(ChangeType::StyleOnly, [40, y, 300, h]);
        let values = ["20px", "21px"].map(str::to_owned);
        finding.style.insert("line-height".to_owned(), values);
        finding
    };
    assert!(
        !has_loose_rows(&comparison, &at(90, 20)),
        "it has no region"
    );
    comparison.regions.push(loose);
    assert!(has_loose_rows(&comparison, &at(90, 20)));
    assert!(
        has_loose_rows(&comparison, &at(303, 1)),
        "the second of two"
    );
    assert!(!has_loose_rows(&comparison, &at(110, 80)));
    let mut gone = at(110, 80);
    gone.area_before = Some(Area {
        x: 40,
        y: 90,
        w: 300,
        h: 80,
    });
    assert!(!has_loose_rows(&comparison, &gone), "none went");
    for band in &mut comparison.layout.lanes[0].bands {
        if band.rows < 100 {
            (band.baseline_y, band.current_y) = (Some(band.y), None);
        }
    }
    assert!(has_loose_rows(&comparison, &gone));
    assert!(!has_loose_rows(&comparison, &at(90, 20)), "none came");
    gone.style.clear();
    let values = ["red", "blue"].map(str::to_owned);
    gone.style.insert("color".to_owned(), values);
    assert!(
        !has_loose_rows(&comparison, &gone),
        "a colour moves nothing"
    );
    gone.style
        .insert("padding-top".to_owned(), ["1px", "2px"].map(str::to_owned));
    assert!(has_loose_rows(&comparison, &gone));
    // Those of another lane are none of it.
    comparison.layout.lanes[0].x = 700;
    comparison.regions[0].area.x = 700;
    assert!(!has_loose_rows(&comparison, &gone));
}

/// A row of the baseline, as wide as the page, that went.
fn row_that_went(y: u32, line: Option<Range<u32>>) -> Region {
    Region {
        line,
        current_area: None,
        ..region(rect(0, y, 600, 1), RegionKind::Removed)
    }
}

#[test]
fn a_line_that_went_is_no_matter_of_what_moved() {
    let document = pushed(0);
    // On what was displaced, and elsewhere.
    for y in [220, 900] {
        let at = |line| explain(&row_that_went(y, line), &document);
        assert_eq!(at(None), Explanation::Consequence(0), "a box is lower");
        assert_eq!(at(Some(40..140)), Explanation::Nothing, "a rule is gone");
    }
    let came = Region {
        kind: RegionKind::Added,
        baseline_area: None,
        current_area: Some(rect(0, 900, 600, 1)),
        ..row_that_went(900, Some(0..600))
    };
    assert_eq!(explain(&came, &document), Explanation::Nothing);
}

#[test]
fn a_line_is_put_down_to_the_changed_element_that_it_lies_on_however_narrow() {
    let mut document = pushed(0);
    let mut item = finding(ChangeType::StyleOnly, [40, 296, 100, 39]);
    item.area_before = Some(Area {
        x: 40,
        y: 200,
        w: 100,
        h: 40,
    });
    document.findings.push(item);
    let at = |y, line| explain(&row_that_went(y, line), &document);
    assert_eq!(at(239, Some(40..140)), Explanation::Change(2));
    assert_eq!(at(260, Some(40..140)), Explanation::Nothing, "below it");
    assert_eq!(at(239, Some(300..400)), Explanation::Nothing, "beside it");
    assert_eq!(at(239, None), Explanation::Consequence(0));
}
