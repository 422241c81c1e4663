//! Finds which node of one tree became which of another.
//!
//! The simple matcher of `GumTree` (Falleri et al., "Fine-grained and accurate source code differencing",
//! ASE 2014) adapted to documents: ids are anchors, children are aligned from the roots down,
//! containers are recovered from what their descendants became, and what was moved is looked for
//! last. It finds the same pairs when the trees are swapped.

mod children;
mod containers;
mod moves;
mod sequence;

use rustc_hash::{FxHashMap, FxHashSet};

use crate::document::{Document, NONE};

use children::Aligner;

/// Which node became which; a node has at most one counterpart, always of the same tag.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Matching {
    /// For every node before, its counterpart or [`NONE`].
    pub(crate) forward: Vec<u32>,
    /// For every node after, its counterpart or [`NONE`].
    pub(crate) backward: Vec<u32>,
}

impl Matching {
    fn new(before: &Document, after: &Document) -> Self {
        Self {
            forward: vec![NONE; before.nodes.len()],
            backward: vec![NONE; after.nodes.len()],
        }
    }

    pub(crate) fn counterpart(&self, before: u32) -> Option<u32> {
        Some(self.forward[before as usize]).filter(|node| *node != NONE)
    }

    pub(crate) fn origin(&self, after: u32) -> Option<u32> {
        Some(self.backward[after as usize]).filter(|node| *node != NONE)
    }

    fn both_free(&self, before: u32, after: u32) -> bool {
        self.forward[before as usize] == NONE && self.backward[after as usize] == NONE
    }

    fn link(&mut self, before: u32, after: u32) {
        self.forward[before as usize] = after;
        self.backward[after as usize] = before;
    }

    /// Pairs two subtrees with equal `iso` hashes, node by node where both are free.
    fn link_equal(&mut self, trees: Trees<'_>, before: u32, after: u32) {
        for (ours, theirs) in trees.before.subtree(before).zip(trees.after.subtree(after)) {
            let alike = trees.before.print(ours).tag == trees.after.print(theirs).tag;
            if alike && self.both_free(ours, theirs) {
                self.link(ours, theirs);
            }
        }
    }
}

/// The two trees.
#[derive(Clone, Copy)]
struct Trees<'a> {
    before: &'a Document,
    after: &'a Document,
}

/// Matches two trees.
pub(crate) fn match_trees(before: &Document, after: &Document) -> Matching {
    // Ties are broken by position, which is not symmetric; so the trees are always taken in the same
    // order. Trees with the same hash are equal.
    if before.print(0).whole <= after.print(0).whole {
        return match_in_order(Trees { before, after });
    }
    let swapped = match_in_order(Trees {
        before: after,
        after: before,
    });
    Matching {
        forward: swapped.backward,
        backward: swapped.forward,
    }
}

fn match_in_order(trees: Trees<'_>) -> Matching {
    let mut matching = Matching::new(trees.before, trees.after);
    let unique = UniqueSubtrees::find(trees);
    let mut aligner = Aligner::new(trees, &unique);
    let mut pairs = vec![(0, 0)];
    let same_root = trees.before.print(0).tag == trees.after.print(0).tag;
    if same_root {
        matching.link(0, 0);
    }
    pairs.extend(anchor_ids(trees, &mut matching));
    aligner.align_down(&mut matching, pairs);
    moves::match_unique(trees, &unique, &mut matching);
    containers::match_containers(trees, &mut aligner, &mut matching);
    moves::match_nearest(trees, &mut matching);
    moves::match_similar_leaves(trees, &mut matching);
    matching
}

/// Pairs elements whose id is unique in both trees.
fn anchor_ids(trees: Trees<'_>, matching: &mut Matching) -> Vec<(u32, u32)> {
    let mut pairs: Vec<(u32, u32)> = trees
        .before
        .unique_ids
        .iter()
        .filter_map(|(id, before)| Some((*before, *trees.after.unique_ids.get(id)?)))
        .filter(|(before, after)| trees.before.print(*before).tag == trees.after.print(*after).tag)
        .collect();
    pairs.sort_unstable();
    pairs.retain(|(before, after)| matching.both_free(*before, *after));
    for (before, after) in &pairs {
        matching.link(*before, *after);
    }
    pairs
}

/// Subtrees that stand once in each tree: nobody else can be their counterpart.
struct UniqueSubtrees {
    /// Pairs in document order of the tree before.
    pairs: Vec<(u32, u32)>,
    hashes: FxHashSet<u64>,
}

impl UniqueSubtrees {
    fn find(trees: Trees<'_>) -> Self {
        let [ours, theirs] = [trees.before, trees.after].map(|tree| {
            let mut places: FxHashMap<u64, u32> = FxHashMap::default();
            places.reserve(tree.nodes.len());
            for (at, print) in (0..).zip(&tree.prints) {
                if print.substance {
                    let place = places.entry(print.iso);
                    place.and_modify(|place| *place = NONE).or_insert(at);
                }
            }
            places
        });
        let mut pairs = Vec::new();
        for (at, print) in (0..).zip(&trees.before.prints) {
            if ours.get(&print.iso) == Some(&at)
                && let Some(&after) = theirs.get(&print.iso)
                && after != NONE
            {
                pairs.push((at, after));
            }
        }
        let hashes = pairs.iter().map(|(at, _)| trees.before.print(*at).iso);
        Self {
            hashes: hashes.collect(),
            pairs,
        }
    }

    fn contains(&self, iso: u64) -> bool {
        self.hashes.contains(&iso)
    }
}

#[cfg(test)]
mod tests;
