//! Stretches of rows: one picture beside the other, before anything has a place on the canvas.

use super::run::Run;

/// Rows of one sequence laid against those of another, without a place on the canvas.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Stretch {
    pub(super) rows: u32,
    pub(super) baseline: Option<u32>,
    pub(super) current: Option<u32>,
}

impl Stretch {
    #[cfg(test)]
    pub(super) fn new(rows: u32, baseline: Option<u32>, current: Option<u32>) -> Self {
        Self {
            rows,
            baseline,
            current,
        }
    }

    /// Whether one picture alone has its rows.
    pub(super) fn is_lone(&self) -> bool {
        self.baseline.is_none() || self.current.is_none()
    }
}

/// Slides the middle one of three stretches by so many rows down (up, when that is negative): what it leaves goes with one neighbour,
/// and what it takes comes from the other.
pub(super) fn slide([above, lone, below]: [&mut Stretch; 3], by: i32) {
    above.rows = above.rows.strict_add_signed(by);
    below.rows = below.rows.strict_sub_signed(by);
    for first in [
        &mut lone.baseline,
        &mut lone.current,
        &mut below.baseline,
        &mut below.current,
    ] {
        *first = first.map(|y| y.strict_add_signed(by));
    }
}

/// The bands, each that one picture alone has slid up by as many rows as is said of the bands above and below it.
pub(super) fn slid_up(
    mut bands: Vec<Stretch>,
    mut rows_between: impl FnMut(Stretch, Stretch) -> Option<u32>,
) -> Vec<Stretch> {
    for at in 1..bands.len().saturating_sub(1) {
        let [above, lone, below] = &mut bands[at - 1..=at + 1] else {
            break;
        };
        if lone.is_lone()
            && let Some(rows) = rows_between(*above, *below)
        {
            let rows = i32::try_from(rows).expect("a band is slid by few rows");
            slide([above, lone, below], -rows);
        }
    }
    let mut joined = Vec::with_capacity(bands.len());
    for band in bands {
        push(&mut joined, band.rows, band.baseline, band.current);
    }
    joined
}

/// Adds rows, to the last band when they go on where it ends.
pub(super) fn push(
    bands: &mut Vec<Stretch>,
    rows: u32,
    baseline: Option<u32>,
    current: Option<u32>,
) {
    if rows == 0 {
        return;
    }
    if let Some(last) = bands.last_mut() {
        let goes_on = last.baseline.map(|y| y + last.rows) == baseline
            && last.current.map(|y| y + last.rows) == current;
        if goes_on {
            last.rows += rows;
            return;
        }
    }
    bands.push(Stretch {
        rows,
        baseline,
        current,
    });
}

/// Rows that a reader would have to look at: those that differ, were inserted or removed.
pub(super) fn cost(bands: &[Stretch], baseline: &[u64], current: &[u64]) -> usize {
    lone_rows(bands) + paired_but_different(bands, baseline, current)
}

/// Rows that one picture alone has.
pub(super) fn lone_rows(bands: &[Stretch]) -> usize {
    let lone = bands.iter().filter(|band| band.is_lone());
    lone.map(|band| band.rows as usize).sum()
}

/// How many pairs of rows differ, by their hashes.
pub(super) fn paired_but_different(bands: &[Stretch], baseline: &[u64], current: &[u64]) -> usize {
    paired(bands)
        .flat_map(Run::pairs)
        .filter(|&(ours, theirs)| baseline[ours as usize] != current[theirs as usize])
        .count()
}

/// The rows that bands lay beside each other, whether they are the same or not.
pub(super) fn paired(bands: &[Stretch]) -> impl Iterator<Item = Run> {
    bands.iter().filter_map(|band| {
        Some(Run {
            baseline: band.baseline?,
            current: band.current?,
            rows: band.rows,
        })
    })
}
