//! Findings as they go over the wire, within its bounds.

use std::collections::BTreeMap;

use pentimento_api::result::{Box as WireBox, Change};

use crate::clip::{clip, clip_pair, window};
use crate::finding::{Area, DocumentDiff, Finding};

/// The most changes of a result.
const MAX_CHANGES: usize = 40;
/// The most bytes of a result's changes, as JSON.
const MAX_BYTES: usize = 8192;
/// Characters of a text.
const MAX_TEXT: usize = 200;
/// Styles of a change, and characters of each value, so that one change fits.
const MAX_STYLES: usize = 16;
const MAX_STYLE_VALUE: usize = 80;

impl DocumentDiff {
    /// The first findings as wire types: at most 40, at most 8192 bytes as JSON, texts clipped to 200
    /// characters around where they part.
    pub fn wire_changes(&self) -> Vec<Change> {
        let mut changes = Vec::new();
        // Two brackets, and a comma for all but the first.
        let mut bytes = 1;
        for finding in self.findings.iter().take(MAX_CHANGES) {
            let mut change = wire_change(finding);
            if bytes + json_bytes(&change) + 1 > MAX_BYTES {
                change.style = None;
            }
            bytes += json_bytes(&change) + 1;
            if bytes > MAX_BYTES {
                break;
            }
            changes.push(change);
        }
        changes
    }
}

fn json_bytes(change: &Change) -> usize {
    serde_json::to_vec(change).map_or(MAX_BYTES, |json| json.len())
}

fn wire_change(finding: &Finding) -> Change {
    let [before, after] = match (&finding.before, &finding.after) {
        (Some(before), Some(after)) => clip_pair(before, after, MAX_TEXT).map(Some),
        (before, after) => [before, after].map(|text| Some(window(text.as_deref()?, 0, MAX_TEXT))),
    };
    Change {
        kind: finding.kind,
        element: finding.element.clone(),
        before,
        after,
        style: (!finding.style.is_empty()).then(|| clip_styles(&finding.style)),
        area: finding.area.map(wire_box),
        area_before: finding.area_before.map(wire_box),
        collapsed: (finding.collapsed > 0).then_some(finding.collapsed),
        caused_by: finding.cause.and_then(|cause| u32::try_from(cause).ok()),
    }
}

fn clip_styles(style: &BTreeMap<String, [String; 2]>) -> BTreeMap<String, [String; 2]> {
    let short = |[before, after]: &[String; 2]| clip_pair(before, after, MAX_STYLE_VALUE);
    style
        .iter()
        .take(MAX_STYLES)
        .map(|(name, values)| (clip(name, MAX_STYLE_VALUE).to_owned(), short(values)))
        .collect()
}

fn wire_box(Area { x, y, w, h }: Area) -> WireBox {
    WireBox { x, y, w, h }
}
