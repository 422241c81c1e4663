//! Runs of rows that two pictures share, and which of them are to be believed.

use std::collections::HashMap;

use imara_diff::{Algorithm, Diff, InternedInput};

/// Rows that occur more often than this in either picture are no evidence of a shift: blank rows,
/// the lines of a table.
const RARE_OCCURRENCES: u32 = 20;

/// Rare rows that a displaced run needs: half a line of text.
const EVIDENCE_ROWS: usize = 8;

/// Rows that both pictures have one after the other.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Run {
    pub(super) baseline: u32,
    pub(super) current: u32,
    pub(super) rows: u32,
}

impl Run {
    /// How far down the rows went.
    pub(super) fn shift(self) -> i64 {
        i64::from(self.current) - i64::from(self.baseline)
    }
}

/// The runs to build an alignment on, from top to bottom.
pub(super) fn find_runs(baseline: &[u64], current: &[u64]) -> Vec<Run> {
    // Which picture comes first must not matter, and the library favours one.
    let swapped = (baseline.len(), baseline) > (current.len(), current);
    let (one, other) = if swapped {
        (current, baseline)
    } else {
        (baseline, current)
    };
    let mut runs = believable(&matched_runs(one, other), one, other);
    if swapped {
        for run in &mut runs {
            (run.baseline, run.current) = (run.current, run.baseline);
        }
    }
    runs
}

fn matched_runs(baseline: &[u64], current: &[u64]) -> Vec<Run> {
    let mut input = InternedInput::<u64>::default();
    input.update_before(baseline.iter().copied());
    input.update_after(current.iter().copied());
    let diff = Diff::compute(Algorithm::Histogram, &input);
    let (mut at_baseline, mut at_current) = (0, 0);
    let mut runs = Vec::new();
    let mut add = |baseline: u32, current: u32, end: u32| {
        if end > baseline {
            runs.push(Run {
                baseline,
                current,
                rows: end - baseline,
            });
        }
    };
    for hunk in diff.hunks() {
        add(at_baseline, at_current, hunk.before.start);
        (at_baseline, at_current) = (hunk.before.end, hunk.after.end);
    }
    add(at_baseline, at_current, super::length(baseline));
    runs
}

/// Keeps the runs with enough evidence.
fn believable(runs: &[Run], baseline: &[u64], current: &[u64]) -> Vec<Run> {
    let (ours, theirs) = (occurrences(baseline), occurrences(current));
    let rare = |row: &u64| {
        let occurs = |counts: &HashMap<u64, u32>| counts.get(row).copied().unwrap_or(0);
        occurs(&ours) <= RARE_OCCURRENCES && occurs(&theirs) <= RARE_OCCURRENCES
    };
    let evidence = |run: &Run| {
        let rows = &baseline[run.baseline as usize..][..run.rows as usize];
        rows.iter().filter(|row| rare(row)).count()
    };
    // Short runs are told apart from long ones of the same displacement only by the edits between
    // them, so their evidence adds up.
    let mut kept: Vec<Run> = Vec::new();
    for group in runs.chunk_by(|one, next| one.shift() == next.shift()) {
        if group.iter().map(evidence).sum::<usize>() >= EVIDENCE_ROWS {
            kept.extend(group);
        }
    }
    kept
}

fn occurrences(rows: &[u64]) -> HashMap<u64, u32> {
    let mut counts = HashMap::with_capacity(rows.len());
    for row in rows {
        *counts.entry(*row).or_insert(0) += 1;
    }
    counts
}
