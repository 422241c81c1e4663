//! Bands that were inserted or removed, slid so that those of one block begin and end with the same row.
//!
//! Where a block came in between blank rows, or between rows of a table that look alike, it is the same page whether the rows
//! above it or those below it are the new ones. A block that moved left such rows, and came among such: unless both bands are cut
//! alike, each holds another part of it.

use rustc_hash::FxHashMap;

use super::stretch::{self, Stretch};
use crate::pair::Side;

/// Rows that occur once among what came and once among what went, which two bands need to be of one block.
const LEAST_SHARED_ROWS: u32 = 4;

/// How far the bands of a block are slid at most, in rows.
const MAX_SLIDE_ROWS: i64 = 512;

/// What came and what went of one block: where both lie among the stretches, and where they are.
struct Block {
    removed: Lone,
    inserted: Lone,
    /// How far down its rows went.
    way: i64,
    /// How many rows tell so.
    shared: u32,
}

/// Rows that only one picture has.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Lone {
    at: usize,
    first: u32,
    rows: u32,
}

/// What the rows of a lane are told by.
#[derive(Clone, Copy)]
pub(super) struct Rows<'r> {
    /// Hashes of rows of the baseline and the current picture.
    pub(super) hashes: [&'r [u64]; 2],
    /// Rows at the top without hashes.
    pub(super) unhashed: u32,
    /// Whether two rows of a picture show the same in the lane: asked where hashes do not tell, because there is none, or because one
    /// is of the whole row.
    pub(super) are_same: &'r dyn Fn(Side, u32, u32) -> bool,
}

impl Rows<'_> {
    fn hash(&self, side: Side, y: u32) -> Option<u64> {
        let hashes = match side {
            Side::Baseline => self.hashes[0],
            Side::Current => self.hashes[1],
        };
        hashes.get(y.checked_sub(self.unhashed)? as usize).copied()
    }
}

/// Slides bands where the page is the same after it.
pub(super) fn slide_into_phase(stretches: &mut [Stretch], rows: Rows<'_>) {
    let mut blocks = blocks(stretches, rows);
    let nearest = |block: &Block| {
        let (one, other) = (block.removed.at, block.inserted.at);
        (one.min(other), one.max(other))
    };
    blocks.sort_by_key(|block| {
        let more = std::cmp::Reverse(block.shared);
        (more, block.way.abs(), nearest(block), block.way)
    });
    let mut slid = vec![false; stretches.len()];
    let by_hashes = Rows {
        are_same: &|_, _, _| false,
        ..rows
    };
    for block in blocks {
        let Block {
            removed, inserted, ..
        } = block;
        if slid[removed.at] || slid[inserted.at] {
            continue;
        }
        (slid[removed.at], slid[inserted.at]) = (true, true);
        // What of the shorter one lies beside the longer one after all went that way.
        let apart = i64::from(inserted.first) - i64::from(removed.first) - block.way;
        let longer = i64::from(removed.rows) - i64::from(inserted.rows);
        let wanted = apart.clamp(longer.min(0), longer.max(0)) - apart;
        let wanted = wanted.clamp(-MAX_SLIDE_ROWS, MAX_SLIDE_ROWS);
        // Upper ones first: swapping both pictures must not matter.
        let is_removed_above = removed.at < inserted.at;
        let [above, below] = if is_removed_above {
            [(removed, Side::Baseline, -1), (inserted, Side::Current, 1)]
        } else {
            [(inserted, Side::Current, 1), (removed, Side::Baseline, -1)]
        };
        let mut left = wanted;
        // Who looks for what moved knows rows by their hashes.
        for rows in [by_hashes, rows] {
            for (lone, side, towards) in [above, below] {
                left -= towards * slide(stretches, lone.at, side, rows, towards * left);
            }
        }
    }
}

/// Slides bands of rows that are all alike down to the end of such rows. Where a bar beside the page has nothing, more of nothing
/// came in at its end, and not somewhere in its middle.
pub(super) fn slide_to_end_of_ground(stretches: &mut [Stretch], rows: Rows<'_>) {
    for at in 0..stretches.len() {
        let band = stretches[at];
        let (first, side) = match (band.baseline, band.current) {
            (Some(first), None) => (first, Side::Baseline),
            (None, Some(first)) => (first, Side::Current),
            _ => continue,
        };
        let of_first = rows.hash(side, first);
        let is_alike = |y: u32| rows.hash(side, y) == of_first;
        if of_first.is_some() && (first..first + band.rows).all(is_alike) {
            slide(stretches, at, side, rows, i64::from(u32::MAX));
        }
    }
}

/// What may be one block, by rows that occur once on either side.
fn blocks(stretches: &[Stretch], rows: Rows<'_>) -> Vec<Block> {
    let lone = |is_removed: bool| {
        let found = (stretches.iter().enumerate()).filter_map(move |(at, stretch)| {
            let first = match (stretch.baseline, stretch.current) {
                (Some(first), None) if is_removed => first,
                (None, Some(first)) if !is_removed => first,
                _ => return None,
            };
            let rows = stretch.rows;
            Some(Lone { at, first, rows })
        });
        found.collect::<Vec<Lone>>()
    };
    let (removed, inserted) = (lone(true), lone(false));
    if removed.is_empty() || inserted.is_empty() {
        return Vec::new();
    }
    let [went, came] = [(&removed, Side::Baseline), (&inserted, Side::Current)]
        .map(|(lone, side)| single(lone, side, rows));
    let mut shared: FxHashMap<(Lone, Lone, i64), u32> = FxHashMap::default();
    for (hash, found) in went {
        if let Some((removed, from)) = found
            && let Some(&Some((inserted, to))) = came.get(&hash)
        {
            let way = i64::from(to) - i64::from(from);
            *shared.entry((removed, inserted, way)).or_default() += 1;
        }
    }
    let blocks = shared
        .into_iter()
        .map(|((removed, inserted, way), shared)| Block {
            removed,
            inserted,
            way,
            shared,
        });
    blocks
        .filter(|block| block.shared >= LEAST_SHARED_ROWS)
        .collect()
}

/// Where rows lie in some bands; `None` for those that occur more than once.
fn single(bands: &[Lone], side: Side, rows: Rows<'_>) -> FxHashMap<u64, Option<(Lone, u32)>> {
    let mut places = FxHashMap::default();
    for &band in bands {
        for y in band.first..band.first + band.rows {
            let Some(hash) = rows.hash(side, y) else {
                continue;
            };
            places
                .entry(hash)
                .and_modify(|place| *place = None)
                .or_insert(Some((band, y)));
        }
    }
    places
}

/// Slides a band by so many rows down (up, when it is negative) or by as many as leave the page the same; says by how many.
fn slide(stretches: &mut [Stretch], at: usize, side: Side, of: Rows<'_>, by: i64) -> i64 {
    let Some([above, band, below]) = (at.checked_sub(1))
        .and_then(|first| stretches.get_mut(first..=at + 1))
        .and_then(|three| <&mut [Stretch; 3]>::try_from(three).ok())
    else {
        return 0;
    };
    let is_paired = |stretch: &Stretch| stretch.baseline.is_some() && stretch.current.is_some();
    let (Some(first), true, true) = (
        band.baseline.xor(band.current),
        is_paired(above),
        is_paired(below),
    ) else {
        return 0;
    };
    let next = if by < 0 { &*above } else { &*below };
    // Some of it stays between this band and the next one.
    let most = u32::try_from(by.abs()).unwrap_or(u32::MAX);
    let most = most.min(next.rows - 1);
    let rows = band.rows;
    let is_same = |&step: &u32| {
        let upper = if by < 0 {
            first - 1 - step
        } else {
            first + step
        };
        let [one, other] = [upper, upper + rows].map(|y| of.hash(side, y));
        (one.is_some() && one == other) || (of.are_same)(side, upper, upper + rows)
    };
    let steps = (0..most).take_while(is_same).count();
    let steps = i64::try_from(steps).expect("rows of a picture fit 32 bits") * by.signum();
    let step = i32::try_from(steps).expect("a band is slid by few rows");
    stretch::slide([above, band, below], step);
    steps
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rows<'r>(baseline: &'r [u64], current: &'r [u64]) -> Rows<'r> {
        Rows {
            hashes: [baseline, current],
            unhashed: 0,
            are_same: &|_, _, _| false,
        }
    }

    /// Rows of a list whose entries have ten blank rows, eight of text and ten blank ones again.
    fn list(entries: &[u64]) -> Vec<u64> {
        let entry = |&entry: &u64| {
            let blank = [0; 10];
            let text: Vec<u64> = (1..=8).map(|row| entry * 100 + row).collect();
            [&blank[..], &text, &blank[..]].concat()
        };
        entries.iter().flat_map(entry).collect()
    }

    #[test]
    fn an_entry_that_moved_is_cut_alike_where_it_was_and_where_it_is() {
        let (before, after) = (list(&[1, 2, 3, 4, 5, 6]), list(&[1, 3, 4, 5, 2, 6]));
        // Entry 2 has rows 28 to 56 of the baseline and 112 to 140 of the current picture.
        for (went, came) in [(0, 0), (-10, 0), (-9, 8), (10, -10), (0, 10)] {
            let [from, to] =
                [(28, went), (112, came)].map(|(y, by)| 0_u32.strict_add(y).strict_add_signed(by));
            let bands = vec![
                Stretch::new(from, Some(0), Some(0)),
                Stretch::new(28, Some(from), None),
                Stretch::new(to - from, Some(from + 28), Some(from)),
                Stretch::new(28, None, Some(to)),
                Stretch::new(140 - to, Some(to + 28), Some(to + 28)),
            ];
            let mut there = bands.clone();
            slide_into_phase(&mut there, rows(&before, &after));
            assert_eq!(
                there[3].current.unwrap() - there[1].baseline.unwrap(),
                84,
                "{there:?}"
            );
            let paired = |bands: &[Stretch]| {
                let pairs =
                    super::super::stretch::paired(bands).flat_map(super::super::run::Run::pairs);
                pairs
                    .map(|(ours, theirs)| (before[ours as usize], after[theirs as usize]))
                    .collect::<Vec<_>>()
            };
            assert_eq!(paired(&there), paired(&bands), "the page is the same");
            let turn = |it: &Stretch| Stretch::new(it.rows, it.current, it.baseline);
            let mut back: Vec<Stretch> = bands.iter().map(turn).collect();
            slide_into_phase(&mut back, rows(&after, &before));
            assert_eq!(back, there.iter().map(turn).collect::<Vec<_>>());
        }
    }

    #[test]
    fn what_is_no_block_stays_where_it_is() {
        let (before, after) = (list(&[1, 2, 3, 4, 6]), list(&[1, 3, 4, 5, 6]));
        let mut bands = vec![
            Stretch::new(20, Some(0), Some(0)),
            Stretch::new(28, Some(20), None),
            Stretch::new(66, Some(48), Some(20)),
            Stretch::new(28, None, Some(86)),
            Stretch::new(26, Some(114), Some(114)),
        ];
        let as_it_was = bands.clone();
        slide_into_phase(&mut bands, rows(&before, &after));
        assert_eq!(bands, as_it_was);
    }
}
