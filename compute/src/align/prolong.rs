//! Runs that go on over rows that hardly differ, where others that went another way explain fewer of them.
//!
//! Browsers dither gradients in a pattern that is fixed to the screen. The rows of one that was pushed down by other than whole
//! periods of it are no longer the same anywhere, but for a level; and blank ones between its words may be the same where they
//! were. So it is with a table of faint stripes, which flip below a row that came or went.

use super::likeness::compared_rows;
use super::run::Run;

/// Pairs that hardly differ in one run and differ in those that are given up for it: fewer are edits, or chance.
const LEAST_GAIN_ROWS: i64 = 8;

/// Of the pairs that differ in the runs that are given up, at least one in so many must not be replaced by another that differs: an edited
/// page is laid this way as well as that.
const GAIN_SHARE: i64 = 6;

/// So many more pairs that differ than before, of a run that goes on: what lies beyond has nothing to do with it. The foot of a dark
/// bar that stays beside the page is as tall as what came in.
const MOST_LOSS_ROWS: i64 = 64;

/// Runs that went ways as near to each other are not given up for rows that differ: lines of text that are no whole number of pixels tall
/// lie now a pixel nearer to each other, now a pixel further.
const NEAR_ROWS: u64 = 2;

/// So many more that differ than those of the runs that are given up for it, once it has come to these: a line of text.
const MOST_LOSS_IN_ALL_ROWS: i64 = 16;

/// The runs, each going on upwards and downwards as far as it leaves the fewest rows that more than hardly differ, when these are fewer than
/// of the runs that lie there. The beginning and the end of both pictures are runs of no rows.
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
            let rows = rows_to_go_on(&kept, run, &mut rows_left, hardly_differ);
            if rows > 0 {
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

/// How many rows above a run must go with it so that the fewest of them differ; none when that spares few. What lies right above
/// the run, below the last of the others, is left to whoever splits gaps: there is nothing to win, but there may be to lose.
fn rows_to_go_on(
    kept: &[Run],
    run: Run,
    rows_left: &mut u32,
    hardly_differ: &dyn Fn(u32, u32) -> bool,
) -> u32 {
    let mut others = pairs_between(kept, run).peekable();
    let in_gap = kept.last().map_or(0, |last| pairs_in_gap(*last, run));
    let is_near = (kept.last()).is_some_and(|last| last.shift().abs_diff(run.shift()) <= NEAR_ROWS);
    let (mut gain, mut given_up) = (0_i64, 0);
    let (mut best, mut of, mut rows) = (0, 0, 0);
    for row in 1..=run.baseline.min(run.current) {
        let mut differ = |ours: u32, theirs: u32| {
            *rows_left = rows_left.checked_sub(1)?;
            Some(i64::from(!hardly_differ(ours, theirs)))
        };
        let Some(own) = differ(run.baseline - row, run.current - row) else {
            break;
        };
        gain -= own;
        while let Some((_, (ours, theirs))) = others.next_if(|&(height, _)| height <= row) {
            let Some(other) = differ(ours, theirs) else {
                break;
            };
            gain += other;
            given_up += other;
        }
        if row == in_gap {
            (gain, given_up) = (gain.min(0), 0);
        } else if row > in_gap && gain > best {
            (best, of, rows) = (gain, given_up, row);
        }
        let is_lost = (own > 0 && is_near) || (row > in_gap && gain < -MOST_LOSS_IN_ALL_ROWS);
        if is_lost || best - gain > MOST_LOSS_ROWS {
            break;
        }
    }
    if best >= LEAST_GAIN_ROWS && best * GAIN_SHARE >= of {
        rows
    } else {
        0
    }
}

/// The pairs between runs the way of the upper one, and between the last and a run below these, from the bottom up: each with how many rows
/// above that run the nearer one of both lies.
pub(super) fn pairs_between(kept: &[Run], run: Run) -> impl Iterator<Item = (u32, (u32, u32))> {
    let upper = kept.iter().rev().copied().chain([Run::START]);
    let lower = [run].into_iter().chain(kept.iter().rev().copied());
    upper.zip(lower).flat_map(move |(above, below)| {
        let (ours, theirs) = (above.baseline + above.rows, above.current + above.rows);
        (0..pairs_in_gap(above, below)).rev().map(move |row| {
            let (ours, theirs) = (ours + row, theirs + row);
            let height = (run.baseline - ours).min(run.current - theirs);
            (height, (ours, theirs))
        })
    })
}

/// How many pairs of rows there are between two runs.
fn pairs_in_gap(above: Run, below: Run) -> u32 {
    (below.baseline - above.baseline - above.rows).min(below.current - above.current - above.rows)
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
            .map(|word| Run::new(word * 40 + 30, word * 40 + 30, 5))
            .collect();
        let runs = [in_place, vec![Run::new(300, 345, 200)]].concat();
        assert_eq!(
            prolonged(runs.clone(), Run::new(500, 545, 0), &hardly),
            [Run::new(0, 45, 500)]
        );
        let swapped = runs
            .iter()
            .map(|it| Run::new(it.current, it.baseline, it.rows))
            .collect();
        let back = |ours, theirs| hardly(theirs, ours);
        assert_eq!(
            prolonged(swapped, Run::new(545, 500, 0), &back),
            [Run::new(45, 0, 500)]
        );
        // Upside down, where the text comes first and stays.
        let end = Run::new(500, 545, 0);
        let turned_back = |ours: u32, theirs: u32| hardly(499 - ours, 544 - theirs);
        let upside_down = prolonged(turned(runs, end), end, &turned_back);
        assert_eq!(upside_down, [Run::new(0, 0, 500)]);
    }

    #[test]
    fn a_banner_may_be_taller_than_what_goes_with_the_run_below_it() {
        let is_word = |row: u32| row % 40 < 25;
        let hardly = |ours: u32, theirs: u32| {
            let blank = |row: u32| row < 300 && !is_word(row);
            ours + 400 == theirs || (blank(ours) && blank(theirs))
        };
        let in_place = (0..7).map(|word| Run::new(word * 40 + 25, word * 40 + 25, 15));
        let runs: Vec<Run> = in_place.chain([Run::new(300, 700, 200)]).collect();
        let end = Run::new(500, 900, 0);
        assert_eq!(prolonged(runs, end, &hardly), [Run::new(0, 400, 500)]);
    }

    #[test]
    fn runs_that_explain_as_much_are_kept() {
        // Blank rows around a text that was inserted are the same both ways.
        let is_blank = |row: u32| (80..100).contains(&row);
        let hardly = |ours: u32, theirs: u32| {
            ours == theirs.saturating_sub(30) || (is_blank(ours) && is_blank(theirs))
        };
        let runs = vec![Run::new(0, 0, 100), Run::new(100, 130, 100)];
        assert_eq!(
            prolonged(runs.clone(), Run::new(200, 230, 0), &hardly),
            runs
        );
        let nothing = |_, _| false;
        assert_eq!(
            prolonged(runs.clone(), Run::new(200, 230, 0), &nothing),
            runs
        );
    }

    /// A table of rows of 34 with a line of text in each, and a text below it; a row came in as the fourth. Its stripes are so faint that
    /// blank rows are the same where they were. Beside it a dark bar stays, down to row 300.
    fn is_same_of_table(ours: u32, theirs: u32) -> bool {
        let is_blank = |row: u32, end: u32| row < end && !(10..24).contains(&(row % 34));
        let is_bar = |row: u32| row < 300;
        let from = match theirs {
            102..136 => None,
            _ => Some(theirs - if theirs < 102 { 0 } else { 34 }),
        };
        let is_text = from == Some(ours);
        is_bar(ours) == is_bar(theirs)
            && (is_text || (is_blank(ours, 408) && is_blank(theirs, 442)))
    }

    #[test]
    fn a_run_goes_on_over_the_foot_of_a_bar() {
        let in_place = (4..12).map(|entry| Run::new(entry * 34 - 10, entry * 34 - 10, 20));
        let runs: Vec<Run> = ([Run::new(0, 0, 112)].into_iter().chain(in_place))
            .chain([Run::new(408, 442, 192)])
            .collect();
        let end = Run::new(600, 634, 0);
        let [above, below] = prolonged(runs.clone(), end, &is_same_of_table)[..] else {
            panic!("two runs")
        };
        assert_eq!((above.shift(), below.shift()), (0, 34));
        assert_eq!(below.baseline + below.rows, 600);
        assert!((102..=112).contains(&below.baseline), "{below:?}");
        assert_eq!(above.baseline + above.rows, below.baseline);
        let swap = |it: &Run| Run::new(it.current, it.baseline, it.rows);
        let swapped = runs.iter().map(swap).collect();
        let back = |ours, theirs| is_same_of_table(theirs, ours);
        let there = prolonged(swapped, swap(&end), &back);
        assert_eq!(there, [swap(&above), swap(&below)]);
    }

    #[test]
    fn a_run_does_not_go_on_over_a_whole_paragraph() {
        // Beyond 100 rows that differ there are some again that do not.
        let is_word = |row: u32| row % 40 < 25;
        let hardly = |ours: u32, theirs: u32| match ours {
            170..270 => ours == theirs,
            _ => ours + 45 == theirs || (!is_word(ours) && !is_word(theirs)),
        };
        let runs: Vec<Run> = [
            vec![
                Run::new(30, 30, 5),
                Run::new(70, 70, 5),
                Run::new(110, 110, 5),
            ],
            vec![Run::new(170, 170, 100), Run::new(300, 345, 200)],
        ]
        .concat();
        assert_eq!(
            prolonged(runs.clone(), Run::new(500, 545, 0), &hardly),
            runs
        );
    }
}
