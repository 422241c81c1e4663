//! What rows look like: how many edges each part of them has.

use std::ops::Range;

use pulp::{Arch, Simd, WithSimd};
use rustc_hash::FxHashMap;

use crate::align::run::Run;
use crate::loaded::Passing;
use crate::pair::Side;
use crate::raster::row::{EDGE, Row, apart};

/// Pixels of a part: the words of a line of text, and its edges fit a byte.
pub(super) const PART_PX: usize = 60;

/// Levels by which channels of rows differ that are laid on something else: more than smoothing makes of most.
const FAR: u8 = 64;

/// Rows that are laid on something else differ by no less than this share of their edges, one in this number: those of a table, whose
/// columns all have as many words, by no more.
const WRONG_SHARE: u64 = 6;

/// The same share of their ink: text that went aside by parts of a pixel differs by less.
const WRONG_INK_SHARE: u64 = 12;

/// Rows that look alike differ by no more than this share of their edges, one in this number.
const ALIKE_SHARE: u64 = 3;

/// For so many edges one channel of such rows is far off.
const FAR_SHARE: u64 = 2;

/// Of the edges by which a row differs from the one it is laid on, but not from the one above or below that, one in this number counts:
/// lines of text whose height is no whole number of pixels are drawn now one pixel higher, now one lower.
const BESIDE_SHARE: u64 = 4;

/// A stretch of rows is laid on what looks like it when they differ by no more than this share of their edges.
const STRETCH_SHARE: u64 = 2;

/// The rows of a picture by the edges of their parts, or by what else is counted in their place, as ink is.
pub(super) struct Profile {
    /// Parts of a row.
    parts: usize,
    /// Edges of each part, counted by channels, or its ink, row by row.
    counts: Vec<u8>,
    /// Edges of all rows above each row, and of all.
    above: Vec<u32>,
}

impl Profile {
    /// Those of some columns of both pictures, from their first rows with hashes on, by what is counted in each part of a row. Rows
    /// that are the same, blank ones and those that moved, are looked at once.
    pub(super) fn of_both(
        passing: &Passing<'_, '_>,
        columns: &Range<u32>,
        count: impl Fn(Row<'_>, &mut [u8]),
    ) -> [Self; 2] {
        let known = &passing.loaded.rows;
        let parts = part_count(columns.end - columns.start);
        let mut seen: FxHashMap<u64, usize> = FxHashMap::default();
        let mut counts = Vec::with_capacity((known.baseline.len() + known.current.len()) * parts);
        let sides = [
            (Side::Baseline, &known.baseline),
            (Side::Current, &known.current),
        ];
        for (side, hashes) in sides {
            for (y, hash) in (known.unhashed..).zip(hashes) {
                let own = counts.len();
                let first = *seen.entry(*hash).or_insert(own);
                if first < own {
                    counts.extend_from_within(first..first + parts);
                } else {
                    counts.resize(own + parts, 0);
                    passing.look_at(side, y, |row| {
                        count(row.within(columns.clone()), &mut counts[own..]);
                    });
                }
            }
        }
        let theirs = counts.split_off(known.baseline.len() * parts);
        [counts, theirs].map(|counts| Self::new(parts, counts))
    }

    fn new(parts: usize, counts: Vec<u8>) -> Self {
        let mut above = vec![0];
        let mut all = 0;
        for row in counts.chunks_exact(parts.max(1)) {
            all += row.iter().copied().map(u32::from).sum::<u32>();
            above.push(all);
        }
        Self {
            parts,
            counts,
            above,
        }
    }

    /// How many rows there are.
    pub(super) fn rows(&self) -> u32 {
        let rows = self.counts.len().checked_div(self.parts);
        u32::try_from(rows.unwrap_or(0)).expect("rows of a picture fit 32 bits")
    }

    /// All edges.
    pub(super) fn edges(&self) -> u64 {
        self.edges_of(0, self.rows())
    }

    /// Those of some rows. A picture of the largest size has fewer edges than fit 32 bits.
    pub(super) fn edges_of(&self, first: u32, rows: u32) -> u64 {
        u64::from(self.above[(first + rows) as usize] - self.above[first as usize])
    }

    /// Some rows.
    pub(super) fn part(&self, first: u32, rows: u32) -> &[u8] {
        &self.counts[first as usize * self.parts..][..rows as usize * self.parts]
    }

    /// By how many edges the rows of a run differ.
    pub(super) fn distance(&self, other: &Self, run: Run) -> u64 {
        distance(
            self.part(run.baseline, run.rows),
            other.part(run.current, run.rows),
        )
    }

    /// By how many edges a row differs from one of another picture, less most of what a pixel up or down makes.
    pub(super) fn apart(&self, other: &Self, pair: (u32, u32)) -> u64 {
        let [exact, least] = self.exact_and_least(other, pair);
        least + (exact - least).div_ceil(BESIDE_SHARE)
    }

    /// By how many edges a row differs from one of another picture, or from the one above or below that, if that is less.
    pub(super) fn least_apart(&self, other: &Self, pair: (u32, u32)) -> u64 {
        let [_, least] = self.exact_and_least(other, pair);
        least
    }

    fn exact_and_least(&self, other: &Self, (ours, theirs): (u32, u32)) -> [u64; 2] {
        let row = self.part(ours, 1);
        let exact = distance(row, other.part(theirs, 1));
        if exact == 0 {
            return [0; 2];
        }
        let (above, below) = (theirs.checked_sub(1), theirs + 1);
        let below = Some(below).filter(|y| *y < other.rows());
        let beside = above.into_iter().chain(below);
        let least = beside.map(|y| distance(row, other.part(y, 1)));
        [exact, least.fold(exact, u64::min)]
    }

    /// Whether the rows of a run are laid on what looks like them.
    pub(super) fn looks_like(&self, other: &Self, run: Run) -> bool {
        let edges = of_pair(
            self.part(run.baseline, run.rows),
            other.part(run.current, run.rows),
        );
        STRETCH_SHARE * self.distance(other, run) <= edges
    }
}

/// Some pairs of rows, by their channels.
#[derive(Default)]
pub(super) struct Sample {
    /// Edges, in the mean of both.
    edges: u64,
    /// By how many edges their parts differ.
    apart: u64,
    /// How many are far off.
    far: u64,
}

impl Sample {
    /// Adds some columns of a baseline row and a current one, counted as hashes are, by what is counted in each part of a row.
    pub(super) fn add(
        &mut self,
        passing: &Passing<'_, '_>,
        columns: &Range<u32>,
        count: impl Fn(Row<'_>, &mut [u8]),
        (ours, theirs): (u32, u32),
    ) {
        let above = passing.loaded.rows.unhashed;
        passing.look(ours + above, theirs + above, |before, after| {
            let [before, after] = [before, after].map(|row| row.within(columns.clone()));
            let [ours, theirs] = [before, after].map(|row| {
                let mut counts = vec![0; part_count(row.width())];
                count(row, &mut counts);
                counts
            });
            self.edges += of_pair(&ours, &theirs);
            self.apart += distance(&ours, &theirs);
            self.far += before.channels_apart(after, FAR);
        });
    }

    /// Whether they may be laid on something else.
    pub(super) fn is_laid_wrong(&self) -> bool {
        self.differs_by(WRONG_SHARE)
    }

    /// The same of rows that are told by their ink.
    pub(super) fn is_inked_wrong(&self) -> bool {
        WRONG_INK_SHARE * self.apart > self.edges
    }

    /// Whether they are laid on what looks like them.
    pub(super) fn is_alike(&self) -> bool {
        !self.differs_by(ALIKE_SHARE)
    }

    fn differs_by(&self, share: u64) -> bool {
        share * self.apart > self.edges && FAR_SHARE * self.far > self.edges
    }
}

/// By how many edges two lists of parts differ.
pub(super) fn distance(ours: &[u8], theirs: &[u8]) -> u64 {
    Arch::new().dispatch(Apart(ours, theirs))
}

/// By how much all bytes of two lists differ in sum, which fits 32 bits.
struct Apart<'r>(&'r [u8], &'r [u8]);

impl WithSimd for Apart<'_> {
    type Output = u64;

    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) -> u64 {
        let pairs = self.0.iter().zip(self.1);
        let apart = pairs.map(|(one, other)| u32::from(one.abs_diff(*other)));
        u64::from(apart.sum::<u32>())
    }
}

/// How many edges either has, in the mean of both.
fn of_pair(ours: &[u8], theirs: &[u8]) -> u64 {
    let both = ours.iter().chain(theirs).copied();
    both.map(u64::from).sum::<u64>() / 2
}

fn part_count(width: u32) -> usize {
    (width as usize).saturating_sub(1).div_ceil(PART_PX).max(1)
}

/// Counts the edges of each part of a row, in each channel between neighbours.
pub(super) fn count_edges(row: Row<'_>, parts: &mut [u8]) {
    Arch::new().dispatch(CountEdges { row, parts });
}

struct CountEdges<'r> {
    row: Row<'r>,
    parts: &'r mut [u8],
}

impl WithSimd for CountEdges<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) {
        let Row { bytes, channels } = self.row;
        let (left, right) = (&bytes[..bytes.len() - channels], &bytes[channels..]);
        let of_part = PART_PX * channels;
        let neighbours = left.chunks(of_part).zip(right.chunks(of_part));
        for ((left, right), part) in neighbours.zip(self.parts) {
            let pairs = left.iter().zip(right);
            *part = pairs.fold(0, |edges, (one, next)| {
                edges + u8::from(apart(*one, *next) > EDGE)
            });
        }
    }
}

/// By how many levels some columns of a baseline row and a current one, counted as hashes are, differ in all their channels.
pub(super) fn levels_apart(
    passing: &Passing<'_, '_>,
    columns: &Range<u32>,
    (ours, theirs): (u32, u32),
) -> u64 {
    let above = passing.loaded.rows.unhashed;
    passing.look(ours + above, theirs + above, |before, after| {
        let [before, after] = [before, after].map(|row| row.within(columns.clone()));
        before.sum_over_channels(after, |one, other| u32::from(apart(one, other)))
    })
}
