//! Where rows went: bands of rows that were inserted, removed or moved, found by matching rows
//! through their hashes.
//!
//! Rows are matched as lines of text are, by a histogram diff: see [`histogram`]. A run of matched rows that is displaced against its place is believed only when it
//! holds enough rows that are rare on the page, so that blank or repeated rows never make a shift.
//! What lies between two runs is paired row by row, and what one picture has more there was inserted
//! or removed. Where that leaves much laid on what does not look like it, rows are matched by their looks: see [`looks`]. When whole
//! rows do not explain the page, because a side bar stays while the rest
//! moves, the same is done for ranges of columns: see [`lanes`].
//!
//! The outcome hangs on the pictures alone, never on masks or thresholds, and swapping both pictures
//! swaps insertions and removals and nothing else.

mod beside;
mod between;
mod cuts;
mod gaps;
mod histogram;
mod lanes;
mod likeness;
mod looks;
mod moved;
mod phase;
mod prolong;
mod run;
mod runs;
mod shorter;
mod stretch;
mod worth;

use std::ops::Range;

use crate::geometry::Size;
use crate::layout::{Band, Lane, Layout};
use crate::loaded::{Loaded, Passing};
use crate::row_hash::cell_count;

use beside::{Chosen, chosen};
use between::with_runs_between;
use cuts::cut_well;
use gaps::{Gap, without_strays};
use lanes::Lanes;
use likeness::{Likeness, hardly_differ, same_cells};
use phase::{Rows, slide_into_phase, slide_to_end_of_ground};
use prolong::prolonged;
use run::{Run, length};
use runs::{find_runs, without_detours};
use shorter::with_shorter_moves;
use stretch::{Stretch, cost, push};
use worth::better;

/// Rows that differ although they are paired, beyond which lanes are looked for: a few lines of
/// text.
const LANES_WORTH_ROWS: usize = 48;

/// Of fewer rows that differ, so many must show that something stayed where it was while the rest moved: less than a line
/// of text.
const STAYED_ROWS: usize = 4;

/// Finds the layout that explains a pair best; every row in its place when no shift is found.
pub(crate) fn align(loaded: &Loaded<'_>) -> Layout {
    let (baseline, current) = (loaded.baseline.size, loaded.current.size);
    let in_place = Layout::in_place(baseline, current);
    let rows = &loaded.rows;
    if baseline.width != current.width || (rows.baseline.is_empty() && rows.current.is_empty()) {
        return in_place;
    }
    let passing = Passing::of(loaded);
    let likeness = Likeness {
        all: cell_count(baseline.width),
        cells: &|baseline_row, current_row| same_cells(loaded, baseline_row, current_row),
        hardly_differ: &|baseline_row, current_row| {
            hardly_differ(&passing, 0..baseline.width, baseline_row, current_row)
        },
    };
    let bands = place(&rows.baseline, &rows.current, likeness);
    let bands = with_shorter_moves(&bands, &rows.baseline, &rows.current);
    let in_order = place_in_order(&rows.baseline, &rows.current);
    let by_hashes = better(&passing, bands, in_order, likeness.hardly_differ);
    let Chosen { whole, lanes } = chosen(&passing, by_hashes, likeness.hardly_differ);
    let whole = vec![(0..baseline.width, whole.bands)];
    let (mut stretches, hashes) = match lanes {
        Some(Lanes { stretches, hashes }) => (stretches, hashes),
        None => (whole, Vec::new()),
    };
    let hashes_of = |lane: usize| -> [&[u64]; 2] {
        match hashes.get(lane) {
            Some([ours, theirs]) => [ours, theirs],
            None => [&rows.baseline, &rows.current],
        }
    };
    let has_lanes = stretches.len() > 1;
    for (lane, (columns, bands)) in stretches.iter_mut().enumerate() {
        let cut = cut_well(&passing, columns, std::mem::take(bands));
        *bands = below(rows.unhashed, &cut);
        let rows = Rows {
            hashes: hashes_of(lane),
            unhashed: rows.unhashed,
            are_same: &|side, upper, lower| passing.are_same(side, [upper, lower], columns.clone()),
        };
        if has_lanes {
            slide_to_end_of_ground(bands, rows);
        }
        slide_into_phase(bands, rows);
    }
    let mut layout = assemble(baseline, current, stretches);
    if layout.is_in_place() {
        return in_place;
    }
    for (at, lane) in layout.lanes.iter_mut().enumerate() {
        moved::mark_moved(&mut lane.bands, hashes_of(at), rows.unhashed);
    }
    layout
}

/// Lays two sequences of hashes against each other; in order when nothing is displaced.
fn place(baseline: &[u64], current: &[u64], likeness: Likeness<'_>) -> Vec<Stretch> {
    let end = Run {
        baseline: length(baseline),
        current: length(current),
        rows: 0,
    };
    let runs = without_detours(&find_runs(baseline, current), end, likeness.hardly_differ);
    if runs.iter().all(|run| run.shift() == 0) {
        return place_in_order(baseline, current);
    }
    let runs = prolonged(runs, end, likeness.hardly_differ);
    let runs = with_runs_between(runs, end, likeness.hardly_differ);
    let like = |ours: u32, theirs: u32| {
        if (likeness.hardly_differ)(ours, theirs) {
            return likeness.all;
        }
        (likeness.cells)(ours, theirs)
    };
    let bands = pair_gaps(&runs, end, &like);
    let kept = without_strays(&runs, end, baseline, &like);
    if kept.len() == runs.len() {
        return bands;
    }
    // More cells in common must not come at the price of more rows to look at.
    let without = pair_gaps(&kept, end, &like);
    let cost_of = |bands: &[Stretch]| cost(bands, baseline, current);
    if cost_of(&without) <= cost_of(&bands) {
        without
    } else {
        bands
    }
}

/// The rows of runs, and between them those of the gaps.
fn pair_gaps(runs: &[Run], end: Run, like: &dyn Fn(u32, u32) -> u32) -> Vec<Stretch> {
    let mut bands = Vec::new();
    let mut last = Run::START;
    for &run in runs.iter().chain([&end]) {
        Gap::between(last, run).pair(&mut bands, like);
        push(&mut bands, run.rows, Some(run.baseline), Some(run.current));
        last = run;
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

/// The same stretches below so many rows at the top that are the same everywhere.
fn below(above: u32, stretches: &[Stretch]) -> Vec<Stretch> {
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
    joined
}

/// Puts lanes on the canvas.
fn assemble(baseline: Size, current: Size, lanes: Vec<(Range<u32>, Vec<Stretch>)>) -> Layout {
    let lanes: Vec<Lane> = lanes
        .into_iter()
        .map(|(columns, stretches)| {
            let mut y = 0;
            let bands = stretches
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

#[cfg(test)]
mod tests {
    use super::*;

    /// The four cells of a row of some kind, by its number.
    type Kind = fn(u32) -> [u32; 4];

    /// As many rows of each kind as it says.
    fn rows(kinds: &[(u32, Kind)]) -> Vec<[u32; 4]> {
        let rows = kinds.iter().map(|&(count, row)| (0..count).map(row));
        rows.flatten().collect()
    }

    fn hashes(rows: &[[u32; 4]]) -> Vec<u64> {
        let hash = |row: &[u32; 4]| {
            row.iter()
                .fold(1, |hash, &cell| hash * 1_000 + u64::from(cell))
        };
        rows.iter().map(hash).collect()
    }

    #[test]
    fn a_footer_that_moved_is_found_below_blank_rows_that_stayed() {
        let blank = |_| [0; 4];
        let footer = |row| [500 + row; 4];
        let before = rows(&[(10, |row| [100 + row, 0, 0, 0]), (10, blank), (8, footer)]);
        let after = rows(&[
            (10, |row| [200 + row; 4]),
            (10, blank),
            (10, |row| [300 + row, 0, 0, 0]),
            (8, footer),
        ]);
        let cells = |ours: u32, theirs: u32| {
            let pairs = before[ours as usize].iter().zip(&after[theirs as usize]);
            pairs.map(|(one, other)| u32::from(one == other)).sum()
        };
        let likeness = Likeness {
            all: 4,
            cells: &cells,
            hardly_differ: &|_, _| false,
        };
        let (baseline, current) = (hashes(&before), hashes(&after));
        let bands = place(&baseline, &current, likeness);
        let in_order = place_in_order(&baseline, &current);
        assert_eq!(cost(&bands, &baseline, &current), 20);
        assert_eq!(cost(&in_order, &baseline, &current), 28);
    }
}
