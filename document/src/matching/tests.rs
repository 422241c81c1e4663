//! The matching of random trees: replayed, swapped, and against what was planted.

use proptest::prelude::*;
use serde_json::{Value, json};

use crate::document::{Document, NONE};

use super::{Matching, match_trees};

/// A node of a random tree: tag, class, text, children.
#[derive(Debug, Clone, PartialEq)]
struct Plain {
    tag: usize,
    class: usize,
    text: usize,
    id: usize,
    children: Vec<Plain>,
}

const TAGS: [&str; 4] = ["div", "p", "ul", "span"];
const TEXTS: [&str; 6] = [
    "",
    "",
    "one and one is two",
    "one and one is twenty",
    "blue",
    "a longer text about nothing",
];
const IDS: [&str; 12] = ["", "", "", "", "", "", "", "", "", "", "a", "b"];

fn any_tree() -> impl Strategy<Value = Plain> {
    let fields = || (0..TAGS.len(), 0..3_usize, 0..TEXTS.len(), 0..IDS.len());
    let leaf = fields().prop_map(|(tag, class, text, id)| Plain {
        tag,
        class,
        text,
        id,
        children: Vec::new(),
    });
    leaf.prop_recursive(5, 60, 6, move |inner| {
        (fields(), prop::collection::vec(inner, 0..6)).prop_map(
            |((tag, class, text, id), children)| Plain {
                tag,
                class,
                text,
                id,
                children,
            },
        )
    })
}

/// A tree and another that shares much with it.
fn any_pair() -> impl Strategy<Value = (Plain, Plain)> {
    let steps = prop::collection::vec(
        (
            0..5_usize,
            any::<prop::sample::Index>(),
            any::<prop::sample::Index>(),
        ),
        0..8,
    );
    let related = (any_tree(), steps).prop_map(|(tree, steps)| {
        let mut changed = tree.clone();
        for (step, at, to) in steps {
            change(&mut changed, step, at, to);
        }
        (tree, changed)
    });
    prop_oneof![3 => related, 1 => (any_tree(), any_tree())]
}

fn change(tree: &mut Plain, step: usize, at: prop::sample::Index, to: prop::sample::Index) {
    let node = pick(tree, at);
    let count = node.children.len();
    match step {
        0 => node.text = to.index(TEXTS.len()),
        1 => node.class = to.index(3),
        2 if count > 0 => drop(node.children.remove(to.index(count))),
        3 => {
            let copy = node.clone();
            node.children.insert(to.index(count + 1), copy);
        }
        _ if count > 0 => {
            let moved = node.children.remove(to.index(count));
            pick(tree, to).children.push(moved);
        }
        _ => {}
    }
}

fn pick(tree: &mut Plain, at: prop::sample::Index) -> &mut Plain {
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

fn document(tree: &Plain) -> Document {
    fn value(tree: &Plain, y: &mut i64) -> Value {
        *y += 20;
        json!({
            "tagName": TAGS[tree.tag], "className": format!("c{}", tree.class), "text": TEXTS[tree.text],
            "id": IDS[tree.id], "rect": {"x": 0, "y": *y, "w": 100, "h": 20},
            "children": tree.children.iter().map(|child| value(child, y)).collect::<Vec<_>>(),
        })
    }
    Document::parse(value(tree, &mut 0).to_string().as_bytes()).unwrap()
}

/// A tree under edit: nodes of the tree before by their index, inserted ones behind them.
struct Edited {
    children: Vec<Vec<usize>>,
    parents: Vec<Option<usize>>,
    /// What each node says: tag, class, id, text.
    values: Vec<[String; 4]>,
}

impl Edited {
    fn detach(&mut self, node: usize) {
        if let Some(parent) = self.parents[node].take() {
            self.children[parent].retain(|child| *child != node);
        }
    }

    fn attach(&mut self, node: usize, parent: usize, position: usize) {
        let position = position.min(self.children[parent].len());
        self.children[parent].insert(position, node);
        self.parents[node] = Some(parent);
    }
}

fn values(tree: &Document, at: u32) -> [String; 4] {
    let node = tree.node(at);
    [node.tag, node.class, node.id, node.text].map(|span| tree.str(span).to_owned())
}

/// Applies the edits that a matching implies: updates, insertions and moves from the root down, then
/// deletions. Returns the tree in document order.
fn replay(before: &Document, after: &Document, matching: &Matching) -> Vec<(usize, [String; 4])> {
    let mut edited = Edited {
        children: (0..before.len())
            .map(|at| before.children(at).map(|child| child as usize).collect())
            .collect(),
        parents: before
            .nodes
            .iter()
            .map(|node| (node.parent != NONE).then_some(node.parent as usize))
            .collect(),
        values: (0..before.len()).map(|at| values(before, at)).collect(),
    };
    let mut made = Vec::new();
    for at in 0..after.len() {
        let node = if let Some(origin) = matching.origin(at) {
            // A tag is no value: nodes of different tags are never the same.
            assert_eq!(edited.values[origin as usize][0], values(after, at)[0]);
            edited.values[origin as usize] = values(after, at);
            origin as usize
        } else {
            edited.values.push(values(after, at));
            edited.children.push(Vec::new());
            edited.parents.push(None);
            edited.values.len() - 1
        };
        made.push(node);
        let parent = after.node(at).parent;
        if parent != NONE {
            let position = after
                .children(parent)
                .position(|child| child == at)
                .unwrap();
            edited.detach(node);
            edited.attach(node, made[parent as usize], position);
        }
    }
    for at in 0..before.len() {
        if matching.counterpart(at).is_none() {
            edited.detach(at as usize);
        }
    }
    let mut open = vec![(made[0], 0)];
    let mut listed = Vec::new();
    while let Some((node, depth)) = open.pop() {
        listed.push((depth, edited.values[node].clone()));
        open.extend(
            edited.children[node]
                .iter()
                .rev()
                .map(|child| (*child, depth + 1)),
        );
    }
    listed
}

fn listed(tree: &Document) -> Vec<(usize, [String; 4])> {
    let mut depths: Vec<usize> = Vec::new();
    for node in &tree.nodes {
        depths.push(if node.parent == NONE {
            0
        } else {
            depths[node.parent as usize] + 1
        });
    }
    (0..tree.len())
        .map(|at| (depths[at as usize], values(tree, at)))
        .collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(600))]

    #[test]
    fn replaying_gives_the_new_tree((before, after) in any_pair()) {
        let (before, after) = (document(&before), document(&after));
        let matching = match_trees(&before, &after);
        prop_assert_eq!(replay(&before, &after, &matching), listed(&after));
    }

    #[test]
    fn swapping_gives_the_same_pairs((before, after) in any_pair()) {
        let (before, after) = (document(&before), document(&after));
        let (forth, back) = (match_trees(&before, &after), match_trees(&after, &before));
        prop_assert_eq!(forth.forward, back.backward);
        prop_assert_eq!(forth.backward, back.forward);
    }

    #[test]
    fn each_node_has_one_counterpart((before, after) in any_pair()) {
        let (before, after) = (document(&before), document(&after));
        let matching = match_trees(&before, &after);
        for (at, other) in (0..).zip(&matching.forward) {
            prop_assert!(*other == NONE || matching.backward[*other as usize] == at);
        }
        for (at, other) in (0..).zip(&matching.backward) {
            prop_assert!(*other == NONE || matching.forward[*other as usize] == at);
        }
    }

    #[test]
    fn equal_trees_match_node_by_node(tree in any_tree()) {
        let tree = document(&tree);
        let forward = match_trees(&tree, &tree).forward;
        prop_assert!((0..).zip(forward).all(|(at, other): (u32, u32)| at == other));
    }

    #[test]
    fn findings_are_made_of_anything((before, after) in any_pair()) {
        let (before, after) = (document(&before), document(&after));
        let diff = crate::compare(&before, &after);
        for finding in &diff.findings {
            prop_assert!(finding.cause.is_none_or(|cause| cause < diff.findings.len()));
        }
        prop_assert!(diff.wire_changes().len() <= 40);
        prop_assert_eq!(diff, crate::compare(&before, &after));
    }
}
