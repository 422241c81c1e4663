//! What people wrote, sentence by sentence, and how much of it a change has.

use super::common::weight;
use super::terms::Terms;

/// Sentences of one text that are looked at.
const MAX_SENTENCES: usize = 200;

/// What a statement whose numbers, colours or quotations the change does not have is worth of itself.
const OTHER_VALUES: f64 = 0.4;

/// Words that make a sentence say that something hardly ever happens.
const SELDOM: &[&str] = &["rarely", "seldom", "hardly", "almost never"];

/// Words that make a sentence say what must stay.
const MUST_STAY: &[&str] = &[
    "must not",
    "must stay",
    "should not",
    "shouldn't",
    "do not",
    "don't",
    "never",
    "must remain",
    "stays as",
    "unchanged",
];

/// One thing that was said.
#[derive(Debug)]
pub(super) struct Statement {
    /// As it was written.
    pub(super) text: String,
    pub(super) terms: Terms,
}

impl Statement {
    /// A text as a statement; nothing when it names nothing.
    pub(super) fn of(text: &str) -> Option<Self> {
        let terms = Terms::of_sentence(text);
        let is_empty = terms.stems.is_empty() && terms.exact.is_empty();
        (!is_empty).then(|| Self {
            text: text.trim().to_owned(),
            terms,
        })
    }

    /// Whether it says that something is done, or happens again and again; that it names a price or a picture does not.
    pub(super) fn says_a_change(&self) -> bool {
        self.terms.is_done && !says(&self.text, SELDOM)
    }

    /// How much of the statement a change has, 0–1.
    pub(super) fn value(&self, found: &Terms) -> f64 {
        let stems = &self.terms.stems;
        let weigh = |stems: &mut dyn Iterator<Item = &String>| -> f64 {
            stems.map(|stem| weight(stem)).sum()
        };
        let words = if stems.is_empty() {
            0.0
        } else {
            weigh(&mut stems.intersection(&found.stems)) / weigh(&mut stems.iter())
        };
        if self.terms.exact.is_empty() {
            return words;
        }
        let met = self.terms.exact.intersection(&found.exact).count() as f64;
        if met == 0.0 {
            return words * OTHER_VALUES;
        }
        // A value that is met to the letter says more than words.
        words.max((words + 2.0 * met / self.terms.exact.len() as f64) / 3.0)
    }
}

/// The statement that a change has most of, and how much.
pub(super) fn best<'s>(statements: &'s [Statement], found: &Terms) -> Option<(f64, &'s Statement)> {
    let valued = statements
        .iter()
        .map(|statement| (statement.value(found), statement));
    valued.reduce(|best, next| if next.0 > best.0 { next } else { best })
}

/// The sentences of a text, cut where a new thing is told.
pub(super) fn sentences(text: &str) -> Vec<String> {
    text.split(['\n', ';'])
        .flat_map(|line| line.split(". "))
        .flat_map(|sentence| sentence.split(" and "))
        .map(|sentence| sentence.trim().trim_end_matches('.').to_owned())
        .filter(|sentence| !sentence.is_empty())
        .take(MAX_SENTENCES)
        .collect()
}

fn says(text: &str, phrases: &[&str]) -> bool {
    let text = text.to_lowercase();
    phrases.iter().any(|phrase| text.contains(phrase))
}

/// Whether a sentence says that something must stay as it is.
pub(super) fn says_to_stay(sentence: &str) -> bool {
    says(sentence, MUST_STAY)
}
