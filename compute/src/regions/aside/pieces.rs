//! Regions made of columns that went sideways: each column in pieces, from one thing that it shows otherwise to the next.

use std::ops::Range;

use crate::comparison::DeltaSums;
use crate::geometry::Rect;
use crate::one_sided::Lone;
use crate::tile::{TILE, tiles_along};

use super::super::cluster::Cluster;
use super::super::redrawn::Changed;
use super::MIN_ASIDE_PX;
use super::explained::Explained;
use super::table::Table;

/// What rows of tiles below each other show of a column that went sideways, and of nothing else.
pub(super) struct Piece {
    /// Its lane, its table and its number in that: pieces of a column come one after another, from the top down.
    column: (u32, u32, usize),
    right: i32,
    area: Rect,
    pub(super) deltas: DeltaSums,
}

/// What a row of tiles has of a column.
pub(super) struct TileRow {
    pub(super) piece: Piece,
    /// The tiles' numbers, row-major.
    pub(super) tiles: Vec<u32>,
}

impl Piece {
    fn absorb(&mut self, other: &Self) {
        self.area = self.area.union(other.area);
        self.deltas = self.deltas.plus(other.deltas);
    }

    pub(super) fn into_cluster(self) -> Cluster {
        Cluster {
            area: self.area,
            deltas: self.deltas,
            lone: None,
            loose_rows: None,
            right: Some(self.right),
        }
    }
}

/// The rows of tiles of each column of a table that show nothing that did not go with the columns.
pub(super) fn rows_of(table: &Table, explained: &Explained, changed: Changed<'_>) -> Vec<TileRow> {
    let tile_rows = table.rows.start / TILE..tiles_along(table.rows.end);
    let tile_columns = table.lane.start / TILE..tiles_along(table.lane.end);
    let owners: Vec<Option<usize>> = tile_columns.clone().map(|at| owner(table, at)).collect();
    let mut rows = Vec::new();
    for (at, column) in table.columns.iter().enumerate() {
        let own: Vec<u32> = (tile_columns.clone().zip(&owners))
            .filter(|(_, owner)| **owner == Some(at))
            .map(|(column, _)| column)
            .collect();
        for tile_row in tile_rows.clone() {
            let mut row: Option<TileRow> = None;
            let holds = own.iter().all(|&tile_column| {
                let number = tile_row * changed.columns + tile_column;
                let tile = &changed.tiles[number as usize];
                let Some(area) = tile.area(tile_column, tile_row) else {
                    return true;
                };
                let piece = Piece {
                    column: (table.lane.start, table.rows.start, at),
                    right: column.right,
                    area,
                    deltas: DeltaSums::of(tile),
                };
                match &mut row {
                    Some(row) => {
                        row.piece.absorb(&piece);
                        row.tiles.push(number);
                    }
                    None => {
                        row = Some(TileRow {
                            piece,
                            tiles: vec![number],
                        });
                    }
                }
                went_along(table, explained, area)
            });
            rows.extend(row.filter(|_| holds));
        }
    }
    rows
}

/// How many pixels changed in the tiles that a table lies in; what one picture lacks is in no tile.
pub(super) fn changed_in(table: &Table, changed: Changed<'_>) -> u64 {
    let tile_columns = table.lane.start / TILE..tiles_along(table.lane.end);
    let tile_rows = table.rows.start / TILE..tiles_along(table.rows.end);
    let numbers = tile_rows
        .flat_map(|row| (tile_columns.clone()).map(move |column| row * changed.columns + column));
    numbers
        .map(|number| u64::from(changed.tiles[number as usize].changed))
        .sum()
}

/// The column that what a column of tiles shows is told with: the one that has its middle now, or else had it before, if that went
/// anywhere.
fn owner(table: &Table, tile_column: u32) -> Option<usize> {
    let middle = tile_column * TILE + TILE / 2;
    let now = (table.columns.iter()).position(|column| column.after.contains(&middle));
    let before = (table.columns.iter()).position(|column| column.before.contains(&middle));
    let went = |at: &usize| table.columns[*at].right.unsigned_abs() >= MIN_ASIDE_PX;
    now.filter(went).or(before.filter(went))
}

/// Whether all columns that show something in an area, now or before, went as the table says.
fn went_along(table: &Table, explained: &Explained, area: Rect) -> bool {
    let is_over = |columns: &Range<u32>| columns.start < area.right() && area.x < columns.end;
    let over = (0..).zip(&table.columns);
    let over = over.filter(|(_, column)| is_over(&column.before) || is_over(&column.after));
    let columns = over.fold(0, |bits, (at, _)| bits | 1 << at);
    table.lane.start <= area.x
        && area.right() <= table.lane.end
        && explained.holds(area.y..area.bottom(), columns)
}

/// Joins pieces, each of a row of tiles, as far as they lie over nothing else: what lies in the box of another cluster becomes part of it.
pub(super) fn around(mut rows: Vec<Piece>, others: &mut [Cluster], lone: &[Lone]) -> Vec<Piece> {
    for other in &mut *others {
        loop {
            let inside: Vec<Piece> =
                (rows.extract_if(.., |row| row.area.overlaps(other.area))).collect();
            if inside.is_empty() {
                break;
            }
            for row in inside {
                other.absorb(&row.into_cluster());
            }
        }
    }
    let mut pieces: Vec<Piece> = Vec::new();
    for row in rows {
        let joins = pieces.last().is_some_and(|last| {
            let both = last.area.union(row.area);
            last.column == row.column
                && !others.iter().any(|other| other.area.overlaps(both))
                && !lone.iter().any(|lone| lone.place.area.overlaps(both))
        });
        match pieces.last_mut() {
            Some(last) if joins => last.absorb(&row),
            _ => pieces.push(row),
        }
    }
    pieces
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pair::{OneSided, Side};

    fn rect(x: u32, y: u32, width: u32, height: u32) -> Rect {
        Rect {
            x,
            y,
            width,
            height,
        }
    }

    fn piece(column: usize, area: Rect) -> Piece {
        Piece {
            column: (0, 0, column),
            right: 20,
            area,
            deltas: DeltaSums::default(),
        }
    }

    /// Two columns of three rows of tiles each.
    fn columns() -> Vec<Piece> {
        let places = [10, 200].map(|x| [0, 32, 64].map(|y| rect(x, y, 60, 12)));
        let pieces = places.iter().enumerate();
        pieces
            .flat_map(|(column, areas)| areas.map(|area| piece(column, area)))
            .collect()
    }

    fn cluster(area: Rect) -> Cluster {
        piece(0, area).into_cluster()
    }

    fn areas(pieces: &[Piece]) -> Vec<Rect> {
        pieces.iter().map(|piece| piece.area).collect()
    }

    #[test]
    fn a_column_is_one_piece() {
        let pieces = around(columns(), &mut [], &[]);
        assert_eq!(areas(&pieces), [rect(10, 0, 60, 76), rect(200, 0, 60, 76)]);
    }

    #[test]
    fn a_column_is_cut_at_what_else_changed_in_it() {
        let mut others = [cluster(rect(30, 46, 20, 4))];
        let pieces = around(columns(), &mut others, &[]);
        assert_eq!(
            areas(&pieces),
            [
                rect(10, 0, 60, 44),
                rect(10, 64, 60, 12),
                rect(200, 0, 60, 76)
            ]
        );
        assert_eq!(others[0].area, rect(30, 46, 20, 4));
    }

    #[test]
    fn what_lies_in_another_box_is_of_it() {
        // It grows by the first row, and so lies over the second column, too.
        let mut others = [cluster(rect(40, 4, 100, 4)), cluster(rect(60, 2, 160, 2))];
        let pieces = around(columns(), &mut others, &[]);
        assert_eq!(
            areas(&pieces),
            [rect(10, 32, 60, 44), rect(200, 32, 60, 44)]
        );
        let taken = others[0].area.union(others[1].area);
        assert_eq!(taken, rect(10, 0, 250, 12));
        assert!(others.iter().all(|other| other.right.is_none()));
    }

    #[test]
    fn a_column_is_cut_at_rows_that_one_picture_lacks() {
        let area = rect(0, 50, 500, 10);
        let lone = Lone {
            place: OneSided {
                area,
                side: Side::Current,
                band_rows: area.height,
                way: None,
            },
            deltas: DeltaSums::default(),
        };
        let pieces = around(columns(), &mut [], &[lone]);
        assert_eq!(pieces.len(), 4);
        assert!(pieces.iter().all(|piece| !piece.area.overlaps(area)));
    }
}
