//! What an element lies over that a negative margin pulls out of its place.

use std::collections::BTreeMap;

use crate::context::up;
use crate::cropped::{Cropped, crop};
use crate::document::{Document, NONE};
use crate::draft::{Draft, Drafts};
use crate::finding::{Area, Pulled};
use crate::selector::Selectors;
use crate::shade::opacity;
use crate::sight::is_painted;
use crate::structure::Pairing;

/// Pixels that boxes may share, in either direction, and be rounded or tuned.
const OVERLAP_PX: i64 = 4;

/// Pixels by which something may lie beyond the edge of the page.
const BEYOND_PX: i64 = 8;

/// Elements that are looked at for what others lie over.
const MAX_LOOKED_AT: usize = 20_000_000;

/// Parts of a pulled element that are held against all others.
const MAX_PLACES: usize = 50;

/// Pixels below zero from which on a margin is no fine tuning.
const PULLED_PX: f64 = 8.0;

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
        draft.flaws.pulled = places.of(draft, &selectors, &mut looked_at);
    }
}

/// Whether a margin of an element that is on both pages became negative.
fn pulls(draft: &Draft) -> bool {
    draft.before != NONE && draft.after != NONE && negative_margin(&draft.style).is_some()
}

/// A margin that became negative, by more than rounding or fine tuning would, and its pixels now.
pub(crate) fn negative_margin(style: &BTreeMap<String, [String; 2]>) -> Option<(&str, f64)> {
    let pixels = |value: &str| value.strip_suffix("px")?.parse::<f64>().ok();
    style.iter().find_map(|(property, [from, to])| {
        let (was, is) = (pixels(from)?, pixels(to)?);
        let sticks_out = property.starts_with("margin-") && was >= 0.0 && is < -PULLED_PX;
        sticks_out.then_some((property.as_str(), is))
    })
}

/// Where everything is on both pages.
struct Places<'a> {
    pairing: &'a Pairing<'a>,
    /// What can be seen before and after.
    seen: [Cropped; 2],
    /// By node after: whether something of itself can be seen.
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

    fn of(&self, draft: &Draft, selectors: &Selectors<'_>, looked_at: &mut usize) -> Pulled {
        let (before, after) = (self.pairing.before, self.pairing.after);
        let parent = after.node(draft.after).parent;
        // Where the text around it stands is not known.
        let is_in_text = parent != NONE && !after.node(parent).text.is_empty();
        let has_box = |area: Area| !area.is_empty();
        let boxes = [before.node(draft.before).area, after.node(draft.after).area];
        if is_in_text || !boxes.into_iter().all(has_box) {
            return Pulled::Unknown;
        }
        let is = self.seen[1].area(draft.after);
        if is.is_empty() {
            return Pulled::Free;
        }
        if is_beyond(after, is) && !is_beyond(before, self.seen[0].area(draft.before)) {
            return Pulled::OffPage;
        }
        let own = after.subtree(draft.after);
        let around: Vec<u32> = up(after, draft.after).collect();
        let moved: Vec<[Area; 2]> = self.places(own.clone());
        *looked_at += after.nodes.len() * moved.len();
        if *looked_at > MAX_LOOKED_AT {
            return Pulled::Unknown;
        }
        let covers = |other: u32| {
            let there = self.seen[1].area(other);
            let origin = self.pairing.matching.origin(other);
            let was_there = origin.map(|origin| self.seen[0].area(origin));
            moved.iter().any(|[was, is]| {
                let lay_over = was_there.is_some_and(|there| overlap(*was, there));
                overlap(*is, there) && !lay_over
            })
        };
        let is_beside = |other: &u32| !own.contains(other) && !around.contains(other);
        let other = (0..after.len())
            .filter(|other| self.filled[*other as usize])
            .find(|other| is_beside(other) && covers(*other));
        other.map_or(Pulled::Free, |other| {
            Pulled::Over(selectors.selector(other))
        })
    }

    /// Where what can be seen of an element was and is: its own box where it fills that, else those in it that do.
    fn places(&self, own: std::ops::Range<u32>) -> Vec<[Area; 2]> {
        let (mut places, mut at) = (Vec::new(), own.start);
        while at < own.end && places.len() < MAX_PLACES {
            let is_filled = self.filled[at as usize];
            if is_filled {
                let origin = self.pairing.matching.origin(at);
                let was = origin.map_or_else(Area::default, |origin| self.seen[0].area(origin));
                places.push([was, self.seen[1].area(at)]);
            }
            // What lies in a box that is filled is part of it.
            at += if is_filled {
                self.pairing.after.node(at).size
            } else {
                1
            };
        }
        places
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

/// By node: whether something of itself can be seen.
fn filled(tree: &Document) -> Vec<bool> {
    let mut opacities = vec![1.0_f64; tree.nodes.len()];
    let mut filled = vec![false; tree.nodes.len()];
    for at in 0..tree.len() {
        let parent = tree.node(at).parent;
        let around = if parent == NONE {
            1.0
        } else {
            opacities[parent as usize]
        };
        let seen = around * opacity(tree, at);
        opacities[at as usize] = seen;
        filled[at as usize] = seen > 0.0 && fills(tree, at);
    }
    filled
}

/// Whether something of an element itself can be seen.
fn fills(tree: &Document, at: u32) -> bool {
    let node = tree.node(at);
    let is_hidden = node.area.is_empty() || tree.style(at, "visibility") == "hidden";
    let has_edge = !matches!(tree.style(at, "border-top-width"), "" | "0px")
        || !matches!(tree.style(at, "box-shadow"), "" | "none");
    let shows = !node.text.is_empty()
        || CONTROLS.contains(&tree.str(node.tag))
        || has_edge
        || is_painted(tree, at);
    shows && !is_hidden
}
