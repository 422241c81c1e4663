//! `pentimento diff` reads every form of PNG.

use super::*;

/// Writes raw samples in any of PNG's forms.
fn encoded(form: (png::ColorType, png::BitDepth), palette: &[u8], samples: &[u8]) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut encoder = png::Encoder::new(&mut bytes, 16, 16);
    encoder.set_color(form.0);
    encoder.set_depth(form.1);
    if !palette.is_empty() {
        encoder.set_palette(palette.to_vec());
    }
    let mut writer = encoder.write_header().unwrap();
    writer.write_image_data(samples).unwrap();
    writer.finish().unwrap();
    bytes
}

/// An interlaced picture of 16×16 grey pixels of one value: the rows of the seven passes, each with
/// its filter byte, in a chunk that we write ourselves, since no encoder at hand interlaces.
fn interlaced(grey: u8) -> Vec<u8> {
    let passes = [(2, 2), (2, 2), (4, 2), (4, 4), (8, 4), (8, 8), (16, 8)];
    let mut raw = Vec::new();
    for (width, height) in passes {
        for _ in 0..height {
            raw.push(0);
            raw.extend(std::iter::repeat_n(grey, width));
        }
    }
    let mut data = flate2::write::ZlibEncoder::new(Vec::new(), flate2::Compression::fast());
    std::io::Write::write_all(&mut data, &raw).unwrap();
    let mut bytes = b"\x89PNG\r\n\x1a\n".to_vec();
    for (name, data) in [
        (b"IHDR", vec![0, 0, 0, 16, 0, 0, 0, 16, 8, 0, 0, 0, 1]),
        (b"IDAT", data.finish().unwrap()),
        (b"IEND", Vec::new()),
    ] {
        let mut crc = flate2::Crc::new();
        crc.update(name);
        crc.update(&data);
        bytes.extend(u32::try_from(data.len()).unwrap().to_be_bytes());
        bytes.extend(name);
        bytes.extend(data);
        bytes.extend(crc.sum().to_be_bytes());
    }
    bytes
}

#[test]
fn every_form_of_png_is_read() {
    use png::BitDepth::{Eight, Four, One, Sixteen, Two};
    use png::ColorType::{Grayscale, GrayscaleAlpha, Indexed, Rgb, Rgba};
    const WHITE_AND_BLACK: &[u8] = &[255, 255, 255, 0, 0, 0];
    let desk = Desk::new();
    desk.write(
        "white.png",
        &png(&DynamicImage::from(GrayImage::from_pixel(
            16,
            16,
            image::Luma([255]),
        ))),
    );
    let forms = [
        ("grey 1", Grayscale, One, 2, 0xff),
        ("grey 2", Grayscale, Two, 4, 0xff),
        ("grey 4", Grayscale, Four, 8, 0xff),
        ("grey 8", Grayscale, Eight, 16, 0xff),
        ("grey 16", Grayscale, Sixteen, 32, 0xff),
        ("grey and alpha 8", GrayscaleAlpha, Eight, 32, 0xff),
        ("grey and alpha 16", GrayscaleAlpha, Sixteen, 64, 0xff),
        ("rgb 8", Rgb, Eight, 48, 0xff),
        ("rgb 16", Rgb, Sixteen, 96, 0xff),
        ("rgba 8", Rgba, Eight, 64, 0xff),
        ("rgba 16", Rgba, Sixteen, 128, 0xff),
        ("palette 1", Indexed, One, 2, 0),
        ("palette 2", Indexed, Two, 4, 0),
        ("palette 4", Indexed, Four, 8, 0),
        ("palette 8", Indexed, Eight, 16, 0),
    ];
    let check = |name: &str, white: &[u8], edited: &[u8], changed: u64| {
        desk.write("form.png", white);
        let same = desk.diff(&["white.png", "form.png", "--json"]);
        assert_eq!(same.code, Some(0), "{name}: {}", same.stderr);
        desk.write("form.png", edited);
        let different = desk.diff(&["white.png", "form.png", "--json"]).ends_with(1);
        assert_eq!(different.json()["changedPixels"], changed, "{name}");
    };
    for (name, color, depth, stride, white) in forms {
        let palette = if color == Indexed {
            WHITE_AND_BLACK
        } else {
            &[]
        };
        let form = |samples: &[u8]| encoded((color, depth), palette, samples);
        let mut samples = vec![white; stride * 16];
        let page = form(&samples);
        // The first sample's row turns black, but stays opaque.
        for (index, sample) in samples[..stride].iter_mut().enumerate() {
            let pixel_bytes = (stride / 16).max(1);
            let sample_bytes = if depth == Sixteen { 2 } else { 1 };
            let has_alpha = matches!(color, GrayscaleAlpha | Rgba);
            let is_alpha = has_alpha && index % pixel_bytes >= pixel_bytes - sample_bytes;
            *sample = match (color, depth, is_alpha) {
                (Indexed, Eight, _) => 1,
                (Indexed, Four, _) => 0x11,
                (Indexed, Two, _) => 0x55,
                (Indexed, _, _) | (_, _, true) => 0xff,
                _ => 0,
            };
        }
        check(name, &page, &form(&samples), 16);
    }
    check("interlaced", &interlaced(255), &interlaced(0), 256);
}
