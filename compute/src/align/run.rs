//! A run of rows that two pictures share.

/// Rows that both pictures have one after the other.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Run {
    pub(super) baseline: u32,
    pub(super) current: u32,
    pub(super) rows: u32,
}

impl Run {
    /// Right above the first rows.
    pub(super) const START: Self = Self {
        baseline: 0,
        current: 0,
        rows: 0,
    };

    #[cfg(test)]
    pub(super) fn new(baseline: u32, current: u32, rows: u32) -> Self {
        Self {
            baseline,
            current,
            rows,
        }
    }

    /// How far down the rows went.
    pub(super) fn shift(self) -> i64 {
        i64::from(self.current) - i64::from(self.baseline)
    }

    /// Its rows in the baseline, each with that beside it in the current picture.
    pub(super) fn pairs(self) -> impl Iterator<Item = (u32, u32)> {
        (0..self.rows).map(move |row| (self.baseline + row, self.current + row))
    }
}

/// How many rows runs have.
pub(super) fn row_count(runs: &[Run]) -> u32 {
    runs.iter().map(|run| run.rows).sum()
}

/// How many rows there are.
pub(super) fn length<T>(rows: &[T]) -> u32 {
    u32::try_from(rows.len()).expect("rows of a picture fit 32 bits")
}
