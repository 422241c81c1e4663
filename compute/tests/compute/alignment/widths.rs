//! Tables whose columns got other widths, because a row with a long cell came or went: every word lies elsewhere along its row.

use pentimento_compute::{Alignment, Band};
use proptest::prelude::*;

use super::{cases, compare};
use crate::pages::{Page, WHITE, random, rect};

/// Rows of an entry, of which the middle ones hold its words and the last one is a rule.
const ENTRY: u32 = 34;

const WIDTH: u32 = 900;

/// Where the columns of a table begin.
type Columns = [u32; 4];

const NARROW: Columns = [20, 190, 400, 720];

/// Some entries. Words that do not begin at a whole pixel are drawn a quarter of a pixel further to the left.
fn table(entries: &[u32], columns: Columns, is_broken: bool) -> Page {
    let cells: Vec<[Page; 4]> = (entries.iter())
        .map(|&entry| {
            [0, 1, 2, 3].map(|column| Page::prose(100, 11, u64::from(1000 + 10 * entry + column)))
        })
        .collect();
    let grey = |entry: usize, column: usize, x: u32, y: u32| {
        let length = 30 + u32::from(random(79, entries[entry], 28)[column]) % 60;
        let at = |x: u32| match x {
            x if x < length => u32::from(cells[entry][column].color_at(x, y)[0]),
            _ => 255,
        };
        let grey = if is_broken && column > 0 {
            (3 * at(x) + at(x + 1)) / 4
        } else {
            at(x)
        };
        u8::try_from(grey).unwrap()
    };
    let rows = ENTRY * u32::try_from(entries.len()).unwrap();
    Page::drawn(WIDTH, rows, |x, y| {
        let (entry, row) = ((y / ENTRY) as usize, y % ENTRY);
        let column = columns.iter().rposition(|&first| first <= x);
        let grey = match (row, column) {
            (33, _) => 220,
            (11..22, Some(column)) => grey(entry, column, x - columns[column], row - 11),
            _ => 255,
        };
        [grey, grey, grey, 255]
    })
}

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
        let all: Vec<u32> = (0..26).collect();
        let left: Vec<u32> = all.iter().copied().filter(|entry| !gone.contains(entry)).collect();
        let mut wide = NARROW;
        for (column, by) in wide[1..].iter_mut().zip(right) {
            *column += by;
        }
        let pages = [(all, NARROW, false), (left, wide, is_broken)].map(|(entries, columns, is_broken)| {
            let table = table(&entries, columns, is_broken);
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
