//! Files that are damaged, hostile or no PNG at all end in an error that says so: no panic, no
//! large allocation.

use pentimento_compute::{
    BitMask, CompareOptions, Drawing, Error, Layout, MAX_PIXELS, MAX_SIDE, Size, check_form,
    read_size, render_diff, thumbnail,
};

use crate::both;
use crate::pages::{Page, WHITE, random};

/// Runs a file through every door; all must refuse it with the same kind of error.
fn check(name: &str, png: &[u8], expected: fn(&Error) -> bool) {
    let good = Page::text(20, 20).png();
    let compare =
        |one: &[u8], other: &[u8]| both::try_compare(one, other, &CompareOptions::default()).err();
    let mask = BitMask::new(Size {
        width: 20,
        height: 20,
    });
    let layout = Layout::in_place(mask.size(), mask.size());
    let answers = [
        ("baseline", compare(png, &good)),
        ("current", compare(&good, png)),
        ("thumbnail", thumbnail(png, 10, 10).err()),
        (
            "diff",
            render_diff(&good, png, &layout, &mask, &[], Drawing::Diff).err(),
        ),
        ("mask", BitMask::from_png(png).err()),
    ];
    for (door, error) in answers {
        let error = error.unwrap_or_else(|| panic!("{name} was accepted as {door}"));
        assert!(expected(&error), "{name} as {door}: {error}");
    }
}

/// A PNG whose header announces a size that its pixels do not have.
fn with_size(width: u32, height: u32) -> Vec<u8> {
    let mut png = Page::text(20, 20).png();
    png[16..20].copy_from_slice(&width.to_be_bytes());
    png[20..24].copy_from_slice(&height.to_be_bytes());
    png
}

#[test]
fn not_a_png() {
    let is_not_png = |error: &Error| matches!(error, Error::NotPng(_));
    check("nothing", b"", is_not_png);
    check(
        "a web page",
        b"<!doctype html><title>404</title>",
        is_not_png,
    );
    check(
        "a JPEG",
        &[0xff, 0xd8, 0xff, 0xe0, 0, 16, b'J', b'F', b'I', b'F'],
        |error| matches!(error, Error::NotPng(why) if why.ends_with("a JPEG")),
    );
    check(
        "the signature and another chunk",
        b"\x89PNG\r\n\x1a\n\0\0\0\x0dJUNK\0\0\0\x01\0\0\0\x01",
        is_not_png,
    );
}

#[test]
fn bombs_are_refused_by_their_header() {
    for (width, height) in [
        (30_000, 30_000),
        (16_001, 10_000),
        (u32::MAX, u32::MAX),
        (524_289, 1),
        (1, 524_289),
    ] {
        check("a bomb", &with_size(width, height), |error| {
            matches!(error, Error::TooLarge { .. })
        });
    }
}

/// Of a mask twice as much is accepted: rows of two pictures may lie below each other.
#[test]
fn the_bounds_themselves_are_allowed() {
    let bounds = [(8000, 10_000), (262_144, 1), (1, 262_144)];
    let beyond = [(8001, 10_000), (262_145, 1), (1, 262_145)];
    for (width, height) in bounds {
        assert!(read_size(&with_size(width, height)).is_ok());
    }
    for (width, height) in beyond {
        let file = with_size(width, height);
        let read = read_size(&file);
        assert!(
            matches!(
                read,
                Err(Error::TooLarge {
                    max_pixels: MAX_PIXELS,
                    max_side: MAX_SIDE,
                    ..
                })
            ),
            "{width}×{height}: {read:?}"
        );
        let mask = BitMask::from_png(&file);
        assert!(matches!(mask, Err(Error::Corrupt(_))), "{width}×{height}");
    }
}

#[test]
fn pages_that_only_together_are_too_large_are_refused() {
    let result = both::try_compare(
        with_size(1, 200_000).as_slice(),
        with_size(200_000, 1).as_slice(),
        &CompareOptions::default(),
    );
    assert!(matches!(result, Err(Error::TooLarge { .. })));
}

#[test]
fn sizes_of_zero_are_corrupt() {
    for (width, height) in [(0, 0), (0, 5), (5, 0)] {
        assert!(
            matches!(read_size(&with_size(width, height)), Err(Error::Corrupt(_))),
            "{width}×{height}"
        );
    }
}

#[test]
fn half_a_file_is_corrupt() {
    let png = Page::noise(20, 20, 1).png();
    check("half a file", &png[..png.len() / 2], |error| {
        matches!(error, Error::Corrupt(_) | Error::MaskSize { .. })
    });
}

#[test]
fn damaged_bytes_never_panic() {
    let png = Page::text(40, 40).png();
    for seed in 0..300 {
        let mut damaged = png.clone();
        for change in 0..4 {
            let [a, b, value, ..] = random(seed, change, 0);
            let at = 8 + (usize::from(a) << 8 | usize::from(b)) % (damaged.len() - 8);
            damaged[at] = value;
        }
        // The header may now announce any size up to the bound; only small ones are decoded, to
        // keep this fast.
        if read_size(&damaged).is_ok_and(|size| size.width < 5000 && size.height < 5000) {
            let _ = thumbnail(&damaged, 10, 10);
            let _ = BitMask::from_png(&damaged);
        }
    }
}

#[test]
fn a_large_header_over_few_bytes_is_corrupt() {
    check(
        "80 million pixels in a few bytes",
        &with_size(8000, 10_000),
        |error| matches!(error, Error::Corrupt(_) | Error::MaskSize { .. }),
    );
}

#[test]
fn settings_are_checked() {
    let page = Page::flat(3, 3, WHITE).png();
    for threshold in [-0.01, 1.01, f64::NAN] {
        let options = CompareOptions {
            threshold,
            ..CompareOptions::default()
        };
        assert!(
            matches!(
                both::try_compare(&page, &page, &options),
                Err(Error::Threshold(_))
            ),
            "{threshold}"
        );
    }
    assert!(matches!(thumbnail(&page, 0, 5), Err(Error::EmptyThumbnail)));
}

/// A palette is a list of colours of three bytes each.
#[test]
fn a_palette_that_ends_within_a_colour_is_corrupt() {
    use png::{BitDepth, ColorType};
    let indexed = |palette: &[u8]| {
        let mut png = Vec::new();
        let mut encoder = png::Encoder::new(&mut png, 20, 20);
        encoder.set_color(ColorType::Indexed);
        encoder.set_depth(BitDepth::Eight);
        encoder.set_palette(palette.to_vec());
        let mut writer = encoder.write_header().unwrap();
        writer.write_image_data(&[0; 400]).unwrap();
        writer.finish().unwrap();
        png
    };
    let colors = [255; 16];
    for bytes in [3, 6, 15] {
        let file = indexed(&colors[..bytes]);
        assert!(thumbnail(&file, 10, 10).is_ok(), "{bytes}");
    }
    for bytes in [4, 5, 7, 10, 13, 16] {
        let file = indexed(&colors[..bytes]);
        let is_corrupt = |error: &Error| matches!(error, Error::Corrupt(_));
        check("a palette", &file, is_corrupt);
        assert!(check_form(&file).is_err_and(|error| is_corrupt(&error)));
    }
}

/// Files of the same bytes are not decoded, so this is all that is looked at of them.
#[test]
fn a_form_without_pixels_or_a_palette_is_none() {
    let chunk = |name: &[u8; 4], contents: &[u8]| {
        let length = u32::try_from(contents.len()).unwrap().to_be_bytes();
        [&length[..], name, contents, &[0; 4]].concat()
    };
    let page = Page::text(20, 20).png();
    let (head, rest) = page.split_at(33);
    let at = rest.windows(4).position(|name| name == b"IDAT").unwrap() - 4;
    let bytes = u32::from_be_bytes(*rest[at..].first_chunk().unwrap()) as usize;
    let stream = &rest[at + 8..at + 8 + bytes];
    let end = chunk(b"IEND", &[]);
    let (first, second) = stream.split_at(bytes / 2);
    let parts = |between: &[u8]| {
        [
            head,
            &chunk(b"IDAT", first),
            between,
            &chunk(b"IDAT", second),
            &end,
        ]
        .concat()
    };
    check_form(&parts(&[])).unwrap();
    check_form(&parts(&chunk(b"IDAT", &[]))).unwrap();
    let mut indexed = parts(&[]);
    indexed[25] = 3;
    for (file, why) in [
        (parts(&chunk(b"tEXt", b"a\0b")), "do not follow each other"),
        ([head, &chunk(b"IDAT", &[]), &end].concat(), "no pixels"),
        (indexed, "palette is missing"),
    ] {
        let error = check_form(&file).unwrap_err();
        assert!(error.to_string().contains(why), "{error}");
        assert!(both::try_compare(&file, &page, &CompareOptions::default()).is_err());
    }
}

/// A chunk in front of the pixels, or of what a page has there.
fn with_chunk(name: [u8; 4], contents: &[u8]) -> Vec<u8> {
    let page = Page::text(20, 20).png();
    let (head, rest) = page.split_at(33);
    let length = u32::try_from(contents.len()).unwrap().to_be_bytes();
    [head, &length, &name, contents, &[0; 4], rest].concat()
}

/// Photographs' data, texts, colour tables and the like may be as long as they like, and damaged.
#[test]
fn what_lies_beside_the_pixels_does_not_matter() {
    let page = Page::text(20, 20).png();
    let plain = thumbnail(&page, 10, 10).unwrap();
    // Colours as video has them: the third byte must be 0, the fourth 0 or 1, and there is no fifth.
    for contents in [&[1, 1, 1, 0][..], &[1, 1, 0, 2], &[1, 1, 0, 0, 0]] {
        let file = with_chunk(*b"cICP", contents);
        assert_eq!(thumbnail(&file, 10, 10).unwrap(), plain, "{contents:?}");
    }
    for name in [*b"eXIf", *b"iCCP", *b"zTXt", *b"zzZz"] {
        let file = with_chunk(name, &vec![1; 20 << 20]);
        check_form(&file).unwrap();
        assert_eq!(thumbnail(&file, 10, 10).unwrap(), plain);
        let result = both::try_compare(&file, &page, &CompareOptions::default()).unwrap();
        assert_eq!(result.changed_pixels, 0);
    }
}

/// A palette has at most 256 colours.
#[test]
fn a_palette_of_megabytes_is_corrupt() {
    for bytes in [257 * 3, 30 << 20] {
        let file = with_chunk(*b"PLTE", &vec![1; bytes]);
        check("a long palette", &file, |error| {
            matches!(error, Error::Corrupt(_))
        });
    }
}

/// What every decoder must know, this one must, too.
#[test]
fn an_unknown_chunk_that_matters_is_refused() {
    // The last begins with no letter, but without the bit either that makes what every decoder may leave out.
    for name in [*b"ZZZZ", *b"\0\0\0\xfb"] {
        let file = with_chunk(name, &[1; 10]);
        check(
            "an unknown chunk",
            &file,
            |error| matches!(error, Error::Corrupt(why) if why.contains("a chunk that is unknown")),
        );
    }
}
