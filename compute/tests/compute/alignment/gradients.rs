//! Gradients, which browsers dither by their place on the screen: rows that moved are no longer the same to the last bit.

use pentimento_compute::{Alignment, Band};
use proptest::prelude::*;

use super::blocks::table;
use super::{WIDTH, cases, compare};
use crate::pages::{Page, WHITE, random};

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

    /// The gradient of a bar reaches over the whole page, and changes a little wherever the page grows: the bar stays, its entries too.
    #[test]
    fn a_bar_with_a_gradient_stays_where_the_page_beside_it_grew(rows in 20..120_u32, seed in 60..90_u64) {
        let (bar_width, height) = (128, 700);
        let (text, news) = (Page::prose(WIDTH, height, seed), Page::noise(WIDTH, rows, seed + 1));
        let entries = Page::prose(bar_width, 260, seed + 2);
        let bar = |height: u32| {
            Page::drawn(bar_width, height, |x, y| {
                let is_ink = y < 260 && entries.color_at(x, y) != WHITE;
                let level = 60 + (y * 400 / height + (x * 5 + y * 3) % 8) / 8;
                let level = u8::try_from(level).unwrap();
                if is_ink { [230, 230, 240, 255] } else { [level, level + 20, 180, 255] }
            })
        };
        let grown = Page::stacked(&[(&text, 0..160), (&news, 0..rows), (&text, 160..height)]);
        let (before, after) = (bar(height).beside(&text), bar(height + rows).beside(&grown));
        let result = compare(&before, &after, Alignment::Auto);
        let bands = |lane: usize| -> Vec<_> {
            result.layout.lanes[lane].bands.iter().map(|band| (band.rows, band.baseline_y, band.current_y)).collect()
        };
        prop_assert_eq!(result.layout.lanes.len(), 2, "{:?}", result.layout);
        prop_assert_eq!(bands(0), [(height, Some(0), Some(0)), (rows, None, Some(height))]);
        prop_assert_eq!(bands(1), [
            (160, Some(0), Some(0)),
            (rows, None, Some(160)),
            (height - 160, Some(160), Some(160 + rows)),
        ]);
    }

    /// Entries of a table are gone, and beside it a gradient that reaches over the whole page makes no row the same as any before.
    #[test]
    fn each_entry_that_is_gone_beside_a_gradient_is_found(first in 1..5_usize, between in 2..4_usize, height in 40..56_u32) {
        let entries: Vec<u32> = (0..12).collect();
        let second = first + between;
        let left: Vec<u32> = entries.iter().copied().filter(|&entry| ![first, second, second + 1].contains(&(entry as usize))).collect();
        let page = |entries: &[u32]| {
            let table = table(entries, height);
            let text = Page::prose(table.size.width, 200, 57);
            let main = Page::stacked(&[(&text, 0..100), (&table, 0..table.size.height), (&text, 100..200)]);
            let rows = main.size.height;
            let bar = Page::drawn(160, rows, |x, y| {
                let level = u8::try_from(60 + (y * 800 / rows + (x * 5 + y * 3) % 8) / 8).unwrap();
                [level, level + 20, 180, 255]
            });
            bar.beside(&main)
        };
        let result = compare(&page(&entries), &page(&left), Alignment::Auto);
        let main = result.layout.lanes.last().unwrap();
        let gone: Vec<(u32, u32)> = main.bands.iter().filter(|band| band.current_y.is_none())
            .map(|band| (band.baseline_y.unwrap(), band.rows))
            .collect();
        let place = |entry: usize| 100 + u32::try_from(entry).unwrap() * height;
        let [(one, of_one), (other, of_other)] = gone.as_slice() else {
            panic!("{:?}", result.layout);
        };
        prop_assert_eq!([*of_one, *of_other], [height, 2 * height]);
        prop_assert!(one.abs_diff(place(first)) < height && other.abs_diff(place(second)) < height, "{:?}", gone);
    }
}

/// A faint pattern stays on the page's ground while the text that is written on it moves by other than whole periods: more rows are the
/// same where nothing went than hardly differ where the text did.
#[test]
fn a_tall_page_moves_over_a_faint_pattern() {
    let (height, rows) = (20_000, 284);
    let text = Page::prose(WIDTH, height, 58);
    let pattern = |x: u32, y: u32| {
        let level = 243 + random(59, x % 50, y % 50)[0] % 9;
        [level, level, level, 255]
    };
    let on_pattern = |page: &Page| {
        Page::drawn(WIDTH, page.size.height, |x, y| match page.color_at(x, y) {
            WHITE => pattern(x, y),
            ink => ink,
        })
    };
    let news = Page::noise(WIDTH, rows, 60);
    let pushed = Page::stacked(&[(&text, 0..500), (&news, 0..rows), (&text, 500..height)]);
    let result = compare(&on_pattern(&text), &on_pattern(&pushed), Alignment::Auto);
    let of_news = u64::from(rows) * u64::from(WIDTH);
    assert_eq!(
        [result.inserted_pixels, result.changed_pixels],
        [of_news; 2],
        "{:?}",
        result.layout
    );
}
