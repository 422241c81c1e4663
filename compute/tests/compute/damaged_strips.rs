//! Stored captures that are damaged, or another version's, end in an error that says so: no panic, no large allocation.

use pentimento_compute::{CompareOptions, Comparison, Error, Picture, is_strips, to_strips};

use crate::both;
use crate::pages::{Page, random};

/// Bytes in front of the compressed hashes, the last four of which say how long those are; and bytes of an entry of the table
/// behind them, the last four of which say how long a strip is.
const HEADER: usize = 20;
const ENTRY: usize = 5;

/// Rows of a strip.
const ROWS: usize = 64;

/// Compares a stored capture with a good one, each as baseline once.
fn compare_stored(file: &[u8], good: &[u8]) -> [Result<Comparison, Error>; 2] {
    let (file, good) = (Picture::strips(file), Picture::strips(good));
    [(file, good), (good, file)]
        .map(|(one, other)| both::try_compare(one, other, &CompareOptions::default()))
}

#[test]
fn stored_captures_of_another_version_are_refused_as_such() {
    let good = to_strips(&Page::text(40, 100).png()).unwrap();
    let version = good.iter().position(u8::is_ascii_digit).unwrap();
    for other in (b'1'..=good[version] + 1).filter(|&other| other != good[version]) {
        let mut file = good.clone();
        file[version] = other;
        assert!(!is_strips(&file).unwrap());
        for answer in compare_stored(&file, &good) {
            let error = answer.unwrap_err();
            assert!(matches!(error, Error::Corrupt(_)), "{error}");
            assert!(error.to_string().contains("another version"), "{error}");
        }
    }
}

#[test]
fn stored_captures_cut_off_anywhere_are_corrupt() {
    let file = to_strips(&Page::text(40, 100).png()).unwrap();
    let other = to_strips(&Page::noise(40, 100, 1).png()).unwrap();
    assert!(is_strips(&file).unwrap());
    for length in 0..file.len() {
        assert!(
            !is_strips(&file[..length]).unwrap(),
            "cut to {length} bytes"
        );
        for answer in compare_stored(&file[..length], &other) {
            assert!(
                matches!(answer, Err(Error::Corrupt(_))),
                "cut to {length} bytes: {answer:?}"
            );
        }
    }
}

/// A file with another first strip of the same page.
fn with_first_strip(file: &[u8], rows: usize, change: impl FnOnce(&mut Vec<u8>)) -> Vec<u8> {
    let number = |at: usize| u32::from_le_bytes(*file[at..].first_chunk().unwrap()) as usize;
    let table = HEADER + number(HEADER - 4);
    let begin = table + rows.div_ceil(ROWS) * ENTRY;
    let end = begin + number(table + 1);
    let mut folded = zstd::decode_all(&file[begin..end]).unwrap();
    change(&mut folded);
    let packed = zstd::bulk::compress(&folded, 1).unwrap();
    let length = u32::try_from(packed.len()).unwrap().to_le_bytes();
    [
        &file[..=table],
        &length,
        &file[table + ENTRY..begin],
        &packed,
        &file[end..],
    ]
    .concat()
}

/// Damage to folded rows.
type Change = fn(&mut Vec<u8>);

#[test]
fn strips_that_do_not_hold_what_they_say_are_told() {
    let page = Page::text(40, 100);
    let file = to_strips(&page.png()).unwrap();
    let other = to_strips(&Page::noise(40, 100, 1).png()).unwrap();
    let unchanged = with_first_strip(&file, 100, |_| ());
    let [one, swapped] = compare_stored(&unchanged, &other).map(Result::unwrap);
    let [expected, _] = compare_stored(&file, &other).map(Result::unwrap);
    assert_eq!(one, expected);
    assert_eq!(swapped.changed_pixels, expected.changed_pixels);
    let changes: [(&str, Change); 6] = [
        ("a byte less", |folded| folded.truncate(folded.len() - 1)),
        ("a byte more", |folded| folded.push(0)),
        ("no cells", |folded| folded.truncate(63 * 4 + 40 * 3)),
        ("nothing", Vec::clear),
        // The first cell of the second row is that to its left, or of a kind that there is not.
        ("not there", |folded| folded[0] = (folded[0] & !15) | 1),
        ("no such kind", |folded| folded[0] |= 15),
    ];
    for (name, change) in changes {
        let damaged = with_first_strip(&file, 100, change);
        assert!(is_strips(&damaged).unwrap(), "{name}");
        for answer in compare_stored(&damaged, &other) {
            let error = answer.expect_err(name);
            assert!(matches!(error, Error::Corrupt(_)), "{name}: {error}");
            assert!(
                error.to_string().contains("a strip does not"),
                "{name}: {error}"
            );
        }
    }
}

#[test]
fn damaged_bytes_never_panic() {
    let file = to_strips(&Page::text(40, 100).png()).unwrap();
    let other = to_strips(&Page::noise(40, 100, 1).png()).unwrap();
    // Behind the size, which may name any up to the bound.
    for at in 16..file.len() {
        let mut damaged = file.clone();
        damaged[at] ^= random(7, u32::try_from(at).unwrap(), 0)[0] | 1;
        for answer in compare_stored(&damaged, &other) {
            assert!(
                matches!(answer, Ok(_) | Err(Error::Corrupt(_))),
                "{at}: {answer:?}"
            );
        }
    }
}

#[test]
fn damaged_kinds_and_cells_never_panic() {
    let file = to_strips(&Page::text(40, 100).png()).unwrap();
    let other = to_strips(&Page::noise(40, 100, 1).png()).unwrap();
    for seed in 0..300 {
        let damaged = with_first_strip(&file, 100, |folded| {
            for change in 0..3 {
                let [a, b, value, ..] = random(seed, change, 0);
                let at = (usize::from(a) << 8 | usize::from(b)) % folded.len();
                folded[at] = value;
            }
        });
        for answer in compare_stored(&damaged, &other) {
            assert!(
                matches!(answer, Ok(_) | Err(Error::Corrupt(_))),
                "{seed}: {answer:?}"
            );
        }
    }
}
