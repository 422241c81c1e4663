//! The annotated picture and thumbnails.

use pentimento_compute::{
    BackendChoice, BitMask, Comparator, CompareOptions, Drawing, Error, Layout, MAX_PIXELS, Size,
    read_size, render_diff, thumbnail,
};

use crate::pages::{BLACK, Page, WHITE, rect};

const PAINT: [u8; 4] = [0xe6, 0x00, 0x7a, 255];
const OUTLINE: [u8; 4] = [0x1d, 0x4e, 0xd8, 255];

fn rendered(baseline: &Page, current: &Page) -> Page {
    let comparator = Comparator::new(BackendChoice::Cpu).unwrap();
    let (baseline, current) = (baseline.png(), current.png());
    let result = comparator
        .compare(&baseline, &current, &CompareOptions::default())
        .unwrap();
    Page::read(
        &render_diff(
            &baseline,
            &current,
            &result.layout,
            &result.mask,
            &result.regions,
            Drawing::SideBySide,
        )
        .unwrap(),
    )
}

#[test]
fn panels_stand_side_by_side() {
    let page = Page::flat(100, 80, [200, 220, 240, 255]);
    let edited = page.clone().fill(rect(40, 40, 10, 10), BLACK);
    let picture = rendered(&page, &edited);
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
fn pictures_of_different_sizes_are_drawn() {
    let picture = rendered(&Page::flat(60, 90, BLACK), &Page::flat(80, 40, BLACK));
    assert_eq!(
        picture.size,
        Size {
            width: 3 * 80 + 2 * 16,
            height: 90
        }
    );
    assert_eq!(
        rendered(&Page::flat(1, 1, BLACK), &Page::flat(1, 1, WHITE)).size,
        Size {
            width: 35,
            height: 1
        }
    );
}

#[test]
fn large_pages_are_scaled_down_and_single_pixels_stay_visible() {
    let (width, height) = (2000, 15_000);
    let page = Page::flat(width, height, WHITE);
    let edited = page.clone().pixel(1000, 7501, BLACK);
    let (baseline, current) = (page.opaque_png(), edited.opaque_png());
    let comparator = Comparator::new(BackendChoice::Cpu).unwrap();
    let result = comparator
        .compare(&baseline, &current, &CompareOptions::default())
        .unwrap();
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
    let painted = (0..picture.size.height)
        .flat_map(|y| (0..picture.size.width).map(move |x| (x, y)))
        .filter(|&(x, y)| picture.color_at(x, y) == PAINT);
    assert_eq!(painted.count(), 1);
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

#[test]
fn thumbnails_are_means_over_white() {
    let board = Page::drawn(64, 64, |x, y| if (x + y) % 2 == 0 { BLACK } else { WHITE });
    let small = Page::read(&thumbnail(&board.png(), 16, 100).unwrap());
    assert_eq!(
        (small.size, small.color_at(5, 5)),
        (
            Size {
                width: 16,
                height: 16
            },
            [128, 128, 128, 255]
        )
    );
    let clear = Page::flat(30, 30, [0, 0, 0, 0]);
    assert_eq!(
        Page::read(&thumbnail(&clear.png(), 10, 10).unwrap()).color_at(4, 4),
        WHITE
    );
}

#[test]
fn thumbnails_are_cut_at_the_bottom_and_never_enlarged() {
    let check = |from: (u32, u32), to: (u32, u32)| {
        let png = thumbnail(&Page::text(from.0, from.1).png(), 100, 150).unwrap();
        assert_eq!(
            read_size(&png).unwrap(),
            Size {
                width: to.0,
                height: to.1
            },
            "{from:?}"
        );
    };
    check((400, 300), (100, 75));
    check((400, 3000), (100, 150));
    check((30, 20), (30, 20));
    check((1, 1), (1, 1));
}
