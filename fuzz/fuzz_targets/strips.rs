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

/// Two strips of 64 rows, and a low one.
const HEIGHT: u32 = 130;

/// Bytes in front of the compressed hashes, the last four of which say how long those are; and bytes of an entry of the
/// table behind them, the last four of which say how long a strip is.
const HEADER: usize = 20;
const ENTRY: usize = 5;

/// Bytes that a good file may have: inputs are at most a third longer, unless somebody names another bound.
const MOST_BYTES: usize = 3072;

/// Bytes that the rows of a strip fold to at most, more or less.
const MOST_FOLDED: usize = 64 * (WIDTH as usize * 4 + 4);

static GOOD: LazyLock<[Vec<u8>; 5]> = LazyLock::new(|| {
    [0, 1, 2, 3, 4].map(|shift| to_strips(&png(shift)).expect("it is a good picture"))
});
static PNG: LazyLock<Vec<u8>> = LazyLock::new(|| png(3));

/// Has cells of every kind: those above and to the left, grey ones, others; the second strip is translucent.
fn png(shift: u32) -> Vec<u8> {
    let size = Size {
        width: WIDTH,
        height: HEIGHT,
    };
    let pixel = |x: u32, row: u32| {
        let byte = |value: u32| (value % 256) as u8;
        // The last row of a strip is a new one: its last cells are where the folded bytes end.
        let step = (row + 1) / 32;
        let alpha = if row == 64 + 7 { 99 } else { 255 };
        let [r, g, b] = match x / 16 {
            0 | 1 => [byte(x * 37 + step); 3],
            2..=4 => [byte(x % 16 * 5), byte(step), 90],
            5 | 6 => [byte(x * step), byte(x), byte(step * step)],
            _ => [byte(x * 11 + step); 3],
        };
        [r, g, b, alpha]
    };
    let pixels: Vec<[u8; 4]> = (0..HEIGHT)
        .flat_map(|row| (0..WIDTH).map(move |x| pixel(x, row + shift)))
        .collect();
    encode(size, ColorType::Rgba, &pixels)
}

/// A file of three strips with one of them changed before it is compressed: other bytes seldom come past the decompressor.
fn with_other_strip(
    file: &[u8],
    strip: usize,
    change: impl FnOnce(&mut Vec<u8>),
) -> Option<Vec<u8>> {
    let number = |at: usize| Some(u32::from_le_bytes(*file.get(at..)?.first_chunk()?) as usize);
    let table = HEADER.checked_add(number(HEADER - 4)?)?;
    let mut begin = table.checked_add(3 * ENTRY)?;
    for before in 0..strip {
        begin = begin.checked_add(number(table + before * ENTRY + 1)?)?;
    }
    let entry = table + strip * ENTRY;
    let end = begin.checked_add(number(entry + 1)?)?;
    let mut folded = zstd::bulk::decompress(file.get(begin..end)?, 2 * MOST_FOLDED).ok()?;
    change(&mut folded);
    let packed = zstd::bulk::compress(&folded, 1).ok()?;
    let length = u32::try_from(packed.len()).ok()?.to_le_bytes();
    let parts = [
        &file[..=entry],
        &length,
        &file[entry + ENTRY..begin],
        &packed,
        &file[end..],
    ];
    Some(parts.concat())
}

// Starts from good files: no other bytes come past the header.
fuzz_mutator!(|data: &mut [u8], size: usize, max_size: usize, seed: u32| {
    let good = &GOOD[(seed % 5) as usize];
    assert!(good.len() <= MOST_BYTES, "{} bytes", good.len());
    if seed.is_multiple_of(16) && good.len() <= max_size {
        data[..good.len()].copy_from_slice(good);
        return fuzzer_mutate(data, good.len(), max_size);
    }
    if seed % 4 != 1 {
        let strip = (seed / 16 % 3) as usize;
        let changed = with_other_strip(&data[..size], strip, |folded| {
            let folded_size = folded.len();
            folded.resize(folded_size.max(MOST_FOLDED), 0);
            let room = folded.len();
            let size = fuzzer_mutate(folded, folded_size, room);
            folded.truncate(size);
        });
        if let Some(changed) = changed.filter(|changed| changed.len() <= max_size) {
            data[..changed.len()].copy_from_slice(&changed);
            return changed.len();
        }
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
        let damaged = Picture::strips(data);
        for (one, other) in [
            (damaged, Picture::strips(&GOOD[0])),
            (Picture::strips(&GOOD[0]), damaged),
            (damaged, Picture::png(&*PNG)),
        ] {
            let _ = CPU.compare(one, other, &options);
        }
    }
});
