//! What a region is said to be.

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

/// Strokes as browsers draw letters: how much of a pixel they cover, 0 to 255 in 15 steps. All lie `offset` 255ths of a pixel further to
/// the right.
fn coverage(x: u32, y: u32, offset: u32) -> u32 {
    if !(60..84).contains(&y) || !(40..240).contains(&x) {
        return 0;
    }
    let letter = x / 10;
    let [lean, height, ..] = random(3, letter, 0);
    let (width, row) = (460, y - 60);
    if row < u32::from(height) % 12 {
        return 0;
    }
    // The stroke's left edge, which leans from row to row.
    let start = letter * 2550 + 510 + row * u32::from(lean) / 8 + offset;
    let (left, right) = (x * 255, x * 255 + 255);
    (start + width)
        .min(right)
        .saturating_sub(start.max(left))
        .min(255)
        .next_multiple_of(17)
}

/// A colour laid over another one.
fn mixed(ground: [u8; 4], ink: [u8; 4], coverage: u32) -> [u8; 4] {
    std::array::from_fn(|channel| {
        let (ground, ink) = (u32::from(ground[channel]), u32::from(ink[channel]));
        let mixed = (ink * coverage + ground * (255 - coverage) + 127) / 255;
        u8::try_from(mixed).unwrap()
    })
}

fn lettered(ground: impl Fn(u32, u32) -> [u8; 4], ink: [u8; 4]) -> Page {
    Page::drawn(300, 160, |x, y| mixed(ground(x, y), ink, coverage(x, y, 0)))
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

/// Smooth edges mix the ink with the ground: of two inks they have other mixtures, and more of one than of the other.
#[test]
fn letters_in_another_colour_are_recoloured() {
    let grey = |level: u8| [level, level, level, 255];
    let white = |_: u32, _: u32| WHITE;
    let black_on_white = lettered(white, BLACK);
    let recoloured = RegionKind::Recoloured;
    for ink in [grey(119), grey(200), [185, 28, 28, 255], [37, 99, 235, 255]] {
        let other = lettered(white, ink);
        check_both_ways("another ink", &black_on_white, &other, recoloured);
    }
    let on_marker = |x: u32, y: u32| {
        let is_marked = (30..250).contains(&x) && (50..94).contains(&y);
        if is_marked {
            [253, 224, 71, 255]
        } else {
            WHITE
        }
    };
    let marked = lettered(on_marker, BLACK);
    check_both_ways("another ground", &black_on_white, &marked, recoloured);
    let dark = lettered(|_, _| grey(17), grey(238));
    check_both_ways("all of the page", &black_on_white, &dark, recoloured);
    let gradient = |x: u32, y: u32| {
        let [one, other] = [x / 6, y / 3].map(|level| u8::try_from(level).unwrap());
        [60 + one, 40 + other, 200, 255]
    };
    let (white_ink, yellow_ink) = (
        lettered(gradient, WHITE),
        lettered(gradient, [253, 230, 138, 255]),
    );
    check_both_ways("on a gradient", &white_ink, &yellow_ink, recoloured);
}

#[test]
fn other_shapes_are_not_recoloured() {
    let inks = [BLACK, [37, 99, 235, 255]];
    let [before, recoloured] = inks.map(|ink| lettered(|_, _| WHITE, ink));
    let one_letter = Page::drawn(300, 160, |x, y| {
        let is_other = (120..130).contains(&x);
        recoloured.color_at(if is_other { x + 50 } else { x }, y)
    });
    let edited = RegionKind::Edited;
    check_both_ways("one letter is another one", &before, &one_letter, edited);
    for ink in inks {
        let further = Page::drawn(300, 160, |x, y| mixed(WHITE, ink, coverage(x, y, 100)));
        let found = regions(&before, &further);
        assert!(!found.is_empty());
        assert!(
            found.iter().all(|region| region.kind == edited),
            "{found:?}"
        );
    }
    // Each pixel has a colour of its own.
    let photograph = |seed: u64| {
        let noise = Page::noise(40, 40, seed);
        Page::drawn(300, 160, |x, y| {
            let is_there = (100..140).contains(&x) && (60..100).contains(&y);
            if is_there {
                noise.color_at(x - 100, y - 60)
            } else {
                WHITE
            }
        })
    };
    check_both_ways("another photograph", &photograph(1), &photograph(2), edited);
}

/// What goes on around it tells whether one colour was put on another, or is the same thing in another colour.
#[test]
fn ground_is_told_from_things() {
    let blank = Page::flat(300, 200, WHITE);
    let blue = [14, 165, 233, 255];
    let boxed = blank.clone().fill(rect(100, 60, 60, 60), blue);
    let larger = blank.clone().fill(rect(90, 60, 70, 70), blue);
    check_both_ways(
        "a box that grew two ways",
        &boxed,
        &larger,
        RegionKind::Edited,
    );
    let track = |until: u32| {
        let track = blank
            .clone()
            .fill(rect(60, 90, 180, 8), [200, 200, 210, 255]);
        track.fill(rect(60, 90, until - 60, 8), blue)
    };
    check_both_ways("progress", &track(120), &track(180), RegionKind::Edited);
    // It touches a rule at its bottom.
    let ruled = blank.clone().fill(rect(0, 120, 300, 1), [90, 90, 90, 255]);
    let on_rule = ruled.clone().fill(rect(100, 90, 60, 30), blue);
    check_both_ways("a box on a rule", &ruled, &on_rule, RegionKind::Added);
    let gradient = |x: u32, y: u32| [60, u8::try_from(x / 2 + y / 4).unwrap(), 200, 255];
    let bare = Page::drawn(300, 160, gradient);
    check_both_ways(
        "letters on a gradient",
        &bare,
        &lettered(gradient, WHITE),
        RegionKind::Added,
    );
    let steeper = Page::drawn(300, 160, |x, y| {
        let is_there = (80..200).contains(&x) && (50..110).contains(&y);
        if is_there {
            [220, 40, u8::try_from(x).unwrap(), 255]
        } else {
            WHITE
        }
    });
    let button = Page::drawn(300, 160, |x, y| match steeper.color_at(x, y) {
        WHITE => WHITE,
        [.., blue, _] => [20, 140, blue - 80, 255],
    });
    check_both_ways(
        "another gradient",
        &steeper,
        &button,
        RegionKind::Recoloured,
    );
}

/// Of two buttons side by side one went on: where it was there is ground, not what stands beside it.
#[test]
fn what_stands_beside_a_thing_does_not_move_with_it() {
    let beside = |way: (i32, i32)| {
        let at = (
            104_u32.strict_add_signed(way.0),
            80_u32.strict_add_signed(way.1),
        );
        let (still, other) = (drawing((40, 78), [0, 90, 0, 255]), drawing(at, BLACK));
        Page::drawn(300, 200, |x, y| match still.color_at(x, y) {
            WHITE => other.color_at(x, y),
            still => still,
        })
    };
    for (x, y) in [(10, 0), (20, 0), (8, 5), (7, -8)] {
        let expected = [RegionKind::Shifted { x, y }];
        check("beside", &beside((0, 0)), &beside((x, y)), &expected);
    }
    // What came to light is no ground of one colour.
    let hatched = |page: Page| {
        Page::drawn(300, 200, |x, y| match page.color_at(x, y) {
            WHITE if x < 112 && (x + y) % 3 == 0 => [190, 190, 190, 255],
            color => color,
        })
    };
    let (before, after) = (hatched(beside((0, 0))), hatched(beside((10, 0))));
    check("beside hatching", &before, &after, &[RegionKind::Edited]);
}

/// Down a page a thing of one colour shows the same in each of its rows; noise beside it keeps the rows where they are.
#[test]
fn bars_that_went_down_are_told_how_far() {
    let noise = Page::noise(20, 160, 5);
    let bars = |bars: &[(u32, u32)]| {
        let page = Page::drawn(
            160,
            160,
            |x, y| {
                if x < 20 { noise.color_at(x, y) } else { WHITE }
            },
        );
        (bars.iter()).fold(page, |page, &(y, height)| {
            page.fill(rect(60, y, 60, height), [14, 165, 233, 255])
        })
    };
    for (before, after, down) in [
        (bars(&[(40, 30)]), bars(&[(50, 30)]), 10),
        (bars(&[(40, 2)]), bars(&[(50, 2)]), 10),
        (bars(&[(40, 3)]), bars(&[(47, 3)]), 7),
        (bars(&[(40, 1)]), bars(&[(41, 1)]), 1),
        (bars(&[(40, 12)]), bars(&[(52, 12)]), 12),
    ] {
        let shifted = |y: i32| [RegionKind::Shifted { x: 0, y }];
        check("down", &before, &after, &shifted(down));
        check("up", &after, &before, &shifted(-down));
    }
    let two = [bars(&[(40, 1), (60, 1)]), bars(&[(45, 1), (70, 1)])];
    check_both_ways("not as far", &two[0], &two[1], RegionKind::Edited);
}

/// Of a large region some rows are looked at; they tell of all of it.
#[test]
fn large_regions_are_told_as_small_ones() {
    let lines = |ink: [u8; 4], shift: u32, from: u32| {
        Page::drawn(1000, 900, |x, y| {
            let [word, ..] = random(9, (x + if y < from { 0 } else { shift }) / 7, y / 40);
            let is_ink = y % 40 < 20 && word > 90 && (20..980).contains(&x);
            if is_ink { ink } else { [240, 244, 250, 255] }
        })
    };
    let red = [200, 0, 0, 255];
    let before = lines(BLACK, 0, 0);
    check_both_ways(
        "other ink",
        &before,
        &lines(red, 0, 0),
        RegionKind::Recoloured,
    );
    let replaced = lines(red, 700, 200);
    check_both_ways("other words", &before, &replaced, RegionKind::Edited);
    // Below a rule, so that its upper edge is none of the ground's.
    let blank = Page::flat(1000, 900, WHITE).fill(rect(0, 99, 1000, 1), [90, 90, 90, 255]);
    let covered = blank
        .clone()
        .fill(rect(100, 100, 800, 700), [20, 30, 60, 255]);
    check_both_ways("below a rule", &blank, &covered, RegionKind::Added);
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
