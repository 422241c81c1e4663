//! How alike rows are, by their pixels and the hashes of their cells.

use std::ops::Range;

use super::run::{Run, length};
use super::stretch::{Stretch, paired};
use crate::loaded::{Loaded, Passing};
use crate::row_hash::{cell_columns, cell_count};

/// Levels of a channel, of 255, by which pixels hardly differ: none of them counts at the usual threshold, which is a tenth of the
/// largest distance. Dithering makes 2.
const HARDLY: u8 = 25;

/// Pairs of rows that one search compares by their pixels where pictures are no taller than that in all.
const LEAST_COMPARED_ROWS: u32 = 16_384;

/// Pairs of rows of two pictures, which end here, that one search compares by their pixels: of each row one, so that pictures made for
/// it take no longer than others.
pub(super) fn compared_rows(end: Run) -> u32 {
    LEAST_COMPARED_ROWS.max(end.baseline + end.current)
}

/// How alike rows are that are not the same: a baseline row and a current one, counted as hashes are.
#[derive(Clone, Copy)]
pub(super) struct Likeness<'a> {
    /// Cells of a row.
    pub(super) all: u32,
    /// How many of their cells are the same.
    pub(super) cells: &'a dyn Fn(u32, u32) -> u32,
    /// Whether they hardly differ.
    pub(super) hardly_differ: &'a dyn Fn(u32, u32) -> bool,
}

/// Whether some columns of a baseline row and a current row, counted as hashes are, hardly differ.
pub(super) fn hardly_differ(
    passing: &Passing<'_, '_>,
    columns: Range<u32>,
    baseline_row: u32,
    current_row: u32,
) -> bool {
    let rows = &passing.loaded.rows;
    if rows.baseline[baseline_row as usize] == rows.current[current_row as usize] {
        return true;
    }
    let (ours, theirs) = (baseline_row + rows.unhashed, current_row + rows.unhashed);
    passing.look(ours, theirs, |before, after| {
        before.shows_alike(columns.start, after, columns, HARDLY)
    })
}

/// Of some columns of a baseline row and a current row, counted as hashes are, those from the first to the last that more than hardly
/// differ; `None` when none does.
pub(super) fn part_apart(
    passing: &Passing<'_, '_>,
    columns: Range<u32>,
    (ours, theirs): (u32, u32),
) -> Option<Range<u32>> {
    let above = passing.loaded.rows.unhashed;
    passing.look(ours + above, theirs + above, |before, after| {
        before.part_apart(after, columns, HARDLY)
    })
}

/// In how many pixels some columns of a baseline row and a current row, counted as hashes are, more than hardly differ: by a third of the
/// channels that do, where both have as many.
pub(super) fn differing_pixels(
    passing: &Passing<'_, '_>,
    columns: &Range<u32>,
    (ours, theirs): (u32, u32),
) -> u64 {
    let rows = &passing.loaded.rows;
    if rows.baseline[ours as usize] == rows.current[theirs as usize] {
        return 0;
    }
    let (ours, theirs) = (ours + rows.unhashed, theirs + rows.unhashed);
    passing.look(ours, theirs, |before, after| {
        let [before, after] = [before, after].map(|row| row.within(columns.clone()));
        before.channels_apart(after, HARDLY).div_ceil(3)
    })
}

/// How many cells of a baseline row and a current row, counted as hashes are, are the same.
pub(super) fn same_cells(loaded: &Loaded<'_>, baseline_row: u32, current_row: u32) -> u32 {
    let same = |cell: &u32| is_same(loaded, *cell, baseline_row, current_row);
    let cells = 0..cell_count(loaded.baseline.size.width);
    u32::try_from(cells.filter(same).count()).expect("a row has few cells")
}

/// Whether a cell is the same in a baseline row and a current row, counted as hashes are.
pub(super) fn is_same(loaded: &Loaded<'_>, cell: u32, baseline_row: u32, current_row: u32) -> bool {
    let (known, width) = (&loaded.rows, loaded.baseline.size.width);
    let (ours, theirs) = (baseline_row + known.unhashed, current_row + known.unhashed);
    if let Some([baseline, current]) = &known.cells {
        let cells = cell_count(width) as usize;
        let at = |y: u32| y as usize * cells + cell as usize;
        return baseline[at(ours)] == current[at(theirs)];
    }
    let current = loaded.current.row(theirs);
    (loaded.baseline.row(ours)).same_part(current, cell_columns(cell, width))
}

/// Whether a lane that was laid otherwise hardly differs in place in any row that both pictures have. Of rows at the bottom that
/// both share whole, it is not known where they went in one lane alone; and the gradient of a bar that grew a little with its page is
/// the same as itself a few rows further on.
pub(super) fn hardly_differs_in_place(
    passing: &Passing<'_, '_>,
    columns: &Range<u32>,
    bands: &[Stretch],
) -> bool {
    let rows = &passing.loaded.rows;
    let both = length(&rows.baseline).min(length(&rows.current));
    let stays = |row: u32| hardly_differ(passing, columns.clone(), row, row);
    paired(bands).any(|run| run.shift() != 0) && (0..both).all(stays)
}
