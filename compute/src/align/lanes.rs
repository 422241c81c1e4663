//! Lanes: ranges of columns that are aligned each by itself, for pages on which a part stays in
//! place while the rest moves.
//!
//! Each column of cells is matched by itself first; neighbouring columns whose rows went the same
//! way form a lane, and each lane is aligned anew by the hashes of its own rows.

use std::ops::Range;

use rayon::prelude::*;
use xxhash_rust::xxh3::xxh3_64;

use super::runs::{Run, find_runs};
use super::{Stretch, cost, length, place};
use crate::load::Loaded;
use crate::raster::STRIP_ROWS;
use crate::row_hash::{cell_count, cell_hash, cell_width};

/// Of so many columns one is tried first: content narrower than four cells is not worth the search.
const SAMPLE_STEP: usize = 4;

/// Columns agree when this many times more of their rows went the same way than different ways.
const AGREEMENT: u64 = 4;

/// Lanes must leave at most this share of what whole rows leave to look at, in percent.
const WORTH_PERCENT: usize = 90;

/// Strips without any difference, in percent of those between the first and the last one with a
/// difference, beyond which the page shows scattered edits and no lane that moved.
const SCATTERED_PERCENT: usize = 25;

/// Columns and their bands, from left to right.
pub(super) type Lanes = Vec<(Range<u32>, Vec<Stretch>)>;

/// Hashes of a column of cells in both pictures, for the rows that have hashes.
type Column = [Vec<u64>; 2];

/// Looks for lanes that explain more than `whole`, the bands of whole rows.
pub(super) fn find_lanes(loaded: &Loaded<'_>, whole: &[Stretch]) -> Option<Lanes> {
    let width = loaded.baseline.size.width;
    let cells = cell_count(width);
    if cells < 2 || is_scattered(loaded) {
        return None;
    }
    let unsettled = Unsettled::of(loaded);
    let sampled: Vec<u32> = (0..cells).skip(1).step_by(SAMPLE_STEP).collect();
    let shows_shift = |&cell: &u32| {
        let [baseline, current] = unsettled.column(loaded, cell);
        find_runs(&baseline, &current)
            .iter()
            .any(|run| run.shift() != 0)
    };
    if !sampled.par_iter().any(shows_shift) {
        return None;
    }
    let columns: Vec<Column> = (0..cells)
        .into_par_iter()
        .map(|cell| unsettled.column(loaded, cell))
        .collect();
    let runs: Vec<Vec<Run>> = columns
        .par_iter()
        .map(|[baseline, current]| find_runs(baseline, current))
        .collect();
    let groups = group_columns(&runs);
    if groups.len() < 2 {
        return None;
    }
    let mut lanes: Lanes = Vec::new();
    let (mut left, mut left_whole) = (0, 0);
    for group in groups {
        let [baseline, current] = joined(&columns[group.clone()]);
        let like = |baseline_row: u32, current_row: u32| {
            let same = |[baseline, current]: &&Column| {
                baseline[baseline_row as usize] == current[current_row as usize]
            };
            length(
                &columns[group.clone()]
                    .iter()
                    .filter(same)
                    .collect::<Vec<_>>(),
            )
        };
        let bands = place(&baseline, &current, &like);
        left += cost(&bands, &baseline, &current) * group.len();
        left_whole += cost(whole, &baseline, &current) * group.len();
        let pixels = |cell: usize| (length(&columns[..cell]) * cell_width(width)).min(width);
        let range = pixels(group.start)..pixels(group.end);
        match lanes.last_mut() {
            Some((last, same)) if *same == bands => last.end = range.end,
            _ => lanes.push((range, bands)),
        }
    }
    (lanes.len() > 1 && left * 100 <= left_whole * WORTH_PERCENT).then_some(lanes)
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

/// The rows whose cells must be looked at: all that have hashes, but for those at the bottom that
/// are the same in both pictures.
struct Unsettled {
    /// Rows at the bottom that are the same.
    below: usize,
}

impl Unsettled {
    fn of(loaded: &Loaded<'_>) -> Self {
        let rows = &loaded.rows;
        let from_below = rows.baseline.iter().rev().zip(rows.current.iter().rev());
        Self {
            below: from_below.take_while(|(one, other)| one == other).count(),
        }
    }

    /// The hashes of one column of cells; rows at the bottom go by their own hash.
    fn column(&self, loaded: &Loaded<'_>, cell: u32) -> Column {
        let known = &loaded.rows;
        let width = loaded.baseline.size.width;
        let cells = cell_count(width) as usize;
        let sides = [
            (&loaded.baseline, &known.baseline),
            (&loaded.current, &known.current),
        ];
        let mut side_index = 0..2;
        sides.map(|(raster, rows)| {
            let side = side_index.next().expect("there are two sides");
            let until = rows.len() - self.below;
            let hash = |at: usize| -> u64 {
                let y = at + known.unhashed as usize;
                match &known.cells {
                    Some(all) => all[side][y * cells + cell as usize].into(),
                    None => cell_hash(
                        raster.row(length(&rows[..at]) + known.unhashed),
                        cell,
                        width,
                    )
                    .into(),
                }
            };
            let mut hashes: Vec<u64> = (0..until).map(hash).collect();
            hashes.extend(&rows[until..]);
            hashes
        })
    }
}

/// One hash a row for neighbouring columns.
fn joined(columns: &[Column]) -> Column {
    [0, 1].map(|side| {
        (0..columns[0][side].len())
            .map(|row| {
                let cells: Vec<u8> = columns
                    .iter()
                    .flat_map(|column| column[side][row].to_le_bytes())
                    .collect();
                xxh3_64(&cells)
            })
            .collect()
    })
}

/// Ranges of neighbouring columns whose rows went the same way; columns that tell nothing go with
/// their left neighbour.
fn group_columns(runs: &[Vec<Run>]) -> Vec<Range<usize>> {
    let mut groups: Vec<Range<usize>> = Vec::new();
    let mut telling: Option<&[Run]> = None;
    for (at, runs) in runs.iter().enumerate() {
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
                telling = (!runs.is_empty()).then_some(runs.as_slice());
            }
        }
    }
    groups
}

/// Whether the rows that both columns know of, in either picture, went the same way.
fn agree(one: &[Run], other: &[Run]) -> bool {
    let shared = |run: u32, against: u32, rows: u32, against_rows: u32| {
        let end = (run + rows).min(against + against_rows);
        u64::from(end.saturating_sub(run.max(against)))
    };
    let (mut same, mut different) = (0, 0);
    for run in one {
        for against in other {
            let in_either = shared(run.baseline, against.baseline, run.rows, against.rows)
                + shared(run.current, against.current, run.rows, against.rows);
            if run.shift() == against.shift() {
                same += in_either;
            } else {
                different += in_either;
            }
        }
    }
    same >= different * AGREEMENT
}
