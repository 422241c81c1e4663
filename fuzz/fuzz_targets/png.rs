//! Any bytes in place of a PNG: every door answers with a result or an error.
#![no_main]

use std::io::Cursor;
use std::sync::LazyLock;

use libfuzzer_sys::fuzz_target;
use pentimento_compute::{
    AntiAliasing, CompareOptions, Drawing, Picture, Rect, Size, crop, read_size, render_diff,
    thumbnail, to_strips,
};
use pentimento_fuzz::{CPU, check, encode, is_small, on_disk};
use png::{ColorType, Decoder, Transformations};

/// A small good picture as the other side.
static GOOD: LazyLock<Vec<u8>> = LazyLock::new(|| {
    let size = Size {
        width: 20,
        height: 90,
    };
    let pixels: Vec<[u8; 4]> = (0..1800_u32)
        .map(|at| if at % 7 < 3 { [0, 0, 0, 255] } else { [255; 4] })
        .collect();
    encode(size, ColorType::Rgb, &pixels)
});

/// The picture as the `png` crate reads it, without a filter and without compression.
fn reencode(png: &[u8]) -> Vec<u8> {
    let mut decoder = Decoder::new(Cursor::new(png));
    decoder.set_transformations(
        Transformations::EXPAND | Transformations::ALPHA | Transformations::STRIP_16,
    );
    decoder.ignore_checksums(true);
    let mut reader = decoder.read_info().expect("we decoded it");
    let info = reader.info();
    let size = Size {
        width: info.width,
        height: info.height,
    };
    if info.animation_control.is_some() && info.frame_control.is_none() {
        reader.next_frame_info().expect("we decoded it");
    }
    let corner =
        (reader.info().frame_control).map_or((0, 0), |frame| (frame.x_offset, frame.y_offset));
    let mut bytes = vec![0; reader.output_buffer_size().expect("it is small")];
    let frame = reader.next_frame(&mut bytes).expect("we decoded it");
    let is_interlaced = reader.info().interlaced;
    let samples = frame.color_type.samples();
    // Rows of an interlaced frame lie as far apart as those of the whole picture.
    let stride = if is_interlaced {
        size.width as usize * samples
    } else {
        frame.line_size
    };
    let bytes: Vec<u8> = (bytes.chunks(stride).take(frame.height as usize))
        .flat_map(|row| row[..frame.line_size].to_vec())
        .collect();
    let rgba: Vec<[u8; 4]> = match frame.color_type {
        ColorType::GrayscaleAlpha => {
            let (pixels, _) = bytes.as_chunks::<2>();
            pixels.iter().map(|&[y, a]| [y, y, y, a]).collect()
        }
        _ => bytes.as_chunks::<4>().0.to_vec(),
    };
    // What the first frame leaves out is transparent.
    let mut picture = vec![[0; 4]; size.width as usize * size.height as usize];
    for (y, row) in (corner.1 as usize..).zip(rgba.chunks(frame.width as usize)) {
        let start = y * size.width as usize + corner.0 as usize;
        picture[start..start + row.len()].copy_from_slice(row);
    }
    encode(size, ColorType::Rgba, &picture)
}

fuzz_target!(|data: &[u8]| {
    if !is_small(data) {
        return;
    }
    let options = CompareOptions::default();
    for (baseline, current) in [(data, &GOOD[..]), (&GOOD[..], data)] {
        let Ok(result) = CPU.compare(baseline, current, &options) else {
            continue;
        };
        check(&result);
        for drawing in [Drawing::Diff, Drawing::SideBySide] {
            // A mask of a page with a shift may not fit the pages: an error, no panic.
            let _ = render_diff(
                baseline,
                current,
                &result.layout,
                &result.mask,
                &result.regions,
                drawing,
            );
        }
    }
    let stored = to_strips(data);
    // Read piece by piece it is the same picture, or refused in the same words.
    match (&stored, to_strips(&on_disk(data))) {
        (Ok(memory), Ok(disk)) => assert!(*memory == disk),
        (Err(memory), Err(disk)) => assert_eq!(memory.to_string(), disk.to_string()),
        (memory, disk) => panic!("in memory {:?}, on disk {:?}", memory.is_ok(), disk.is_ok()),
    }
    let decodes = stored.is_ok();
    if decodes {
        // What we decode is what the `png` crate decodes.
        let again = reencode(data);
        let exact = CompareOptions {
            threshold: 0.0,
            anti_aliasing: AntiAliasing::Include,
            ..options
        };
        let result = CPU.compare(data, &again, &exact);
        assert_eq!(result.expect("both are good").changed_pixels, 0);
    }
    if let Ok(strips) = stored {
        let size = read_size(data).expect("it was decoded");
        let lower_half = Rect {
            x: size.width / 3,
            y: size.height / 2,
            width: size.width,
            height: size.height,
        };
        let cut = [Picture::png(data), Picture::strips(&strips)]
            .map(|picture| crop(picture, lower_half, size).expect("it was decoded"));
        assert_eq!(cut[0], cut[1]);
    }
    if let Ok(small) = thumbnail(data, 16, 24) {
        let size = read_size(&small).expect("a thumbnail is a PNG");
        assert!(size.width <= 16 && size.height <= 24);
    } else {
        assert!(!decodes, "what can be stored can be shown");
    }
});
