//! What was put on ground or taken off it, and what is a ground of its own.

use pentimento_compute::RegionKind;

use super::check_both_ways;
use super::recoloured::lettered;
use crate::pages::{Page, WHITE, rect};

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
