//! A finding without a word of the page: what a language model may be told of it.
//!
//! The sentence of a finding is made once more from a copy of the change in which every text of the page is a numbered
//! placeholder (`⟦1⟧`). What the placeholders stand for is kept beside it, and put back into what a model words.

mod placeholder;
mod redact;
mod vocabulary;

use pentimento_api::result::{ChangeType, Decision, RegionVerdict};
use pentimento_document::{DocumentDiff, Fault};
use serde::{Deserialize, Serialize};

use super::bugs::{damage_sentence, hard_bug};
use super::changes;
use super::intent::{LooksStay, Shared, Weighed};

pub use placeholder::{Piece, pieces};

/// Most shared words, and most shared values, that are kept of a finding.
const MAX_SHARED: usize = 20;

/// One finding without a word of the page.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Fact {
    /// The finding's sentence with placeholders for all that the page says.
    pub template: String,
    /// What the placeholders stand for, `⟦1⟧` first.
    pub quotes: Vec<String>,
    /// The number of the document's change that it tells of; none where pixels alone speak.
    pub change: Option<usize>,
    /// Whether it is only a consequence of that change.
    pub follows: bool,
    /// The kind of that change.
    pub kind: Option<ChangeType>,
    /// The changed element's tag, where HTML knows it.
    pub tag: Option<String>,
    /// Whether the change lies in the declared scope; none when none was declared.
    pub in_scope: Option<bool>,
    /// How well the change fits the intent, 0–1, to two digits.
    pub score: Option<f64>,
    /// Words of the intent that the change has.
    pub shared_words: Vec<String>,
    /// Numbers, colours and quotations of the intent that the change has to the letter.
    pub shared_values: Vec<String>,
    /// Whether the rules leave its verdict open, so that a description may settle it.
    pub is_open: bool,
}

impl Fact {
    /// What is known of a finding by its pixels alone; its sentence holds figures and no text of the page.
    pub(super) fn of_pixels(sentence: &str) -> Self {
        Self {
            template: sentence.to_owned(),
            ..Self::default()
        }
    }

    /// A change of the document that has this verdict.
    pub(super) fn of_change(
        document: &DocumentDiff,
        index: usize,
        weighed: Option<&Weighed>,
        verdict: &RegionVerdict,
    ) -> Self {
        let hidden = redact::change(document, index);
        Self {
            template: hidden.in_words(|hidden| changes::sentence(hidden, 0)),
            quotes: hidden.quotes(),
            ..Self::weighed(document, index, weighed, verdict)
        }
    }

    /// A finding that follows from a change, whose own part of the sentence is `pixels`.
    pub(super) fn of_consequence(
        pixels: &str,
        document: &DocumentDiff,
        cause: usize,
        weighed: Option<&Weighed>,
        verdict: &RegionVerdict,
    ) -> Self {
        let hidden = redact::change(document, cause);
        Self {
            template: hidden.in_words(|hidden| {
                format!(
                    "{pixels} It follows from another change: {}",
                    changes::cause(&hidden.findings[0])
                )
            }),
            quotes: hidden.quotes(),
            follows: true,
            ..Self::weighed(document, cause, weighed, verdict)
        }
    }

    /// Damage that no change of the document is to blame for; it is never open.
    pub(super) fn of_damage(fault: &Fault) -> Self {
        let (hidden, quotes) = redact::fault(fault);
        Self {
            template: damage_sentence(&hidden),
            quotes,
            ..Self::default()
        }
    }

    fn weighed(
        document: &DocumentDiff,
        index: usize,
        weighed: Option<&Weighed>,
        verdict: &RegionVerdict,
    ) -> Self {
        let change = &document.findings[index];
        let Shared { words, values } = weighed
            .map(|weighed| weighed.shared.clone())
            .unwrap_or_default();
        let is_free = weighed.is_some_and(|weighed| {
            weighed.must_stay.is_none()
                && weighed.in_scope != Some(false)
                && !weighed.nothing_changes
                && !matches!(weighed.looks_stay, Some(LooksStay::CodeAlone(_)))
        });
        Self {
            change: Some(index),
            kind: Some(change.kind),
            tag: vocabulary::is_tag(&change.tag).then(|| change.tag.clone()),
            in_scope: weighed.and_then(|weighed| weighed.in_scope),
            score: weighed.map(|weighed| (weighed.score * 100.0).round() / 100.0),
            shared_words: words.into_iter().take(MAX_SHARED).collect(),
            shared_values: values.into_iter().take(MAX_SHARED).collect(),
            is_open: verdict.decision == Decision::NeedsReview
                && is_free
                && hard_bug(document, index).is_none(),
            ..Self::default()
        }
    }

    /// Whether anything but a model's word can speak for it: words or values of the intent, or the scope.
    pub fn has_evidence(&self) -> bool {
        !self.shared_words.is_empty()
            || !self.shared_values.is_empty()
            || self.in_scope == Some(true)
    }

    /// A wording with what the page says in the places of the placeholders.
    pub fn restore(&self, wording: &str) -> String {
        pieces(wording)
            .map(|piece| match piece {
                Piece::Text(text) => text,
                Piece::Quote(number) => number
                    .checked_sub(1)
                    .and_then(|place| self.quotes.get(place))
                    .map_or("…", String::as_str),
            })
            .collect()
    }
}

#[cfg(test)]
mod tests;
