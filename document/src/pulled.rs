//! What an element lies over that a negative margin pulls out of its place.

use crate::context::up;
use crate::cropped::{Cropped, crop};
use crate::document::{Document, NONE};
use crate::draft::{Draft, Drafts};
use crate::finding::{Area, Pulled};
use crate::selector::Selectors;
use crate::sight::is_painted;
use crate::structure::Pairing;

/// Pixels that boxes may share, in either direction, and be rounded or tuned.
const OVERLAP_PX: i64 = 4;

/// Pixels by which something may lie beyond the edge of the page.
const BEYOND_PX: i64 = 8;

/// Elements that are looked at for what others lie over.
const MAX_LOOKED_AT: usize = 5_000_000;

/// Elements that people see without a text or a ground of theirs.
const CONTROLS: [&str; 5] = ["button", "hr", "input", "select", "textarea"];

/// Notes with each change that pulls its element what is there.
pub(crate) fn find_pulled(pairing: &Pairing<'_>, drafts: &mut Drafts) {
    if !drafts.list.iter().any(pulls) {
        return;
    }
    let selectors = Selectors::new(pairing.after);
    let places = Places::new(pairing);
    let mut looked_at = 0;
    for draft in &mut drafts.list {
        if !pulls(draft) {
            continue;
        }
        looked_at += pairing.after.nodes.len();
        if looked_at > MAX_LOOKED_AT {
            break;
        }
        draft.flaws.pulled = places.of(draft, &selectors);
    }
}

/// Whether a margin of an element went below zero.
fn pulls(draft: &Draft) -> bool {
    let mut style = draft.style.iter();
    let is_pair = draft.before != NONE && draft.after != NONE;
    is_pair && style.any(|(name, [_, to])| name.starts_with("margin-") && to.starts_with('-'))
}

/// Where everything is on both pages.
struct Places<'a> {
    pairing: &'a Pairing<'a>,
    /// What can be seen before and after.
    seen: [Cropped; 2],
    /// By node after: whether something can be seen in its box.
    filled: Vec<bool>,
}

impl<'a> Places<'a> {
    fn new(pairing: &'a Pairing<'a>) -> Self {
        Self {
            pairing,
            seen: [pairing.before, pairing.after].map(crop),
            filled: filled(pairing.after),
        }
    }

    fn of(&self, draft: &Draft, selectors: &Selectors<'_>) -> Pulled {
        let (before, after) = (self.pairing.before, self.pairing.after);
        let [was_seen, is_seen] = &self.seen;
        let (was, is) = (was_seen.area(draft.before), is_seen.area(draft.after));
        let parent = after.node(draft.after).parent;
        // Where the text around it stands is not known.
        let is_in_text = parent != NONE && !after.node(parent).text.is_empty();
        if was.is_empty() || is.is_empty() || is_in_text {
            return Pulled::Unknown;
        }
        if is_beyond(after, is) && !is_beyond(before, was) {
            return Pulled::OffPage;
        }
        let own = after.subtree(draft.after);
        let around: Vec<u32> = up(after, draft.after).collect();
        let lies_over = |other: u32| overlap(is, is_seen.area(other));
        let lay_over = |other: u32| {
            let origin = self.pairing.matching.origin(other);
            origin.is_some_and(|origin| overlap(was, was_seen.area(origin)))
        };
        let is_beside = |other: &u32| !own.contains(other) && !around.contains(other);
        let other = (0..after.len())
            .filter(|other| self.filled[*other as usize])
            .find(|other| lies_over(*other) && is_beside(other) && !lay_over(*other));
        other.map_or(Pulled::Free, |other| {
            Pulled::Over(selectors.selector(other))
        })
    }
}

/// Whether two boxes share more than rounding makes them share.
fn overlap(one: Area, other: Area) -> bool {
    let (w, h) = one.shared(other);
    w > OVERLAP_PX && h > OVERLAP_PX
}

/// Whether something lies beyond an edge of the page; its root keeps as far from the right one as from the left.
fn is_beyond(tree: &Document, area: Area) -> bool {
    let page = tree.node(0).area;
    let width = page.x + page.w + page.x;
    let is_right = !page.is_empty() && area.x + area.w > width + BEYOND_PX;
    area.x < -BEYOND_PX || area.y < -BEYOND_PX || is_right
}

/// By node: whether it, or something in it, can be seen.
fn filled(tree: &Document) -> Vec<bool> {
    let mut filled = vec![false; tree.nodes.len()];
    for at in (0..tree.len()).rev() {
        let node = tree.node(at);
        if !filled[at as usize] {
            filled[at as usize] = fills(tree, at);
        }
        if filled[at as usize] && node.parent != NONE {
            filled[node.parent as usize] = true;
        }
    }
    filled
}

/// Whether something of an element itself can be seen.
fn fills(tree: &Document, at: u32) -> bool {
    let node = tree.node(at);
    let is_hidden = node.area.is_empty()
        || tree.style(at, "visibility") == "hidden"
        || tree.style(at, "opacity") == "0";
    let has_edge = !matches!(tree.style(at, "border-top-width"), "" | "0px")
        || !matches!(tree.style(at, "box-shadow"), "" | "none");
    let shows = !node.text.is_empty()
        || CONTROLS.contains(&tree.str(node.tag))
        || has_edge
        || is_painted(tree, at);
    shows && !is_hidden
}
