//! Recovers containers from what became of their descendants.

use crate::document::NONE;

use super::children::Aligner;
use super::{Matching, Trees};

/// Candidates that are weighed for one container.
const MAX_CANDIDATES: usize = 8;
/// Matched descendants that are asked for candidates.
const MAX_ASKED: usize = 32;
/// Descendants looked at in a whole comparison.
const MAX_STEPS: usize = 1 << 22;

/// Pairs containers, the innermost first, and aligns what is in them.
pub(super) fn match_containers(
    trees: Trees<'_>,
    aligner: &mut Aligner<'_>,
    matching: &mut Matching,
) {
    let mut steps = 0;
    for container in (0..trees.before.len()).rev() {
        let size = trees.before.node(container).size;
        if matching.forward[container as usize] != NONE || size == 1 || steps > MAX_STEPS {
            continue;
        }
        let candidates = candidates(trees, matching, container, &mut steps);
        let mut best: Option<(f64, u32)> = None;
        for candidate in candidates {
            steps += size as usize;
            let likeness = shared(trees, matching, container, candidate);
            if best.is_none_or(|(most, _)| likeness > most) {
                best = Some((likeness, candidate));
            }
        }
        let Some((likeness, candidate)) = best else {
            continue;
        };
        if likeness >= threshold(size, trees.after.node(candidate).size) {
            matching.link(container, candidate);
            aligner.align_down(matching, vec![(container, candidate)]);
        }
    }
}

/// Free ancestors, of the container's tag, of what its descendants became; the innermost first.
fn candidates(
    trees: Trees<'_>,
    matching: &Matching,
    container: u32,
    steps: &mut usize,
) -> Vec<u32> {
    let mut candidates = Vec::new();
    let tag = trees.before.print(container).tag;
    let mut asked = 0;
    for descendant in trees.before.subtree(container).skip(1) {
        *steps += 1;
        let Some(after) = matching.counterpart(descendant) else {
            continue;
        };
        asked += 1;
        if asked > MAX_ASKED {
            break;
        }
        let mut ancestor = trees.after.node(after).parent;
        while ancestor != NONE && candidates.len() < MAX_CANDIDATES {
            let free = matching.origin(ancestor).is_none();
            if free && trees.after.print(ancestor).tag == tag && !candidates.contains(&ancestor) {
                candidates.push(ancestor);
            }
            ancestor = trees.after.node(ancestor).parent;
            *steps += 1;
        }
    }
    candidates
}

/// Twice the descendants that became descendants, of all descendants (Dice).
fn shared(trees: Trees<'_>, matching: &Matching, container: u32, candidate: u32) -> f64 {
    let inside = trees.after.subtree(candidate);
    let descendants = trees.before.subtree(container).skip(1);
    let counterparts = descendants.filter_map(|node| matching.counterpart(node));
    let common = counterparts.filter(|after| inside.contains(after)).count();
    let all = trees.before.node(container).size + trees.after.node(candidate).size - 2;
    2.0 * common as f64 / f64::from(all.max(1))
}

/// The adaptive threshold of `SimpleBottomUpMatcher`: large containers may differ more.
fn threshold(size: u32, other: u32) -> f64 {
    1.0 / (1.0 + f64::from(size + other).ln())
}
