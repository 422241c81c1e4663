//! The annotated picture.

mod visible;

use pentimento_compute::{
    Band, BitMask, CompareOptions, Drawing, Error, Lane, Layout, MAX_PIXELS, Size, read_size,
    render_diff,
};

use crate::both;
use crate::pages::{BLACK, Page, WHITE, rect};

const PAINT: [u8; 4] = [0xe6, 0x00, 0x7a, 255];
const OUTLINE: [u8; 4] = [0x1d, 0x4e, 0xd8, 255];
const GROUND: [u8; 4] = [0x80, 0x80, 0x80, 255];
const HATCH: [u8; 4] = [0xc8, 0xc8, 0xc8, 255];

fn rendered(baseline: &Page, current: &Page, drawing: Drawing) -> Page {
    let (baseline, current) = (baseline.png(), current.png());
    let result = both::compare(&baseline, &current, &CompareOptions::default());
    Page::read(
        &render_diff(
            &baseline,
            &current,
            &result.layout,
            &result.mask,
            &result.regions,
            drawing,
        )
        .unwrap(),
    )
}

#[test]
fn what_lies_around_loose_rows_is_dashed() {
    let before = Page::prose(160, 200, 81);
    let mut parts = Vec::new();
    for line in 1..=4 {
        parts.push((&before, line * 40 - 40..line * 40));
        parts.push((&before, line * 40 - 1..line * 40));
    }
    parts.push((&before, 160..200));
    let after = Page::stacked(&parts);
    let picture = rendered(&before, &after, Drawing::Diff);
    let (baseline, current) = (before.png(), after.png());
    let result = both::compare(&baseline, &current, &CompareOptions::default());
    let [region] = &result.regions[..] else {
        panic!("{:?}", result.regions)
    };
    assert!(region.loose_rows.is_some());
    let side = |y: u32| picture.color_at(0, y) == OUTLINE;
    let dashes = (region.area.y..region.area.bottom())
        .filter(|&y| side(y))
        .count();
    let half = region.area.height as usize / 2;
    assert!(
        (half - 8..=half + 8).contains(&dashes),
        "{dashes} of {half}"
    );
    let top = (0..160).filter(|&x| picture.color_at(x, region.area.y - 1) == OUTLINE);
    assert!((64..=100).contains(&top.count()));
}

#[test]
fn panels_stand_side_by_side() {
    let page = Page::flat(100, 80, [200, 220, 240, 255]);
    let edited = page.clone().fill(rect(40, 40, 10, 10), BLACK);
    let picture = rendered(&page, &edited, Drawing::SideBySide);
    assert_eq!(
        picture.size,
        Size {
            width: 3 * 100 + 2 * 16,
            height: 80
        }
    );
    let panels = [0, 116, 232].map(|left| picture.color_at(left + 45, 45));
    assert_eq!(panels, [[200, 220, 240, 255], BLACK, PAINT]);
    for left in [0, 116, 232] {
        assert_eq!(picture.color_at(left + 39, 45), OUTLINE);
        assert_eq!(picture.color_at(left + 38, 17), OUTLINE, "the tag");
    }
}

#[test]
fn the_diff_alone_is_the_right_panel() {
    let page = Page::text(100, 80);
    for edited in [
        page.clone().fill(rect(40, 40, 10, 10), [200, 0, 0, 255]),
        Page::text(70, 95),
        Page::translucent_noise(100, 80, 3),
    ] {
        let sheet = rendered(&page, &edited, Drawing::SideBySide);
        let diff = rendered(&page, &edited, Drawing::Diff);
        let left = sheet.size.width - diff.size.width;
        assert_eq!(diff.size.height, sheet.size.height);
        assert_eq!(left, 2 * (diff.size.width + 16));
        for (x, y) in places(diff.size) {
            assert_eq!(diff.color_at(x, y), sheet.color_at(left + x, y), "{x}, {y}");
        }
    }
}

#[test]
fn the_unchanged_page_is_faded() {
    let page = Page::drawn(100, 3, |x, y| match (x, y) {
        (70, 1) => BLACK,
        (..50, _) => [200, 200, 200, 255],
        _ => WHITE,
    });
    let size = page.size;
    let diff = drawn(
        [&page, &page],
        &Layout::in_place(size, size),
        &[],
        Drawing::Diff,
    );
    let expected = |x, y| match (x, y) {
        (70, 1) => 255 - 63,
        (..50, _) => 255 - 13,
        _ => 255,
    };
    for (x, y) in places(size) {
        let grey = expected(x, y);
        assert_eq!(
            diff.color_at(x, y),
            [grey, grey, grey, 255],
            "{x}, {y}: neither the run above nor the one before counts"
        );
    }
}

#[test]
fn pictures_of_different_sizes_are_drawn() {
    let (tall, wide) = (Page::flat(60, 90, BLACK), Page::flat(80, 40, BLACK));
    let sheet = rendered(&tall, &wide, Drawing::SideBySide);
    assert_eq!(
        sheet.size,
        Size {
            width: 3 * 80 + 2 * 16,
            height: 90
        }
    );
    assert_eq!(sheet.color_at(96 + 30, 20), BLACK);
    let place_beside = sheet.color_at(79, 85);
    assert_eq!(place_beside, GROUND, "where the baseline is narrower");
    assert!(
        [HATCH, WHITE].contains(&sheet.color_at(96 + 30, 60)),
        "where the current picture is shorter"
    );
    assert_eq!(
        rendered(
            &Page::flat(1, 1, BLACK),
            &Page::flat(1, 1, WHITE),
            Drawing::SideBySide
        )
        .size,
        Size {
            width: 35,
            height: 1
        }
    );
}

/// Draws two pictures on a canvas of our own; nothing has changed but what `changed` names.
fn drawn(
    [baseline, current]: [&Page; 2],
    layout: &Layout,
    changed: &[pentimento_compute::Rect],
    drawing: Drawing,
) -> Page {
    let mut mask = Page::flat(layout.size.width, layout.size.height, BLACK);
    for &area in changed {
        mask = mask.fill(area, WHITE);
    }
    let png = render_diff(
        &baseline.png(),
        &current.opaque_png(),
        layout,
        &mask.as_mask(),
        &[],
        drawing,
    );
    Page::read(&png.unwrap())
}

fn band(y: u32, rows: u32, baseline_y: Option<u32>, current_y: Option<u32>) -> Band {
    Band {
        y,
        rows,
        baseline_y,
        current_y,
        moved: None,
    }
}

fn places(size: Size) -> impl Iterator<Item = (u32, u32)> {
    (0..size.height).flat_map(move |y| (0..size.width).map(move |x| (x, y)))
}

/// Every row of a page in a colour of its own.
fn striped(width: u32, height: u32, red: u8) -> Page {
    Page::drawn(width, height, |_, y| {
        [red, u8::try_from(y).unwrap(), 40, 255]
    })
}

/// Rows 0–9 in both, 10–19 inserted, 20–29 in both, 30–35 removed, 36–39 in both.
fn shifted() -> Layout {
    Layout {
        size: Size {
            width: 20,
            height: 40,
        },
        lanes: vec![Lane {
            x: 0,
            width: 20,
            bands: vec![
                band(0, 10, Some(0), Some(0)),
                band(10, 10, None, Some(10)),
                band(20, 10, Some(10), Some(20)),
                band(30, 6, Some(20), None),
                band(36, 4, Some(26), Some(30)),
            ],
        }],
    }
}

#[test]
fn rows_that_belong_together_stand_side_by_side_and_gaps_are_hatched() {
    let (baseline, current) = (striped(20, 30, 100), striped(20, 34, 200));
    let sheet = drawn([&baseline, &current], &shifted(), &[], Drawing::SideBySide);
    let row_of = |panel: u32, y: u32| {
        let [red, row, ..] = sheet.color_at(panel * 36 + 3, y);
        (red, row)
    };
    for (y, before, after) in [
        (0, Some(0), Some(0)),
        (9, Some(9), Some(9)),
        (10, None, Some(10)),
        (19, None, Some(19)),
        (20, Some(10), Some(20)),
        (29, Some(19), Some(29)),
        (30, Some(20), None),
        (35, Some(25), None),
        (36, Some(26), Some(30)),
        (39, Some(29), Some(33)),
    ] {
        for (panel, red, row) in [(0, 100, before), (1, 200, after)] {
            match row {
                Some(row) => assert_eq!(row_of(panel, y), (red, row), "panel {panel}, row {y}"),
                None => assert_hatched(&sheet, panel * 36, y),
            }
        }
    }
    assert_hatched(&sheet, 72, 33);
}

/// Two columns of every eight are lines, the others white.
fn assert_hatched(sheet: &Page, left: u32, y: u32) {
    let colors: Vec<_> = (0..16).map(|x| sheet.color_at(left + x, y)).collect();
    let count = |color| colors.iter().filter(|&&other| other == color).count();
    assert_eq!((count(HATCH), count(WHITE)), (4, 12), "row {y}: {colors:?}");
}

#[test]
fn the_diff_follows_the_layout() {
    let (baseline, current) = (striped(20, 30, 100), striped(20, 34, 200));
    let changed = rect(0, 12, 20, 3);
    let diff = drawn([&baseline, &current], &shifted(), &[changed], Drawing::Diff);
    assert_eq!(diff.size, shifted().size);
    for x in 0..20 {
        assert_eq!(diff.color_at(x, 13), PAINT);
    }
    assert_ne!(diff.color_at(5, 15), PAINT);
    let faded = |y| diff.color_at(3, y);
    let in_place = drawn(
        [&current, &current],
        &Layout::in_place(current.size, current.size),
        &[],
        Drawing::Diff,
    );
    assert_eq!(faded(29), in_place.color_at(3, 29));
    assert_eq!(faded(37), in_place.color_at(3, 31));
    assert_hatched(&diff, 0, 33);
}

#[test]
fn a_row_below_a_gap_is_drawn_although_it_equals_the_one_above_the_gap() {
    let flat = Page::flat(20, 34, [200, 200, 200, 255]);
    let diff = drawn([&flat, &flat], &shifted(), &[], Drawing::Diff);
    assert_hatched(&diff, 0, 35);
    for x in 0..20 {
        assert_eq!(diff.color_at(x, 36), diff.color_at(x, 29), "column {x}");
    }
}

#[test]
fn lanes_are_laid_by_themselves() {
    let (baseline, current) = (striped(20, 30, 100), striped(20, 40, 200));
    // A side bar of 30 rows stays while the column beside it moves down by ten.
    let layout = Layout {
        size: Size {
            width: 20,
            height: 40,
        },
        lanes: vec![
            Lane {
                x: 0,
                width: 5,
                bands: vec![band(0, 30, Some(0), Some(0))],
            },
            Lane {
                x: 5,
                width: 15,
                bands: vec![band(0, 10, None, Some(0)), band(10, 30, Some(0), Some(10))],
            },
        ],
    };
    let sheet = drawn([&baseline, &current], &layout, &[], Drawing::SideBySide);
    let left = |x: u32, y: u32| sheet.color_at(x, y);
    assert_eq!(left(4, 3), [100, 3, 40, 255]);
    assert_eq!(left(5, 13), [100, 3, 40, 255]);
    assert_eq!(left(19, 39), [100, 29, 40, 255]);
    assert_hatched_from(&sheet, 5, 3);
    for panel in 0..3 {
        assert_eq!(
            sheet.color_at(panel * 36 + 2, 35),
            GROUND,
            "below the end of a lane"
        );
    }
    assert_eq!(sheet.color_at(36 + 2, 29), [200, 29, 40, 255]);
    assert_eq!(sheet.color_at(36 + 7, 39), [200, 39, 40, 255]);
}

fn assert_hatched_from(sheet: &Page, left: u32, y: u32) {
    for x in left..20 {
        assert!(
            [HATCH, WHITE].contains(&sheet.color_at(x, y)),
            "column {x}: {:?}",
            sheet.color_at(x, y)
        );
    }
}

#[test]
fn a_layout_that_names_rows_beyond_a_picture_does_no_harm() {
    let page = Page::text(30, 10);
    let mut layout = shifted();
    layout.lanes[0].bands[4].current_y = Some(u32::MAX - 1);
    for drawing in [Drawing::Diff, Drawing::SideBySide] {
        drawn([&page, &page], &layout, &[], drawing);
    }
}

#[test]
fn a_canvas_beyond_the_bound_is_scaled_into_one_panel() {
    let (before, after) = (
        Page::flat(3000, 14_000, WHITE),
        Page::flat(3000, 14_001, WHITE),
    );
    let (before, after) = (before.opaque_png(), after.opaque_png());
    let layout = Layout {
        size: Size {
            width: 3000,
            height: 28_001,
        },
        lanes: vec![Lane {
            x: 0,
            width: 3000,
            bands: vec![
                band(0, 14_000, Some(0), None),
                band(14_000, 14_001, None, Some(0)),
            ],
        }],
    };
    let mask = BitMask::new(layout.size);
    let png = render_diff(&before, &after, &layout, &mask, &[], Drawing::Diff).unwrap();
    let size = read_size(&png).unwrap();
    assert!(
        size.pixels() <= MAX_PIXELS && size.pixels() > MAX_PIXELS * 99 / 100,
        "{size}"
    );
}

#[test]
fn a_foreign_mask_is_refused() {
    let page = Page::text(20, 20).png();
    let layout = Layout::in_place(read_size(&page).unwrap(), read_size(&page).unwrap());
    let mask = BitMask::new(Size {
        width: 21,
        height: 20,
    });
    assert!(matches!(
        render_diff(&page, &page, &layout, &mask, &[], Drawing::SideBySide),
        Err(Error::MaskSize { .. })
    ));
}
