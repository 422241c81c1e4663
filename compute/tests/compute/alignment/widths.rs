//! Tables whose columns got other widths, because a row with a long cell came or went: every word lies elsewhere along its row.

use pentimento_compute::{Alignment, Band};
use proptest::prelude::*;

use super::{cases, compare};
use crate::pages::{Page, WHITE, rect};
use crate::tables::{ENTRY, Table};

/// The bands of the part of the page where rows went, and those entries of the longer table that they lack.
fn entries_lacking(bands: &[Band]) -> Vec<u32> {
    let lone = bands.iter().filter(|band| band.current_y.is_none());
    // A band is as right from one text to the next as from rule to rule.
    lone.map(|band| (band.baseline_y.unwrap() + ENTRY / 2) / ENTRY)
        .collect()
}

proptest! {
    #![proptest_config(cases(16))]

    #[test]
    fn rows_are_found_wherever_their_words_lie(
        first in 3..9_u32, between in 6..10_u32, right in [40..110_u32, 40..110, 40..110], is_broken in any::<bool>(), has_bar in any::<bool>(),
    ) {
        let gone = [first, first + between];
        let long = Table::of(26);
        let mut short = Table { is_broken, ..long.clone() };
        short.entries.retain(|entry| !gone.contains(entry));
        for (column, by) in short.columns[1..].iter_mut().zip(right) {
            *column += by;
        }
        let pages = [long, short].map(|table| {
            let table = table.page();
            if !has_bar {
                return table;
            }
            let bar = Page::flat(150, table.size.height, WHITE).fill(rect(0, 0, 150, 500), [30, 41, 59, 255]);
            bar.beside(&table)
        });
        let [before, after] = &pages;
        let result = compare(before, after, Alignment::Auto);
        let lanes = &result.layout.lanes;
        prop_assert_eq!(lanes.len(), 1 + usize::from(has_bar), "{:?}", result.layout);
        prop_assert_eq!(entries_lacking(&lanes[usize::from(has_bar)].bands), gone, "{:?}", result.layout);
        let back = compare(after, before, Alignment::Auto);
        prop_assert_eq!(back.changed_pixels, result.changed_pixels);
        prop_assert_eq!(back.inserted_pixels, result.removed_pixels);
    }
}
