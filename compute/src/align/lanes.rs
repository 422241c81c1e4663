//! Lanes: ranges of columns that are aligned each by itself, for pages on which a part stays in
//! place while the rest moves.
//!
//! Each column of cells is matched by itself first; neighbouring columns whose rows went the same
//! way form a lane, and each lane is aligned anew by the hashes of its own rows.

mod unsettled;

use std::ops::Range;

use rayon::prelude::*;
use twox_hash::XxHash3_64;

use super::runs::{Run, find_runs, may_be_displaced};
use super::{
    Likeness, STAYED_ROWS, Stretch, cost, is_dithered, length, paired_but_different, place,
};
use crate::load::Loaded;
use crate::raster::STRIP_ROWS;
use crate::row_hash::{cell_count, cell_width};
use crate::workers;

use unsettled::Unsettled;

/// Of so many columns one is tried first: a lane narrower than two cells is not worth the search.
const SAMPLE_STEP: usize = 2;

/// Columns agree when this many times more of their rows went the same way than different ways.
const AGREEMENT: u64 = 4;

/// Lanes must leave at most this share of what whole rows leave to look at, in percent, unless one of them explains all
/// that whole rows do not explain in its columns.
const WORTH_PERCENT: usize = 90;

/// Strips without any difference, in percent of those between the first and the last one with a
/// difference, beyond which the page shows scattered edits and no lane that moved.
const SCATTERED_PERCENT: usize = 25;

/// Columns and their bands, from left to right.
pub(super) type Lanes = Vec<(Range<u32>, Vec<Stretch>)>;

/// A column of cells.
struct Column {
    cell: u32,
    /// Its hashes in both pictures, for the rows that have hashes.
    hashes: [Vec<u64>; 2],
    /// Where its rows went.
    runs: Vec<Run>,
}

/// Looks for lanes that explain more than `whole`, the bands of whole rows.
pub(super) fn find_lanes(loaded: &Loaded<'_>, whole: &[Stretch]) -> Option<Lanes> {
    let width = loaded.baseline.size.width;
    let cells = cell_count(width);
    if cells < 2 || is_scattered(loaded) {
        return None;
    }
    let every_other: Vec<u32> = (1..cells).step_by(SAMPLE_STEP).collect();
    let hashes = Unsettled::of(loaded, &every_other).columns();
    // Columns in which nothing can have moved tell no more than whole rows do.
    let displaced = |[baseline, current]: &[Vec<u64>; 2]| may_be_displaced(baseline, current);
    if !workers::any(&hashes, displaced) {
        return None;
    }
    let sampled = matched(every_other, hashes);
    let runs: Vec<&[Run]> = sampled
        .iter()
        .map(|column| column.runs.as_slice())
        .collect();
    // Columns that all went one way are what whole rows tell already.
    let stayed = runs.iter().copied().flatten().all(|run| run.shift() == 0);
    if stayed || group_columns(&runs).len() < 2 {
        return None;
    }
    let is_sampled = |cell: &u32| sampled.iter().any(|column| column.cell == *cell);
    let others: Vec<u32> = (0..cells).filter(|cell| !is_sampled(cell)).collect();
    let hashes = Unsettled::of(loaded, &others).columns();
    let mut columns = matched(others, hashes);
    columns.extend(sampled);
    columns.sort_unstable_by_key(|column| column.cell);
    let runs: Vec<&[Run]> = columns
        .iter()
        .map(|column| column.runs.as_slice())
        .collect();
    let groups = group_columns(&runs);
    if groups.len() < 2 {
        return None;
    }
    let mut lanes: Lanes = Vec::new();
    let (mut left, mut left_whole, mut explains_all) = (0, 0, false);
    for group in groups {
        let [baseline, current] = joined(&columns[group.clone()]);
        let pixels = |cell: usize| (length(&columns[..cell]) * cell_width(width)).min(width);
        let range = pixels(group.start)..pixels(group.end);
        let like = |baseline_row: u32, current_row: u32| {
            let same = |column: &&Column| {
                let [baseline, current] = &column.hashes;
                baseline[baseline_row as usize] == current[current_row as usize]
            };
            let like = columns[group.clone()].iter().filter(same).count();
            u32::try_from(like).expect("columns of cells fit 32 bits")
        };
        let likeness = Likeness {
            all: length(&columns[group.clone()]),
            cells: &like,
            is_dithered: &|baseline_row, current_row| {
                is_dithered(loaded, range.clone(), baseline_row, current_row)
            },
        };
        let bands = place(&baseline, &current, likeness);
        left += cost(&bands, &baseline, &current) * group.len();
        left_whole += cost(whole, &baseline, &current) * group.len();
        let differing = |bands: &[Stretch]| paired_but_different(bands, &baseline, &current);
        explains_all |= differing(whole) >= STAYED_ROWS && differing(&bands) == 0;
        match lanes.last_mut() {
            Some((last, same)) if *same == bands => last.end = range.end,
            _ => lanes.push((range, bands)),
        }
    }
    let is_worth_it =
        left * 100 <= left_whole * WORTH_PERCENT || (explains_all && left < left_whole);
    (lanes.len() > 1 && is_worth_it).then_some(lanes)
}

/// Matches the rows of some columns of cells.
fn matched(cells: Vec<u32>, hashes: Vec<[Vec<u64>; 2]>) -> Vec<Column> {
    workers::map(cells.into_par_iter().zip(hashes), |(cell, hashes)| {
        let [baseline, current] = &hashes;
        let runs = find_runs(baseline, current);
        Column { cell, hashes, runs }
    })
}

/// Whether the strips between the first and the last difference are often clean.
fn is_scattered(loaded: &Loaded<'_>) -> bool {
    let dirty: Vec<bool> = (loaded.rows.same_in_place)
        .chunks(STRIP_ROWS as usize)
        .map(|rows| rows.contains(&false))
        .collect();
    let Some(first) = dirty.iter().position(|&dirty| dirty) else {
        return true;
    };
    let last = dirty.iter().rposition(|&dirty| dirty).unwrap_or(first);
    let clean = dirty[first..=last].iter().filter(|&&dirty| !dirty).count();
    clean * 100 > (last - first + 1) * SCATTERED_PERCENT
}

/// One hash a row for neighbouring columns.
fn joined(columns: &[Column]) -> [Vec<u64>; 2] {
    [0, 1].map(|side| {
        (0..columns[0].hashes[side].len())
            .map(|row| {
                let cells: Vec<u8> = columns
                    .iter()
                    .flat_map(|column| column.hashes[side][row].to_le_bytes())
                    .collect();
                XxHash3_64::oneshot(&cells)
            })
            .collect()
    })
}

/// Ranges of neighbouring columns whose rows went the same way; columns that tell nothing go with
/// their left neighbour.
fn group_columns(runs: &[&[Run]]) -> Vec<Range<usize>> {
    let mut groups: Vec<Range<usize>> = Vec::new();
    let mut telling: Option<&[Run]> = None;
    for (at, &runs) in runs.iter().enumerate() {
        let rows = |runs: &[Run]| runs.iter().map(|run| run.rows).sum::<u32>();
        match (groups.last_mut(), telling) {
            (Some(group), Some(before)) if !runs.is_empty() => {
                if agree(before, runs) {
                    group.end = at + 1;
                    if rows(runs) > rows(before) {
                        telling = Some(runs);
                    }
                } else {
                    groups.push(at..at + 1);
                    telling = Some(runs);
                }
            }
            (Some(group), _) => {
                group.end = at + 1;
                if !runs.is_empty() {
                    telling = Some(runs);
                }
            }
            (None, _) => {
                groups.push(at..at + 1);
                telling = (!runs.is_empty()).then_some(runs);
            }
        }
    }
    groups
}

/// Whether the rows that both columns know of, in either picture, went the same way.
fn agree(one: &[Run], other: &[Run]) -> bool {
    let in_baseline = Shared::of(one, other, |run| run.baseline);
    let in_current = Shared::of(one, other, |run| run.current);
    in_baseline.same + in_current.same >= (in_baseline.different + in_current.different) * AGREEMENT
}

/// Rows of one picture that the runs of both columns have.
#[derive(Default)]
struct Shared {
    /// Those that went the same way.
    same: u64,
    different: u64,
}

impl Shared {
    /// Goes through both from top to bottom: in either picture runs do not overlap.
    fn of(one: &[Run], other: &[Run], first: fn(&Run) -> u32) -> Self {
        let mut shared = Self::default();
        let (mut ours, mut theirs) = (one.iter().peekable(), other.iter().peekable());
        while let (Some(run), Some(against)) = (ours.peek(), theirs.peek()) {
            let (end, against_end) = (first(run) + run.rows, first(against) + against.rows);
            let rows = (end.min(against_end)).saturating_sub(first(run).max(first(against)));
            if run.shift() == against.shift() {
                shared.same += u64::from(rows);
            } else {
                shared.different += u64::from(rows);
            }
            if end <= against_end {
                ours.next();
            } else {
                theirs.next();
            }
        }
        shared
    }
}
