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
