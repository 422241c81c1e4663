//! Damaged stored captures: a result or an error, in little memory (the run has a limit).
#![no_main]

use std::sync::LazyLock;

use libfuzzer_sys::{fuzz_mutator, fuzz_target, fuzzer_mutate};
use pentimento_compute::{Alignment, CompareOptions, Picture, Size, to_strips};
use pentimento_fuzz::{CPU, encode};
use png::ColorType;

/// Pixels beyond which a header is believed but not followed, to keep runs short.
const SMALL: u64 = 1 << 20;

/// More than eight cells of 16 pixels, and a part of one.
const WIDTH: u32 = 150;

static GOOD: LazyLock<Vec<u8>> = LazyLock::new(|| stored(0));
static PNG: LazyLock<Vec<u8>> = LazyLock::new(|| png(3));

fn png(shift: u32) -> Vec<u8> {
    let size = Size {
        width: WIDTH,
        height: 130,
    };
    let pixels: Vec<[u8; 4]> = (0..WIDTH * 130)
        .map(|at| {
            let row = at / WIDTH + shift;
            let shade = (row * row % 11) as u8 * 20;
            [
                shade,
                (at % WIDTH) as u8 / 8 * 9,
                90,
                if row % 120 == 7 { 99 } else { 255 },
            ]
        })
        .collect();
    encode(size, ColorType::Rgba, &pixels)
}

fn stored(shift: u32) -> Vec<u8> {
    to_strips(&png(shift)).expect("it is a good picture")
}

// Starts from good files: no other bytes come past the header.
fuzz_mutator!(|data: &mut [u8], size: usize, max_size: usize, seed: u32| {
    let good = stored(seed % 5);
    if seed.is_multiple_of(16) && good.len() <= max_size {
        data[..good.len()].copy_from_slice(&good);
        return fuzzer_mutate(data, good.len(), max_size);
    }
    fuzzer_mutate(data, size, max_size)
});

fuzz_target!(|data: &[u8]| {
    let number = |at: usize| {
        let bytes = data.get(at..at + 4).and_then(|bytes| bytes.try_into().ok());
        bytes.map_or(0, u32::from_le_bytes)
    };
    if u64::from(number(8)) * u64::from(number(12)) > SMALL {
        return;
    }
    for alignment in [Alignment::Auto, Alignment::Off] {
        let options = CompareOptions {
            alignment,
            ..CompareOptions::default()
        };
        let damaged = Picture::Strips(data);
        for (one, other) in [
            (damaged, Picture::Strips(&GOOD)),
            (Picture::Strips(&GOOD), damaged),
            (damaged, Picture::Png(&PNG)),
        ] {
            let _ = CPU.compare(one, other, &options);
        }
    }
});
