//! Which way a sentence says something goes: it comes or goes, gets more or less, larger or smaller.

use crate::verdict::intent::outcome::Trend;
use crate::verdict::intent::stays::{forbidden, plain};
use crate::verdict::intent::terms::plain_stem;
use crate::verdict::intent::vocabulary::says_gone;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Coming {
    Comes,
    Goes,
}

/// Whether a sentence denies anything.
pub(super) fn is_denied(text: &str) -> bool {
    const NOT: [&str; 6] = ["not", "never", "without", "no", "instead", "cannot"];
    let text = text.to_lowercase().replace('’', "'");
    text.contains("n't")
        || (text.split(|letter: char| !letter.is_alphabetic())).any(|word| NOT.contains(&word))
}

/// Whether something is said to come or to go, in plain words and without a negation.
pub(super) fn coming(text: &str) -> Option<Coming> {
    const COMES: &[&str] = &["add", "append", "appear", "insert", "introduc", "show"];
    const GOES: &[&str] = &[
        "delet",
        "disappear",
        "drop",
        "elimin",
        "gone",
        "hidden",
        "hide",
        "remov",
    ];
    let plain = plain(text);
    if let Some(word) = forbidden(&plain) {
        let stem = plain_stem(word);
        if COMES.contains(&stem.as_str()) {
            return Some(Coming::Goes);
        }
        if GOES.contains(&stem.as_str()) {
            return Some(Coming::Comes);
        }
    }
    let stems = stems(&plain.replace("drop-down", "menu"));
    let has = |known: &[&str]| stems.iter().any(|stem| known.contains(&stem.as_str()));
    let is_denied = is_denied(text);
    let (comes, goes) = (has(COMES), has(GOES));
    // “No longer shown” tells that it goes, “no longer hidden” and “shows fewer” leave it open.
    let goes = (goes && !is_denied) || (!goes && says_gone(text));
    match (comes && !is_denied && !has(&["fewer", "less"]), goes) {
        (true, false) => Some(Coming::Comes),
        (false, true) if !comes => Some(Coming::Goes),
        _ => None,
    }
}

/// Whether a number is said to get more or less.
pub(in crate::verdict::intent) fn amount(text: &str) -> Option<Trend> {
    const MORE: &[&str] = &["grow", "higher", "increas", "rais"];
    const LESS: &[&str] = &["cheaper", "decreas", "lower", "reduc", "shrink"];
    trend(text, [MORE, LESS])
}

/// Whether something is said to get larger or smaller. (Of which side of it there is more or less, its comparatives say.)
pub(super) fn size(text: &str) -> Option<Trend> {
    const MORE: &[&str] = &["bigger", "enlarg", "grow", "increas", "larger"];
    const LESS: &[&str] = &["decreas", "reduc", "shrink", "smaller"];
    trend(text, [MORE, LESS])
}

fn trend(text: &str, [more, less]: [&[&str]; 2]) -> Option<Trend> {
    let stems = stems(text);
    let has = |known: &[&str]| stems.iter().any(|stem| known.contains(&stem.as_str()));
    match (has(more), has(less)) {
        (true, false) => Some(Trend::More),
        (false, true) => Some(Trend::Less),
        _ => None,
    }
}

fn stems(text: &str) -> Vec<String> {
    (text.split(|letter: char| !letter.is_alphabetic()))
        .map(|word| plain_stem(&word.to_lowercase()))
        .collect()
}
