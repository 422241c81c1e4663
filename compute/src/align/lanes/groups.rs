//! Neighbouring columns that belong together.

use std::ops::Range;

use crate::align::run::{Run, row_count};

/// Columns agree when this many times more of their rows went the same way than different ways.
const AGREEMENT: u64 = 4;

/// What a column of cells tells of where the rows went.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Told<'r> {
    /// That they went there.
    Went(Way<'r>),
    /// Nothing: its rows are alike wherever they went.
    Nothing,
    /// That they are nowhere: they look different now.
    Nowhere,
}

/// Where the rows of a column went.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Way<'r> {
    pub(super) runs: &'r [Run],
    /// What of these is rare.
    pub(super) telling: &'r [Run],
}

/// Ranges of neighbouring columns whose rows went the same way, or nowhere; columns that tell nothing go with their left
/// neighbour.
pub(super) fn group_columns<'r>(columns: impl Iterator<Item = Told<'r>>) -> Vec<Range<usize>> {
    let mut groups: Vec<Range<usize>> = Vec::new();
    // What the last group tells.
    let mut telling = Told::Nothing;
    for (at, told) in columns.enumerate() {
        let is_apart = match (telling, told) {
            (_, Told::Nothing) | (Told::Nothing, _) => false,
            (Told::Went(before), Told::Went(way)) => !agree(before, way),
            (before, told) => before != told,
        };
        match groups.last_mut() {
            Some(group) if !is_apart => group.end = at + 1,
            _ => groups.push(at..at + 1),
        }
        if is_apart || tells_more(told, telling) {
            telling = told;
        }
    }
    groups
}

/// Whether a column of a group says more than those before it.
fn tells_more(told: Told<'_>, before: Told<'_>) -> bool {
    match (told, before) {
        (Told::Went(way), Told::Went(before)) => way.telling_rows() > before.telling_rows(),
        (told, before) => before == Told::Nothing && told != Told::Nothing,
    }
}

impl Way<'_> {
    fn telling_rows(&self) -> u32 {
        row_count(self.telling)
    }
}

/// Whether what is rare in the column that has less of it went, in either picture, as these rows went in the other. What is
/// blank in it would be the same elsewhere.
fn agree(one: Way<'_>, other: Way<'_>) -> bool {
    let (less, more) = if one.telling_rows() <= other.telling_rows() {
        (one, other)
    } else {
        (other, one)
    };
    let in_baseline = Shared::of(less.telling, more.runs, |run| run.baseline);
    let in_current = Shared::of(less.telling, more.runs, |run| run.current);
    in_baseline.same + in_current.same >= (in_baseline.different + in_current.different) * AGREEMENT
}

/// Rows of one picture that the runs of both columns have.
#[derive(Default)]
struct Shared {
    /// Those that went the same way.
    same: u64,
    different: u64,
}

impl Shared {
    /// Goes through both from top to bottom: in either picture runs do not overlap.
    fn of(one: &[Run], other: &[Run], first: fn(&Run) -> u32) -> Self {
        let mut shared = Self::default();
        let (mut ours, mut theirs) = (one.iter().peekable(), other.iter().peekable());
        while let (Some(run), Some(against)) = (ours.peek(), theirs.peek()) {
            let (end, against_end) = (first(run) + run.rows, first(against) + against.rows);
            let rows = (end.min(against_end)).saturating_sub(first(run).max(first(against)));
            if run.shift() == against.shift() {
                shared.same += u64::from(rows);
            } else {
                shared.different += u64::from(rows);
            }
            if end <= against_end {
                ours.next();
            } else {
                theirs.next();
            }
        }
        shared
    }
}
