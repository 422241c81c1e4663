//! Which of several ways to lay two pictures leaves less to look at.

use std::ops::Range;

use super::below;
use super::likeness::{differing_pixels, hardly_differ};
use super::looks;
use super::moved::mark_moved;
use super::phase::{Rows, slide_into_phase};
use super::run::Run;
use super::stretch::{Stretch, lone_rows, paired, paired_but_different};
use crate::layout::Band;
use crate::loaded::{Loaded, Passing};

/// Rows and pixels that rows which were matched by their looks may leave to look at, in tenths of what was left before.
const MOST_TENTHS: u64 = 11;

/// Blocks that moved which a reader follows: of a list that was sorted anew, what each place shows now is told sooner.
const MAX_MOVES: usize = 8;

/// Of some bands and those of all rows in their places the ones that leave fewer rows to look at, which are the latter where both leave as
/// many; and how many of their pairs differ.
pub(super) fn better(
    passing: &Passing<'_, '_>,
    bands: Vec<Stretch>,
    in_order: Vec<Stretch>,
    hardly_differ: &dyn Fn(u32, u32) -> bool,
) -> Laid {
    let loaded = passing.loaded;
    let differing =
        |bands: &[Stretch], most: usize| differing_pairs(loaded, bands, hardly_differ, most);
    if bands == in_order {
        let differing = paired_but_different(&bands, &loaded.rows.baseline, &loaded.rows.current);
        return Laid::by_hashes(bands, differing);
    }
    let own = differing(&bands, usize::MAX);
    // In their places rows may differ as often, less those that one picture alone has there.
    let left = rows_to_look_at(passing, &bands) + own;
    let most = left.checked_sub(lone_rows(&in_order));
    let in_place = most.map(|most| (most, differing(&in_order, most.saturating_add(1))));
    match in_place {
        Some((most, in_place)) if in_place <= most => Laid::by_hashes(in_order, in_place),
        _ => Laid::by_hashes(bands, own),
    }
}

/// Rows to look at that one picture alone has. Those of a few blocks that moved count once, and only where they show more than the row
/// above them.
fn rows_to_look_at(passing: &Passing<'_, '_>, bands: &[Stretch]) -> usize {
    let loaded = passing.loaded;
    let (hashes, unhashed) = (
        [&loaded.rows.baseline, &loaded.rows.current],
        loaded.rows.unhashed,
    );
    let as_told = |stretch: &Stretch| Band {
        y: 0,
        rows: stretch.rows,
        baseline_y: stretch.baseline,
        current_y: stretch.current,
        moved: None,
    };
    // Where blocks are cut among blank rows says whether they are the same.
    let mut cut_alike = below(unhashed, bands);
    let rows = Rows {
        hashes: hashes.map(Vec::as_slice),
        unhashed,
        are_same: &|side, upper, lower| {
            passing.are_same(side, [upper, lower], 0..loaded.baseline.size.width)
        },
    };
    slide_into_phase(&mut cut_alike, rows);
    let mut told: Vec<Band> = cut_alike.iter().map(as_told).collect();
    mark_moved(&mut told, hashes.map(Vec::as_slice), unhashed);
    let is_moved = |band: &&Band| band.moved.is_some();
    if told.iter().filter(is_moved).count() > 2 * MAX_MOVES {
        return lone_rows(bands);
    }
    let of_moved = |count: fn(&[u64]) -> usize| -> [usize; 2] {
        let mut counted = [0; 2];
        for band in told.iter().filter(is_moved) {
            for (side, first) in [band.baseline_y, band.current_y].into_iter().enumerate() {
                let Some(first) = first else {
                    continue;
                };
                // A band may have been slid up to rows without hashes, of which nothing tells whether they are like those above.
                let above = unhashed.saturating_sub(first).min(band.rows);
                let known =
                    (first + above - unhashed) as usize..(first + band.rows - unhashed) as usize;
                counted[side] += above as usize + count(&hashes[side][known]);
            }
        }
        counted
    };
    let [went, came] = of_moved(<[u64]>::len);
    let to_look_at = of_moved(|rows| rows.windows(2).filter(|two| two[0] != two[1]).count());
    lone_rows(bands) - went - came + to_look_at[0].max(to_look_at[1])
}

/// How many pairs of rows more than hardly differ, counted up to so many.
fn differing_pairs(
    loaded: &Loaded<'_>,
    bands: &[Stretch],
    hardly_differ: &dyn Fn(u32, u32) -> bool,
    most: usize,
) -> usize {
    let (baseline, current) = (&loaded.rows.baseline, &loaded.rows.current);
    let differ = |&(ours, theirs): &(u32, u32)| {
        baseline[ours as usize] != current[theirs as usize] && !hardly_differ(ours, theirs)
    };
    let pairs = paired(bands).flat_map(Run::pairs);
    pairs.filter(differ).take(most).count()
}

/// Bands, and how many of their pairs differ.
pub(super) struct Laid {
    pub(super) bands: Vec<Stretch>,
    pub(super) differing: usize,
    /// Whether the ink of words told them: then hardly a row is the same where it went.
    pub(super) are_told_by_ink: bool,
}

impl Laid {
    fn by_hashes(bands: Vec<Stretch>, differing: usize) -> Self {
        Self {
            bands,
            differing,
            are_told_by_ink: false,
        }
    }
}

/// What looks tell.
pub(super) struct Looked {
    pub(super) laid: Laid,
    /// Whether it leaves hardly more rows to look at, and hardly more pixels.
    pub(super) is_better: bool,
}

/// What looks tell instead of some bands, if anything: the edges of all parts of rows, or the ink of words wherever they lie.
pub(super) fn by_looks(
    passing: &Passing<'_, '_>,
    laid: &Laid,
    is_by_ink: bool,
    hardly_differ: &dyn Fn(u32, u32) -> bool,
) -> Option<Looked> {
    let bands = &laid.bands;
    let found = if is_by_ink {
        looks::place_by_ink(passing, bands)
    } else {
        looks::place_by_edges(passing, bands)
    };
    Some(looked(passing, found?, is_by_ink, bands, hardly_differ))
}

/// What was found instead of some bands, and whether it is better.
fn looked(
    passing: &Passing<'_, '_>,
    found: looks::Found,
    are_told_by_ink: bool,
    bands: &[Stretch],
    hardly_differ: &dyn Fn(u32, u32) -> bool,
) -> Looked {
    let left =
        |bands: &[Stretch]| differing_pairs(passing.loaded, bands, hardly_differ, usize::MAX);
    let [new, old] = [&found.bands, bands].map(left);
    // Rows of blocks that changed places are looked at once.
    let rows = [
        lone_rows(&found.bands) - found.elsewhere + new,
        lone_rows(bands) + old,
    ];
    let [new_rows, old_rows] = rows.map(|rows| u64::try_from(rows).expect("rows fit 64 bits"));
    let is_as_good = |new: u64, old: u64| 10 * new <= MOST_TENTHS * old;
    let pixels = || {
        let columns = 0..passing.loaded.baseline.size.width;
        let twice =
            u64::from(columns.end) * u64::try_from(found.elsewhere).expect("rows fit 64 bits");
        let new = pixels_left(passing, &columns, &found.bands) - twice;
        is_as_good(new, pixels_left(passing, &columns, bands))
    };
    Looked {
        is_better: is_as_good(new_rows, old_rows) && pixels(),
        laid: Laid {
            bands: found.bands,
            differing: new,
            are_told_by_ink,
        },
    }
}

/// Whether lanes leave less than so many percent of what bands of whole rows leave to look at.
pub(super) fn look_better(
    passing: &Passing<'_, '_>,
    lanes: &[(Range<u32>, Vec<Stretch>)],
    whole: &[Stretch],
    percent: usize,
) -> bool {
    let as_whole = lanes
        .iter()
        .map(|(columns, _)| left(passing, columns, whole));
    left_in(passing, lanes) * 100 < as_whole.sum::<usize>() * percent
}

/// What lanes leave to look at: pixels of rows that more than hardly differ within the columns of a lane, or that one picture alone has.
pub(super) fn left_in(passing: &Passing<'_, '_>, lanes: &[(Range<u32>, Vec<Stretch>)]) -> usize {
    let lanes = lanes.iter();
    lanes
        .map(|(columns, bands)| left(passing, columns, bands))
        .sum()
}

/// Pixels of paired rows that more than hardly differ within the columns of a lane.
pub(super) fn differing_in(
    passing: &Passing<'_, '_>,
    lanes: &[(Range<u32>, Vec<Stretch>)],
) -> usize {
    let differing = |(columns, bands): &(Range<u32>, Vec<Stretch>)| {
        left(passing, columns, bands) - lone_rows(bands) * columns.len()
    };
    lanes.iter().map(differing).sum()
}

/// The same of one lane.
fn left(passing: &Passing<'_, '_>, columns: &Range<u32>, bands: &[Stretch]) -> usize {
    let differ =
        |&(ours, theirs): &(u32, u32)| !hardly_differ(passing, columns.clone(), ours, theirs);
    let pairs = paired(bands).flat_map(Run::pairs);
    (lone_rows(bands) + pairs.filter(differ).count()) * columns.len()
}

/// Pixels of some columns that more than hardly differ or that one picture alone has.
pub(super) fn pixels_left(
    passing: &Passing<'_, '_>,
    columns: &Range<u32>,
    bands: &[Stretch],
) -> u64 {
    let pairs = paired(bands).flat_map(Run::pairs);
    let pixels = pairs.map(|pair| differing_pixels(passing, columns, pair));
    let lone = u64::try_from(lone_rows(bands)).expect("rows fit 64 bits");
    pixels.sum::<u64>() + u64::from(columns.end - columns.start) * lone
}
