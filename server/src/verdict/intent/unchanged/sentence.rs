//! The words of a sentence, and what each says.

use std::ops::Range;

use super::notions::{Notion, notion};
use crate::verdict::intent::conditions::tell_when;

/// Words that tell of what was wrong.
const TROUBLE: &[&str] = &[
    "complained",
    "complain",
    "complaint",
    "complaints",
    "caused",
    "too",
];

/// Words that may stand before `pages` where all of them are meant.
const OF_ALL: &[&str] = &[
    "",
    "the",
    "this",
    "these",
    "our",
    "your",
    "of",
    "other",
    "others",
    "remaining",
    "existing",
    "generated",
    "published",
    "public",
];

/// Words that may stand between two other notions of one statement.
pub(super) const REACH: usize = 6;

/// Clauses of one sentence that are looked at.
const MAX_CLAUSES: usize = 50;

/// Words of one sentence that are looked at.
const MAX_WORDS: usize = 400;

/// The parts of a sentence between its commas, colons and dashes.
pub(super) fn clauses(text: &str) -> impl Iterator<Item = &str> {
    text.split([',', ':', '–', '—', '(', ')']).take(MAX_CLAUSES)
}

/// A sentence, word by word.
pub(super) struct Sentence {
    /// In lower case; hyphens part them, apostrophes do not.
    words: Vec<String>,
    /// For each word.
    notions: Vec<Option<Notion>>,
}

impl Sentence {
    /// The words of a text.
    pub(super) fn of(text: &str) -> Self {
        let text = text.to_lowercase().replace('’', "'");
        let words: Vec<String> = text
            .split(|letter: char| !letter.is_alphanumeric() && letter != '\'')
            .filter(|word| !word.is_empty())
            .take(MAX_WORDS)
            .map(str::to_owned)
            .collect();
        let notions = (0..words.len()).map(|at| notion(&words, at)).collect();
        Self { words, notions }
    }

    pub(super) fn words(&self) -> &[String] {
        &self.words
    }

    /// The word at a place; an empty one behind the last.
    pub(super) fn word(&self, at: usize) -> &str {
        self.words.get(at).map_or("", String::as_str)
    }

    /// Whether any word says this.
    pub(super) fn any(&self, notion: Notion) -> bool {
        self.notions.contains(&Some(notion))
    }

    /// Whether a word in a range says this.
    pub(super) fn has(&self, notion: Notion, range: Range<usize>) -> bool {
        self.places(notion, range).next().is_some()
    }

    /// The places in a range whose word says this.
    pub(super) fn places(
        &self,
        notion: Notion,
        range: Range<usize>,
    ) -> impl Iterator<Item = usize> {
        self.within(range)
            .filter(move |&at| self.notions[at] == Some(notion))
    }

    /// Whether one of these words stands in a range.
    pub(super) fn any_of(&self, words: &[&str], range: Range<usize>) -> bool {
        self.within(range).any(|at| words.contains(&self.word(at)))
    }

    /// Whether it begins in a range to tell when something happens: a sentence that does so between, or behind, what it denies
    /// tells how a page behaves.
    pub(super) fn tells_when(&self, range: Range<usize>) -> bool {
        self.within(range).any(|at| tell_when(&self.words[at..]))
    }

    /// Where these words stand one after the other.
    pub(super) fn places_of(&self, phrase: &[&str]) -> impl Iterator<Item = usize> {
        let windows = self.words.windows(phrase.len()).enumerate();
        windows.filter_map(move |(at, words)| (words == phrase).then_some(at))
    }

    /// “The look does not change on hover any more”: it did, and that was mended. “It is not true that nothing changes.”
    pub(super) fn tells_of_something_else(&self) -> bool {
        let words = self.words();
        let is_untrue = |at: usize| self.has(Notion::Negation, at.saturating_sub(2)..at);
        self.places_of(&["true"]).any(is_untrue)
            || matches!(
                self.word(0),
                "without" | "previously" | "until" | "why" | "keep" | "make"
            )
            || self.any_of(TROUBLE, 0..usize::MAX)
            || self.places_of(&["was", "supposed"]).next().is_some()
            || words.iter().any(|word| word == "anymore")
            || words
                .windows(2)
                .any(|pair| pair[0] == "any" && matches!(pair[1].as_str(), "more" | "longer"))
    }

    /// Whether pages as such are what the sentence is about: “pages”, “the page must …”, not “page numbers” or “team pages”.
    pub(super) fn begins_with_pages(&self) -> bool {
        self.is_about_pages(0..3)
    }

    /// Whether words in a range name pages as such.
    pub(super) fn is_about_pages(&self, range: Range<usize>) -> bool {
        let mut places = self.places(Notion::Page, range);
        places.any(|at| {
            let before = at.checked_sub(1).map_or("", |before| self.word(before));
            let is_subject = matches!(
                self.word(at + 1),
                "must"
                    | "should"
                    | "stay"
                    | "stays"
                    | "looks"
                    | "keeps"
                    | "shows"
                    | "renders"
                    | "is"
                    | "does"
                    | "doesn't"
                    | "will"
                    | "itself"
                    | "has"
            );
            OF_ALL.contains(&before) && (self.word(at) != "page" || is_subject)
        })
    }

    fn within(&self, range: Range<usize>) -> Range<usize> {
        range.start..range.end.min(self.words.len())
    }
}
