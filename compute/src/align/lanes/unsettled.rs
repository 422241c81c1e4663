//! Hashes of cells in the rows that are to be aligned.

use std::borrow::Cow;

use rayon::prelude::*;
use rustc_hash::{FxBuildHasher, FxHashMap};

use crate::loaded::Loaded;
use crate::raster::Raster;
use crate::raster::row::Row;
use crate::raster::strip::STRIP_ROWS;
use crate::row_hash::{cell_columns, cell_count, cell_hash};
use crate::workers;

/// Some columns of cells, in the rows that must be looked at: all that have hashes, but for those at the
/// bottom that are the same in both pictures.
pub(super) struct Unsettled<'l> {
    /// Hashes of cells, row-major from the first row that has a hash on.
    cells: [Cow<'l, [u32]>; 2],
    cells_a_row: usize,
    /// The places of the columns in a row of these.
    places: Vec<usize>,
    /// The hashes of all rows.
    rows: [&'l [u64]; 2],
    /// Rows at the bottom that are the same.
    pub(super) below: usize,
}

impl<'l> Unsettled<'l> {
    /// Cells whose hashes are not known yet are hashed.
    pub(super) fn of(loaded: &'l Loaded<'_>, columns: &[u32]) -> Self {
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
        Self {
            cells: hash_both(
                loaded,
                rows.map(|rows| &rows[..rows.len() - below]),
                columns,
            )
            .map(Cow::Owned),
            cells_a_row: columns.len(),
            places: (0..columns.len()).collect(),
            rows,
            below,
        }
    }

    /// The hashes of each column in both pictures; rows at the bottom go by their own hash.
    pub(super) fn columns(&self) -> Vec<[Vec<u64>; 2]> {
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

/// The hashes of these cells in both pictures' rows, whose own hashes are given, from the first that has one on: row by row, as
/// they lie in memory. Rows that are the same, blank ones and those that moved, are looked at once.
fn hash_both(loaded: &Loaded<'_>, rows: [&[u64]; 2], cells: &[u32]) -> [Vec<u32>; 2] {
    let (first, ours_end) = (loaded.rows.unhashed, rows[0].len());
    let alike = first_alike(rows);
    let (ours_alike, theirs_alike) = alike.split_at(ours_end);
    let place = |row: usize| row * cells.len()..(row + 1) * cells.len();
    let is_first = |at: usize| alike[at] == at;

    let baseline = &loaded.baseline;
    let mut ours = hash_cells(baseline, first, ours_end, cells, is_first, None);
    for (row, &from) in ours_alike
        .iter()
        .enumerate()
        .filter(|(row, from)| row != *from)
    {
        ours.copy_within(place(from), place(row).start);
    }
    let is_first = |row: usize| is_first(ours_end + row);
    let known = Some((baseline, ours.as_slice()));
    let mut theirs = hash_cells(
        &loaded.current,
        first,
        rows[1].len(),
        cells,
        is_first,
        known,
    );
    for (row, &from) in theirs_alike.iter().enumerate() {
        match from.checked_sub(ours_end) {
            None => theirs[place(row)].copy_from_slice(&ours[place(from)]),
            Some(from) if from != row => theirs.copy_within(place(from), place(row).start),
            Some(_) => {}
        }
    }
    [ours, theirs]
}

/// For each row of both pictures, counted on from one to the other, the first that is the same.
fn first_alike(rows: [&[u64]; 2]) -> Vec<usize> {
    let count = rows[0].len() + rows[1].len();
    let mut firsts = FxHashMap::with_capacity_and_hasher(count, FxBuildHasher);
    let both = rows[0].iter().chain(rows[1]).enumerate();
    both.map(|(at, &hash)| *firsts.entry(hash).or_insert(at))
        .collect()
}

/// The hashes of these cells in those of so many rows that are wanted. `known` are those of the same rows of another picture,
/// which is as wide: most cells show there what they show here, and comparing is faster than hashing.
fn hash_cells(
    raster: &Raster<'_>,
    first: u32,
    rows: usize,
    cells: &[u32],
    is_wanted: impl Fn(usize) -> bool + Send + Sync,
    known: Option<(&Raster<'_>, &[u32])>,
) -> Vec<u32> {
    let width = raster.size.width;
    let mut hashes = vec![0; rows * cells.len()];
    let rows = (hashes.par_chunks_mut(cells.len()).enumerate()).with_min_len(STRIP_ROWS as usize);
    workers::map(rows, |(at, hashes)| {
        if !is_wanted(at) {
            return;
        }
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::encode::encode_rgb;
    use crate::geometry::Size;
    use crate::load::load;
    use crate::loaded::Keep;
    use crate::options::Alignment;
    use crate::picture::Picture;
    use crate::raster::kept::Room;

    /// A page of rows in these greys; in every fifth the last cell is another one.
    fn page(greys: &[u8]) -> Vec<u8> {
        let size = Size {
            width: 150,
            height: u32::try_from(greys.len()).unwrap(),
        };
        encode_rgb(size, |y, row| {
            let grey = greys[y as usize];
            row.fill(grey);
            row[400] = if grey.is_multiple_of(5) { 1 } else { grey };
        })
        .unwrap()
    }

    #[test]
    fn rows_that_are_looked_at_once_have_the_hashes_of_their_own_cells() {
        // Repeated, moved, in one picture only, and the same in place below a difference.
        let before = page(&[9, 1, 1, 2, 3, 3, 3, 4, 5, 6, 200, 200, 7, 8, 10, 11, 12]);
        let after = page(&[9, 50, 1, 5, 6, 2, 3, 50, 50, 200, 7, 15, 8, 10, 13, 12]);
        let (before, after) = (Picture::png(&before), Picture::png(&after));
        let (room, keep) = (Room::default(), Keep::Differing);
        let loaded = load(room, [before, after], Alignment::Auto, keep).unwrap();
        let columns = [0, 2];
        let unsettled = Unsettled::of(&loaded, &columns);
        assert_eq!((loaded.rows.unhashed, unsettled.below), (1, 1));
        for (side, raster) in [(0, &loaded.baseline), (1, &loaded.current)] {
            let rows = 1..raster.size.height - 1;
            let hash = |y: u32| columns.map(|cell| cell_hash(raster.row(y), cell, 150));
            let expected: Vec<u32> = rows.flat_map(hash).collect();
            assert_eq!(*unsettled.cells[side], expected, "side {side}");
        }
    }
}
