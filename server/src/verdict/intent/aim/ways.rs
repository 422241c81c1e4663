//! Whether a sentence says that something comes or goes.

use std::collections::BTreeSet;

use super::comparatives::is_comparative;
use super::mends::begins_with_a_mend;
use crate::verdict::colour::Hue;
use crate::verdict::intent::stays::{forbidden, plain};
use crate::verdict::intent::terms::{plain_stem, words};
use crate::verdict::intent::vocabulary::{
    DENIALS, Verb, says_doubled, says_gone, spaced, verbs_of, without_drops,
};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Coming {
    Comes,
    Goes,
}

impl Coming {
    pub(super) fn opposite(self) -> Self {
        match self {
            Self::Comes => Self::Goes,
            Self::Goes => Self::Comes,
        }
    }
}

/// Whether a sentence denies anything.
pub(super) fn is_denied(text: &str) -> bool {
    let text = text.to_lowercase().replace('’', "'");
    let mut words = text.split(|letter: char| !letter.is_alphabetic());
    text.contains("n't") || words.any(|word| DENIALS.contains(&word) || word == "instead")
}

/// Stems of words for what comes, and of words for what goes.
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

/// Stems of words that say what can be seen. Where something is said to go they only tell which one is meant: “the banner that
/// was shown is taken down”.
const SHOWN: &[&str] = &["display", "shown", "visibl"];

/// Phrases for what is there once more.
const BACK: &[&str] = &[
    " are back ",
    " come back ",
    " comes back ",
    " is back ",
    " there again ",
];

/// Phrases for what is not there.
const UNSEEN: &[&str] = &[
    " never appears ",
    " never displayed ",
    " never shown ",
    " not appear ",
    " not displayed ",
    " not show ",
    " not showing ",
    " not shown ",
    " not visible ",
];

/// Phrases for what is kept in the place of being taken away: “restyle the banner instead of removing it”.
const SPARED: &[&str] = &[
    " instead of deleting ",
    " instead of dropping ",
    " instead of hiding ",
    " instead of removing ",
    " rather than hiding ",
    " rather than removing ",
];

/// Phrases for what was done against anybody's will, and is undone.
const MISTAKES: &[&str] = &[
    " accidentally ",
    " by accident ",
    " by mistake ",
    " inadvertently ",
    " mistakenly ",
    " unintentionally ",
];

/// Stems of words for what there is or was none of where something comes all the same: “no breaking changes, new header”, “no ring
/// before, a blue one now”.
const OF_A_CHANGE: &[&str] = &[
    "befor", "chang", "differ", "effect", "featur", "impact", "regress",
];

/// Stems of words for what is done to what was wrong.
const MENDS: &[&str] = &["bugfix", "fix", "hotfix", "mend", "repair", "resolv"];

/// Those that say so where they begin what is told; elsewhere they may be said of what something is called: “the disabled
/// button”.
const FIRST_COMES: &[&str] = &["enabl", "reinstat", "reintroduc", "restor", "unhid"];
const FIRST_GOES: &[&str] = &[
    "axe",
    "disabl",
    "discontinu",
    "ditch",
    "kill",
    "nuke",
    "retir",
    "scrap",
    "sunset",
    "unpublish",
    "withdraw",
];

/// Whether something is said to come or to go, in plain words and without a negation.
pub(super) fn coming(text: &str) -> Option<Coming> {
    let plain = plain(text);
    if let Some(word) = forbidden(&plain) {
        let stem = plain_stem(word);
        if COMES.contains(&stem.as_str()) || SHOWN.contains(&stem.as_str()) {
            return Some(Coming::Goes);
        }
        if GOES.contains(&stem.as_str()) {
            return Some(Coming::Comes);
        }
    }
    let plain = without_drops(&plain);
    let stems = stems(&plain);
    let has = |known: &[&str]| stems.iter().any(|stem| known.contains(&stem.as_str()));
    let is_denied = is_denied(text);
    let is_mended = has(MENDS) || begins_with_a_mend(text);
    let is_less = has(&["fewer", "less"]);
    if !is_denied
        && !is_less
        && !says_gone(text)
        && let Some(first) = first_says(&plain)
    {
        return Some(first);
    }
    if let Some(spared) = spared(&plain) {
        return Some(spared);
    }
    // “Main navigation: + Careers”
    if plain.starts_with("+ ") || plain.contains(": + ") {
        return Some(Coming::Comes);
    }
    if let Some(mended) = mended(&plain) {
        return Some(mended);
    }
    let is_of_none = (plain.contains("neither ") && (has(COMES) || has(SHOWN)))
        || (begins_with_no(&plain) && !has(OF_A_CHANGE));
    if is_of_none || (!is_mended && is_unseen(&plain)) {
        return Some(Coming::Goes);
    }
    if is_denied && !says_gone(text) && !is_mended && stays_undone(&plain) {
        return Some(Coming::Comes);
    }
    if !is_denied && has_one_of(&plain, MISTAKES) {
        let is_back = has(GOES).then_some(Coming::Comes);
        return is_back.or_else(|| has(COMES).then_some(Coming::Goes));
    }
    let goes = has(GOES) || says_gone(text);
    let comes = has(COMES) || (!goes && (has(SHOWN) || has_one_of(&plain, BACK)));
    // “No longer shown” tells that it goes, “no longer hidden” and “shows fewer” leave it open.
    let goes = goes && (!is_denied || !has(GOES));
    match (comes && !is_denied && !is_less, goes) {
        (true, false) => Some(Coming::Comes),
        (false, true) if !comes => Some(Coming::Goes),
        _ => None,
    }
}

/// Whether a thing as such is said to go, in words that are of nothing else. (“Drop the price” is of what it says, and what is
/// “no longer free” costs something.)
pub(super) fn goes_as_such(text: &str) -> bool {
    let stems = stems(text);
    let goes = GOES.iter().chain(FIRST_GOES);
    let mut goes = goes.filter(|stem| **stem != "drop");
    let is_said = goes.any(|known| stems.iter().any(|stem| stem == known));
    coming(text) == Some(Coming::Goes) && (is_said || says_doubled(text))
}

/// What is kept in the place of being taken away, where it does not go in another way: “hide it instead of deleting it”. “The
/// hidden banner” only tells which one is meant.
fn spared(plain: &str) -> Option<Coming> {
    let said = spaced(plain);
    let at = (SPARED.iter())
        .filter_map(|phrase| said.find(*phrase))
        .min()?;
    let before = words(&said[..at]);
    let goes = before.iter().enumerate().any(|(at, word)| {
        let article = at.checked_sub(1).map_or("", |at| before[at].as_str());
        let is_which = matches!(article, "a" | "an" | "our" | "the")
            && matches!(word.as_str(), "deleted" | "hidden" | "removed");
        !is_which && GOES.contains(&&*plain_stem(word))
    });
    Some(if goes { Coming::Goes } else { Coming::Comes })
}

/// “Make sure the banner is not removed”, “banner: don't hide”.
fn stays_undone(plain: &str) -> bool {
    const NEAR: usize = 2;
    let spaced = spaced(plain);
    let words: Vec<&str> = spaced.split_whitespace().collect();
    words.iter().enumerate().any(|(at, word)| {
        let near = &words[at.saturating_sub(NEAR)..at];
        let is_denied = near.iter().any(|word| matches!(*word, "never" | "not"));
        is_denied && GOES.contains(&&*plain_stem(word))
    })
}

/// What the first word says that is told, whatever is said besides: “Hide the Add button”, “Bring back the phone number”.
fn first_says(plain: &str) -> Option<Coming> {
    const BEFORE: &[&str] = &["also", "and", "now", "please", "then", "to", "we"];
    const FAR: usize = 6;
    let words = words(told(plain));
    let mut words = words
        .iter()
        .skip_while(|word| BEFORE.contains(&word.as_str()));
    let first = plain_stem(words.next()?);
    let is = |known: &[&str]| known.contains(&first.as_str());
    if is(COMES) || is(FIRST_COMES) || (is(&["bring"]) && words.take(FAR).any(|it| it == "back")) {
        return Some(Coming::Comes);
    }
    (is(GOES) || is(FIRST_GOES)).then_some(Coming::Goes)
}

/// “No sidebar on the price list”, which is neither “no longer” nor “no one”.
fn begins_with_no(plain: &str) -> bool {
    let words = words(told(plain));
    let is_of_a_thing = |word: &String| !matches!(word.as_str(), "longer" | "more" | "one" | "op");
    words.first().is_some_and(|first| first == "no") && words.get(1).is_some_and(is_of_a_thing)
}

/// What a sentence tells behind its kind of commit: “feat(header): …”
pub(super) fn told(plain: &str) -> &str {
    match plain.split_once(": ") {
        Some((kind, told)) if !kind.trim().contains(char::is_whitespace) => told,
        _ => plain,
    }
}

/// What is done to what was wrong: what is missing comes, and what is there twice goes.
fn mended(plain: &str) -> Option<Coming> {
    const LACKS: &[&str] = &["absent", "disappear", "invis", "lost", "miss", "vanish"];
    const TOO_MANY: &[&str] = &["doubl", "duplic", "leftov", "stray", "superflu", "unwant"];
    if says_doubled(plain) {
        return Some(Coming::Goes);
    }
    let words = words(plain);
    let stems: Vec<String> = words.iter().map(|word| plain_stem(word)).collect();
    let first = stems.first()?;
    let has = |known: &[&str]| stems.iter().any(|stem| known.contains(&stem.as_str()));
    let is_mended = MENDS.contains(&first.as_str()) || begins_with_a_mend(plain);
    let lacks = has(LACKS) || has_one_of(plain, UNSEEN);
    if words[0] == "missing" || (is_mended && lacks) {
        return Some(Coming::Comes);
    }
    (is_mended && has(TOO_MANY)).then_some(Coming::Goes)
}

/// Whether it is said that something is not there, and not that it was not: “the banner is not shown to members”.
fn is_unseen(plain: &str) -> bool {
    const WAS: &[&str] = &[
        " did not ",
        " had not ",
        " was never ",
        " was not ",
        " were never ",
        " were not ",
    ];
    has_one_of(plain, UNSEEN) && !has_one_of(plain, WAS)
}

/// Whether a text has one of these phrases, which have a space around them.
fn has_one_of(text: &str, phrases: &[&str]) -> bool {
    let spaced = spaced(text);
    phrases.iter().any(|phrase| spaced.contains(phrase))
}

/// Whether a sentence takes back what was done: “Revert the larger headline”.
pub(super) fn takes_back(text: &str) -> bool {
    const BACK: &[&str] = &["revert", "rollback", "undid", "undo"];
    const FIRST: usize = 3;
    let words = words(text);
    let mut first = words.iter().take(FIRST).map(|word| plain_stem(word));
    let rolls_back = words.first().is_some_and(|word| word == "roll")
        && words.get(1).is_some_and(|word| word == "back");
    rolls_back || first.any(|stem| BACK.contains(&stem.as_str()))
}

/// What is forbidden to be done to something, but for what tells that it comes or goes. “It must not be darker” lets it be lighter.
pub(super) fn forbidden_deeds(text: &str) -> BTreeSet<Verb> {
    let plain = plain(text);
    let word = forbidden(&plain).filter(|word| !is_comparative(word));
    let word = word.map(plain_stem).unwrap_or_default();
    let deeds = verbs_of(&word).filter(|verb| !verb.is_open());
    deeds
        .filter(|verb| !matches!(verb, Verb::Add | Verb::Remove))
        .collect()
}

/// The colour that is forbidden for something: “the button must not be red”.
pub(super) fn forbidden_hue(text: &str) -> Option<Hue> {
    Hue::named(forbidden(&plain(text))?)
}

/// Whether something is said to be added to what is there: not that it shows something.
pub(super) fn adds(text: &str) -> bool {
    const ADDS: [&str; 4] = ["add", "append", "insert", "introduc"];
    let stems = stems(text);
    coming(text) == Some(Coming::Comes) && stems.iter().any(|stem| ADDS.contains(&stem.as_str()))
}

pub(super) fn stems(text: &str) -> Vec<String> {
    (text.split(|letter: char| !letter.is_alphabetic()))
        .map(|word| plain_stem(&word.to_lowercase()))
        .collect()
}
