//! The matching told as steps that turn the tree before into the tree after.
//!
//! Findings are made for people: they cut long texts, tell inherited styles once and leave out what only
//! follows. A script leaves nothing out but rectangles, so that it can be replayed and its length be
//! compared with that of others. No comparison needs it; it is there to check what comparisons rest on.

use std::collections::BTreeMap;

use crate::document::{Document, NONE};
use crate::matching::match_trees;
use crate::structure::Pairing;

/// An element, by its place in document order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Element {
    /// In the tree before.
    Old(u32),
    /// In the tree after.
    New(u32),
}

/// One step of a script.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Step {
    /// An element goes; the children that it still has take its place.
    Delete {
        /// In the tree before.
        element: u32,
    },
    /// An element comes.
    Insert {
        /// In the tree after.
        element: u32,
        /// Its tag.
        tag: String,
        /// What else it says.
        fields: Fields,
        /// Where it comes.
        to: Place,
        /// Children of its parent that become its own, in this order.
        around: Vec<Element>,
    },
    /// An element goes elsewhere with all that it holds.
    Move {
        /// In the tree before.
        element: u32,
        /// Where it goes.
        to: Place,
    },
    /// What an element says is replaced, field by field.
    Update {
        /// In the tree before.
        element: u32,
        /// The fields that differ; nothing for one that is gone.
        fields: BTreeMap<String, Option<String>>,
    },
}

/// A place among the children of an element.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Place {
    /// The parent; nothing for the root.
    pub parent: Option<Element>,
    /// The sibling that it stands right behind; nothing for the first.
    pub behind: Option<Element>,
}

/// What an element says besides its tag: `id`, `class`, `text`, `href`, `src`, `alt`, `broken`, `open`, and its styles as
/// `style:name`. Empty ones are left out.
pub type Fields = BTreeMap<String, String>;

/// The steps from one document to another, to be taken in this order.
pub fn edit_script(before: &Document, after: &Document) -> Vec<Step> {
    let pairing = Pairing::new(before, after, match_trees(before, after));
    let lone = (0..before.len()).filter(|at| pairing.matching.counterpart(*at).is_none());
    let mut steps: Vec<Step> = lone.map(|element| Step::Delete { element }).collect();
    // Parents come before what is in them and siblings in their order, so every place that is named exists.
    let mut last_child: Vec<Option<Element>> = vec![None; after.nodes.len()];
    for at in 0..after.len() {
        let parent = after.node(at).parent;
        let to = Place {
            parent: (parent != NONE).then(|| name(&pairing, parent)),
            behind: last_child.get(parent as usize).copied().flatten(),
        };
        if let Some(last) = last_child.get_mut(parent as usize) {
            *last = Some(name(&pairing, at));
        }
        let Some(origin) = pairing.matching.origin(at) else {
            steps.push(insert(&pairing, at, to));
            continue;
        };
        if pairing.moved[at as usize] {
            let element = origin;
            steps.push(Step::Move { element, to });
        }
        let fields = differing(fields(before, origin), fields(after, at));
        if !fields.is_empty() {
            let element = origin;
            steps.push(Step::Update { element, fields });
        }
    }
    steps
}

/// An element after by the name that it has in a script.
fn name(pairing: &Pairing<'_>, after: u32) -> Element {
    let origin = pairing.matching.origin(after);
    origin.map_or(Element::New(after), Element::Old)
}

fn insert(pairing: &Pairing<'_>, element: u32, to: Place) -> Step {
    let holder = pairing.holder_after[element as usize];
    let inside = pairing.after.subtree(element).filter(|at| {
        let held = pairing.holder_after[*at as usize] == holder;
        held && pairing.matching.origin(*at).is_some() && !pairing.moved[*at as usize]
    });
    Step::Insert {
        element,
        tag: pairing
            .after
            .str(pairing.after.node(element).tag)
            .to_owned(),
        fields: fields(pairing.after, element),
        to,
        around: inside.map(|at| name(pairing, at)).collect(),
    }
}

fn fields(tree: &Document, at: u32) -> Fields {
    let node = tree.node(at);
    let attribute = |span| tree.optional_str(span).map(str::to_owned);
    let said = |span| Some(tree.str(span).to_owned()).filter(|text| !text.is_empty());
    let own = [
        ("id", said(node.id)),
        ("class", said(node.class)),
        ("text", said(node.text)),
        ("href", attribute(node.href)),
        ("src", attribute(node.src)),
        ("alt", attribute(node.alt)),
        ("broken", node.broken.then(|| true.to_string())),
        ("open", node.open.map(|open| open.to_string())),
    ];
    let own = own
        .into_iter()
        .filter_map(|(name, value)| Some((name.to_owned(), value?)));
    let styles = tree.styles.entries(node.styles, tree.text_arena());
    let styles = styles.map(|(name, value)| (format!("style:{name}"), value.to_owned()));
    own.chain(styles).collect()
}

fn differing(was: Fields, mut is: Fields) -> BTreeMap<String, Option<String>> {
    let mut differing = BTreeMap::new();
    for (name, value) in was {
        let now = is.remove(&name);
        if now.as_ref() != Some(&value) {
            differing.insert(name, now);
        }
    }
    differing.extend(is.into_iter().map(|(name, value)| (name, Some(value))));
    differing
}

#[cfg(test)]
mod tests;
