//! Runs that go on over rows that hardly differ, where others that went another way explain fewer of them.
//!
//! Browsers dither gradients in a pattern that is fixed to the screen. The rows of one that was pushed down by other than whole
//! periods of it are no longer the same anywhere, but for a level; and blank ones between its words may be the same where they
//! were.

use super::likeness::compared_rows;
use super::run::Run;

/// Pairs that hardly differ in one run and differ in those that are given up for it: fewer are edits, or chance.
const LEAST_GAIN_ROWS: u32 = 8;

/// The runs, each going on upwards and downwards over all rows that hardly differ that way, when that leaves fewer rows that differ than
/// the runs that lie there. The beginning and the end of both pictures are runs of no rows.
pub(super) fn prolonged(
    runs: Vec<Run>,
    end: Run,
    hardly_differ: &dyn Fn(u32, u32) -> bool,
) -> Vec<Run> {
    let upwards = prolonged_upwards(runs, end, hardly_differ);
    let from_below = |baseline: u32, current: u32| {
        hardly_differ(end.baseline - 1 - baseline, end.current - 1 - current)
    };
    let turned = prolonged_upwards(turned(upwards, end), end, &from_below);
    self::turned(turned, end)
}

/// The runs as they are when both pictures are turned upside down.
fn turned(runs: Vec<Run>, end: Run) -> Vec<Run> {
    let turn = |run: Run| Run {
        baseline: end.baseline - run.baseline - run.rows,
        current: end.current - run.current - run.rows,
        rows: run.rows,
    };
    runs.into_iter().rev().map(turn).collect()
}

fn prolonged_upwards(
    runs: Vec<Run>,
    end: Run,
    hardly_differ: &dyn Fn(u32, u32) -> bool,
) -> Vec<Run> {
    let mut kept: Vec<Run> = Vec::with_capacity(runs.len());
    let mut rows_left = compared_rows(end);
    for mut run in runs.into_iter().chain([end]) {
        // Only a run that would be given up is worth a look.
        if kept.last().is_some_and(|last| last.shift() != run.shift()) {
            let above = run.baseline.min(run.current).min(rows_left);
            let goes_on = |&row: &u32| hardly_differ(run.baseline - row, run.current - row);
            let most = (1..=above).take_while(goes_on).count();
            let most = u32::try_from(most).expect("rows of a picture fit 32 bits");
            rows_left -= (most + 1).min(rows_left);
            let differing = differing_pairs(&kept, run, most, &mut rows_left, hardly_differ);
            if let Some(rows) = differing.filter(|_| most > 0) {
                run.baseline -= rows;
                run.current -= rows;
                run.rows += rows;
                give_up_from(&mut kept, run);
            }
        }
        kept.push(run);
    }
    // The end of both pictures is a run only when rows go on to there.
    kept.pop_if(|last| last.rows == 0);
    kept
}

/// How many rows above a run must go with it so that all those do of at most so many which differ the way they went until now; `None`
/// when these are few. What lies right above the run, below the last of the others, is left to whoever splits gaps.
fn differing_pairs(
    kept: &[Run],
    run: Run,
    most: u32,
    rows_left: &mut u32,
    hardly_differ: &dyn Fn(u32, u32) -> bool,
) -> Option<u32> {
    let (mut differing, mut highest) = (0, 0);
    let below = kept.iter().rev();
    let above = below.clone().skip(1).chain([&Run::START]);
    for (above, below) in above.zip(below) {
        let (ours, theirs) = (above.baseline + above.rows, above.current + above.rows);
        let both = (below.baseline - ours).min(below.current - theirs);
        for row in (0..both).rev() {
            let higher = (run.baseline - (ours + row)).max(run.current - (theirs + row));
            if run.baseline - (ours + row) > most && run.current - (theirs + row) > most {
                return (differing >= LEAST_GAIN_ROWS).then_some(highest);
            }
            *rows_left = rows_left.checked_sub(1)?;
            if !hardly_differ(ours + row, theirs + row) {
                differing += 1;
                highest = higher.min(most);
            }
        }
    }
    (differing >= LEAST_GAIN_ROWS).then_some(highest)
}

/// Takes from runs what lies beside or below the beginning of another one.
fn give_up_from(runs: &mut Vec<Run>, run: Run) {
    while let Some(last) = runs.last_mut() {
        let before = |own: u32, first: u32| first.saturating_sub(own);
        last.rows = (last.rows)
            .min(before(last.baseline, run.baseline))
            .min(before(last.current, run.current));
        if last.rows > 0 {
            return;
        }
        runs.pop();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(baseline: u32, current: u32, rows: u32) -> Run {
        Run {
            baseline,
            current,
            rows,
        }
    }

    /// A page of a gradient of 300 rows and a text of 200 below it; a banner of 45 rows was put on top. In the gradient are words,
    /// and blank rows between them that are the same where they were.
    #[test]
    fn a_gradient_that_was_pushed_down_goes_with_what_is_below_it() {
        let is_word = |row: u32| row % 40 < 25;
        let is_gradient = |row: u32| row < 300;
        let hardly = |ours: u32, theirs: u32| {
            let same_row = ours + 45 == theirs;
            let blank = |row: u32| is_gradient(row) && !is_word(row);
            same_row || (theirs >= 45 && blank(ours) && blank(theirs - 45))
        };
        let in_place: Vec<Run> = (1..7)
            .map(|word| run(word * 40 + 30, word * 40 + 30, 5))
            .collect();
        let runs = [in_place, vec![run(300, 345, 200)]].concat();
        assert_eq!(
            prolonged(runs.clone(), run(500, 545, 0), &hardly),
            [run(0, 45, 500)]
        );
        let swapped = runs
            .iter()
            .map(|it| run(it.current, it.baseline, it.rows))
            .collect();
        let back = |ours, theirs| hardly(theirs, ours);
        assert_eq!(
            prolonged(swapped, run(545, 500, 0), &back),
            [run(45, 0, 500)]
        );
        // Upside down, where the text comes first and stays.
        let end = run(500, 545, 0);
        let turned_back = |ours: u32, theirs: u32| hardly(499 - ours, 544 - theirs);
        let upside_down = prolonged(turned(runs, end), end, &turned_back);
        assert_eq!(upside_down, [run(0, 0, 500)]);
    }

    #[test]
    fn runs_that_explain_as_much_are_kept() {
        // Blank rows around a text that was inserted are the same both ways.
        let is_blank = |row: u32| (80..100).contains(&row);
        let hardly = |ours: u32, theirs: u32| {
            ours == theirs.saturating_sub(30) || (is_blank(ours) && is_blank(theirs))
        };
        let runs = vec![run(0, 0, 100), run(100, 130, 100)];
        assert_eq!(prolonged(runs.clone(), run(200, 230, 0), &hardly), runs);
        let nothing = |_, _| false;
        assert_eq!(prolonged(runs.clone(), run(200, 230, 0), &nothing), runs);
    }
}
