//! Gradients, which browsers dither by their place on the screen: rows that moved are no longer the same to the last bit.

use pentimento_compute::{Alignment, Band};
use proptest::prelude::*;

use super::{WIDTH, cases, compare};
use crate::pages::Page;

proptest! {
    #![proptest_config(cases(40))]

    /// A gradient is dithered by its place on the screen, so that its rows are the same as others of it when it was pushed
    /// down by anything but the pattern's height.
    #[test]
    fn a_dithered_gradient_goes_the_way_of_what_is_around_it(rows in 20..90_u32, height in 30..120_u32) {
        let text = Page::prose(WIDTH, 400, 51);
        let news = Page::noise(WIDTH, rows, 52);
        let at = |top: u32| {
            Page::drawn(WIDTH, height, |x, y| {
                let level = u8::try_from(60 + x / 2 + u32::from((x * 5 + (top + y) * 3) % 8 < x % 8)).unwrap();
                [level, level, 200, 255]
            })
        };
        let before = Page::stacked(&[(&text, 0..200), (&at(200), 0..height), (&text, 200..400)]);
        let parts = [(&text, 0..100), (&news, 0..rows), (&text, 100..200)];
        let bar = at(200 + rows);
        let after = Page::stacked(&[&parts[..], &[(&bar, 0..height), (&text, 200..400)]].concat());
        let result = compare(&before, &after, Alignment::Auto);
        let inserted = |band: &Band| (band.y, band.rows, band.baseline_y, band.current_y);
        let bands: Vec<_> = result.layout.lanes[0].bands.iter().map(inserted).collect();
        let below = 300 + height;
        prop_assert_eq!(bands, [
            (0, 100, Some(0), Some(0)),
            (100, rows, None, Some(100)),
            (100 + rows, below, Some(100), Some(100 + rows)),
        ]);
    }

    /// A banner above a gradient with words in it: blank rows between them may be the same where they were, and the words are not.
    #[test]
    fn a_gradient_with_words_goes_the_way_of_what_is_below_it(rows in 20..90_u32, height in 60..300_u32, steep in 4..40_u32) {
        let text = Page::prose(WIDTH, 200, 54);
        let (words, banner) = (Page::prose(WIDTH, height, 55), Page::noise(WIDTH, rows, 56));
        let at = |top: u32| {
            Page::drawn(WIDTH, height, |x, y| match words.color_at(x, y) {
                [255, ..] => {
                    let level = u8::try_from(60 + x / 2 + y / steep + u32::from((x * 5 + (top + y) * 3) % 8 < x % 8)).unwrap();
                    [level, level, 200, 255]
                }
                ink => ink,
            })
        };
        let before = Page::stacked(&[(&at(0), 0..height), (&text, 0..200)]);
        let after = Page::stacked(&[(&banner, 0..rows), (&at(rows), 0..height), (&text, 0..200)]);
        let lone = |baseline_y, current_y| {
            let result = match baseline_y {
                None => compare(&before, &after, Alignment::Auto),
                Some(_) => compare(&after, &before, Alignment::Auto),
            };
            let bands: Vec<_> = result.layout.lanes[0].bands.iter().map(|band| (band.rows, band.baseline_y, band.current_y)).collect();
            assert_eq!(bands[0], (rows, baseline_y, current_y), "{bands:?}");
            assert_eq!(bands.len(), 2, "{bands:?}");
            result.changed_pixels
        };
        let of_banner = u64::from(rows) * u64::from(WIDTH);
        prop_assert_eq!([lone(None, Some(0)), lone(Some(0), None)], [of_banner; 2]);
    }

    /// A gradient that became a little lighter is the same as itself further on, and went nowhere all the same: at either end of
    /// a page and between texts.
    #[test]
    fn a_gradient_in_another_shade_stays(
        height in 100..700_u32,
        rows_a_level in 2..7_u32,
        shade in 1..=25_u8,
        edges in any::<[bool; 2]>(),
    ) {
        let text = Page::prose(WIDTH, 200, 53);
        let bar = |shade: u8| {
            Page::drawn(WIDTH, height, |x, y| {
                let level = u8::try_from((y / rows_a_level + x / 40) % 200).unwrap() + shade;
                [level, 20 + level, 30 + level, 255]
            })
        };
        let page = |shade| {
            let bar = bar(shade);
            let [above, below] = edges.map(|edge| if edge { 0..0 } else { 0..200 });
            Page::stacked(&[(&text, above), (&bar, 0..height), (&text, below)])
        };
        let (before, after) = (page(0), page(shade));
        let auto = compare(&before, &after, Alignment::Auto);
        prop_assert!(auto == compare(&before, &after, Alignment::Off));
        prop_assert_eq!(auto.changed_pixels, 0);
    }
}
