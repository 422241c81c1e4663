//! A change without the texts of its page.

use std::cell::RefCell;
use std::collections::BTreeMap;

use pentimento_api::result::ChangeType;
use pentimento_document::{DocumentDiff, Fault, Finding, Flaws};

use super::super::changes::{cut, file_name};
use super::placeholder::{Piece, pieces, written};
use super::vocabulary;

/// A change whose texts are placeholders, as a document of its own: the change first, then what it made move.
pub(super) struct Hidden {
    document: DocumentDiff,
    /// As sentences quote them, in the order of their placeholders here.
    shown: Vec<String>,
    /// The placeholders that the sentence has, in its order.
    used: RefCell<Vec<usize>>,
}

impl Hidden {
    /// Words the change, with placeholders that are numbered in the order in which the sentence has them.
    pub(super) fn in_words(&self, words: impl FnOnce(&DocumentDiff) -> String) -> String {
        let sentence = words(&self.document);
        let mut used = self.used.borrow_mut();
        pieces(&sentence)
            .map(|piece| match piece {
                Piece::Text(text) => text.to_owned(),
                Piece::Quote(number) => {
                    let place = used.iter().position(|used| *used == number);
                    written(
                        1 + place.unwrap_or_else(|| {
                            used.push(number);
                            used.len() - 1
                        }),
                    )
                }
            })
            .collect()
    }

    /// What the placeholders of the sentence stand for.
    pub(super) fn quotes(&self) -> Vec<String> {
        let used = self.used.borrow();
        let shown = used.iter().map(|number| &self.shown[number - 1]);
        shown.cloned().collect()
    }
}

/// Hides the texts of the change with this number.
pub(super) fn change(document: &DocumentDiff, index: usize) -> Hidden {
    let mut texts = Texts::default();
    let change = hide(&document.findings[index], None, &mut texts);
    let moved = (document.findings.iter())
        .find(|other| other.kind == ChangeType::ReflowDisplacement && other.cause == Some(index))
        .map(|moved| hide(moved, Some(0), &mut texts));
    Hidden {
        document: DocumentDiff {
            findings: std::iter::once(change).chain(moved).collect(),
            // Damage is told in reasons, which are kept.
            damages: Vec::new(),
        },
        shown: texts.shown,
        used: RefCell::default(),
    }
}

/// Hides the texts of a fault; what they say comes with it.
pub(super) fn fault(fault: &Fault) -> (Fault, Vec<String>) {
    let mut texts = Texts::default();
    let hidden = match fault {
        Fault::Blank => Fault::Blank,
        Fault::SticksOut { element, by } => Fault::SticksOut {
            element: texts.placeholder(element, str::to_owned),
            by: *by,
        },
        Fault::Overlaps { texts: pair } => Fault::Overlaps {
            texts: pair.each_ref().map(|text| texts.placeholder(text, cut)),
        },
        Fault::CutOff { element, shown } => Fault::CutOff {
            element: texts.placeholder(element, str::to_owned),
            shown: *shown,
        },
        Fault::CutText { element, shown } => Fault::CutText {
            element: texts.placeholder(element, str::to_owned),
            shown: *shown,
        },
        Fault::Error { message } => Fault::Error {
            message: texts.placeholder(message, cut),
        },
    };
    (hidden, texts.shown)
}

/// Texts by their placeholders; a text that comes twice has one.
#[derive(Default)]
struct Texts {
    raw: Vec<String>,
    shown: Vec<String>,
}

impl Texts {
    fn placeholder(&mut self, raw: &str, shown: impl FnOnce(&str) -> String) -> String {
        // What says nothing is told as nothing.
        if raw.trim().is_empty() {
            return raw.to_owned();
        }
        let known = self.raw.iter().position(|known| known == raw);
        written(
            1 + known.unwrap_or_else(|| {
                self.raw.push(raw.to_owned());
                self.shown.push(shown(raw.trim()));
                self.raw.len() - 1
            }),
        )
    }
}

/// Names every field, so that one that is added later cannot be forgotten here.
fn hide(finding: &Finding, cause: Option<usize>, texts: &mut Texts) -> Finding {
    let shown: fn(&str) -> String = match finding.kind {
        ChangeType::ImageChange => file_name,
        _ => cut,
    };
    let element = if finding.tag.is_empty() && vocabulary::is_metadata(&finding.element) {
        finding.element.clone()
    } else {
        texts.placeholder(&finding.element, str::to_owned)
    };
    let tag = if finding.tag.is_empty() || vocabulary::is_tag(&finding.tag) {
        finding.tag.clone()
    } else {
        texts.placeholder(&finding.tag, str::to_owned)
    };
    let mut style = BTreeMap::new();
    for (property, values) in &finding.style {
        let property = if vocabulary::is_property(property) {
            property.clone()
        } else {
            texts.placeholder(property, cut)
        };
        let values = values.each_ref().map(|value| {
            if vocabulary::is_plain_value(value) {
                value.clone()
            } else {
                texts.placeholder(value, cut)
            }
        });
        style.insert(property, values);
    }
    Finding {
        kind: finding.kind,
        element,
        tag,
        before: (finding.before.as_ref()).map(|text| texts.placeholder(text, shown)),
        after: (finding.after.as_ref()).map(|text| texts.placeholder(text, shown)),
        style,
        area: finding.area,
        area_before: finding.area_before,
        collapsed: finding.collapsed,
        cause,
        shift: finding.shift,
        attribute: finding.attribute,
        lineage: Vec::new(),
        text: (finding.text.as_ref()).map(|text| texts.placeholder(text, cut)),
        contains: Vec::new(),
        beside: (finding.beside.as_ref()).map(|text| texts.placeholder(text, cut)),
        contrast: None,
        tint: None,
        displaced: Vec::new(),
        lost: Vec::new(),
        // As damage.
        flaws: Flaws::default(),
    }
}
