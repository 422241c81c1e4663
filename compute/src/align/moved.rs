//! Blocks that were not inserted or removed but moved from one place to another.

use std::cmp::Reverse;
use std::collections::{HashMap, HashSet};

use crate::layout::Band;

/// Rows of a band that must be found in the other picture, in percent.
const SAME_PERCENT: usize = 80;

/// Rows of a band that must be found among what only the other picture has, in percent. Fewer than those that are found at all:
/// which of the blank rows around a block belong to it is told apart by chance.
const LONE_PERCENT: usize = 50;

/// Rows that a band needs to be looked for: fewer are found anywhere.
const LEAST_ROWS: u32 = 8;

/// Rows by which a part of a band may lie nearer or further than the others: browsers draw lines of text on whole pixels.
const MAX_ASIDE_ROWS: u32 = 2;

/// Of these, so many must be found by their hashes.
const LEAST_SAME_ROWS: usize = 4;

/// What only one picture has.
struct Lone<'r> {
    /// Place in the list of bands, first row in the picture, rows; from the top of the picture down.
    bands: Vec<(usize, u32, u32)>,
    /// Hashes of the picture's rows from row `unhashed` on.
    hashes: &'r [u64],
    unhashed: u32,
}

/// Marks inserted bands whose content was removed elsewhere, and removed ones whose content was
/// inserted elsewhere; each by itself, since a larger block may come back in part. The hashes are those of the lane's rows
/// in the baseline and the current picture, from row `unhashed` on.
pub(super) fn mark_moved(bands: &mut [Band], [baseline, current]: [&[u64]; 2], unhashed: u32) {
    let of = |place: fn(&Band) -> Option<(u32, bool)>, hashes| Lone {
        bands: (bands.iter().enumerate())
            .filter_map(|(at, band)| match place(band) {
                Some((first, true)) => Some((at, first, band.rows)),
                _ => None,
            })
            .collect(),
        hashes,
        unhashed,
    };
    let removed = of(
        |band| Some((band.baseline_y?, band.current_y.is_none())),
        baseline,
    );
    let inserted = of(
        |band| Some((band.current_y?, band.baseline_y.is_none())),
        current,
    );
    let (came, went) = (inserted.found_in(&removed), removed.found_in(&inserted));
    for Found { at, place, .. } in came.iter().chain(&went) {
        bands[*at].moved = Some(*place);
    }
    let with_others = (inserted.gone_with(went).into_iter()).chain(removed.gone_with(came));
    for Found { at, place, .. } in with_others {
        bands[at].moved.get_or_insert(place);
    }
}

/// A band whose content the other picture has elsewhere.
struct Found {
    at: usize,
    first: u32,
    rows: u32,
    /// Its first row in the other picture.
    place: u32,
}

impl Lone<'_> {
    fn hash(&self, y: u32) -> Option<u64> {
        let at = y.checked_sub(self.unhashed)?;
        self.hashes.get(at as usize).copied()
    }

    /// The nearest row to a place, at most [`MAX_ASIDE_ROWS`] from it, that has this hash.
    fn same_near(&self, place: u32, hash: u64) -> Option<u32> {
        let beside = |by| [place.checked_sub(by), place.checked_add(by)];
        let near = (0..=MAX_ASIDE_ROWS).flat_map(beside).flatten();
        near.into_iter().find(|&y| self.hash(y) == Some(hash))
    }

    /// Whether one of the bands has this row.
    fn has(&self, y: u32) -> bool {
        let above = self.bands.partition_point(|&(_, first, _)| first <= y);
        let nearest = above.checked_sub(1).map(|at| self.bands[at]);
        nearest.is_some_and(|(_, first, rows)| y - first < rows)
    }

    /// Where each row lies; rows that occur more than once tell nothing.
    fn places(&self) -> HashMap<u64, Option<u32>> {
        let mut places = HashMap::new();
        for y in (self.bands.iter()).flat_map(|&(_, first, rows)| first..first + rows) {
            if let Some(hash) = self.hash(y) {
                places
                    .entry(hash)
                    .and_modify(|place| *place = None)
                    .or_insert(Some(y));
            }
        }
        places
    }

    /// The bands whose content the other picture has, at least half of it among its own lone rows.
    fn found_in(&self, other: &Self) -> Vec<Found> {
        let places = other.places();
        let find = |&(at, first, rows): &(usize, u32, u32)| {
            let mut votes: HashMap<i64, u32> = HashMap::new();
            for y in first..first + rows {
                if let Some(Some(place)) = self.hash(y).and_then(|hash| places.get(&hash)) {
                    *votes.entry(i64::from(*place) - i64::from(y)).or_insert(0) += 1;
                }
            }
            // The most votes; of equals the shortest way. What is where it was did not move, wherever all else went.
            let (way, _) = votes
                .into_iter()
                .filter(|&(way, _)| way != 0)
                .max_by_key(|&(way, votes)| (votes, Reverse(way.abs()), way))?;
            let there = |y: u32| u32::try_from(i64::from(y) + way).ok();
            let (mut known, mut same, mut lone) = (0, 0, 0);
            for y in first..first + rows {
                let place = there(y);
                // Those at the top that are the same in both pictures have no hash, and go with the others.
                let is_known =
                    y >= self.unhashed && place.is_none_or(|place| place >= other.unhashed);
                known += usize::from(is_known);
                let same_at = place
                    .filter(|_| is_known)
                    .and_then(|place| other.same_near(place, self.hash(y)?));
                same += usize::from(same_at.is_some());
                let lone_at = same_at.or_else(|| place.filter(|_| !is_known));
                lone += usize::from(lone_at.is_some_and(|place| other.has(place)));
            }
            let is_moved = same >= LEAST_SAME_ROWS
                && same * 100 >= known * SAME_PERCENT
                && lone * 100 >= rows as usize * LONE_PERCENT;
            let place = there(first).filter(|_| is_moved)?;
            Some(Found {
                at,
                first,
                rows,
                place,
            })
        };
        (self.bands.iter())
            .filter(|(_, _, rows)| *rows >= LEAST_ROWS)
            .filter_map(find)
            .collect()
    }

    /// The bands of which at least half is what was found in this picture of the other's bands, and the rest nothing but rows like
    /// those: blank ones, of which the other band has as many at its other end.
    fn gone_with(&self, mut found: Vec<Found>) -> Vec<Found> {
        found.sort_by_key(|other| other.place);
        let of_band = |&(at, first, rows): &(usize, u32, u32)| {
            // Half of a band takes in its middle.
            let middle = first + rows / 2;
            let near = found.partition_point(|other| other.place <= middle);
            let other = &found[near.checked_sub(1)?];
            let shared = first.max(other.place)..(first + rows).min(other.place + other.rows);
            let alike: HashSet<Option<u64>> = shared.clone().map(|y| self.hash(y)).collect();
            let is_moved = shared.len() * 100 >= rows as usize * LONE_PERCENT
                && (first..first + rows).all(|y| alike.contains(&self.hash(y)));
            let place = i64::from(first) + i64::from(other.first) - i64::from(other.place);
            let place = u32::try_from(place).ok().filter(|_| is_moved)?;
            Some(Found {
                at,
                first,
                rows,
                place,
            })
        };
        self.bands.iter().filter_map(of_band).collect()
    }
}
