//! Pictures of unusual and of different sizes.

use pentimento_compute::{CompareOptions, MAX_SIDE};

use super::{check, check_pages};
use crate::pages::{Page, WHITE, rect};

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
