//! Two matched trees, and who stayed in its place between them.

use crate::document::{Document, NONE};
use crate::matching::{Matching, longest_ascending};

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
        let mut siblings: Vec<(u32, u32, usize)> = Vec::new();
        for (before, after) in self.pairs() {
            if self.same_holder(before, after) {
                siblings.push((self.holder_after[after as usize], after, before as usize));
            } else {
                moved[after as usize] = true;
            }
        }
        siblings.sort_by_key(|(holder, ..)| *holder);
        for family in siblings.chunk_by(|one, other| one.0 == other.0) {
            let order: Vec<usize> = family.iter().map(|(.., before)| *before).collect();
            if order.is_sorted() {
                continue;
            }
            let mut kept = longest_ascending(&order).into_iter().peekable();
            for (at, (_, after, _)) in family.iter().enumerate() {
                if kept.next_if_eq(&at).is_none() {
                    moved[*after as usize] = true;
                }
            }
        }
        moved
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
