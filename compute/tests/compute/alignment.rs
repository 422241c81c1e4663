//! Rows that were inserted, removed or moved are found exactly, and nothing else is.

mod bars;
mod blocks;
mod gradients;
mod lanes;
mod looks;
mod loose;
mod rails;
mod seams;
mod story;
mod stripes;
mod strips;
mod widths;

use pentimento_compute::{
    Alignment, AntiAliasing, Band, BitMask, CompareOptions, Comparison, Lane, MAX_SIDE, RegionKind,
};
use proptest::prelude::*;

use crate::both;
use crate::pages::{Page, WHITE, rect};

use story::{Step, Story, steps, swap};

/// Pixels across; wide enough that no two lines of text are alike by chance.
const WIDTH: u32 = 160;

/// Every pixel beyond the threshold counts, so that planted ones can be counted exactly.
fn options(alignment: Alignment) -> CompareOptions {
    CompareOptions {
        anti_aliasing: AntiAliasing::Include,
        alignment,
        ..CompareOptions::default()
    }
}

/// So many cases of a property; what fails is told, not written down.
pub(crate) fn cases(cases: u32) -> ProptestConfig {
    ProptestConfig {
        cases,
        failure_persistence: None,
        ..ProptestConfig::default()
    }
}

fn compare(one: &Page, other: &Page, alignment: Alignment) -> Comparison {
    both::compare(&one.png(), &other.png(), &options(alignment))
}

fn lane(x: u32, width: u32, bands: &[Band]) -> Lane {
    Lane {
        x,
        width,
        bands: bands.to_vec(),
    }
}

fn any_places() -> impl Strategy<Value = Vec<(u32, u32)>> {
    proptest::collection::vec((any::<u32>(), any::<u32>()), 0..5)
}

proptest! {
    #![proptest_config(cases(40))]

    /// At the top and at the end of the page as well. Below it are no rows, or so many that blank ones are not rare.
    #[test]
    fn one_insertion_anywhere(
        rows in 1..=300_u32,
        (above, below) in prop_oneof![
            4 => (0..500_u32, 60..120_u32),
            1 => (Just(0_u32), 60..120_u32),
            1 => (1..500_u32, Just(0_u32)),
        ],
        places in any_places(),
    ) {
        let mut story = Story::of(&[Step::Keep(above), Step::Insert(rows), Step::Keep(below)]);
        let planted = story.plant(&places);
        story.check(planted);
    }

    /// Rows with ink are rare; fewer than eight rows tell of no shift.
    #[test]
    fn the_last_rows_tell_of_an_insertion_above_them_when_eight_are_rare(
        rows in 1..=300_u32,
        above in 0..300_u32,
        below in 1..30_u32,
    ) {
        let story = Story::of(&[Step::Keep(above), Step::Insert(rows), Step::Keep(below)]);
        let last = above + rows..above + rows + below;
        if last.filter(|row| row % 20 < 11).count() >= 8 {
            story.check(0);
        } else if below < 8 {
            let result = compare(&story.before, &story.after, Alignment::Auto);
            prop_assert!(result.layout.is_in_place(), "{:?}", result.layout);
        }
    }

    #[test]
    fn several_insertions(
        happens in proptest::collection::vec((any::<u32>(), 1..200_u32), 2..6),
        places in any_places(),
    ) {
        let happens = happens.into_iter().map(|(more, rows)| (more, Step::Insert(rows))).collect();
        let mut story = Story::of(&steps(40..120, happens));
        let planted = story.plant(&places);
        story.check(planted);
    }

    #[test]
    fn insertions_and_removals(
        happens in proptest::collection::vec((any::<u32>(), 1..30_u32, any::<bool>()), 1..6),
        places in any_places(),
    ) {
        let step = |rows, insert| if insert { Step::Insert(rows) } else { Step::Remove(rows) };
        let happens = happens
            .into_iter()
            .map(|(more, rows, insert)| (more, step(rows, insert)))
            .collect();
        let mut story = Story::of(&steps(120..200, happens));
        let planted = story.plant(&places);
        story.check(planted);
    }

    /// Between both lie blank rows, which are the same wherever they are laid.
    #[test]
    fn a_changed_row_stays_where_it_is_when_a_row_is_inserted_below(place in any::<u32>()) {
        let mut story = Story::of(&[Step::Keep(178), Step::Insert(1), Step::Keep(120)]);
        // The last row of a line of text, with blank ones below it.
        story.after = story.after.clone().inverted_at(place % WIDTH, 171);
        story.check(1);
    }

    #[test]
    fn a_moved_block_keeps_its_content(
        rows in 9..60_u32,
        above in 20..100_u32,
        further in 160..300_u32,
        down in any::<bool>(),
    ) {
        // No row of the block is blank: blank ones could as well be those of its neighbours.
        let (text, picture) = (Page::prose(WIDTH, 700, 5), Page::noise(WIDTH, rows, 6));
        let page = Page::stacked(&[
            (&text, 0..above),
            (&picture, 0..rows),
            (&text, above + rows..700),
        ]);
        let way = rows + further;
        let (low, high) = (above + rows, above + rows + way);
        let moved = Page::stacked(&[
            (&page, 0..above),
            (&page, low..high),
            (&page, above..low),
            (&page, high..700),
        ]);
        let (before, after) = if down { (&page, &moved) } else { (&moved, &page) };
        let result = compare(before, after, Alignment::Auto);
        let of_block = u64::from(rows) * u64::from(WIDTH);
        prop_assert_eq!((result.inserted_pixels, result.removed_pixels), (of_block, of_block));
        prop_assert_eq!(result.changed_pixels, 2 * of_block);
        let y = i32::try_from(way).unwrap() * if down { 1 } else { -1 };
        let kinds: Vec<RegionKind> = result.regions.iter().map(|region| region.kind).collect();
        prop_assert_eq!(kinds, [RegionKind::Shifted { x: 0, y }; 2]);
    }

    /// Without a shift alignment changes nothing.
    #[test]
    fn edits_in_place_are_compared_in_place(
        boxes in proptest::collection::vec((0..WIDTH, 0..500_u32, 1..80_u32, 1..60_u32, any::<[u8; 3]>()), 0..6),
        places in proptest::collection::vec((0..WIDTH, 0..500_u32), 0..40),
    ) {
        let before = Page::prose(WIDTH, 500, 8);
        let mut after = before.clone();
        for (x, y, width, height, [r, g, b]) in boxes {
            after = after.fill(rect(x, y, width, height), [r, g, b, 255]);
        }
        for (x, y) in places {
            after = after.inverted_at(x, y);
        }
        let auto = compare(&before, &after, Alignment::Auto);
        prop_assert!(auto == compare(&before, &after, Alignment::Off));
        prop_assert_eq!(auto.unaligned_pixels, None);
    }
}

/// An ignored clock moves with the page: in each picture it lies where the selector found it.
#[test]
fn ignored_areas_follow_their_rows() {
    let mut story = Story::of(&[Step::Keep(100), Step::Insert(30), Step::Keep(200)]);
    // Rows 150 to 169 of the baseline are rows 180 to 199 of the current picture.
    story.after = story.after.fill(rect(10, 180, 50, 20), [0, 90, 0, 255]);
    let check = |ignore, expected: u64| {
        let options = CompareOptions {
            ignore,
            ..options(Alignment::Auto)
        };
        let result = both::compare(&story.before.png(), &story.after.png(), &options);
        assert_eq!(
            result.changed_pixels - result.inserted_pixels,
            expected,
            "{:?}",
            options.ignore
        );
        result.inserted_pixels
    };
    let inserted = 30 * u64::from(WIDTH);
    assert_eq!(check(vec![], 1000), inserted);
    assert_eq!(check(vec![rect(10, 150, 50, 20)], 0), inserted);
    assert_eq!(check(vec![rect(10, 180, 50, 20)], 0), inserted);
    assert_eq!(check(vec![rect(10, 160, 50, 10)], 500), inserted);
    assert_eq!(check(vec![rect(0, 100, WIDTH, 15)], 1000), inserted / 2);
}

/// Part of a removed block comes back elsewhere: told the same way in both directions.
#[test]
fn swapping_swaps_what_moved() {
    let page = Page::prose(WIDTH, 600, 5);
    let shorter = Page::stacked(&[
        (&page, 0..100),
        (&page, 113..400),
        (&page, 100..110),
        (&page, 400..600),
    ]);
    let there = compare(&page, &shorter, Alignment::Auto);
    let back = compare(&shorter, &page, Alignment::Auto);
    let turned: Vec<Band> = back.layout.lanes[0]
        .bands
        .iter()
        .map(|band| swap(*band))
        .collect();
    assert_eq!(there.layout.lanes[0].bands, turned);
    assert!(turned.iter().any(|band| band.moved.is_some()));
}

/// Blank and repeated rows are no evidence of a shift.
#[test]
fn repeated_rows_never_make_a_shift() {
    let stripes = |phase: u32| {
        Page::drawn(WIDTH, 600, |_, y| {
            if (y + phase) % 6 < 3 {
                WHITE
            } else {
                [0, 0, 0, 255]
            }
        })
    };
    let result = compare(&stripes(0), &stripes(1), Alignment::Auto);
    assert!(result.layout.is_in_place());
    assert_eq!(result.changed_pixels, 200 * u64::from(WIDTH));
}

/// Both pages are as tall as a page may be; the canvas, which holds all their rows, is taller.
#[test]
fn rows_of_the_tallest_pages_are_aligned() {
    let moved = 100_000;
    let before = Page::noise(2, MAX_SIDE, 1);
    let after = Page::stacked(&[
        (&before, moved..MAX_SIDE),
        (&Page::noise(2, moved, 2), 0..moved),
    ]);
    let result = compare(&before, &after, Alignment::Auto);
    assert_eq!(result.layout.size.height, MAX_SIDE + moved);
    let lone = 2 * u64::from(moved);
    assert_eq!(
        (result.removed_pixels, result.inserted_pixels),
        (lone, lone)
    );
    assert_eq!(result.changed_pixels, 2 * lone);
    let mask = BitMask::from_png(&result.mask.to_png().unwrap()).unwrap();
    assert!(mask == result.mask);
}

/// Inserted rows that stand elsewhere on the page as well did not move from there: there they still are.
#[test]
fn a_copy_of_rows_that_stayed_has_not_moved() {
    let page = Page::noise(64, 400, 1);
    let before = |first: u32| {
        let first = Page::noise(64, 40, u64::from(first));
        Page::stacked(&[
            (&first, 0..40),
            (&page, 40..70),
            (&page, 70..71),
            (&page, 71..131),
            (&page, 131..171),
        ])
    };
    let after = Page::stacked(&[
        (&Page::noise(64, 40, 2), 0..40),
        (&page, 40..70),
        (&page, 71..131),
        (&page, 40..70),
        (&page, 70..71),
        (&page, 131..171),
    ]);
    // Whether the rows above are the same is another matter.
    for first in [2, 3] {
        let result = compare(&before(first), &after, Alignment::Auto);
        assert_eq!(
            (result.inserted_pixels, result.removed_pixels),
            (64 * 31, 64)
        );
        let bands = &result.layout.lanes[0].bands;
        assert!(bands.iter().all(|band| band.moved.is_none()), "{bands:?}");
    }
}

/// A block with blank margins goes to the end of the page: which of the blank rows went with it nobody can tell, and it has
/// moved all the same.
#[test]
fn a_block_with_blank_margins_is_told_as_moved() {
    let lines = |seed| {
        Page::stacked(&[
            (&Page::noise(WIDTH, 11, seed), 0..11),
            (&Page::flat(WIDTH, 7, WHITE), 0..7),
            (&Page::noise(WIDTH, 11, seed + 100), 0..11),
            (&Page::flat(WIDTH, 36, WHITE), 0..36),
        ])
    };
    let blocks: Vec<Page> = (0..7).map(lines).collect();
    let page = |order: [usize; 7]| {
        let parts: Vec<_> = order.iter().map(|&at| (&blocks[at], 0..65)).collect();
        Page::stacked(&parts)
    };
    let result = compare(
        &page([0, 1, 2, 3, 4, 5, 6]),
        &page([0, 2, 3, 4, 5, 6, 1]),
        Alignment::Auto,
    );
    let moved = result.layout.lanes[0]
        .bands
        .iter()
        .filter(|band| band.moved.is_some());
    assert_eq!(moved.count(), 2, "{:?}", result.layout);
    assert_eq!(result.changed_pixels, 2 * 65 * u64::from(WIDTH));
}

/// Rows that are where they were, while all around them went down, were removed and inserted: they did not move.
#[test]
fn what_stays_where_it_was_has_not_moved() {
    let noise = |rows, seed| Page::noise(WIDTH, rows, seed);
    let (top, middle, rest, new) = (noise(100, 1), noise(30, 2), noise(500, 3), noise(100, 4));
    let before = Page::stacked(&[(&top, 0..100), (&middle, 0..30), (&rest, 0..500)]);
    let after = Page::stacked(&[
        (&new, 0..100),
        (&middle, 0..30),
        (&top, 0..100),
        (&rest, 0..500),
    ]);
    let result = compare(&before, &after, Alignment::Auto);
    assert_eq!(result.removed_pixels, 30 * u64::from(WIDTH));
    let bands = &result.layout.lanes[0].bands;
    assert!(bands.iter().all(|band| band.moved.is_none()), "{bands:?}");
}
