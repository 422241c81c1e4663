//! Files that are read piece by piece, because they are too long to lie in memory beside their pixels, tell what the same files
//! in memory do: pixels, figures, pictures and errors.

use std::io::Write;

use pentimento_compute::{
    CompareOptions, DiskFile, Drawing, Error, FileBytes, Form, Picture, Size, check_form, crop,
    is_strips, read_size, render_diff, thumbnail, to_strips,
};

use crate::both::{self, CPU, GPU};
use crate::pages::{BLACK, Page, rect};

/// A file with these bytes.
pub(crate) fn on_disk(bytes: &[u8]) -> DiskFile {
    let mut file = tempfile::tempfile().unwrap();
    file.write_all(bytes).unwrap();
    DiskFile::new(file, bytes.len() as u64)
}

/// A picture of more bytes than are read at once, and a copy that moved and was edited.
fn long_pair() -> [Page; 2] {
    let before = Page::noise(300, 500, 1);
    let banner = Page::flat(300, 40, BLACK);
    let after = Page::stacked(&[(&before, 0..90), (&banner, 0..40), (&before, 90..500)]);
    [before, after.fill(rect(20, 400, 30, 30), BLACK)]
}

/// The same PNG with its pixels in many chunks, as browsers write them.
fn in_chunks(png: &[u8], bytes: usize) -> Vec<u8> {
    let (front, mut rest) = png.split_at(33);
    let mut cut = front.to_vec();
    while let Some((length, behind)) = rest.split_first_chunk::<4>() {
        let length = u32::from_be_bytes(*length) as usize;
        let (name, contents) = behind[..4 + length].split_at(4);
        for part in contents.chunks(bytes) {
            cut.extend(u32::try_from(part.len()).unwrap().to_be_bytes());
            cut.extend(name);
            cut.extend(part);
            // Nobody looks at checksums.
            cut.extend([0; 4]);
        }
        if contents.is_empty() {
            cut.extend([0; 4]);
            cut.extend(name);
            cut.extend([0; 4]);
        }
        rest = &behind[4 + length + 4..];
    }
    cut
}

#[test]
fn long_pngs_are_compared_and_drawn_as_those_in_memory() {
    let [before, after] = long_pair().map(|page| page.png());
    assert!(before.len() > 512 << 10, "{} bytes", before.len());
    let options = CompareOptions::default();
    let expected = both::compare(&before, &after, &options);
    assert_eq!(expected.inserted_pixels, 40 * 300);
    for bytes in [usize::MAX, 70_000, 8192, 1000] {
        let files = [&before, &after].map(|png| on_disk(&in_chunks(png, bytes)));
        let [one, other] = files.each_ref();
        assert_eq!(read_size(one).unwrap(), expected.baseline);
        assert_eq!(both::compare(one, other, &options), expected, "{bytes}");
        assert_eq!(both::compare(&before, other, &options), expected, "{bytes}");
        let draw = |pair: [Picture<'_>; 2]| {
            let [beside, of_gpu] = [&CPU, &GPU].map(|comparator| {
                let compared = comparator.compare_to_draw(pair[0], pair[1], &options);
                compared.unwrap().draw(Drawing::SideBySide).unwrap()
            });
            assert!(beside == of_gpu, "{bytes}");
            let (layout, mask) = (&expected.layout, &expected.mask);
            let regions = &expected.regions;
            let again = render_diff(pair[0], pair[1], layout, mask, regions, Drawing::Diff);
            (beside, again.unwrap())
        };
        let drawn = draw([one.into(), other.into()]);
        assert!(
            drawn == draw([(&before).into(), (&after).into()]),
            "{bytes}"
        );
    }
}

#[test]
fn long_stored_captures_are_read_as_those_in_memory() {
    let strips = long_pair().map(|page| to_strips(&page.png()).unwrap());
    let files = strips.each_ref().map(|file| on_disk(file));
    assert!(files.iter().all(|file| is_strips(file).unwrap()));
    let options = CompareOptions::default();
    let [memory, disk] = [
        strips.each_ref().map(Picture::strips),
        files.each_ref().map(Picture::strips),
    ];
    let expected = both::compare(memory[0], memory[1], &options);
    assert_eq!(both::compare(disk[0], disk[1], &options), expected);
    assert_eq!(both::compare(disk[0], memory[1], &options), expected);
    let area = rect(10, 380, 50, 60);
    let max = Size {
        width: 40,
        height: 40,
    };
    assert!(crop(disk[1], area, max).unwrap() == crop(memory[1], area, max).unwrap());
    assert!(thumbnail(disk[1], 90, 80).unwrap() == thumbnail(memory[1], 90, 80).unwrap());
}

#[test]
fn files_are_the_same_when_all_their_bytes_are() {
    let bytes = Page::noise(300, 500, 1).png();
    let file = on_disk(&bytes);
    let memory = FileBytes::from(&bytes);
    assert!(memory.same((&file).into()) && FileBytes::from(&file).same((&on_disk(&bytes)).into()));
    for at in [0, 256 << 10, bytes.len() - 1] {
        let mut other = bytes.clone();
        other[at] ^= 1;
        assert!(!memory.same((&on_disk(&other)).into()), "{at}");
        assert!(
            !FileBytes::from(&other).same((&file).into()),
            "{at}, the other way round"
        );
    }
    for length in [0, 256 << 10, bytes.len() - 1] {
        assert!(!FileBytes::from(&bytes[..length]).same((&file).into()));
        assert!(!FileBytes::from(&file).same((&on_disk(&bytes[..length])).into()));
    }
}

#[test]
fn files_that_are_cut_off_or_damaged_are_refused_in_the_same_words() {
    let png = in_chunks(&Page::noise(300, 300, 1).png(), 8192);
    let strips = to_strips(&png).unwrap();
    for (file, form) in [(&png, Form::Png), (&strips, Form::Strips)] {
        let read = |bytes: FileBytes<'_>| {
            let small = thumbnail(form.of(bytes), 9, 999);
            small.map(drop).map_err(|error| error.to_string())
        };
        let some = |end: usize| (0..60).chain((60..end).step_by(5003));
        for length in some(file.len()).chain([file.len() - 1]) {
            let cut = &file[..length];
            let why = read(cut.into());
            assert!(why.is_err(), "{length}");
            assert_eq!(read((&on_disk(cut)).into()), why, "{length}");
        }
        for at in some(file.len()) {
            let mut damaged = file.clone();
            damaged[at] ^= 0xff;
            let why = read((&damaged).into());
            assert_eq!(read((&on_disk(&damaged)).into()), why, "{at}");
        }
    }
}

/// Nobody can keep somebody else from writing to a file that is read.
#[test]
fn a_file_that_becomes_another_picture_while_it_is_read_is_an_error() {
    let page = Page::noise(300, 500, 1);
    let before = page.png();
    let after = page.fill(rect(20, 400, 30, 30), BLACK).png();
    for comparator in [&CPU, &GPU] {
        let path = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(&path, &before).unwrap();
        let file = DiskFile::new(std::fs::File::open(&path).unwrap(), before.len() as u64);
        let compared = comparator.compare_to_draw(&file, &after, &CompareOptions::default());
        let mut compared = compared.unwrap();
        // Drawing reads of the baseline what comparing let go.
        let mut narrower = Page::noise(290, 500, 1).png();
        narrower.resize(before.len(), 0);
        std::fs::write(&path, narrower).unwrap();
        let drawn = compared.draw(Drawing::SideBySide);
        let error = drawn.map(drop).unwrap_err();
        assert!(
            error
                .to_string()
                .contains("it was changed while it was read"),
            "{error}"
        );
    }
}

#[test]
fn a_file_that_shrinks_while_it_is_read_is_an_error() {
    let [before, after] = long_pair().map(|page| page.png());
    let strips = to_strips(&before).unwrap();
    for (bytes, form) in [(&before, Form::Png), (&strips, Form::Strips)] {
        let path = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(&path, bytes).unwrap();
        let file = DiskFile::new(std::fs::File::open(&path).unwrap(), bytes.len() as u64);
        let picture = form.of(&file);
        let compare = || {
            let options = CompareOptions::default();
            [&CPU, &GPU].map(|comparator| comparator.compare(picture, &after, &options))
        };
        assert!(compare().iter().all(Result::is_ok));
        let opened = std::fs::OpenOptions::new().write(true).open(&path).unwrap();
        opened.set_len(bytes.len() as u64 / 2).unwrap();
        for error in compare().map(Result::unwrap_err) {
            assert!(
                matches!(error, Error::Corrupt(_) | Error::Unreadable(_)),
                "{error}"
            );
        }
        opened.set_len(0).unwrap();
        for error in compare().map(Result::unwrap_err) {
            assert!(matches!(error, Error::Unreadable(_)), "{error}");
        }
        assert!(check_form(&file).is_err());
    }
}
