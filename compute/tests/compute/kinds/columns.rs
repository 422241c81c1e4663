//! Tables whose columns got other widths, because a row with a long cell came or went: what went with its column is one region with it.

use pentimento_compute::{Rect, Region, RegionKind};
use proptest::prelude::*;

use super::{check, regions};
use crate::alignment::cases;
use crate::pages::{BLACK, Page, WHITE, rect};
use crate::tables::{Columns, ENTRY, NARROW, Table, WIDTH, WORDS};

const ENTRIES: u32 = 26;

/// Columns whose words went these many pixels to the right; the first one stayed.
fn wider(right: [u32; 3]) -> Columns {
    let [first, second, third] = right;
    let [stays, one, two, three] = NARROW;
    [stays, one + first, two + second, three + third]
}

/// Where a cell of a column is on the canvas, which shows the rows of the longer table.
fn cell(entry: u32, at: u32) -> Rect {
    rect(at, entry * ENTRY + WORDS.start, 90, 11)
}

fn overlap(one: Rect, other: Rect) -> bool {
    let beside = |one: u32, width: u32, other: u32| other < one + width;
    beside(one.x, one.width, other.x)
        && beside(other.x, other.width, one.x)
        && beside(one.y, one.height, other.y)
        && beside(other.y, other.height, one.y)
}

/// How far columns of the table are said to have gone, and the other regions.
fn sorted(found: Vec<Region>) -> (Vec<i32>, Vec<Region>) {
    let (mut went, mut others) = (Vec::new(), Vec::new());
    for region in found {
        match region.kind {
            RegionKind::Shifted { x, y: 0 } => went.push(x),
            _ => others.push(region),
        }
    }
    (went, others)
}

#[test]
fn each_column_is_one_region() {
    let before = Table::of(ENTRIES);
    let mut after = before.clone();
    after.entries.retain(|&entry| entry != 14);
    for (right, is_broken) in [([30, 46, 100], false), ([90, 12, 70], true)] {
        after.columns = wider(right);
        after.is_broken = is_broken;
        let (one, other) = (before.page(), after.page());
        let right = right.map(u32::cast_signed);
        for (from, to, sign) in [(&one, &other, 1), (&other, &one, -1)] {
            let (mut went, others) = sorted(regions(from, to));
            went.sort_unstable();
            // What came or went cuts each of them in two.
            let mut expected: Vec<i32> = right.iter().flat_map(|x| [x * sign; 2]).collect();
            expected.sort_unstable();
            assert_eq!(went, expected, "{others:?}");
            assert_eq!(others.len(), 1, "{others:?}");
        }
    }
}

#[test]
fn columns_beside_a_bar_are_told_as_well() {
    let bar = Page::flat(150, ENTRIES * ENTRY, WHITE).fill(rect(0, 0, 150, 500), [30, 41, 59, 255]);
    let before = Table::of(ENTRIES);
    let after = Table {
        columns: wider([40, 60, 80]),
        ..before.clone()
    };
    let [before, after] = [before, after].map(|table| bar.beside(&table.page()));
    let (mut went, others) = sorted(regions(&before, &after));
    went.sort_unstable();
    assert_eq!(
        (went.as_slice(), others.len()),
        ([40, 60, 80].as_slice(), 0),
        "{others:?}"
    );
}

/// Of three equal columns the first is hidden: what it showed stands beside it, as it did before.
#[test]
fn what_is_gone_beside_its_like_did_not_go_there() {
    let columns = |first: usize| {
        Page::drawn(400, 400, |x, y| {
            let (column, at) = (x as usize / 120, x % 120);
            let is_ink = (at * 7 + y * 3) % 11 < 5 && at < 60 && y % 32 < 12;
            if is_ink && (first..3).contains(&column) {
                BLACK
            } else {
                WHITE
            }
        })
    };
    check("hidden", &columns(0), &columns(1), &[RegionKind::Removed]);
    check("shown", &columns(1), &columns(0), &[RegionKind::Added]);
}

proptest! {
    #![proptest_config(cases(16))]

    #[test]
    fn what_a_cell_shows_otherwise_is_told_by_itself(
        gone in 3..20_u32, right in [10..110_u32, 10..110, 10..90], is_broken in any::<bool>(),
        edited in proptest::collection::vec((0..ENTRIES, 1..4_usize), 0..5),
    ) {
        let before = Table::of(ENTRIES);
        let mut after = Table { columns: wider(right), is_broken, edited, ..before.clone() };
        after.entries.retain(|&entry| entry != gone);
        after.edited.retain(|&(entry, _)| entry != gone);
        let (one, other) = (before.page(), after.page());
        for (from, to, sign) in [(&one, &other, 1), (&other, &one, -1)] {
            let (went, others) = sorted(regions(from, to));
            let columns = right.map(|x| sign * x.cast_signed());
            // Columns beside each other of which one went a pixel further are told as one.
            let is_of = |all: &[i32], x: i32| all.iter().any(|other| x.abs_diff(*other) <= 1);
            prop_assert!(went.iter().all(|x| is_of(&columns, *x)), "{:?} of {:?}", went, columns);
            prop_assert!(columns.iter().all(|x| is_of(&went, *x)), "{:?} of {:?}", went, columns);
            // What came or went cuts each column in two, and so does each edit at most.
            prop_assert!(went.len() <= 3 * (2 + after.edited.len()), "{:?}", went);
            for &(entry, column) in &after.edited {
                let places = [before.columns, after.columns].map(|columns| cell(entry, columns[column]));
                let is_told = others.iter().any(|region| places.iter().any(|place| overlap(region.area, *place)));
                prop_assert!(is_told, "{} {} of {:?}", entry, column, others);
            }
            prop_assert!(others.iter().all(|region| region.area.x + region.area.width <= WIDTH));
        }
    }
}
