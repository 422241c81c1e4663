//! Pages made to be slow to compare. The bound is far above what any machine needs and far below
//! what a search that grows with the square of the page takes.

use std::time::{Duration, Instant};

use pentimento_compute::{CompareOptions, Comparison};

use crate::both::{self, CPU};
use crate::pages::{BLACK, Page, WHITE, random, rect};

const BOUND: Duration = Duration::from_secs(15);

fn compare(name: &str, one: &Page, other: &Page) -> Comparison {
    let files = (one.opaque_png(), other.opaque_png());
    let options = CompareOptions::default();
    let begin = Instant::now();
    let result = CPU.compare(&files.0, &files.1, &options).unwrap();
    let took = begin.elapsed();
    assert!(took < BOUND, "{name} took {took:?}");
    assert_eq!(
        both::compare(&files.0, &files.1, &options),
        result,
        "{name}"
    );
    result
}

/// One colour a row.
fn rows(height: u32, color: impl Fn(u32) -> [u8; 3]) -> Page {
    Page::drawn(8, height, |_, y| {
        let [r, g, b] = color(y);
        [r, g, b, 255]
    })
}

fn unique(seed: u64, y: u32) -> [u8; 3] {
    let [r, g, b, ..] = random(seed, 0, y);
    [r, g, b]
}

fn one_of_two(seed: u64, y: u32) -> [u8; 3] {
    if random(seed, 1, y)[0] < 128 {
        [0; 3]
    } else {
        [255; 3]
    }
}

const TALL: u32 = 200_000;

#[test]
fn rows_of_two_colours() {
    let page = |seed| rows(TALL, |y| one_of_two(seed, y));
    compare("rows of two colours", &page(1), &page(2));
}

#[test]
fn rows_of_two_colours_and_some_of_their_own() {
    let page = |seed| {
        rows(TALL, |y| {
            if y % 1000 < 3 {
                unique(9, y)
            } else {
                one_of_two(seed, y)
            }
        })
    };
    compare("two colours with evidence", &page(1), &page(2));
}

#[test]
fn every_second_row_is_another() {
    let page = rows(TALL, |y| unique(1, y));
    let other = rows(TALL, |y| unique(if y % 2 == 0 { 1 } else { 2 }, y));
    compare("every second row", &page, &other);
}

#[test]
fn every_second_row_was_inserted() {
    let page = rows(TALL / 2, |y| unique(1, y));
    let other = rows(TALL, |y| unique(1 + u64::from(y % 2), y / 2));
    compare("every second row inserted", &page, &other);
}

#[test]
fn blocks_change_places() {
    let page = rows(TALL, |y| unique(1, y));
    let other = rows(TALL, |y| unique(1, ((y / 10) ^ 1) * 10 + y % 10));
    compare("blocks of ten rows", &page, &other);
}

#[test]
fn the_longest_sides() {
    for (width, height) in [(262_144, 3), (3, 262_144)] {
        let one = Page::noise(width, height, 1);
        let name = format!("{width}×{height}");
        let result = compare(&name, &one, &Page::noise(width, height, 2));
        assert!(result.changed_pixels > 500_000);
        let shorter = Page::drawn(width - 2, height - 2, |x, y| one.color_at(x + 1, y + 1));
        compare(&name, &one, &shorter);
    }
}

/// More than a hundred changes at the top and one far below: the last one joins one of the others,
/// and their box holds a page of nothing, which looks the same however far it is shifted.
#[test]
fn a_region_that_spans_a_blank_page() {
    let (width, height) = (1280, 12_000);
    let page = Page::flat(width, height, WHITE);
    let mut edited = page.clone().fill(rect(600, 0, 40, 8), BLACK);
    for at in 0..240 {
        let (x, y) = (60 + at % 20 * 60, 60 + at / 20 * 60);
        edited = edited.fill(rect(x, y, 6, 6), [0, 0, 0, 255]);
        edited = edited.pixel(x + 1, y + 1, [90, 0, 0, 255]);
    }
    let mut before = page;
    for at in 0..240 {
        before = before.pixel(61 + at % 20 * 60, 64 + at / 20 * 60, [0, 90, 0, 255]);
    }
    let before = before.pixel(100, height - 40, BLACK);
    let edited = edited.pixel(1100, height - 40, [0, 0, 90, 255]);
    let result = compare("a blank page within a region", &before, &edited);
    assert!(
        result
            .regions
            .iter()
            .any(|region| region.area.height > 10_000)
    );
}
