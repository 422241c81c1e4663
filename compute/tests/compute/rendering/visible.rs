//! What changed is seen in a drawing, whatever else is drawn.

use pentimento_compute::{CompareOptions, Drawing, MAX_PIXELS, render_diff};

use super::{PAINT, both, places, rendered};
use crate::pages::{BLACK, Page, WHITE, rect};

#[test]
fn large_pages_are_scaled_down_and_single_pixels_stay_visible() {
    let (width, height) = (2000, 15_000);
    let page = Page::flat(width, height, WHITE);
    let edited = page.clone().pixel(1000, 7501, BLACK);
    let (baseline, current) = (page.opaque_png(), edited.opaque_png());
    let result = both::compare(&baseline, &current, &CompareOptions::default());
    let picture = Page::read(
        &render_diff(
            &baseline,
            &current,
            &result.layout,
            &result.mask,
            &[],
            Drawing::SideBySide,
        )
        .unwrap(),
    );
    assert!(
        picture.size.pixels() <= MAX_PIXELS && picture.size.height > 12_000,
        "{}",
        picture.size
    );
    let painted = places(picture.size).filter(|&(x, y)| picture.color_at(x, y) == PAINT);
    assert_eq!(painted.count(), 1);
}

#[test]
fn every_changed_pixel_is_painted_also_beneath_outlines_and_tags() {
    let page = Page::flat(300, 200, WHITE);
    // A change along the page's edge, where its outline has no room, and dots a little further apart than regions are
    // joined, where a tag of two letters reaches the next.
    let mut edited = page.clone().fill(rect(298, 100, 2, 100), BLACK);
    let dots = (0..30).map(|at| (5 + at % 6 * 41, 20 + at / 6 * 30));
    for (x, y) in dots {
        edited = edited.pixel(x, y, BLACK);
    }
    let (baseline, current) = (page.opaque_png(), edited.opaque_png());
    let result = both::compare(&baseline, &current, &CompareOptions::default());
    assert!(result.regions.len() > 26, "{}", result.regions.len());
    for drawing in [Drawing::Diff, Drawing::SideBySide] {
        let picture = rendered(&page, &edited, drawing);
        let painted = places(picture.size).filter(|&(x, y)| picture.color_at(x, y) == PAINT);
        assert_eq!(painted.count() as u64, result.changed_pixels);
    }
}
