//! Whether what a column shows is what it showed that many pixels further on, and no more.
//!
//! Browsers place letters at quarters of a pixel, so a word that went aside has other edges. Blurred along the row and laid a part of a
//! pixel further it is nearly the same word again; a stroke more or less, or another weight or colour, is not.

use std::array;
use std::borrow::Cow;
use std::ops::Range;

use crate::decode::rgba;
use crate::metric::{Decision, Threshold};
use crate::pair::{Pair, RowPair};
use crate::raster::row::{Row, alike};

use super::super::shift::levels_off;
use super::LINE_ROWS;
use super::blurred::{self, Blurred};
use super::table::{Column, MAX_COLUMNS, Table};

/// Levels of a channel by which neighbours on one ground differ at most: gradients are no steeper, and are dithered.
const GROUND_STEP: u8 = 3;

/// Share in percent, of all that both pictures show beside a pixel along its row, by which it may be another where it went, both blurred.
const MOST_APART_PERCENT: u32 = 30;

/// Parts of a pixel at which letters begin.
const PARTS: i32 = 4;

/// How many of them something may have gone further than its column, or less, in the order in which that is tried: what is set from the
/// right or in the middle does.
const SLACKS: [i32; 5] = [0, 2, -2, 4, -4];

/// How many parts further than its word a letter may have gone, or less: each is placed by itself.
const LETTER_SLACKS: [i32; 3] = [0, 1, -1];

/// Rows above and below a line that are looked at, too: the tail of a comma may be no change by itself, as an edge that is smoothed.
const BESIDE_ROWS: u32 = 2;

const _: () =
    assert!(MAX_COLUMNS <= u64::BITS as usize && LINE_ROWS + 2 * BESIDE_ROWS <= u32::BITS);

/// What went with the columns of a table.
pub(super) struct Explained {
    rows: Range<u32>,
    /// For each row of the table the columns that show something else, one bit each.
    otherwise: Vec<u64>,
}

impl Explained {
    pub(super) fn of(pair: &mut Pair<'_>, table: &Table) -> Self {
        let mut otherwise = vec![0; table.rows.len()];
        for line in &table.lines {
            pair.make_room_if_full();
            let beside = line.start.saturating_sub(BESIDE_ROWS)..line.end + BESIDE_ROWS;
            let shown = beside.filter_map(|y| {
                let told_with = y.clamp(line.start, line.end - 1);
                Shown::of(pair, table, y).map(|shown| (told_with, shown))
            });
            let shown: Vec<(u32, Shown<'_>)> = shown.collect();
            for (at, column) in table.columns.iter().enumerate() {
                let others = rows_otherwise(&shown, column);
                let others = (0..).zip(&shown).filter(|(bit, _)| others >> bit & 1 == 1);
                for (_, (told_with, _)) in others {
                    otherwise[(told_with - table.rows.start) as usize] |= 1 << at;
                }
            }
        }
        Self {
            rows: table.rows.clone(),
            otherwise,
        }
    }

    /// Whether these columns, one bit each, went as their table says in some rows of the canvas, all of which are of the table.
    pub(super) fn holds(&self, rows: Range<u32>, columns: u64) -> bool {
        if rows.start < self.rows.start || rows.end > self.rows.end {
            return false;
        }
        let at = |y: u32| (y - self.rows.start) as usize;
        let rows = &self.otherwise[at(rows.start)..at(rows.end)];
        rows.iter().all(|otherwise| otherwise & columns == 0)
    }
}

/// The rows of a line and beside it in which a column shows something else, the fewest of all ways that it may have gone: one bit each.
fn rows_otherwise(line: &[(u32, Shown<'_>)], column: &Column) -> u32 {
    let mut fewest = u32::MAX;
    for slack in SLACKS {
        let quarters = column.right * PARTS + slack;
        let others = (0..)
            .zip(line)
            .filter(|(_, (_, row))| !row.explains(column, quarters));
        let others = others.fold(0_u32, |bits, (at, _)| bits | 1 << at);
        if others == 0 {
            return 0;
        }
        if others.count_ones() < fewest.count_ones() {
            fewest = others;
        }
    }
    fewest
}

/// A row of the canvas in both pictures, as far as both have it.
struct Shown<'p> {
    own: RowPair<'p>,
    /// 3, where nothing is translucent, or 4.
    channels: usize,
    /// Columns in which the pictures differ by more than the threshold.
    differing: Vec<u32>,
    blurred: [Blurred; 2],
    /// Levels of a channel by which it may be another where it went: on a stripe of a table, or not.
    levels: u8,
    threshold: Threshold,
}

impl<'p> Shown<'p> {
    /// `None` where one picture lacks the row, and off the canvas.
    fn of(pair: &'p Pair<'_>, table: &Table, y: u32) -> Option<Self> {
        let is_on_canvas = y < pair.size.height;
        let own = is_on_canvas.then(|| pair.row_pair(y, table.lane.start))??;
        if own.columns().is_empty() {
            return None;
        }
        let channels = own.rows().map(|row| row.channels).into_iter().max()?;
        let seen = own.rows().map(|row| as_seen(row, own.columns(), channels));
        Some(Self {
            channels,
            differing: differing(&own, pair.threshold),
            blurred: seen.map(|pixels| Blurred::of(&pixels, channels)),
            levels: levels_off(pair),
            threshold: pair.threshold,
            own,
        })
    }

    /// Those of some columns that differ in place.
    fn differing(&self, columns: &Range<u32>) -> impl Iterator<Item = u32> {
        let at = |x: u32| self.differing.partition_point(|&differing| differing < x);
        self.differing[at(columns.start)..at(columns.end)]
            .iter()
            .copied()
    }

    /// Whether each pixel that is another in place lies so many quarters of a pixel from where the other picture shows nearly the same, or
    /// is ground where the other has no place for it.
    fn explains(&self, column: &Column, quarters: i32) -> bool {
        let [before, after] = self.own.rows();
        let right = quarters.div_euclid(PARTS);
        let went = |is: u32| {
            LETTER_SLACKS
                .iter()
                .any(|slack| self.is_same(is, quarters + slack))
        };
        let came = self.differing(&column.after).all(|x| {
            match x
                .checked_add_signed(-right)
                .filter(|was| column.before.contains(was))
            {
                Some(_) => went(x),
                None => is_ground(after, x),
            }
        });
        came && self.differing(&column.before).all(|x| {
            match x
                .checked_add_signed(right)
                .filter(|is| column.after.contains(is))
            {
                Some(is) => went(is),
                None => is_ground(before, x),
            }
        })
    }

    /// Whether the current picture shows in a column nearly what the baseline shows so many parts of a pixel to the left.
    fn is_same(&self, is: u32, quarters: i32) -> bool {
        let (right, parts) = (quarters.div_euclid(PARTS), quarters.rem_euclid(PARTS));
        let columns = self.own.columns();
        let Some(was) = is
            .checked_add_signed(-right)
            .filter(|was| columns.contains(was) && columns.contains(&is))
        else {
            return false;
        };
        let at = [was, is].map(|x| (x - columns.start) as usize);
        match self.channels {
            3 => self.is_same_pixel::<3>(at, parts),
            _ => self.is_same_pixel::<4>(at, parts),
        }
    }

    /// The same for pixels of so many channels, by their numbers in the baseline and in the current picture.
    fn is_same_pixel<const N: usize>(&self, [was, is]: [usize; 2], parts: i32) -> bool {
        let [before, after] = &self.blurred;
        let (here, there) = (after.sums::<N>(is), before.sums::<N>(was));
        let left_of_there = before.sums::<N>(was.saturating_sub(1));
        let apart: [u32; N] = array::from_fn(|at| {
            let [there, left] = [there[at], left_of_there[at]].map(i32::from);
            let laid = there * (PARTS - parts) + left * parts;
            let apart = i32::from(here[at]) * PARTS - laid;
            apart.unsigned_abs() / (PARTS * blurred::SUM).unsigned_abs()
        });
        let [[least_before, most_before], [least_after, most_after]] =
            [before.around::<N>(was), after.around::<N>(is)];
        let least: [u8; N] = array::from_fn(|at| least_before[at].min(least_after[at]));
        let most: [u8; N] = array::from_fn(|at| most_before[at].max(most_after[at]));
        let is_near =
            |at: usize| apart[at] * 100 <= MOST_APART_PERCENT * u32::from(most[at] - least[at]);
        (0..N).all(is_near)
            || apart.iter().all(|&apart| apart <= self.levels.into())
            // Two grounds, as the stripes of a table, are no more apart than what counts as a change.
            || self.threshold.decide(rgba(&least), rgba(&most)) == Decision::Same
    }
}

/// The columns in which two rows differ by more than the threshold, as far as whole numbers tell.
fn differing(own: &RowPair<'_>, threshold: Threshold) -> Vec<u32> {
    let differ = |before, after| threshold.decide(before, after) != Decision::Same;
    let [before, after] = own.rows();
    let Some(opaque) = own.opaque() else {
        let columns = own.columns();
        return columns
            .filter(|&x| differ(before.pixel(x), after.pixel(x)))
            .collect();
    };
    let [before, after] = opaque.map(|row| row.as_chunks::<3>().0);
    own.columns()
        .filter(|&x| {
            let [before, after] = [before, after].map(|pixels| pixels[x as usize]);
            before != after && differ(rgba(&before), rgba(&after))
        })
        .collect()
}

/// Some columns of a row as they are seen, in so many channels: no fewer than it has.
fn as_seen(row: Row<'_>, columns: Range<u32>, channels: usize) -> Cow<'_, [u8]> {
    if channels == 3 {
        return row.part(columns).into();
    }
    columns.flat_map(|x| row.seen(x)).collect()
}

/// Whether a pixel of a row shows what lies beside it.
fn is_ground(row: Row<'_>, x: u32) -> bool {
    let beside = x.saturating_sub(1)..(x + 2).min(row.width());
    let own = row.seen(x);
    beside
        .into_iter()
        .all(|other| alike(own, row.seen(other), GROUND_STEP))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::decode::Image;
    use crate::geometry::Size;

    const SIZE: Size = Size {
        width: 200,
        height: 30,
    };

    /// Where a word of 50 pixels is in the baseline, and its rows.
    const WORD: u32 = 40;
    const ROWS: Range<u32> = 8..20;

    /// A grey for each pixel of the canvas.
    type Grey<'a> = &'a dyn Fn(u32, u32) -> u8;

    /// A word of letters with stems and bars, from this quarter of a pixel on.
    fn word(quarters: u32) -> impl Fn(u32, u32) -> u8 {
        let ink = |x: i64, y: u32| {
            let (letter, column) = (x.div_euclid(7), x.rem_euclid(7));
            let bar = i64::from(y - ROWS.start) == (letter * 5 + 1) % 12;
            let is_there = (0..50).contains(&x) && (column < 2 || bar && column < 6);
            u32::from(is_there) * 200
        };
        move |x, y| {
            if !ROWS.contains(&y) {
                return 250;
            }
            let (right, parts) = (quarters / 4, quarters % 4);
            let at = i64::from(x) - i64::from(right);
            let dark = (ink(at, y) * (4 - parts) + ink(at - 1, y) * parts) / 4;
            u8::try_from(250 - dark).unwrap()
        }
    }

    /// The rows that show something else than a column that went so many pixels to the right.
    fn otherwise(before: Grey<'_>, after: Grey<'_>, right: i32) -> Vec<u32> {
        let images = [before, after].map(|grey| Image::of_greys(SIZE, 3, grey));
        let mut pair = Pair::in_place(&images);
        let lane = 0..SIZE.width;
        let table = Table {
            rows: ROWS,
            lines: vec![ROWS],
            lane: lane.clone(),
            columns: vec![Column {
                before: lane.clone(),
                after: lane,
                right,
            }],
        };
        let explained = Explained::of(&mut pair, &table);
        ROWS.filter(|&y| !explained.holds(y..y + 1, 1)).collect()
    }

    #[test]
    fn a_word_at_another_part_of_a_pixel_is_the_same() {
        let before = word(WORD * 4);
        for right in [5_u32, 20, 64, 90] {
            for parts in 0..4 {
                let after = word((WORD + right) * 4 + parts);
                let right = right.cast_signed();
                assert_eq!(otherwise(&before, &after, right), [0; 0], "{right} {parts}");
                assert_eq!(
                    otherwise(&after, &before, -right),
                    [0; 0],
                    "{right} {parts}"
                );
            }
        }
    }

    #[test]
    fn a_word_that_went_further_than_its_column_is_something_else() {
        let (before, after) = (word(WORD * 4), word((WORD + 23) * 4));
        assert!(!otherwise(&before, &after, 20).is_empty());
    }

    #[test]
    fn a_stroke_more_is_told_by_its_rows() {
        let before = word(WORD * 4);
        for parts in 0..4 {
            let moved = word((WORD + 20) * 4 + parts);
            let after = |x: u32, y: u32| {
                let is_stroke = (WORD + 75..WORD + 77).contains(&x) && (16..19).contains(&y);
                if is_stroke { 50 } else { moved(x, y) }
            };
            for rows in [
                otherwise(&before, &after, 20),
                otherwise(&after, &before, -20),
            ] {
                assert_eq!(rows, [16, 17, 18], "{parts}");
            }
        }
    }

    #[test]
    fn what_hangs_below_a_line_is_told_with_its_last_row() {
        let (before, moved) = (word(WORD * 4), word((WORD + 20) * 4));
        let after = |x: u32, y: u32| {
            let is_tail = x == WORD + 65 && (ROWS.end..ROWS.end + BESIDE_ROWS).contains(&y);
            if is_tail { 90 } else { moved(x, y) }
        };
        assert_eq!(otherwise(&before, &after, 20), [ROWS.end - 1]);
    }

    #[test]
    fn a_paler_word_is_something_else() {
        let (before, moved) = (word(WORD * 4), word((WORD + 20) * 4));
        let after = |x: u32, y: u32| 250 - (250 - moved(x, y)) / 2;
        // Where strokes are thin a part of a pixel explains as much.
        assert!(otherwise(&before, &after, 20).len() > ROWS.len() / 2);
    }

    #[test]
    fn a_word_without_a_place_in_the_other_picture_is_something_else() {
        // It would lie left of the lane.
        let (before, after) = (word(WORD * 4), |_: u32, _: u32| 250);
        assert!(!otherwise(&before, &after, -100).is_empty());
        assert!(!otherwise(&after, &before, 100).is_empty());
    }
}
