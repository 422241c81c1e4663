//! Random trees for tests, and pairs of trees that share much.

use proptest::prelude::*;
use proptest::sample::Index;
use serde_json::{Value, json};

use crate::document::Document;

/// A node of a random tree; fields are indices into the lists below.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Plain {
    tag: usize,
    class: usize,
    text: usize,
    id: usize,
    look: usize,
    link: usize,
    children: Vec<Plain>,
}

const TAGS: [&str; 4] = ["div", "p", "ul", "span"];
const CLASSES: [&str; 3] = ["c0", "c1", "c2"];
const TEXTS: [&str; 6] = [
    "",
    "",
    "one and one is two",
    "one and one is twenty",
    "blue",
    "a longer text about nothing",
];
const IDS: [&str; 12] = ["", "", "", "", "", "", "", "", "", "", "a", "b"];
const LOOKS: [&str; 4] = ["black", "black", "navy", "teal"];
const LINKS: [Option<&str>; 4] = [None, None, Some("/one"), Some("/two")];

pub(crate) fn any_tree() -> impl Strategy<Value = Plain> {
    let fields = || {
        let said = (0..TAGS.len(), 0..CLASSES.len(), 0..TEXTS.len());
        let rest = (0..IDS.len(), 0..LOOKS.len(), 0..LINKS.len());
        (said, rest).prop_map(|((tag, class, text), (id, look, link))| Plain {
            tag,
            class,
            text,
            id,
            look,
            link,
            children: Vec::new(),
        })
    };
    fields().prop_recursive(5, 60, 6, move |inner| {
        let children = prop::collection::vec(inner, 0..6);
        (fields(), children).prop_map(|(node, children)| Plain { children, ..node })
    })
}

/// A tree and another that shares much with it, or one that does not.
pub(crate) fn any_pair() -> impl Strategy<Value = (Plain, Plain)> {
    let step = (0..10_usize, any::<Index>(), any::<Index>());
    let steps = prop::collection::vec(step, 0..8);
    let related = (any_tree(), steps).prop_map(|(tree, steps)| {
        let mut changed = tree.clone();
        for (step, at, to) in steps {
            change(&mut changed, step, at, to);
        }
        (tree, changed)
    });
    prop_oneof![3 => related, 1 => (any_tree(), any_tree())]
}

fn change(tree: &mut Plain, step: usize, at: Index, to: Index) {
    let node = pick(tree, at);
    let count = node.children.len();
    match step {
        0 => node.text = to.index(TEXTS.len()),
        1 => node.class = to.index(CLASSES.len()),
        2 => node.look = to.index(LOOKS.len()),
        3 => node.link = to.index(LINKS.len()),
        4 => node.id = to.index(IDS.len()),
        5 if count > 0 => drop(node.children.remove(to.index(count))),
        6 => {
            let copy = node.clone();
            node.children.insert(to.index(count + 1), copy);
        }
        7 if count > 0 => {
            let inside = node.children.split_off(to.index(count));
            let (text, children) = (0, inside);
            let wrapper = Plain {
                text,
                children,
                ..node.clone()
            };
            node.children.push(wrapper);
        }
        8 if count > 0 => {
            let inside = node.children.remove(to.index(count)).children;
            node.children.extend(inside);
        }
        _ if count > 0 => {
            let moved = node.children.remove(to.index(count));
            pick(tree, to).children.push(moved);
        }
        _ => node.tag = to.index(TAGS.len()),
    }
}

fn pick(tree: &mut Plain, at: Index) -> &mut Plain {
    let mut rest = at.index(count(tree));
    let mut node = tree;
    while rest > 0 {
        rest -= 1;
        let mut next = 0;
        while rest >= count(&node.children[next]) {
            rest -= count(&node.children[next]);
            next += 1;
        }
        node = &mut node.children[next];
    }
    node
}

fn count(tree: &Plain) -> usize {
    1 + tree.children.iter().map(count).sum::<usize>()
}

pub(crate) fn document(tree: &Plain) -> Document {
    fn value(tree: &Plain, y: &mut i64) -> Value {
        *y += 20;
        json!({
            "tagName": TAGS[tree.tag], "className": CLASSES[tree.class], "text": TEXTS[tree.text],
            "id": IDS[tree.id], "styles": {"color": LOOKS[tree.look]}, "href": LINKS[tree.link],
            "rect": {"x": 0, "y": *y, "w": 100, "h": 20},
            "children": tree.children.iter().map(|child| value(child, y)).collect::<Vec<_>>(),
        })
    }
    Document::parse(value(tree, &mut 0).to_string().as_bytes()).unwrap()
}
