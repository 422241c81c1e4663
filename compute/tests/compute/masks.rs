//! Masks as PNG files.

use pentimento_compute::{BitMask, CompareOptions, Error};

use crate::both;
use crate::pages::{Page, WHITE};

#[test]
fn masks_survive_a_round_trip() {
    for width in [1, 7, 8, 9, 31, 32, 33, 65] {
        let (one, other) = (Page::text(width, 23), Page::noise(width, 23, 4));
        let mask = both::compare(&one.png(), &other.png(), &CompareOptions::default()).mask;
        assert!(mask.count() > 0);
        let read = BitMask::from_png(&mask.to_png().unwrap()).unwrap();
        assert!(read == mask, "{width} pixels wide");
    }
}

#[test]
fn changed_pixels_are_opaque_white_and_others_transparent() {
    let page = Page::flat(40, 3, WHITE);
    let edited = page.clone().pixel(33, 1, [0, 0, 200, 255]);
    let mask = both::compare(&page.png(), &edited.png(), &CompareOptions::default()).mask;
    let drawn = Page::read(&mask.to_png().unwrap());
    assert_eq!(
        (drawn.size, drawn.color_at(33, 1), drawn.color_at(32, 1)[3]),
        (page.size, [255; 4], 0)
    );
    assert_eq!(
        (
            mask.count(),
            mask.get(33, 1),
            mask.get(33, 2),
            mask.get(40, 1),
            mask.get(33, 3)
        ),
        (1, true, false, false, false)
    );
}

#[test]
fn other_pictures_are_no_masks() {
    assert!(matches!(
        BitMask::from_png(&Page::text(9, 9).png()),
        Err(Error::Corrupt(_))
    ));
}
