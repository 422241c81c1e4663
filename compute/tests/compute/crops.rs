//! Areas cut out of pictures.

use pentimento_compute::{Error, Picture, Size, crop, to_strips};

use crate::pages::{BLACK, Page, WHITE, rect};

const LARGE: Size = Size {
    width: 1000,
    height: 1000,
};

#[test]
fn an_area_is_cut_out_of_a_png_and_of_its_stored_form_alike() {
    let page = Page::noise(90, 300, 1);
    let (png, strips) = (page.png(), to_strips(&page.png()).unwrap());
    for area in [
        rect(0, 0, 90, 300),
        rect(7, 60, 20, 9),
        rect(89, 299, 1, 1),
        rect(3, 128, 80, 64),
    ] {
        let expected = Page::drawn(area.width, area.height, |x, y| {
            page.color_at(area.x + x, area.y + y)
        });
        for picture in [Picture::png(&png), Picture::strips(&strips)] {
            let found = Page::read(&crop(picture, area, LARGE).unwrap());
            assert!(found == expected, "{area:?}");
        }
    }
}

#[test]
fn what_lies_beyond_the_picture_is_left_out_and_what_is_transparent_is_white() {
    let page = Page::flat(40, 30, [0; 4]).fill(rect(30, 20, 10, 10), BLACK);
    let found = Page::read(&crop(&page.png(), rect(25, 20, 500, 500), LARGE).unwrap());
    assert_eq!((found.size.width, found.size.height), (15, 10));
    assert_eq!((found.color_at(0, 0), found.color_at(5, 0)), (WHITE, BLACK));
    let max = Size { width: 0, ..LARGE };
    for (area, max) in [
        (rect(40, 0, 5, 5), LARGE),
        (rect(0, 0, 0, 5), LARGE),
        (rect(u32::MAX, u32::MAX, 5, 5), LARGE),
        (rect(0, 0, 5, 5), max),
    ] {
        let refused = crop(&page.png(), area, max);
        assert!(matches!(refused, Err(Error::EmptyCrop)), "{area:?}");
    }
}

#[test]
fn large_areas_are_scaled_down_in_their_shape() {
    let page = Page::text(400, 1200).png();
    for (area, max, expected) in [
        (rect(0, 0, 400, 200), (100, 100), (100, 50)),
        (rect(0, 0, 100, 1000), (100, 100), (10, 100)),
        (rect(0, 0, 400, 1), (100, 100), (100, 1)),
        (rect(0, 0, 100, 100), (100, 100), (100, 100)),
        (rect(0, 0, 101, 30), (100, 100), (100, 29)),
    ] {
        let max = Size {
            width: max.0,
            height: max.1,
        };
        let found = Page::read(&crop(&page, area, max).unwrap());
        assert_eq!((found.size.width, found.size.height), expected, "{area:?}");
    }
}

#[test]
fn damage_is_told() {
    let png = Page::noise(90, 300, 1).png();
    let mut strips = to_strips(&png).unwrap();
    let cut = crop(&png[..png.len() - 400], rect(0, 0, 5, 5), LARGE);
    assert!(matches!(cut, Err(Error::Corrupt(_))));
    // The last strip has some 11,900 bytes, since noise cannot be packed.
    let last = strips.len() - 12_000;
    strips[last..].fill(0);
    let area = rect(0, 270, 5, 5);
    let damaged = crop(Picture::strips(&strips), area, LARGE);
    assert!(matches!(damaged, Err(Error::Corrupt(_))), "{damaged:?}");
}
