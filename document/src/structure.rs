//! Two matched trees, and who stayed in its place between them.

mod order;

use crate::document::{Document, NONE, Node};
use crate::matching::Matching;

use order::{Weight, heaviest_ascending};

/// Two trees and what became of their nodes.
pub(crate) struct Pairing<'a> {
    pub(crate) before: &'a Document,
    pub(crate) after: &'a Document,
    pub(crate) matching: Matching,
    /// For every node before, its nearest ancestor that has a counterpart, or [`NONE`].
    pub(crate) holder_before: Vec<u32>,
    /// For every node after, its nearest ancestor that has a counterpart, or [`NONE`].
    pub(crate) holder_after: Vec<u32>,
    /// For every node after: it has another holder now, or another order among its siblings.
    pub(crate) moved: Vec<bool>,
    /// For every node before: where it stands, or would stand, in the tree after.
    pub(crate) place: Vec<u32>,
}

impl<'a> Pairing<'a> {
    pub(crate) fn new(before: &'a Document, after: &'a Document, matching: Matching) -> Self {
        let mut pairing = Self {
            holder_before: holders(before, &matching.forward),
            holder_after: holders(after, &matching.backward),
            moved: vec![false; after.nodes.len()],
            place: Vec::new(),
            before,
            after,
            matching,
        };
        pairing.moved = pairing.find_moved();
        pairing.place = pairing.find_places();
        pairing
    }

    /// Every node after that has a counterpart, with it: before, after.
    pub(crate) fn pairs(&self) -> impl Iterator<Item = (u32, u32)> {
        (0..self.after.len()).filter_map(|after| Some((self.matching.origin(after)?, after)))
    }

    /// Whether the nearest matched ancestors of a pair are a pair too. What was wrapped or unwrapped
    /// keeps its holder.
    pub(crate) fn same_holder(&self, before: u32, after: u32) -> bool {
        let (was, is) = (
            self.holder_before[before as usize],
            self.holder_after[after as usize],
        );
        match was {
            NONE => is == NONE,
            was => self.matching.forward[was as usize] == is,
        }
    }

    fn find_moved(&self) -> Vec<bool> {
        let mut moved = vec![false; self.after.nodes.len()];
        let mut siblings: Vec<(u32, u32, u32)> = Vec::new();
        for (before, after) in self.pairs() {
            if self.same_holder(before, after) {
                siblings.push((self.holder_after[after as usize], after, before));
            } else {
                moved[after as usize] = true;
            }
        }
        siblings.sort_by_key(|(holder, ..)| *holder);
        for family in siblings.chunk_by(|one, other| one.0 == other.0) {
            if family.is_sorted_by_key(|(.., before)| *before) {
                continue;
            }
            let mut kept = self.keep_order(family).into_iter().peekable();
            for (at, (_, after, _)) in family.iter().enumerate() {
                if kept.next_if_eq(&at).is_none() {
                    moved[*after as usize] = true;
                }
            }
        }
        moved
    }

    /// The places of those siblings, in their order after, that are said to have stayed.
    fn keep_order(&self, family: &[(u32, u32, u32)]) -> Vec<usize> {
        let mut sorted: Vec<u32> = family.iter().map(|(.., before)| *before).collect();
        sorted.sort_unstable();
        let rank = |before: u32| sorted.partition_point(|other| *other < before);
        let ranks: Vec<usize> = family.iter().map(|(.., before)| rank(*before)).collect();
        let weights = family.iter().zip(&ranks).zip(0_i64..);
        let weights: Vec<Weight> = weights
            .map(|(((_, after, before), rank), place)| {
                let nodes = [self.before.node(*before), self.after.node(*after)];
                let area = |node: &Node| i128::from(node.area.w) * i128::from(node.area.h);
                Weight {
                    count: 1,
                    area: nodes.map(area).iter().sum(),
                    nodes: nodes.map(|node| i64::from(node.size)).iter().sum(),
                    up: i64::try_from(*rank).expect("parsing bounds the nodes") - place,
                }
            })
            .collect();
        heaviest_ascending(&ranks, &weights)
    }

    fn find_places(&self) -> Vec<u32> {
        let mut last = 0;
        (0..self.before.len())
            .map(|before| {
                if let Some(after) = self.matching.counterpart(before)
                    && !self.moved[after as usize]
                {
                    last = after;
                }
                last
            })
            .collect()
    }
}

fn holders(tree: &Document, counterparts: &[u32]) -> Vec<u32> {
    let mut holders: Vec<u32> = Vec::with_capacity(tree.nodes.len());
    for node in &tree.nodes {
        let holder = match node.parent {
            NONE => NONE,
            parent if counterparts[parent as usize] != NONE => parent,
            parent => holders[parent as usize],
        };
        holders.push(holder);
    }
    holders
}
