//! Neighbouring parts that are laid as one where that leaves hardly more to look at.
//!
//! What is no whole number of pixels tall is drawn a pixel nearer here and further there, a text at other rows than the rule
//! below it. So of a table from which one row was taken each column tells another way by a pixel, and a column of rules alone, which
//! are all alike, tells another place. What is right for all is found from the rows of all.

use crate::align::STAYED_ROWS;
use crate::align::stretch::{Stretch, lone_rows, paired, paired_but_different};
use crate::loaded::Loaded;
use crate::pair::Side;

use super::{Column, Part, joined, pixels_of};

/// Of so many rows of a part one more may be in one picture alone when it goes with its neighbour.
const ROWS_A_LONE_ROW: usize = 64;

/// Of so many rows of a part one more may differ before its rows are laid together with those of its neighbour.
const ROWS_A_DIFFERENCE: usize = 8;

/// Times that neighbours are tried at most.
const MAX_TRIES: usize = 24;

/// The parts, neighbours being one where their rows laid together leave hardly more of either, and cells between two going with the
/// larger one where nothing says otherwise.
pub(super) fn unite_neighbours(
    loaded: &Loaded<'_>,
    mut parts: Vec<Part>,
    columns: &[Column],
) -> Vec<Part> {
    let (mut at, mut tries) = (0, 0);
    while at + 1 < parts.len() && tries < MAX_TRIES {
        let [one, other] = [&parts[at], &parts[at + 1]];
        tries += 1;
        match united(loaded, columns, [one, other]) {
            Some(both) => {
                parts.splice(at..at + 2, [both]);
                at = at.saturating_sub(1);
            }
            None => at += 1,
        }
    }
    for at in 1..parts.len() {
        let (left, right) = parts.split_at_mut(at);
        share_cells(loaded, columns, [&mut left[at - 1], &mut right[0]]);
    }
    parts
}

/// Both parts as one, if that leaves hardly more to look at of either.
fn united(loaded: &Loaded<'_>, columns: &[Column], both: [&Part; 2]) -> Option<Part> {
    let [one, other] = both;
    if one.is_foreign || other.is_foreign {
        return None;
    }
    let may_go_with = |part: &Part, bands: &[Stretch]| {
        part.differing(bands) <= part.differing(&part.bands) + part.slack(ROWS_A_DIFFERENCE)
    };
    if !may_go_with(one, &other.bands) && !may_go_with(other, &one.bands) {
        return None;
    }
    let placed = Part::placed(loaded, columns, one.cells.start..other.cells.end);
    let goes_with = |part: &&Part| part.goes_as_well_with(&placed.bands);
    both.iter().all(goes_with).then_some(placed)
}

/// Gives the cells of the smaller of two neighbours that lie at the larger one's edge to that, as long as they show something where
/// both went different ways, and go as well with it.
fn share_cells(loaded: &Loaded<'_>, columns: &[Column], [left, right]: [&mut Part; 2]) {
    let is_left_smaller = left.columns.len() < right.columns.len();
    let (smaller, larger) = if is_left_smaller {
        (left, right)
    } else {
        (right, left)
    };
    let apart = [Side::Baseline, Side::Current]
        .map(|side| went_apart([&smaller.bands, &larger.bands], side));
    let goes_over = |&cell: &usize| {
        let hashes = &columns[cell].hashes;
        let shows_something = apart.iter().zip(hashes).any(|(apart, rows)| {
            let mut shown = apart.iter().map(|&row| rows[row]);
            let first = shown.next();
            shown.any(|row| Some(row) != first)
        });
        let [baseline, current] = hashes;
        let [own, there] = [&smaller.bands, &larger.bands]
            .map(|bands| paired_but_different(bands, baseline, current));
        // Where most rows differ, as in the gradient of a bar, hashes tell nothing.
        let tells = 2 * there < paired(&larger.bands).map(|run| run.rows as usize).sum();
        shows_something && tells && there <= own
    };
    // One of its cells stays with it.
    let cells = smaller.cells.clone();
    let inner = cells.start + 1..cells.end - 1;
    let given = if is_left_smaller {
        (inner.start..cells.end).rev().take_while(goes_over).count()
    } else {
        (cells.start..inner.end).take_while(goes_over).count()
    };
    if given == 0 {
        return;
    }
    if is_left_smaller {
        smaller.cells.end -= given;
        larger.cells.start -= given;
    } else {
        smaller.cells.start += given;
        larger.cells.end += given;
    }
    *smaller = Part {
        is_foreign: smaller.is_foreign,
        ..Part::placed(loaded, columns, smaller.cells.clone())
    };
    larger.columns = pixels_of(&larger.cells, loaded.baseline.size.width);
    larger.hashes = joined(&columns[larger.cells.clone()]);
}

/// The rows of a picture that two ways to lay them put beside different ones of the other.
fn went_apart(ways: [&[Stretch]; 2], side: Side) -> Vec<usize> {
    let [one, other] = ways.map(|bands| {
        let beside = bands.iter().filter_map(|band| {
            let (own, other) = match side {
                Side::Baseline => (band.baseline, band.current),
                Side::Current => (band.current, band.baseline),
            };
            own.map(|_| (0..band.rows).map(move |row| other.map(|first| first + row)))
        });
        beside.flatten().collect::<Vec<Option<u32>>>()
    });
    let rows = one.into_iter().zip(other).enumerate();
    rows.filter(|(_, (one, other))| one != other)
        .map(|(row, _)| row)
        .collect()
}

impl Part {
    /// Whether no more rows of it differ as these bands lay it, and hardly more are in one picture alone.
    fn goes_as_well_with(&self, bands: &[Stretch]) -> bool {
        self.differing(bands) <= self.differing(&self.bands)
            && lone_rows(bands) < lone_rows(&self.bands) + self.slack(ROWS_A_LONE_ROW)
    }

    /// One row of so many, and a few.
    fn slack(&self, rows: usize) -> usize {
        let [baseline, current] = &self.hashes;
        STAYED_ROWS + baseline.len().max(current.len()) / rows
    }
}
