//! Runs of rows that two pictures share, and which of them are to be believed.

use rustc_hash::{FxBuildHasher, FxHashMap};

use super::histogram::matched_runs;
use super::likeness::compared_rows;
use super::run::{Run, length};

/// Rows that occur more often than this in either picture are no evidence of a shift: blank rows,
/// the lines of a table.
const RARE_OCCURRENCES: u32 = 20;

/// Rare rows that a displaced run needs: half a line of text.
const EVIDENCE_ROWS: usize = 8;

/// Rows between two runs that went the same way within which runs that went another way may be detours; more where they stayed in
/// their place.
const MAX_DETOUR_ROWS: u32 = 512;

/// Runs that one detour may consist of.
const MAX_DETOUR_RUNS: usize = 16;

/// The runs to build an alignment on, from top to bottom.
pub(super) fn find_runs(baseline: &[u64], current: &[u64]) -> Vec<Run> {
    let (swapped, one, other) = ordered(baseline, current);
    let (mut runs, _) = runs_of(one, other);
    if swapped {
        turn(&mut runs);
    }
    runs
}

/// The same, and what of them is rare: only that tells where they went, because blank rows are the same wherever they are laid.
pub(super) fn find_telling_runs(baseline: &[u64], current: &[u64]) -> (Vec<Run>, Vec<Run>) {
    let (swapped, one, other) = ordered(baseline, current);
    let (mut runs, evidence) = runs_of(one, other);
    let mut telling = Vec::with_capacity(runs.len());
    for run in &runs {
        evidence.add_rare(run, &mut telling);
    }
    if swapped {
        turn(&mut runs);
        turn(&mut telling);
    }
    (runs, telling)
}

/// The runs of two sequences, and which rows of the first are rare.
fn runs_of(one: &[u64], other: &[u64]) -> (Vec<Run>, Evidence) {
    let evidence = Evidence::of(one, other);
    if evidence.is_too_little() {
        // No run could be believed, and repetitive rows are those that take long to match.
        return (Vec::new(), evidence);
    }
    let matched = if evidence.elsewhere < EVIDENCE_ROWS {
        // No displaced run could be believed.
        runs_in_place(one, other)
    } else {
        matched_runs(one, other)
    };
    (believable(&matched, &evidence), evidence)
}

/// The same runs with both sequences exchanged.
fn turn(runs: &mut [Run]) {
    for run in runs {
        (run.baseline, run.current) = (run.current, run.baseline);
    }
}

/// Whether [`find_runs`] may find a run that is displaced; far faster than looking for it where few rows differ.
pub(super) fn may_be_displaced(baseline: &[u64], current: &[u64]) -> bool {
    let (_, one, other) = ordered(baseline, current);
    let differing = || (one.iter().enumerate()).filter(|&(at, row)| other.get(at) != Some(row));
    let found = occurrences(differing().map(|(_, &row)| row), one, other);
    let rare = differing().filter(|(_, row)| found[row].is_rare());
    rare.take(EVIDENCE_ROWS).count() == EVIDENCE_ROWS
}

/// Whether the current picture is put first where one of both must be: which comes first must not matter, and matching favours
/// one.
pub(super) fn is_turned(baseline: &[u64], current: &[u64]) -> bool {
    (baseline.len(), baseline) > (current.len(), current)
}

/// Whether the current picture is put first, the first, and the second.
fn ordered<'h>(baseline: &'h [u64], current: &'h [u64]) -> (bool, &'h [u64], &'h [u64]) {
    if is_turned(baseline, current) {
        (true, current, baseline)
    } else {
        (false, baseline, current)
    }
}

/// The runs without detours: those between two runs that went the same way, where all rows between these two hardly differ when they
/// go that way as well. The beginning and the end of both pictures are runs of no rows.
///
/// Browsers dither gradients in a pattern that is fixed to the screen, so that rows of one that was pushed down are the same
/// as rows of it a little further up or down; and a gradient that became a little lighter is the same as itself further on.
pub(super) fn without_detours(
    runs: &[Run],
    end: Run,
    hardly_differ: &dyn Fn(u32, u32) -> bool,
) -> Vec<Run> {
    let runs: Vec<Run> = runs.iter().copied().chain([end]).collect();
    let mut kept = Vec::with_capacity(runs.len());
    let (mut at, mut last, mut rows_left) = (0, Run::START, compared_rows(end));
    while at + 1 < runs.len() {
        let run = runs[at];
        let behind = &runs[at + 1..];
        if last.shift() != run.shift()
            && let Some(runs_between) =
                (behind.iter().take(MAX_DETOUR_RUNS)).position(|next| next.shift() == last.shift())
        {
            let (from, to) = (last.baseline + last.rows, behind[runs_between].baseline);
            let shifted = |row: u32| last.current + (row - last.baseline);
            let most = match last.shift() {
                0 => rows_left,
                _ => MAX_DETOUR_ROWS.min(rows_left),
            };
            if to - from <= most {
                let is_detour = (from..to).all(|row| {
                    rows_left -= 1;
                    hardly_differ(row, shifted(row))
                });
                if is_detour {
                    at += 1 + runs_between;
                    continue;
                }
            }
        }
        kept.push(run);
        last = run;
        at += 1;
    }
    kept
}

/// The runs of rows that are the same at the same place.
fn runs_in_place(baseline: &[u64], current: &[u64]) -> Vec<Run> {
    let mut runs: Vec<Run> = Vec::new();
    for (at, (one, other)) in (0..).zip(baseline.iter().zip(current)) {
        match runs.last_mut() {
            _ if one != other => {}
            Some(run) if run.baseline + run.rows == at => run.rows += 1,
            _ => runs.push(Run {
                baseline: at,
                current: at,
                rows: 1,
            }),
        }
    }
    runs
}

/// Which rows of the first sequence tell where they went: those that the second has too and that
/// are rare in both.
struct Evidence {
    rare: Vec<bool>,
    /// Rare rows that the second sequence has somewhere else, and not at their place.
    elsewhere: usize,
}

/// How often a row occurs.
#[derive(Default)]
struct Occurrences {
    ours: u32,
    theirs: u32,
}

impl Occurrences {
    /// Whether it tells where rows went: both sequences have it, and neither often.
    fn is_rare(&self) -> bool {
        self.ours <= RARE_OCCURRENCES && (1..=RARE_OCCURRENCES).contains(&self.theirs)
    }
}

/// How often each of these rows occurs in two sequences.
fn occurrences(
    wanted: impl Iterator<Item = u64>,
    rows: &[u64],
    others: &[u64],
) -> FxHashMap<u64, Occurrences> {
    let mut found: FxHashMap<u64, Occurrences> =
        FxHashMap::with_capacity_and_hasher(wanted.size_hint().0, FxBuildHasher);
    found.extend(wanted.map(|row| (row, Occurrences::default())));
    for row in rows {
        if let Some(found) = found.get_mut(row) {
            found.ours += 1;
        }
    }
    for row in others {
        if let Some(found) = found.get_mut(row) {
            found.theirs += 1;
        }
    }
    found
}

impl Evidence {
    fn of(rows: &[u64], others: &[u64]) -> Self {
        let found = occurrences(rows.iter().copied(), rows, others);
        let mut elsewhere = 0;
        let rare = (rows.iter().enumerate())
            .map(|(at, row)| {
                let rare = found[row].is_rare();
                elsewhere += usize::from(rare && others.get(at) != Some(row));
                rare
            })
            .collect();
        Self { rare, elsewhere }
    }

    fn is_too_little(&self) -> bool {
        self.rare.iter().filter(|&&rare| rare).count() < EVIDENCE_ROWS
    }

    fn in_run(&self, run: &Run) -> usize {
        self.of_run(run).iter().filter(|&&rare| rare).count()
    }

    /// Adds the parts of a run that are rare.
    fn add_rare(&self, run: &Run, parts: &mut Vec<Run>) {
        let mut above = 0;
        for rows in self.of_run(run).chunk_by(|one, next| one == next) {
            let count = length(rows);
            if rows[0] {
                parts.push(Run {
                    baseline: run.baseline + above,
                    current: run.current + above,
                    rows: count,
                });
            }
            above += count;
        }
    }

    fn of_run(&self, run: &Run) -> &[bool] {
        &self.rare[run.baseline as usize..][..run.rows as usize]
    }
}

/// Keeps the runs with enough evidence.
fn believable(runs: &[Run], evidence: &Evidence) -> Vec<Run> {
    // Short runs are told apart from long ones of the same displacement only by the edits between
    // them, so their evidence adds up.
    let mut kept: Vec<Run> = Vec::new();
    for group in runs.chunk_by(|one, next| one.shift() == next.shift()) {
        let rows: usize = group.iter().map(|run| evidence.in_run(run)).sum();
        if rows >= EVIDENCE_ROWS {
            kept.extend(group);
        }
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A heading, so many entries of 30 rows that are all alike, and a footer of one line of text.
    fn page(entries: usize) -> Vec<u64> {
        let entry = 100..130;
        let entries = std::iter::repeat_n(entry, entries).flatten();
        (0..40).chain(entries).chain(200..212).collect()
    }

    #[test]
    fn one_line_of_text_tells_that_one_more_of_many_like_entries_was_inserted() {
        for (before, after) in [(page(5), page(6)), (page(6), page(5))] {
            let runs = find_runs(&before, &after);
            let footer = runs.last().unwrap();
            assert_eq!(footer.shift().abs(), 30, "{runs:?}");
            assert_eq!(footer.baseline + footer.rows, length(&before));
        }
    }

    #[test]
    fn like_entries_that_stayed_tell_of_no_shift() {
        let before = page(6);
        let mut after = before.clone();
        after[60] = 1_000;
        let runs = find_runs(&before, &after);
        assert!(runs.iter().all(|run| run.shift() == 0), "{runs:?}");
        assert_eq!(
            runs.iter().map(|run| run.rows as usize).sum::<usize>(),
            before.len() - 1
        );
    }

    #[test]
    fn nothing_is_displaced_where_nothing_may_be() {
        let mut state = 1_u64;
        let mut random = |below: u64| {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1);
            (state >> 33) % below
        };
        let (mut ruled_out, mut displaced) = (0, 0);
        for round in 0..2_000 {
            let kinds = [3, 40, 400][round % 3];
            let before: Vec<u64> = (0..120).map(|_| random(kinds)).collect();
            let mut after = before.clone();
            for _ in 0..random(20) {
                let at = usize::try_from(random(100)).unwrap();
                match random(3) {
                    0 => after[at] = random(kinds),
                    1 => after.insert(at, random(kinds)),
                    _ => after[at..].rotate_left(8),
                }
            }
            let is_displaced = find_runs(&before, &after)
                .iter()
                .any(|run| run.shift() != 0);
            let may_be = may_be_displaced(&before, &after);
            let (_, one, other) = ordered(&before, &after);
            assert_eq!(may_be, Evidence::of(one, other).elsewhere >= EVIDENCE_ROWS);
            assert!(may_be || !is_displaced, "{before:?} {after:?}");
            ruled_out += usize::from(!may_be);
            displaced += usize::from(is_displaced);
        }
        assert!(
            ruled_out > 100 && displaced > 100,
            "{ruled_out} {displaced}"
        );
    }
}
