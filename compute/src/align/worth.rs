//! Which of several ways to lay two pictures leaves less to look at.

use super::likeness::{MAX_COMPARED_ROWS, differing_pixels};
use super::looks;
use super::run::Run;
use super::stretch::{Stretch, lone_rows, paired, paired_but_different};
use crate::loaded::{Loaded, Passing};

/// Pixels that rows which were matched by their looks may leave to look at, in tenths of what was left before.
const MOST_PIXELS_TENTHS: u64 = 11;

/// Of some bands and those of all rows in their places the ones that leave fewer rows to look at, which are the latter where both leave as
/// many; and how many of their pairs differ.
pub(super) fn better(
    loaded: &Loaded<'_>,
    bands: Vec<Stretch>,
    in_order: Vec<Stretch>,
    hardly_differ: &dyn Fn(u32, u32) -> bool,
) -> (Vec<Stretch>, usize) {
    let mut looks_left = MAX_COMPARED_ROWS;
    let mut differing = |bands: &[Stretch], most: usize| {
        differing_pairs(loaded, bands, hardly_differ, most, &mut looks_left)
    };
    if bands == in_order {
        let differing = paired_but_different(&bands, &loaded.rows.baseline, &loaded.rows.current);
        return (bands, differing);
    }
    let own = differing(&bands, usize::MAX);
    // In their places rows may differ as often, less those that one picture alone has there.
    let most = (lone_rows(&bands) + own).checked_sub(lone_rows(&in_order));
    let in_place = most.map(|most| (most, differing(&in_order, most.saturating_add(1))));
    match in_place {
        Some((most, in_place)) if in_place <= most => (in_order, in_place),
        _ => (bands, own),
    }
}

/// How many pairs of rows more than hardly differ, counted up to so many; those beyond the rows that may be looked at count.
fn differing_pairs(
    loaded: &Loaded<'_>,
    bands: &[Stretch],
    hardly_differ: &dyn Fn(u32, u32) -> bool,
    most: usize,
    looks_left: &mut u32,
) -> usize {
    let (baseline, current) = (&loaded.rows.baseline, &loaded.rows.current);
    let pairs = paired(bands).flat_map(Run::pairs);
    let differ = |&(ours, theirs): &(u32, u32)| {
        if baseline[ours as usize] == current[theirs as usize] {
            return false;
        }
        *looks_left = looks_left.saturating_sub(1);
        *looks_left == 0 || !hardly_differ(ours, theirs)
    };
    pairs.filter(differ).take(most).count()
}

/// What looks tell instead, if they leave no more rows to look at, and hardly more pixels: bands, and how many of their pairs differ.
pub(super) fn by_looks(
    passing: &Passing<'_, '_>,
    (bands, differing): &(Vec<Stretch>, usize),
    hardly_differ: &dyn Fn(u32, u32) -> bool,
) -> Option<(Vec<Stretch>, usize)> {
    let found = looks::place_by_looks(passing, bands, *differing)?;
    let left = |bands: &[Stretch]| {
        let mut looks_left = MAX_COMPARED_ROWS;
        differing_pairs(
            passing.loaded,
            bands,
            hardly_differ,
            usize::MAX,
            &mut looks_left,
        )
    };
    let [new, old] = [&found, bands].map(|bands: &Vec<Stretch>| left(bands));
    let is_as_good = lone_rows(&found) + new <= lone_rows(bands) + old
        && pixels_left(passing, &found) * 10 <= pixels_left(passing, bands) * MOST_PIXELS_TENTHS;
    is_as_good.then_some((found, new))
}

/// Pixels that more than hardly differ or that one picture alone has.
fn pixels_left(passing: &Passing<'_, '_>, bands: &[Stretch]) -> u64 {
    let rows = &passing.loaded.rows;
    let differ = paired(bands)
        .flat_map(Run::pairs)
        .filter(|&(ours, theirs)| rows.baseline[ours as usize] != rows.current[theirs as usize]);
    let differing: u64 = differ.map(|pair| differing_pixels(passing, pair)).sum();
    let width = u64::from(passing.loaded.baseline.size.width);
    differing + width * u64::try_from(lone_rows(bands)).expect("rows fit 64 bits")
}
