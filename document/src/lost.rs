//! What a page loses with an element that went or was hidden: landmarks and controls in it that nothing alike is left of.

use std::ops::Range;

use pentimento_api::result::ChangeType;
use rustc_hash::FxHashSet;

use crate::context::up;
use crate::document::Document;
use crate::draft::Draft;
use crate::finding::Lost;
use crate::selector::Selectors;
use crate::structure::Pairing;
use crate::styles::hides;

/// Elements that are looked for.
const SOUGHT: [&str; 10] = [
    "main", "nav", "header", "footer", "h1", "form", "button", "input", "select", "textarea",
];

/// Of these any other one will do; all others have to be of the same class.
const CONTROLS: [&str; 4] = ["button", "input", "select", "textarea"];

/// A header or footer in one of these is that part's own, not the page's (HTML-AAM, roles `banner` and `contentinfo`).
const SECTIONS: [&str; 5] = ["article", "aside", "main", "nav", "section"];

/// Elements that are told of one change.
const MAX_LOST: usize = 8;

/// What could be seen in the element of a change before and nowhere now; nothing where it neither went nor was hidden.
pub(crate) fn lost(pairing: &Pairing<'_>, selectors: &Selectors<'_>, draft: &Draft) -> Vec<Lost> {
    let Some(gone) = gone(pairing, draft) else {
        return Vec::new();
    };
    let (before, after) = (pairing.before, pairing.after);
    let mut looked_at = FxHashSet::default();
    let mut found = Vec::new();
    for at in before.subtree(draft.before).skip(1) {
        let tag = before.str(before.node(at).tag);
        if !SOUGHT.contains(&tag) || !is_shown(before, at) || !is_of_the_page(before, at) {
            continue;
        }
        let print = before.print(at);
        let is_control = CONTROLS.contains(&tag);
        let key = if is_control { print.tag } else { print.kind };
        if !looked_at.insert(key) {
            continue;
        }
        let is_left = |other: u32| !gone.contains(&other) && is_shown(after, other);
        let is_alike = |other: u32| {
            let print = after.print(other);
            key == if is_control { print.tag } else { print.kind }
        };
        let stays = pairing.matching.counterpart(at).is_some_and(is_left);
        if !stays && !(0..after.len()).any(|other| is_alike(other) && is_left(other)) {
            found.push(Lost {
                tag: tag.to_owned(),
                element: selectors.selector(at),
            });
            if found.len() == MAX_LOST {
                break;
            }
        }
    }
    found
}

/// The nodes after that cannot be seen any more because of a change, if it takes something away.
fn gone(pairing: &Pairing<'_>, draft: &Draft) -> Option<Range<u32>> {
    match draft.kind {
        ChangeType::Delete => Some(0..0),
        _ if hides(&draft.style) => Some(pairing.after.subtree(draft.after)),
        _ => None,
    }
}

fn is_shown(tree: &Document, at: u32) -> bool {
    !tree.node(at).area.is_empty() && tree.style(at, "visibility") != "hidden"
}

/// Whether an element is no part of a part of the page alone.
fn is_of_the_page(tree: &Document, at: u32) -> bool {
    let tag = |at: u32| tree.str(tree.node(at).tag);
    !matches!(tag(at), "header" | "footer")
        || !up(tree, at)
            .skip(1)
            .any(|around| SECTIONS.contains(&tag(around)))
}
