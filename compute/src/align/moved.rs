//! Blocks that were not inserted or removed but moved from one place to another.

use std::collections::HashMap;

use crate::layout::Band;
use crate::load::KnownRows;

/// Rows of a band that must be found in the other picture, in percent.
const SAME_PERCENT: usize = 80;

/// Rows that a band needs to be looked for: fewer are found anywhere.
const LEAST_ROWS: u32 = 8;

/// Links inserted bands with the removed ones whose content they hold.
pub(super) fn mark_moved(bands: &mut [Band], rows: &KnownRows) {
    let baseline = |y: u32| rows.baseline.get((y.checked_sub(rows.unhashed)?) as usize);
    let current = |y: u32| rows.current.get((y.checked_sub(rows.unhashed)?) as usize);
    // Where each row of the removed bands is; rows that occur more than once tell nothing.
    let mut removed: HashMap<u64, Option<u32>> = HashMap::new();
    for band in bands.iter().filter(|band| band.current_y.is_none()) {
        for y in rows_of(band.baseline_y, band.rows) {
            if let Some(&hash) = baseline(y) {
                removed
                    .entry(hash)
                    .and_modify(|place| *place = None)
                    .or_insert(Some(y));
            }
        }
    }
    let mut links = Vec::new();
    for band in bands.iter().filter(|band| band.baseline_y.is_none()) {
        let Some(first) = band.current_y.filter(|_| band.rows >= LEAST_ROWS) else {
            continue;
        };
        let mut votes: HashMap<i64, u32> = HashMap::new();
        for y in first..first + band.rows {
            if let Some(Some(from)) = current(y).and_then(|hash| removed.get(hash)) {
                *votes.entry(i64::from(*from) - i64::from(y)).or_insert(0) += 1;
            }
        }
        // The most votes; of equals the shortest way.
        let best = votes
            .into_iter()
            .max_by_key(|&(way, votes)| (votes, std::cmp::Reverse(way.abs()), way));
        let Some((way, _)) = best else { continue };
        let same = (first..first + band.rows)
            .filter(|&y| {
                let from = u32::try_from(i64::from(y) + way).ok();
                from.is_some_and(|from| baseline(from) == current(y))
            })
            .count();
        if same * 100 >= band.rows as usize * SAME_PERCENT {
            links.push((first, band.rows, way));
        }
    }
    for (first, rows, way) in links {
        let shifted = |y: u32, way: i64| u32::try_from(i64::from(y) + way).ok();
        let Some(from) = shifted(first, way) else {
            continue;
        };
        for band in bands.iter_mut() {
            if band.baseline_y.is_none() && band.current_y == Some(first) {
                band.moved = Some(from);
            } else if let (Some(y), None) = (band.baseline_y, band.current_y) {
                let covered = (y + band.rows).min(from + rows).saturating_sub(y.max(from));
                if covered as usize * 100 >= band.rows as usize * SAME_PERCENT {
                    band.moved = shifted(y, -way);
                }
            }
        }
    }
}

fn rows_of(first: Option<u32>, rows: u32) -> std::ops::Range<u32> {
    first.map_or(0..0, |first| first..first + rows)
}
