//! Exact numbers for small pictures made by hand. Counts are those of pixelmatch 7.2, scores those of scikit-image where it
//! has one.

use pentimento_compute::{Alignment, CompareOptions, Comparison, Rect, RegionKind, Size};
use png::{BitDepth, ColorType};

use crate::both;
use crate::pages::{BLACK, Page, WHITE, encode, rect};

fn compare(one: &Page, other: &Page) -> Comparison {
    both::compare(&one.png(), &other.png(), &CompareOptions::default())
}

fn areas(result: &Comparison) -> Vec<(&str, Rect, u64)> {
    result
        .regions
        .iter()
        .map(|region| (region.label.as_str(), region.area, region.changed_pixels))
        .collect()
}

#[test]
fn planted_pixels_are_counted_one_by_one() {
    let page = Page::flat(100, 100, WHITE);
    let edited = page
        .clone()
        .fill(rect(10, 20, 7, 3), BLACK)
        .pixel(90, 95, [255, 0, 0, 255]);
    let result = compare(&page, &edited);
    assert_eq!((result.changed_pixels, result.total_pixels), (22, 10_000));
    assert!((result.diff_percentage() - 0.22).abs() < 1e-12);
    assert_eq!(
        areas(&result),
        [("A", rect(10, 20, 7, 3), 21), ("B", rect(90, 95, 1, 1), 1)]
    );
    // Black on white: 0.5053 × 255² of 35,215.
    assert!(
        (result.max_delta - 0.933_044).abs() < 1e-4,
        "{}",
        result.max_delta
    );
}

#[test]
fn what_differs_by_less_than_the_threshold_is_faint() {
    let page = Page::text(200, 320);
    let tinted = page
        .clone()
        .fill(rect(32, 48, 64, 32), [255, 232, 204, 255]);
    let plain = page.clone().fill(rect(32, 48, 64, 32), WHITE);
    let result = compare(&plain, &tinted);
    assert_eq!((result.changed_pixels, result.regions.len()), (0, 0));
    assert_eq!(result.faint.count(), 8);
    for (area, share) in [
        (rect(32, 48, 64, 32), 1.0),
        (rect(32, 48, 64, 64), 0.5),
        (rect(40, 50, 3, 2), 1.0),
        (rect(96, 48, 64, 32), 0.0),
        (rect(0, 0, 0, 0), 0.0),
        (rect(5000, 5000, 10, 10), 0.0),
    ] {
        assert!((result.faint_share(area) - share).abs() < 1e-12, "{area:?}");
    }
    // A tile with a pixel beyond the threshold is no longer faint.
    let marked = tinted.clone().pixel(33, 49, BLACK);
    assert_eq!(compare(&plain, &marked).faint.count(), 7);
    // Rows that moved down take their tint with them.
    let below = |page: &Page| Page::stacked(&[(&Page::prose(200, 64, 3), 0..64), (page, 0..320)]);
    let moved = compare(&Page::stacked(&[(&plain, 0..320)]), &below(&tinted));
    assert!(!moved.layout.is_in_place());
    assert!((moved.faint_share(rect(32, 112, 64, 32)) - 1.0).abs() < 1e-12);
}

#[test]
fn what_only_one_picture_has_is_not_faint() {
    let page = Page::prose(120, 200, 1);
    let banner = Page::prose(120, 70, 2);
    let longer = Page::stacked(&[(&page, 0..100), (&banner, 0..70), (&page, 100..200)]);
    let wider = page.beside(&Page::flat(41, 200, WHITE));
    // Below it and beside the page lies what neither has.
    let low_and_wide = Page::prose(230, 90, 4);
    for other in [&longer, &wider, &low_and_wide] {
        for (one, other) in [(&page, other), (other, &page)] {
            let result = compare(one, other);
            assert!(result.inserted_pixels + result.removed_pixels > 0);
            assert_eq!(result.faint.count(), 0);
        }
    }
}

/// Two pixels with an alpha of 0 are the same, whatever colours they hold.
#[test]
fn what_hides_behind_an_alpha_of_0_is_not_told() {
    let [bright, dark] =
        [[255, 255, 255, 0], [0, 0, 0, 0]].map(|ground| Page::flat(40, 40, ground));
    let marked = dark.clone().fill(rect(16, 16, 10, 10), [255, 0, 0, 255]);
    for (one, other, kind) in [
        (&bright, &marked, RegionKind::Added),
        (&marked, &bright, RegionKind::Removed),
    ] {
        let result = compare(one, other);
        assert_eq!((result.changed_pixels, result.regions[0].kind), (100, kind));
        assert_eq!(result.faint.count(), 0);
    }
    let tinted = dark.clone().fill(rect(16, 16, 10, 10), [0, 0, 0, 10]);
    assert_eq!(compare(&bright, &tinted).faint.count(), 1);
}

#[test]
fn a_transparent_neighbour_is_as_dark_as_an_opaque_one_of_the_grounds_colour() {
    // pixelmatch takes neither of both for the darkest neighbour that another one tells, and counts nothing.
    let rows = [".....g.", "gw.w.gg", ".w.cggw", "gg.wwww", "g...ww."];
    let page = |centre| {
        Page::drawn(7, 5, |x, y| match rows[y as usize].as_bytes()[x as usize] {
            b'.' => [0; 4],
            b'g' => [48, 48, 207, 255],
            b'w' => WHITE,
            _ => centre,
        })
    };
    let result = compare(&page([204, 38, 42, 255]), &page([76, 166, 42, 255]));
    assert_eq!((result.changed_pixels, result.anti_aliased_pixels), (0, 1));
}

#[test]
fn steps_of_grey_around_the_threshold() {
    let grey = |shade: u8| Page::flat(4, 4, [shade, shade, shade, 255]);
    // A step of n shades is 0.5053 n²; the threshold of 0.1 is 352.15, between 26 and 27 shades.
    assert_eq!(compare(&grey(100), &grey(126)).changed_pixels, 0);
    assert_eq!(compare(&grey(100), &grey(127)).changed_pixels, 16);
}

/// RGB rows whose last word of a mask is not full.
#[test]
fn a_threshold_of_0_counts_every_difference() {
    let strict = CompareOptions {
        threshold: 0.0,
        ..CompareOptions::default()
    };
    for width in [1, 5, 31, 33, 100] {
        let page = Page::flat(width, 40, [100, 100, 100, 255]);
        let edited = page.clone().pixel(width - 1, 7, [100, 100, 101, 255]);
        let result = both::compare(&page.opaque_png(), &edited.opaque_png(), &strict);
        assert_eq!(result.changed_pixels, 1, "{width} pixels wide");
    }
}

#[test]
fn what_only_one_picture_has_is_changed() {
    let result = compare(&Page::flat(10, 10, WHITE), &Page::flat(10, 14, WHITE));
    assert_eq!(
        (
            result.changed_pixels,
            result.total_pixels,
            result.layout.size
        ),
        (
            40,
            140,
            Size {
                width: 10,
                height: 14
            }
        )
    );
    assert_eq!(
        (result.score, result.mean_delta),
        (100.0, 0.0),
        "white against nothing looks the same"
    );
    let crossed = compare(&Page::flat(10, 4, BLACK), &Page::flat(4, 10, BLACK));
    assert_eq!(
        (crossed.changed_pixels, crossed.total_pixels),
        (48, 100),
        "the corner that neither has is unchanged"
    );
}

#[test]
fn ignored_pixels_are_in_no_number() {
    let (one, other) = (
        Page::flat(50, 40, WHITE).png(),
        Page::flat(50, 40, BLACK).png(),
    );
    let mut options = CompareOptions {
        ignore: vec![rect(0, 0, 50, 30), rect(40, 20, 100, 100)],
        ..CompareOptions::default()
    };
    let result = both::compare(&one, &other, &options);
    assert_eq!(
        (
            result.changed_pixels,
            result.total_pixels,
            result.diff_percentage()
        ),
        (400, 400, 100.0)
    );
    assert_eq!(areas(&result), [("A", rect(0, 30, 40, 10), 400)]);
    options.ignore = vec![rect(0, 0, 50, 40)];
    let nothing = both::compare(&one, &other, &options);
    assert_eq!(
        (
            nothing.changed_pixels,
            nothing.total_pixels,
            nothing.diff_percentage(),
            nothing.score
        ),
        (0, 0, 0.0, 100.0)
    );
}

#[test]
fn black_against_white_scores_nearly_nothing() {
    for (width, height) in [(1, 1), (5, 30), (11, 11), (40, 40)] {
        let result = compare(
            &Page::flat(width, height, WHITE),
            &Page::flat(width, height, BLACK),
        );
        assert!(
            (result.score - 0.009_999).abs() < 1e-5,
            "{width}×{height}: {}",
            result.score
        );
    }
}

/// Rules and dots on greys that floats of 32 bits hold badly: the same few windows are all of a page.
#[test]
fn rules_and_dots_score_what_they_are_worth() {
    let ruled = |size: [u32; 2], [every, at]: [[u32; 2]; 2], [ground, ink]: [u8; 2]| {
        let grey = |level: u8| [level, level, level, 255];
        let [rows, columns] = [0, 1].map(|axis| {
            let length = size[1 - axis];
            (at[axis]..length).step_by(every[axis] as usize)
        });
        let page = Page::flat(size[0], size[1], grey(ground));
        let dots = rows.flat_map(|y| columns.clone().map(move |x| (x, y)));
        dots.fold(page, |page, (x, y)| page.pixel(x, y, grey(ink)))
    };
    for (size, places, greys, score) in [
        (
            [600, 11],
            [[11, 1], [9, 0]],
            [[248, 4], [232, 192]],
            39.524_055,
        ),
        (
            [600, 11],
            [[11, 1], [9, 0]],
            [[255, 224], [224, 51]],
            47.400_121,
        ),
        (
            [400, 720],
            [[8, 1], [4, 0]],
            [[255, 224], [224, 51]],
            36.125_218,
        ),
        (
            [720, 256],
            [[1, 8], [0, 3]],
            [[245, 224], [224, 51]],
            26.193_102,
        ),
        (
            [720, 256],
            [[8, 8], [4, 3]],
            [[224, 245], [200, 17]],
            8.576_360,
        ),
    ] {
        let [baseline, current] = greys.map(|greys| ruled(size, places, greys).png());
        let options = CompareOptions {
            alignment: Alignment::Off,
            ..CompareOptions::default()
        };
        let found = both::compare(&baseline, &current, &options).score;
        assert!(
            (found - score).abs() < 1e-4,
            "{size:?}: {found}, not {score}"
        );
    }
}

/// Every kind of PNG decodes to the same pixels.
#[test]
fn kinds_of_png() {
    let size = Size {
        width: 9,
        height: 5,
    };
    let shades: Vec<u8> = (0..45)
        .map(|index| if index % 2 == 0 { 255 } else { 0 })
        .collect();
    let page = Page::drawn(
        9,
        5,
        |x, y| if (y * 9 + x) % 2 == 0 { WHITE } else { BLACK },
    );
    let wide = |bytes: &[u8]| {
        bytes
            .iter()
            .flat_map(|&byte| [byte, byte])
            .collect::<Vec<u8>>()
    };
    let with_alpha: Vec<u8> = shades.iter().flat_map(|&shade| [shade, 255]).collect();
    let rgb: Vec<u8> = shades.iter().flat_map(|&shade| [shade; 3]).collect();
    let one_bit: Vec<u8> = (0..5)
        .flat_map(|row| {
            if row % 2 == 0 {
                [0xaa, 0x80]
            } else {
                [0x55, 0x00]
            }
        })
        .collect();
    let files = [
        encode(size, (ColorType::Grayscale, BitDepth::Eight), &shades),
        encode(size, (ColorType::Grayscale, BitDepth::One), &one_bit),
        encode(
            size,
            (ColorType::Grayscale, BitDepth::Sixteen),
            &wide(&shades),
        ),
        encode(
            size,
            (ColorType::GrayscaleAlpha, BitDepth::Eight),
            &with_alpha,
        ),
        encode(size, (ColorType::Rgb, BitDepth::Eight), &rgb),
        encode(size, (ColorType::Rgb, BitDepth::Sixteen), &wide(&rgb)),
    ];
    let strict = CompareOptions {
        threshold: 0.0,
        ..CompareOptions::default()
    };
    for (kind, file) in files.iter().enumerate() {
        let result = both::compare(&page.png(), file, &strict);
        assert_eq!(
            (result.changed_pixels, result.score),
            (0, 100.0),
            "kind {kind}"
        );
    }
}

#[test]
fn a_threshold_of_nothing_counts_every_difference_of_a_row_that_ends_within_a_word() {
    let page = Page::flat(17, 3, WHITE);
    let edited = page.clone().fill(rect(16, 1, 1, 1), [254, 255, 255, 255]);
    let strict = CompareOptions {
        threshold: 0.0,
        ..CompareOptions::default()
    };
    let result = both::compare(&page.png(), &edited.png(), &strict);
    assert_eq!(result.changed_pixels, 1);
}
