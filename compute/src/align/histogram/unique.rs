//! Matching by the rows that occur once in either sequence, whatever lies between them.

use rustc_hash::FxHashMap;

use crate::align::gaps::Gap;
use crate::align::run::{Run, length};

use super::{Histogram, Piece, UNKNOWN, rows};

impl Histogram {
    /// Whether runs leave out, of both sequences, a row that occurs once in the first: it may have gone past others.
    pub(super) fn leaves_moved_rows(&self, runs: &[Run]) -> bool {
        let mut is_left = vec![false; self.firsts.len() - 1];
        let end = Run {
            baseline: length(&self.one),
            current: length(&self.other),
            rows: 0,
        };
        let (above, below) = ([Run::START].iter().chain(runs), runs.iter().chain([&end]));
        let gaps: Vec<Gap> = (above.zip(below))
            .map(|(&above, &below)| Gap::between(above, below))
            .collect();
        for gap in &gaps {
            for &kind in &self.one[rows(&gap.baseline)] {
                let kind = kind as usize;
                is_left[kind] = self.firsts[kind + 1] - self.firsts[kind] == 1;
            }
        }
        (gaps.iter().flat_map(|gap| &self.other[rows(&gap.current)]))
            .any(|&kind| kind != UNKNOWN && is_left[kind as usize])
    }

    /// Adds the runs around the rows that occur once in either sequence's part of a piece and are in the same order in both.
    pub(super) fn match_unique_rows(&mut self, piece: &Piece, runs: &mut Vec<Run>) {
        let chain = longest_chain(&self.unique_rows(piece));
        self.match_chain(piece, &chain, runs);
    }

    /// Where the rows lie that occur once in either sequence's part of a piece, from top to bottom of the first.
    pub(super) fn unique_rows(&mut self, piece: &Piece) -> Vec<(u32, u32)> {
        self.count(piece, 2);
        let mut place_of: FxHashMap<u32, u32> = FxHashMap::default();
        let is_unique = |kind: u32| {
            kind != UNKNOWN && self.counts.iter().all(|counts| counts[kind as usize] == 1)
        };
        for at in piece.other.clone() {
            let kind = self.other[at as usize];
            if is_unique(kind) {
                place_of.insert(kind, at);
            }
        }
        let both = (piece.one.clone())
            .filter_map(|at| Some((at, *place_of.get(&self.one[at as usize])?)))
            .collect();
        self.uncount(piece, 2);
        both
    }

    /// Adds the runs around a chain of rows; says what lies between them.
    pub(super) fn match_chain(
        &self,
        piece: &Piece,
        chain: &[(u32, u32)],
        runs: &mut Vec<Run>,
    ) -> Vec<Piece> {
        let mut pieces = Vec::new();
        let mut left = piece.clone();
        for &(baseline, current) in chain {
            if baseline >= left.one.start && current >= left.other.start {
                let run = self.run_around(&left, baseline, current).run;
                let [above, below] = left.around(run);
                runs.push(run);
                pieces.push(above);
                left = below;
            }
        }
        pieces.push(left);
        pieces
    }
}

/// The longest chain of pairs, given in the order of their first numbers, in which the second ones ascend, too (C. Schensted,
/// "Longest Increasing and Decreasing Subsequences", 1961). No number occurs twice.
pub(super) fn longest_chain(pairs: &[(u32, u32)]) -> Vec<(u32, u32)> {
    // For each length the pair that ends a chain of it lowest, and for each pair the one before it in its chain.
    let mut ends: Vec<usize> = Vec::new();
    let mut before: Vec<Option<usize>> = Vec::with_capacity(pairs.len());
    for (at, pair) in pairs.iter().enumerate() {
        let length = ends.partition_point(|&end| pairs[end].1 < pair.1);
        before.push(length.checked_sub(1).map(|shorter| ends[shorter]));
        if let Some(end) = ends.get_mut(length) {
            *end = at;
        } else {
            ends.push(at);
        }
    }
    let last = ends.last().copied();
    let mut chain: Vec<_> = std::iter::successors(last, |&at| before[at])
        .map(|at| pairs[at])
        .collect();
    chain.reverse();
    chain
}
