//! The GPU path gives what the CPU path gives: the same mask, counts and regions to the pixel, the
//! same score to 1e-4.
//!
//! It runs on whatever adapter there is, a software one in continuous integration, and fails when
//! there is none: a parity test that skips proves nothing.

use std::sync::LazyLock;

use pentimento_compute::{
    Backend, BackendChoice, Comparator, CompareOptions, Comparison, MAX_SIDE, Rect,
};
use rayon::prelude::*;

use crate::pages::{BLACK, Page, WHITE, random, rect};

static CPU: LazyLock<Comparator> = LazyLock::new(|| Comparator::new(BackendChoice::Cpu).unwrap());
static GPU: LazyLock<Comparator> = LazyLock::new(|| {
    Comparator::new(BackendChoice::Gpu)
        .expect("no adapter to test on: apt-get install mesa-vulkan-drivers libvulkan1")
});

/// Largest difference of the scores, which run from 0 to 100.
const SCORE_TOLERANCE: f64 = 1e-4;

/// Compares on both backends and returns the CPU's result.
pub(crate) fn check(
    name: &str,
    baseline: &[u8],
    current: &[u8],
    options: &CompareOptions,
) -> Comparison {
    let cpu = CPU.compare(baseline, current, options).unwrap();
    let gpu = GPU.compare(baseline, current, options).unwrap();
    assert_eq!(
        (cpu.backend, gpu.backend),
        (Backend::Cpu, Backend::Gpu),
        "{name}"
    );
    assert_eq!(cpu.changed_pixels, gpu.changed_pixels, "{name}");
    assert!(cpu.mask == gpu.mask, "{name}: the masks differ");
    assert_eq!(cpu.regions, gpu.regions, "{name}");
    assert!(
        (cpu.score - gpu.score).abs() <= SCORE_TOLERANCE,
        "{name}: {} on the CPU, {} on the GPU",
        cpu.score,
        gpu.score
    );
    let rest = Comparison {
        score: cpu.score,
        backend: cpu.backend,
        ..gpu
    };
    assert!(cpu == rest, "{name}: other fields differ");
    cpu
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
fn odd_sizes() {
    for (width, height) in [
        (2, 3),
        (10, 10),
        (11, 11),
        (12, 9),
        (1, 40),
        (40, 1),
        (31, 33),
        (33, 17),
        (65, 129),
        (257, 31),
    ] {
        let name = format!("noise of {width}×{height}");
        check_pages(
            &name,
            &Page::noise(width, height, 1),
            &Page::noise(width, height, 2),
            &[],
        );
        let text = Page::text(width, height);
        let edited = text
            .clone()
            .fill(rect(width / 2, height / 2, 3, 3), [200, 30, 30, 255]);
        check_pages(&format!("text of {width}×{height}"), &text, &edited, &[]);
    }
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

#[test]
fn different_sizes() {
    for (width, height) in [
        (100, 150),
        (100, 50),
        (150, 100),
        (37, 100),
        (50, 170),
        (170, 50),
        (1, 1),
    ] {
        let name = format!("100×100 and {width}×{height}");
        check_pages(
            &name,
            &Page::text(100, 100),
            &Page::text(width, height),
            &[],
        );
        check_pages(
            &format!("{name}, translucent"),
            &Page::text(100, 100),
            &Page::translucent_noise(width, height, 5),
            &[],
        );
    }
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

/// More than 128 MiB of pixels as the shaders see them, with changes in every chunk and along the
/// chunks' edges.
#[test]
fn page_above_the_binding_limit() {
    let (width, height) = (1280, 27_000);
    let page = Page::flat(width, height, [250, 250, 250, 255]);
    let mut edited = page.clone();
    for y in (0..height).step_by(16) {
        edited = edited.fill(rect(y * 7 % width, y, 5, 2), [20, 90, 160, 255]);
    }
    let result = check(
        "a tall page",
        &page.opaque_png(),
        &edited.opaque_png(),
        &CompareOptions::default(),
    );
    assert!(u64::from(width) * u64::from(height) * 4 > 128 << 20);
    assert!(result.changed_pixels > 16_000, "{}", result.changed_pixels);
}

#[test]
fn longest_sides() {
    for (width, height) in [(MAX_SIDE, 2), (2, MAX_SIDE)] {
        let (one, other) = (
            Page::flat(width, height, WHITE),
            Page::noise(width, height, 6),
        );
        check_pages(&format!("{width}×{height}"), &one, &other, &[]);
    }
}

/// A folder of pairs is compared by a thread pool, whose waiting threads take up other pairs.
#[test]
fn many_at_once() {
    (0..40_u32).into_par_iter().for_each(|index| {
        let page = Page::noise(100 + index, 64, 1);
        let edited = page.clone().fill(rect(index, 3, 30, 20), BLACK);
        check_pages(&format!("pair {index}"), &page, &edited, &[]);
    });
}

#[test]
fn a_forced_backend_is_the_one_reported() {
    assert_eq!(CPU.report().backend, Backend::Cpu);
    let report = GPU.report();
    assert_eq!(report.backend, Backend::Gpu);
    assert!(report.adapter.is_some_and(|name| !name.is_empty()));
}
