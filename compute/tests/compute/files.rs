//! Every kind of PNG file shows its pixels: all colour types and depths, palettes, transparent colours, interlaced or not, and
//! the first frames of animations. The files are written here, since no encoder at hand writes them all.

mod form;

use pentimento_compute::{Error, Rect, thumbnail, to_strips};

use crate::on_disk::on_disk;
use crate::pages::{Page, rect};
use form::{SIZE, forms, shade};

/// The chunk that makes an animation of so many frames.
fn animated(frames: u32) -> (&'static [u8; 4], Vec<u8>) {
    (b"acTL", [frames, 0].map(u32::to_be_bytes).concat())
}

fn control(sequence: u32, area: Rect) -> (&'static [u8; 4], Vec<u8>) {
    let numbers = [sequence, area.width, area.height, area.x, area.y];
    let mut contents = numbers.map(u32::to_be_bytes).concat();
    contents.extend([0, 1, 0, 10, 0, 1]);
    (b"fcTL", contents)
}

fn frame(sequence: u32, rows: &[u8]) -> (&'static [u8; 4], Vec<u8>) {
    (b"fdAT", [&sequence.to_be_bytes(), rows].concat())
}

#[track_caller]
fn shows(name: &str, file: &[u8], page: &Page) {
    let expected = to_strips(&page.png()).unwrap();
    assert!(to_strips(file).unwrap() == expected, "{name}");
    assert!(
        to_strips(&on_disk(file)).unwrap() == expected,
        "{name}, from disk"
    );
}

#[test]
fn every_colour_type_and_depth_is_read_in_rows_and_interlaced() {
    let whole = rect(0, 0, SIZE.width, SIZE.height);
    for form in forms() {
        for interlaced in [false, true] {
            let name = format!("{}, interlaced: {interlaced}", form.name);
            let rows = form.rows(whole, 0, interlaced);
            // In pieces, and with something behind the end.
            let (first, rest) = rows.split_at(rows.len() / 2);
            let mut file = form.file(
                interlaced,
                &[(b"IDAT", first.to_vec()), (b"IDAT", rest.to_vec())],
            );
            file.extend(b"trailing");
            shows(&name, &file, &form.page(0));
        }
    }
}

#[test]
fn an_animation_is_its_first_frame() {
    let whole = rect(0, 0, SIZE.width, SIZE.height);
    let part = rect(3, 50, 6, 23);
    for form in forms()
        .into_iter()
        .filter(|form| form.color == 6 || form.color == 2)
    {
        for interlaced in [false, true] {
            let rows = |area, turn| form.rows(area, turn, interlaced);
            let shown = form.file(
                interlaced,
                &[
                    animated(2),
                    control(0, whole),
                    (b"IDAT", rows(whole, 0)),
                    control(1, part),
                    frame(2, &rows(part, 4)),
                ],
            );
            shows("the picture is the first frame", &shown, &form.page(0));
            let hidden = form.file(
                interlaced,
                &[
                    animated(1),
                    (b"IDAT", rows(whole, 9)),
                    control(0, whole),
                    frame(1, &rows(whole, 4)),
                ],
            );
            shows("the picture is no frame", &hidden, &form.page(4));
            let partial = form.file(
                interlaced,
                &[
                    animated(2),
                    (b"IDAT", rows(whole, 9)),
                    control(0, part),
                    frame(1, &rows(part, 4)),
                    control(2, whole),
                    frame(3, &rows(whole, 5)),
                ],
            );
            let page = Page::drawn(SIZE.width, SIZE.height, |x, y| {
                let is_in = (3..9).contains(&x) && (50..73).contains(&y);
                if is_in {
                    (form.pixel)(shade(x, y, 4))
                } else {
                    [0; 4]
                }
            });
            let name = format!(
                "{}: the first frame is a part, interlaced: {interlaced}",
                form.name
            );
            shows(&name, &partial, &page);
        }
    }
}

#[test]
fn a_frame_beyond_the_picture_is_corrupt() {
    let whole = rect(0, 0, SIZE.width, SIZE.height);
    let form = &forms()[8];
    for area in [
        rect(1, 0, 13, 139),
        rect(0, 5, 13, 139),
        rect(0, 0, 14, 139),
        rect(u32::MAX, 0, 2, 2),
    ] {
        let chunks = [
            animated(1),
            (b"IDAT", form.rows(whole, 9, false)),
            control(0, area),
            frame(1, &form.rows(whole, 4, false)),
        ];
        let read = to_strips(&form.file(false, &chunks));
        assert!(matches!(read, Err(Error::Corrupt(_))), "{area:?}");
    }
}

#[test]
fn files_cut_off_anywhere_are_corrupt() {
    let whole = rect(0, 0, SIZE.width, SIZE.height);
    let form = &forms()[8];
    let chunks = [
        animated(2),
        control(0, whole),
        (b"IDAT", form.rows(whole, 0, false)),
        control(1, whole),
        frame(2, &form.rows(whole, 4, false)),
        (b"tEXt", b"Comment\0behind the pixels".to_vec()),
    ];
    for file in [form.file(false, &chunks), form.page(0).png()] {
        assert!(thumbnail(&file, 5, 5).is_ok());
        for length in 8..file.len() {
            for read in [
                thumbnail(&file[..length], 5, 5).map(drop),
                to_strips(&file[..length]).map(drop),
            ] {
                assert!(
                    matches!(read, Err(Error::Corrupt(_))),
                    "cut to {length} bytes"
                );
            }
        }
    }
}
