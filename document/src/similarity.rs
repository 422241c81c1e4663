//! How alike two texts or subtrees are, between 0 and 1, by the Sørensen–Dice coefficient.

use twox_hash::XxHash3_64;

use crate::document::Document;

/// Bytes of a text that are looked at.
const MAX_TEXT: usize = 200;
/// Nodes of a subtree, and words of it, that are looked at.
const MAX_NODES: usize = 128;
const MAX_WORDS: usize = 96;

/// What is compared of a node: the pairs of neighbouring bytes of a leaf's text, the words of a larger
/// subtree; sorted.
pub(crate) type Sketch = Vec<u64>;

/// The sketch of a leaf.
pub(crate) fn leaf_sketch(document: &Document, at: u32) -> Sketch {
    let text = document.str(document.node(at).text).as_bytes();
    let text = &text[..text.len().min(MAX_TEXT)];
    let pair = |pair: &[u8]| {
        let [first, second] = [pair[0], pair[1]].map(|byte| u64::from(byte.to_ascii_lowercase()));
        first << 8 | second
    };
    let mut sketch: Sketch = text.windows(2).map(pair).collect();
    if text.len() == 1 {
        sketch.push(u64::from(text[0]));
    }
    sketch.sort_unstable();
    sketch
}

/// The sketch of a subtree; images count as words.
pub(crate) fn tree_sketch(document: &Document, at: u32) -> Sketch {
    let nodes = document.subtree(at).take(MAX_NODES);
    let words = nodes.flat_map(|at| {
        let node = document.node(at);
        let words = document
            .str(node.text)
            .split(' ')
            .filter(|word| !word.is_empty());
        words.chain(document.optional_str(node.src))
    });
    let hashes = words.map(|word| XxHash3_64::oneshot(word.as_bytes()));
    let mut sketch: Sketch = hashes.take(MAX_WORDS).collect();
    sketch.sort_unstable();
    sketch
}

/// Twice what both have, of what they have together.
pub(crate) fn dice(one: &[u64], other: &[u64]) -> f64 {
    if one.is_empty() || other.is_empty() {
        return 0.0;
    }
    let (mut i, mut j, mut common) = (0, 0, 0_usize);
    while i < one.len() && j < other.len() {
        let order = one[i].cmp(&other[j]);
        common += usize::from(order.is_eq());
        i += usize::from(order.is_le());
        j += usize::from(order.is_ge());
    }
    2.0 * common as f64 / (one.len() + other.len()) as f64
}
