//! What can hardly be read any more because of a change of colours.
//!
//! Every text is looked at with the nearest change around it that repaints something, and nothing is said of a text whose
//! ground is not known.

use std::cell::LazyCell;

use rustc_hash::FxHashSet;

use crate::document::NONE;
use crate::draft::{Draft, Drafts};
use crate::finding::Unreadable;
use crate::selector::Selectors;
use crate::shade::{READABLE_CONTRAST, is_on_white};
use crate::sight::{Sight, is_text};
use crate::structure::Pairing;

/// Elements of a change that are looked at.
const MAX_LOOKED_AT: usize = 2000;

/// Elements that show a text which is none of theirs in a tree.
const FIELDS: [&str; 3] = ["input", "select", "textarea"];

/// Notes with each change what is wrong in its element.
pub(crate) fn find_flaws(pairing: &Pairing<'_>, drafts: &mut Drafts) {
    let telling = drafts.list.iter().filter(|draft| repaints(draft));
    let told: FxHashSet<u32> = telling.map(|draft| draft.after).collect();
    if told.is_empty() {
        return;
    }
    let looking = Looking {
        pairing,
        sights: [Sight::new(pairing.before), Sight::new(pairing.after)],
        was_on_white: is_on_white(pairing.before),
        told,
    };
    let selectors = LazyCell::new(|| Selectors::new(pairing.after));
    for draft in &mut drafts.list {
        if !repaints(draft) {
            continue;
        }
        draft.flaws.unreadable = looking.unreadable(draft).map(|pale| Unreadable {
            element: selectors.selector(pale.at),
            before: pale.before,
            after: pale.after,
        });
    }
}

/// Whether a change is one of the colours that texts have or lie on.
fn repaints(draft: &Draft) -> bool {
    let paints = ["background-color", "color"];
    draft.before != NONE
        && draft.after != NONE
        && paints
            .iter()
            .any(|property| draft.style.contains_key(*property))
}

/// Both pages, for looking at what is in a change.
struct Looking<'a> {
    pairing: &'a Pairing<'a>,
    /// The page before and after.
    sights: [Sight<'a>; 2],
    was_on_white: bool,
    /// Nodes after that have a change which is looked at by itself.
    told: FxHashSet<u32>,
}

/// A text that can hardly be read.
struct Pale {
    at: u32,
    before: Option<f64>,
    after: f64,
}

impl Looking<'_> {
    /// The element of a change and what lies in it, without what other changes tell of.
    fn within(&self, root: u32) -> impl Iterator<Item = u32> {
        let after = self.pairing.after;
        let end = after.subtree(root).end;
        let next = move |at: &u32| {
            let mut next = *at + 1;
            while next < end && self.told.contains(&next) {
                next += after.node(next).size;
            }
            (next < end).then_some(next)
        };
        std::iter::successors(Some(root), next).take(MAX_LOOKED_AT)
    }

    /// The palest of the texts in a change that can hardly be read any more.
    fn unreadable(&self, draft: &Draft) -> Option<Pale> {
        let root = draft.after;
        let pale = self.within(root).filter_map(|at| self.faded(root, at));
        pale.min_by(|one, other| one.after.total_cmp(&other.after))
    }

    /// An element whose text can hardly be read any more. What was as pale before counts only where its own colours are
    /// what changed, and got worse.
    fn faded(&self, root: u32, at: u32) -> Option<Pale> {
        let tree = self.pairing.after;
        let is_field = || FIELDS.contains(&tree.str(tree.node(at).tag));
        if !is_text(tree, at) && !(at == root && is_field()) {
            return None;
        }
        let origin = self.pairing.matching.origin(at)?;
        let [before, after] = &self.sights;
        let is = after.shade(at)?;
        if is.contrast() >= READABLE_CONTRAST {
            return None;
        }
        let was = before.shade(origin)?;
        let worse = was.contrast() > is.contrast();
        let was_readable = at == root || was.contrast() >= READABLE_CONTRAST;
        let is_known = self.was_on_white || !(was.is_bare || is.is_bare);
        let fell = worse && was_readable && is_known;
        (fell && !before.meets_others(origin) && !after.meets_others(at)).then(|| Pale {
            at,
            before: Some(was.contrast()),
            after: is.contrast(),
        })
    }
}
