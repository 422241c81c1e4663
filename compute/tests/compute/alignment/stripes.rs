//! Tables with faint stripes, which flip below a row that came or went: no row with a word is the same anywhere then.

use pentimento_compute::Alignment;
use proptest::prelude::*;

use super::{WIDTH, cases, compare};
use crate::pages::{Page, WHITE};

/// Rows of an entry.
const ENTRY: u32 = 32;

/// Above and below the table.
const TEXT: u32 = 200;

/// A text, a table of some entries, and more of the text.
fn page(entries: &[u64]) -> Page {
    let words: Vec<Page> = (entries.iter())
        .map(|&entry| Page::prose(WIDTH, 20, 800 + entry))
        .collect();
    let rows = table_rows(entries);
    let table = Page::drawn(WIDTH, rows, |x, y| {
        let (entry, row) = ((y / ENTRY) as usize, y % ENTRY);
        let word = match row {
            8..23 => words[entry].color_at(x, row - 8),
            _ => WHITE,
        };
        match (word, entry % 2) {
            (WHITE, 1) => [247, 247, 247, 255],
            _ => word,
        }
    });
    let text = Page::prose(WIDTH, 2 * TEXT, 71);
    Page::stacked(&[(&text, 0..TEXT), (&table, 0..rows), (&text, TEXT..2 * TEXT)])
}

fn table_rows(entries: &[u64]) -> u32 {
    ENTRY * u32::try_from(entries.len()).unwrap()
}

/// The rows of the baseline that went, as bands, and how many pixels changed in all.
fn removed(before: &Page, after: &Page) -> (Vec<(u32, u32)>, u64) {
    let result = compare(before, after, Alignment::Auto);
    let bands = &result.layout.lanes[0].bands;
    assert!(
        bands.iter().all(|band| band.baseline_y.is_some()),
        "{bands:?}"
    );
    let lone = bands.iter().filter(|band| band.current_y.is_none());
    let lone = lone
        .map(|band| (band.baseline_y.unwrap(), band.rows))
        .collect();
    (lone, result.changed_pixels)
}

proptest! {
    #![proptest_config(cases(40))]

    #[test]
    fn one_entry_that_went_is_told_where_it_was(count in 8..20_u64, place in 1..7_usize) {
        let entries: Vec<u64> = (0..count).collect();
        let mut left = entries.clone();
        left.remove(place);
        let (before, after) = (page(&entries), page(&left));
        let (bands, changed) = removed(&before, &after);
        let [(first, rows)] = bands[..] else { panic!("{bands:?}") };
        let entry = TEXT + u32::try_from(place).unwrap() * ENTRY;
        prop_assert_eq!(rows, ENTRY);
        // Blank rows of both entries are the same.
        prop_assert!((entry - 13..=entry + 8).contains(&first), "{first} for {entry}");
        prop_assert_eq!(changed, u64::from(ENTRY * WIDTH));
        let back = compare(&after, &before, Alignment::Auto);
        prop_assert_eq!(back.changed_pixels, changed);
    }

    #[test]
    fn what_lies_between_two_entries_that_went_goes_by_itself(place in 1..4_usize, between in 3..7_usize) {
        let entries: Vec<u64> = (0..16).collect();
        let gone = [place, place + between];
        let left = (entries.iter().copied().enumerate()).filter(|(at, _)| !gone.contains(at));
        let left: Vec<u64> = left.map(|(_, entry)| entry).collect();
        let (bands, changed) = removed(&page(&entries), &page(&left));
        prop_assert_eq!(bands.iter().map(|&(_, rows)| rows).collect::<Vec<_>>(), [ENTRY; 2]);
        for ((first, _), at) in bands.into_iter().zip(gone) {
            let entry = TEXT + u32::try_from(at).unwrap() * ENTRY;
            prop_assert!((entry - 13..=entry + 8).contains(&first), "{first} for {entry}");
        }
        prop_assert_eq!(changed, u64::from(2 * ENTRY * WIDTH));
    }
}
