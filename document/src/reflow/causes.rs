//! The changes that can displace something, by where they are.

use std::cmp::Reverse;

use pentimento_api::result::ChangeType;

use crate::document::{Document, NONE};
use crate::draft::{Draft, Drafts};
use crate::finding::Area;
use crate::structure::Pairing;

/// Changes of one container that are weighed when one is to be named.
const MAX_WEIGHED: usize = 256;

/// All changes that can displace something, in document order.
pub(super) struct Causes {
    /// Where each is in the tree after, which draft says so, and by how much it makes its container
    /// higher.
    places: Vec<(u32, usize, i64)>,
}

impl Causes {
    pub(super) fn new(pairing: &Pairing<'_>, drafts: &Drafts) -> Self {
        let mut places = Vec::new();
        for (at, draft) in drafts.list.iter().enumerate() {
            let lone = draft.after == NONE || draft.before == NONE;
            if is_move(draft) {
                // It went in one place and came in another.
                let (was, is) = heights(pairing, draft);
                places.push((pairing.place[draft.before as usize], at, -was));
                places.push((draft.place, at, is));
            } else if lone || drafts.moves_boxes[draft.after as usize] {
                places.push((draft.place, at, growth(pairing, draft)));
            }
        }
        places.sort_unstable();
        Self { places }
    }

    pub(super) fn is_within(&self, tree: &Document, at: u32) -> bool {
        self.inside(tree, at).next().is_some()
    }

    /// The change in a subtree that explains its growth best.
    pub(super) fn within(&self, pairing: &Pairing<'_>, at: u32, growth: i64) -> Option<usize> {
        let inside = self.inside(pairing.after, at).take(MAX_WEIGHED);
        let best = inside.min_by_key(|(place, _, own)| ((own - growth).abs(), Reverse(*place)));
        best.map(|(_, draft, _)| *draft)
    }

    /// The change at the top, or at the bottom, of what is in a pair: margins collapse through that edge, so
    /// they reach what stands around the pair.
    pub(super) fn at_edge(
        &self,
        pairing: &Pairing<'_>,
        drafts: &Drafts,
        at: u32,
        edge: Edge,
    ) -> Option<usize> {
        let inside = self.inside(pairing.after, at).take(MAX_WEIGHED);
        let origin = pairing.matching.origin(at)?;
        let mut drafts = inside.map(|(_, draft, _)| (*draft, &drafts.list[*draft]));
        let found = drafts.find(|(_, draft)| {
            let sides = [
                (pairing.before, origin, draft.before),
                (pairing.after, at, draft.after),
            ];
            let lies = |(tree, root, node): &(&Document, u32, u32)| {
                *node != NONE && lies_at(tree, *root, *node, edge)
            };
            sides.iter().any(lies)
        });
        found.map(|(draft, _)| draft)
    }

    fn inside(&self, tree: &Document, at: u32) -> impl Iterator<Item = &(u32, usize, i64)> {
        let range = tree.subtree(at);
        let first = self
            .places
            .partition_point(|(place, ..)| *place < range.start);
        self.places[first..]
            .iter()
            .take_while(move |(place, ..)| *place < range.end)
    }
}

/// Where a container's margins meet those of what is in it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Edge {
    Top,
    Bottom,
}

/// Whether nothing in a container's flow stands between its edge and a node in it.
fn lies_at(tree: &Document, container: u32, node: u32, edge: Edge) -> bool {
    let flows = |at: &u32| *at == node || is_in_flow(tree, *at);
    let mut at = node;
    while at != container {
        let parent = tree.node(at).parent;
        if parent == NONE {
            return false;
        }
        let mut children = tree.children(parent).filter(flows);
        let outermost = match edge {
            Edge::Top => children.next(),
            Edge::Bottom => children.last(),
        };
        if outermost != Some(at) {
            return false;
        }
        at = parent;
    }
    true
}

/// Whether a node takes up room among its siblings.
fn is_in_flow(tree: &Document, at: u32) -> bool {
    !tree.node(at).area.is_empty() && !is_lifted(tree, at)
}

/// Whether a node was taken out of the flow, so that it displaces nothing.
pub(super) fn is_lifted(tree: &Document, at: u32) -> bool {
    matches!(tree.style(at, "position"), "absolute" | "fixed")
}

/// By how much a change makes its container higher.
pub(super) fn growth(pairing: &Pairing<'_>, draft: &Draft) -> i64 {
    match draft.kind {
        ChangeType::Insert => extent(pairing.after, draft.after).h,
        ChangeType::Delete => -extent(pairing.before, draft.before).h,
        _ => {
            let (was, is) = heights(pairing, draft);
            is - was
        }
    }
}

/// Whether a draft says that something was moved.
pub(super) fn is_move(draft: &Draft) -> bool {
    matches!(draft.kind, ChangeType::Move | ChangeType::MoveWithEdit)
}

/// The heights of a pair.
pub(super) fn heights(pairing: &Pairing<'_>, draft: &Draft) -> (i64, i64) {
    let was = pairing.before.node(draft.before).area.h;
    (was, pairing.after.node(draft.after).area.h)
}

/// The rectangle of a subtree's root, or of what is in it when the root has none.
fn extent(tree: &Document, root: u32) -> Area {
    let own = tree.node(root).area;
    if !own.is_empty() {
        return own;
    }
    tree.subtree(root)
        .map(|at| tree.node(at).area)
        .fold(own, Area::union)
}
