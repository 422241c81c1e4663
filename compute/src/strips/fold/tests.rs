//! What is folded unfolds to the same, what is damaged is refused, and vectors do as the portable way does.

use proptest::prelude::*;
use proptest::sample::Index;

use super::*;

/// Rows that are the ones above but for a few bytes and a few runs: of grey, of what is one more or less than above, or of one
/// cell again and again.
fn rows_of(
    count: std::ops::Range<usize>,
    channels: std::ops::RangeInclusive<usize>,
) -> impl Strategy<Value = (Rows, Vec<u8>)> {
    let edits = proptest::collection::vec((any::<Index>(), any::<Index>(), 0..4_u8), 0..150);
    let runs = proptest::collection::vec(
        (any::<Index>(), any::<Index>(), 1..60_usize, 0..5_u8),
        0..60,
    );
    let shape = (count, 1..300_usize, channels);
    (shape, edits, runs).prop_map(|((count, width, channels), edits, runs)| {
        let stride = width * channels;
        let mut rows = vec![0; count * stride];
        for row in 0..count {
            let here = row * stride..(row + 1) * stride;
            if row > 0 {
                rows.copy_within(here.start - stride..here.start, here.start);
            }
            for (_, column, length, kind) in runs.iter().filter(|run| run.0.index(count) == row) {
                let pixels = rows[here.clone()].chunks_exact_mut(channels).enumerate();
                for (x, pixel) in pixels.skip(column.index(width)).take(*length) {
                    let grey = |value: usize| u8::try_from(value % 251).unwrap();
                    match kind {
                        0 => pixel.fill(99),
                        1 => pixel.fill(grey(x * 37)),
                        // Around what is there, also from 0 to 255 and back.
                        2 => pixel[x % channels] = pixel[x % channels].wrapping_add(1),
                        3 => pixel[x % channels] = pixel[x % channels].wrapping_sub(1),
                        _ => pixel[..2].copy_from_slice(&[grey(x % CELL_PX * 5), 7]),
                    }
                }
            }
            for (_, column, value) in edits.iter().filter(|edit| edit.0.index(count) == row) {
                rows[here.start + column.index(stride)] = *value;
            }
        }
        (Rows::new(count, width, channels), rows)
    })
}

/// Unfolds by one of the ways.
fn unfolded_by(
    unfold: impl Fn(Rows, &mut [u8], usize) -> Option<()>,
    rows: Rows,
    folded: &[u8],
) -> Option<Vec<u8>> {
    let mut room = vec![0xAA; rows.most()];
    let start = rows.most().checked_sub(folded.len())?;
    room[start..].copy_from_slice(folded);
    unfold(rows, &mut room, start)?;
    room.truncate(rows.count * rows.stride);
    Some(room)
}

fn unfolded(rows: Rows, folded: &[u8]) -> Option<Vec<u8>> {
    let portably = unfolded_by(Rows::unfold_portably, rows, folded);
    assert_eq!(unfolded_by(Rows::unfold, rows, folded), portably);
    portably
}

/// How long folded rows are that begin with these kinds.
fn bytes_asked_for(rows: Rows, kinds: &[u8]) -> usize {
    let of_rows = kinds.chunks_exact(rows.kinds_of_row()).map(|kinds| {
        let cells = (0..rows.stride).step_by(rows.cell).enumerate();
        let of_cells = cells.map(|(index, begin)| {
            match u32::from(kinds[index / 2] >> (index % 2 * KIND_BITS)) & KIND {
                ANYTHING => rows.cell.min(rows.stride - begin),
                GREY => CELL_PX,
                NEAR => STEPS,
                _ => 0,
            }
        });
        of_cells.sum::<usize>()
    });
    kinds.len() + rows.stride + of_rows.sum::<usize>()
}

/// Whether it is refused whatever follows, up to so many bytes.
fn is_refused_whatever_follows(rows: Rows, begin: &[u8], most: usize) -> bool {
    (0..=most).all(|more| unfolded(rows, &[begin, &vec![9; more]].concat()).is_none())
}

proptest! {
    #[test]
    fn what_is_folded_unfolds_to_the_same((rows, bytes) in rows_of(1..70, 3..=4)) {
        let folded = rows.fold(&bytes);
        prop_assert!(folded.len() <= rows.most());
        prop_assert_eq!(unfolded(rows, &folded), Some(bytes));
    }

    #[test]
    fn vectors_unfold_what_is_damaged_as_the_portable_way_does(
        (rows, bytes) in rows_of(2..6, 3..=3),
        edits in proptest::collection::vec((any::<Index>(), any::<u8>()), 1..9),
    ) {
        let mut folded = rows.fold(&bytes);
        let kinds = rows.kinds();
        for (at, value) in edits {
            folded[at.index(kinds)] = value;
        }
        let asked_for = bytes_asked_for(rows, &folded[..kinds]);
        for bytes in asked_for - 1..=asked_for + 1 {
            folded.resize(bytes, 7);
            let unfolded = unfolded(rows, &folded);
            prop_assert!(bytes == asked_for || unfolded.is_none());
        }
    }

    #[test]
    fn what_is_too_short_or_too_long_is_refused((rows, bytes) in rows_of(1..70, 3..=4)) {
        let folded = rows.fold(&bytes);
        prop_assert_eq!(unfolded(rows, &folded[..folded.len() - 1]), None);
        let longer = [&folded[..], &[0]].concat();
        prop_assert_eq!(unfolded(rows, &longer), None);
    }
}

#[test]
fn flat_rows_fold_to_one_row_and_kinds() {
    let rows = Rows::new(64, 1280, 3);
    let flat = vec![7; 64 * 1280 * 3];
    assert_eq!(rows.fold(&flat).len(), 1280 * 3 + 63 * 40);
}

#[test]
fn greys_repetitions_and_what_is_near_are_left_out() {
    let (width, cells) = (1280 + 5, 80);
    let rows = Rows::new(2, width, 3);
    let folded = |first: [u8; 3], second: &dyn Fn(usize) -> [u8; 3]| {
        let first = (0..width).map(|_| first);
        let pixels: Vec<u8> = first.chain((0..width).map(second)).flatten().collect();
        let folded = rows.fold(&pixels);
        assert_eq!(unfolded(rows, &folded), Some(pixels));
        folded.len() - rows.kinds() - width * 3
    };
    let grey = |x: usize| [u8::try_from(x % 250).unwrap() + 2; 3];
    assert_eq!(folded([1; 3], &grey), cells * 16 + 5 * 3);
    let shade = |value: usize| u8::try_from(value).unwrap();
    assert_eq!(folded([1; 3], &|x| [shade(x % 16), 9, 8]), 48 + 5 * 3);
    assert_eq!(folded([1; 3], &|x| [shade(x % 200), 9, 8]), width * 3);
    let near =
        |x: usize| [0, 255, 7].map(|byte: u8| byte.wrapping_add(shade(x * x % 3)).wrapping_sub(1));
    assert_eq!(folded([0, 255, 7], &near), cells * 12 + 5 * 3);
    let far = |x: usize| [0, 255, if x % 16 == 15 { 9 } else { 8 }];
    assert_eq!(folded([0, 255, 7], &far), 48 + 5 * 3);
}

#[test]
fn kinds_that_a_row_cannot_have_are_refused() {
    for (width, channels, kinds) in [
        // The narrow cell at the end is no other one's, and neither grey nor near.
        (5, 3, LEFT),
        (5, 3, GREY),
        (5, 3, NEAR),
        (5, 4, LEFT),
        (5, 4, GREY),
        (5, 4, NEAR),
        (21, 3, ANYTHING | LEFT << 4),
        (21, 3, ANYTHING | GREY << 4),
        (21, 3, ANYTHING | NEAR << 4),
        // Left of the first there is none.
        (16, 3, LEFT),
        (16, 4, LEFT),
        // Nothing translucent is grey or near.
        (16, 4, GREY),
        (16, 4, NEAR),
        // There is no second cell.
        (16, 3, ANYTHING << 4),
        (16, 4, ABOVE | ANYTHING << 28),
        // Nothing is of these kinds.
        (16, 3, NEAR + 1),
        (16, 3, NEAR + 2),
        (16, 3, NEAR + 3),
        (16, 3, 8),
        (32, 3, 15 << 4),
    ] {
        let rows = Rows::new(2, width, channels);
        let begin = [&kinds.to_le_bytes()[..], &vec![5; width * channels]].concat();
        let what = format!("{width} {channels} {kinds:b}");
        assert!(
            is_refused_whatever_follows(rows, &begin, width * channels),
            "{what}"
        );
    }
}

#[test]
fn rows_without_likeness_grow_by_their_kinds() {
    let rows = Rows::new(3, 20, 4);
    let bytes: Vec<u8> = (0..240).collect();
    assert_eq!(rows.fold(&bytes).len(), rows.most());
    assert_eq!(unfolded(rows, &rows.fold(&bytes)), Some(bytes));
}
