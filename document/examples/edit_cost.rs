//! What our edit scripts cost on small random pages, for setting beside the true tree edit distance.
//!
//! `edit_cost` writes one JSON line for each of 200 pairs: both trees in bracket notation, a label for each element, and
//! the cost of our script under unit costs. A move counts as deleting and inserting all that moves, since a tree edit
//! distance knows no other way.

use std::fmt::Write;

use pentimento_document::{Document, Step, edit_script};
use serde_json::{Value, json};

const PAIRS: usize = 200;
/// Elements of a tree at most, and edits of a pair.
const MAX_NODES: usize = 40;
const MAX_EDITS: usize = 6;

const CONTAINERS: [&str; 4] = ["section", "div", "article", "ul"];
const LEAVES: [&str; 5] = ["h2", "p", "a", "li", "span"];
const CLASSES: [&str; 4] = ["", "card", "lead", "wide"];
const WORDS: [&str; 16] = [
    "lamp", "river", "stone", "cloud", "garden", "window", "paper", "silver", "autumn", "bridge",
    "candle", "forest", "harbour", "island", "journey", "kettle",
];
/// Does something to a page, where chance has it.
type Edit = fn(&mut Element, &mut Random);
const EDITS: [(&str, Edit); 12] = [
    ("reword", reword),
    ("rewrite", rewrite),
    ("reclass", reclass),
    ("retag", retag),
    ("remove", remove),
    ("insert", insert),
    ("insert-tree", insert_tree),
    ("copy", copy),
    ("wrap", wrap),
    ("unwrap", unwrap),
    ("reorder", reorder),
    ("move", relocate),
];

fn main() {
    let mut random = Random(2014);
    let mut written = 0;
    while written < PAIRS {
        let size = 6 + random.below(30);
        let before = page(&mut random, size);
        let mut after = before.clone();
        let mut names = Vec::new();
        for _ in 0..random.below(MAX_EDITS + 1) {
            let (name, edit) = EDITS[random.below(EDITS.len())];
            edit(&mut after, &mut random);
            names.push(name);
        }
        if before.count().max(after.count()) > MAX_NODES {
            continue;
        }
        let line = json!({
            "name": format!("{written:03} {}", names.join("+")), "edits": names.len(), "cost": cost(&before, &after),
            "before": before.brackets(), "after": after.brackets(),
        });
        println!("{line}");
        written += 1;
    }
}

/// The cost of our script.
fn cost(before: &Element, after: &Element) -> usize {
    let read = |tree: &Element| {
        let json = tree.json(&mut 0).to_string();
        Document::parse(json.as_bytes()).expect("the page is a tree")
    };
    let script = edit_script(&read(before), &read(after));
    let mut deleted = vec![false; before.count()];
    let mut moved = deleted.clone();
    for step in &script {
        match step {
            Step::Delete { element } => deleted[*element as usize] = true,
            Step::Move { element, .. } => moved[*element as usize] = true,
            Step::Insert { .. } | Step::Update { .. } => {}
        }
    }
    // What is in something that moved, moves with it.
    for (at, parent) in (0..).zip(before.parents()).skip(1) {
        moved[at] |= moved[parent];
    }
    let steps = script.iter().filter(|step| match step {
        Step::Delete { .. } | Step::Insert { .. } => true,
        Step::Update { element, .. } => !moved[*element as usize],
        Step::Move { .. } => false,
    });
    let stayed = deleted.iter().map(|deleted| !deleted);
    let carried = moved
        .iter()
        .zip(stayed)
        .filter(|(moved, stayed)| **moved && *stayed);
    steps.count() + 2 * carried.count()
}

/// An element; its text is a list of words.
#[derive(Clone)]
struct Element {
    tag: &'static str,
    class: &'static str,
    words: Vec<&'static str>,
    children: Vec<Element>,
}

impl Element {
    fn count(&self) -> usize {
        1 + self.children.iter().map(Self::count).sum::<usize>()
    }

    /// For every element in document order its parent; the root is its own.
    fn parents(&self) -> Vec<usize> {
        let (mut parents, mut open) = (Vec::new(), vec![(self, 0)]);
        while let Some((element, parent)) = open.pop() {
            let inside = element.children.iter().rev();
            open.extend(inside.map(|child| (child, parents.len())));
            parents.push(parent);
        }
        parents
    }

    fn json(&self, y: &mut i64) -> Value {
        *y += 20;
        json!({
            "tagName": self.tag, "className": self.class, "text": self.words.join(" "),
            "rect": {"x": 0, "y": *y, "w": 100, "h": 20},
            "children": self.children.iter().map(|child| child.json(y)).collect::<Vec<_>>(),
        })
    }

    fn brackets(&self) -> String {
        let children: String = self.children.iter().map(Self::brackets).collect();
        let mut label = self.tag.to_owned();
        if !self.class.is_empty() {
            write!(label, ".{}", self.class).expect("a string");
        }
        if !self.words.is_empty() {
            write!(label, " {}", self.words.join(" ")).expect("a string");
        }
        format!("{{{label}{children}}}")
    }

    /// A random element of these; the root is none of them.
    fn pick(&mut self, random: &mut Random, of: fn(&Self) -> bool) -> Option<&mut Self> {
        let mut open: Vec<&mut Self> = self.children.iter_mut().collect();
        let mut found = Vec::new();
        while let Some(element) = open.pop() {
            if of(element) {
                found.push(element);
            } else {
                open.extend(element.children.iter_mut());
            }
        }
        let at = random.below(found.len().max(1));
        (at < found.len()).then(|| found.swap_remove(at))
    }

    /// A random element with children, or the root.
    fn pick_parent(&mut self, random: &mut Random) -> &mut Self {
        let inner = self
            .children
            .iter()
            .filter(|child| !child.children.is_empty());
        let inner = inner.count();
        let at = random.below(inner + 1);
        if at == inner {
            return self;
        }
        let mut parents = self
            .children
            .iter_mut()
            .filter(|child| !child.children.is_empty());
        parents
            .nth(at)
            .expect("as many were counted")
            .pick_parent(random)
    }
}

/// A page of about so many elements.
fn page(random: &mut Random, size: usize) -> Element {
    let mut root = container(random);
    root.tag = "body";
    while root.count() < size {
        let parent = root.pick_parent(random);
        let child = if random.below(3) == 0 {
            small_tree(random)
        } else {
            leaf(random)
        };
        parent.children.push(child);
    }
    root
}

fn leaf(random: &mut Random) -> Element {
    Element {
        tag: random.of(&LEAVES),
        class: random.of(&CLASSES),
        words: words(random),
        children: Vec::new(),
    }
}

fn container(random: &mut Random) -> Element {
    let tag = random.of(&CONTAINERS);
    Element {
        tag,
        words: Vec::new(),
        ..leaf(random)
    }
}

fn small_tree(random: &mut Random) -> Element {
    let children = (0..=random.below(4)).map(|_| leaf(random)).collect();
    Element {
        children,
        ..container(random)
    }
}

/// One word is what many say, more are rather one's own.
fn words(random: &mut Random) -> Vec<&'static str> {
    (0..=random.below(5)).map(|_| random.of(&WORDS)).collect()
}

fn is_text(element: &Element) -> bool {
    !element.words.is_empty()
}

fn reword(page: &mut Element, random: &mut Random) {
    if let Some(text) = page.pick(random, is_text) {
        let at = random.below(text.words.len());
        text.words[at] = random.of(&WORDS);
    }
}

fn rewrite(page: &mut Element, random: &mut Random) {
    if let Some(text) = page.pick(random, is_text) {
        text.words = words(random);
    }
}

fn reclass(page: &mut Element, random: &mut Random) {
    page.pick_parent(random).class = random.of(&CLASSES);
}

fn retag(page: &mut Element, random: &mut Random) {
    if let Some(text) = page.pick(random, is_text) {
        text.tag = random.of(&LEAVES);
    }
}

fn take(page: &mut Element, random: &mut Random) -> Option<Element> {
    let parent = page.pick_parent(random);
    let at = random.below(parent.children.len().max(1));
    (at < parent.children.len()).then(|| parent.children.remove(at))
}

fn put(page: &mut Element, random: &mut Random, element: Element) {
    let parent = page.pick_parent(random);
    let at = random.below(parent.children.len() + 1);
    parent.children.insert(at, element);
}

fn remove(page: &mut Element, random: &mut Random) {
    take(page, random);
}

fn insert(page: &mut Element, random: &mut Random) {
    let leaf = leaf(random);
    put(page, random, leaf);
}

fn insert_tree(page: &mut Element, random: &mut Random) {
    let tree = small_tree(random);
    put(page, random, tree);
}

/// What stands already is put beside itself, or anywhere else, once more.
fn copy(page: &mut Element, random: &mut Random) {
    if let Some(copy) = take(&mut page.clone(), random) {
        put(page, random, copy);
    }
}

fn wrap(page: &mut Element, random: &mut Random) {
    let wrapper = container(random);
    let parent = page.pick_parent(random);
    let from = random.below(parent.children.len().max(1));
    let children = parent.children.split_off(from);
    parent.children.push(Element {
        children,
        ..wrapper
    });
}

fn unwrap(page: &mut Element, random: &mut Random) {
    let parent = page.pick_parent(random);
    let holds = |child: &Element| !child.children.is_empty();
    if let Some(at) = parent.children.iter().position(holds) {
        let inside = parent.children.remove(at).children;
        parent.children.splice(at..at, inside);
    }
}

fn reorder(page: &mut Element, random: &mut Random) {
    let parent = page.pick_parent(random);
    if let Some(last) = parent.children.len().checked_sub(1) {
        let [from, to] = [random.below(last + 1), random.below(last + 1)];
        let moved = parent.children.remove(from);
        parent.children.insert(to, moved);
    }
}

fn relocate(page: &mut Element, random: &mut Random) {
    if let Some(moved) = take(page, random) {
        put(page, random, moved);
    }
}

/// `SplitMix64`: the same numbers every time.
struct Random(u64);

impl Random {
    fn below(&mut self, end: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        let number = (mixed ^ (mixed >> 31)) >> 33;
        usize::try_from(number).expect("31 bits") % end
    }

    fn of(&mut self, list: &[&'static str]) -> &'static str {
        list[self.below(list.len())]
    }
}
