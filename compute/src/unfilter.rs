//! From filtered rows to pixels: the five filter types of PNG (W3C, "Portable Network Graphics (PNG)
//! Specification", third edition, chapter 9).

#[cfg(target_arch = "x86_64")]
mod paeth;

use std::ops::Range;

use pulp::Arch;

use crate::error::Error;
use crate::scanlines::Lines;

/// Rows filtered by Paeth's predictor that are undone together.
const MAX_TOGETHER: usize = 8;

/// Where rows of two pictures are undone together, half of them come from each.
const MAX_OF_BOTH: usize = MAX_TOGETHER / 2;

/// The filter type of Paeth's predictor.
const PAETH: u8 = 4;

/// Rows of a picture that follow each other, and where their pixels go.
pub(crate) struct Filtered<'l, 't> {
    pub(crate) lines: Lines<'l>,
    /// The pixels of the row above; zeros above the first row.
    pub(crate) above: &'t [u8],
    /// As many rows of pixels as there are lines, one behind the other.
    pub(crate) to: &'t mut [u8],
}

/// Undoes the filters of rows of 3 or 4 channels.
pub(crate) fn unfilter(channels: usize, mut rows: Filtered<'_, '_>) -> Result<(), Error> {
    if channels == 3 {
        rows.unfilter::<3>()
    } else {
        rows.unfilter::<4>()
    }
}

/// Undoes the filters of rows of two pictures, of which both have as many, equally long.
pub(crate) fn unfilter_both(channels: usize, rows: [Filtered<'_, '_>; 2]) -> Result<(), Error> {
    if channels == 3 {
        unfilter_pixels_of_both::<3>(rows)
    } else {
        unfilter_pixels_of_both::<4>(rows)
    }
}

fn unfilter_pixels_of_both<const N: usize>(mut rows: [Filtered<'_, '_>; 2]) -> Result<(), Error> {
    let lines = rows.each_ref().map(|rows| rows.lines);
    let count = lines[0].count();
    let are_paeth = |row: &usize| lines.iter().all(|lines| is_paeth(lines.line(*row)));
    let mut row = 0;
    while row < count {
        let together = (row..count).take_while(are_paeth).take(MAX_OF_BOTH).count();
        if together > 0 {
            undo_paeth_of_both::<N>(rows.each_mut().map(|rows| rows.part(row..row + together)));
            row += together;
            continue;
        }
        let apart = (row..count).take_while(|row| !are_paeth(row)).count();
        for rows in &mut rows {
            rows.part(row..row + apart).unfilter::<N>()?;
        }
        row += apart;
    }
    Ok(())
}

impl<'l, 't> Filtered<'l, 't> {
    /// Rows whose pixels go behind those of so many that are done; `above` lies above the first of all.
    pub(crate) fn behind(done: usize, lines: Lines<'l>, above: &'t [u8], to: &'t mut [u8]) -> Self {
        let stride = above.len();
        let (before, rest) = to.split_at_mut(done * stride);
        Self {
            lines,
            above: before.rchunks_exact(stride).next().unwrap_or(above),
            to: &mut rest[..lines.count() * stride],
        }
    }

    /// Some of the rows, when those above them are done.
    pub(crate) fn part(&mut self, rows: Range<usize>) -> Filtered<'l, '_> {
        Filtered::behind(rows.start, self.lines.part(rows), self.above, self.to)
    }

    fn unfilter<const N: usize>(&mut self) -> Result<(), Error> {
        let (lines, count) = (self.lines, self.lines.count());
        let mut row = 0;
        while row < count {
            let paeth = (row..count).take_while(|&row| is_paeth(lines.line(row)));
            match paeth.take(MAX_TOGETHER).count() {
                0 => {
                    self.part(row..row + 1).undo_one::<N>()?;
                    row += 1;
                }
                together => {
                    undo_paeth::<N>(self.part(row..row + together));
                    row += together;
                }
            }
        }
        Ok(())
    }

    /// Undoes the filter of a single row that is not Paeth's.
    fn undo_one<const N: usize>(&mut self) -> Result<(), Error> {
        let Self { lines, above, to } = self;
        let Some((&kind, filtered)) = lines.line(0).split_first() else {
            return Err(Error::Corrupt("a row is empty".into()));
        };
        match kind {
            0 => to.copy_from_slice(filtered),
            1 => by_pixel::<N>(filtered, above, to, |left, _, _| left),
            2 => Arch::new().dispatch(|| {
                for ((to, &filtered), &above) in to.iter_mut().zip(filtered).zip(*above) {
                    *to = filtered.wrapping_add(above);
                }
            }),
            3 => by_pixel::<N>(filtered, above, to, |left, above, _| {
                u8::midpoint(left, above)
            }),
            _ => {
                return Err(Error::Corrupt(format!("it has an unknown filter {kind}")));
            }
        }
        Ok(())
    }
}

fn is_paeth(line: &[u8]) -> bool {
    line.first() == Some(&PAETH)
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

/// Undoes Paeth's filter, of at most [`MAX_TOGETHER`] rows.
fn undo_paeth<const N: usize>(mut rows: Filtered<'_, '_>) {
    #[cfg(target_arch = "x86_64")]
    let done = paeth::undo::<N>(rows.part(0..rows.lines.count()));
    #[cfg(not(target_arch = "x86_64"))]
    let done = 0;
    rows.undo_paeth_from::<N>(done);
}

/// Undoes Paeth's filter, of at most [`MAX_OF_BOTH`] rows of each of two pictures.
fn undo_paeth_of_both<const N: usize>(mut rows: [Filtered<'_, '_>; 2]) {
    #[cfg(target_arch = "x86_64")]
    let done = paeth::undo_both::<N>(rows.each_mut().map(|rows| rows.part(0..rows.lines.count())));
    #[cfg(not(target_arch = "x86_64"))]
    let done = 0;
    for rows in &mut rows {
        rows.undo_paeth_from::<N>(done);
    }
}

impl Filtered<'_, '_> {
    /// Undoes Paeth's filter of what lies right of so many bytes in each row.
    fn undo_paeth_from<const N: usize>(&mut self, done: usize) {
        for row in 0..self.lines.count() {
            let Filtered { lines, above, to } = self.part(row..row + 1);
            by_pixel_from::<N>(done, &lines.line(0)[1..], above, to, paeth);
        }
    }
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
        let mut to = [[0; 6]; 3];
        let [alone, ours, theirs] = to.each_mut().map(<[u8; 6]>::as_mut_slice);
        let rows = |second, to| Filtered {
            lines: Lines::of(second, 4),
            above: &[0; 3],
            to,
        };
        let (known, unknown) = ([4, 1, 2, 3, 0, 1, 2, 3], [4, 1, 2, 3, 5, 1, 2, 3]);
        let refused = unfilter(3, rows(&unknown, alone));
        assert!(matches!(refused, Err(Error::Corrupt(_))));
        let refused = unfilter_both(3, [rows(&known, ours), rows(&unknown, theirs)]);
        assert!(matches!(refused, Err(Error::Corrupt(_))));
    }

    /// Rows of noise of so many channels, each behind its filter type; all kinds are there, mostly Paeth's.
    fn lines(rows: usize, row_bytes: usize, seed: u32) -> Vec<u8> {
        let mut state = seed;
        let mut noise = || {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            state.to_be_bytes()[0]
        };
        let mut lines = Vec::new();
        for _ in 0..rows {
            lines.push(if noise() < 200 { PAETH } else { noise() % 5 });
            lines.extend((1..row_bytes).map(|_| noise()));
        }
        lines
    }

    /// Their pixels below a row, one byte at a time as the specification has it.
    fn by_the_book<const N: usize>(lines: Lines<'_>, above: &[u8]) -> Vec<u8> {
        let mut rows = vec![above.to_vec()];
        for line in lines.iter() {
            let (above, mut row) = (&rows[rows.len() - 1], vec![0; above.len()]);
            for at in 0..row.len() {
                let left = at.checked_sub(N);
                let (a, b, c) = (
                    left.map_or(0, |left| row[left]),
                    above[at],
                    left.map_or(0, |left| above[left]),
                );
                let predicted = match line[0] {
                    0 => 0,
                    1 => a,
                    2 => b,
                    3 => u8::midpoint(a, b),
                    _ => paeth_of_the_book(a, b, c),
                };
                row[at] = line[1 + at].wrapping_add(predicted);
            }
            rows.push(row);
        }
        rows[1..].concat()
    }

    fn rows_go_together_as_by_themselves<const N: usize>() {
        for (width, rows) in (1..22).flat_map(|width| (1..20).map(move |rows| (width, rows))) {
            let stride = width * N;
            let bytes = [1, 2].map(|seed| lines(rows, 1 + stride, seed));
            let lines = bytes.each_ref().map(|bytes| Lines::of(bytes, 1 + stride));
            let above = [vec![9; stride], vec![250; stride]];
            let expected = [0, 1].map(|side| by_the_book::<N>(lines[side], &above[side]));
            let (mut together, mut alone) = (
                [(); 2].map(|()| vec![0; rows * stride]),
                vec![0; rows * stride],
            );
            let [ours, theirs] = &mut together;
            let filtered = |side: usize, to| Filtered {
                lines: lines[side],
                above: &above[side],
                to,
            };
            unfilter_both(N, [filtered(0, ours), filtered(1, theirs)]).unwrap();
            unfilter(N, filtered(0, &mut alone)).unwrap();
            assert!(together == expected, "{N} channels, {width} by {rows}");
            assert!(alone == expected[0], "{N} channels, {width} by {rows}");
        }
    }

    #[test]
    fn rows_of_one_and_of_two_pictures_are_unfiltered_as_by_the_book() {
        rows_go_together_as_by_themselves::<3>();
        rows_go_together_as_by_themselves::<4>();
    }
}
