//! Bars of icons, a cell wide, at an edge of the page.

use pentimento_compute::Alignment;

use super::compare;
use super::lanes::pushed_down;
use crate::pages::{Page, WHITE, random};

/// Narrower than what is tried first of a page's middle: bars stand at its edges.
#[test]
fn a_rail_of_icons_stays() {
    let (height, rows, above) = (1080, 30, 100);
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
