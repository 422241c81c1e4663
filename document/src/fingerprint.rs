//! Hashes of nodes and their subtrees, by which equal ones find each other.

use twox_hash::XxHash3_64;

use crate::document::{Document, Span};

/// The hashes of a node.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Prints {
    /// Everything about the subtree but rectangles.
    pub(crate) iso: u64,
    /// Tags, ids and classes of the subtree.
    pub(crate) shape: u64,
    /// Everything about the subtree, rectangles included.
    pub(crate) whole: u64,
    pub(crate) tag: u64,
    pub(crate) id: u64,
    /// Tag and class.
    pub(crate) kind: u64,
    /// There is text or an image in the subtree.
    pub(crate) substance: bool,
}

/// Joins two hashes; the order counts.
pub(crate) fn join(one: u64, other: u64) -> u64 {
    let mut bytes = [0; 16];
    bytes[..8].copy_from_slice(&one.to_le_bytes());
    bytes[8..].copy_from_slice(&other.to_le_bytes());
    XxHash3_64::oneshot(&bytes)
}

/// Hashes every node, children before their parents.
pub(crate) fn fingerprints(document: &Document) -> Vec<Prints> {
    let mut prints = vec![Prints::default(); document.nodes.len()];
    for at in (0..document.len()).rev() {
        let own = own_prints(document, at);
        let joined = document.children(at).fold(own, |sum, child| {
            let child = &prints[child as usize];
            Prints {
                iso: join(sum.iso, child.iso),
                shape: join(sum.shape, child.shape),
                whole: join(sum.whole, child.whole),
                substance: sum.substance || child.substance,
                ..sum
            }
        });
        prints[at as usize] = joined;
    }
    prints
}

fn own_prints(document: &Document, at: u32) -> Prints {
    let node = document.node(at);
    let hash = |span: Span| XxHash3_64::oneshot(document.str(span).as_bytes());
    let optional = |span: Option<Span>| span.map_or(0, |span| join(1, hash(span)));
    let (tag, id, class, text) = (
        hash(node.tag),
        hash(node.id),
        hash(node.class),
        hash(node.text),
    );
    let kind = join(tag, class);
    let shape = join(kind, id);
    let flags = u64::from(node.broken) | node.open.map_or(0, |open| 2 << u32::from(open));
    let rest = [
        text,
        document.styles.hash(node.styles),
        optional(node.href),
        optional(node.src),
        optional(node.alt),
        flags,
    ];
    let iso = rest.into_iter().fold(shape, join);
    let area = [node.area.x, node.area.y, node.area.w, node.area.h];
    let whole = area.into_iter().map(i64::cast_unsigned).fold(iso, join);
    Prints {
        iso,
        shape,
        whole,
        tag,
        id,
        kind,
        substance: !node.text.is_empty() || node.src.is_some(),
    }
}
