//! Whether a text says that nothing changes to the eye, or nothing else, as people write it in commits and pull requests.
//!
//! It goes word by word, because people join the same few notions in ever new ways: a negation with a change of how
//! something looks (“no visual impact”, “screenshots should not change”), looks with sameness (“the screens look exactly
//! as before”), people who notice nothing, and work that is only inside.

mod notions;

use std::ops::Range;

use notions::{Notion, notion};

/// What does not change to the eye.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Unchanged {
    /// All but what the same texts say that changes.
    TheRest,
    /// Everything.
    Everything,
}

/// What a change that nobody wanted is called.
const MISTAKES: &[&str] = &[
    "mistake",
    "bug",
    "error",
    "regression",
    "wrong",
    "unintended",
    "accident",
];

/// Words that may stand before `only`, or after `pure`: what is changed cannot be seen.
const INSIDE: &[&str] = &[
    "refactor",
    "refactoring",
    "refactored",
    "internal",
    "internals",
    "types",
    "tests",
    "tooling",
    "plumbing",
    "backend",
    "comments",
    "docs",
    "documentation",
    "mechanical",
    "technical",
    "server",
];

/// Words that say that there is nothing beside what follows or stands before them.
const ONLY: &[&str] = &[
    "only", "just", "pure", "purely", "mere", "merely", "simply", "solely",
];

/// Names of work inside, word by word.
const INSIDE_WORK: &[&[&str]] = &[
    &["under", "the", "hood"],
    &["behind", "the", "scenes"],
    &["internal", "clean", "up"],
    &["internal", "cleanup"],
    &["internal", "change"],
    &["internal", "changes"],
    &["internal", "refactor"],
    &["internal", "refactoring"],
    &["internal", "restructuring"],
    &["internal", "rework"],
    &["internal", "housekeeping"],
];

/// Ways of saying that something is what it was, word by word.
const AS_BEFORE: &[&[&str]] = &[
    &["as", "before"],
    &["like", "before"],
    &["as", "it", "was"],
    &["as", "it", "is"],
    &["as", "they", "were"],
    &["as", "they", "are"],
    &["as", "is"],
    &["what", "it", "was"],
    &["what", "they", "were"],
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
];

/// Words that may stand between two notions of one statement.
const REACH: usize = 6;

/// What of a page does not change, and the sentence of the text that says so; nothing when none does.
pub(super) fn said(text: &str) -> Option<(Unchanged, &str)> {
    let sentences = text.split(['\n', ';']).flat_map(|line| line.split(". "));
    let found = sentences.filter_map(|sentence| Some((of_sentence(sentence)?, sentence.trim())));
    found.max_by_key(|(what, _)| *what)
}

fn of_sentence(sentence: &str) -> Option<Unchanged> {
    let sentence = Sentence::of(sentence);
    let by_looks = sentence.denies_change(Notion::Look)
        || sentence.is_as_before(Notion::Look)
        || sentence.nobody_notices()
        || sentence.calls_change_a_mistake()
        || sentence.is_work_inside();
    let by_aspect = sentence.denies_change(Notion::Aspect) || sentence.is_as_before(Notion::Aspect);
    match (by_looks, by_aspect, sentence.any(Notion::Rest)) {
        (true, _, false) => Some(Unchanged::Everything),
        (true, _, true) | (false, true, _) => Some(Unchanged::TheRest),
        (false, false, _) => None,
    }
}

/// The words of a sentence, and what each says.
struct Sentence {
    words: Vec<String>,
    notions: Vec<Option<Notion>>,
}

impl Sentence {
    fn of(text: &str) -> Self {
        let text = text.to_lowercase().replace('’', "'");
        let words: Vec<String> = text
            .split(|letter: char| !letter.is_alphanumeric() && letter != '\'')
            .filter(|word| !word.is_empty())
            .map(str::to_owned)
            .collect();
        let notions = (0..words.len()).map(|at| notion(&words, at)).collect();
        Self { words, notions }
    }

    fn any(&self, notion: Notion) -> bool {
        self.notions.contains(&Some(notion))
    }

    /// The places of a notion.
    fn places(&self, notion: Notion) -> impl Iterator<Item = usize> {
        let notions = self.notions.iter().enumerate();
        notions.filter_map(move |(at, known)| (*known == Some(notion)).then_some(at))
    }

    fn has(&self, notion: Notion, range: Range<usize>) -> bool {
        let range = range.start..range.end.min(self.words.len());
        self.notions
            .get(range)
            .is_some_and(|part| part.contains(&Some(notion)))
    }

    /// Whether pages as such are what the sentence is about.
    fn begins_with_pages(&self) -> bool {
        self.has(Notion::Page, 0..3)
    }

    /// “No visual change”, “screenshots should not change”, “nothing is affected”, “no change for users”.
    fn denies_change(&self, of: Notion) -> bool {
        let looks = |range: Range<usize>| {
            self.has(of, range.clone())
                || (of == Notion::Look
                    && (self.has(Notion::People, range) || self.begins_with_pages()))
        };
        let by_negation = self.places(Notion::Negation).any(|at| {
            let reach = at + 1..at + 1 + REACH;
            let mut changes = self
                .places(Notion::Change)
                .filter(|change| reach.contains(change));
            changes.any(|change| {
                let is_planned = of == Notion::Look
                    && change == at + 1
                    && self.has(Notion::Planned, change + 1..change + 4);
                is_planned || looks(at.saturating_sub(REACH)..change + REACH)
            })
        });
        // “Nothing” is about all there is.
        let by_nothing = of == Notion::Look
            && self.places(Notion::Nothing).any(|at| {
                self.has(Notion::Change, at + 1..at + 1 + REACH)
                    || self.has(Notion::Notice, at + 1..at + 1 + REACH)
            });
        by_negation || by_nothing
    }

    /// “The screens look exactly as before”, “identical output”, “the same to the pixel”.
    fn is_as_before(&self, of: Notion) -> bool {
        let subject = |at: usize| {
            self.has(of, at.saturating_sub(REACH)..at)
                || (of == Notion::Look
                    && (self.begins_with_pages()
                        || self.has(Notion::Notice, at.saturating_sub(3)..at)))
        };
        let by_word = self.places(Notion::Same).any(|at| {
            let compared = (at + 1..at + 4).find(|&next| self.word(next) == "as");
            let with_another = compared.is_some_and(|next| !EARLIER.contains(&self.word(next + 1)));
            !with_another && (subject(at) || self.has(of, at + 1..at + 4))
        });
        let mut phrases = AS_BEFORE.iter().flat_map(|phrase| self.places_of(phrase));
        by_word || phrases.any(subject)
    }

    /// “Users will not notice anything”, “nobody sees it”, “not visible to users”.
    fn nobody_notices(&self) -> bool {
        let is_denied = |at: usize| self.has(Notion::Negation, at.saturating_sub(3)..at);
        let notices =
            |at: usize| self.has(Notion::People, at.saturating_sub(REACH)..at) && is_denied(at);
        let mut seen = self
            .places(Notion::Look)
            .filter(|&at| self.word(at) == "visible");
        self.places(Notion::Notice).any(notices)
            || self
                .places_of(&["no", "one"])
                .any(|at| self.has(Notion::Notice, at..at + REACH))
            || self.words.iter().any(|word| word == "invisible")
            || seen.any(|at| is_denied(at) && self.has(Notion::People, at + 1..at + 4))
    }

    /// “If anything looks different, that is a mistake.”
    fn calls_change_a_mistake(&self) -> bool {
        let begins = self.word(0) == "if"
            || self
                .words
                .iter()
                .any(|word| word == "any" || word == "anything");
        begins
            && self.any(Notion::Change)
            && self
                .words
                .iter()
                .any(|word| MISTAKES.contains(&word.as_str()))
    }

    /// “Pure refactoring”, “types only”, “an internal clean-up”.
    fn is_work_inside(&self) -> bool {
        let is_only = |at: usize| ONLY.contains(&self.word(at));
        let mut inside = (0..self.words.len()).filter(|&at| INSIDE.contains(&self.word(at)));
        let mut works = INSIDE_WORK.iter().flat_map(|work| self.places_of(work));
        inside
            .any(|at| is_only(at + 1) || is_only(at + 2) || (at.saturating_sub(3)..at).any(is_only))
            || works.next().is_some()
    }

    fn word(&self, at: usize) -> &str {
        self.words.get(at).map_or("", String::as_str)
    }

    /// Where these words stand one after the other.
    fn places_of(&self, phrase: &[&str]) -> impl Iterator<Item = usize> {
        let windows = self.words.windows(phrase.len()).enumerate();
        windows.filter_map(move |(at, words)| (words == phrase).then_some(at))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn what(text: &str) -> Option<Unchanged> {
        said(text).map(|(what, _)| what)
    }

    #[test]
    fn people_say_in_many_ways_that_nothing_changes() {
        for text in [
            "Refactor, no visual change expected.",
            "Upgrade the router. Nothing should look different.",
            "The rendered pages stay as they are.",
            "Split the header component\n\nNo user-facing change.",
            "Zero visible differences",
            "Users shouldn't notice anything.",
            "Users shouldn’t see a difference.",
            "Everything renders exactly the same as before.",
            "Pixel-identical output.",
            "Pure refactoring of the price list",
            "Moves the tokens to CSS variables, under the hood only.",
            "No differences to the eye.",
            "Nobody will see it.",
            "No UI impact.",
            "Screenshots should not change.",
            "The screens must look exactly as before.",
            "No effect on the surface for the user",
            "Any page that looks different is a regression.",
            "If anything on the site looks different afterwards, that is a mistake.",
            "What visitors see stays the same.",
            "Not visible to users.",
            "Types only.",
            "All pages have to remain unchanged.",
            "Appearance and contents of all pages have to remain unchanged.",
            "No change expected",
        ] {
            assert_eq!(what(text), Some(Unchanged::Everything), "{text}");
        }
    }

    #[test]
    fn the_rest_is_not_everything() {
        for text in [
            "Header turns blue; no other visual changes.",
            "Nothing else should look different.",
            "The rest of the page looks the same.",
            "No visual change except for the new price",
            "The team section goes to the top, its content looks the same.",
            "The price goes up. The layout does not change.",
            "This does not affect the layout of any page.",
        ] {
            assert_eq!(what(text), Some(Unchanged::TheRest), "{text}");
        }
    }

    #[test]
    fn what_speaks_of_a_change_does_not_say_it() {
        for text in [
            "The banner is no longer shown",
            "The banner is no longer visible to users",
            "Raise the price to 29 €",
            "Use the same font in headings as in the text",
            "The cards look the same as the tiles now",
            "Do not show the price before people signed in",
            "The header must not move",
            "The price on this page must not change",
            "No replacement for the banner",
            "New look for the team page",
            "Refactor the cards and make the gap larger",
            "Visitors should see the new button first",
            "Only the price changes",
            "Add a page for users who see no price",
        ] {
            assert_eq!(what(text), None, "{text}");
        }
    }
}
