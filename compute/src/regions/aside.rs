//! Columns of a table that went sideways.
//!
//! Where the longest cell of a table comes or goes, its columns get other widths, and every word beyond lies some pixels
//! further to the left or right, drawn from another part of a pixel on. Each by itself would be a region, a hundred of them for one
//! thing. So what is seen to have gone as far as the rest of its column is told as one region with it, however many rows it has:
//! see [`table`] for how columns are found and [`explained`] for what must hold of each pixel. What a cell shows otherwise is told
//! by itself, as anywhere.

mod blurred;
mod explained;
mod parts;
mod pieces;
mod table;

use std::ops::Range;

use crate::geometry::Rect;
use crate::layout::Lane;
use crate::mask::BitMask;
use crate::one_sided::Lone;
use crate::pair::Pair;
use crate::tile::{TILE, Tile};

use super::cluster::Cluster;
use super::redrawn::Changed;
use super::settle::MAX_REGIONS;
use explained::Explained;
use pieces::{Piece, TileRow};
use table::{Line, Table};

/// Tiles with changes below which there is no such table.
const MIN_TILES: usize = 24;

/// Regions that may come of it where there were fewer: a table whose cells all lie near each other is one region at first.
const MANY_REGIONS: usize = MAX_REGIONS / 2;

/// Other clusters from which on columns would not make a list short, and no time is spent on setting them against each other.
const MANY_OTHERS: usize = 10 * MAX_REGIONS;

/// Of what changed in a table, the share in percent that must have gone with its columns.
const MIN_ALONG_PERCENT: u64 = 50;

/// Rows of a line at most: lines of text are not much taller, and what is beside a long line is looked at in parts.
const LINE_ROWS: u32 = 24;

/// Lines of a lane that are looked at first, and rows of each.
const SAMPLED_LINES: usize = 16;
const SAMPLED_ROWS: u32 = 8;

/// One in so many of them must show something that went sideways.
const SAMPLED_SHARE: usize = 4;

/// Pixels by which a column must have gone: what went less is told as drawn anew.
const MIN_ASIDE_PX: u32 = 2;

/// Tells what changed with columns that went sideways as regions of their own, instead of these clusters.
pub(super) fn with_columns(
    pair: &mut Pair<'_>,
    changed: Changed<'_>,
    boxes: &[(u32, Rect)],
    lone: &[Lone],
    clusters: Vec<Cluster>,
) -> Vec<Cluster> {
    if boxes.len() < MIN_TILES {
        return clusters;
    }
    let rows = tile_rows(pair, changed, boxes);
    if rows.is_empty() {
        return clusters;
    }
    let mut rest: Vec<Tile> = changed.tiles.to_vec();
    for &at in rows.iter().flat_map(|row| &row.tiles) {
        rest[at as usize] = Tile::EMPTY;
    }
    let boxes = super::boxes(&rest, changed.columns);
    let mut others = super::joined(&boxes, &rest, changed.columns);
    if others.len() >= MANY_OTHERS {
        return clusters;
    }
    let rows = rows.into_iter().map(|row| row.piece);
    let pieces = pieces::around(rows.collect(), &mut others, lone);
    if others.len() + pieces.len() > clusters.len().max(MANY_REGIONS) {
        return clusters;
    }
    others.extend(pieces.into_iter().map(Piece::into_cluster));
    others
}

/// What each row of tiles has of columns that went sideways and of nothing else: of each column from the top down.
fn tile_rows(pair: &mut Pair<'_>, changed: Changed<'_>, boxes: &[(u32, Rect)]) -> Vec<TileRow> {
    let mut has_changes = vec![false; changed.tiles.len().div_ceil(changed.columns as usize)];
    for (tile, _) in boxes {
        has_changes[(tile / changed.columns) as usize] = true;
    }
    let mut rows = Vec::new();
    for lane in &pair.layout.lanes.clone() {
        let columns = lane.x..(lane.x + lane.width).min(pair.shared_columns);
        if columns.is_empty() {
            continue;
        }
        let lines = lines_of(lane, &columns, changed.mask, &has_changes);
        if !is_promising(pair, &lines, &columns) {
            continue;
        }
        for table in Table::all(lines_with_moves(pair, lines, &columns), &columns) {
            let explained = Explained::of(pair, &table);
            let along = pieces::rows_of(&table, &explained, changed);
            let went: u64 = along.iter().map(|row| row.piece.deltas.changed).sum();
            if went * 100 >= pieces::changed_in(&table, changed) * MIN_ALONG_PERCENT {
                rows.extend(along);
            }
        }
    }
    rows
}

/// Rows of a lane that both pictures have and that changed, those below each other together. `has_changes` says of each row of tiles
/// whether one of them has changes.
fn lines_of(
    lane: &Lane,
    columns: &Range<u32>,
    mask: &BitMask,
    has_changes: &[bool],
) -> Vec<Range<u32>> {
    let row = |y: u32| Rect {
        x: columns.start,
        y,
        width: columns.end - columns.start,
        height: 1,
    };
    let differs = |&y: &u32| has_changes[(y / TILE) as usize] && mask.count_in(row(y)) > 0;
    let mut lines: Vec<Range<u32>> = Vec::new();
    for band in &lane.bands {
        if band.baseline_y.is_none() || band.current_y.is_none() {
            continue;
        }
        for y in (band.y..band.y + band.rows).filter(differs) {
            match lines.last_mut() {
                Some(last) if last.end == y && y - last.start < LINE_ROWS && y > band.y => {
                    last.end += 1;
                }
                _ => lines.push(y..y + 1),
            }
        }
    }
    lines
}

/// Whether some of the lines show what went sideways, as far as a few rows of a few of them tell.
fn is_promising(pair: &mut Pair<'_>, lines: &[Range<u32>], columns: &Range<u32>) -> bool {
    let step = lines.len().div_ceil(SAMPLED_LINES).max(1);
    let (mut sampled, mut aside) = (0, 0);
    for line in lines.iter().step_by(step) {
        pair.make_room_if_full();
        let middle = line.start + (line.end - line.start).saturating_sub(SAMPLED_ROWS) / 2;
        let rows = middle..line.end.min(middle + SAMPLED_ROWS);
        let moves = parts::moves(pair, rows, columns);
        sampled += 1;
        aside += usize::from(
            moves
                .iter()
                .any(|it| it.right.unsigned_abs() >= MIN_ASIDE_PX),
        );
    }
    aside >= 2 && aside * SAMPLED_SHARE >= sampled
}

fn lines_with_moves(
    pair: &mut Pair<'_>,
    lines: Vec<Range<u32>>,
    columns: &Range<u32>,
) -> Vec<Line> {
    let with_moves = |rows: Range<u32>| {
        pair.make_room_if_full();
        let moves = parts::moves(pair, rows.clone(), columns);
        Line { rows, moves }
    };
    lines.into_iter().map(with_moves).collect()
}
