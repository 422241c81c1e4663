//! Pages made to be slow to compare. The bound is far above what any machine needs and far below
//! what a search that grows with the square of the page takes.

use std::time::{Duration, Instant};

use pentimento_compute::{AntiAliasing, CompareOptions, Comparison, Doubt, Doubtful};

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

/// At each place of the last row the run that leads to it is longer than at the place before.
#[test]
fn a_stretch_of_one_colour_grows_by_a_row() {
    let page = |seed: u64, rows_before: u32, repeated: u32| {
        let last = rows_before + 16 + 1 + repeated;
        rows(last + 1, |y| match y.checked_sub(rows_before) {
            None => unique(seed, y),
            Some(at @ 0..16) => unique(1, at),
            _ if y == last || y == rows_before + 16 => unique(seed, y),
            _ => BLACK.first_chunk().copied().expect("a colour has three"),
        })
    };
    let repeated = 260_000;
    compare(
        "a stretch of one colour",
        &page(2, 1, repeated),
        &page(3, 2, repeated + 1),
    );
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

/// Each run that is taken leaves the next one above it: a search that calls itself for what lies above would go 32,767 deep.
#[test]
fn every_run_hangs_on_the_one_before() {
    let last = 32_767;
    let kind = |at: u32| unique(3, at);
    let page = rows(2 * last - 1, |y| match y {
        0 => kind(last),
        _ => kind(last - y.div_ceil(2) + (y + 1) % 2),
    });
    let other = rows(2 * last + 1, |y| match y {
        0 => unique(4, 0),
        _ if y <= last => kind(last + 1 - y),
        _ => unique(5, y),
    });
    compare("runs that hang on each other", &page, &other);
}

/// What is rare lies at the top alone; far below it frequent rows are looked at.
#[test]
fn rows_of_two_colours_below_some_of_their_own() {
    let page = |first: u32, seed| {
        rows(TALL, |y| {
            if (first..first + 16).contains(&y) {
                unique(9, y - first)
            } else {
                one_of_two(seed, y)
            }
        })
    };
    compare("evidence at the top", &page(0, 1), &page(16, 2));
}

/// Every column has a run for every second row. As many pixels as a page may have are timed on the CPU alone: what could be slow
/// is laying rows, which is the same for both backends, and a software adapter takes long for so many that changed.
#[test]
fn columns_of_many_runs() {
    let pages = |width: u32, height: u32| {
        let cell = |seed: u64, x: u32, y: u32| {
            let [r, g, b, ..] = random(seed, x / 16, y);
            [r, g, b, 255]
        };
        let page = Page::drawn(width, height, |x, y| cell(1, x, y));
        let other = Page::drawn(width, height, |x, y| match y {
            0..20 => cell(1, x, y + 20),
            20..40 => cell(2, x, y),
            _ => cell(1 + u64::from(y % 2 == 0), x, y),
        });
        [page, other]
    };
    for (width, height) in [(305, 262_144), (1216, 65_536)] {
        let files = pages(width, height).map(|page| page.opaque_png());
        let begin = Instant::now();
        let result = CPU.compare(&files[0], &files[1], &CompareOptions::default());
        let took = begin.elapsed();
        assert!(took < 4 * BOUND, "{width}×{height} took {took:?}");
        assert!(result.unwrap().changed_pixels > 1_000_000);
    }
    let [page, other] = pages(1216, 4096);
    let result = compare("1216×4096", &page, &other);
    assert!(result.changed_pixels > 1_000_000);
}

/// A column that moved many ways, all of which fail at the last row that is looked at.
#[test]
fn a_line_that_may_have_gone_many_ways() {
    let (height, line) = (62_000, rect(20, 10, 1, 61_890));
    let page = Page::flat(1280, height, WHITE).fill(line, BLACK);
    let mut other = Page::flat(1280, height, WHITE);
    for x in (30..=1190).step_by(24) {
        other = other.pixel(x, 10, BLACK);
    }
    compare("a line", &page, &other);
}

/// A band for every few rows, and a doubt for each of them.
#[test]
fn doubts_about_every_few_rows() {
    let page = rows(TALL / 9 * 8, |y| unique(1, y));
    let other = rows(TALL, |y| match y % 9 {
        8 => unique(2, y),
        within => unique(1, y / 9 * 8 + within),
    });
    let strict = CompareOptions {
        anti_aliasing: AntiAliasing::Include,
        ..CompareOptions::default()
    };
    let (page, other) = (page.opaque_png(), other.opaque_png());
    let disagreement = both::compare(&page, &other, &strict);
    assert!(disagreement.layout.lanes[0].bands.len() > 20_000);
    let begin = Instant::now();
    let options = CompareOptions {
        doubts: vec![Doubt::of(Doubtful::Baseline, &disagreement, &[]); 64],
        ..CompareOptions::default()
    };
    let result = CPU.compare(&page, &other, &options).unwrap();
    assert!(begin.elapsed() < BOUND, "it took {:?}", begin.elapsed());
    assert_eq!(result.changed_pixels, 0);
    assert_eq!(both::compare(&page, &other, &options), result);
}
