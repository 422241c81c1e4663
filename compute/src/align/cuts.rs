//! Where rows came or went among rows that differ on either side: the pixels say.
//!
//! What finds where rows went is certain only of those that are the same. Of a table with faint stripes and lines of broken height
//! hardly a row is, and the cut between two ways lies some entries too low: rows stay until enough of them tell that they went. A band
//! that one picture alone has is slid up to where the rows beside it leave least to look at, if that is far less. It is never slid down:
//! among rows that are much alike, beside a bar that stayed, less is left the longer all of them stay.

use std::ops::Range;

use super::LANES_WORTH_ROWS;
use super::likeness::{compared_rows, differing_pixels, hardly_differ};
use super::run::{Run, length};
use super::stretch::{Stretch, slid_up};
use crate::loaded::Passing;

/// How far a band is slid at most, in rows.
const MAX_SLIDE_ROWS: u32 = 512;

/// Of the pixels that differ in rows which go another way after a slide, one in this number must be gone: where a page was recoloured
/// they are hardly fewer wherever it is cut.
const GAIN_SHARE: u64 = 5;

/// How rows of both pictures differ, by their numbers.
struct Differing<'a> {
    /// Whether they hardly do.
    hardly: &'a dyn Fn(u32, u32) -> bool,
    /// In how many pixels.
    pixels: &'a dyn Fn(u32, u32) -> u64,
}

/// The bands of some columns, cut where far fewer pixels differ.
pub(super) fn cut_well(
    passing: &Passing<'_, '_>,
    columns: &Range<u32>,
    bands: Vec<Stretch>,
) -> Vec<Stretch> {
    let rows = &passing.loaded.rows;
    let end = Run {
        baseline: length(&rows.baseline),
        current: length(&rows.current),
        rows: 0,
    };
    // Rows beyond a tall band lie in other strips.
    let beyond = Passing::of(passing.loaded);
    let differing = Differing {
        hardly: &|ours, theirs| hardly_differ(passing, columns.clone(), ours, theirs),
        pixels: &|ours, theirs| differing_pixels(&beyond, columns, (ours, theirs)),
    };
    slid(bands, &differing, &mut compared_rows(end))
}

/// The bands, those that one picture alone has slid up to where far fewer pixels differ; so many rows are looked at by their pixels.
fn slid(bands: Vec<Stretch>, differing: &Differing<'_>, rows_left: &mut u32) -> Vec<Stretch> {
    slid_up(bands, |above, below| {
        best_slide(above, below, differing, rows_left)
    })
}

/// How many of the last rows of a band go with the one below what lies between them, the fewest of those that leave least; `None` when
/// that is not far less, or for bands that pair no rows.
fn best_slide(
    above: Stretch,
    below: Stretch,
    differing: &Differing<'_>,
    rows_left: &mut u32,
) -> Option<u32> {
    let as_is = (above.baseline? + above.rows, above.current? + above.rows);
    let slid = (below.baseline?, below.current?);
    let nth = |(ours, theirs): (u32, u32), row: u32| (ours - row, theirs - row);
    let differs = |row: &u32| {
        let (ours, theirs) = nth(as_is, *row);
        !(differing.hardly)(ours, theirs)
    };
    // Some of the upper band stays.
    let rows = (above.rows - 1).min(MAX_SLIDE_ROWS);
    let farthest = (1..=rows).rev().find(differs)?;
    let (mut before, mut after) = (0, 0);
    let (mut best, mut found) = (0, None);
    for row in 1..=farthest {
        *rows_left = rows_left.checked_sub(2)?;
        for (pair, pixels) in [(as_is, &mut before), (slid, &mut after)] {
            let (ours, theirs) = nth(pair, row);
            *pixels += (differing.pixels)(ours, theirs);
        }
        let gain = before.saturating_sub(after);
        if gain > best {
            let is_far_less = gain * GAIN_SHARE >= before;
            (best, found) = (gain, is_far_less.then_some(row));
        }
    }
    found.filter(|&rows| rows as usize >= LANES_WORTH_ROWS)
}

#[cfg(test)]
mod tests {
    use super::*;

    const BLANK: u8 = 0;

    /// Entries of 20 rows: 10 of their number, 10 blank ones.
    fn table(entries: &[u8]) -> Vec<u8> {
        let rows = |&entry: &u8| [[entry; 10], [BLANK; 10]].concat();
        entries.iter().flat_map(rows).collect()
    }

    /// The bands of two tables, of which 20 rows from one of the current picture on are said to have come.
    fn cut_at(row: u32, [before, after]: &[Vec<u8>; 2]) -> Vec<Stretch> {
        let rest = length(before) - row;
        assert_eq!(length(after), row + 20 + rest);
        vec![
            Stretch::new(row, Some(0), Some(0)),
            Stretch::new(20, None, Some(row)),
            Stretch::new(rest, Some(row), Some(row + 20)),
        ]
    }

    /// What is left of them, where entries differ in so many pixels of others.
    fn slid_in(
        bands: &[Stretch],
        tables: &[Vec<u8>; 2],
        pixels: u64,
        mut rows: u32,
    ) -> Vec<Stretch> {
        let [before, after] = tables;
        let hardly = |ours: u32, theirs: u32| before[ours as usize] == after[theirs as usize];
        let differing = Differing {
            hardly: &hardly,
            pixels: &|ours, theirs| if hardly(ours, theirs) { 0 } else { pixels },
        };
        slid(bands.to_vec(), &differing, &mut rows)
    }

    #[test]
    fn a_band_some_entries_too_low_is_slid_to_its_place() {
        let tables = [
            table(&[1, 2, 3, 4, 5, 6, 7, 8, 9]),
            table(&[1, 2, 3, 4, 20, 5, 6, 7, 8, 9]),
        ];
        let right = cut_at(80, &tables);
        for row in [140, 160] {
            let found = slid_in(&cut_at(row, &tables), &tables, 5, 1_000);
            // Where entries begin with blank rows is not told.
            let first = found[1].current.expect("rows came");
            assert!((70..=90).contains(&first), "{row}: {found:?}");
        }
        assert_eq!(slid_in(&right, &tables, 5, 1_000), right);
    }

    #[test]
    fn what_is_near_or_hardly_better_stays() {
        let tables = [
            table(&[1, 2, 3, 4, 5, 6, 7, 8, 9]),
            table(&[1, 2, 3, 4, 20, 5, 6, 7, 8, 9]),
        ];
        let near = cut_at(100, &tables);
        assert_eq!(slid_in(&near, &tables, 5, 1_000), near);
        let none_looked_at = cut_at(160, &tables);
        assert_eq!(slid_in(&none_looked_at, &tables, 5, 10), none_looked_at);
        // All was drawn anew but for an entry.
        let other = [
            table(&[1, 2, 3, 4, 5, 6, 7, 8, 9]),
            table(&[11, 12, 13, 14, 20, 15, 16, 17, 7, 8]),
        ];
        let low = cut_at(160, &other);
        assert_eq!(slid_in(&low, &other, 5, 1_000), low);
    }
}
