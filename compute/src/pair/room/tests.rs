use super::*;
use crate::backend::Backend;
use crate::compared::Compared;
use crate::comparison::{Comparison, Region, RegionKind};
use crate::conclude::conclude;
use crate::cpu;
use crate::geometry::{Rect, Size};
use crate::loaded::Keep;
use crate::options::CompareOptions;
use crate::picture::Picture;
use crate::raster::kept::Room;
use crate::render::Drawing;
use crate::strips::to_strips;
use crate::workers;

/// What a page shows at a place.
type Pixel = fn(u32, u32) -> [u8; 4];

const WIDTH: u32 = 300;

/// Strips of 64 rows of RGBA: three of each picture, of which one stays.
const TIGHT: Room = Room {
    most: 6 * 64 * 4 * WIDTH as usize,
    left: 2 * 64 * 4 * WIDTH as usize,
};

/// Some twenty strips.
const HEIGHT: u32 = 1300;

fn mix(x: u32, y: u32) -> u32 {
    let mixed =
        (x.wrapping_mul(0x9e37_79b9) ^ y.wrapping_mul(0x85eb_ca6b)).wrapping_mul(0xc2b2_ae35);
    mixed ^ mixed >> 15
}

fn noise(x: u32, y: u32) -> [u8; 4] {
    mix(x, y).to_be_bytes()
}

fn inverted(x: u32, y: u32) -> [u8; 4] {
    let [red, green, blue, alpha] = noise(x, y);
    [255 - red, 255 - green, 255 - blue, alpha]
}

/// Soft shades, so that what changes by little may be drawn anew, or faint.
fn shades(x: u32, y: u32) -> [u8; 4] {
    let shade = |of: u32| u8::try_from(60 + of % 120).unwrap();
    [shade(x / 2 + y), shade(x + y / 3), shade(y), 200]
}

fn a_little_on(x: u32, y: u32) -> [u8; 4] {
    shades(x + 40, y)
}

fn tinted(x: u32, y: u32) -> [u8; 4] {
    let [red, green, blue, alpha] = shades(x, y);
    [red + 1, green, blue, alpha]
}

fn opaque(x: u32, y: u32) -> [u8; 4] {
    let [red, green, blue, _] = noise(x, y);
    [red, green, blue, 255]
}

/// The same above; below everything came 40 rows down.
fn pushed_down(x: u32, y: u32) -> [u8; 4] {
    match y {
        0..500 => noise(x, y),
        500..540 => [9, 90, 160, 255],
        _ => noise(x, y - 40),
    }
}

/// A side bar stays, all else went 130 rows up, and some of it is new.
fn beside_a_bar(x: u32, y: u32) -> [u8; 4] {
    match (x, y) {
        (0..64, _) => noise(x, y),
        (_, 700..760) => inverted(x, y),
        _ => noise(x, y + 130),
    }
}

/// Two bands changed places, and every other strip is as it was.
fn moved(x: u32, y: u32) -> [u8; 4] {
    match y {
        128..256 => noise(x, y + 512),
        640..768 => noise(x, y - 512),
        900.. => inverted(x, y),
        _ => noise(x, y),
    }
}

/// Every other hundred rows lie a row further down.
fn loosened(x: u32, y: u32) -> [u8; 4] {
    noise(x, y - y / 100 % 2)
}

fn png(pixel: Pixel, height: u32) -> Vec<u8> {
    let mut png = Vec::new();
    let mut encoder = png::Encoder::new(&mut png, WIDTH, height);
    encoder.set_color(png::ColorType::Rgba);
    encoder.set_compression(png::Compression::Fast);
    let rows: Vec<u8> = (0..height)
        .flat_map(|y| (0..WIDTH).flat_map(move |x| pixel(x, y)))
        .collect();
    let mut writer = encoder.write_header().unwrap();
    writer.write_image_data(&rows).unwrap();
    writer.finish().unwrap();
    png
}

fn facts<'a>(
    room: Room,
    [baseline, current]: [Picture<'a>; 2],
    options: &CompareOptions,
    keep: Keep,
) -> (Comparison, Pair<'a>) {
    let mut pair = Pair::load_into(room, baseline, current, options, keep).unwrap();
    let measured = cpu::measure_in_room(&mut pair);
    let comparison = conclude(&mut pair, measured, options, Backend::Cpu).unwrap();
    (comparison, pair)
}

/// The facts, their drawing, and whether rows had to go.
fn compared(
    room: Room,
    [baseline, current]: [Picture<'_>; 2],
    options: &CompareOptions,
) -> (Comparison, Vec<u8>, bool) {
    let (comparison, pair) = facts(room, [baseline, current], options, Keep::Current);
    let is_tight = pair.is_tight;
    let mut compared = Compared {
        comparison,
        baseline: pair.baseline,
        current: pair.current,
    };
    let drawn = compared.draw(Drawing::SideBySide).unwrap();
    (compared.comparison, drawn, is_tight)
}

#[test]
fn rows_that_had_to_go_change_nothing() {
    let ignored = CompareOptions {
        ignore: vec![Rect {
            x: 20,
            y: 300,
            width: 100,
            height: 600,
        }],
        ..CompareOptions::default()
    };
    let cases: [(Pixel, Pixel, u32); 10] = [
        (noise, inverted, HEIGHT),
        (noise, inverted, HEIGHT / 3),
        (shades, tinted, HEIGHT),
        (shades, a_little_on, HEIGHT),
        (opaque, noise, HEIGHT),
        (opaque, shades, HEIGHT + 200),
        (noise, pushed_down, HEIGHT + 40),
        (noise, beside_a_bar, HEIGHT),
        (noise, moved, HEIGHT),
        (noise, loosened, HEIGHT),
    ];
    let (mut tight, mut lanes, mut loose, mut kinds) = (0, 0, 0, Vec::new());
    for (case, (before, after, height)) in cases.into_iter().enumerate() {
        let pngs = [png(before, HEIGHT), png(after, height)];
        let strips = pngs.each_ref().map(|png| to_strips(png).unwrap());
        let [before, after] = pngs.each_ref().map(Picture::png);
        let [stored_before, stored_after] = strips.each_ref().map(Picture::strips);
        let forms = [
            [before, after],
            [stored_before, stored_after],
            [before, stored_after],
        ];
        for (options, forms) in [
            (&CompareOptions::default(), &forms[..]),
            (&ignored, &forms[..1]),
        ] {
            let (expected, drawn, was_tight) = compared(Room::default(), forms[0], options);
            assert!(!was_tight, "{case}");
            lanes += expected.layout.lanes.len() - 1;
            let is_loose = |region: &&Region| region.loose_rows.is_some();
            loose += expected.regions.iter().filter(is_loose).count();
            kinds.extend(expected.regions.iter().map(|region| region.kind));
            for &pictures in forms {
                let (found, drawn_too, is_tight) = compared(TIGHT, pictures, options);
                assert_eq!(found, expected, "{case}");
                assert!(drawn_too == drawn, "{case}");
                tight += u32::from(is_tight);
            }
            // A thread by itself goes other ways through the rows, and does not keep what nobody draws.
            let alone = workers::compare(0, || facts(TIGHT, forms[0], options, Keep::Differing).0);
            assert_eq!(alone, expected, "{case}");
        }
    }
    assert!(tight > 30, "{tight} of 40");
    assert!(lanes > 0 && loose > 0, "{lanes} {loose}");
    for kind in [RegionKind::Edited, RegionKind::Added] {
        assert!(kinds.contains(&kind), "{kinds:?}");
    }
}

#[test]
fn no_more_rows_stay_than_there_is_room_for() {
    let pngs = [png(noise, HEIGHT), png(inverted, HEIGHT)];
    let [before, after] = pngs.each_ref().map(Picture::png);
    let options = CompareOptions::default();
    let mut pair = Pair::load_into(TIGHT, before, after, &options, Keep::Differing).unwrap();
    let held = |pair: &mut Pair<'_>| {
        let sides = [pair.baseline.side(), pair.current.side()];
        sides.iter().map(|(kept, _)| kept.bytes()).sum::<usize>()
    };
    assert!(held(&mut pair) <= TIGHT.most);
    let measured = cpu::measure_in_room(&mut pair);
    // The latest piece is looked at with the strips that it begins and ends in, and one around them.
    let piece = TIGHT.left / PIECES + 2 * 4 * 64 * 4 * WIDTH as usize;
    assert!(held(&mut pair) <= TIGHT.most + piece, "{}", held(&mut pair));
    conclude(&mut pair, measured, &options, Backend::Cpu).unwrap();
    pair.make_room();
    assert!(held(&mut pair) <= TIGHT.left);
    let size = Size {
        width: WIDTH,
        height: HEIGHT,
    };
    assert_eq!(pair.size, size);
}
