//! The document as it is recorded: a tree of plain values, within bounds.

use serde_json::json;

use super::world::World;
use super::{CaptureError, CaptureRequest};
use crate::storage::BlobKey;
use crate::storage::staging::Part;

const DOM: &str = include_str!("dom.js");

/// Selects what the page itself declares as masked.
const MASK_ATTRIBUTE: &str = "[data-vr-mask]";

/// Bounds of the recorded tree.
const MAX_NODES: u32 = 50_000;
const MAX_DEPTH: u32 = 200;
const MAX_TEXT_CHARACTERS: u32 = 100;
/// Of a text of more characters, and of all such texts of a tree.
const MAX_LONG_TEXT_CHARACTERS: u32 = 1_000;
const MAX_LONG_TEXTS_CHARACTERS: u32 = 500_000;
const MAX_ADDRESS_CHARACTERS: u32 = 2_048;
/// Of a style's value, an id, classes and the like; comparing looks at no more of a value.
const MAX_STYLE_CHARACTERS: u32 = 300;
const MAX_NAME_CHARACTERS: u32 = 2_048;

/// Lines of texts that are held against the boxes that cut them off.
const MAX_LINES: u32 = 100_000;

/// How that begins which is kept in place of a tree that is larger than any that is compared. Whoever does not know it reads a
/// tree that was cut off.
const STAND_IN: &str = r#"{"tagName":"body","truncated":true,"tooLarge":""#;

/// The page's DOM tree as JSON, with the errors that its scripts have thrown; of one that is larger than what clients may upload
/// nothing is kept.
pub(super) async fn record(
    world: &World<'_>,
    request: &CaptureRequest,
    errors: &[String],
) -> Result<Vec<u8>, CaptureError> {
    let masked = std::iter::once(MASK_ATTRIBUTE).chain(request.masks.iter().map(String::as_str));
    let limits = json!({
        "nodes": MAX_NODES,
        "depth": MAX_DEPTH,
        "size": Part::Dom.max_bytes(),
        "text": MAX_TEXT_CHARACTERS,
        "longText": MAX_LONG_TEXT_CHARACTERS,
        "longTexts": MAX_LONG_TEXTS_CHARACTERS,
        "address": MAX_ADDRESS_CHARACTERS,
        "style": MAX_STYLE_CHARACTERS,
        "name": MAX_NAME_CHARACTERS,
        "lines": MAX_LINES,
        "errors": errors,
        "masked": masked.collect::<Vec<_>>().join(","),
    });
    let tree: String = world.call(DOM, &limits).await?;
    if tree.len() as u64 <= Part::Dom.max_bytes() {
        return Ok(tree.into_bytes());
    }
    // A hash of so much takes a thread for a while.
    let standing_in = tokio::task::spawn_blocking(move || stand_in(tree.as_bytes()));
    standing_in
        .await
        .map_err(|error| CaptureError::Page(error.to_string()))
}

/// What is kept in place of a tree: the same for the same one, since captures whose stored trees are the same have the same. Of one
/// that came packed the packed bytes are looked at; the same tree packed in another way is another one then, which nobody compares.
pub(crate) fn stand_in(tree: &[u8]) -> Vec<u8> {
    format!("{STAND_IN}{}\"}}", BlobKey::of(tree)).into_bytes()
}

/// Whether a stored tree stands in for one that was too large.
pub(crate) fn is_stand_in(tree: &[u8]) -> bool {
    tree.starts_with(STAND_IN.as_bytes())
}

#[cfg(test)]
mod tests {
    use pentimento_document::{Document, Unreadable};

    use super::*;

    #[test]
    fn what_stands_in_for_a_tree_is_no_tree_and_tells_trees_apart() {
        let [one, other] = ["one", "other"].map(|tree| stand_in(tree.as_bytes()));
        assert!(is_stand_in(&one) && one != other && one == stand_in(b"one"));
        let read = Document::parse(&one).err();
        assert_eq!(read, Some(Unreadable::Truncated));
        assert!(!is_stand_in(br#"{"tagName":"body","truncated":true}"#));
    }
}
