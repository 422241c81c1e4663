//! Any bytes in place of a PNG: every door answers with a result or an error.
#![no_main]

use std::sync::LazyLock;

use libfuzzer_sys::fuzz_target;
use pentimento_compute::{
    CompareOptions, Drawing, Size, read_size, render_diff, thumbnail, to_strips,
};
use pentimento_fuzz::{CPU, check, encode, is_small};
use png::ColorType;

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
    let decodes = to_strips(data).is_ok();
    if let Ok(small) = thumbnail(data, 16, 24) {
        let size = read_size(&small).expect("a thumbnail is a PNG");
        assert!(size.width <= 16 && size.height <= 24);
    } else {
        assert!(!decodes, "what can be stored can be shown");
    }
});
