//! Blocks that changed places, by their looks: what went at one place came at another.

use crate::align::run::Run;
use crate::align::stretch::Stretch;

use super::profile::Profile;

/// Of rows that went, one in this number must have come at another place: where exactly two blocks meet that changed places, rows
/// without edges do not tell.
const FOUND_SHARE: u32 = 2;

/// Edges that each row of a block needs in the mean.
const LEAST_EDGES: u64 = 2;

/// Rows that the first picture alone has at their places, each with one like it that the second one alone has, any of these
/// displacements away.
pub(super) fn seen_elsewhere(
    ours: &Profile,
    theirs: &Profile,
    bands: &[Stretch],
    shifts: &[i64],
) -> Vec<Run> {
    let gone = bands.iter().filter(|band| band.current.is_none());
    let mut came: Vec<Stretch> = (bands.iter().copied())
        .filter(|band| band.baseline.is_none())
        .collect();
    let mut seen = Vec::new();
    for gone in gone {
        let ways = shifts.iter().flat_map(|shift| {
            let runs = came.iter().map(move |came| overlap(*gone, *came, *shift));
            runs.enumerate()
        });
        let runs = ways.filter_map(|(at, run)| Some((at, run?)));
        let found = runs
            .filter(|(_, run)| run.rows * FOUND_SHARE >= gone.rows)
            .filter(|(_, run)| {
                let edges = ours.edges_of(run.baseline, run.rows);
                edges >= LEAST_EDGES * u64::from(run.rows) && ours.looks_like(theirs, *run)
            })
            .max_by_key(|(_, run)| run.rows);
        if let Some((at, run)) = found {
            // What came went from one place only.
            came.swap_remove(at);
            seen.push(run);
        }
    }
    seen
}

/// The rows of a band of the first picture that lie in one of the second when they go so far down.
fn overlap(gone: Stretch, came: Stretch, shift: i64) -> Option<Run> {
    let (ours, theirs) = (i64::from(gone.baseline?), i64::from(came.current?));
    let first = (ours + shift).max(theirs);
    let end = (ours + shift + i64::from(gone.rows)).min(theirs + i64::from(came.rows));
    Some(Run {
        baseline: u32::try_from(first - shift).ok()?,
        current: u32::try_from(first).ok()?,
        rows: u32::try_from(end - first).ok().filter(|rows| *rows > 0)?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_lie_in_what_came_as_far_as_they_reach() {
        let gone = Stretch::new(10, Some(20), None);
        let came = Stretch::new(12, None, Some(50));
        let run = |shift: i64| {
            overlap(gone, came, shift).map(|run| (run.baseline, run.current, run.rows))
        };
        assert_eq!(run(30), Some((20, 50, 10)));
        assert_eq!(run(27), Some((23, 50, 7)));
        assert_eq!(run(39), Some((20, 59, 3)));
        assert_eq!(run(42), None);
        assert_eq!(run(20), None);
    }
}
