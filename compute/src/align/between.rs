//! Runs between two others that no row tells to the last bit.
//!
//! In a table with faint stripes a row that went flips the stripes below it until another one goes: until there no row with a word
//! is the same anywhere, and the blank ones are the same where they were. What differs both as it was above and as it goes below
//! may hardly differ some way between.

use std::cmp::Reverse;

use super::likeness::compared_rows;
use super::prolong::{pairs_between, prolonged};
use super::run::Run;
use crate::pair::Side;

/// Pairs less to look at that a run must leave: fewer are edits, or chance.
const LEAST_GAIN_ROWS: u64 = 8;

/// How far above a run rows are looked at that differ.
const MOST_ROWS_ABOVE: u32 = 256;

/// So many of the rows that differ are looked for, evenly taken.
const SAMPLES: usize = 16;

/// Samples that must be found the same way.
const LEAST_FOUND: usize = 8;

/// Ways between two runs beyond which none is looked for: a few rows of a table.
const MOST_WAYS: i64 = 128;

/// Runs of one page that are tried.
const MAX_TRIED: usize = 8;

/// A row of one of the pictures.
struct Row {
    row: u32,
    side: Side,
}

impl Row {
    /// It and what lies beside it in the other picture if it went that way: a baseline row and a current one.
    fn laid(&self, way: i64) -> (i64, i64) {
        let row = i64::from(self.row);
        match self.side {
            Side::Baseline => (row, row + way),
            Side::Current => (row - way, row),
        }
    }
}

/// The runs, and between two of them that went different ways one that went a way between, when that leaves fewer rows that differ, came
/// or went. The beginning and the end of both pictures are runs of no rows.
pub(super) fn with_runs_between(
    mut runs: Vec<Run>,
    end: Run,
    hardly_differ: &dyn Fn(u32, u32) -> bool,
) -> Vec<Run> {
    let (mut tries_left, mut at) = (MAX_TRIED, 0);
    let (mut left, mut rows_left) = (None, compared_rows(end));
    while at <= runs.len() && tries_left > 0 {
        let below = runs.get(at).copied().unwrap_or(end);
        if let Some(found) = run_above(&runs[..at], below, end, &mut rows_left, hardly_differ) {
            tries_left -= 1;
            let old = left.unwrap_or_else(|| to_look_at(&runs, end, hardly_differ));
            let with = with_run(&runs, grown(found, &runs[..at], below, hardly_differ));
            let with = prolonged(with, end, hardly_differ);
            let new = to_look_at(&with, end, hardly_differ);
            // Who is given up for it may be a block that moved, whose rows count once where it is weighed.
            let is_there = with.iter().any(|run| run.shift() == found.shift());
            let is_better = is_there && new + LEAST_GAIN_ROWS <= old;
            left = Some(if is_better { new } else { old });
            if is_better {
                runs = with;
                continue;
            }
        }
        at += 1;
    }
    runs
}

/// How many pairs between runs differ, the way of the upper one, and how many rows one picture alone has there.
fn to_look_at(runs: &[Run], end: Run, hardly_differ: &dyn Fn(u32, u32) -> bool) -> u64 {
    let pairs = pairs_between(runs, end).map(|(_, pair)| pair);
    let differing = pairs.filter(|&(ours, theirs)| !hardly_differ(ours, theirs));
    let lower = runs.iter().chain([&end]);
    let lone = [&Run::START].into_iter().chain(runs).zip(lower);
    // Rows of a block that moved are in both pictures, and count once.
    let (mut came, mut went) = (0, 0);
    for (above, below) in lone {
        let further = below.shift() - above.shift();
        came += u64::try_from(further).unwrap_or(0);
        went += u64::try_from(-further).unwrap_or(0);
    }
    u64::try_from(differing.count()).expect("rows fit 64 bits") + came.max(went)
}

/// A row of a run that may lie between a run and the last of those above it: enough of the rows there that differ both ways are found
/// that way.
fn run_above(
    above: &[Run],
    run: Run,
    end: Run,
    rows_left: &mut u32,
    hardly_differ: &dyn Fn(u32, u32) -> bool,
) -> Option<Run> {
    let last = above.last().copied().unwrap_or(Run::START).shift();
    let ways = last.min(run.shift()) + 1..last.max(run.shift());
    if ways.is_empty() || ways.end - ways.start > MOST_WAYS {
        return None;
    }
    let is_same = |(ours, theirs): (i64, i64)| {
        let within = |row: i64, end: u32| u32::try_from(row).ok().filter(|&row| row < end);
        let both = within(ours, end.baseline).zip(within(theirs, end.current));
        both.is_some_and(|(ours, theirs)| hardly_differ(ours, theirs))
    };
    let near = pairs_between(above, run).take_while(|&(height, _)| height <= MOST_ROWS_ABOVE);
    let differing: Vec<(u32, u32)> = (near.map(|(_, pair)| pair))
        .filter(|&(ours, theirs)| !hardly_differ(ours, theirs))
        .collect();
    // Rows of either picture, so that it does not matter which comes first.
    let samples = [Side::Baseline, Side::Current].map(|side| {
        let rows = differing.iter().map(|&(ours, theirs)| match side {
            Side::Baseline => ours,
            Side::Current => theirs,
        });
        let rows = rows.map(|row| Row { row, side });
        let rows: Vec<Row> = rows.filter(|row| !is_same(row.laid(run.shift()))).collect();
        let step = rows.len().div_ceil(SAMPLES).max(1);
        rows.into_iter().step_by(step)
    });
    let samples: Vec<Row> = samples.into_iter().flatten().collect();
    let looks = u32::try_from(samples.len()).ok()? * u32::try_from(ways.end - ways.start).ok()?;
    *rows_left = rows_left.checked_sub(looks)?;
    let found = |way: i64| {
        samples
            .iter()
            .map(move |row| row.laid(way))
            .filter(|&pair| is_same(pair))
    };
    let best = ways.max_by_key(|&way| (found(way).count(), Reverse(way.abs_diff(run.shift()))))?;
    if found(best).count() < LEAST_FOUND {
        return None;
    }
    let (ours, theirs) = found(best).max()?;
    Some(Run {
        baseline: u32::try_from(ours).ok()?,
        current: u32::try_from(theirs).ok()?,
        rows: 1,
    })
}

/// A run with the rows around it that hardly differ that way, up to the last run above it and down to the one below: none of those need be
/// given up.
fn grown(mut run: Run, above: &[Run], below: Run, hardly_differ: &dyn Fn(u32, u32) -> bool) -> Run {
    let last = above.last().copied().unwrap_or(Run::START);
    let first = (last.baseline + last.rows, last.current + last.rows);
    while run.baseline > first.0
        && run.current > first.1
        && hardly_differ(run.baseline - 1, run.current - 1)
    {
        (run.baseline, run.current, run.rows) = (run.baseline - 1, run.current - 1, run.rows + 1);
    }
    let next = |run: Run| (run.baseline + run.rows, run.current + run.rows);
    while next(run).0 < below.baseline
        && next(run).1 < below.current
        && hardly_differ(next(run).0, next(run).1)
    {
        run.rows += 1;
    }
    run
}

/// The runs without what lies beside another one, and that one.
fn with_run(runs: &[Run], run: Run) -> Vec<Run> {
    let (mut above, mut below) = (Vec::new(), Vec::new());
    for other in runs {
        let before = |own: u32, first: u32| first.saturating_sub(own);
        let rows = (other.rows)
            .min(before(other.baseline, run.baseline))
            .min(before(other.current, run.current));
        above.extend((rows > 0).then_some(Run { rows, ..*other }));
        let cut = before(other.baseline, run.baseline + run.rows)
            .max(before(other.current, run.current + run.rows));
        below.extend((cut < other.rows).then(|| Run {
            baseline: other.baseline + cut,
            current: other.current + cut,
            rows: other.rows - cut,
        }));
    }
    [above, vec![run], below].concat()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Where a row of a table lies after its fourth entry and its ninth went, of 32 rows each; a text is below it.
    fn lies_now(row: u32) -> Option<u32> {
        match row / 32 {
            3 | 8 => None,
            0..3 => Some(row),
            4..8 => Some(row - 32),
            _ => Some(row - 64),
        }
    }

    fn hardly(ours: u32, theirs: u32) -> bool {
        let is_blank = |row: u32, end: u32| row < end && !(9..23).contains(&(row % 32));
        lies_now(ours) == Some(theirs) || (is_blank(ours, 480) && is_blank(theirs, 416))
    }

    /// What is the same to the last bit: blank rows where they were, and what went two entries up.
    fn runs() -> Vec<Run> {
        let in_place = (4..7).map(|entry| Run::new(entry * 32 - 9, entry * 32 - 9, 18));
        let below = Run::new(288, 224, 312);
        [vec![Run::new(0, 0, 105)], in_place.collect(), vec![below]].concat()
    }

    #[test]
    fn what_went_a_way_between_is_found() {
        let end = Run::new(600, 536, 0);
        let found = with_runs_between(runs(), end, &hardly);
        let ways: Vec<i64> = found.iter().map(|run| run.shift()).collect();
        assert_eq!(ways, [0, -32, -64], "{found:?}");
        let middle = found[1];
        assert!((128..=137).contains(&middle.baseline), "{middle:?}");
        assert!(
            (247..=265).contains(&(middle.baseline + middle.rows)),
            "{middle:?}"
        );
        let swap = |it: &Run| Run::new(it.current, it.baseline, it.rows);
        let back = |ours, theirs| hardly(theirs, ours);
        let swapped = runs().iter().map(swap).collect();
        let there = with_runs_between(swapped, swap(&end), &back);
        assert_eq!(there, found.iter().map(swap).collect::<Vec<_>>());
    }

    #[test]
    fn what_differs_every_way_stays_where_it_is() {
        let end = Run::new(600, 536, 0);
        let is_edited = |row: u32| (96..288).contains(&row);
        let edited = |ours: u32, theirs: u32| {
            let is_word = (9..23).contains(&(ours % 32)) || (9..23).contains(&(theirs % 32));
            hardly(ours, theirs) && !(is_edited(ours) && is_word)
        };
        assert_eq!(with_runs_between(runs(), end, &edited), runs());
    }

    #[test]
    fn it_does_not_matter_which_picture_comes_first() {
        let mut state = 1_u32;
        let mut random = |below: u32| {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (state >> 8) % below
        };
        let mut changed = 0;
        for _ in 0..400 {
            let (mut runs, mut baseline, mut current) = (Vec::new(), 0, 0);
            for _ in 0..=random(8) {
                baseline += random(4) * 20;
                current += random(4) * 20;
                let rows = random(60) + 1;
                runs.push(Run::new(baseline, current, rows));
                baseline += rows;
                current += rows;
            }
            let end = Run::new(baseline + random(20), current + random(20), 0);
            // Rows of one kind are the same wherever both pictures have them.
            let kinds = random(5) + 1;
            let hardly = |ours: u32, theirs: u32| ours / 7 % kinds == theirs / 7 % kinds;
            let found = with_runs_between(prolonged(runs.clone(), end, &hardly), end, &hardly);
            let in_order = found.windows(2).all(|two| {
                two[0].baseline + two[0].rows <= two[1].baseline
                    && two[0].current + two[0].rows <= two[1].current
            });
            assert!(in_order, "{found:?}");
            let turn = |runs: &[Run]| -> Vec<Run> {
                let turn = |it: &Run| Run::new(it.current, it.baseline, it.rows);
                runs.iter().map(turn).collect()
            };
            let (back, turned_end) = (|ours, theirs| hardly(theirs, ours), turn(&[end])[0]);
            let there =
                with_runs_between(prolonged(turn(&runs), turned_end, &back), turned_end, &back);
            assert_eq!(there, turn(&found));
            changed += u32::from(found != runs);
        }
        assert!(changed > 50, "{changed}");
    }
}
