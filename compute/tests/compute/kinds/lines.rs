//! Lines that one picture lacks, beside rows that come and go as boxes are rounded.

use std::ops::Range;

use pentimento_compute::{CompareOptions, Rect};

use crate::both;
use crate::pages::{BLACK, Page, WHITE, rect};

const WIDTH: u32 = 320;
const HEIGHT: u32 = 400;

/// The palest grey that rules are drawn in; on white it is below the threshold.
const PALE: [u8; 4] = [229, 231, 235, 255];

/// Text on white, and from the 215th row on another ground; between its lines nine rows are bare, of which one is the 215th.
fn page(lower: [u8; 4]) -> Page {
    let text = Page::prose(WIDTH, HEIGHT, 1);
    Page::drawn(WIDTH, HEIGHT, |x, y| match text.color_at(x, y) {
        WHITE if y >= 215 => lower,
        color => color,
    })
}

/// A row of so many pixels of a colour from this column on, all else as in the 215th row of a page.
fn row(page: &Page, (x, px): (u32, u32), color: [u8; 4]) -> Page {
    page.clone().fill(rect(x, 215, px, 1), color)
}

/// A page that was pushed down, with some rows of another one in front of the 215th.
fn pushed(page: &Page, rows: Option<(&Page, Range<u32>)>) -> Page {
    let banner = Page::noise(WIDTH, 40, 2);
    let parts: Vec<(&Page, Range<u32>)> = [(&banner, 0..40), (page, 0..215)]
        .into_iter()
        .chain(rows)
        .chain([(page, 215..HEIGHT)])
        .collect();
    Page::stacked(&parts)
}

/// The line of the only region but the banner, and the rows of that region: whether they came or went, they show the same.
#[track_caller]
fn line_of(page: &Page, rows: (&Page, Range<u32>), ignore: &[Rect]) -> (Option<Range<u32>>, u32) {
    let options = CompareOptions {
        ignore: ignore.to_vec(),
        ..CompareOptions::default()
    };
    let with_rows = Page::stacked(&[(page, 0..215), rows.clone(), (page, 215..HEIGHT)]);
    let both_ways = [
        (page.clone(), pushed(page, Some(rows))),
        (with_rows, pushed(page, None)),
    ];
    let found = both_ways.map(|(before, after)| {
        let regions = both::compare(&before.png(), &after.png(), &options).regions;
        let others: Vec<_> = (regions.into_iter())
            .filter(|region| region.area.height != 40)
            .collect();
        let [other] = others.as_slice() else {
            panic!("besides the banner: {others:?}")
        };
        (other.line.clone(), other.area.height)
    });
    assert_eq!(found[0], found[1], "came, and went");
    found[0].clone()
}

#[test]
fn a_rule_that_came_or_went_on_a_page_that_moved_is_a_line() {
    let page = page(WHITE);
    for color in [PALE, BLACK] {
        let ruled = row(&page, (40, 240), color);
        assert_eq!(
            line_of(&page, (&ruled, 215..216), &[]),
            (Some(40..280), 1),
            "{color:?}"
        );
        let twice = ruled.fill(rect(60, 216, 100, 1), color);
        assert_eq!(
            line_of(&page, (&twice, 215..217), &[]),
            (Some(40..280), 2),
            "the longer of two rows"
        );
    }
    let short = row(&page, (40, 20), BLACK);
    assert_eq!(line_of(&page, (&short, 215..216), &[]), (None, 1));
}

#[test]
fn a_row_by_which_a_box_grew_is_none() {
    // A card with sides, on a ground, beside another colour.
    let card = page(WHITE)
        .fill(rect(20, 211, 1, 9), BLACK)
        .fill(rect(200, 211, 60, 9), PALE);
    for rows in [1, 2] {
        assert_eq!(line_of(&card, (&card, 214..214 + rows), &[]), (None, rows));
    }
}

#[test]
fn the_edge_of_a_ground_is_none_and_a_rule_on_it_is_one() {
    let grounds = page([180, 190, 200, 255]);
    let edge = row(&grounds, (0, WIDTH), [210, 216, 222, 255]);
    assert_eq!(line_of(&grounds, (&edge, 215..216), &[]), (None, 1));
    let rule = row(&grounds, (0, WIDTH), [120, 130, 140, 255]);
    assert_eq!(
        line_of(&grounds, (&rule, 215..216), &[]),
        (Some(0..WIDTH), 1)
    );
}

#[test]
fn what_is_left_out_is_no_part_of_a_line() {
    let page = page(WHITE);
    let ruled = row(&page, (40, 240), BLACK);
    let line = |until: u32| line_of(&page, (&ruled, 215..216), &[rect(0, 205, until, 80)]);
    assert_eq!(line(200), (Some(200..280), 1));
    assert_eq!(line(260), (None, 1), "what is left is too short");
}

/// Which of two rules is the new one nobody can tell, where they are that close.
#[test]
fn a_line_that_the_other_picture_shows_beside_its_place_is_not_lacking() {
    let ruled = row(&page(WHITE), (40, 240), BLACK);
    assert_eq!(line_of(&ruled, (&ruled, 215..217), &[]), (None, 2));
}
