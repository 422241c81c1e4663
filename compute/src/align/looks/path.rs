//! The cheapest way through both pictures by a few displacements: dynamic programming over the rows of the first one, with one state for
//! each displacement (R. Bellman, Dynamic Programming, 1957; A. J. Viterbi, IEEE Transactions on Information Theory 13, 1967).

use std::collections::BTreeSet;

use super::super::stretch::{Stretch, push};
use super::profile::Profile;

/// What a way costs.
pub(super) struct Costs<'p> {
    pub(super) ours: &'p Profile,
    pub(super) theirs: &'p Profile,
    /// How far down rows may go, from the least to the most.
    pub(super) shifts: Vec<i64>,
    /// Displacements that no pair may have.
    pub(super) refused: BTreeSet<i64>,
    /// Of a row that one picture alone has, in edges.
    pub(super) lone: u64,
    /// Of going another way than the row above, in edges.
    pub(super) turn: u64,
}

/// How the rows until here were reached.
#[derive(Clone, Copy)]
enum Step {
    /// In no way.
    Never,
    /// By a pair of rows of this displacement.
    Pair,
    /// From another displacement, by number.
    Turn(u8),
}

/// The cheapest cost of and the last step to each place: before a row of the first picture, at a displacement.
struct Table {
    shifts: usize,
    /// No more than all edges of both pictures and some turns, which fit 32 bits; [`u32::MAX`] where no way leads.
    costs: Vec<u32>,
    steps: Vec<Step>,
}

impl Table {
    fn step(&self, row: u32, shift: usize) -> Step {
        self.steps[row as usize * self.shifts + shift]
    }

    /// The cost of a place that was reached already.
    fn cost(&self, row: u32, shift: usize) -> Option<u64> {
        let cost = *self.costs.get(row as usize * self.shifts + shift)?;
        (cost < u32::MAX).then_some(cost.into())
    }

    fn push(&mut self, (cost, step): (u64, Step)) {
        self.costs.push(u32::try_from(cost).unwrap_or(u32::MAX));
        self.steps.push(step);
    }
}

/// The bands of the cheapest way; `None` when there is none. Of equally cheap ones it is that which turns furthest down.
pub(super) fn way(costs: &Costs<'_>) -> Option<Vec<Stretch>> {
    let (rows, their_rows) = (costs.ours.rows(), costs.theirs.rows());
    let table = fill(costs)?;
    let between = i64::from(their_rows) - i64::from(rows);
    let mut shift = costs.shifts.binary_search(&between).ok()?;
    let mut row = rows;
    let mut steps = Vec::new();
    loop {
        let beside = |row: u32, shift: usize| {
            u32::try_from(i64::from(row) + costs.shifts[shift]).expect("a row of the other picture")
        };
        match table.step(row, shift) {
            Step::Pair => {
                row -= 1;
                steps.push((1, Some(row), Some(beside(row, shift))));
            }
            Step::Turn(from) => {
                let from = usize::from(from);
                let by = costs.shifts[shift] - costs.shifts[from];
                let count = u32::try_from(by.unsigned_abs()).expect("rows of a picture");
                if by > 0 {
                    steps.push((count, None, Some(beside(row, from))));
                } else {
                    row -= count;
                    steps.push((count, Some(row), None));
                }
                shift = from;
            }
            Step::Never if row == 0 && costs.shifts[shift] == 0 => break,
            Step::Never => return None,
        }
    }
    let mut bands = Vec::new();
    for (rows, baseline, current) in steps.into_iter().rev() {
        push(&mut bands, rows, baseline, current);
    }
    Some(bands)
}

fn fill(costs: &Costs<'_>) -> Option<Table> {
    let shifts = &costs.shifts;
    let (rows, their_rows) = (costs.ours.rows(), i64::from(costs.theirs.rows()));
    let start = shifts.binary_search(&0).ok()?;
    let mut table = Table {
        shifts: shifts.len(),
        costs: Vec::with_capacity((rows as usize + 1) * shifts.len()),
        steps: Vec::with_capacity((rows as usize + 1) * shifts.len()),
    };
    for row in 0..=rows {
        for (at, &shift) in shifts.iter().enumerate() {
            let theirs = i64::from(row) + shift;
            let mut best = (u64::MAX, Step::Never);
            if row == 0 && at == start {
                best.0 = 0;
            }
            if (0..=their_rows).contains(&theirs) {
                let mut try_step = |cost: Option<u64>, step: Step| {
                    if let Some(cost) = cost.filter(|cost| *cost <= best.0) {
                        best = (cost, step);
                    }
                };
                if row > 0 && theirs > 0 && !costs.refused.contains(&shift) {
                    let before = table.cost(row - 1, at);
                    let pair = || pair_cost(costs, row - 1, theirs - 1);
                    try_step(before.map(|before| before + pair()), Step::Pair);
                }
                for (from, &other) in shifts.iter().enumerate() {
                    // More of the second picture comes in at this row; what is gone of the first lies above it.
                    let gone = u32::try_from((other - shift).max(0)).expect("rows of a picture");
                    let above = row.checked_sub(gone).filter(|_| from != at);
                    let Some(before) = above.and_then(|above| table.cost(above, from)) else {
                        continue;
                    };
                    let lone = costs.lone * other.abs_diff(shift);
                    let from = u8::try_from(from).expect("a few displacements");
                    try_step(Some(before + costs.turn + lone), Step::Turn(from));
                }
            }
            table.push(best);
        }
    }
    Some(table)
}

/// By how much a row of the first picture looks other than one of the second.
fn pair_cost(costs: &Costs<'_>, ours: u32, theirs: i64) -> u64 {
    let theirs = u32::try_from(theirs).expect("a row of the other picture");
    costs.ours.apart(costs.theirs, (ours, theirs))
}
