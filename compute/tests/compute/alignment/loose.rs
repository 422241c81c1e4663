//! Rows that came or went one or two at a time, as where lines of text are no whole number of pixels tall, are one region.

use pentimento_compute::{Alignment, CompareOptions, LooseRows, Region, RegionKind};

use super::{WIDTH, compare, options};
use crate::both;
use crate::pages::{BLACK, Page, WHITE, rect};

/// Lines of the text, 20 rows each.
const LINES: u32 = 30;

fn text() -> Page {
    Page::prose(WIDTH, LINES * 20, 71)
}

/// The text with the ground below some of its lines so many rows taller, or shorter.
fn respaced(below: &[(u32, i32)]) -> Page {
    let text = text();
    let mut parts = Vec::new();
    let mut from = 0;
    for &(line, more) in below {
        let until = line * 20 + 15;
        parts.push((&text, from..until));
        from = until.checked_add_signed(-more).unwrap();
    }
    parts.push((&text, from..LINES * 20));
    Page::stacked(&parts)
}

fn regions(before: &Page, after: &Page) -> Vec<Region> {
    let result = compare(before, after, Alignment::Auto);
    let counted: u64 = (result.regions.iter().map(|region| region.changed_pixels)).sum();
    assert_eq!(counted, result.changed_pixels);
    result.regions
}

/// How many rows of a region are loose.
fn loose(region: &Region) -> Option<(u32, u32)> {
    let LooseRows {
        inserted,
        removed,
        places,
        ..
    } = region.loose_rows.as_ref()?;
    let rows: u32 = places.iter().map(|rows| rows.end - rows.start).sum();
    assert_eq!(rows, inserted + removed);
    let (first, last) = (places.first().unwrap(), places.last().unwrap());
    assert_eq!(
        (region.area.y, region.area.bottom()),
        (first.start, last.end)
    );
    Some((*inserted, *removed))
}

#[test]
fn four_places_are_gathered_and_three_are_not() {
    let before = text();
    let places = [(3, 1), (7, -1), (12, 2), (18, -1), (25, 1)];
    let [all] = &regions(&before, &respaced(&places))[..] else {
        panic!("one region")
    };
    assert_eq!((all.kind, loose(all)), (RegionKind::Edited, Some((4, 2))));
    assert_eq!(all.changed_pixels, 6 * u64::from(WIDTH));
    assert_eq!((all.area.x, all.area.width), (0, WIDTH));
    assert!((71..=80).contains(&all.area.y), "{:?}", all.area);
    assert!((510..=524).contains(&all.area.bottom()), "{:?}", all.area);
    assert!(all.baseline_area.is_some() && all.current_area.is_some());
    let back = &regions(&respaced(&places), &before)[..];
    assert_eq!(back.len(), 1);
    assert_eq!(loose(&back[0]), Some((2, 4)));
    for (more, kind, all) in [
        (1, RegionKind::Added, Some((4, 0))),
        (-2, RegionKind::Removed, Some((0, 8))),
    ] {
        let places = [3, 7, 12, 18].map(|line| (line, more));
        let found = regions(&before, &respaced(&places));
        assert_eq!(found.len(), 1);
        assert_eq!((found[0].kind, loose(&found[0])), (kind, all));
    }
    assert!(!all.loose_rows.as_ref().unwrap().is_rounding, "two more");
    for (places, is_rounding) in [
        ([(3, 1), (7, -1), (12, 1), (18, -1)], true),
        ([(3, -1), (7, 1), (12, -1), (18, 1)], true),
        ([(3, -1), (7, 1), (12, 1), (18, -1)], false),
        ([(3, 1), (7, 1), (12, -1), (18, -1)], false),
    ] {
        let found = regions(&before, &respaced(&places));
        let rows = found[0].loose_rows.as_ref().unwrap();
        assert_eq!(rows.is_rounding, is_rounding, "{places:?}");
    }
    let few = regions(&before, &respaced(&places[..3]));
    assert_eq!(few.len(), 3);
    assert!(few.iter().all(|region| region.loose_rows.is_none()));
    // Three rows are more than rounding makes.
    let tall = [(3, 1), (7, 3), (12, -1), (18, 3), (25, 1)];
    let tall = regions(&before, &respaced(&tall));
    assert_eq!(tall.len(), 5);
    assert!(tall.iter().all(|region| region.loose_rows.is_none()));
}

#[test]
fn what_was_nudged_by_two_rows_counts_as_one_place() {
    let before = text();
    let nudges = [3, 9, 15, 21].map(|line| [(line, 2), (line + 3, -2)]);
    for nudged in 2..=4 {
        let places = nudges[..nudged].concat();
        for (before, after) in [(&before, &respaced(&places)), (&respaced(&places), &before)] {
            let found = regions(before, after);
            let told = found.iter().map(loose).collect::<Vec<_>>();
            if nudged < 4 {
                assert_eq!(told, vec![None; 2 * nudged]);
            } else {
                assert_eq!(told, [Some((8, 8))]);
            }
        }
    }
    // Where rows came twice before they went, one nudge is within the other.
    let within = [(3, 2), (7, 2), (12, -2), (18, -2)];
    let found = regions(&before, &respaced(&within));
    assert!(found.iter().all(|region| region.loose_rows.is_none()));
}

#[test]
fn what_changed_between_them_stands_by_itself() {
    let banner = Page::noise(WIDTH, 45, 72);
    let places = [(3, 1), (7, -1), (12, 1), (18, -1), (25, 1)];
    let below = respaced(&places);
    let below = below.fill(rect(40, 200, 30, 12), [200, 30, 30, 255]);
    let (heights, below) = ([45, LINES * 20 + 1], &below);
    let after = Page::stacked(&[(&banner, 0..heights[0]), (below, 0..heights[1])]);
    let found = regions(&text(), &after);
    let told: Vec<_> = (found.iter())
        .map(|region| (region.label.as_str(), region.kind, loose(region)))
        .collect();
    assert_eq!(
        told,
        [
            ("A", RegionKind::Added, None),
            ("B", RegionKind::Edited, Some((3, 2))),
            ("C", RegionKind::Edited, None),
        ]
    );
    let [_, rows, own] = &found[..] else {
        unreachable!()
    };
    assert_eq!(own.current_area, Some(rect(40, 245, 30, 12)));
    assert!(rows.area.y < own.area.y && own.area.bottom() < rows.area.bottom());
}

#[test]
fn rules_and_marks_are_no_loose_rows() {
    // From side to side, and no longer than a dash.
    for px in [WIDTH, 12] {
        check_rules(px);
    }
}

fn check_rules(px: u32) {
    let ruled = |lines: &[u32]| {
        lines.iter().fold(text(), |page, line| {
            let drawn = rect(0, line * 20 + 15, px, 1);
            page.fill(drawn, BLACK)
        })
    };
    // What is left without its rules is as many rows shorter.
    let lines = [3, 7, 12, 18, 25];
    let before = ruled(&lines);
    let mut parts = Vec::new();
    let mut from = 0;
    for line in lines {
        parts.push((&before, from..line * 20 + 15));
        from = line * 20 + 16;
    }
    parts.push((&before, from..LINES * 20));
    let after = Page::stacked(&parts);
    for (one, other) in [(&before, &after), (&after, &before)] {
        let found = regions(one, other);
        assert_eq!(found.len(), lines.len());
        assert!(found.iter().all(|region| region.loose_rows.is_none()));
        let line = (px == WIDTH).then_some(0..WIDTH);
        assert!(found.iter().all(|region| region.line == line));
    }
}

#[test]
fn rows_of_what_was_edited_and_the_ends_of_a_page_are_none() {
    // Four lines that read otherwise, and are a row taller.
    let other = Page::prose(WIDTH, LINES * 20, 73);
    let text = text();
    let mut parts = Vec::new();
    let mut from = 0;
    for line in [3, 7, 12, 18] {
        parts.push((&text, from..line * 20));
        parts.push((&other, line * 20..line * 20 + 6));
        parts.push((&other, line * 20 + 5..line * 20 + 11));
        from = line * 20 + 11;
    }
    parts.push((&text, from..LINES * 20));
    let edited = Page::stacked(&parts);
    for (before, after) in [(&text, &edited), (&edited, &text)] {
        let found = regions(before, after);
        assert!(found.len() >= 4, "{found:?}");
        assert!(found.iter().all(|region| region.loose_rows.is_none()));
    }
    // A row above everything, and one below it.
    let places = [(3, 1), (7, -1), (12, 1)];
    let body = respaced(&places);
    let height = body.size.height;
    let edge = Page::flat(WIDTH, 1, WHITE);
    let after = Page::stacked(&[(&edge, 0..1), (&body, 0..height), (&edge, 0..1)]);
    assert!((regions(&text, &after).iter()).all(|region| region.loose_rows.is_none()));
}

#[test]
fn each_lane_has_its_own() {
    let places = [(3, 1), (7, -1), (12, 1), (18, -1), (25, 2)];
    let height = LINES * 20 + 2;
    let bar = Page::noise(WIDTH, height, 74);
    let pushed = Page::stacked(&[(&Page::noise(WIDTH, 40, 75), 0..40), (&bar, 0..height)]);
    let tall = |page: &Page| {
        let ground = Page::flat(WIDTH, 100, WHITE);
        Page::stacked(&[(page, 0..page.size.height), (&ground, 0..100)])
    };
    let cut = |page: &Page| Page::stacked(&[(page, 0..LINES * 20 + 40)]);
    let before = cut(&tall(&text())).beside(&cut(&tall(&bar)));
    let after = cut(&tall(&respaced(&places))).beside(&cut(&pushed));
    let found = regions(&before, &after);
    let rows: Vec<_> = found
        .iter()
        .filter(|region| region.loose_rows.is_some())
        .collect();
    assert_eq!(rows.len(), 1, "{found:?}");
    assert_eq!(loose(rows[0]), Some((4, 2)));
    assert!(rows[0].area.right() <= WIDTH);
    let both = before.beside(&cut(&tall(&text())));
    let both_after = after.beside(&cut(&tall(&respaced(&[
        (2, -1),
        (9, 1),
        (15, -1),
        (20, -1),
    ]))));
    let found = regions(&both, &both_after);
    let rows: Vec<_> = found.iter().filter_map(loose).collect();
    assert_eq!(rows, [(1, 3), (4, 2)], "{found:?}");
}

#[test]
fn what_is_left_of_a_tall_band_beside_a_mask_is_none() {
    let places = [(3, 1), (7, -1), (12, 1)];
    let news = Page::noise(WIDTH, 60, 76);
    let body = respaced(&places);
    let until = 400;
    let after = Page::stacked(&[
        (&body, 0..until),
        (&news, 0..60),
        (&body, until..body.size.height),
    ]);
    let options = CompareOptions {
        ignore: vec![rect(0, until + 2, WIDTH, 58)],
        ..options(Alignment::Auto)
    };
    let result = both::compare(&text().png(), &after.png(), &options);
    assert_eq!(result.regions.len(), 4, "{:?}", result.regions);
    assert!(
        result
            .regions
            .iter()
            .all(|region| region.loose_rows.is_none())
    );
}
