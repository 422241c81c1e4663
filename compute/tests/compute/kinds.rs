//! What a region is said to be.

use pentimento_compute::{BackendChoice, Comparator, CompareOptions, Region, RegionKind};

use crate::pages::{BLACK, Page, WHITE, rect};

fn regions(one: &Page, other: &Page) -> Vec<Region> {
    Comparator::new(BackendChoice::Cpu)
        .unwrap()
        .compare(&one.png(), &other.png(), &CompareOptions::default())
        .unwrap()
        .regions
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
fn a_region_may_reach_beyond_the_narrower_picture() {
    let wide = Page::noise(320, 2000, 1);
    let mut narrow = Page::drawn(305, 2000, |x, y| wide.color_at(x, y));
    // More dots than there may be regions; those on the right join the columns that only one picture has.
    for (x, y) in
        (0..31).flat_map(|row| (0..5).map(move |column| (24 + 64 * column, 20 + 64 * row)))
    {
        narrow = narrow.inverted_at(x, y);
    }
    for (baseline, current) in [(&wide, &narrow), (&narrow, &wide)] {
        let regions = regions(baseline, current);
        let right = regions.iter().find(|region| region.area.right() == 320);
        let right = right.expect("the columns that only one has are in a region");
        assert!(right.area.x < 305, "{:?}", right.area);
        assert_eq!(right.kind, RegionKind::Edited);
    }
}
