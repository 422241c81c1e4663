//! Whether a text says that nothing changes to the eye, or nothing else, as people write it in commits and pull requests.
//!
//! It goes word by word, because people join the same few notions in ever new ways: a negation with a change of how
//! something looks (“no visual impact”, “screenshots should not change”), looks with sameness (“the screens look exactly
//! as before”), people who notice nothing, and work that is only inside. What is seen although this was said counts as a
//! bug, so a sentence that may mean something else (“users do not see the price before they sign in”) says nothing here.

mod alike;
mod denied;
mod form;
mod inside;
mod noticed;
mod notions;
mod sentence;

#[cfg(test)]
mod tests;

use notions::Notion;
use sentence::{Sentence, clauses};

use super::quoted::unquoted;

/// What does not change to the eye.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Unchanged {
    /// All but what the same texts say that changes.
    TheRest,
    /// Everything.
    Everything,
}

/// Words that set what is told of one part against another.
const CONTRAST: &[&str] = &["while", "however", "whereas", "though"];

/// What of a page does not change, and the sentence of the text that says so; nothing when none does.
pub(super) fn said(text: &str) -> Option<(Unchanged, String)> {
    let read = form::without_unticked(text);
    let blank = unquoted(&read);
    let sentences = blank.split(['\n', ';']).flat_map(|line| line.split(". "));
    if let Some(field) = form::denied(text) {
        return Some(field);
    }
    let found = sentences.filter_map(|sentence| Some((of_sentence(sentence)?, sentence)));
    let (what, sentence) = found.max_by_key(|(what, _)| *what)?;
    let from = sentence.as_ptr() as usize - blank.as_ptr() as usize;
    let quoted = text.get(from..from + sentence.len())?.trim();
    Some((what, quoted.to_owned()))
}

/// Whether a sentence denies something of pages or looks, or calls them the same; what that is, it leaves open.
pub(super) fn hints(text: &str) -> bool {
    let sentence = Sentence::of(text);
    let any = |notions: &[Notion]| notions.iter().any(|&notion| sentence.any(notion));
    let denies = any(&[Notion::Negation, Notion::Nothing]);
    let is_of_looks = any(&[Notion::Look, Notion::Page, Notion::Notice]);
    let is_denied = denies && sentence.words().iter().any(|word| is_difference(word));
    (is_denied || (is_of_looks && (denies || sentence.any(Notion::Same))))
        && !sentence.tells_of_something_else()
}

/// Whether a sentence announces that something looks different: it speaks of differences, or of looks and of changes, and
/// neither denies anything nor says “if anything looks different”. (“When a list opens, rows look different” announces it.)
pub(super) fn announces(text: &str) -> bool {
    let sentence = Sentence::of(text);
    let any = |notions: &[Notion]| notions.iter().any(|&notion| sentence.any(notion));
    let is_of_changed_looks = any(&[Notion::Look]) && any(&[Notion::Change]);
    (is_of_changed_looks || sentence.words().iter().any(|word| is_difference(word)))
        && !any(&[Notion::Negation, Notion::Nothing, Notion::Same])
        && !sentence.any_of(&["if"], 0..usize::MAX)
}

fn is_difference(word: &str) -> bool {
    word.starts_with("diff") && !word.starts_with("diffic")
}

/// Whether a line is a ticked box of a form.
pub(super) fn is_ticked(line: &str) -> bool {
    form::boxed(line, "[x]").is_some()
}

/// A text without the boxes of a form that are not ticked.
pub(super) fn without_unticked(text: &str) -> String {
    form::without_unticked(text)
}

/// The clauses of a sentence that deny nothing.
pub(super) fn undenied(text: &str) -> String {
    let denies = |clause: &&str| {
        let clause = Sentence::of(clause);
        clause.any(Notion::Negation) || clause.any(Notion::Nothing)
    };
    let clauses: Vec<&str> = clauses(text).filter(|clause| !denies(clause)).collect();
    clauses.join(", ")
}

fn of_sentence(text: &str) -> Option<Unchanged> {
    let whole = Sentence::of(text);
    let mut parts: Vec<Sentence> = clauses(text).map(Sentence::of).collect();
    // What one clause denies is often told in another: “the price changes, what people see does not”.
    let has_rest = whole.any(Notion::Rest) || whole.any_of(CONTRAST, 0..usize::MAX);
    parts.push(whole);
    parts.retain(|part| !part.tells_of_something_else());
    let is_only_inside = parts.iter().any(Sentence::is_only_work_inside);
    let looks = |part: &Sentence| {
        part.denies_change(Notion::Look)
            || part.says_nothing_changes()
            || part.is_as_before(Notion::Look)
            || part.nobody_notices()
            || part.calls_change_a_mistake()
    };
    let part = |part: &Sentence| {
        part.denies_change(Notion::Aspect)
            || part.is_as_before(Notion::Aspect)
            || part.compared_alike()
            || part.is_work_inside()
    };
    match (is_only_inside || parts.iter().any(looks), has_rest) {
        (true, false) => Some(Unchanged::Everything),
        (true, true) => Some(Unchanged::TheRest),
        (false, _) => parts.iter().any(part).then_some(Unchanged::TheRest),
    }
}
