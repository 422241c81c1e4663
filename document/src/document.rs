//! A parsed tree: nodes in document order, so that a subtree is a range, with their texts in one string.

use std::ops::Range;

use rustc_hash::FxHashMap;

use crate::finding::Area;
use crate::fingerprint::{Prints, fingerprints};
use crate::parse::{Unreadable, parse};
use crate::styles::Styles;

/// Stands for no node.
pub(crate) const NONE: u32 = u32::MAX;

/// A page's document as it was captured: a tree of elements with their rectangles, styles and texts.
#[derive(Debug)]
pub struct Document {
    pub(crate) nodes: Vec<Node>,
    pub(crate) prints: Vec<Prints>,
    pub(crate) styles: Styles,
    pub(crate) head: Option<Head>,
    /// Errors of the page's scripts that nothing caught; none when the capture did not look for them.
    pub(crate) errors: Option<Vec<String>>,
    /// What the page is painted on, as a colour, empty where that cannot be told; none where nobody looked.
    pub(crate) canvas: Option<String>,
    /// Ids that stand once in the tree, by their hash.
    pub(crate) unique_ids: FxHashMap<u64, u32>,
    text: String,
}

impl Document {
    /// Reads a DOM tree from JSON; any bytes are fine, time and memory are bounded.
    pub fn parse(json: &[u8]) -> Result<Self, Unreadable> {
        parse(json).map(Self::from_parts)
    }

    /// How many elements the tree has.
    pub fn node_count(&self) -> usize {
        self.nodes.len()
    }

    pub(crate) fn from_parts(parts: Parts) -> Self {
        let mut document = Self {
            nodes: parts.nodes,
            prints: Vec::new(),
            styles: parts.styles,
            head: parts.head,
            errors: parts.errors,
            canvas: parts.canvas,
            unique_ids: FxHashMap::default(),
            text: parts.text,
        };
        document.prints = fingerprints(&document);
        document.unique_ids = unique_ids(&document);
        document
    }

    pub(crate) fn node(&self, at: u32) -> &Node {
        &self.nodes[at as usize]
    }

    pub(crate) fn print(&self, at: u32) -> &Prints {
        &self.prints[at as usize]
    }

    pub(crate) fn str(&self, span: Span) -> &str {
        &self.text[span.range()]
    }

    pub(crate) fn optional_str(&self, span: Option<Span>) -> Option<&str> {
        span.map(|span| self.str(span))
    }

    pub(crate) fn len(&self) -> u32 {
        u32::try_from(self.nodes.len()).expect("parsing bounds the nodes")
    }

    /// A node and everything in it.
    pub(crate) fn subtree(&self, at: u32) -> Range<u32> {
        at..at + self.node(at).size
    }

    /// The children of a node, in order.
    pub(crate) fn children(&self, at: u32) -> impl Iterator<Item = u32> {
        let Range { start, end } = self.subtree(at);
        let first = Some(start + 1).filter(|first| *first < end);
        std::iter::successors(first, move |child| {
            Some(child + self.node(*child).size).filter(|next| *next < end)
        })
    }

    /// The value of a style, empty when it was not recorded.
    pub(crate) fn style(&self, at: u32, name: &str) -> &str {
        let value = self.styles.value(self.node(at).styles, name, &self.text);
        value.unwrap_or("")
    }

    pub(crate) fn text_arena(&self) -> &str {
        &self.text
    }
}

/// What parsing yields, before anything is derived from it.
pub(crate) struct Parts {
    pub(crate) nodes: Vec<Node>,
    pub(crate) text: String,
    pub(crate) styles: Styles,
    pub(crate) head: Option<Head>,
    pub(crate) errors: Option<Vec<String>>,
    pub(crate) canvas: Option<String>,
}

/// Characters that every tree has of a direct text, in UTF-16 code units, as browsers count them.
pub(crate) const SHORT_TEXT: usize = 100;

/// One element.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Node {
    pub(crate) parent: u32,
    /// Nodes in its subtree, itself included.
    pub(crate) size: u32,
    pub(crate) tag: Span,
    pub(crate) id: Span,
    pub(crate) class: Span,
    /// Its direct text, white space collapsed.
    pub(crate) text: Span,
    /// Whether the text came with more than the [`SHORT_TEXT`] that every tree has of it.
    pub(crate) long: bool,
    pub(crate) href: Option<Span>,
    pub(crate) src: Option<Span>,
    pub(crate) alt: Option<Span>,
    pub(crate) broken: bool,
    /// What captures know of how it is drawn and used.
    pub(crate) look: Look,
    pub(crate) open: Option<bool>,
    /// Whether it is left out of every comparison; then nothing but its place is known.
    pub(crate) masked: bool,
    /// Index of its set of styles.
    pub(crate) styles: u32,
    pub(crate) area: Area,
    /// Pixels by which its content sticks out of it to the right, uncut.
    pub(crate) spill: i64,
}

impl Node {
    /// What is known of it when it is masked: its place, its id and the styles that are kept; nothing of what lies in it.
    pub(crate) fn masked(self, styles: u32) -> Self {
        Self {
            parent: self.parent,
            tag: self.tag,
            id: self.id,
            area: self.area,
            styles,
            masked: true,
            ..Self::bare()
        }
    }

    /// One of which nothing is known, by itself.
    pub(crate) fn bare() -> Self {
        Self {
            parent: NONE,
            size: 1,
            tag: Span::default(),
            id: Span::default(),
            class: Span::default(),
            text: Span::default(),
            long: false,
            href: None,
            src: None,
            alt: None,
            broken: false,
            look: Look::default(),
            open: None,
            masked: false,
            styles: 0,
            area: Area::default(),
            spill: 0,
        }
    }
}

/// What captures know of how an element is drawn and used, and its styles do not tell; no change by itself.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Look {
    /// Whether something is drawn on it or in it otherwise than its colours say: by a pseudo-element, a shadow, a blend.
    pub(crate) veiled: bool,
    /// Whether it cannot be used now.
    pub(crate) off: bool,
    /// Whether it is a field that nobody types in.
    pub(crate) untyped: bool,
    pub(crate) fit: Fit,
}

/// How an element's own text fits its box.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Fit {
    /// Percent of it that the box does not cut off; none where it cuts off nothing, and where nobody looked.
    pub(crate) shown: Option<i64>,
    /// Whether the box is made to shorten what is too long for it: by an ellipsis, or after so many lines.
    pub(crate) shortens: bool,
}

/// A piece of the document's text.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Span {
    pub(crate) start: u32,
    pub(crate) len: u32,
}

impl Span {
    pub(crate) fn range(self) -> Range<usize> {
        self.start as usize..(self.start + self.len) as usize
    }

    pub(crate) fn is_empty(self) -> bool {
        self.len == 0
    }
}

/// The metadata of a page.
#[derive(Debug, Clone, Default)]
pub(crate) struct Head {
    pub(crate) title: Option<String>,
    pub(crate) lang: Option<String>,
    /// Names with their contents.
    pub(crate) meta: Vec<(String, String)>,
    pub(crate) links: Vec<Link>,
    pub(crate) json_ld: Vec<String>,
}

/// A `link` of the head.
#[derive(Debug, Clone, Default)]
pub(crate) struct Link {
    pub(crate) rel: String,
    pub(crate) href: String,
    pub(crate) hreflang: Option<String>,
}

fn unique_ids(document: &Document) -> FxHashMap<u64, u32> {
    let mut places: FxHashMap<u64, u32> = FxHashMap::default();
    for (at, node) in (0..).zip(&document.nodes) {
        if !node.id.is_empty() {
            let id = document.print(at).id;
            places
                .entry(id)
                .and_modify(|place| *place = NONE)
                .or_insert(at);
        }
    }
    places.retain(|_, place| *place != NONE);
    places
}
