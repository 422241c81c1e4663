//! Side bars that stay while the page beside them moves.

use pentimento_compute::{Alignment, Band};
use proptest::prelude::*;

use super::{compare, lane};
use crate::pages::{BLACK, Page, WHITE, random};

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 40,
        failure_persistence: None,
        ..ProptestConfig::default()
    })]

    /// The side bar stays, the page beside it gets rows; both pages are cut to one height.
    #[test]
    fn a_fixed_side_bar_is_a_lane(rows in 4..200_u32, above in 70..300_u32, at_right in any::<bool>()) {
        let height = 900;
        let bar = Page::prose(128, height, 31);
        let text = Page::noise(384, height, 32);
        let news = Page::noise(384, rows, 33);
        let pushed = Page::stacked(&[
            (&text, 0..above),
            (&news, 0..rows),
            (&text, above..height - rows),
        ]);
        let place = |text: &Page| if at_right { text.beside(&bar) } else { bar.beside(text) };
        let result = compare(&place(&text), &place(&pushed), Alignment::Auto);
        let still = Band { y: 0, rows: height, baseline_y: Some(0), current_y: Some(0), moved: None };
        let bands = [
            Band { rows: above, ..still },
            Band { y: above, rows, baseline_y: None, current_y: Some(above), moved: None },
            Band {
                y: above + rows,
                rows: height - rows - above,
                baseline_y: Some(above),
                current_y: Some(above + rows),
                moved: None,
            },
            Band {
                y: height,
                rows,
                baseline_y: Some(height - rows),
                current_y: None,
                moved: None,
            },
        ];
        let expected = if at_right {
            [lane(0, 384, &bands), lane(384, 128, &[still])]
        } else {
            [lane(0, 128, &[still]), lane(128, 384, &bands)]
        };
        prop_assert_eq!(result.layout.lanes, expected);
        let lone = u64::from(rows) * 384;
        prop_assert_eq!((result.inserted_pixels, result.removed_pixels), (lone, lone));
        prop_assert_eq!(result.changed_pixels, 2 * lone);
        // A pixel in either lane, below what was inserted.
        let edited = [20, 500].into_iter().fold(place(&pushed), |page, x| {
            let y = above + rows + 30;
            let [_, green, ..] = page.color_at(x, y);
            page.pixel(x, y, if green < 128 { WHITE } else { BLACK })
        });
        let result = compare(&place(&text), &edited, Alignment::Auto);
        prop_assert_eq!(result.layout.lanes.len(), 2);
        prop_assert_eq!(result.changed_pixels, 2 * lone + 2);
    }

    /// A side bar in which hardly anything stands stays as well.
    #[test]
    fn a_side_bar_of_few_lines_is_a_lane(rows in 10..60_u32, lines in 1..4_u32, first in 330..400_u32) {
        let height = 900;
        let mut bar = Page::flat(128, height, WHITE);
        for line in 0..lines {
            for (y, x) in (0..10).flat_map(|y| (0..60).map(move |x| (y, x))) {
                if random(77, x, line * 10 + y)[0].is_multiple_of(3) {
                    bar = bar.pixel(20 + x, first + line * 120 + y, [0, 0, 0, 255]);
                }
            }
        }
        let text = Page::prose(384, height, 32);
        let news = Page::noise(384, rows, 33);
        let pushed = Page::stacked(&[(&text, 0..300), (&news, 0..rows), (&text, 300..height - rows)]);
        let result = compare(&bar.beside(&text), &bar.beside(&pushed), Alignment::Auto);
        prop_assert_eq!(result.layout.lanes.len(), 2, "{:?}", result.layout.lanes);
        let lone = u64::from(rows) * 384;
        prop_assert_eq!((result.inserted_pixels, result.removed_pixels), (lone, lone));
    }
}
