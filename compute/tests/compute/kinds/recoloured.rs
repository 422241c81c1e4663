//! The same shapes in other colours, and what is not.

use pentimento_compute::RegionKind;

use super::{check_both_ways, regions};
use crate::pages::{BLACK, Page, WHITE, random, rect};

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

pub(super) fn lettered(ground: impl Fn(u32, u32) -> [u8; 4], ink: [u8; 4]) -> Page {
    Page::drawn(300, 160, |x, y| mixed(ground(x, y), ink, coverage(x, y, 0)))
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
