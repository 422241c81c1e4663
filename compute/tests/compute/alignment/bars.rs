//! Bars at the edges of a page whose rows are told by few columns: tables whose columns grew wider, and long lists.

use pentimento_compute::{Alignment, Comparison};
use proptest::prelude::*;

use super::{cases, compare};
use crate::pages::{Page, WHITE, random, rect};

/// Rows of an entry.
const ENTRY: u32 = 34;

/// Columns of a table with its margins.
const TABLE: u32 = 700;

/// Rows above the table.
const HEAD: u32 = 90;

const GROUND: [u8; 4] = [244, 246, 250, 255];

const BAR: [u8; 4] = [30, 41, 59, 255];

/// A table of some entries with rules between them, between a headline and a text; all cells of an entry but the first and the last
/// lie so much further to the right.
fn table(entries: &[u64], right: u32) -> Page {
    let rows = ENTRY * u32::try_from(entries.len()).unwrap();
    let words: Vec<[Page; 4]> = (entries.iter())
        .map(|&entry| [0, 1, 2, 3].map(|column| Page::prose(90, 11, 900 + entry + 100 * column)))
        .collect();
    let length = |entry: usize, column: usize| {
        let entry = u32::try_from(entries[entry]).unwrap();
        20 + u32::from(random(73, entry, u32::try_from(column).unwrap())[0]) % 70
    };
    let ink = |entry: usize, column: usize, x: u32, y: u32| {
        let first = [20, 180, 350, 560][column];
        match x.checked_sub(first) {
            Some(x) if x < length(entry, column) => words[entry][column].color_at(x, y)[0],
            _ => 255,
        }
    };
    let table = Page::drawn(TABLE, rows, |x, y| {
        let (entry, row) = ((y / ENTRY) as usize, y % ENTRY);
        let column = (x / 175) as usize;
        let grey = match row {
            33 => 220,
            11..22 if column == 1 || column == 2 => x
                .checked_sub(right)
                .map_or(255, |x| ink(entry, column, x, row - 11)),
            11..22 => ink(entry, column, x, row - 11),
            _ => 255,
        };
        [grey, grey, grey, 255]
    });
    let text = Page::prose(TABLE, HEAD + 120, 71);
    Page::stacked(&[
        (&text, 0..HEAD),
        (&table, 0..rows),
        (&text, HEAD..HEAD + 120),
    ])
}

/// A bar of a list of words, as tall as a window, and the ground of the page below it.
fn bar(width: u32, window: u32, height: u32) -> Page {
    let words = Page::prose(width - 40, 160, 72);
    Page::drawn(width, height, |x, y| {
        let is_word = (20..width - 20).contains(&x) && (20..180).contains(&y);
        if y >= window {
            GROUND
        } else if is_word && words.color_at(x - 20, y - 20) != WHITE {
            [200, 210, 220, 255]
        } else {
            BAR
        }
    })
}

/// A page and what became of it when some entries went and columns grew wider, its bar at the left or the right.
fn pages(gone: &[usize], width: u32, window: u32, right: u32, is_left: bool) -> [Page; 2] {
    let all: Vec<u64> = (0..24).collect();
    let left = (all.iter().copied().enumerate()).filter(|(at, _)| !gone.contains(at));
    let left: Vec<u64> = left.map(|(_, entry)| entry).collect();
    [(all, 0), (left, right)].map(|(entries, right)| {
        let table = table(&entries, right);
        let bar = bar(width, window, table.size.height);
        if is_left {
            bar.beside(&table)
        } else {
            table.beside(&bar)
        }
    })
}

/// The first columns of lanes, and how many rows each lacks.
fn lanes(result: &Comparison) -> Vec<(u32, u32)> {
    let lanes = result.layout.lanes.iter();
    let lone = |lane: &pentimento_compute::Lane| {
        let lone = lane.bands.iter().filter(|band| band.current_y.is_none());
        lone.map(|band| band.rows).sum()
    };
    lanes.map(|lane| (lane.x, lone(lane))).collect()
}

proptest! {
    #![proptest_config(cases(24))]

    #[test]
    fn a_flat_bar_stays_beside_a_table_whose_columns_grew_wider(
        first in 2..6_usize, between in 2..6_usize, width in 130..330_u32, window in 400..700_u32, right in 2..6_u32, is_left in any::<bool>(),
    ) {
        let gone = [first, first + 1, first + 1 + between];
        let [before, after] = pages(&gone, width, window, right, is_left);
        let result = compare(&before, &after, Alignment::Auto);
        let seam = if is_left { width } else { TABLE };
        prop_assert_eq!(lanes(&result), [(0, 3 * ENTRY), (seam, 3 * ENTRY)], "{:?}", result.layout);
        // In the bar nothing came or went but the rows at its end.
        let bar = if is_left { &result.layout.lanes[0] } else { &result.layout.lanes[1] };
        prop_assert_eq!(bar.bands.len(), 2, "{:?}", bar.bands);
        let back = compare(&after, &before, Alignment::Auto);
        prop_assert_eq!(back.changed_pixels, result.changed_pixels);
        prop_assert_eq!(back.inserted_pixels, result.removed_pixels);
    }

    /// Of a list of folders the number of new letters is another one, and letters are gone.
    #[test]
    fn a_list_with_an_edited_number_stays(first in 1..5_usize, width in 130..330_u32, row in 0..5_u32) {
        let [before, after] = pages(&[first, first + 3], width, 900, 0, true);
        let after = after.fill(rect(60, 22 + 20 * row, 14, 9), [200, 210, 220, 255]);
        let result = compare(&before, &after, Alignment::Auto);
        let found = lanes(&result);
        prop_assert_eq!(&found, &[(0, 2 * ENTRY), (width, 2 * ENTRY)], "{:?}", result.layout);
        let lone = u64::from(2 * ENTRY * (width + TABLE));
        prop_assert_eq!(result.removed_pixels, lone);
        prop_assert!(result.changed_pixels <= lone + 14 * 9, "{} {:?}", result.changed_pixels, result.layout);
    }

    /// Where it ends nobody sees: not in its words.
    #[test]
    fn a_bar_that_fades_into_the_page_stays(first in 2..6_usize, width in 130..330_u32, right in 2..6_u32) {
        let fading = |page: &Page| {
            Page::drawn(page.size.width, page.size.height, |x, y| match page.color_at(x, y) {
                BAR if x < width => [0, 1, 2, 3].map(|channel| {
                    let (dark, light) = (u32::from(BAR[channel]), u32::from(WHITE[channel]));
                    u8::try_from((dark * (width - x) + light * x) / width).unwrap()
                }),
                GROUND => WHITE,
                color => color,
            })
        };
        let [before, after] = pages(&[first, first + 3], width, 600, right, true).map(|page| fading(&page));
        let found = lanes(&compare(&before, &after, Alignment::Auto));
        let [(0, 68), (seam, 68)] = found[..] else { panic!("{found:?}") };
        prop_assert!((width - 20..=width + 20).contains(&seam), "{seam} of {width}");
    }
}
