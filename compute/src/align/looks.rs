//! Rows matched by what they look like, where hardly any is the same to the last bit: on another background, in another colour, or
//! drawn by a browser that smooths edges otherwise.
//!
//! Who sees such a page finds its parts again by where lines begin and end, whatever their colours. So each row is told by how many
//! edges its parts have ([`Profile`]); windows of rows are looked for in the other picture, which says how far rows may have gone
//! ([`votes`]); and the cheapest way through both pictures by these displacements is their alignment ([`path`]). It is taken only where
//! it leaves far less that looks otherwise than the one that hashes found, and no part that went somewhere is laid on what does not look like it.
//!
//! Where that tells nothing better, each row is told by the ink of its words instead, wherever along it they lie ([`ink`]).

mod elsewhere;
mod ink;
mod path;
mod profile;
mod slide;
mod votes;

use std::collections::BTreeSet;
use std::ops::Range;

use crate::loaded::Passing;
use crate::raster::row::Row;

use super::run::Run;
use super::runs::is_turned;
use super::stretch::{Stretch, lone_rows, paired};
use elsewhere::seen_elsewhere;
use path::{Costs, way};
use profile::{Profile, Sample, distance};
use slide::{Differ, slid_by_colour};

/// Rows that differ or that one picture has more than it must, below which hashes have told enough: a few lines of text.
const LEAST_ROWS: usize = 48;

/// Into so many parts the pairs of rows that differ are divided, of which one must be laid on what does not look like it.
const SAMPLES: usize = 16;

/// Pairs of rows that each part is judged by.
const SAMPLE_ROWS: usize = 16;

/// Detours that are looked at.
const MAX_DETOURS: usize = 16;

/// Ways to go in all.
const MAX_SHIFTS: usize = 16;

/// What a change of the displacement costs, in rows of the usual look.
const TURN_ROWS: u64 = 8;

/// What is found must cost no more than this share of what was there.
const EDGES_SHARE: Share = Share {
    most: 1,
    of: 3,
    rows: 24,
};

/// The same where ink tells, which is a far surer sign.
const INK_SHARE: Share = Share {
    most: 3,
    of: 4,
    rows: 12,
};

/// The rows of what is found differ by no more than this share of the edges of a picture: a text that was written anew is none that
/// moved.
const APART_SHARE: u64 = 6;

/// How often a way is looked for, each time without what was laid on something else.
const MAX_WAYS: usize = 4;

/// How much of what was there may be left.
#[derive(Clone, Copy)]
struct Share {
    /// So many parts of so many.
    most: u64,
    of: u64,
    /// Less by no fewer rows of the usual look than that.
    rows: u64,
}

/// What looks tell.
pub(super) struct Found {
    pub(super) bands: Vec<Stretch>,
    /// Rows that are lone in both pictures, at one place in each: those of blocks that changed places.
    pub(super) elsewhere: usize,
}

/// Whether so much differs, and may be laid on something else, that looks are worth the search; of these bands so many pairs of rows
/// differ.
pub(super) fn may_be_laid_wrong(
    passing: &Passing<'_, '_>,
    bands: &[Stretch],
    differing: usize,
) -> bool {
    let rows = &passing.loaded.rows;
    let lone = lone_rows(bands) - rows.baseline.len().abs_diff(rows.current.len());
    differing + lone >= LEAST_ROWS && (is_laid_wrong(passing, bands) || has_detour(passing, bands))
}

/// Bands that leave far less that looks otherwise than these ones, by the edges of all parts of rows; `None` where these are as good. The
/// rows are counted as hashes are.
pub(super) fn place_by_edges(passing: &Passing<'_, '_>, bands: &[Stretch]) -> Option<Found> {
    let all = 0..passing.loaded.baseline.size.width;
    let profiles = Profile::of_both(passing, &all, profile::count_edges);
    place_by(passing, bands, profiles, &all, EDGES_SHARE)
}

/// The same by the ink of words, wherever along rows they lie.
pub(super) fn place_by_ink(passing: &Passing<'_, '_>, bands: &[Stretch]) -> Option<Found> {
    let between = ink::columns_between_bars(passing);
    let is_laid_wrong =
        |part: &[(u32, u32)]| sampled(passing, &between, ink::weigh, part).is_inked_wrong();
    let parts = parts_of_differing(passing, bands);
    if !parts.iter().any(|part| is_laid_wrong(part)) {
        return None;
    }
    let profiles = Profile::of_both(passing, &between, ink::weigh);
    place_by(passing, bands, profiles, &between, INK_SHARE)
}

/// The same by what profiles of some columns tell.
fn place_by(
    passing: &Passing<'_, '_>,
    bands: &[Stretch],
    [ours, theirs]: [Profile; 2],
    columns: &Range<u32>,
    share: Share,
) -> Option<Found> {
    let rows = &passing.loaded.rows;
    // Which picture comes first must not matter.
    let is_turned = is_turned(&rows.baseline, &rows.current);
    let turned = |bands: Vec<Stretch>| {
        if is_turned {
            bands.into_iter().map(turn).collect()
        } else {
            bands
        }
    };
    let (ours, theirs) = if is_turned {
        (theirs, ours)
    } else {
        (ours, theirs)
    };
    let found = better_bands(&ours, &theirs, &turned(bands.to_vec()), share)?;
    // Rows above and below a tall band lie in different strips.
    let slid = Passing::of(passing.loaded);
    let differ = Differ {
        edges: |one, other| distance(ours.part(one, 1), theirs.part(other, 1)),
        levels: [passing, &slid].map(|passing| {
            move |one, other| {
                let pair = if is_turned {
                    (other, one)
                } else {
                    (one, other)
                };
                profile::levels_apart(passing, columns, pair)
            }
        }),
    };
    Some(Found {
        bands: turned(slid_by_colour(found.bands, &differ)),
        elsewhere: found.elsewhere,
    })
}

/// The same stretch when both pictures are exchanged.
fn turn(stretch: Stretch) -> Stretch {
    Stretch {
        rows: stretch.rows,
        baseline: stretch.current,
        current: stretch.baseline,
    }
}

/// Whether some of the rows that differ may be laid on what does not look like them, as far as samples tell; more than a quarter of
/// them surely where all rows of pages of one height are in their places: then as much must have come as went.
fn is_laid_wrong(passing: &Passing<'_, '_>, bands: &[Stretch]) -> bool {
    let parts = parts_of_differing(passing, bands);
    let mut parts = parts.iter().map(|part| sampled_by_edges(passing, part));
    match bands {
        [all] if all.baseline == all.current => {
            let (all, mut alike, mut others) = (parts.len(), 0, 0);
            parts.any(|part| {
                if part.is_alike() {
                    alike += 1;
                } else {
                    others += 1;
                }
                // Then enough was seen.
                4 * alike >= 3 * all || others > all / 4
            }) && others > all / 4
        }
        _ => parts.any(|part| part.is_laid_wrong()),
    }
}

/// Whether rows went another way and came back to it, though they look the same when they go straight on: something that floats above
/// the page stayed.
fn has_detour(passing: &Passing<'_, '_>, bands: &[Stretch]) -> bool {
    let runs: Vec<Run> = paired(bands).collect();
    let straight = runs.windows(3).filter_map(|three| {
        let [above, between, below] = three else {
            return None;
        };
        let first = above.baseline + above.rows;
        let straight = Run {
            baseline: first,
            current: above.current + above.rows,
            rows: below.baseline.checked_sub(first)?,
        };
        (above.shift() == below.shift() && between.shift() != above.shift()).then_some(straight)
    });
    straight
        .take(MAX_DETOURS)
        .any(|run| sampled_by_edges(passing, &run.pairs().collect::<Vec<_>>()).is_alike())
}

/// The pairs of rows that differ, in parts from top to bottom.
fn parts_of_differing(passing: &Passing<'_, '_>, bands: &[Stretch]) -> Vec<Vec<(u32, u32)>> {
    let rows = &passing.loaded.rows;
    let differing: Vec<(u32, u32)> = paired(bands)
        .flat_map(Run::pairs)
        .filter(|&(ours, theirs)| rows.baseline[ours as usize] != rows.current[theirs as usize])
        .collect();
    let part = differing.len().div_ceil(SAMPLES).max(1);
    differing.chunks(part).map(<[_]>::to_vec).collect()
}

/// Some of these pairs of rows, by the edges of all their parts.
fn sampled_by_edges(passing: &Passing<'_, '_>, pairs: &[(u32, u32)]) -> Sample {
    let all = 0..passing.loaded.baseline.size.width;
    sampled(passing, &all, profile::count_edges, pairs)
}

/// Some of these pairs of rows, by what is counted in each part of some columns.
fn sampled(
    passing: &Passing<'_, '_>,
    columns: &Range<u32>,
    count: impl Fn(Row<'_>, &mut [u8]),
    pairs: &[(u32, u32)],
) -> Sample {
    let mut sample = Sample::default();
    for pair in pairs
        .iter()
        .step_by(pairs.len().div_ceil(SAMPLE_ROWS).max(1))
    {
        sample.add(passing, columns, &count, *pair);
    }
    sample
}

/// The bands that two profiles tell, where they are far better than those that are there.
fn better_bands(
    ours: &Profile,
    theirs: &Profile,
    bands: &[Stretch],
    share: Share,
) -> Option<Found> {
    let (our_rows, their_rows) = (ours.rows(), theirs.rows());
    let usual = ((ours.edges() + theirs.edges()) / u64::from(our_rows + their_rows).max(1)).max(1);
    let between = i64::from(their_rows) - i64::from(our_rows);
    let mut shifts = BTreeSet::from([0, between]);
    let known = paired(bands).map(Run::shift);
    for shift in votes::displacements(ours, theirs).into_iter().chain(known) {
        if shifts.len() < MAX_SHIFTS {
            shifts.insert(shift);
        }
    }
    let mut costs = Costs {
        ours,
        theirs,
        shifts: shifts.into_iter().collect(),
        refused: BTreeSet::new(),
        lone: usual,
        turn: TURN_ROWS * usual,
    };
    let found = (0..MAX_WAYS).find_map(|_| {
        let found = way(&costs)?;
        let wrong: Vec<i64> = paired(&found)
            .filter(|run| run.shift() != 0 && !ours.looks_like(theirs, *run))
            .map(Run::shift)
            .collect();
        costs.refused.extend(&wrong);
        wrong.is_empty().then_some(found)
    })?;
    let price = |bands: &[Stretch]| {
        let elsewhere = seen_elsewhere(ours, theirs, bands, &costs.shifts);
        let rows: usize = elsewhere.iter().map(|run| run.rows as usize).sum();
        let pairs = paired(bands).chain(elsewhere).flat_map(Run::pairs);
        let apart: u64 = pairs.map(|pair| ours.least_apart(theirs, pair)).sum();
        let lone = u64::try_from(lone_rows(bands) - 2 * rows).expect("rows fit 64 bits");
        let beyond = lone.saturating_sub(between.unsigned_abs());
        (apart + usual * beyond, rows)
    };
    let ((new, elsewhere), (old, _)) = (price(&found), price(bands));
    let is_better = share.of * new <= share.most * old && old - new >= share.rows * usual;
    let pairs = paired(&found).flat_map(Run::pairs);
    let apart: u64 = pairs.map(|pair| ours.apart(theirs, pair)).sum();
    let is_alike = APART_SHARE * apart <= ours.edges().midpoint(theirs.edges());
    (is_better && is_alike).then_some(Found {
        bands: found,
        elsewhere,
    })
}
