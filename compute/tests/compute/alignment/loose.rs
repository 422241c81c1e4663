//! Rows that came or went one or two at a time, as where lines of text are no whole number of pixels tall, are one region.

use pentimento_compute::{Alignment, LooseRows, Region, RegionKind};

use super::{WIDTH, compare};
use crate::pages::{BLACK, Page, rect};

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

fn rows(inserted: u32, removed: u32) -> LooseRows {
    LooseRows { inserted, removed }
}

#[test]
fn four_places_are_gathered_and_three_are_not() {
    let before = text();
    let places = [(3, 1), (7, -1), (12, 2), (18, -1), (25, 1)];
    let [all] = &regions(&before, &respaced(&places))[..] else {
        panic!("one region")
    };
    assert_eq!(
        (all.kind, all.loose_rows),
        (RegionKind::Edited, Some(rows(4, 2)))
    );
    assert_eq!(all.changed_pixels, 6 * u64::from(WIDTH));
    assert_eq!((all.area.x, all.area.width), (0, WIDTH));
    assert!((71..=80).contains(&all.area.y), "{:?}", all.area);
    assert!((510..=524).contains(&all.area.bottom()), "{:?}", all.area);
    assert!(all.baseline_area.is_some() && all.current_area.is_some());
    let back = &regions(&respaced(&places), &before)[..];
    assert_eq!(back.len(), 1);
    assert_eq!(back[0].loose_rows, Some(rows(2, 4)));
    for (more, kind, all) in [
        (1, RegionKind::Added, Some(rows(4, 0))),
        (-2, RegionKind::Removed, Some(rows(0, 8))),
    ] {
        let places = [3, 7, 12, 18].map(|line| (line, more));
        let found = regions(&before, &respaced(&places));
        assert_eq!(found.len(), 1);
        assert_eq!((found[0].kind, found[0].loose_rows), (kind, all));
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
fn what_changed_between_them_stands_by_itself() {
    let banner = Page::noise(WIDTH, 45, 72);
    let places = [(3, 1), (7, -1), (12, 1), (18, -1), (25, 1)];
    let below = respaced(&places);
    let below = below.fill(rect(40, 200, 30, 12), [200, 30, 30, 255]);
    let (heights, below) = ([45, LINES * 20 + 1], &below);
    let after = Page::stacked(&[(&banner, 0..heights[0]), (below, 0..heights[1])]);
    let found = regions(&text(), &after);
    let told: Vec<_> = (found.iter())
        .map(|region| (region.label.as_str(), region.kind, region.loose_rows))
        .collect();
    assert_eq!(
        told,
        [
            ("A", RegionKind::Added, None),
            ("B", RegionKind::Edited, Some(rows(3, 2))),
            ("C", RegionKind::Edited, None),
        ]
    );
    let [_, loose, own] = &found[..] else {
        unreachable!()
    };
    assert_eq!(own.current_area, Some(rect(40, 245, 30, 12)));
    assert!(loose.area.y < own.area.y && own.area.bottom() < loose.area.bottom());
}

#[test]
fn rules_are_no_loose_rows() {
    let ruled = |lines: &[u32]| {
        lines.iter().fold(text(), |page, line| {
            let drawn = rect(0, line * 20 + 15, WIDTH, 1);
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
        assert!(found.iter().all(|region| region.line == Some(0..WIDTH)));
    }
}
