//! From two DOM trees of a web page to what changed in it, and what merely moved because of that.
//!
//! [`Document::parse`] reads a tree, [`compare`] matches two of them and lists the findings. Pure
//! functions over data: no clock, no network, no randomness; the same bytes give the same findings.
//!
//! The steps, a module each: `json` and `parse` read a tree, `fingerprint` hashes its nodes,
//! `matching` finds which node became which, `structure` says what moved, `edits` what was
//! changed, inserted and deleted, `reflow` what was displaced by it, `damage`, `lost`, `flaws` and `pulled` what is broken, missed, hard to
//! read and covered because of it (`blame` says of which change), and `metadata` looks at the head of the page. `select` finds elements and `masking` tries out what masking them would leave. [`edit_script`] tells the matching in full, for checking it.

mod agree;
mod bared;
mod behind;
mod blame;
mod clip;
mod color;
mod context;
mod cropped;
mod cut;
mod damage;
mod document;
mod draft;
mod edits;
mod finding;
mod fingerprint;
mod flaws;
mod json;
mod lost;
mod masking;
mod matching;
mod metadata;
mod parse;
mod pulled;
#[cfg(test)]
mod random;
mod reflow;
mod script;
mod select;
mod selector;
mod shade;
mod sight;
mod similarity;
mod structure;
mod styles;
mod wire;

pub use clip::clip_pair;
pub use color::lightness;
pub use document::Document;
pub use finding::{Area, Damage, DocumentDiff, Fault, Finding, Flaws, Lost, PaleText, Pulled};
pub use masking::MaskSuggestion;
pub use parse::Unreadable;
pub use script::{Element, Fields, Place, Step, edit_script};
pub use select::Selector;
pub use shade::READABLE_CONTRAST;

/// Compares a page's document before with the one after.
///
/// What is part of both is matched, whether or not it stayed in its place; findings say what differs
/// in it, what has no counterpart, and which displacement follows from which change. The names of
/// classes alone are no finding: what they do to the page shows in its styles and rectangles.
pub fn compare(before: &Document, after: &Document) -> DocumentDiff {
    let pairing = structure::Pairing::new(before, after, matching::match_trees(before, after));
    let mut drafts = edits::find_edits(&pairing);
    reflow::find_consequences(&pairing, &mut drafts);
    let metadata = metadata::compare_heads(before, after);
    let damages = damage::find_damage(&pairing, &drafts);
    flaws::find_flaws(&pairing, &mut drafts);
    pulled::find_pulled(&pairing, &mut drafts);
    draft::into_diff(&pairing, drafts, metadata, damages)
}
