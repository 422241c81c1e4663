//! Whether lanes are looked for beside the bands of whole rows, and what is taken of all that was found.

use std::ops::Range;

use super::lanes::{self, Lanes, Whole};
use super::likeness::{hardly_differ, hardly_differs_in_place, is_same};
use super::looks;
use super::run::Run;
use super::stretch::{Stretch, paired};
use super::worth::{Laid, Looked, by_looks, differing_in, left_in, look_better};
use super::{LANES_WORTH_ROWS, STAYED_ROWS, place_in_order};
use crate::loaded::Passing;
use crate::row_hash::{cell_columns, cell_count};

/// Of what whole rows leave to look at, with what hardly differs taken as the same, lanes must leave less than this share, in percent.
/// Lanes are right to leave a little more where a block moved within one of them, and its rows count twice.
const LEFT_PERCENT: usize = 150;

/// The same where hashes cannot tell.
const LEFT_PERCENT_BLURRED: usize = 100;

/// What lanes may leave to look at of what whole rows leave that were found by hashes, in percent, where they lie beside rows that were
/// found by their looks and leave more without lanes.
const LEFT_PERCENT_BY_LOOKS: usize = 110;

/// Rows of a page that must be left to look at for ink to be worth the search: a line of text.
const INK_WORTH_ROWS: usize = 12;

/// The bands of whole rows, and lanes that leave less to look at, if any.
pub(super) struct Chosen {
    pub(super) whole: Laid,
    pub(super) lanes: Option<Lanes>,
}

/// Of what hashes, edges and the ink of words tell what leaves least to look at.
pub(super) fn chosen(
    passing: &Passing<'_, '_>,
    by_hashes: Laid,
    hardly_differ: &dyn Fn(u32, u32) -> bool,
) -> Chosen {
    let may_be_wrong = |laid: &Laid| looks::may_be_laid_wrong(passing, &laid.bands, laid.differing);
    if !may_be_wrong(&by_hashes) {
        return Chosen::with_lanes(passing, by_hashes);
    }
    let by_edges = by_looks(passing, &by_hashes, false, hardly_differ);
    let is_other = by_edges.as_ref().is_some_and(|looked| looked.is_better);
    let chosen = match by_edges {
        // A bar that was drawn otherwise goes with the page by its looks, and stayed by what moved beside it.
        Some(Looked { laid: whole, .. }) if is_other => Chosen {
            lanes: lanes_beside(passing, &whole).or_else(|| {
                let lanes = lanes_beside(passing, &by_hashes)?;
                leaves_less(passing, &lanes, &whole).then_some(lanes)
            }),
            whole,
        },
        Some(Looked { laid, .. }) => {
            Chosen::with_lanes(passing, by_hashes).or_with_bars(passing, &laid)
        }
        None => Chosen::with_lanes(passing, by_hashes),
    };
    if !chosen.leaves_much(passing) || (is_other && !may_be_wrong(&chosen.whole)) {
        return chosen;
    }
    match by_looks(passing, &chosen.whole, true, hardly_differ) {
        Some(Looked {
            laid: whole,
            is_better: true,
        }) => {
            let before = chosen.lanes;
            let lanes = lanes_beside(passing, &whole)
                .or_else(|| before.filter(|lanes| leaves_less(passing, lanes, &whole)));
            Chosen { whole, lanes }
        }
        Some(Looked { laid, .. }) => chosen.or_with_bars(passing, &laid),
        None => chosen,
    }
}

impl Chosen {
    /// These bands, and lanes beside them.
    fn with_lanes(passing: &Passing<'_, '_>, whole: Laid) -> Self {
        Self {
            lanes: lanes_beside(passing, &whole),
            whole,
        }
    }

    /// Whether many rows differ that are paired.
    fn leaves_much(&self, passing: &Passing<'_, '_>) -> bool {
        let width = passing.loaded.baseline.size.width;
        let differing = match &self.lanes {
            Some(lanes) => differing_in(passing, &lanes.stretches),
            None => self.whole.differing * width as usize,
        };
        differing >= INK_WORTH_ROWS * width as usize
    }

    /// The same, or lanes beside these bands if they leave less: rows look worse than they lie where a bar beside them stayed.
    fn or_with_bars(self, passing: &Passing<'_, '_>, laid: &Laid) -> Self {
        let left = |lanes: &Lanes| left_in(passing, &lanes.stretches);
        let least = self.lanes.as_ref().map_or(usize::MAX, left);
        let found = lanes_beside(passing, laid).filter(|found| {
            let (stretches, whole) = (&found.stretches, &self.whole.bands);
            look_better(passing, stretches, whole, LEFT_PERCENT_BY_LOOKS) && left(found) < least
        });
        Self {
            lanes: found.or(self.lanes),
            whole: self.whole,
        }
    }
}

/// Whether lanes that were found otherwise leave less than these bands of whole rows.
fn leaves_less(passing: &Passing<'_, '_>, lanes: &Lanes, whole: &Laid) -> bool {
    let bands = &whole.bands;
    lanes.leave_less_than(bands) && leave_little(passing, lanes, bands, is_blurred(passing, bands))
}

/// Lanes that leave less to look at than these bands of whole rows.
fn lanes_beside(passing: &Passing<'_, '_>, laid: &Laid) -> Option<Lanes> {
    let Laid {
        bands, differing, ..
    } = laid;
    let is_blurred = is_blurred(passing, bands);
    let least = if is_blurred {
        STAYED_ROWS
    } else {
        LANES_WORTH_ROWS
    };
    let is_worth_it =
        *differing >= least || (*differing >= STAYED_ROWS && has_stayed(passing, bands));
    let are_accepted = |lanes: &mut Lanes| {
        put_back(passing, lanes);
        leave_little(passing, lanes, bands, is_blurred)
    };
    is_worth_it
        .then(|| {
            let whole = Whole {
                bands,
                are_blurred: is_blurred,
                are_told_by_ink: laid.are_told_by_ink,
            };
            lanes::find_lanes(passing.loaded, whole, are_accepted)
        })
        .flatten()
}

/// Whether lanes leave little of what bands of whole rows do. They are found by hashes, to which a faint stripe in place of another
/// one is as good as any other row.
fn leave_little(
    passing: &Passing<'_, '_>,
    lanes: &Lanes,
    bands: &[Stretch],
    is_blurred: bool,
) -> bool {
    let percent = if is_blurred {
        LEFT_PERCENT_BLURRED
    } else {
        LEFT_PERCENT
    };
    look_better(passing, &lanes.stretches, bands, percent)
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
