//! What was said to stay as it is, and whether a change breaks that.

use std::collections::BTreeSet;

use super::outcome::Outcome;
use super::quoted::unquoted;
use super::sentences::tells;
use super::statement::Statement;
use super::stays::{denied_in, plain, says_to_stay, straight};
use super::terms::{Telling, Terms};
use super::vocabulary::Verb;

/// Share of the words of what must stay that a change must have.
const COVERED: f64 = 0.68;

/// Words of promises that name nothing that must stay.
const OF_PROMISES: &[&str] = &[
    "before",
    "current",
    "currently",
    "exactly",
    "intact",
    "keep",
    "keeps",
    "kept",
    "leave",
    "leaves",
    "please",
];

/// Words for what something says, which its looks are no part of.
const WORDING: &[&str] = &[
    "copy", "label", "labels", "text", "texts", "word", "wording", "words",
];

/// Words beside them that name no other thing.
const OF_IT: &[&str] = &["and", "its", "size", "the", "their"];

/// A sentence that says that something must stay as it is.
#[derive(Debug)]
pub(super) struct Promise {
    /// As it was written.
    pub(super) text: String,
    /// What must stay, each by itself.
    subjects: Vec<Statement>,
    /// What alone must not be done to it; anything where this is empty.
    only: BTreeSet<Verb>,
}

impl Promise {
    /// A sentence as a promise; nothing when it is none, or when it names nothing that must stay.
    pub(super) fn of(sentence: &str) -> Option<Self> {
        let denied = denied_in(&plain(sentence))?;
        // The same bytes as those it was found in, with the capitals that tell words of a name apart.
        let said = straight(sentence);
        let (before, behind) = (said.get(..denied.at.start)?, said.get(denied.at.end..)?);
        // “Prices and names must not change for members”, “no changes to prices and names”.
        let (named, condition) = if statement(before).is_some() {
            (before, behind)
        } else {
            (behind, "")
        };
        let named = named
            .replace(" and ", ",")
            .replace(" or ", ",")
            .replace(" nor ", ",");
        let subjects: Vec<Statement> = (named.split(','))
            .filter(|name| statement(name).is_some())
            .filter_map(|name| statement(&format!("{name} {condition}")))
            .collect();
        let only = if denied.is_deed {
            Terms::of_sentence(&said[denied.at]).0.verbs
        } else {
            BTreeSet::new()
        };
        (!subjects.is_empty()).then(|| Self {
            text: sentence.trim().to_owned(),
            subjects,
            only,
        })
    }

    /// Whether a change is one of what must stay.
    pub(super) fn is_broken_by(&self, found: &Terms, done: &Outcome) -> bool {
        let is_denied = self.only.is_empty() || !self.only.is_disjoint(&found.verbs);
        let is_of_it = |subject: &Statement| {
            subject.value(found) >= COVERED && (!is_of_words(subject) || done.is_of_words())
        };
        is_denied && self.subjects.iter().any(is_of_it)
    }
}

/// Whether a subject is no more than “the wording” or “its label”.
fn is_of_words(subject: &Statement) -> bool {
    let is_said = |it: &Telling| WORDING.contains(&&*it.word);
    !subject.words.is_empty() && subject.words.iter().all(is_said)
}

/// Whether a sentence says that something must stay, and not only that of what it tells the words do.
pub(super) fn promises(sentence: &str) -> bool {
    says_to_stay(sentence) && words_kept(sentence).is_none()
}

/// Whether a part of an entry says that something must stay, and tells no change before it.
pub(super) fn promises_alone(part: &str) -> bool {
    if words_kept(part).is_some() {
        return false;
    }
    let plain = plain(part);
    denied_in(&plain).is_some_and(|denied| !tells(&plain[..denied.at.start]))
}

/// What a sentence tells before it says that the words of that stay: “the link leads to /a, its label unchanged” promises
/// nothing of other texts. None for any other sentence.
pub(super) fn words_kept(sentence: &str) -> Option<&str> {
    let blank = unquoted(sentence);
    let (at, joint) = [". ", ", ", "; "]
        .into_iter()
        .filter_map(|joint| Some((blank.rfind(joint)?, joint)))
        .max()?;
    let (told, kept) = (sentence.get(..at)?, &blank[at + joint.len()..]);
    let promise = denied_in(&plain(kept))?;
    let before = straight(kept).get(..promise.at.start)?.to_lowercase();
    let is_of_it = |word: &str| {
        WORDING.contains(&word) || OF_IT.contains(&word) || word.chars().any(char::is_numeric)
    };
    let mut names = before
        .split(|letter: char| !letter.is_alphanumeric())
        .filter(|word| !word.is_empty());
    let is_kept = names.clone().any(|word| WORDING.contains(&word)) && names.all(is_of_it);
    (is_kept && (joint == ". " || tells(told)) && !says_to_stay(told)).then_some(told)
}

/// What a part of a promise names.
fn statement(part: &str) -> Option<Statement> {
    let words = part.split_whitespace();
    let naming: Vec<&str> = words
        .filter(|word| !OF_PROMISES.contains(&&*word.to_lowercase()))
        .collect();
    Statement::of(&naming.join(" "))
}
