//! Lanes that begin within a word of the mask, within a tile, and in any other column.

use std::ops::Range;

use pentimento_compute::{AntiAliasing, CompareOptions, Comparison};

use super::lanes::pushed_down;
use crate::both;
use crate::pages::{Page, WHITE, random};

const HEIGHT: u32 = 400;
const BAR: u32 = 150;
const TEXT: u32 = 290;
const ROWS: u32 = 40;

/// Margins that no window around a change reaches over.
const MARGINS: Range<u32> = 16..48;

/// Noise: at the left of pixels none of which has neighbours of its colour, and blocks of black and white.
fn noise(width: u32, seed: u64) -> Page {
    Page::drawn(width, HEIGHT, |x, y| {
        let grey = if x < 24 {
            random(seed, x, y)[0]
        } else {
            [0, 255, 255][usize::from(random(seed, x / 2, y / 2)[0] % 3)]
        };
        [grey, grey, grey, 255]
    })
}

/// The page with some pixels inverted, and some of the grey between two of their neighbours, in every eighth row.
fn edited(page: &Page, seed: u64) -> Page {
    Page::drawn(page.size.width, HEIGHT, |x, y| {
        let [own, ..] = page.color_at(x, y);
        let neighbour = |x: u32, y: u32| page.color_at(x % page.size.width, y % HEIGHT)[0];
        let grey = match random(seed, x, y)[0] {
            _ if y % 8 > 0 => own,
            0..30 => 255 - own,
            30..90 => neighbour(x + 1, y).midpoint(neighbour(x, y + 1)),
            _ => own,
        };
        [grey, grey, grey, 255]
    })
}

/// The page with edges at its left side in some rows of every other band of them, where `smoothing` is grey.
fn with_edges(page: &Page, rows: Range<u32>, smoothing: u8) -> Page {
    Page::drawn(page.size.width, HEIGHT, |x, y| {
        let is_edge = (y / ROWS).is_multiple_of(2) && rows.contains(&(y % ROWS));
        let grey = match x {
            4..9 if is_edge => 255,
            9 if is_edge => smoothing,
            10..24 if is_edge => 0,
            _ => return page.color_at(x, y),
        };
        [grey, grey, grey, 255]
    })
}

/// What all windows lose together.
fn loss(result: &Comparison) -> f64 {
    let size = result.layout.size;
    let windows = f64::from(size.width - 10) * f64::from(size.height - 10);
    (100.0 - result.score) / 100.0 * windows
}

/// What is measured hangs on no column's place in a word or a tile: the same page with margins of many widths tells the same.
#[test]
fn what_is_measured_beside_a_seam_hangs_on_no_column() {
    for (anti_aliasing, is_opaque) in [
        (AntiAliasing::Exclude, true),
        (AntiAliasing::Include, true),
        (AntiAliasing::Exclude, false),
    ] {
        let (bar, news) = (noise(BAR, 1), Page::noise(TEXT, ROWS, 3));
        // The text goes down by one band. Where edges come then, it had none; the bar's rows had.
        let text = with_edges(&noise(TEXT, 2), 0..ROWS, 255);
        let pushed = edited(&pushed_down(&text, 2 * ROWS, &news), 4);
        let pushed = with_edges(&pushed, 10..18, 128);
        let (before, after) = (bar.beside(&text), edited(&bar, 5).beside(&pushed));
        let options = CompareOptions {
            anti_aliasing,
            ..CompareOptions::default()
        };
        let results = MARGINS.map(|margin| {
            // A pixel that is not opaque here and there has all that is near it read with its alpha.
            let blank = Page::drawn(margin, HEIGHT, |x, y| {
                let is_hole = !is_opaque && x == 0 && y.is_multiple_of(20);
                if is_hole { [0; 4] } else { WHITE }
            });
            let [before, after] = [&before, &after].map(|page| blank.beside(page).png());
            (margin, both::compare(&before, &after, &options))
        });
        let results: Vec<(u32, Comparison)> = results.collect();
        let (_, first) = &results[0];
        let edited = first.changed_pixels - 2 * u64::from(ROWS * TEXT);
        let smoothing = first.anti_aliased_pixels;
        assert!(edited > 500 && smoothing > 500, "{edited} {smoothing}");
        for (margin, result) in &results {
            let lanes: Vec<_> = (result.layout.lanes.iter())
                .map(|lane| (lane.x, lane.bands.len()))
                .collect();
            assert_eq!(lanes, [(0, 1), (margin + BAR, 4)]);
            let counts = |result: &Comparison| {
                [
                    result.changed_pixels,
                    result.anti_aliased_pixels,
                    result.inserted_pixels,
                    result.removed_pixels,
                ]
            };
            assert_eq!(counts(result), counts(first), "{margin}");
            assert!((result.max_delta - first.max_delta).abs() < 1e-12);
            assert!((result.mean_delta - first.mean_delta).abs() < 1e-9);
            let ratio = loss(result) / loss(first);
            assert!((ratio - 1.0).abs() < 1e-5, "{margin}: {ratio}");
        }
    }
}
