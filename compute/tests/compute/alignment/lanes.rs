//! Side bars that stay while the page beside them moves.

use pentimento_compute::{Alignment, Band};
use proptest::prelude::*;

use super::{cases, compare, lane};
use crate::pages::{BLACK, Page, WHITE, random};

/// The page with news below so many rows, cut to the height that it had.
pub(super) fn pushed_down(page: &Page, above: u32, news: &Page) -> Page {
    let (height, rows) = (page.size.height, news.size.height);
    Page::stacked(&[
        (page, 0..above),
        (news, 0..rows),
        (page, above..height - rows),
    ])
}

proptest! {
    #![proptest_config(cases(40))]

    /// The side bar stays, the page beside it gets rows; both pages are cut to one height.
    #[test]
    fn a_fixed_side_bar_is_a_lane(
        rows in 4..200_u32,
        above in 70..300_u32,
        at_right in any::<bool>(),
        bar_width in 128..=256_u32,
    ) {
        let height = 900;
        let width = 512 - bar_width;
        let bar = Page::prose(bar_width, height, 31);
        let text = Page::noise(width, height, 32);
        let news = Page::noise(width, rows, 33);
        let pushed = pushed_down(&text, above, &news);
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
            [lane(0, width, &bands), lane(width, bar_width, &[still])]
        } else {
            [lane(0, bar_width, &[still]), lane(bar_width, width, &bands)]
        };
        prop_assert_eq!(result.layout.lanes, expected);
        let lone = u64::from(rows) * u64::from(width);
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
        let pushed = pushed_down(&text, 300, &news);
        let result = compare(&bar.beside(&text), &bar.beside(&pushed), Alignment::Auto);
        prop_assert_eq!(result.layout.lanes.len(), 2, "{:?}", result.layout.lanes);
        let lone = u64::from(rows) * 384;
        prop_assert_eq!((result.inserted_pixels, result.removed_pixels), (lone, lone));
    }
}

/// A side bar as tall as the window: below it all columns went the same way, which hides nothing of where they parted.
#[test]
fn a_side_bar_that_ends_high_up_is_a_lane() {
    let (height, end) = (3000, 720);
    let bar = |height: u32| {
        let text = Page::prose(128, end, 31);
        let blank = Page::flat(128, height - end, WHITE);
        Page::stacked(&[(&text, 0..end), (&blank, 0..height - end)])
    };
    let text = Page::prose(384, height, 32);
    let news = Page::noise(384, 31, 33);
    let edited = Page::stacked(&[
        (&text, 0..250),
        (&news, 0..31),
        (&text, 250..950),
        (&text, 1028..height),
    ]);
    let (one, other) = (bar(height).beside(&text), bar(height - 47).beside(&edited));
    let result = compare(&one, &other, Alignment::Auto);
    let lanes: Vec<_> = (result.layout.lanes.iter())
        .map(|lane| (lane.x, lane.width))
        .collect();
    assert_eq!(lanes, [(0, 128), (128, 384)]);
    assert_eq!(result.inserted_pixels, 31 * 384);
    assert_eq!(result.removed_pixels, 78 * 384 + 47 * 128);
    assert_eq!(result.changed_pixels, 109 * 384 + 47 * 128);
}

/// Most of the page is blank, so that it differs here and there only; whole rows tell that something moved further down.
#[test]
fn a_side_bar_beside_few_paragraphs_is_a_lane() {
    let (height, rows) = (4000, 90);
    let paragraphs = |width: u32, count: u32, seed: u64| {
        let text = Page::prose(width, 300, seed);
        let blank = Page::flat(width, height, WHITE);
        let mut parts = vec![[(&text, 0..300), (&blank, 0..700)]; count as usize].concat();
        parts.push((&blank, 0..height - count * 1000));
        Page::stacked(&parts)
    };
    let (bar, text) = (paragraphs(128, 2, 31), paragraphs(384, 4, 32));
    let news = Page::noise(384, rows, 33);
    let pushed = pushed_down(&text, 100, &news);
    let (one, other) = (bar.beside(&text), bar.beside(&pushed));
    let result = compare(&one, &other, Alignment::Auto);
    assert_eq!(result.layout.lanes.len(), 2, "{:?}", result.layout.lanes);
    let lone = u64::from(rows) * 384;
    assert_eq!(
        (result.inserted_pixels, result.removed_pixels),
        (lone, lone)
    );
}

/// Cells of wide pages are wider, so that a lane may begin at several places within one; swapped, it begins at the same.
#[test]
fn a_side_bar_may_end_anywhere_in_a_wide_cell() {
    let (height, rows) = (400, 30);
    for bar_width in [288, 289, 320, 331, 352] {
        let width = 2560 - bar_width;
        let bar = Page::prose(bar_width, height, 31);
        let text = Page::prose(width, height, 32);
        let news = Page::noise(width, rows, 33);
        let pushed = pushed_down(&text, 90, &news);
        let (one, other) = (bar.beside(&text), bar.beside(&pushed));
        for result in [
            compare(&one, &other, Alignment::Auto),
            compare(&other, &one, Alignment::Auto),
        ] {
            let lanes: Vec<_> = (result.layout.lanes.iter())
                .map(|lane| (lane.x, lane.width))
                .collect();
            assert_eq!(lanes, [(0, bar_width), (bar_width, width)]);
            let lone = u64::from(rows) * u64::from(width);
            assert_eq!(
                (result.inserted_pixels, result.removed_pixels),
                (lone, lone)
            );
            assert_eq!(result.changed_pixels, 2 * lone);
        }
    }
}

/// What stands in a side bar ends above the last few rows, which are the same in both pages from end to end. The ground beside it
/// would fit the page as well, and stays with it.
#[test]
fn the_ground_of_a_side_bar_stays_with_it() {
    let (height, rows, top) = (512, 96, 48);
    let bar = |height: u32| {
        Page::drawn(128, height, |x, y| {
            let [word, ..] = random(31, x / 3, y);
            let is_ink = (10..88).contains(&x) && y % 18 < 9 && word > 120 && y < 506;
            if is_ink { BLACK } else { [235, 240, 245, 255] }
        })
    };
    let (header, text) = (Page::prose(480, top, 30), Page::prose(352, height, 32));
    let news = Page::flat(352, rows, [250, 220, 150, 255]);
    let pushed = Page::stacked(&[(&news, 0..rows), (&text, 0..height)]);
    let below = |page: &Page| Page::stacked(&[(&header, 0..top), (page, 0..page.size.height)]);
    let one = below(&bar(height).beside(&text));
    let other = below(&bar(height + rows).beside(&pushed));
    for (baseline, current) in [(&one, &other), (&other, &one)] {
        let lanes = compare(baseline, current, Alignment::Auto).layout.lanes;
        let places: Vec<_> = lanes.iter().map(|lane| (lane.x, lane.width)).collect();
        assert_eq!(places, [(0, 128), (128, 352)]);
    }
}

/// A narrow strip of which nothing stayed the same stands in what moved: that is one lane, whose news is told once.
#[test]
fn a_strip_that_changed_throughout_parts_no_lane() {
    let (height, rows) = (900, 90);
    let strip = |seed| Page::noise(32, height, seed);
    let (left, right) = (Page::noise(352, height, 32), Page::noise(128, height, 33));
    let (before, moved) = (
        left.beside(&strip(1)).beside(&right),
        left.beside(&strip(2)).beside(&right),
    );
    let news = Page::noise(512, rows, 34);
    let after = pushed_down(&moved, 300, &news);
    let result = compare(&before, &after, Alignment::Auto);
    assert_eq!(result.layout.lanes.len(), 1, "{:?}", result.layout.lanes);
    assert_eq!(result.inserted_pixels, u64::from(rows) * 512);
}

/// A side bar whose every row looks different now, or is noise: what moved beside it is understood all the same.
#[test]
fn a_side_bar_that_changed_throughout_is_a_lane() {
    let (height, rows) = (900, 90);
    let text = Page::prose(384, height, 32);
    let news = Page::noise(384, rows, 33);
    let pushed = pushed_down(&text, 300, &news);
    let tinted = |level| Page::flat(128, height, [level, level, level, 255]);
    let noise = |seed| Page::noise(128, height, seed);
    for [before, after] in [[tinted(255), tinted(250)], [noise(1), noise(2)]] {
        for at_right in [false, true] {
            let place = |bar: &Page, text: &Page| {
                if at_right {
                    text.beside(bar)
                } else {
                    bar.beside(text)
                }
            };
            let (one, other) = (place(&before, &text), place(&after, &pushed));
            let result = compare(&one, &other, Alignment::Auto);
            let lanes: Vec<_> = (result.layout.lanes.iter())
                .map(|lane| (lane.x, lane.width, lane.bands.len()))
                .collect();
            let expected = if at_right {
                [(0, 384, 4), (384, 128, 1)]
            } else {
                [(0, 128, 1), (128, 384, 4)]
            };
            assert_eq!(lanes, expected);
            let lone = u64::from(rows) * 384;
            assert_eq!(
                (result.inserted_pixels, result.removed_pixels),
                (lone, lone)
            );
        }
    }
}

#[test]
fn a_block_that_moved_beside_a_side_bar_is_told_as_moved() {
    let bar = Page::prose(128, 900, 31);
    let text = Page::noise(384, 900, 32);
    // Rows 100..160 went below row 600.
    let later = Page::stacked(&[
        (&text, 0..100),
        (&text, 160..600),
        (&text, 100..160),
        (&text, 600..900),
    ]);
    let result = compare(&bar.beside(&text), &bar.beside(&later), Alignment::Auto);
    let [still, went] = &result.layout.lanes[..] else {
        panic!("{:?}", result.layout.lanes);
    };
    assert_eq!((still.width, still.bands.len()), (128, 1));
    let moves: Vec<_> = (went.bands.iter())
        .filter(|band| band.moved.is_some())
        .map(|band| (band.baseline_y, band.current_y, band.moved, band.rows))
        .collect();
    assert_eq!(
        moves,
        [
            (Some(100), None, Some(540), 60),
            (None, Some(540), Some(100), 60)
        ]
    );
}

/// An edit far above what was inserted beside a side bar changes nothing about the side bar.
#[test]
fn a_small_edit_far_above_hides_no_lane() {
    let (height, above, rows) = (1600, 1000, 96);
    let bar = Page::prose(128, height + rows, 31);
    let text = Page::prose(472, height, 32);
    let news = Page::noise(472, rows, 33);
    let pushed = Page::stacked(&[(&text, 0..above), (&news, 0..rows), (&text, above..height)]);
    let before = Page::stacked(&[(&bar, 0..height)]).beside(&text);
    let after = bar.beside(&pushed);
    let [_, green, ..] = after.color_at(300, 20);
    let alone = compare(&before, &after, Alignment::Auto);
    let edited = after.pixel(300, 20, if green < 128 { WHITE } else { BLACK });
    let beside_an_edit = compare(&before, &edited, Alignment::Auto);
    assert_eq!(alone.layout.lanes.len(), 2);
    assert_eq!(beside_an_edit.layout, alone.layout);
    assert_eq!(beside_an_edit.changed_pixels, alone.changed_pixels + 1);
}

/// A column in which every line was edited goes with what it stands in, whose rows it would hide.
#[test]
fn a_column_of_edited_lines_goes_with_its_neighbours() {
    for (ink, above, rows) in [(12, 15, 96), (12, 29, 60), (15, 29, 60), (18, 15, 96)] {
        lines_with_an_edited_column(ink, above, rows);
    }
}

/// Lines of 20 rows, so many of them of ink, and rows inserted below some of them.
fn lines_with_an_edited_column(ink_rows: u32, above: u32, rows: u32) {
    let lines = 60;
    let blank_rows = 20 - ink_rows;
    let height = 20 * u32::try_from(lines).unwrap();
    // The middle column of each line is from another seed.
    let page = |seed: u64| {
        let line = |at: u64| {
            let [left, middle, right] = [(0, 256), (seed, 64), (2, 256)].map(|(seed, width)| {
                let ink = Page::noise(width, ink_rows, 1000 * seed + at);
                let blank = Page::flat(width, blank_rows, WHITE);
                Page::stacked(&[(&ink, 0..ink_rows), (&blank, 0..blank_rows)])
            });
            left.beside(&middle).beside(&right)
        };
        let drawn: Vec<Page> = (0..lines).map(line).collect();
        let page = Page::stacked(&drawn.iter().map(|line| (line, 0..20)).collect::<Vec<_>>());
        // It ends with a line, so that no blank rows at the end tell how far all went.
        Page::stacked(&[(&page, 0..height - blank_rows)])
    };
    let news = Page::noise(576, rows, 33);
    let (before, edited) = (page(1), page(3));
    let after = Page::stacked(&[
        (&edited, 0..20 * above),
        (&news, 0..rows),
        (&edited, 20 * above..height - blank_rows),
    ]);
    let result = compare(&before, &after, Alignment::Auto);
    assert_eq!(result.layout.lanes.len(), 1, "{:?}", result.layout.lanes);
    assert_eq!(result.inserted_pixels, u64::from(rows) * 576);
    let edits = u64::from(height / 20 * ink_rows * 64);
    let all = result.inserted_pixels + edits;
    assert!(
        result.changed_pixels <= all,
        "{} of {all}: {:?}",
        result.changed_pixels,
        result.layout
    );
}

/// Where lines end early, the few that go on tell where all went; what is blank there makes no lane of its own.
#[test]
fn ragged_ends_of_lines_go_with_the_lines() {
    let bar = |level| Page::flat(128, 960, [level, level, level, 255]);
    // Lines of 12 rows and 8 blank ones, of which few reach the right edge.
    let drawn = |at: u32| {
        let width = if [3, 27, 28, 40].contains(&at) {
            448
        } else {
            250
        };
        Page::drawn(448, 20, |x, y| match (x < width, y < 12) {
            (true, true) => {
                let [ink, ..] = random(77, x, 100 * at + y);
                [ink, ink, ink, 255]
            }
            _ => WHITE,
        })
    };
    let all: Vec<Page> = (0..45).map(drawn).collect();
    let lines = |range: std::ops::Range<usize>| all[range].iter().map(|line| (line, 0..20));
    let before: Vec<_> = lines(0..45).collect();
    // Something is inserted, and lines 20 to 23, which end early, go behind line 33.
    let news = Page::noise(448, 60, 33);
    let after: Vec<_> = (lines(0..8).chain([(&news, 0..60)]))
        .chain(lines(8..20).chain(lines(24..34)))
        .chain(lines(20..24).chain(lines(34..45)))
        .collect();
    let beside = |level, text: &[(&Page, std::ops::Range<u32>)]| {
        let text = Page::stacked(text);
        Page::stacked(&[(&bar(level), 0..text.size.height)]).beside(&text)
    };
    let result = compare(&beside(255, &before), &beside(250, &after), Alignment::Auto);
    let places: Vec<_> = (result.layout.lanes.iter())
        .map(|lane| (lane.x, lane.width))
        .collect();
    assert_eq!(places, [(0, 128), (128, 448)], "{:?}", result.layout.lanes);
}
