//! What was measured: for each contender and each pair, its samples.

use super::contender::Contender;
use super::corpus::{Kind, Pair};
use super::statistics::{lowest, median};

/// What one comparison took.
#[derive(Debug, Clone, Copy)]
pub(super) struct Sample {
    /// User and system time of all threads.
    pub(super) cpu_ms: f64,
    pub(super) wall_ms: f64,
}

/// One contender on one pair.
#[derive(Debug, Default)]
pub(super) struct Cell {
    pub(super) samples: Vec<Sample>,
    /// Pixels that it found changed.
    pub(super) changed: Option<u64>,
    /// Size of the image that it wrote.
    pub(super) output_bytes: Option<u64>,
    /// Why it could not be measured; it is not tried again on this pair.
    pub(super) failure: Option<String>,
}

/// Everything that was measured.
pub(super) struct Results {
    pub(super) contenders: Vec<Contender>,
    pub(super) pairs: Vec<Pair>,
    /// By contender, then by pair.
    pub(super) cells: Vec<Vec<Cell>>,
}

/// CPU time or wall time.
#[derive(Debug, Clone, Copy)]
pub(super) enum Time {
    Cpu,
    Wall,
}

/// How many times longer a contender took than another on the pairs of a kind.
#[derive(Debug, Clone, Copy)]
pub(super) struct Ratio {
    /// Median over the pairs.
    pub(super) median: f64,
    /// On the pair where it is lowest.
    pub(super) lowest: f64,
    /// Pairs of the kind that `ours` could not be measured on. (One that only the other refused is in no figure.)
    pub(super) missing: usize,
}

/// A pair that a contender could not be measured on.
pub(super) struct Failure<'a> {
    pub(super) contender: &'a Contender,
    pub(super) pair: &'a Pair,
    pub(super) why: &'a str,
}

impl Results {
    pub(super) fn new(contenders: Vec<Contender>, pairs: Vec<Pair>) -> Self {
        let cells = contenders
            .iter()
            .map(|_| pairs.iter().map(|_| Cell::default()).collect())
            .collect();
        Self {
            contenders,
            pairs,
            cells,
        }
    }

    /// The contender's place; `None` when it was left out.
    pub(super) fn place(&self, contender: &Contender) -> Option<usize> {
        self.contenders.iter().position(|other| other == contender)
    }

    /// Median over the rounds, in milliseconds.
    pub(super) fn of_pair(&self, contender: usize, pair: usize, time: Time) -> Option<f64> {
        median(
            self.cells[contender][pair]
                .samples
                .iter()
                .map(|sample| match time {
                    Time::Cpu => sample.cpu_ms,
                    Time::Wall => sample.wall_ms,
                }),
        )
    }

    /// Median over the pairs of a kind, in milliseconds.
    pub(super) fn of_kind(&self, contender: usize, kind: Kind, time: Time) -> Option<f64> {
        median(
            self.pairs_of(kind)
                .filter_map(|pair| self.of_pair(contender, pair, time)),
        )
    }

    /// How many times longer the contender took than `ours`, pair by pair.
    pub(super) fn ratio(
        &self,
        contender: usize,
        ours: usize,
        kind: Kind,
        time: Time,
    ) -> Option<Ratio> {
        let ratios: Vec<f64> = self
            .pairs_of(kind)
            .filter_map(|pair| {
                Some(self.of_pair(contender, pair, time)? / self.of_pair(ours, pair, time)?)
            })
            .collect();
        Some(Ratio {
            median: median(ratios.iter().copied())?,
            lowest: lowest(ratios.iter().copied())?,
            missing: (self.pairs_of(kind))
                .filter(|&pair| self.of_pair(ours, pair, time).is_none())
                .count(),
        })
    }

    /// Median size of the images that it wrote for a kind.
    pub(super) fn output_bytes(&self, contender: usize, kind: Kind) -> Option<f64> {
        median(
            self.pairs_of(kind)
                .filter_map(|pair| self.cells[contender][pair].output_bytes)
                .map(|bytes| bytes as f64),
        )
    }

    /// Whether a contender could not be measured on a pair of a kind.
    pub(super) fn failed(&self, contender: usize, kind: Kind) -> bool {
        (self.pairs_of(kind)).any(|pair| self.cells[contender][pair].failure.is_some())
    }

    /// All that could not be measured, contender by contender.
    pub(super) fn failures(&self) -> impl Iterator<Item = Failure<'_>> {
        let by_contender = self.contenders.iter().zip(&self.cells);
        by_contender.flat_map(|(contender, cells)| {
            (self.pairs.iter().zip(cells)).filter_map(move |(pair, cell)| {
                let why = cell.failure.as_deref()?;
                Some(Failure {
                    contender,
                    pair,
                    why,
                })
            })
        })
    }

    pub(super) fn pairs_of(&self, kind: Kind) -> impl Iterator<Item = usize> {
        (0..self.pairs.len()).filter(move |&pair| self.pairs[pair].kind == kind)
    }
}
