//! Aligns the children of matched nodes, from the roots down.

use crate::document::{Document, NONE};
use crate::fingerprint::join;
use crate::similarity::{Sketch, dice, leaf_sketch, tree_sketch};

use super::sequence::common_subsequence;
use super::{Matching, Trees, UniqueSubtrees};

/// Pairs of children up to which a gap is weighed pair by pair.
const MAX_WEIGHED: usize = 4096;
/// Pairs weighed in a whole comparison; what is left then is aligned by its hashes alone.
const MAX_WEIGHED_IN_ALL: usize = 1 << 18;
/// What a pair counts for before its texts are compared: of the same shape, of the same tag and class,
/// of the same tag alone.
const SAME_SHAPE: f64 = 3.0;
const SAME_KIND: f64 = 2.0;
const SAME_TAG: f64 = 1.0;
/// Likeness that a pair must have: containers of the same class with other content inside were
/// replaced; elements of another class must read nearly the same.
const MIN_CONTAINER_LIKENESS: f64 = 0.15;
const MIN_TAG_LIKENESS: f64 = 0.5;

/// Aligns children; keeps what it learned about nodes.
pub(super) struct Aligner<'a> {
    trees: Trees<'a>,
    unique: &'a UniqueSubtrees,
    before_sketches: Vec<Option<Sketches>>,
    after_sketches: Vec<Option<Sketches>>,
    weighed: usize,
}

/// A node as a leaf and as a subtree.
struct Sketches {
    leaf: Sketch,
    tree: Sketch,
}

impl<'a> Aligner<'a> {
    pub(super) fn new(trees: Trees<'a>, unique: &'a UniqueSubtrees) -> Self {
        let empty = |tree: &Document| (0..tree.nodes.len()).map(|_| None).collect();
        Self {
            trees,
            unique,
            before_sketches: empty(trees.before),
            after_sketches: empty(trees.after),
            weighed: 0,
        }
    }

    /// Aligns the children of these pairs, then theirs, to the leaves.
    pub(super) fn align_down(&mut self, matching: &mut Matching, mut pairs: Vec<(u32, u32)>) {
        pairs.reverse();
        while let Some((before, after)) = pairs.pop() {
            if matching.forward[before as usize] != after {
                continue;
            }
            let [ours, theirs] = [
                self.trees.before.print(before),
                self.trees.after.print(after),
            ];
            if ours.iso == theirs.iso {
                matching.link_equal(self.trees, before, after);
                continue;
            }
            pairs.extend(self.align_children(matching, before, after));
        }
    }

    /// Pairs children of two nodes and returns the new pairs.
    fn align_children(
        &mut self,
        matching: &mut Matching,
        before: u32,
        after: u32,
    ) -> Vec<(u32, u32)> {
        let ours: Vec<u32> = self.trees.before.children(before).collect();
        let theirs: Vec<u32> = self.trees.after.children(after).collect();
        let our_keys: Vec<u64> = ours
            .iter()
            .map(|node| match matching.counterpart(*node) {
                None => self.trees.before.print(*node).iso,
                Some(_) => join(u64::from(*node), 1),
            })
            .collect();
        let their_keys: Vec<u64> = theirs
            .iter()
            .map(|node| match matching.origin(*node) {
                None => self.trees.after.print(*node).iso,
                Some(origin) => join(u64::from(origin), 1),
            })
            .collect();
        let mut common = common_subsequence(&our_keys, &their_keys);
        let mut pairs = Vec::new();
        for (i, j) in &common {
            if matching.both_free(ours[*i], theirs[*j]) {
                matching.link(ours[*i], theirs[*j]);
                pairs.push((ours[*i], theirs[*j]));
            }
        }
        common.push((ours.len(), theirs.len()));
        let (mut i, mut j) = (0, 0);
        for (i_end, j_end) in common {
            let our_gap = self.free(&ours[i..i_end], self.trees.before, &matching.forward);
            let their_gap = self.free(&theirs[j..j_end], self.trees.after, &matching.backward);
            for (our, their) in self.align_gap(&our_gap, &their_gap) {
                matching.link(our, their);
                pairs.push((our, their));
            }
            (i, j) = (i_end + 1, j_end + 1);
        }
        pairs
    }

    /// Nodes that have no counterpart and will not find an equal one elsewhere.
    fn free(&self, nodes: &[u32], tree: &Document, counterparts: &[u32]) -> Vec<u32> {
        let free = |node: &&u32| {
            counterparts[**node as usize] == NONE && !self.unique.contains(tree.print(**node).iso)
        };
        nodes.iter().filter(free).copied().collect()
    }

    /// Pairs what lies between two pairs of equal children, in order.
    fn align_gap(&mut self, ours: &[u32], theirs: &[u32]) -> Vec<(u32, u32)> {
        if ours.is_empty() || theirs.is_empty() {
            return Vec::new();
        }
        let cells = ours.len() * theirs.len();
        if cells <= MAX_WEIGHED && self.weighed + cells <= MAX_WEIGHED_IN_ALL {
            self.weighed += cells;
            return self.align_weighed(ours, theirs);
        }
        let shapes = |tree: &Document, nodes: &[u32]| -> Vec<u64> {
            nodes.iter().map(|node| tree.print(*node).shape).collect()
        };
        let common = common_subsequence(
            &shapes(self.trees.before, ours),
            &shapes(self.trees.after, theirs),
        );
        common
            .into_iter()
            .map(|(i, j)| (ours[i], theirs[j]))
            .collect()
    }

    /// The alignment with the greatest sum of weights (Needleman–Wunsch without gap costs).
    fn align_weighed(&mut self, ours: &[u32], theirs: &[u32]) -> Vec<(u32, u32)> {
        let weights: Vec<f64> = ours
            .iter()
            .flat_map(|our| theirs.iter().map(|their| (*our, *their)))
            .map(|(our, their)| self.weight(our, their))
            .collect();
        let weight = |i: usize, j: usize| weights[i * theirs.len() + j];
        let width = theirs.len() + 1;
        let mut sums = vec![0.0_f64; (ours.len() + 1) * width];
        for i in (0..ours.len()).rev() {
            for j in (0..theirs.len()).rev() {
                let paired = sums[(i + 1) * width + j + 1] + weight(i, j);
                let apart = sums[(i + 1) * width + j].max(sums[i * width + j + 1]);
                sums[i * width + j] = paired.max(apart);
            }
        }
        let (mut i, mut j, mut pairs) = (0, 0, Vec::new());
        while i < ours.len() && j < theirs.len() {
            let here = sums[i * width + j];
            if weight(i, j) > 0.0 && here <= sums[(i + 1) * width + j + 1] + weight(i, j) {
                pairs.push((ours[i], theirs[j]));
                (i, j) = (i + 1, j + 1);
            } else if here <= sums[(i + 1) * width + j] {
                i += 1;
            } else {
                j += 1;
            }
        }
        pairs
    }

    /// How good a pair is; 0 for none.
    fn weight(&mut self, our: u32, their: u32) -> f64 {
        let (before, after) = (self.trees.before, self.trees.after);
        let (ours, theirs) = (before.print(our), after.print(their));
        if ours.tag != theirs.tag {
            return 0.0;
        }
        let leaves = before.node(our).size == 1 && after.node(their).size == 1;
        let likeness = self.likeness(our, their, leaves);
        if ours.shape == theirs.shape {
            return SAME_SHAPE + likeness.unwrap_or(0.0);
        }
        let enough = |least: f64| likeness.filter(|likeness| *likeness >= least);
        if ours.kind == theirs.kind {
            let alike = leaves || likeness.is_none() || enough(MIN_CONTAINER_LIKENESS).is_some();
            return if alike {
                SAME_KIND + likeness.unwrap_or(0.0)
            } else {
                0.0
            };
        }
        if leaves && self.shows_same(our, their) {
            return SAME_TAG + 1.0;
        }
        enough(MIN_TAG_LIKENESS).map_or(0.0, |likeness| SAME_TAG + likeness)
    }

    /// Whether two leaves without text show the same image, lead to the same place or, with neither, look
    /// the same: their class alone is another.
    fn shows_same(&self, our: u32, their: u32) -> bool {
        let shown = |tree: &'a Document, at: u32| {
            let node = tree.node(at);
            let addresses = [node.src, node.href].map(|span| tree.optional_str(span));
            let look = (addresses == [None; 2]).then(|| tree.styles.hash(node.styles));
            node.text.is_empty().then_some((addresses, look))
        };
        let ours = shown(self.trees.before, our);
        ours.is_some() && ours == shown(self.trees.after, their)
    }

    /// How alike two nodes read; `None` when neither has anything to read, or one of two containers.
    fn likeness(&mut self, our: u32, their: u32, leaves: bool) -> Option<f64> {
        let fill = |sketches: &mut Vec<Option<Sketches>>, tree: &Document, at: u32| {
            sketches[at as usize].get_or_insert_with(|| Sketches {
                leaf: leaf_sketch(tree, at),
                tree: tree_sketch(tree, at),
            });
        };
        fill(&mut self.before_sketches, self.trees.before, our);
        fill(&mut self.after_sketches, self.trees.after, their);
        let ours = self.before_sketches[our as usize].as_ref()?;
        let theirs = self.after_sketches[their as usize].as_ref()?;
        if leaves {
            return Some(dice(&ours.leaf, &theirs.leaf));
        }
        let readable = !ours.tree.is_empty() && !theirs.tree.is_empty();
        readable.then(|| dice(&ours.tree, &theirs.tree))
    }
}
