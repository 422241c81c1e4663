//! Names elements by CSS selectors that a person recognises.

use std::cmp::Reverse;
use std::fmt::Write;

use rustc_hash::FxHashMap;
use twox_hash::XxHash3_64;

use crate::document::{Document, NONE};
use crate::fingerprint::join;

/// The longest selector, in characters.
const MAX_CHARACTERS: usize = 200;
/// Classes that a selector names of an element.
const MAX_CLASSES: usize = 2;
/// Elements that people name parts of a page by.
const LANDMARKS: [&str; 6] = ["aside", "footer", "form", "header", "main", "nav"];

/// The selectors of a tree's elements.
pub(crate) struct Selectors<'a> {
    tree: &'a Document,
    /// For every node: its place among siblings of its tag, from 1; 0 if no sibling has the same name.
    ordinals: Vec<u32>,
}

impl<'a> Selectors<'a> {
    pub(crate) fn new(tree: &'a Document) -> Self {
        Self {
            ordinals: ordinals(tree),
            tree,
        }
    }

    /// The selector of an element: its id if that is unique, else its name within the nearest element
    /// with such an id, or landmark.
    pub(crate) fn selector(&self, at: u32) -> String {
        if let Some(id) = self.id_selector(at) {
            return id;
        }
        let own = self.compound(at, MAX_CLASSES);
        let within = self.anchor(at).map_or(String::new(), |anchor| anchor + " ");
        let short = || self.compound(at, 0);
        let candidates = [within.clone() + &own, own, within + &short(), short()];
        candidates
            .into_iter()
            .find(|selector| selector.chars().count() <= MAX_CHARACTERS)
            .unwrap_or_else(|| "*".to_owned())
    }

    fn id_selector(&self, at: u32) -> Option<String> {
        let unique = self.tree.unique_ids.get(&self.tree.print(at).id) == Some(&at);
        let id = unique.then(|| format!("#{}", escaped(self.tree.str(self.tree.node(at).id))))?;
        (id.chars().count() <= MAX_CHARACTERS).then_some(id)
    }

    /// The nearest ancestor that has a name of its own.
    fn anchor(&self, at: u32) -> Option<String> {
        let up = |at: &u32| Some(self.tree.node(*at).parent).filter(|parent| *parent != NONE);
        std::iter::successors(up(&at), up).find_map(|ancestor| {
            let tag = self.tree.str(self.tree.node(ancestor).tag);
            let landmark = || LANDMARKS.contains(&tag).then(|| tag.to_owned());
            self.id_selector(ancestor).or_else(landmark)
        })
    }

    /// The tag, some classes, and the place among siblings of the same name.
    fn compound(&self, at: u32, classes: usize) -> String {
        let node = self.tree.node(at);
        let mut compound = escaped(self.tree.str(node.tag));
        for class in telling(self.tree.str(node.class)).take(classes) {
            compound.push('.');
            compound.push_str(&escaped(class));
        }
        match self.ordinals[at as usize] {
            0 => compound,
            ordinal => format!("{compound}:nth-of-type({ordinal})"),
        }
    }
}

fn ordinals(tree: &Document) -> Vec<u32> {
    let mut ordinals = tree.places_of_type();
    let mut names: FxHashMap<u64, u32> = FxHashMap::default();
    ordinals[0] = 0;
    for parent in 0..tree.len() {
        names.clear();
        for child in tree.children(parent) {
            *names.entry(name_hash(tree, child)).or_default() += 1;
        }
        for child in tree.children(parent) {
            if names[&name_hash(tree, child)] == 1 {
                ordinals[child as usize] = 0;
            }
        }
    }
    ordinals
}

/// The classes that tell most of an element, as they stand: the longest (`tour--spring` more than `block`), and those with
/// signs that need escaping last. How often a class occurs is no matter, so that an element has one name on all pages.
fn telling(classes: &str) -> impl Iterator<Item = &str> {
    let is_plain = |class: &str| {
        let mut signs = class.chars();
        signs.all(|sign| sign.is_alphanumeric() || matches!(sign, '-' | '_'))
    };
    let mut all = classes.split_whitespace();
    if all.clone().nth(MAX_CLASSES).is_none() {
        return [(); MAX_CLASSES].map(|()| all.next()).into_iter().flatten();
    }
    let mut chosen: Vec<(usize, &str)> = all.enumerate().collect();
    chosen.sort_by_key(|(_, class)| (!is_plain(class), Reverse(class.len())));
    chosen.truncate(MAX_CLASSES);
    chosen.sort_unstable();
    let mut chosen = chosen.into_iter().map(|(_, class)| class);
    [(); MAX_CLASSES]
        .map(|()| chosen.next())
        .into_iter()
        .flatten()
}

/// The hash of the tag and the classes that a selector names.
fn name_hash(tree: &Document, at: u32) -> u64 {
    let classes = telling(tree.str(tree.node(at).class));
    classes.fold(tree.print(at).tag, |sum, class| {
        join(sum, XxHash3_64::oneshot(class.as_bytes()))
    })
}

/// A name as a CSS identifier (CSSOM, "serialize an identifier").
pub(crate) fn escaped(name: &str) -> String {
    let mut escaped = String::with_capacity(name.len());
    for (at, character) in name.chars().enumerate() {
        let leads = at == 0 || (at == 1 && name.starts_with('-'));
        let coded = character.is_ascii_control() || (leads && character.is_ascii_digit());
        match character {
            '\0' => escaped.push(char::REPLACEMENT_CHARACTER),
            _ if coded => {
                let _ = write!(escaped, "\\{:x} ", u32::from(character));
            }
            '-' if name.len() == 1 => escaped.push_str("\\-"),
            '-' | '_' | '0'..='9' | 'a'..='z' | 'A'..='Z' | '\u{80}'.. => escaped.push(character),
            _ => escaped.extend(['\\', character]),
        }
    }
    escaped
}
