//! Parts that go with what lies beside them.

use std::cmp::Reverse;

use super::{Column, Part, without_seams};

/// What went nowhere by itself goes with a neighbour where more of its rows are the same then: the blank ones between lines that
/// were all edited.
pub(super) fn follow_neighbours(parts: &mut [Part]) {
    for at in 0..parts.len() {
        if !parts[at].is_foreign {
            continue;
        }
        let part = &parts[at];
        let near = [at.checked_sub(1), Some(at + 1)].into_iter().flatten();
        let bands = near.filter_map(|near| Some(&parts.get(near)?.bands));
        let least = bands.min_by_key(|bands| part.cost(bands));
        let better = least.filter(|bands| part.cost(bands) < part.cost(&part.bands));
        if let Some(bands) = better.cloned() {
            parts[at].bands = bands;
        }
    }
}

/// The parts, those of which no more rows differ where they lie as a neighbour does going with it: where a table has nothing but the rules
/// between its rows, each of them looks like the next one, and nothing tells which of them went.
pub(super) fn join_neighbours(mut parts: Vec<Part>, columns: &[Column]) -> Vec<Part> {
    loop {
        let before = parts.len();
        for at in 0..parts.len() {
            let part = &parts[at];
            // A bar that shares its only cell is told by more than its hashes.
            if part.cells.is_empty() {
                continue;
            }
            let own = part.cost(&part.bands);
            let near = [at.checked_sub(1), Some(at + 1)].into_iter().flatten();
            let as_good = near
                .filter_map(|near| parts.get(near))
                .map(|near| (part.cost(&near.bands), Reverse(near.cells.len()), near))
                .filter(|(cost, _, near)| *cost <= own && near.bands != part.bands)
                .filter(|(.., near)| part.differing(&near.bands) <= part.differing(&part.bands));
            let best = as_good.min_by_key(|(cost, cells, _)| (*cost, *cells));
            if let Some(bands) = best.map(|(.., near)| near.bands.clone()) {
                parts[at].bands = bands;
            }
        }
        parts = without_seams(parts, columns);
        if parts.len() == before {
            return parts;
        }
    }
}
