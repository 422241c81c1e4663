//! Lanes: ranges of columns that are aligned each by itself, for pages on which a part stays in
//! place while the rest moves.
//!
//! Each column of cells is matched by itself first; neighbouring columns whose rows went the same
//! way form a lane, and each lane is aligned anew by the hashes of its own rows. Columns whose rows
//! went nowhere, because most of them look different now, are a lane by themselves: they stay where
//! they are, and spoil nothing for those beside them. Where two lanes meet within a cell: see [`seams`].

mod bars;
mod groups;
mod neighbours;
mod rails;
mod seams;
mod signs;
mod spread;
mod unite;
mod unsettled;

use std::ops::Range;

use rayon::prelude::*;
use rustc_hash::FxHashSet;
use twox_hash::XxHash3_64;

use super::likeness::{Likeness, hardly_differ};
use super::run::{Run, length};
use super::runs::{find_telling_runs, may_be_displaced};
use super::stretch::{Stretch, cost, paired, paired_but_different};
use super::{STAYED_ROWS, place};
use crate::loaded::{Loaded, Passing};
use crate::row_hash::{cell_count, cell_width};
use crate::workers;

use groups::{Told, Way, group_columns};
use neighbours::{follow_neighbours, join_neighbours};
use seams::Cells;
use signs::{is_scattered, is_spoilt_by_edges, is_told};
use unite::unite_neighbours;
use unsettled::Unsettled;

/// Cells of the narrowest page that is looked at: what is narrower has no side bar.
const LEAST_CELLS: u32 = 4;

/// Of so many columns one is tried first: within a page, a lane narrower than two cells is not worth the search.
const SAMPLE_STEP: u32 = 2;

/// Lanes must leave at most this share of what whole rows leave to look at, in percent, unless one of them explains all
/// that whole rows do not explain in its columns.
const WORTH_PERCENT: usize = 90;

/// Bars beside what went as whole rows do are preferred to groups of columns when they leave no more than this share of what these leave,
/// in percent.
const BARS_PERCENT: usize = 95;

/// What was found, from left to right: usually several, and one where columns that changed hid from whole rows what all others
/// tell.
pub(super) struct Lanes {
    /// The columns of each, and their bands.
    pub(super) stretches: Vec<(Range<u32>, Vec<Stretch>)>,
    /// The hashes of the rows of each in both pictures, without cells that it shares with its neighbours.
    pub(super) hashes: Vec<[Vec<u64>; 2]>,
}

/// A column of cells.
struct Column {
    cell: u32,
    /// Its hashes in both pictures, for the rows that have hashes.
    hashes: [Vec<u64>; 2],
    /// Where its rows went.
    runs: Vec<Run>,
    /// What of these is rare, above the rows at the bottom that went the same way in all columns.
    telling: Vec<Run>,
    /// Whether most of them went nowhere: they are in one picture alone. A few may be the same in place, as blank ones are.
    is_foreign: bool,
}

/// The bands of whole rows.
#[derive(Clone, Copy)]
pub(super) struct Whole<'b> {
    pub(super) bands: &'b [Stretch],
    /// Whether hashes cannot tell of them: whoever accepts lanes weighs what is found.
    pub(super) are_blurred: bool,
    /// Whether the ink of words told them: columns then tell of little but what stayed.
    pub(super) are_told_by_ink: bool,
}

/// Looks for lanes that explain more than whole rows do, and are accepted.
pub(super) fn find_lanes(
    loaded: &Loaded<'_>,
    Whole {
        bands: whole,
        are_blurred,
        are_told_by_ink,
    }: Whole<'_>,
    is_accepted: impl Fn(&mut Lanes) -> bool,
) -> Option<Lanes> {
    let width = loaded.baseline.size.width;
    let cells = cell_count(width);
    let has_moved = paired(whole).any(|run| run.shift() != 0);
    if cells < LEAST_CELLS || (!has_moved && is_scattered(loaded)) {
        return None;
    }
    let every_other: Vec<u32> = (0..cells).filter(is_tried_first(cells)).collect();
    let unsettled = Unsettled::of(loaded, &every_other);
    let hashes = unsettled.columns();
    // Columns in which nothing can have moved tell no more than whole rows do.
    let displaced = |[baseline, current]: &[Vec<u64>; 2]| may_be_displaced(baseline, current);
    if !workers::any(&hashes, displaced) {
        return None;
    }
    let below = unsettled.below;
    let sampled = matched(every_other, hashes, below);
    let runs = || {
        let telling = sampled.iter().filter(|column| !column.is_foreign);
        telling.flat_map(|column| &column.runs)
    };
    if runs().all(|run| run.shift() == 0) {
        return None;
    }
    // Columns that all went one way are what whole rows tell already, unless some others hide it from them.
    if !are_told_by_ink
        && groups_of(&sampled).len() < 2
        && is_told(runs(), whole)
        && !is_spoilt_by_edges(loaded, &sampled, below, whole)
    {
        return None;
    }
    let is_sampled = |cell: &u32| sampled.iter().any(|column| column.cell == *cell);
    let others: Vec<u32> = (0..cells).filter(|cell| !is_sampled(cell)).collect();
    let mut columns = sampled;
    if !others.is_empty() {
        let unsettled = Unsettled::of(loaded, &others);
        columns.extend(matched(others, unsettled.columns(), below));
    }
    columns.sort_unstable_by_key(|column| column.cell);
    let cells = Cells {
        loaded,
        columns: &columns,
        below,
    };
    let (grouped, with_bars) = (cells.grouped(whole, are_blurred), cells.with_bars(whole));
    let left = |parts: &Vec<Part>| cells.left(parts, |part| &part.bands);
    let are_bars_better = (grouped.as_ref().zip(with_bars.as_ref()))
        .is_some_and(|(grouped, bars)| left(bars) * 100 <= left(grouped) * BARS_PERCENT);
    let is_one = (grouped.as_ref()).is_some_and(|parts| parts.len() == 1);
    let mut found = [grouped, with_bars];
    if are_bars_better || (are_told_by_ink && is_one) {
        found.reverse();
    }
    let mut lanes = found.into_iter().flatten().map(Lanes::of);
    lanes.find_map(|mut lanes| is_accepted(&mut lanes).then_some(lanes))
}

impl Cells<'_> {
    /// Groups of columns that went the same way, where they leave less to look at.
    fn grouped(self, whole: &[Stretch], are_blurred: bool) -> Option<Vec<Part>> {
        let Self {
            loaded, columns, ..
        } = self;
        let mut parts = placed(loaded, columns);
        follow_neighbours(&mut parts);
        let parts = unite_neighbours(loaded, parts, columns);
        let is_worth_it_as_grouped = self.are_worth_it(&parts, whole);
        let parts = self.share_edges(without_seams(parts, columns));
        let parts = self.with_rails(parts);
        let is_worth_it = is_worth_it_as_grouped || self.are_worth_it(&parts, whole);
        let parts = join_neighbours(without_seams(parts, columns), columns);
        ((is_worth_it || are_blurred) && (parts.len() > 1 || parts[0].bands != whole))
            .then_some(parts)
    }

    /// Bars that stayed beside what went as whole rows do.
    fn with_bars(self, whole: &[Stretch]) -> Option<Vec<Part>> {
        let parts = self.bars_beside(whole)?;
        let left = self.left(&parts, |part| &part.bands);
        (left < self.left(&parts, |_| whole)).then_some(parts)
    }

    /// Whether parts leave less to look at than bands of whole rows.
    fn are_worth_it(self, parts: &[Part], whole: &[Stretch]) -> bool {
        let left = self.left(parts, |part| &part.bands);
        let left_whole = self.left(parts, |_| whole);
        let explains_all =
            |part: &Part| part.differing(whole) >= STAYED_ROWS && part.differing(&part.bands) == 0;
        left * 100 <= left_whole * WORTH_PERCENT
            || (left < left_whole
                && (parts.iter().any(explains_all) || self.rail_explains_all(parts, whole)))
    }
}

/// Whether a column is one of those that are tried first: of all [`SAMPLE_STEP`], and two at either edge, where bars are.
fn is_tried_first(cells: u32) -> impl Fn(&u32) -> bool {
    move |&cell| cell % SAMPLE_STEP == 1 || cell == 0 || cell + 2 >= cells
}

/// Columns that belong together.
struct Part {
    /// Its columns of cells.
    cells: Range<usize>,
    /// Its columns of pixels: those of its cells, and parts of cells that it shares with its neighbours.
    columns: Range<u32>,
    /// The hashes of the rows of its cells in both pictures.
    hashes: [Vec<u64>; 2],
    bands: Vec<Stretch>,
    /// Whether its rows went nowhere.
    is_foreign: bool,
}

impl Part {
    /// Lays the rows of some columns of cells against each other.
    fn placed(loaded: &Loaded<'_>, columns: &[Column], cells: Range<usize>) -> Self {
        let group = &columns[cells.clone()];
        let range = pixels_of(&cells, loaded.baseline.size.width);
        let hashes = joined(group);
        Self {
            bands: lay(loaded, group, &hashes, range.clone()),
            is_foreign: group.iter().any(|column| column.is_foreign)
                && (group.iter()).all(|column| column.is_foreign || column.runs.is_empty()),
            hashes,
            columns: range,
            cells,
        }
    }

    fn cost(&self, bands: &[Stretch]) -> usize {
        cost(bands, &self.hashes[0], &self.hashes[1])
    }

    fn differing(&self, bands: &[Stretch]) -> usize {
        paired_but_different(bands, &self.hashes[0], &self.hashes[1])
    }
}

impl Lanes {
    fn of(parts: Vec<Part>) -> Self {
        let (mut stretches, mut hashes) = (Vec::new(), Vec::new());
        for part in parts {
            stretches.push((part.columns, part.bands));
            hashes.push(part.hashes);
        }
        Self { stretches, hashes }
    }

    /// Whether they leave fewer pixels to look at than these bands of whole rows, in whole rows of each lane.
    pub(super) fn leave_less_than(&self, whole: &[Stretch]) -> bool {
        let lanes = || self.stretches.iter().zip(&self.hashes);
        let left = |bands: &[Stretch], columns: &Range<u32>, [ours, theirs]: &[Vec<u64>; 2]| {
            cost(bands, ours, theirs) * columns.len()
        };
        let own = lanes().map(|((columns, bands), hashes)| left(bands, columns, hashes));
        let as_whole = lanes().map(|((columns, _), hashes)| left(whole, columns, hashes));
        own.sum::<usize>() < as_whole.sum()
    }
}

/// The columns of pixels in some columns of cells.
fn pixels_of(cells: &Range<usize>, width: u32) -> Range<u32> {
    let edge = |cell: usize| {
        let cell = u32::try_from(cell).expect("columns of cells fit 32 bits");
        (cell * cell_width(width)).min(width)
    };
    edge(cells.start)..edge(cells.end)
}

/// Lays the rows of some columns of cells, which have these hashes, against each other; between them may be others, within these
/// columns of pixels.
fn lay(
    loaded: &Loaded<'_>,
    group: &[Column],
    [baseline, current]: &[Vec<u64>; 2],
    pixels: Range<u32>,
) -> Vec<Stretch> {
    let like = |baseline_row: u32, current_row: u32| {
        let same = |column: &&Column| {
            let [baseline, current] = &column.hashes;
            baseline[baseline_row as usize] == current[current_row as usize]
        };
        let like = group.iter().filter(same).count();
        u32::try_from(like).expect("columns of cells fit 32 bits")
    };
    let passing = Passing::of(loaded);
    let likeness = Likeness {
        all: length(group),
        cells: &like,
        hardly_differ: &|baseline_row, current_row| {
            hardly_differ(&passing, pixels.clone(), baseline_row, current_row)
        },
    };
    place(baseline, current, likeness)
}

/// Groups columns, and lays the rows of each group against each other.
fn placed(loaded: &Loaded<'_>, columns: &[Column]) -> Vec<Part> {
    (groups_of(columns).into_iter())
        .map(|cells| Part::placed(loaded, columns, cells))
        .collect()
}

/// The parts, neighbours that went the same way being one.
fn without_seams(parts: Vec<Part>, columns: &[Column]) -> Vec<Part> {
    let mut lanes: Vec<Part> = Vec::new();
    for part in parts {
        match lanes.last_mut() {
            Some(last) if last.bands == part.bands => {
                last.cells.end = part.cells.end;
                last.columns.end = part.columns.end;
                last.hashes = joined(&columns[last.cells.clone()]);
            }
            _ => lanes.push(part),
        }
    }
    lanes
}

/// Matches the rows of some columns of cells, so many of which at the bottom are the same in all columns.
fn matched(cells: Vec<u32>, hashes: Vec<[Vec<u64>; 2]>, below: usize) -> Vec<Column> {
    workers::map(cells.into_par_iter().zip(hashes), |(cell, hashes)| {
        let [baseline, current] = &hashes;
        let (runs, mut telling) = find_telling_runs(baseline, current);
        let end = length(&baseline[below..]);
        telling.retain_mut(|run| {
            run.rows = run.rows.min(end.saturating_sub(run.baseline));
            run.rows > 0
        });
        Column {
            cell,
            is_foreign: runs.iter().all(|run| run.shift() == 0) && is_foreign(baseline, current),
            hashes,
            runs,
            telling,
        }
    })
}

fn groups_of(columns: &[Column]) -> Vec<Range<usize>> {
    let told = columns.iter().map(|column| {
        let Column { runs, telling, .. } = column;
        if column.is_foreign {
            Told::Nowhere
        } else if runs.is_empty() {
            Told::Nothing
        } else {
            Told::Went(Way { runs, telling })
        }
    });
    group_columns(told)
}

/// Whether most rows of two sequences are in one of them alone.
fn is_foreign(one: &[u64], other: &[u64]) -> bool {
    let lone = |rows: &[u64], others: &[u64]| {
        let others: FxHashSet<u64> = others.iter().copied().collect();
        rows.iter().filter(|row| !others.contains(row)).count()
    };
    2 * (lone(one, other) + lone(other, one)) > one.len() + other.len()
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
