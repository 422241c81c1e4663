//! From filtered rows to pixels: the five filter types of PNG (W3C, "Portable Network Graphics (PNG)
//! Specification", third edition, chapter 9).

#[cfg(target_arch = "x86_64")]
mod paeth;

use crate::error::Error;

/// Rows filtered by Paeth's predictor that are undone together.
const MAX_TOGETHER: usize = 8;

/// The filter type of Paeth's predictor.
const PAETH: u8 = 4;

/// Undoes the filters of rows that follow each other, see [`unfilter`]; `to` takes as many, one behind the
/// other.
pub(crate) fn unfilter_rows<'r, 't>(
    channels: usize,
    rows: impl Iterator<Item = &'r [u8]>,
    mut above: &'t [u8],
    mut to: &'t mut [u8],
) -> Result<(), Error> {
    let is_paeth = |row: &&[u8]| row.first() == Some(&PAETH);
    let mut rows = rows.peekable();
    while let Some(row) = rows.next() {
        let (mut together, mut count) = ([row; MAX_TOGETHER], 1);
        while count < MAX_TOGETHER
            && is_paeth(&row)
            && let Some(next) = rows.next_if(is_paeth)
        {
            together[count] = next;
            count += 1;
        }
        let (here, below) = to.split_at_mut(count * above.len());
        if count == 1 {
            unfilter(channels, row, above, here)?;
        } else {
            let filtered = together.map(|row| &row[1..]);
            if channels == 3 {
                undo_paeth::<3>(&filtered[..count], above, here);
            } else {
                undo_paeth::<4>(&filtered[..count], above, here);
            }
        }
        above = &here[here.len() - above.len()..];
        to = below;
    }
    Ok(())
}

/// Undoes the filter of a row of pixels of 3 or 4 channels. `row` begins with its filter type;
/// `above` holds the pixels of the row above, zeros for the first row, and is as long as `to`.
fn unfilter(channels: usize, row: &[u8], above: &[u8], to: &mut [u8]) -> Result<(), Error> {
    if channels == 3 {
        unfilter_pixels::<3>(row, above, to)
    } else {
        unfilter_pixels::<4>(row, above, to)
    }
}

fn unfilter_pixels<const N: usize>(row: &[u8], above: &[u8], to: &mut [u8]) -> Result<(), Error> {
    let (&kind, row) = row
        .split_first()
        .ok_or_else(|| Error::Corrupt("a row is empty".into()))?;
    match kind {
        0 => to.copy_from_slice(row),
        1 => by_pixel::<N>(row, above, to, |left, _, _| left),
        2 => {
            for ((to, &filtered), &above) in to.iter_mut().zip(row).zip(above) {
                *to = filtered.wrapping_add(above);
            }
        }
        3 => by_pixel::<N>(row, above, to, |left, above, _| u8::midpoint(left, above)),
        PAETH => undo_paeth::<N>(&[row], above, to),
        _ => {
            return Err(Error::Corrupt(format!("it has an unknown filter {kind}")));
        }
    }
    Ok(())
}

/// Undoes a filter that predicts each byte from those to the left, above and left above.
#[inline(always)]
fn by_pixel<const N: usize>(
    row: &[u8],
    above: &[u8],
    to: &mut [u8],
    predict: impl Fn(u8, u8, u8) -> u8,
) {
    by_pixel_from::<N>(0, row, above, to, predict);
}

/// The same for what lies right of so many bytes.
#[inline(always)]
fn by_pixel_from<const N: usize>(
    from: usize,
    row: &[u8],
    above: &[u8],
    to: &mut [u8],
    predict: impl Fn(u8, u8, u8) -> u8,
) {
    let (mut left, mut left_above) = ([0; N], [0; N]);
    if let Some(before) = from.checked_sub(N) {
        left.copy_from_slice(&to[before..from]);
        left_above.copy_from_slice(&above[before..from]);
    }
    let pixels = (to[from..].as_chunks_mut::<N>().0.iter_mut())
        .zip(row[from..].as_chunks::<N>().0)
        .zip(above[from..].as_chunks::<N>().0);
    for ((to, filtered), above) in pixels {
        for channel in 0..N {
            let predicted = predict(left[channel], above[channel], left_above[channel]);
            left[channel] = filtered[channel].wrapping_add(predicted);
        }
        *to = left;
        left_above = *above;
    }
}

/// Undoes Paeth's filter of rows, without their filter types, that follow each other.
fn undo_paeth<'t, const N: usize>(rows: &[&[u8]], mut above: &'t [u8], to: &'t mut [u8]) {
    let done = paeth_at_once::<N>(rows, above, to);
    for (row, to) in rows.iter().zip(to.chunks_exact_mut(above.len())) {
        by_pixel_from::<N>(done, row, above, to, paeth);
        above = to;
    }
}

/// Undoes Paeth's filter from the left as far as the processor can do several channels at once; says how many
/// bytes of each row that were.
#[cfg(target_arch = "x86_64")]
fn paeth_at_once<const N: usize>(rows: &[&[u8]], above: &[u8], to: &mut [u8]) -> usize {
    paeth::undo(N, rows, above, to)
}

#[cfg(not(target_arch = "x86_64"))]
fn paeth_at_once<const N: usize>(_: &[&[u8]], _: &[u8], _: &mut [u8]) -> usize {
    0
}

/// The neighbour nearest to left + above − left above; of equals the first in this order.
///
/// That sum lies beyond the larger or the smaller of left and above when left above is outside of
/// them, which then is out of the question; in between, left above wins only in the middle third.
#[inline(always)]
fn paeth(left: u8, above: u8, left_above: u8) -> u8 {
    let (a, b, c) = (i16::from(left), i16::from(above), i16::from(left_above));
    let turn = 3 * c - (a + b);
    let (low, high) = (a.min(b), a.max(b));
    let beyond = if high <= turn { low } else { c };
    let nearest = if turn <= low { high } else { beyond };
    nearest.to_le_bytes()[0]
}

#[cfg(test)]
mod tests {
    use super::*;

    /// As the specification words it.
    fn paeth_of_the_book(a: u8, b: u8, c: u8) -> u8 {
        let p = i32::from(a) + i32::from(b) - i32::from(c);
        let distance = |value: u8| (p - i32::from(value)).abs();
        let (pa, pb, pc) = (distance(a), distance(b), distance(c));
        if pa <= pb && pa <= pc {
            a
        } else if pb <= pc {
            b
        } else {
            c
        }
    }

    #[test]
    fn paeth_predicts_as_the_specification_says() {
        for a in 0..=255 {
            for b in 0..=255 {
                for c in 0..=255 {
                    assert_eq!(paeth(a, b, c), paeth_of_the_book(a, b, c), "{a} {b} {c}");
                }
            }
        }
    }

    #[test]
    fn unknown_filters_are_refused() {
        let mut to = [0; 3];
        let refused = unfilter(3, &[5, 1, 2, 3], &[0; 3], &mut to);
        assert!(matches!(refused, Err(Error::Corrupt(_))));
    }
}
