//! What a sentence says to be the same as before: “the screens look exactly as before”, “identical output”.

use std::ops::Range;

use super::notions::Notion;
use super::sentence::{REACH, Sentence};

/// Ways of saying that something is what it was, word by word.
const AS_BEFORE: &[&[&str]] = &[
    &["as", "before"],
    &["like", "before"],
    &["as", "it", "was"],
    &["as", "it", "is"],
    &["as", "they", "were"],
    &["as", "they", "are"],
    &["as", "is"],
    &["as", "it", "did"],
    &["as", "it", "does"],
    &["as", "they", "did"],
    &["as", "they", "do"],
    &["what", "it", "was"],
    &["what", "they", "were"],
    &["what", "we", "have"],
    &["what", "we", "had"],
    &["the", "way", "it", "always"],
    &["the", "way", "they", "always"],
    &["as", "you", "left"],
    &["as", "ever"],
    &["as", "today"],
    &["as", "it", "used"],
    &["as", "they", "used"],
    &["left", "alone"],
];

/// Ways of saying that two pictures or files were compared and were the same, word by word.
const MEASURED: &[&[&str]] = &[
    &["pixel", "for", "pixel"],
    &["pixel", "by", "pixel"],
    &["to", "the", "pixel"],
    &["byte", "for", "byte"],
    &["to", "the", "byte"],
];

/// What may follow `same … as` for it to mean the same as before.
const EARLIER: &[&str] = &[
    "before",
    "ever",
    "always",
    "now",
    "it",
    "they",
    "today",
    "previously",
    "in",
    "on",
    "yesterday",
    "last",
];

/// What several things may have the same: “all tiles have the same height”.
const MEASURES: &[&str] = &[
    "height", "width", "size", "ratio", "distance", "length", "padding", "margin", "colour",
    "color", "font", "row", "line",
];

/// Words that name what was there before.
const FORMER: &[&str] = &[
    "previous",
    "before",
    "current",
    "production",
    "old",
    "last",
    "what",
    "baseline",
    "main",
    "master",
    "live",
    "former",
];

/// Ways of saying that people see what they know, word by word.
const SEEN_BEFORE: &[&[&str]] = &[
    &["what", "they", "saw"],
    &["what", "you", "saw"],
    &["the", "very", "same", "page"],
    &["the", "very", "same", "pages"],
    &["exactly", "the", "same", "page"],
];

impl Sentence {
    /// “The screens look exactly as before”, “identical output”, “what visitors see stays the same”.
    pub(super) fn is_as_before(&self, of: Notion) -> bool {
        let subject = |at: usize| {
            let before = at.saturating_sub(REACH)..at;
            let is_what_people_see = || {
                let mut notices = self.places(Notion::Notice, before.clone());
                notices.any(|notice| self.any_of(&["what"], notice.saturating_sub(4)..notice))
            };
            let is_before_and_after = || {
                self.any_of(&["before"], before.clone()) && self.any_of(&["after"], before.clone())
            };
            self.has(of, before.clone())
                || (of == Notion::Look
                    && (is_before_and_after() || self.begins_with_pages() || is_what_people_see()))
        };
        let by_word = self.places(Notion::Same, 0..usize::MAX).any(|at| {
            let compared = (at + 1..at + 4).find(|&next| self.word(next) == "as");
            let with_another = compared.is_some_and(|next| !EARLIER.contains(&self.word(next + 1)))
                || (self.word(at + 1) == "to" && !self.names_what_was(at + 2..at + 6));
            let tells_when = self.tells_when(at + 1..at + 4)
                && compared.is_none()
                && self.word(at + 1) != "from";
            let is_over = self.any_of(&["was", "were", "longer"], at.saturating_sub(3)..at);
            // “The two logos should look the same” is what is to be.
            let is_of_several = self.any_of(&["two", "both"], 0..at)
                && self.any_of(&["should", "must", "now"], 0..usize::MAX);
            let is_what_shows = self.any_of(&["what"], at + 1..at + 5)
                && self.has(Notion::Page, at + 1..at + 5 + REACH);
            let is_new = self.any_of(&["new"], at + 1..at + 4);
            let is_measure = self.any_of(MEASURES, at + 1..at + 2);
            let is_seen = of == Notion::Look && self.shows_the_same_pages(at);
            let follows = (self.has(of, at + 1..at + 4) && !is_new)
                || is_seen
                || (of == Notion::Look && self.is_about_pages(at.saturating_sub(4)..at))
                || (of == Notion::Look && is_what_shows);
            !with_another
                && !tells_when
                && !is_over
                && !is_of_several
                && !is_measure
                && (subject(at) || follows)
        });
        let mut phrases = AS_BEFORE.iter().flat_map(|phrase| self.places_of(phrase));
        by_word
            || self.measured_alike(of)
            || phrases.any(|at| {
                let is_denied = self.has(Notion::Negation, at.saturating_sub(3)..at);
                subject(at) && !is_denied && !self.is_limited(at)
            })
            || self.places_of(&["alone"]).any(|at| {
                self.any_of(&["leaves", "leave"], at.saturating_sub(REACH)..at) && subject(at)
            })
            || (of == Notion::Look && self.shows_what_people_know())
    }

    /// “The rendered result is the same as that of the old version down to the pixel.”
    fn measured_alike(&self, of: Notion) -> bool {
        let mut measured = MEASURED.iter().flat_map(|phrase| self.places_of(phrase));
        let is_pixel = |at: usize| self.word(at).starts_with("pixel");
        let mut subjects = self.places(of, 0..usize::MAX);
        let is_of = subjects.any(|at| !is_pixel(at)) || self.any(Notion::Page);
        is_of
            && measured.any(|at| {
                let is_same = self.has(Notion::Same, 0..at)
                    || self.places_of(&["what", "it", "was"]).next().is_some();
                is_same && !self.has(Notion::Negation, at.saturating_sub(3)..at)
            })
    }

    /// Whether words name what was there, or who looks: “identical to what is live”, “the same to the eye”.
    fn names_what_was(&self, range: Range<usize>) -> bool {
        self.any_of(FORMER, range.clone())
            || self.has(Notion::Look, range.clone())
            || self.has(Notion::People, range)
    }

    /// Whether words behind “as it does” tell when or where it does: “as it does in the draft”.
    fn is_limited(&self, phrase: usize) -> bool {
        self.tells_when(phrase + 2..phrase + 2 + REACH)
            || (self.word(phrase) == "as" && self.any_of(&["in", "on"], phrase + 2..phrase + 4))
    }

    /// “Visitors see precisely the same site.”
    fn shows_the_same_pages(&self, same: usize) -> bool {
        let is_page = self.has(Notion::Page, same + 1..same + 2)
            || matches!(self.word(same + 1), "picture" | "thing" | "web");
        is_page
            && self.has(Notion::Notice, same.saturating_sub(4)..same)
            && self.has(Notion::People, same.saturating_sub(REACH)..same)
    }

    /// “Users see what they saw yesterday.”
    fn shows_what_people_know(&self) -> bool {
        let mut known = SEEN_BEFORE.iter().flat_map(|phrase| self.places_of(phrase));
        known.any(|at| {
            self.has(Notion::Notice, at.saturating_sub(2)..at)
                && self.has(Notion::People, at.saturating_sub(4)..at)
        })
    }

    /// “I diffed the HTML and it is empty”, “the snapshots pass without an update”.
    pub(super) fn compared_alike(&self) -> bool {
        const ALIKE: [&str; 7] = [
            "empty",
            "zero",
            "match",
            "matches",
            "pass",
            "same",
            "identical",
        ];
        const COMPARED: [&str; 6] = [
            "diff",
            "diffs",
            "diffed",
            "compared",
            "snapshots",
            "screenshots",
        ];
        let Some(at) = (0..self.words().len()).find(|&at| COMPARED.contains(&self.word(at))) else {
            return false;
        };
        let is_alike = self.any_of(&ALIKE, at + 1..at + 5 + REACH)
            && !self.has(Notion::Negation, at + 1..at + 2);
        is_alike || self.any_of(&["empty"], at.saturating_sub(2)..at)
    }
}
