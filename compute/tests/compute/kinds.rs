//! What a region is said to be.

mod columns;
mod grounds;
mod lines;
mod recoloured;
mod shifted;

use pentimento_compute::{CompareOptions, Rect, Region, RegionKind};

use crate::both;
use crate::pages::{BLACK, Page, WHITE, random, rect};

fn regions(one: &Page, other: &Page) -> Vec<Region> {
    both::compare(&one.png(), &other.png(), &CompareOptions::default()).regions
}

fn check(name: &str, one: &Page, other: &Page, expected: &[RegionKind]) {
    let kinds: Vec<RegionKind> = regions(one, other)
        .iter()
        .map(|region| region.kind)
        .collect();
    assert_eq!(kinds, expected, "{name}");
}

/// A drawing in two colours that no shift maps onto itself.
fn drawing(at: (u32, u32), ink: [u8; 4]) -> Page {
    Page::drawn(300, 200, |x, y| {
        let (x, y) = (x.wrapping_sub(at.0), y.wrapping_sub(at.1));
        let inside = x < 60 && y < 40;
        let drawn = inside && (x * x + 3 * y * y + x * y / 5) % 97 < 31;
        if drawn { ink } else { WHITE }
    })
}

#[test]
fn what_happened_is_told() {
    let (blank, drawn) = (Page::flat(300, 200, WHITE), drawing((100, 80), BLACK));
    check("added", &blank, &drawn, &[RegionKind::Added]);
    check("removed", &drawn, &blank, &[RegionKind::Removed]);
    let red = drawing((100, 80), [200, 0, 0, 255]);
    check("recoloured", &drawn, &red, &[RegionKind::Recoloured]);
    let flat = |shade| blank.clone().fill(rect(50, 50, 60, 30), [shade, 0, 0, 255]);
    check("a new box", &blank, &flat(90), &[RegionKind::Added]);
    check(
        "a box that is gone",
        &flat(90),
        &blank,
        &[RegionKind::Removed],
    );
    check(
        "a recoloured box",
        &flat(90),
        &flat(250),
        &[RegionKind::Recoloured],
    );
    // Straight up or down rows would be aligned instead.
    for (x, y) in [(3, 0), (-3, 0), (7, -4), (-8, 8), (48, 0)] {
        let to = (100_u32.strict_add_signed(x), 80_u32.strict_add_signed(y));
        check(
            "shifted",
            &drawn,
            &drawing(to, BLACK),
            &[RegionKind::Shifted { x, y }],
        );
    }
    let other = Page::drawn(300, 200, |x, y| {
        let inside = (100..160).contains(&x) && (80..120).contains(&y);
        if inside && (x * 7 + y * y) % 89 < 40 {
            BLACK
        } else {
            WHITE
        }
    });
    check("edited", &drawn, &other, &[RegionKind::Edited]);
}

/// The kind of the only region, the same whichever picture is the baseline.
fn check_both_ways(name: &str, one: &Page, other: &Page, expected: RegionKind) {
    let back = match expected {
        RegionKind::Added => RegionKind::Removed,
        RegionKind::Removed => RegionKind::Added,
        other => other,
    };
    check(name, one, other, &[expected]);
    check(name, other, one, &[back]);
}

/// What is left out takes no part in what is told: a clock that ticks beside what was edited hides nothing.
#[test]
fn what_is_ignored_tells_nothing() {
    let clock = rect(120, 90, 12, 10);
    let ticking = |page: Page, seed: u64| {
        let noise = Page::noise(300, 200, seed);
        Page::drawn(300, 200, |x, y| {
            let is_clock = (120..132).contains(&x) && (90..100).contains(&y);
            let [grey, ..] = noise.color_at(x, y).map(|channel| channel & 0xc0);
            if is_clock {
                [grey, grey, grey, 255]
            } else {
                page.color_at(x, y)
            }
        })
    };
    let kinds = |before: &Page, after: &Page, ignore: &[Rect]| -> Vec<RegionKind> {
        let options = CompareOptions {
            ignore: ignore.to_vec(),
            ..CompareOptions::default()
        };
        let (before, after) = (ticking(before.clone(), 1), ticking(after.clone(), 2));
        let found = both::compare(&before.png(), &after.png(), &options).regions;
        found.iter().map(|region| region.kind).collect()
    };
    let (blank, drawn) = (Page::flat(300, 200, WHITE), drawing((100, 80), BLACK));
    let red = drawing((100, 80), [200, 0, 0, 255]);
    let right = drawing((103, 80), BLACK);
    for (before, after, expected) in [
        (&blank, &drawn, RegionKind::Added),
        (&drawn, &blank, RegionKind::Removed),
        (&drawn, &red, RegionKind::Recoloured),
        (&drawn, &right, RegionKind::Shifted { x: 3, y: 0 }),
    ] {
        assert_eq!(kinds(before, after, &[]), [RegionKind::Edited]);
        assert_eq!(kinds(before, after, &[clock]), [expected]);
    }
}

/// A new band whose edges are left out is as large as the rest of it.
#[test]
fn the_box_of_a_band_holds_what_counts_of_it() {
    let (page, news) = (Page::prose(160, 300, 1), Page::noise(160, 40, 2));
    let pushed = Page::stacked(&[(&page, 0..100), (&news, 0..40), (&page, 100..300)]);
    let boxes = |ignore: &[Rect]| -> Vec<(Rect, u64)> {
        let options = CompareOptions {
            ignore: ignore.to_vec(),
            ..CompareOptions::default()
        };
        let found = both::compare(&page.png(), &pushed.png(), &options).regions;
        (found
            .iter()
            .filter(|region| region.kind == RegionKind::Added))
        .map(|region| (region.area, region.changed_pixels))
        .collect()
    };
    assert_eq!(boxes(&[]), [(rect(0, 100, 160, 40), 6400)]);
    let edges = [
        rect(0, 90, 20, 200),
        rect(0, 130, 160, 10),
        rect(50, 110, 10, 5),
    ];
    assert_eq!(boxes(&edges), [(rect(20, 100, 140, 30), 140 * 30 - 50)]);
    assert_eq!(boxes(&[rect(0, 100, 160, 40)]), []);
}

/// Unequal sizes: what only one picture has lies nowhere in the other.
#[test]
fn columns_beyond_a_picture_have_no_place_in_it() {
    let page = Page::text(100, 60);
    let wider = Page::drawn(
        130,
        60,
        |x, y| if x < 100 { page.color_at(x, y) } else { BLACK },
    );
    let found = regions(&page, &wider);
    assert_eq!(found.len(), 1);
    assert_eq!(
        (found[0].kind, found[0].baseline_area, found[0].current_area),
        (RegionKind::Added, None, Some(rect(100, 0, 30, 60)))
    );
    let back = regions(&wider, &page);
    assert_eq!(
        (back[0].kind, back[0].baseline_area, back[0].current_area),
        (RegionKind::Removed, Some(rect(100, 0, 30, 60)), None)
    );
}

/// More insertions than there are letters: joined ones hold rows in which nothing changed, and those
/// were not recoloured.
#[test]
fn joined_insertions_are_not_recoloured() {
    let (text, news) = (Page::prose(160, 4000, 1), Page::noise(160, 4000, 2));
    let parts: Vec<(&Page, std::ops::Range<u32>)> = (0..130)
        .flat_map(|at| {
            let y = at * 30;
            [(&text, y..y + 30), (&news, y..y + 2 + at % 5)]
        })
        .chain([(&text, 3900..4000)])
        .collect();
    let found = regions(&text, &Page::stacked(&parts));
    assert!(found.len() <= 100);
    let wrong = found
        .iter()
        .find(|region| region.kind == RegionKind::Recoloured);
    assert!(wrong.is_none(), "{wrong:?}");
}

#[test]
fn columns_of_the_wider_picture_are_a_region_of_their_own_beside_many_others() {
    let wide = Page::noise(320, 2000, 1);
    let mut narrow = Page::drawn(305, 2000, |x, y| wide.color_at(x, y));
    // More dots than there may be regions; those on the right lie right beside the columns that only one picture has.
    for (x, y) in
        (0..31).flat_map(|row| (0..5).map(move |column| (47 + 64 * column, 20 + 64 * row)))
    {
        narrow = narrow.inverted_at(x, y);
    }
    let right = Rect {
        x: 305,
        y: 0,
        width: 15,
        height: 2000,
    };
    for (baseline, current, kind) in [
        (&wide, &narrow, RegionKind::Removed),
        (&narrow, &wide, RegionKind::Added),
    ] {
        let regions = regions(baseline, current);
        assert!(regions.len() <= 100);
        let beyond = regions
            .iter()
            .filter(|region| region.area.right() > right.x);
        let beyond: Vec<_> = beyond.map(|region| (region.kind, region.area)).collect();
        assert_eq!(beyond, [(kind, right)]);
    }
}

/// A stroke drawn at another part of a pixel, beside a grey bar that was inserted: the bar is new.
#[test]
fn what_was_inserted_is_not_redrawn() {
    let grey = |level: u8| [level, level, level, 255];
    let before = Page::drawn(320, 400, |x, y| match x {
        100 | 101 if (150..250).contains(&y) => grey(205),
        100 => grey(155),
        300..316 => grey(random(1, x, y)[0] / 2),
        _ => WHITE,
    });
    let stroke = Page::drawn(320, 400, |x, y| match x {
        100 => grey(155),
        101 => WHITE,
        _ => before.color_at(x, y),
    });
    let bar = Page::flat(320, 12, grey(150));
    let after = Page::stacked(&[(&stroke, 0..200), (&bar, 0..12), (&stroke, 200..400)]);
    for (baseline, current) in [(&before, &after), (&after, &before)] {
        let found = regions(baseline, current);
        let [both] = found.as_slice() else {
            panic!("the bar lies across the stroke: {found:?}")
        };
        assert_eq!((both.kind, both.redrawn), (RegionKind::Edited, false));
    }
}
