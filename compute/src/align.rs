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

mod between;
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
use crate::row_hash::{cell_columns, cell_count};

use between::with_runs_between;
use gaps::{Gap, without_strays};
use lanes::Lanes;
use likeness::{Likeness, hardly_differ, hardly_differs_in_place, is_same, same_cells};
use phase::{Rows, slide_into_phase, slide_to_end_of_ground};
use prolong::prolonged;
use run::{Run, length};
use runs::{find_runs, without_detours};
use shorter::with_shorter_moves;
use stretch::{Stretch, cost, paired, push};
use worth::{better, by_looks, look_better};

/// Rows that differ although they are paired, beyond which lanes are looked for: a few lines of
/// text.
const LANES_WORTH_ROWS: usize = 48;

/// Of fewer rows that differ, so many must show that something stayed where it was while the rest moved: less than a line
/// of text.
const STAYED_ROWS: usize = 4;

/// Of what whole rows leave to look at, with what hardly differs taken as the same, lanes must leave less than this share, in percent.
/// Lanes are right to leave a little more where a block moved within one of them, and its rows count twice.
const LEFT_PERCENT: usize = 150;

/// The same where hashes cannot tell.
const LEFT_PERCENT_BLURRED: usize = 100;

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
    let found = by_looks(&passing, &by_hashes, likeness.hardly_differ);
    // Lanes are found by hashes, to which a faint stripe in place of another one is as good as any other row.
    let leave_little = |lanes: &Lanes, bands: &[Stretch], is_blurred: bool| {
        let percent = if is_blurred {
            LEFT_PERCENT_BLURRED
        } else {
            LEFT_PERCENT
        };
        look_better(&passing, &lanes.stretches, bands, percent)
    };
    let lanes_beside = |(bands, differing): &(Vec<Stretch>, usize)| {
        let is_blurred = is_blurred(&passing, bands);
        let least = if is_blurred {
            STAYED_ROWS
        } else {
            LANES_WORTH_ROWS
        };
        let is_worth_it =
            *differing >= least || (*differing >= STAYED_ROWS && has_stayed(&passing, bands));
        let mut lanes = is_worth_it
            .then(|| lanes::find_lanes(loaded, bands, is_blurred))
            .flatten()?;
        put_back(&passing, &mut lanes);
        leave_little(&lanes, bands, is_blurred).then_some(lanes)
    };
    let (bands, lanes) = match found {
        None => {
            let lanes = lanes_beside(&by_hashes);
            (by_hashes.0, lanes)
        }
        // A bar that was drawn otherwise goes with the page by its looks, and stayed by what moved beside it.
        Some(found) => {
            let lanes = lanes_beside(&found).or_else(|| {
                let lanes = lanes_beside(&by_hashes)?;
                let is_better = lanes.leave_less_than(&found.0)
                    && leave_little(&lanes, &found.0, is_blurred(&passing, &found.0));
                is_better.then_some(lanes)
            });
            (found.0, lanes)
        }
    };
    let whole = vec![(0..baseline.width, bands)];
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
        *bands = below(rows.unhashed, bands);
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

/// Lays lanes in their places that hardly differ there.
fn put_back(passing: &Passing<'_, '_>, lanes: &mut Lanes) {
    let rows = &passing.loaded.rows;
    if lanes.stretches.len() < 2 {
        return;
    }
    for (columns, bands) in &mut lanes.stretches {
        if hardly_differs_in_place(passing, columns, bands) {
            *bands = place_in_order(&rows.baseline, &rows.current);
        }
    }
}

/// Whether most of the rows that moved and hardly differ are not the same to the last bit: what reaches over the whole page, such as the
/// gradient of a bar, hides from hashes of whole rows where the others went.
fn is_blurred(passing: &Passing<'_, '_>, bands: &[Stretch]) -> bool {
    let (rows, width) = (&passing.loaded.rows, passing.loaded.baseline.size.width);
    let moved = paired(bands).filter(|run| run.shift() != 0);
    let (same, others): (Vec<_>, Vec<_>) = (moved.flat_map(Run::pairs))
        .partition(|&(ours, theirs)| rows.baseline[ours as usize] == rows.current[theirs as usize]);
    let hardly = |&(ours, theirs): &(u32, u32)| hardly_differ(passing, 0..width, ours, theirs);
    others.len() > same.len() && others.into_iter().filter(hardly).nth(same.len()).is_some()
}

/// Whether some of the rows that moved differ by nothing but what did not move with them.
fn has_stayed(passing: &Passing<'_, '_>, bands: &[Stretch]) -> bool {
    let loaded = passing.loaded;
    let (rows, width) = (&loaded.rows, loaded.baseline.size.width);
    let both = rows.baseline.len().min(rows.current.len());
    let moved = paired(bands).filter(|run| run.shift() != 0);
    let pairs = moved.flat_map(Run::pairs);
    let differing = pairs.filter(|&(ours, theirs)| {
        let is_in_both = (ours.max(theirs) as usize) < both;
        is_in_both && !hardly_differ(passing, 0..width, ours, theirs)
    });
    let look = |ours: u32, theirs: u32, columns: Range<u32>| {
        let (ours, theirs) = (ours + rows.unhashed, theirs + rows.unhashed);
        passing.look(ours, theirs, |before, after| {
            before.differing_part(after, columns)
        })
    };
    // A bar may share a cell with what moved: then it takes more than hashes to tell.
    let has_stayed_in = |cell: u32, ours: u32, theirs: u32| {
        let is_whole = || [ours, theirs].map(|y| is_same(loaded, cell, y, y)) == [true; 2];
        let in_part = || {
            let columns = look(ours, theirs, cell_columns(cell, width));
            columns.is_none_or(|columns| {
                [ours, theirs].map(|y| look(y, y, columns.clone())) == [None, None]
            })
        };
        is_whole() || in_part()
    };
    let stayed = differing.filter(|&(ours, theirs)| {
        (0..cell_count(width))
            .filter(|&cell| !is_same(loaded, cell, ours, theirs))
            .all(|cell| has_stayed_in(cell, ours, theirs))
    });
    stayed.take(STAYED_ROWS).count() == STAYED_ROWS
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
