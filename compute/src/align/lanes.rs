//! Lanes: ranges of columns that are aligned each by itself, for pages on which a part stays in
//! place while the rest moves.
//!
//! Each column of cells is matched by itself first; neighbouring columns whose rows went the same
//! way form a lane, and each lane is aligned anew by the hashes of its own rows.

use std::borrow::Cow;
use std::ops::Range;

use rayon::prelude::*;
use twox_hash::XxHash3_64;

use super::runs::{Run, find_runs, may_be_displaced};
use super::{
    Likeness, STAYED_ROWS, Stretch, cost, is_dithered, length, paired_but_different, place,
};
use crate::load::Loaded;
use crate::raster::{Raster, Row, STRIP_ROWS};
use crate::row_hash::{cell_columns, cell_count, cell_hash, cell_width};
use crate::workers;

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

/// Some columns of cells, in the rows that must be looked at: all that have hashes, but for those at the
/// bottom that are the same in both pictures.
struct Unsettled<'l> {
    /// Hashes of cells, row-major from the first row that has a hash on.
    cells: [Cow<'l, [u32]>; 2],
    cells_a_row: usize,
    /// The places of the columns in a row of these.
    places: Vec<usize>,
    /// The hashes of all rows.
    rows: [&'l [u64]; 2],
    /// Rows at the bottom that are the same.
    below: usize,
}

impl<'l> Unsettled<'l> {
    /// Cells that no stored capture brings along are hashed.
    fn of(loaded: &'l Loaded<'_>, columns: &[u32]) -> Self {
        let known = &loaded.rows;
        let rows = [known.baseline.as_slice(), known.current.as_slice()];
        let from_below = rows[0].iter().rev().zip(rows[1].iter().rev());
        let below = from_below.take_while(|(one, other)| one == other).count();
        if let Some(all) = &known.cells {
            let cells_a_row = cell_count(loaded.baseline.size.width) as usize;
            let first = known.unhashed as usize * cells_a_row;
            return Self {
                cells: (all.each_ref())
                    .map(|cells| Cow::Borrowed(cells.get(first..).unwrap_or(&[]))),
                cells_a_row,
                places: columns.iter().map(|&cell| cell as usize).collect(),
                rows,
                below,
            };
        }
        let until = rows.map(|rows| rows.len() - below);
        let (first, baseline) = (known.unhashed, &loaded.baseline);
        let ours = hash_cells(baseline, first, until[0], columns, None);
        let known = Some((baseline, ours.as_slice()));
        let theirs = hash_cells(&loaded.current, first, until[1], columns, known);
        Self {
            cells: [ours, theirs].map(Cow::Owned),
            cells_a_row: columns.len(),
            places: (0..columns.len()).collect(),
            rows,
            below,
        }
    }

    /// The hashes of each column in both pictures; rows at the bottom go by their own hash.
    fn columns(&self) -> Vec<[Vec<u64>; 2]> {
        let column = |&place: &usize| {
            [0, 1].map(|side| {
                let until = self.rows[side].len() - self.below;
                let column = (self.cells[side].iter().skip(place))
                    .step_by(self.cells_a_row)
                    .take(until);
                let mut hashes = Vec::with_capacity(self.rows[side].len());
                hashes.extend(column.map(|&hash| u64::from(hash)));
                hashes.extend(&self.rows[side][until..]);
                hashes
            })
        };
        workers::map(self.places.par_iter(), column)
    }
}

/// The hashes of these cells of so many rows: row by row, as they lie in memory. `known` are those of the same rows of another
/// picture, which is as wide: most cells show there what they show here, and comparing is faster than hashing.
fn hash_cells(
    raster: &Raster<'_>,
    first: u32,
    rows: usize,
    cells: &[u32],
    known: Option<(&Raster<'_>, &[u32])>,
) -> Vec<u32> {
    let width = raster.size.width;
    let mut hashes = vec![0; rows * cells.len()];
    let rows = (hashes.par_chunks_mut(cells.len()).enumerate()).with_min_len(STRIP_ROWS as usize);
    workers::map(rows, |(at, hashes)| {
        let y = first + u32::try_from(at).expect("rows of a picture fit 32 bits");
        let row = raster.row(y);
        let other = known.and_then(|(other, known)| {
            let known = known.chunks_exact(cells.len()).nth(at)?;
            Some((other.row(y), known))
        });
        for (index, (hash, &cell)) in hashes.iter_mut().zip(cells).enumerate() {
            let same = |(other, _): &(Row<'_>, _)| row.same_part(*other, cell_columns(cell, width));
            *hash = match other.filter(same) {
                Some((_, known)) => known[index],
                None => cell_hash(row, cell, width),
            };
        }
    });
    hashes
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
