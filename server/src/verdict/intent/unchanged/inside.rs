//! Work that is only inside: “pure refactoring”, “under the hood only”.

use super::sentence::Sentence;

/// Words for work that nobody sees.
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
    "mechanical",
    "technical",
];

/// Words that say that there is nothing beside what follows or stands before them.
const ONLY: &[&str] = &[
    "only", "just", "pure", "purely", "mere", "merely", "simply", "solely",
];

/// Words that may follow a word for work, where work is what is meant: “pure refactoring *of* the list”, not “only internal
/// links”.
const AT_WORK: &[&str] = &[
    "work",
    "change",
    "changes",
    "refactor",
    "refactoring",
    "cleanup",
    "clean",
    "of",
    "for",
    "in",
    "and",
];

/// Names of work inside, word by word.
const INSIDE_WORK: &[&[&str]] = &[
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

/// Names of where nobody looks, word by word.
const OUT_OF_SIGHT: &[&[&str]] = &[&["under", "the", "hood"], &["behind", "the", "scenes"]];

impl Sentence {
    /// “Pure refactoring”, “types only”, “just a refactor”, “under the hood only”.
    pub(super) fn is_only_work_inside(&self) -> bool {
        let last = self.words().len().saturating_sub(1);
        let is_only = |at: usize| ONLY.contains(&self.word(at));
        let is_begun = |at: usize| {
            (0..at).all(|before| {
                is_only(before)
                    || matches!(
                        self.word(before),
                        "this" | "it" | "it's" | "that" | "is" | "was" | "a" | "an" | "some"
                    )
            }) && (0..at).any(is_only)
                && (at >= last || AT_WORK.contains(&self.word(at + 1)))
        };
        let ends = |at: usize| is_only(last) && last <= at + 2 && at <= 1;
        let mut inside = (0..self.words().len()).filter(|&at| INSIDE.contains(&self.word(at)));
        let mut hoods = OUT_OF_SIGHT.iter().flat_map(|words| self.places_of(words));
        inside.any(|at| is_begun(at) || ends(at))
            || hoods.any(|at| is_only(at + 3) || at.checked_sub(1).is_some_and(is_only))
    }

    /// “An internal clean-up”: what is seen beside what was said was not meant.
    pub(super) fn is_work_inside(&self) -> bool {
        let mut works = INSIDE_WORK.iter().flat_map(|work| self.places_of(work));
        works.next().is_some()
    }
}
