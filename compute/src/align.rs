//! Where rows went: bands of rows that were inserted, removed or moved, found by matching rows
//! through their hashes.
//!
//! Rows are matched as lines of text are, by a histogram diff (as git has it; the library is
//! `imara-diff`). A run of matched rows that is displaced against its place is believed only when it
//! holds enough rows that are rare on the page, so that blank or repeated rows never make a shift.
//! What lies between two runs is paired row by row, and what one picture has more there was inserted
//! or removed. When whole rows do not explain the page, because a side bar stays while the rest
//! moves, the same is done for ranges of columns: see [`lanes`].
//!
//! The outcome hangs on the pictures alone, never on masks or thresholds, and swapping both pictures
//! swaps insertions and removals and nothing else.

mod lanes;
mod moved;
mod runs;

use std::ops::Range;

use crate::decode::accept;
use crate::geometry::Size;
use crate::layout::{Band, Lane, Layout};
use crate::load::Loaded;
use crate::row_hash::{cell_columns, cell_count};

use runs::{Run, find_runs, without_detours};

/// Rows that differ although they are paired, beyond which lanes are looked for: a few lines of
/// text.
const LANES_WORTH_ROWS: usize = 48;

/// Of fewer rows that differ, so many must show that something stayed where it was while the rest moved: less than a line
/// of text.
const STAYED_ROWS: usize = 4;

/// Levels of a channel, of 255, by which pixels of a dithered gradient differ that was painted at another place.
const DITHER: u8 = 2;

/// Rows between two runs beyond which likeness is not weighed: what was replaced on that scale has no
/// counterpart.
const MAX_WEIGHED_ROWS: u32 = 2048;

/// Finds the layout that explains a pair best; every row in its place when no shift is found.
pub(crate) fn align(loaded: &Loaded<'_>) -> Layout {
    let (baseline, current) = (loaded.baseline.size, loaded.current.size);
    let in_place = Layout::in_place(baseline, current);
    let rows = &loaded.rows;
    if baseline.width != current.width || (rows.baseline.is_empty() && rows.current.is_empty()) {
        return in_place;
    }
    let likeness = Likeness {
        cells: &|baseline_row, current_row| same_cells(loaded, baseline_row, current_row),
        is_dithered: &|baseline_row, current_row| {
            is_dithered(loaded, 0..baseline.width, baseline_row, current_row)
        },
    };
    let mut bands = place(&rows.baseline, &rows.current, likeness);
    let in_order = place_in_order(&rows.baseline, &rows.current);
    let cost_of = |bands: &[Stretch]| cost(bands, &rows.baseline, &rows.current);
    if cost_of(&bands) >= cost_of(&in_order) {
        bands = in_order;
    }
    let differing = paired_but_different(&bands, &rows.baseline, &rows.current);
    let is_worth_it =
        differing >= LANES_WORTH_ROWS || (differing >= STAYED_ROWS && has_stayed(loaded, &bands));
    let lanes = is_worth_it
        .then(|| lanes::find_lanes(loaded, &bands))
        .flatten()
        .unwrap_or_else(|| vec![(0..baseline.width, bands)]);
    let mut layout = assemble(baseline, current, lanes, rows.unhashed);
    // Everything else is bounded by what one picture may have; such a canvas only comes from pages that
    // have hardly a row in common.
    if layout.is_in_place() || accept(layout.size).is_err() {
        return in_place;
    }
    if let [lane] = layout.lanes.as_mut_slice() {
        moved::mark_moved(&mut lane.bands, rows);
    }
    layout
}

/// Rows of one sequence laid against those of another, without a place on the canvas.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Stretch {
    rows: u32,
    baseline: Option<u32>,
    current: Option<u32>,
}

/// How many cells of a baseline row and a current row, counted as hashes are, are the same.
fn same_cells(loaded: &Loaded<'_>, baseline_row: u32, current_row: u32) -> u32 {
    let same = |cell: &u32| is_same(loaded, *cell, baseline_row, current_row);
    let cells = 0..cell_count(loaded.baseline.size.width);
    u32::try_from(cells.filter(same).count()).expect("a row has few cells")
}

/// Whether a cell is the same in a baseline row and a current row, counted as hashes are.
fn is_same(loaded: &Loaded<'_>, cell: u32, baseline_row: u32, current_row: u32) -> bool {
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

/// Whether some of the rows that moved differ by nothing but what did not move with them.
fn has_stayed(loaded: &Loaded<'_>, bands: &[Stretch]) -> bool {
    let rows = &loaded.rows;
    let both = rows.baseline.len().min(rows.current.len());
    let moved = (bands.iter())
        .filter_map(|band| Some((band.baseline?, band.current?, band.rows)))
        .filter(|(ours, theirs, _)| ours != theirs);
    let pairs =
        moved.flat_map(|(ours, theirs, rows)| (0..rows).map(move |row| (ours + row, theirs + row)));
    let differing = pairs.filter(|&(ours, theirs)| {
        let is_in_both = (ours.max(theirs) as usize) < both;
        is_in_both && rows.baseline[ours as usize] != rows.current[theirs as usize]
    });
    let stayed = differing.filter(|&(ours, theirs)| {
        let mut cells = (0..cell_count(loaded.baseline.size.width))
            .filter(|&cell| !is_same(loaded, cell, ours, theirs));
        cells.all(|cell| is_same(loaded, cell, ours, ours) && is_same(loaded, cell, theirs, theirs))
    });
    stayed.take(STAYED_ROWS).count() == STAYED_ROWS
}

/// How alike rows are that are not the same: a baseline row and a current one, counted as hashes are.
#[derive(Clone, Copy)]
struct Likeness<'a> {
    /// How many of their cells are the same.
    cells: &'a dyn Fn(u32, u32) -> u32,
    /// Whether they differ by no more than dithering.
    is_dithered: &'a dyn Fn(u32, u32) -> bool,
}

/// Whether some columns of a baseline row and a current row, counted as hashes are, differ by no more than dithering.
fn is_dithered(
    loaded: &Loaded<'_>,
    columns: Range<u32>,
    baseline_row: u32,
    current_row: u32,
) -> bool {
    let above = loaded.rows.unhashed;
    let current = loaded.current.row(current_row + above);
    (loaded.baseline.row(baseline_row + above)).alike_part(current, columns, DITHER)
}

/// Lays two sequences of hashes against each other; in order when nothing is displaced.
fn place(baseline: &[u64], current: &[u64], likeness: Likeness<'_>) -> Vec<Stretch> {
    let runs = without_detours(&find_runs(baseline, current), likeness.is_dithered);
    if runs.iter().all(|run| run.shift() == 0) {
        return place_in_order(baseline, current);
    }
    let mut bands = Vec::new();
    let (mut at_baseline, mut at_current) = (0, 0);
    let ends = Run {
        baseline: length(baseline),
        current: length(current),
        rows: 0,
    };
    for run in runs.into_iter().chain([ends]) {
        pair_gap(
            &mut bands,
            (at_baseline, run.baseline),
            (at_current, run.current),
            likeness.cells,
        );
        push(&mut bands, run.rows, Some(run.baseline), Some(run.current));
        (at_baseline, at_current) = (run.baseline + run.rows, run.current + run.rows);
    }
    bands
}

/// Both sequences from their first rows on, without any shift.
fn place_in_order(baseline: &[u64], current: &[u64]) -> Vec<Stretch> {
    let (ours, theirs) = (length(baseline), length(current));
    let both = ours.min(theirs);
    let mut bands = Vec::new();
    push(&mut bands, both, Some(0), Some(0));
    push(&mut bands, ours - both, Some(both), None);
    push(&mut bands, theirs - both, None, Some(both));
    bands
}

/// Pairs the rows between two runs, some from the top and the others from the bottom, so that they
/// are as alike as can be; what one picture has more lies between them and was inserted or removed.
fn pair_gap(
    bands: &mut Vec<Stretch>,
    (from_baseline, to_baseline): (u32, u32),
    (from_current, to_current): (u32, u32),
    like: &dyn Fn(u32, u32) -> u32,
) {
    let (removed, inserted) = (to_baseline - from_baseline, to_current - from_current);
    let both = removed.min(inserted);
    let bottom = (to_baseline - both, to_current - both);
    let at_top = if removed == inserted || both > MAX_WEIGHED_ROWS {
        both
    } else {
        best_split(both, (from_baseline, from_current), bottom, like)
    };
    let (rest_baseline, rest_current) = (removed - both, inserted - both);
    let below = (from_baseline + at_top, from_current + at_top);
    push(bands, at_top, Some(from_baseline), Some(from_current));
    push(bands, rest_baseline, Some(below.0), None);
    push(bands, rest_current, None, Some(below.1));
    let lower = (bottom.0 + at_top, bottom.1 + at_top);
    push(bands, both - at_top, Some(lower.0), Some(lower.1));
}

/// How many of so many rows to pair from the top, given where the pairs begin when all are paired
/// from the top and when all are paired from the bottom. Of equals the most.
fn best_split(
    both: u32,
    top: (u32, u32),
    bottom: (u32, u32),
    like: &dyn Fn(u32, u32) -> u32,
) -> u32 {
    let (mut gain, mut best, mut split) = (0_i64, 0_i64, 0);
    for row in 0..both {
        gain += i64::from(like(top.0 + row, top.1 + row));
        gain -= i64::from(like(bottom.0 + row, bottom.1 + row));
        if gain >= best {
            (best, split) = (gain, row + 1);
        }
    }
    split
}

/// Adds rows, to the last band when they go on where it ends.
fn push(bands: &mut Vec<Stretch>, rows: u32, baseline: Option<u32>, current: Option<u32>) {
    if rows == 0 {
        return;
    }
    if let Some(last) = bands.last_mut() {
        let goes_on = last.baseline.map(|y| y + last.rows) == baseline
            && last.current.map(|y| y + last.rows) == current;
        if goes_on {
            last.rows += rows;
            return;
        }
    }
    bands.push(Stretch {
        rows,
        baseline,
        current,
    });
}

/// Rows that a reader would have to look at: those that differ, were inserted or removed.
fn cost(bands: &[Stretch], baseline: &[u64], current: &[u64]) -> usize {
    let lone: u32 = bands
        .iter()
        .filter(|band| band.baseline.is_none() || band.current.is_none())
        .map(|band| band.rows)
        .sum();
    lone as usize + paired_but_different(bands, baseline, current)
}

fn paired_but_different(bands: &[Stretch], baseline: &[u64], current: &[u64]) -> usize {
    bands
        .iter()
        .filter_map(|band| Some((band.baseline?, band.current?, band.rows)))
        .map(|(ours, theirs, rows)| {
            (0..rows)
                .filter(|row| baseline[(ours + row) as usize] != current[(theirs + row) as usize])
                .count()
        })
        .sum()
}

/// Puts lanes on the canvas, below the rows at the top that are the same everywhere.
fn assemble(
    baseline: Size,
    current: Size,
    lanes: Vec<(Range<u32>, Vec<Stretch>)>,
    above: u32,
) -> Layout {
    let lanes: Vec<Lane> = lanes
        .into_iter()
        .map(|(columns, stretches)| {
            let mut joined = Vec::new();
            push(&mut joined, above, Some(0), Some(0));
            for stretch in stretches {
                let below = |y: u32| y + above;
                push(
                    &mut joined,
                    stretch.rows,
                    stretch.baseline.map(below),
                    stretch.current.map(below),
                );
            }
            let mut y = 0;
            let bands = joined
                .into_iter()
                .map(|stretch| {
                    let band = Band {
                        y,
                        rows: stretch.rows,
                        baseline_y: stretch.baseline,
                        current_y: stretch.current,
                        moved: None,
                    };
                    y += stretch.rows;
                    band
                })
                .collect();
            Lane {
                x: columns.start,
                width: columns.end - columns.start,
                bands,
            }
        })
        .collect();
    let tallest = lanes
        .iter()
        .filter_map(|lane| lane.bands.last())
        .map(|band| band.y + band.rows)
        .max();
    let page = baseline.union(current);
    Layout {
        size: Size {
            width: page.width,
            height: tallest.unwrap_or(page.height),
        },
        lanes,
    }
}

fn length<T>(rows: &[T]) -> u32 {
    u32::try_from(rows.len()).expect("rows of a picture fit 32 bits")
}
