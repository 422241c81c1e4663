//! Files that are too long to lie in memory beside their pixels.

use image::{DynamicImage, Rgb, RgbImage};

use super::{BLACK, Desk, png};

/// A picture that does not compress.
fn noise() -> RgbImage {
    RgbImage::from_fn(1300, 1200, |x, y| {
        let mix = (x ^ y.wrapping_mul(0x9e37_79b9)).wrapping_mul(0x85eb_ca6b);
        let [r, g, b, _] = (mix ^ mix >> 15).wrapping_mul(0xc2b2_ae35).to_be_bytes();
        Rgb([r, g, b])
    })
}

#[test]
fn long_files_are_compared_drawn_and_refused_as_short_ones_are() {
    let desk = Desk::new();
    let mut edited = noise();
    for x in 100..150 {
        edited.put_pixel(x, 1000, BLACK);
    }
    let long = png(&DynamicImage::from(noise()));
    assert!(long.len() > 4 << 20, "{} bytes", long.len());
    desk.write("old/a.png", &long);
    desk.write("old/b.png", &long);
    desk.write("old/cut.png", &long);
    desk.save("new/a.png", &edited);
    desk.write("new/b.png", &long);
    desk.write("new/cut.png", &long[..long.len() / 2]);
    let said = desk
        .diff(&[
            "old/a.png",
            "new/a.png",
            "--mask",
            "mask.png",
            "--diff",
            "diff.png",
            "--json",
        ])
        .ends_with(1);
    let changed = &said.json()["changedPixels"];
    assert_eq!(changed, 50);
    let mask = desk.read("mask.png").to_rgba8();
    assert_eq!(mask.pixels().filter(|pixel| pixel.0[3] > 0).count(), 50);
    assert_eq!(desk.read("diff.png").to_rgb8().dimensions(), (1300, 1200));
    desk.diff(&["old/b.png", "new/b.png"]).ends_with(0);
    for files in [
        ["old/cut.png", "new/cut.png"],
        ["new/cut.png", "new/cut.png"],
    ] {
        let said = desk.diff(&files).ends_with(2);
        let said = said.complains(&["new/cut.png: ", "damaged or cut short"]);
        assert!(!said.stderr.contains("old/cut.png: "), "{}", said.stderr);
    }
    desk.diff(&["old", "new"])
        .ends_with(2)
        .says(&["1 the same, 1 changed, 1 not comparable"]);
}
