//! Things that went on, beside others that did not.

use pentimento_compute::{CompareOptions, RegionKind};

use super::{check, check_both_ways, drawing};
use crate::pages::{BLACK, Page, WHITE, rect};

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

/// A box is ticked beside one that is ticked, and stays so: what it shows is over there, and nothing went.
#[test]
fn what_took_the_look_of_a_neighbour_did_not_move() {
    const LEFT: [u32; 3] = [40, 90, 140];
    let boxes = |ticked: [bool; 3]| {
        let frames = LEFT
            .into_iter()
            .fold(Page::flat(200, 160, WHITE), |page, x| {
                page.fill(rect(x, 60, 18, 18), [0, 90, 0, 255])
                    .fill(rect(x + 2, 62, 14, 14), [250, 250, 250, 255])
            });
        Page::drawn(200, 160, |x, y| {
            let is_ticked = LEFT.iter().zip(ticked).any(|(&left, ticked)| {
                let inside = (left..left + 18).contains(&x) && (60..78).contains(&y);
                ticked && inside && ((x - left) * 7 + y * 3) % 5 < 2
            });
            if is_ticked {
                BLACK
            } else {
                frames.color_at(x, y)
            }
        })
    };
    let (one, two) = (boxes([true, false, false]), boxes([true, true, false]));
    check_both_ways("ticked", &one, &two, RegionKind::Edited);
    // Where the one was given up for the other it may as well have gone there.
    let other = boxes([false, true, false]);
    let went = [-50, 50].map(|x| RegionKind::Shifted { x, y: 0 });
    check("exchanged", &one, &other, &went);
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

/// Over a gradient the ground that came to light is another shade than the ground that was covered, and what is smooth is drawn a few
/// levels otherwise.
#[test]
fn what_went_on_over_a_gradient_or_was_drawn_anew_is_told_how_far() {
    let over = |ground: fn(u32, u32) -> u8, way: (i32, i32), anew: u8| {
        let at = (
            104_u32.strict_add_signed(way.0),
            80_u32.strict_add_signed(way.1),
        );
        let thing = drawing(at, [20, 60, 20, 255]);
        Page::drawn(300, 200, |x, y| {
            let shade = ground(x, y);
            match thing.color_at(x, y) {
                WHITE => [shade, shade, 250, 255],
                [r, g, b, a] if (x * 7 + y * 3) % 19 == 0 => [r + anew, g + anew, b, a],
                ink => ink,
            }
        })
    };
    let along = |x: u32, _| 120 + u8::try_from(x / 4).unwrap();
    let down = |_, y: u32| 120 + u8::try_from(y / 2).unwrap();
    for ground in [along, down] {
        let before = over(ground, (0, 0), 0);
        for (x, y) in [(10, 0), (-20, 0), (5, -3), (-2, 8)] {
            let expected = [RegionKind::Shifted { x, y }];
            check(
                "over a gradient",
                &before,
                &over(ground, (x, y), 0),
                &expected,
            );
            check("drawn anew", &before, &over(ground, (x, y), 10), &expected);
            let other = over(ground, (x, y), 30);
            check("drawn otherwise", &before, &other, &[RegionKind::Edited]);
        }
    }
}

/// A pale text on grey that became a dark one is nearly its ground both times, and the rule beside it stayed: by a low threshold it
/// changed, and did not go anywhere.
#[test]
fn what_is_nearly_its_ground_goes_nowhere() {
    let text = |ink: u8| {
        let thing = drawing((104, 80), [ink, ink, ink, 255]);
        Page::drawn(300, 200, |x, y| match thing.color_at(x, y) {
            _ if x == 134 && (60..140).contains(&y) => BLACK,
            // In the corners of the area is ground.
            ink if ink != WHITE && ((112..156).contains(&x) || (88..112).contains(&y)) => ink,
            _ => [200, 200, 200, 255],
        })
    };
    let options = CompareOptions {
        threshold: 0.05,
        ..CompareOptions::default()
    };
    let files = [212, 188].map(|ink| text(ink).png());
    let found = crate::both::compare(&files[0], &files[1], &options);
    let kinds: Vec<RegionKind> = found.regions.iter().map(|region| region.kind).collect();
    assert_eq!(kinds, [RegionKind::Recoloured]);
}

/// Shades without an edge look nearly the same a few pixels away, whatever happened to them.
#[test]
fn shades_without_an_edge_go_nowhere() {
    let noise = Page::noise(300, 200, 9);
    let shades = |lighter: u8| {
        Page::drawn(300, 200, |x, y| {
            let shade = 40 + u8::try_from(x / 2).unwrap() + noise.color_at(x, y)[0] % 13;
            let is_inside = (100..160).contains(&x) && (80..120).contains(&y);
            let shade = if is_inside { shade + lighter } else { shade };
            [shade, shade, shade, 255]
        })
    };
    check_both_ways("lighter", &shades(0), &shades(31), RegionKind::Recoloured);
    // A rule along the way that stays is no edge that was elsewhere before.
    let ruled = |lighter: u8| {
        let page = Page::drawn(300, 200, |x, y| {
            let shade = 10 + u8::try_from(y).unwrap() + noise.color_at(x, y)[0] % 13;
            let is_inside = (100..160).contains(&x) && (60..100).contains(&y);
            let shade = if is_inside { shade + lighter } else { shade };
            [shade, shade, shade, 255]
        });
        page.fill(rect(120, 0, 1, 200), BLACK)
    };
    check_both_ways("ruled", &ruled(0), &ruled(31), RegionKind::Recoloured);
}
