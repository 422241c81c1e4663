//! What comparing the documents of two captures found, as a result keeps it.

use pentimento_api::result::Change;
use pentimento_document::DocumentDiff;
use serde::{Deserialize, Serialize};

use crate::verdict::{self, Intent};

/// The changes of a document that a result keeps.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct StoredDocument {
    /// Whether the body differs by more than where things stand.
    pub content_changed: bool,
    /// Whether the head or its structured data differ.
    pub metadata_changed: bool,
    /// The most significant change in a sentence.
    pub lead: Option<String>,
    /// The changes, most significant first.
    pub changes: Vec<Change>,
    /// The expected changes that this page does not show.
    pub unseen: Vec<String>,
    /// Selectors of the changed elements.
    pub elements_changed: Vec<String>,
}

impl StoredDocument {
    /// What is kept of a document diff.
    pub fn of(diff: &DocumentDiff, intent: Option<&Intent>) -> Self {
        Self {
            content_changed: diff.content_changed(),
            metadata_changed: diff.metadata_changed(),
            lead: verdict::lead_sentence(diff),
            changes: diff.wire_changes(),
            unseen: intent.map_or_else(Vec::new, |intent| intent.unseen(diff)),
            elements_changed: diff.elements_changed(),
        }
    }

    /// A stored document without its changes, of which a job as a whole tells nothing but the first one's sentence.
    ///
    /// # Errors
    /// It is no stored document.
    pub fn in_brief(json: &str) -> serde_json::Result<String> {
        let document: Self = serde_json::from_str(json)?;
        serde_json::to_string(&Self {
            changes: Vec::new(),
            elements_changed: Vec::new(),
            ..document
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn in_brief_a_document_keeps_what_its_job_tells() {
        let whole = StoredDocument {
            content_changed: true,
            metadata_changed: false,
            lead: Some("A text changed.".to_owned()),
            changes: Vec::new(),
            unseen: vec!["Prices rise.".to_owned()],
            elements_changed: vec!["#price".to_owned()],
        };
        let brief = StoredDocument::in_brief(&serde_json::to_string(&whole).unwrap()).unwrap();
        let brief: StoredDocument = serde_json::from_str(&brief).unwrap();
        let expected = StoredDocument {
            elements_changed: Vec::new(),
            ..whole
        };
        assert_eq!(brief, expected);
    }
}
