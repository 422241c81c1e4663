//! What rows show without the gaps between their words: a table whose columns got other widths shows every word some pixels further to
//! the right or to the left.
//!
//! Browsers place letters at parts of a pixel, so that a word that went aside is drawn a little otherwise: its edges are fewer or more,
//! but its ink is as much. Stripes, shades and what is dithered have no edges, and are no ink but ground.

use std::ops::Range;

use crate::align::likeness::part_apart;
use crate::loaded::Passing;
use crate::raster::row::{CELL_GAP_PX, EDGE, Row, alike, apart};

use super::profile::PART_PX;

/// Pixels of a gap that are passed at once.
const BLOCK_PX: u32 = 32;

/// Levels of all channels that count as one, so that the ink of a part fits a byte.
const INK: u32 = 192;

/// Rows that are looked at in search of what stayed beside the page.
const EDGE_ROWS: usize = 512;

/// Columns beside what differs: a word at the very edge would hide the ground that it is written on.
const MARGIN_PX: u32 = 16;

/// Of the rows that differ in place, one in this number may do so in what stayed beside the page: where an entry was edited or chosen.
const EDITED_SHARE: usize = 4;

/// The columns between bars that stayed, as far as rows in their places tell; all of them where no row differs.
pub(super) fn columns_between_bars(passing: &Passing<'_, '_>) -> Range<u32> {
    let width = passing.loaded.baseline.size.width;
    let rows = &passing.loaded.rows;
    let differs = |&row: &u32| {
        let same = rows.same_in_place.get((row + rows.unhashed) as usize);
        same == Some(&false)
    };
    let both = rows.baseline.len().min(rows.current.len());
    let both = u32::try_from(both).expect("rows of a picture fit 32 bits");
    let differing: Vec<u32> = (0..both).filter(differs).collect();
    let step = differing.len().div_ceil(EDGE_ROWS).max(1);
    let sampled = differing.into_iter().step_by(step);
    let parts = sampled.filter_map(|row| part_apart(passing, 0..width, (row, row)));
    let (mut starts, mut ends): (Vec<u32>, Vec<u32>) =
        parts.map(|part| (part.start, part.end)).unzip();
    starts.sort_unstable();
    ends.sort_unstable();
    let beyond = starts.len() / EDITED_SHARE;
    match (starts.get(beyond), ends.iter().nth_back(beyond)) {
        (Some(&start), Some(&end)) if start < end => {
            start.saturating_sub(MARGIN_PX)..(end + MARGIN_PX).min(width)
        }
        _ => 0..width,
    }
}

/// Weighs what each part of a row shows when its gaps are cut out.
pub(super) fn weigh(row: Row<'_>, parts: &mut [u8]) {
    let mut inks = vec![0; parts.len()];
    let mut last = row.pixel(0);
    let (mut ground, mut in_gap, mut at) = (last, 0, 0);
    let mut x = 0;
    while x < row.width() {
        if in_gap > CELL_GAP_PX && is_flat(row, x) {
            x += BLOCK_PX;
            last = row.pixel(x - 1);
            ground = last;
            continue;
        }
        let pixel = row.pixel(x);
        x += 1;
        in_gap = if alike(pixel, last, EDGE) {
            in_gap + 1
        } else {
            1
        };
        last = pixel;
        if in_gap > CELL_GAP_PX {
            ground = pixel;
            continue;
        }
        let channels = pixel.iter().zip(ground);
        let ink = channels
            .map(|(one, other)| apart(*one, other))
            .filter(|&levels| levels > EDGE)
            .map(u32::from);
        inks[(at / PART_PX).min(parts.len() - 1)] += ink.sum::<u32>();
        at += 1;
    }
    for (part, ink) in parts.iter_mut().zip(inks) {
        *part = u8::try_from(ink / INK).unwrap_or(u8::MAX);
    }
}

/// Whether a gap goes on for so many pixels from column `x`, which is not the first.
fn is_flat(row: Row<'_>, x: u32) -> bool {
    if x + BLOCK_PX > row.width() {
        return false;
    }
    let [before, block] = [x - 1, x].map(|x| row.part(x..x + BLOCK_PX));
    let neighbours = before.iter().zip(block);
    let farthest = neighbours.fold(0, |farthest, (one, next)| farthest.max(apart(*one, *next)));
    farthest <= EDGE
}

#[cfg(test)]
mod tests {
    use super::*;

    const WORD: [u8; 12] = [0, 255, 255, 0, 0, 255, 0, 255, 255, 255, 0, 0];

    /// The ink of the parts of a row that shows a word from each of these columns on, on such a ground.
    fn inks(ground: u8, words: &[usize], word: &[u8]) -> Vec<u8> {
        let mut row = vec![ground; 400];
        for &start in words {
            row[start..start + word.len()].copy_from_slice(word);
        }
        let bytes: Vec<u8> = row.iter().flat_map(|&grey| [grey; 3]).collect();
        let mut parts = vec![0; 7];
        weigh(
            Row {
                channels: 3,
                bytes: &bytes,
            },
            &mut parts,
        );
        parts
    }

    #[test]
    fn words_weigh_the_same_wherever_they_lie() {
        let inks_at = |words: &[usize]| inks(255, words, &WORD);
        assert_eq!(inks_at(&[20, 60, 300]), inks_at(&[31, 160, 373]));
        assert_ne!(inks_at(&[20, 60, 300]), inks_at(&[20, 60]));
    }

    #[test]
    fn a_stroke_between_two_pixels_weighs_as_much_as_on_one() {
        let stroke = |word: &[u8]| inks(255, &[40, 80, 120, 160], word);
        assert_eq!(stroke(&[255, 0, 255]), stroke(&[255, 127, 128]));
    }

    #[test]
    fn a_faint_stripe_is_ground() {
        let word = [0; 12];
        let [white, striped] = [255, 247].map(|ground| inks(ground, &[20, 60], &word));
        let apart = white
            .iter()
            .zip(&striped)
            .map(|(one, other)| one.abs_diff(*other));
        assert!(apart.max() < Some(6), "{white:?} {striped:?}");
        assert_eq!(inks(247, &[], &word), [0; 7]);
    }
}
