//! Whether a text says that nothing changes to the eye, or nothing else, as people write it in commits and pull requests.
//!
//! It goes word by word, because people join the same few notions in ever new ways: a negation with a change of how
//! something looks (“no visual impact”, “screenshots should not change”), looks with sameness (“the screens look exactly
//! as before”), people who notice nothing, and work that is only inside. What is seen although this was said counts as a
//! bug, so a sentence that may mean something else (“users do not see the price before they sign in”) says nothing here.

mod alike;
mod denied;
mod inside;
mod noticed;
mod notions;
mod sentence;

#[cfg(test)]
mod tests;

use notions::Notion;
use sentence::{Sentence, clauses};

/// What does not change to the eye.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Unchanged {
    /// All but what the same texts say that changes.
    TheRest,
    /// Everything.
    Everything,
}

/// What of a page does not change, and the sentence of the text that says so; nothing when none does.
pub(super) fn said(text: &str) -> Option<(Unchanged, &str)> {
    let sentences = text.split(['\n', ';']).flat_map(|line| line.split(". "));
    let found = sentences.filter_map(|sentence| Some((of_sentence(sentence)?, sentence.trim())));
    found.max_by_key(|(what, _)| *what)
}

fn of_sentence(text: &str) -> Option<Unchanged> {
    let sentence = Sentence::of(text);
    if sentence.tells_of_the_past() {
        return None;
    }
    let by_looks = sentence.denies_change(Notion::Look)
        || sentence.says_nothing_changes()
        || sentence.is_as_before(Notion::Look)
        || sentence.nobody_notices()
        || sentence.calls_change_a_mistake()
        || clauses(text).any(|clause| clause.is_only_work_inside());
    let by_part = sentence.denies_change(Notion::Aspect)
        || sentence.is_as_before(Notion::Aspect)
        || sentence.compared_alike()
        || sentence.is_work_inside();
    match (by_looks, by_part, sentence.any(Notion::Rest)) {
        (true, _, false) => Some(Unchanged::Everything),
        (true, _, true) | (false, true, _) => Some(Unchanged::TheRest),
        (false, false, _) => None,
    }
}
