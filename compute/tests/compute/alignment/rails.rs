//! Bars of icons, narrower than a cell and wider, at an edge of the page.

use pentimento_compute::Alignment;

use super::compare;
use super::lanes::pushed_down;
use crate::pages::{Page, WHITE, random};

const HEIGHT: u32 = 1080;

/// Icons, one below the other.
fn rail(width: u32) -> Page {
    Page::drawn(width, HEIGHT, |x, y| {
        if y % 40 < 24 && (4..width - 4).contains(&x) {
            let [red, green, blue, ..] = random(61, x, y);
            [red, green, blue, 255]
        } else {
            [245, 245, 245, 255]
        }
    })
}

/// Lines of many lengths between two columns that are told from all others.
fn text(width: u32) -> Page {
    let prose = Page::prose(width, HEIGHT, 62);
    Page::drawn(width, HEIGHT, |x, y| {
        let [length, _, rule, ..] = random(64, 0, y / 20);
        if x == 0 || x + 1 == width {
            [rule, random(65, x, y)[0], 0, 255]
        } else if x < 30 + 3 * u32::from(length) {
            prose.color_at(x, y)
        } else {
            WHITE
        }
    })
}

/// A bar at an edge, or at both, stays where it was while so many rows push the text down.
fn stays(bar: &Page, text: &Page, rows: u32, above: u32) {
    let width = text.size.width;
    let pushed = pushed_down(text, above, &Page::noise(width, rows, 63));
    let places: [fn(&Page, &Page) -> Page; 3] = [
        |bar, text| bar.beside(text),
        |bar, text| text.beside(bar),
        |bar, text| bar.beside(text).beside(bar),
    ];
    for place in places {
        let (before, after) = (place(bar, text), place(bar, &pushed));
        for pages in [[&before, &after], [&after, &before]] {
            let result = compare(pages[0], pages[1], Alignment::Auto);
            let lone = u64::from(rows * width);
            let widths: Vec<u32> = result.layout.lanes.iter().map(|lane| lane.width).collect();
            assert_eq!(
                (result.inserted_pixels, result.removed_pixels),
                (lone, lone),
                "{} {width} {rows}: {widths:?}",
                bar.size.width
            );
            assert_eq!(result.changed_pixels, 2 * lone);
        }
    }
}

#[test]
fn a_rail_of_icons_stays() {
    let text = text(960);
    for width in [24, 40, 50, 64, 72, 100, 120] {
        stays(&rail(width), &text, 30, 100);
    }
}

/// Of fewer rows than a few lines of text have.
#[test]
fn a_rail_of_few_icons_stays() {
    let text = text(960);
    for width in [30, 50, 64, 100, 150] {
        let all = rail(width);
        let few = Page::drawn(width, HEIGHT, |x, y| {
            let is_icon = [300, 700]
                .into_iter()
                .any(|top| (top..top + 8).contains(&y));
            if is_icon {
                all.color_at(x, y % 40)
            } else {
                WHITE
            }
        });
        stays(&few, &text, 60, 100);
    }
}

/// Whole rows tell of the same shift, but not exactly where, since icons are repeated.
#[test]
fn a_rail_beside_a_narrow_text_stays() {
    let text = text(420);
    for width in [30, 50, 60] {
        for (rows, above) in [(12, 345), (30, 500), (77, 60)] {
            stays(&rail(width), &text, rows, above);
        }
    }
}

/// Narrower than what is tried first of a page's middle: bars stand at its edges.
#[test]
fn a_rail_of_icons_beside_a_blank_margin_stays() {
    let (height, rows, above) = (HEIGHT, 30, 100);
    let rail = Page::drawn(64, height, |x, y| {
        if y % 40 < 24 && (8..56).contains(&x) {
            let [red, green, blue, ..] = random(61, x, y);
            [red, green, blue, 255]
        } else {
            [245, 245, 245, 255]
        }
    });
    let prose = Page::prose(960, height, 62);
    // Lines of many lengths.
    let text = Page::drawn(960, height, |x, y| {
        let [length, ..] = random(64, 0, y / 20);
        if x < 30 + 3 * u32::from(length) {
            prose.color_at(x, y)
        } else {
            WHITE
        }
    });
    let pushed = pushed_down(&text, above, &Page::noise(960, rows, 63));
    for at_right in [false, true] {
        let place = |text: &Page| {
            if at_right {
                text.beside(&rail)
            } else {
                rail.beside(text)
            }
        };
        let result = compare(&place(&text), &place(&pushed), Alignment::Auto);
        let lone = u64::from(rows) * 960;
        assert_eq!(
            (result.inserted_pixels, result.removed_pixels),
            (lone, lone)
        );
        assert_eq!(result.changed_pixels, 2 * lone);
    }
}
