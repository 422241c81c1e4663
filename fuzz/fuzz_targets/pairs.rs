//! Pairs of small pictures with rows repeated, inserted, removed and moved, of all columns or of some by themselves: every form of a
//! picture gives the same result, and swapping both swaps insertions and removals and nothing else.
#![no_main]

use libfuzzer_sys::fuzz_target;
use pentimento_compute::{
    Alignment, AntiAliasing, CompareOptions, Comparison, Picture, Rect, Size, to_strips,
};
use pentimento_fuzz::{Bytes, check, compare, encode};
use png::ColorType;

/// Rows of a page at most: several strips.
const MAX_ROWS: usize = 300;

/// Colours near and far from each other, with and without transparency.
fn color(at: u8, translucent: bool) -> [u8; 4] {
    let shade = [0, 255, 128, 120, 251, 60][usize::from(at % 6)];
    let alpha = if translucent && at % 4 == 3 { at } else { 255 };
    [
        shade,
        shade.wrapping_add((at / 6).wrapping_mul(9)),
        shade,
        alpha,
    ]
}

/// What pictures are drawn of: their columns, how many of these look alike, and where some end that have rows of their own.
struct Drawing {
    width: usize,
    cells: usize,
    bar: usize,
    translucent: bool,
}

impl Drawing {
    /// The rows by their kinds, those of the bar and those of the other columns.
    fn pixels(&self, bar: &[u8], kinds: &[u8]) -> Vec<[u8; 4]> {
        let cell = |kind: u8, x: usize| {
            kind.wrapping_mul(31)
                .wrapping_add(((x / self.cells) as u8).wrapping_mul(7))
        };
        let rows = kinds.iter().enumerate();
        rows.flat_map(|(y, &kind)| {
            let own = bar.get(y).copied().unwrap_or_default();
            (0..self.width).map(move |x| {
                let kind = if x < self.bar { own } else { kind };
                color(cell(kind, x), self.translucent)
            })
        })
        .collect()
    }
}

fn edit(rows: &mut Vec<u8>, bytes: &mut Bytes<'_>) {
    let at = bytes.below(rows.len());
    let end = (at + 1 + bytes.below(40)).min(rows.len());
    match bytes.next() % 4 {
        0 => {
            let kind = bytes.next();
            let news = (0..end - at).map(|row| kind.wrapping_add(row as u8));
            rows.splice(at..at, news.collect::<Vec<u8>>());
        }
        1 if end - at < rows.len() => drop(rows.drain(at..end)),
        2 if end - at < rows.len() => {
            let block: Vec<u8> = rows.drain(at..end).collect();
            let to = bytes.below(rows.len());
            rows.splice(to..to, block);
        }
        _ => {
            let kind = bytes.next();
            rows[at..end]
                .iter_mut()
                .for_each(|row| *row = row.wrapping_add(kind));
        }
    }
    rows.truncate(MAX_ROWS);
}

/// What must stay when both pictures are swapped, seen from the first one.
fn turned(result: &Comparison) -> Comparison {
    let mut turned = result.clone();
    std::mem::swap(&mut turned.baseline, &mut turned.current);
    std::mem::swap(&mut turned.inserted_pixels, &mut turned.removed_pixels);
    for lane in &mut turned.layout.lanes {
        for band in &mut lane.bands {
            std::mem::swap(&mut band.baseline_y, &mut band.current_y);
        }
    }
    turned
}

fuzz_target!(|data: &[u8]| {
    let mut bytes = Bytes(data);
    let flags = bytes.next();
    let width = 1 + bytes.below(if flags & 1 == 0 { 24 } else { 300 });
    let cells = 1 + bytes.below(width);
    let kinds = 1 + bytes.next() % 60;
    let mut rows: Vec<u8> = (0..1 + bytes.below(MAX_ROWS))
        .map(|row| (row as u8).wrapping_mul(flags | 1) % kinds)
        .collect();
    for _ in 0..bytes.next() % 8 {
        edit(&mut rows, &mut bytes);
    }
    let mut edited = rows.clone();
    for _ in 0..bytes.next() % 5 {
        edit(&mut edited, &mut bytes);
    }
    let translucent = flags & 2 != 0;
    let drawing = Drawing {
        width,
        cells,
        bar: if flags & 32 == 0 {
            0
        } else {
            bytes.below(width)
        },
        translucent,
    };
    let mut bar = rows.clone();
    if drawing.bar > 0 && bytes.next() % 2 == 0 {
        edit(&mut bar, &mut bytes);
    }
    let before = drawing.pixels(&rows, &rows);
    let mut after = drawing.pixels(&bar, &edited);
    for _ in 0..bytes.next() % 20 {
        let at = bytes.below(after.len());
        after[at] = color(bytes.next(), translucent);
    }
    let side = |at: usize| Rect {
        x: (at % 300) as u32,
        y: (at / 300) as u32,
        width: (at % 37) as u32,
        height: (at % 91) as u32,
    };
    let options = CompareOptions {
        threshold: [0.1, 0.0, 0.05, 1.0][usize::from(flags >> 2 & 3)],
        anti_aliasing: if flags & 16 == 0 {
            AntiAliasing::Exclude
        } else {
            AntiAliasing::Include
        },
        alignment: Alignment::Auto,
        ignore: (0..flags >> 6)
            .map(|_| side(bytes.below(1 << 16)))
            .collect(),
        doubts: Vec::new(),
    };

    let png = |pixels: &[[u8; 4]], color| {
        let height = (pixels.len() / width) as u32;
        encode(
            Size {
                width: width as u32,
                height,
            },
            color,
            pixels,
        )
    };
    let (before_png, after_png) = (png(&before, ColorType::Rgba), png(&after, ColorType::Rgba));
    let (one, other) = (Picture::png(&before_png), Picture::png(&after_png));
    let result = compare(one, other, &options);
    check(&result);

    let before_strips = to_strips(&before_png).expect("it is a good picture");
    let after_strips = to_strips(&after_png).expect("it is a good picture");
    let (stored, other_stored) = (
        Picture::strips(&before_strips),
        Picture::strips(&after_strips),
    );
    assert_eq!(compare(stored, other_stored, &options), result);
    assert_eq!(compare(stored, other, &options), result);
    if !translucent {
        let opaque = png(&after, ColorType::Rgb);
        assert_eq!(compare(one, Picture::png(&opaque), &options), result);
    }

    let back = turned(&compare(other, one, &options));
    assert_eq!(back.layout, result.layout);
    assert!(back.mask == result.mask);
    assert_eq!(
        (
            back.changed_pixels,
            back.inserted_pixels,
            back.removed_pixels,
            back.unaligned_pixels
        ),
        (
            result.changed_pixels,
            result.inserted_pixels,
            result.removed_pixels,
            result.unaligned_pixels
        )
    );
    assert_eq!(back.anti_aliased_pixels, result.anti_aliased_pixels);
    assert!((back.score - result.score).abs() < 1e-9);

    let off = compare(
        one,
        other,
        &CompareOptions {
            alignment: Alignment::Off,
            ..options.clone()
        },
    );
    check(&off);
    if result.layout.is_in_place() {
        assert_eq!(off, result);
    } else {
        let all = CompareOptions {
            alignment: Alignment::Off,
            anti_aliasing: AntiAliasing::Include,
            ..options
        };
        assert_eq!(
            result.unaligned_pixels,
            Some(compare(one, other, &all).changed_pixels)
        );
    }
});
