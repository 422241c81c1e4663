//! The GPU path gives what the CPU path gives: the same mask, counts and regions to the pixel, the
//! same score to 1e-4. These cases are made to tell the paths apart; the tests of everything else compare on both too,
//! except for two pages of 80 million pixels that are timed (`pathological.rs`).

mod batches;
mod sizes;

use crate::both::{self, CPU, GPU};
use crate::pages::{BLACK, Page, WHITE, random, rect};
use pentimento_compute::{
    Alignment, AntiAliasing, Backend, CompareOptions, Comparison, Doubt, Doubtful, Picture, Rect,
    to_strips,
};

/// Compares on both backends and returns the CPU's result; a failure is told with the case's name.
#[track_caller]
pub(crate) fn check(
    name: &str,
    baseline: &[u8],
    current: &[u8],
    options: &CompareOptions,
) -> Comparison {
    println!("{name}");
    both::compare(baseline, current, options)
}

fn check_pages(name: &str, baseline: &Page, current: &Page, ignore: &[Rect]) -> Comparison {
    let options = CompareOptions {
        ignore: ignore.to_vec(),
        ..CompareOptions::default()
    };
    check(name, &baseline.png(), &current.png(), &options)
}

#[test]
fn identical_pictures() {
    let page = Page::text(200, 100);
    let same_bytes = check_pages("same bytes", &page, &page, &[]);
    let same_pixels = check(
        "same pixels",
        &page.png(),
        &page.opaque_png(),
        &CompareOptions::default(),
    );
    assert_eq!((same_bytes.changed_pixels, same_bytes.score), (0, 100.0));
    assert_eq!((same_pixels.changed_pixels, same_pixels.score), (0, 100.0));
}

#[test]
fn single_pixels() {
    check_pages(
        "black and white",
        &Page::flat(1, 1, BLACK),
        &Page::flat(1, 1, WHITE),
        &[],
    );
    check_pages(
        "nearly the same",
        &Page::flat(1, 1, [10, 10, 10, 255]),
        &Page::flat(1, 1, [11, 10, 10, 255]),
        &[],
    );
    check_pages(
        "nothing and white",
        &Page::flat(1, 1, [0; 4]),
        &Page::flat(1, 1, WHITE),
        &[],
    );
}

#[test]
fn smooth_and_flat_changes() {
    let gradient = Page::gradient(300, 200);
    let shifted = Page::drawn(300, 200, |x, y| gradient.color_at((x + 3) % 300, y));
    check_pages("gradient moved", &gradient, &shifted, &[]);
    let grey = |shade: u8| Page::flat(200, 200, [shade, shade, shade, 255]);
    for (before, after) in [(0, 255), (100, 101), (100, 120), (255, 250), (60, 190)] {
        check_pages(
            &format!("grey {before} to {after}"),
            &grey(before),
            &grey(after),
            &[],
        );
    }
}

#[test]
fn colors_near_the_threshold() {
    let base = [128, 128, 128, 255];
    let near = Page::drawn(512, 256, |x, y| {
        let [r, g, b, ..] = random(3, x, y);
        [r % 64 + 96, g % 64 + 96, b % 64 + 96, 255]
    });
    for threshold in [0.0, 0.02, 0.1, 0.25, 1.0] {
        let options = CompareOptions {
            threshold,
            ..CompareOptions::default()
        };
        check(
            &format!("threshold {threshold}"),
            &Page::flat(512, 256, base).png(),
            &near.png(),
            &options,
        );
    }
}

#[test]
fn transparency() {
    let (one, other) = (
        Page::translucent_noise(130, 70, 1),
        Page::translucent_noise(130, 70, 2),
    );
    check_pages("translucent noise", &one, &other, &[]);
    check_pages(
        "translucent and opaque",
        &one,
        &Page::noise(130, 70, 3),
        &[],
    );
    let faded = Page::text(130, 70).fill(rect(20, 20, 60, 30), [40, 40, 48, 128]);
    check_pages("a faded box", &Page::text(130, 70), &faded, &[]);
    check(
        "RGB and RGBA",
        &Page::text(130, 70).opaque_png(),
        &faded.png(),
        &CompareOptions::default(),
    );
}

/// What two captures disagree on is left out, and nothing else.
#[test]
fn doubtful_places() {
    let page = Page::noise(200, 150, 3);
    let (advertisement, edit) = (rect(20, 40, 90, 30), rect(130, 100, 40, 20));
    let edited = page.clone().fill(edit, BLACK);
    let current = edited.clone().fill(advertisement, [200, 30, 30, 255]);
    let again = edited.fill(advertisement, [30, 30, 200, 255]);
    let disagreement = both::compare(&current.png(), &again.png(), &CompareOptions::default());
    let options = CompareOptions {
        doubts: vec![Doubt::of(Doubtful::Current, &disagreement, &[])],
        ..CompareOptions::default()
    };
    let left = check("doubtful", &page.png(), &current.png(), &options);
    assert_eq!(left.regions.len(), 1);
    assert_eq!(left.regions[0].area, edit);
}

#[test]
fn ignored_areas() {
    let (one, other) = (Page::noise(120, 90, 1), Page::noise(120, 90, 2));
    let cases: [&[Rect]; 5] = [
        &[rect(10, 10, 50, 40)],
        &[rect(0, 0, 1, 1), rect(119, 89, 1, 1)],
        &[rect(0, 0, 64, 90), rect(32, 0, 64, 45)],
        &[rect(100, 80, u32::MAX, u32::MAX)],
        &[rect(0, 0, 120, 90)],
    ];
    for areas in cases {
        check_pages(&format!("ignoring {areas:?}"), &one, &other, areas);
    }
    check_pages(
        "ignoring what one lacks",
        &one,
        &Page::noise(60, 90, 2),
        &[rect(50, 0, 40, 40)],
    );
}

/// Shapes with smoothed edges, moved by a fraction of a pixel: most of what changes is smoothing.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "a mix of two bytes is a byte"
)]
fn discs(width: u32, height: u32, shift: f64) -> Page {
    Page::drawn(width, height, |x, y| {
        let (cell_x, cell_y) = (f64::from(x % 40) - 19.5 - shift, f64::from(y % 40) - 19.5);
        let outside = (cell_x.hypot(cell_y) - 14.0).clamp(0.0, 1.0);
        let [red, green, blue, ..] = random(5, x / 40, y / 40);
        let mix =
            |ink: u8| (f64::from(ink % 128) * (1.0 - outside) + 255.0 * outside).round() as u8;
        [mix(red), mix(green), mix(blue), 255]
    })
}

#[test]
fn anti_aliased_pixels() {
    let (one, other) = (discs(300, 170, 0.0), discs(300, 170, 0.4));
    let glass = other.clone().fill(rect(60, 50, 40, 40), [90, 90, 200, 100]);
    for anti_aliasing in [AntiAliasing::Exclude, AntiAliasing::Include] {
        for ignore in [vec![], vec![rect(33, 10, 64, 50)]] {
            let options = CompareOptions {
                anti_aliasing,
                ignore,
                ..CompareOptions::default()
            };
            let name = format!("{options:?}");
            let found = check(&name, &one.png(), &other.png(), &options);
            assert!(found.anti_aliased_pixels > 500, "{found:?}");
            check(&name, &one.png(), &glass.png(), &options);
            check(&name, &glass.png(), &other.png(), &options);
            let (noise, more) = (Page::noise(77, 53, 1), Page::noise(77, 53, 2));
            check(&name, &noise.png(), &more.png(), &options);
            // Two colours: neighbours of the very same colour are everywhere.
            let dots = |seed: u64| {
                Page::drawn(133, 61, move |x, y| {
                    let [dot, shade, ..] = random(seed, x / 2, y / 2);
                    let shade = if shade > 200 { 128 } else { 0 };
                    if dot > 100 {
                        WHITE
                    } else {
                        [shade, shade, shade, 255]
                    }
                })
            };
            check(&name, &dots(1).png(), &dots(2).png(), &options);
        }
    }
}

/// Rows that were inserted, removed and moved: canvases with bands, whose borders are seams.
#[test]
fn pages_with_bands() {
    let page = |rows: &[std::ops::Range<u32>], shift: f64| {
        let source = discs(260, 900, shift);
        let rows: Vec<u32> = rows.iter().flat_map(Clone::clone).collect();
        let height = u32::try_from(rows.len()).unwrap();
        Page::drawn(260, height, |x, y| {
            let color = source.color_at(x, rows[y as usize]);
            let [grain, ..] = random(9, 0, rows[y as usize]);
            // Every row is its own, so that rows can be matched.
            if x < 8 {
                [grain, color[0], color[1], 255]
            } else {
                color
            }
        })
    };
    let before = page(&[0..350, 350..700], 0.0);
    let cases = [
        ("inserted", page(&[0..200, 800..860, 200..700], 0.0)),
        ("removed", page(&[0..200, 290..700], 0.0)),
        (
            "two places",
            page(&[0..150, 800..830, 150..400, 480..700], 0.0),
        ),
        ("moved", page(&[0..100, 300..420, 100..300, 420..700], 0.0)),
        (
            "inserted and edited",
            page(&[0..203, 800..861, 203..700], 0.0)
                .fill(rect(30, 190, 99, 160), [10, 200, 30, 255]),
        ),
        (
            "inserted and translucent",
            page(&[0..203, 800..861, 203..700], 0.0)
                .fill(rect(30, 190, 99, 160), [10, 200, 30, 99]),
        ),
        ("smoothed", page(&[0..350, 350..700], 0.4)),
    ];
    for (name, after) in &cases {
        for anti_aliasing in [AntiAliasing::Exclude, AntiAliasing::Include] {
            for alignment in [Alignment::Auto, Alignment::Off] {
                let options = CompareOptions {
                    anti_aliasing,
                    alignment,
                    ignore: vec![rect(100, 180, 20, 60)],
                    ..CompareOptions::default()
                };
                let name = format!("{name}, {anti_aliasing:?}, alignment {alignment:?}");
                check(&name, &before.png(), &after.png(), &options);
                check(&name, &after.png(), &before.png(), &options);
            }
        }
    }
    let inserted = check_pages("inserted", &before, &cases[0].1, &[]);
    assert!(!inserted.layout.is_in_place(), "{:?}", inserted.layout);
    let [strips, other_strips] = [&before, &cases[0].1].map(|page| to_strips(&page.png()).unwrap());
    let stored = [&CPU, &GPU].map(|comparator| {
        comparator
            .compare(
                Picture::strips(&strips),
                Picture::strips(&other_strips),
                &CompareOptions::default(),
            )
            .unwrap()
    });
    assert_eq!(stored[0].mask, stored[1].mask);
    assert_eq!(stored[1].backend, Backend::Gpu);
}
