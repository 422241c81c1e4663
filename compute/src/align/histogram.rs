//! Rows of two sequences matched as lines of text are, within a bound on the work.
//!
//! It is git's histogram diff (after Bram Cohen's patience diff): the run of rows that both sequences have is taken that holds
//! the rarest row, of equally rare ones the longest; what lies above it and below it is matched by itself. That takes time with
//! the square of the number of runs when each hangs on the one before. So the rows that are looked at are counted, and what is
//! left when there were too many is matched by the rows that occur once in either: the longest chain of those that are in the
//! same order in both, which takes hardly longer than sorting.
//!
//! The run that is taken first may be one that went past many others: a block that was moved up by half a page. So where a row
//! that occurs once is left over in both sequences, rows that occur once are tried first, too: their longest chain, and between
//! its runs a histogram diff again. What matches more rows counts.

mod unique;

use std::ops::Range;

use rustc_hash::{FxBuildHasher, FxHashMap};

use super::run::{Run, length, row_count};

use unique::longest_chain;

/// Rows looked at, for each row of both sequences, before the rest is matched by unique rows: a page with some hundred edits
/// takes that many at most.
const LOOKS_PER_ROW: u64 = 256;

/// Looks that a short sequence has all the same: some 0.1 s.
const LEAST_LOOKS: u64 = 1 << 25;

/// How often a row may occur in the first sequence for its likes to be looked for; others are only where there is nothing else.
const MAX_OCCURRENCES: u32 = 63;

/// Stands for a row of the second sequence that the first has not.
const UNKNOWN: u32 = u32::MAX;

/// The runs of rows that both sequences have one after the other, from top to bottom; of neighbours at least one sequence has
/// rows between them.
pub(super) fn matched_runs(one: &[u64], other: &[u64]) -> Vec<Run> {
    let above = common(one.iter(), other.iter());
    let (one_below, other_below) = (&one[above as usize..], &other[above as usize..]);
    let below = common(one_below.iter().rev(), other_below.iter().rev());
    let middle = Piece {
        one: above..length(one) - below,
        other: above..length(other) - below,
    };
    let ends = vec![
        Run {
            rows: above,
            ..Run::START
        },
        Run {
            baseline: middle.one.end,
            current: middle.other.end,
            rows: below,
        },
    ];
    let mut histogram = Histogram::of(one, other);
    let mut runs = ends.clone();
    histogram.match_rows(vec![middle.clone()], &mut runs);
    let runs = joined(runs);
    if !histogram.leaves_moved_rows(&runs) {
        return runs;
    }
    let mut others = ends;
    let chain = longest_chain(&histogram.unique_rows(&middle));
    let between = histogram.match_chain(&middle, &chain, &mut others);
    histogram.match_rows(between, &mut others);
    let others = joined(others);
    if row_count(&others) > row_count(&runs) {
        others
    } else {
        runs
    }
}

/// How many rows are the same before the first that is not.
fn common<'r>(one: impl Iterator<Item = &'r u64>, other: impl Iterator<Item = &'r u64>) -> u32 {
    let same = one.zip(other).take_while(|(one, other)| one == other);
    u32::try_from(same.count()).expect("rows of a picture fit 32 bits")
}

/// Runs from top to bottom, those that go on where another ends being one.
fn joined(mut runs: Vec<Run>) -> Vec<Run> {
    runs.retain(|run| run.rows > 0);
    runs.sort_unstable_by_key(|run| run.baseline);
    runs.dedup_by(|run, above| {
        let goes_on = above.baseline + above.rows == run.baseline
            && above.current + above.rows == run.current;
        if goes_on {
            above.rows += run.rows;
        }
        goes_on
    });
    runs
}

/// Rows of both sequences that are matched by themselves.
#[derive(Debug, Clone)]
struct Piece {
    one: Range<u32>,
    other: Range<u32>,
}

impl Piece {
    /// What lies above a run, and below it.
    fn around(&self, run: Run) -> [Self; 2] {
        [
            Self {
                one: self.one.start..run.baseline,
                other: self.other.start..run.current,
            },
            Self {
                one: run.baseline + run.rows..self.one.end,
                other: run.current + run.rows..self.other.end,
            },
        ]
    }

    fn is_empty(&self) -> bool {
        self.one.is_empty() || self.other.is_empty()
    }
}

/// A run, and how often the rarest of its rows occurs in the first sequence's part of a piece.
#[derive(Debug, Clone, Copy)]
struct Best {
    run: Run,
    occurrences: u32,
}

/// Both sequences, their rows known by the numbers of their kinds.
struct Histogram {
    one: Vec<u32>,
    other: Vec<u32>,
    /// Where the rows of the first sequence lie, kind by kind, each from top to bottom.
    places: Vec<u32>,
    /// Where a kind begins among them; one more than there are kinds.
    firsts: Vec<u32>,
    /// How often each kind occurs in the piece at hand, in the first sequence and in the second.
    counts: [Vec<u32>; 2],
    looks_left: u64,
}

impl Histogram {
    fn of(one: &[u64], other: &[u64]) -> Self {
        let mut kinds: FxHashMap<u64, u32> =
            FxHashMap::with_capacity_and_hasher(one.len(), FxBuildHasher);
        let one: Vec<u32> = (one.iter())
            .map(|&row| {
                let next = u32::try_from(kinds.len()).expect("rows of a picture fit 32 bits");
                *kinds.entry(row).or_insert(next)
            })
            .collect();
        let kind_of = |row: &u64| kinds.get(row).copied().unwrap_or(UNKNOWN);
        let other: Vec<u32> = other.iter().map(kind_of).collect();
        let (places, firsts) = places_of(&one, kinds.len());
        let rows = u64::from(length(&one)) + u64::from(length(&other));
        Self {
            places,
            firsts,
            counts: [vec![0; kinds.len()], vec![0; kinds.len()]],
            looks_left: LEAST_LOOKS.max(rows * LOOKS_PER_ROW),
            one,
            other,
        }
    }

    /// Adds the runs of pieces, in no order.
    fn match_rows(&mut self, mut pieces: Vec<Piece>, runs: &mut Vec<Run>) {
        while let Some(piece) = pieces.pop() {
            if piece.is_empty() {
                continue;
            }
            let best = self.best_run(&piece);
            if self.looks_left == 0 {
                self.match_unique_rows(&piece, runs);
            } else if let Some(run) = best {
                runs.push(run);
                pieces.extend(piece.around(run));
            }
        }
    }

    /// The run that is taken first; `None` when nothing is the same, and when there were too many looks.
    fn best_run(&mut self, piece: &Piece) -> Option<Run> {
        self.look(u64::from(piece.one.end - piece.one.start));
        self.count(piece, 1);
        let mut best = self.search(piece, MAX_OCCURRENCES);
        if best.is_none() {
            best = self.search(piece, u32::MAX);
        }
        self.uncount(piece, 1);
        best.map(|best| best.run)
    }

    fn search(&mut self, piece: &Piece, most: u32) -> Option<Best> {
        let mut best: Option<Best> = None;
        let mut at = piece.other.start;
        while at < piece.other.end && self.look(1) {
            let kind = self.other[at as usize];
            let most = best.map_or(most, |best| best.occurrences);
            at = if kind == UNKNOWN || !(1..=most).contains(&self.counts[0][kind as usize]) {
                at + 1
            } else {
                self.look_around(piece, at, &mut best)
            };
        }
        best
    }

    /// Looks at the runs around the likes of a row of the second sequence; says which row to look at next.
    fn look_around(&mut self, piece: &Piece, at: u32, best: &mut Option<Best>) -> u32 {
        let kind = self.other[at as usize] as usize;
        let (first, end) = (self.firsts[kind] as usize, self.firsts[kind + 1] as usize);
        let place = |at: usize| self.places[at];
        let mut next = first + self.places[first..end].partition_point(|&at| at < piece.one.start);
        let mut next_at = at + 1;
        let mut looks = 0_u64;
        // Where each place has a longer run than the one before, all are looked at, each for longer.
        while next < end && place(next) < piece.one.end && looks < self.looks_left {
            let found = self.run_around(piece, place(next), at);
            looks += u64::from(found.run.rows);
            next_at = next_at.max(found.run.current + found.run.rows);
            let is_better = best.is_none_or(|best| {
                found.run.rows > best.run.rows || found.occurrences < best.occurrences
            });
            if is_better {
                *best = Some(found);
            }
            let below = found.run.baseline + found.run.rows;
            while next < end && place(next) < below {
                next += 1;
            }
        }
        self.look(looks);
        next_at
    }

    /// The rows around two that are the same, as far as they are the same in both sequences.
    fn run_around(&self, piece: &Piece, baseline: u32, current: u32) -> Best {
        let (one, other) = (&self.one, &self.other);
        let above = |at: u32, rows: &Range<u32>| (rows.start as usize..at as usize).rev();
        let up = above(baseline, &piece.one)
            .zip(above(current, &piece.other))
            .take_while(|&(ours, theirs)| one[ours] == other[theirs]);
        let down = (baseline as usize..piece.one.end as usize)
            .zip(current as usize..piece.other.end as usize)
            .take_while(|&(ours, theirs)| one[ours] == other[theirs]);
        let counts = &self.counts[0];
        let (mut above, mut rows, mut occurrences) = (0, 0, u32::MAX);
        for (ours, _) in up {
            above += 1;
            occurrences = occurrences.min(counts[one[ours] as usize]);
        }
        for (ours, _) in down {
            rows += 1;
            occurrences = occurrences.min(counts[one[ours] as usize]);
        }
        Best {
            run: Run {
                baseline: baseline - above,
                current: current - above,
                rows: above + rows,
            },
            occurrences,
        }
    }

    /// Counts how often each kind occurs in a piece: in the first sequence, or in both.
    fn count(&mut self, piece: &Piece, sequences: usize) {
        self.for_each_count(piece, sequences, |count| *count += 1);
    }

    /// Forgets the counts of a piece again.
    fn uncount(&mut self, piece: &Piece, sequences: usize) {
        self.for_each_count(piece, sequences, |count| *count = 0);
    }

    fn for_each_count(&mut self, piece: &Piece, sequences: usize, change: fn(&mut u32)) {
        let both = [&self.one[rows(&piece.one)], &self.other[rows(&piece.other)]];
        for (counts, kinds) in self.counts.iter_mut().zip(both).take(sequences) {
            for &kind in kinds {
                if let Some(count) = counts.get_mut(kind as usize) {
                    change(count);
                }
            }
        }
    }

    /// Counts so many rows that are looked at; whether there may be more.
    fn look(&mut self, rows: u64) -> bool {
        self.looks_left = self.looks_left.saturating_sub(rows);
        self.looks_left > 0
    }
}

fn rows(range: &Range<u32>) -> Range<usize> {
    range.start as usize..range.end as usize
}

/// Where the rows of each kind lie, and where each kind begins among them.
fn places_of(kinds: &[u32], count: usize) -> (Vec<u32>, Vec<u32>) {
    let mut firsts = vec![0; count + 1];
    for &kind in kinds {
        firsts[kind as usize + 1] += 1;
    }
    for kind in 0..count {
        firsts[kind + 1] += firsts[kind];
    }
    let mut next = firsts.clone();
    let mut places = vec![0; kinds.len()];
    for (at, &kind) in (0..).zip(kinds) {
        let place = &mut next[kind as usize];
        places[*place as usize] = at;
        *place += 1;
    }
    (places, firsts)
}

#[cfg(test)]
mod tests;
