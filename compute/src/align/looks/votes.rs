//! How far rows may have gone: where windows of the one picture are found in the other.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use super::profile::{Profile, distance};

/// Rows of a window: more than a line of text.
const WINDOW_ROWS: u32 = 32;

/// Windows that are looked for.
const MAX_WINDOWS: u32 = 48;

/// Rows of a window that are weighed at once, and by which one begins below another on a short page.
const STEP_ROWS: u32 = 8;

/// Windows that must have gone the same way.
const LEAST_WINDOWS: u32 = 2;

/// Edges that a window needs for each of its rows.
const LEAST_EDGES: u64 = 2;

/// How far down windows of the one picture went in the other, from what most say to what fewest say.
pub(super) fn displacements(ours: &Profile, theirs: &Profile) -> Vec<i64> {
    let Some(last) = ours.rows().checked_sub(WINDOW_ROWS) else {
        return Vec::new();
    };
    let windows = (last / STEP_ROWS + 1).min(MAX_WINDOWS);
    let mut said: BTreeMap<i64, u32> = BTreeMap::new();
    for window in 0..windows {
        // Evenly from the first row to the last.
        let first = u64::from(last) * u64::from(window) / u64::from((windows - 1).max(1));
        let first = u32::try_from(first).expect("a row of the picture");
        if let Some(place) = find(ours, first, theirs) {
            *said.entry(i64::from(place) - i64::from(first)).or_default() += 1;
        }
    }
    let mut said: Vec<(i64, u32)> = said.into_iter().collect();
    said.retain(|&(_, windows)| windows >= LEAST_WINDOWS);
    said.sort_by_key(|&(shift, windows)| (Reverse(windows), shift.abs(), shift));
    said.into_iter().map(|(shift, _)| shift).collect()
}

/// Where the rows that begin at `first` look most alike in the other picture, if they look alike there at all; of equal places the
/// nearest.
fn find(ours: &Profile, first: u32, theirs: &Profile) -> Option<u32> {
    let edges = ours.edges_of(first, WINDOW_ROWS);
    if edges < LEAST_EDGES * u64::from(WINDOW_ROWS) {
        return None;
    }
    let steps = || (0..WINDOW_ROWS).step_by(STEP_ROWS as usize);
    let lowest = theirs.rows().checked_sub(WINDOW_ROWS)?;
    let mut least = edges / 2;
    let mut found = None;
    for away in 0..=first.max(lowest.saturating_sub(first)) {
        let above = first.checked_sub(away).filter(|place| *place <= lowest);
        let below = Some(first + away).filter(|place| away > 0 && *place <= lowest);
        for place in [above, below].into_iter().flatten() {
            // What differs in number differs.
            let differ = |step: u32| {
                let [ours, theirs] = [(ours, first), (theirs, place)]
                    .map(|(it, at)| it.edges_of(at + step, STEP_ROWS));
                ours.abs_diff(theirs)
            };
            if steps().map(differ).sum::<u64>() >= least {
                continue;
            }
            let mut apart = 0;
            for step in steps() {
                apart += distance(
                    ours.part(first + step, STEP_ROWS),
                    theirs.part(place + step, STEP_ROWS),
                );
                if apart >= least {
                    break;
                }
            }
            if apart < least {
                (least, found) = (apart, Some(place));
            }
        }
    }
    found
}
