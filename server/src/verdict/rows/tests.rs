//! What is said of rows: gaps, blocks that moved, lanes, and loose rows.

use pentimento_compute::{LooseRows, Rect, Size};

use super::super::pixels::tests::region;
use super::*;

/// Rows of a band, and whether baseline and current picture have them.
type Part = (u32, bool, bool);

fn lane(x: u32, width: u32, parts: &[Part]) -> Lane {
    let (mut y, mut baseline, mut current) = (0, 0, 0);
    let bands = parts
        .iter()
        .map(|&(rows, before, after)| {
            let band = Band {
                y,
                rows,
                baseline_y: before.then_some(baseline),
                current_y: after.then_some(current),
                moved: None,
            };
            y += rows;
            baseline += if before { rows } else { 0 };
            current += if after { rows } else { 0 };
            band
        })
        .collect();
    Lane { x, width, bands }
}

fn band(
    y: u32,
    rows: u32,
    baseline_y: Option<u32>,
    current_y: Option<u32>,
    moved: Option<u32>,
) -> Band {
    Band {
        y,
        rows,
        baseline_y,
        current_y,
        moved,
    }
}

fn layout(lanes: Vec<Lane>) -> Layout {
    let size = Size {
        width: 1280,
        height: 4000,
    };
    Layout { size, lanes }
}

#[test]
fn rows_are_told_with_what_they_did_to_the_page() {
    let same = |rows| (rows, true, true);
    let new = |rows| (rows, false, true);
    let old = |rows| (rows, true, false);
    for (parts, told) in [
        (vec![same(900)], vec![]),
        (vec![same(900), new(40)], vec![]),
        (
            vec![same(120), new(40), same(780)],
            vec![
                "40 rows were inserted at 120 px from the top; everything below moved down by 40 px.",
            ],
        ),
        (
            vec![old(1), same(780)],
            vec!["1 row was removed at the top of the page; everything below moved up by 1 px."],
        ),
        (
            vec![same(120), old(30), new(1070), same(780)],
            vec![
                "30 rows were replaced by 1,070 at 120 px from the top; everything below moved down by 1,040 px.",
            ],
        ),
        (
            vec![same(120), new(40), same(100), old(40), same(500)],
            vec![
                "40 rows were inserted at 120 px from the top; everything below moved down by 40 px.",
                "40 rows were removed at 220 px from the top of the baseline; everything below is back in its place.",
            ],
        ),
        (
            vec![same(120), new(40), same(100), new(10), same(500), old(7)],
            vec![
                "40 rows were inserted at 120 px from the top; everything below moved down by 40 px.",
                "10 rows were inserted at 260 px from the top; everything below lies 50 px lower than before.",
                "7 rows were removed at the end of the page.",
            ],
        ),
    ] {
        assert_eq!(
            sentences(&layout(vec![lane(0, 1280, &parts)]), &[], 5),
            told
        );
    }
}

/// The region of a lane's bands that the engine found to be loose.
fn loose(lane: &Lane, is_loose: fn(&Band) -> bool) -> Region {
    let mut rows = LooseRows {
        is_rounding: true,
        ..LooseRows::default()
    };
    for band in lane.bands.iter().filter(|band| is_loose(band)) {
        match (band.baseline_y, band.current_y) {
            (None, _) => rows.inserted += band.rows,
            (_, None) => rows.removed += band.rows,
            _ => {}
        }
        rows.places.push(band.y..band.y + band.rows);
    }
    let (first, last) = (rows.places.first().unwrap(), rows.places.last().unwrap());
    let area = Rect {
        x: lane.x,
        y: first.start,
        width: lane.width,
        height: last.end - first.start,
    };
    let current_area = Rect {
        y: area.y + 7,
        ..area
    };
    Region {
        area,
        current_area: Some(current_area),
        loose_rows: Some(rows),
        ..region(400, 1.0)
    }
}

fn is_short(band: &Band) -> bool {
    band.rows <= 2
}

#[test]
fn loose_rows_of_a_lane_are_told_together_and_all_else_by_itself() {
    let same = |rows| (rows, true, true);
    let (new, old, pair) = ((1, false, true), (1, true, false), (2, false, true));
    let parts = [
        same(100),
        (24, true, false),
        same(100),
        new,
        same(50),
        old,
        same(60),
        pair,
        same(70),
        old,
        same(80),
        new,
    ];
    let page = lane(0, 1280, &parts);
    let region = loose(&page, |band| is_short(band) && band.y < 480);
    assert_eq!(
        sentences(&layout(vec![page.clone()]), &[region], 9),
        [
            "24 rows were removed at 100 px from the top of the baseline; everything below moved up by 24 px.",
            "3 rows were inserted and 2 removed one or two at a time between 231 px and 416 px from the top, as where lines of text are no \
             whole number of pixels tall.",
            "1 row was inserted at the end of the page.",
        ]
    );
    // What is no rounding pushes what follows.
    let mut spaced = loose(&page, |band| is_short(band) && band.y < 480);
    spaced.loose_rows.as_mut().unwrap().is_rounding = false;
    let told = sentences(&layout(vec![page.clone()]), &[spaced], 9);
    assert!(
        told[1].ends_with("between 231 px and 416 px from the top; everything below lies 23 px higher than before."),
        "{told:?}"
    );
    // However many they are, a block is more; those that are left out are counted.
    let region = loose(&page, |band| is_short(band) && band.y < 480);
    assert_eq!(
        sentences(&layout(vec![page.clone()]), &[region], 1)[1],
        "And 5 more places where rows were inserted, removed or moved."
    );
    // Where they are spaced otherwise, all of them count.
    let few = lane(
        0,
        1280,
        &[
            same(9),
            new,
            same(9),
            new,
            same(9),
            pair,
            same(9),
            new,
            same(9),
            (4, false, true),
            same(9),
        ],
    );
    let mut spaced = loose(&few, is_short);
    spaced.loose_rows.as_mut().unwrap().is_rounding = false;
    let told = sentences(&layout(vec![few]), &[spaced], 1);
    assert!(
        told[0].starts_with("5 rows were inserted one or two"),
        "{told:?}"
    );
    // Without such a region each is told.
    assert_eq!(sentences(&layout(vec![page.clone()]), &[], 9).len(), 6);
    let gone: Vec<Part> = (0..4)
        .flat_map(|_| [same(40), old])
        .chain([same(9)])
        .collect();
    let lanes = vec![page, lane(1280, 9, &gone)];
    let region = loose(&lanes[1], is_short);
    let told = sentences(&layout(lanes), &[region], 9);
    assert_eq!(told.len(), 7);
    assert!(
        told.iter().any(|told| told.starts_with(
            "4 rows were removed one or two at a time between 47 px and 171 px from the top in the columns 1,280–1,288, as"
        )),
        "{told:?}"
    );
}

#[test]
fn a_lane_is_named_by_its_columns() {
    let lanes = vec![
        lane(0, 240, &[(900, true, true)]),
        lane(
            240,
            1040,
            &[(100, true, true), (20, false, true), (800, true, true)],
        ),
    ];
    assert_eq!(
        sentences(&layout(lanes), &[], 5),
        [
            "20 rows were inserted at 100 px from the top in the columns 240–1,279; everything below moved down by 20 px."
        ]
    );
}

#[test]
fn lanes_that_differ_by_rounding_are_told_together() {
    let same = |rows| (rows, true, true);
    let old = |rows| (rows, true, false);
    let bar = lane(0, 240, &[same(900), old(33)]);
    let text = lane(240, 640, &[same(642), old(32), same(258), old(1)]);
    let badges = lane(880, 200, &[same(641), old(33), same(259)]);
    let rules = lane(1080, 200, &[same(643), old(32), same(257), old(1)]);
    let told = "32 or 33 rows were removed at 641–643 px from the top of the baseline in the columns 240–1,279; everything below moved up by 32 or \
                33 px.";
    let lanes = vec![bar, text, badges.clone(), rules];
    let all = sentences(&layout(lanes), &[], 9);
    assert_eq!(all[0], told);
    assert_eq!(all.len(), 4, "{all:#?}");
    // Elsewhere, or of other rows, it is another place.
    for (above, rows) in [(661, 33), (641, 36), (600, 33)] {
        let other = lane(
            1080,
            200,
            &[same(above), old(rows), same(933 - above - rows)],
        );
        let lanes = vec![badges.clone(), other];
        assert_eq!(sentences(&layout(lanes), &[], 9).len(), 2, "{above} {rows}");
    }
    // Of rounding there is as much as in the lane that has most.
    let lines = |x, removed| {
        let rows = |at: u32| {
            [
                same(30),
                if at < removed {
                    old(1)
                } else {
                    (1, false, true)
                },
            ]
        };
        let parts: Vec<Part> = (0..6).flat_map(rows).chain([same(40)]).collect();
        lane(x, 200, &parts)
    };
    let lanes = vec![lines(0, 2), lines(200, 3), lane(400, 880, &[same(230)])];
    let regions = [&lanes[0], &lanes[1]].map(|lane| loose(lane, is_short));
    assert_eq!(
        sentences(&layout(lanes), &regions, 9),
        [
            "3 or 4 rows were inserted and 2 or 3 removed one or two at a time between 37 px and 193 px from the top in the columns 0–399, as where \
             lines of text are no whole number of pixels tall."
        ]
    );
}

#[test]
fn moved_rows_are_told_once() {
    let bands = vec![
        band(0, 30, Some(0), None, Some(50)),
        band(30, 50, Some(30), Some(0), None),
        band(80, 30, None, Some(50), Some(0)),
    ];
    let lane = Lane {
        x: 240,
        width: 1040,
        bands,
    };
    assert_eq!(
        sentences(&layout(vec![lane.clone()]), &[], 5),
        ["30 rows moved from 0 px to 50 px from the top."]
    );
    let bar = self::lane(0, 240, &[(110, true, true)]);
    assert_eq!(
        sentences(&layout(vec![bar, lane]), &[], 5),
        ["30 rows moved from 0 px to 50 px from the top in the columns 240–1,279."]
    );
}

#[test]
fn moved_rows_that_came_back_among_new_ones_are_told() {
    let bands = vec![
        band(0, 30, Some(0), None, Some(150)),
        band(30, 100, Some(30), Some(0), None),
        band(130, 200, None, Some(100), None),
        band(330, 100, Some(130), Some(300), None),
    ];
    let lane = Lane {
        x: 0,
        width: 1280,
        bands,
    };
    assert_eq!(
        sentences(&layout(vec![lane]), &[], 5),
        [
            "30 rows moved from 0 px to 150 px from the top, among rows that are new there.",
            "200 rows were inserted at 100 px from the top; everything below lies 170 px lower than before."
        ]
    );
}

#[test]
fn places_with_as_many_rows_each_are_told_together() {
    let same = |rows| (rows, true, true);
    let gone: Vec<Part> = [99, 98, 99, 99, 40, 99]
        .iter()
        .flat_map(|&rows| [same(33), (rows, true, false)])
        .chain([same(200)])
        .collect();
    assert_eq!(
        sentences(&layout(vec![lane(0, 1280, &gone)]), &[], 5),
        [
            "98 or 99 rows were removed in each of 5 places between 33 px and 633 px from the top of the baseline; everything below the last moved \
             up by 534 px.",
            "40 rows were removed at 560 px from the top of the baseline; everything below lies 435 px higher than before.",
        ]
    );
    let replaced: Vec<Part> = (0..4)
        .flat_map(|_| [same(50), (20, true, false), (31, false, true)])
        .chain([same(50)])
        .collect();
    let bar = lane(0, 100, &[(494, true, true)]);
    assert_eq!(
        sentences(&layout(vec![bar, lane(100, 1180, &replaced)]), &[], 5),
        [
            "20 rows were replaced by 31 in each of 4 places between 50 px and 293 px from the top in the columns 100–1,279; everything below the \
             last moved down by 44 px."
        ]
    );
    // Three are told one by one, and so is what is at the top or the end of the page.
    let few: Vec<Part> = (0..4)
        .flat_map(|_| [(7, false, true), same(50)])
        .chain([(7, false, true)])
        .collect();
    assert_eq!(
        sentences(&layout(vec![lane(0, 1280, &few)]), &[], 9).len(),
        5
    );
}

#[test]
fn sentences_are_bounded() {
    let parts: Vec<Part> = (1..=8)
        .flat_map(|rows| [(100, true, true), (2 * rows, false, true)])
        .chain([(10, true, true)])
        .collect();
    let told = sentences(&layout(vec![lane(0, 1280, &parts)]), &[], 5);
    assert_eq!(told.len(), 5 + 1);
    assert!(told[0].starts_with("8 rows were inserted"), "{told:#?}");
    assert_eq!(
        told[5],
        "And 3 more places where rows were inserted, removed or moved."
    );
}
