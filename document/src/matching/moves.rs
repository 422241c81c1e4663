//! Finds what was moved: equal subtrees, then leaves that read nearly the same.

use rustc_hash::FxHashMap;

use crate::document::{Document, NONE};
use crate::similarity::{Sketch, dice, leaf_sketch};

use super::{Matching, Trees, UniqueSubtrees};

/// Likeness from which a leaf counts as moved and edited.
const MIN_LIKENESS: f64 = 0.6;
/// Equal subtrees, and leaves of a tag, that are compared with each other at most.
const MAX_EQUALS: usize = 64;
const MAX_LEAVES: usize = 128;
/// Pairs of leaves that are compared in all.
const MAX_PAIRS: usize = 1 << 16;
/// Bytes a text needs to be recognised elsewhere after an edit.
const MIN_TEXT: u32 = 8;

/// Pairs free subtrees that stand once in each tree, the outermost first.
pub(super) fn match_unique(trees: Trees<'_>, unique: &UniqueSubtrees, matching: &mut Matching) {
    for (before, after) in &unique.pairs {
        if matching.both_free(*before, *after) && !is_cell(trees.before, *before) {
            matching.link_equal(trees, *before, *after);
        }
    }
}

/// Pairs free subtrees that stand several times with the nearest equal one.
pub(super) fn match_nearest(trees: Trees<'_>, matching: &mut Matching) {
    let mut places: FxHashMap<u64, Vec<u32>> = FxHashMap::default();
    // The first in the document stand last, where they are taken from.
    for at in (0..trees.after.len()).rev() {
        let print = trees.after.print(at);
        if matching.origin(at).is_none() && print.substance {
            places.entry(print.iso).or_default().push(at);
        }
    }
    for before in 0..trees.before.len() {
        let print = trees.before.print(before);
        if matching.counterpart(before).is_some()
            || !print.substance
            || is_cell(trees.before, before)
        {
            continue;
        }
        let Some(equals) = places.get_mut(&print.iso) else {
            continue;
        };
        let mut candidates = equals.split_off(equals.len().saturating_sub(MAX_EQUALS));
        candidates.retain(|after| matching.origin(*after).is_none());
        let distance = |at: &usize| distance(trees, before, candidates[*at]);
        if let Some(nearest) = (0..candidates.len()).min_by_key(distance) {
            matching.link_equal(trees, before, candidates.remove(nearest));
        }
        equals.extend(candidates);
    }
}

/// A cell belongs to its row: one that reads the same in another row is another cell.
fn is_cell(tree: &Document, at: u32) -> bool {
    matches!(tree.str(tree.node(at).tag), "td" | "th")
}

fn distance(trees: Trees<'_>, before: u32, after: u32) -> (i64, u32) {
    let (was, is) = (trees.before.node(before).area, trees.after.node(after).area);
    ((was.x - is.x).abs() + (was.y - is.y).abs(), after)
}

/// Pairs free leaves of the same tag that read nearly the same, the most alike first.
pub(super) fn match_similar_leaves(trees: Trees<'_>, matching: &mut Matching) {
    let ours = free_leaves(trees.before, &matching.forward);
    let theirs = free_leaves(trees.after, &matching.backward);
    let mut tags: Vec<u64> = ours.keys().copied().collect();
    tags.sort_unstable();
    let mut compared = 0;
    for tag in tags {
        let Some(theirs) = theirs.get(&tag) else {
            continue;
        };
        let pairs = ours[&tag].len() * theirs.len();
        if compared + pairs > MAX_PAIRS {
            continue;
        }
        compared += pairs;
        let mut alike = Vec::new();
        for (before, sketch) in &ours[&tag] {
            for (after, other) in theirs {
                let likeness = dice(sketch, other);
                if likeness >= MIN_LIKENESS {
                    alike.push((likeness, *before, *after));
                }
            }
        }
        alike.sort_by(|one, other| {
            other
                .0
                .total_cmp(&one.0)
                .then(one.1.cmp(&other.1))
                .then(one.2.cmp(&other.2))
        });
        for (_, before, after) in alike {
            if matching.both_free(before, after) {
                matching.link(before, after);
            }
        }
    }
}

/// Free leaves with enough text, by their tag.
fn free_leaves(tree: &Document, counterparts: &[u32]) -> FxHashMap<u64, Vec<(u32, Sketch)>> {
    let mut leaves: FxHashMap<u64, Vec<(u32, Sketch)>> = FxHashMap::default();
    for (at, node) in (0..).zip(&tree.nodes) {
        if node.size == 1 && node.text.len >= MIN_TEXT && counterparts[at as usize] == NONE {
            let leaves = leaves.entry(tree.print(at).tag).or_default();
            if leaves.len() < MAX_LEAVES {
                leaves.push((at, leaf_sketch(tree, at)));
            }
        }
    }
    leaves
}
