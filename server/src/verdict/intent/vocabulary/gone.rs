//! Phrases for what is not there any more.

use std::borrow::Cow;
use std::sync::LazyLock;

use regex::{Captures, Regex};

/// Phrases that end what was.
const ENDS: &[&str] = &["no longer", "any more", "anymore", "any longer"];

/// Other phrases that say that something is not there any more.
const GONE: &[&str] = &[
    "no more",
    "not exist",
    "not listed",
    "not list",
    "not needed",
    "let go",
    "is over",
    "out of the way",
    "go away",
    "goes away",
    "out of sight",
    "not see",
    "not to see",
    "not be visible",
    "not visible",
    "no trace",
    "not be able to see",
    "invisible",
    "rid of",
    "take down",
    "taken down",
    "taken out",
    "taken offline",
    "take offline",
    "phase out",
    "phased out",
    "turn off",
    "turned off",
    "display none",
];

static DROPS: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(r"(?i)\bdrop(?<joint>[ -])(?<what>(?:shadow|down)s?)\b(?<from> from\b)?").ok()
});

/// Whether a text says that something is not there any more.
pub(in crate::verdict::intent) fn says_gone(text: &str) -> bool {
    let is_limit = spaced(text).contains(" no more than ");
    says_ended(text) || (!is_limit && has_one_of(text, GONE))
}

/// Whether a text says that something is not as it was.
pub(in crate::verdict::intent) fn says_ended(text: &str) -> bool {
    has_one_of(text, ENDS)
}

fn has_one_of(text: &str, phrases: &[&str]) -> bool {
    let spaced = spaced(text);
    let mut phrases = phrases.iter();
    phrases.any(|phrase| spaced.contains(&format!(" {phrase} ")))
}

/// A text in which a drop shadow is a shadow and a drop-down one word, because neither drops anything. “Drop shadows from the
/// cards” does.
pub(in crate::verdict::intent) fn without_drops(text: &str) -> Cow<'_, str> {
    let Some(drops) = &*DROPS else {
        return Cow::Borrowed(text);
    };
    drops.replace_all(text, |found: &Captures<'_>| {
        let is_first = found.get(0).is_some_and(|whole| whole.start() == 0);
        let is_hyphened = (found.name("joint")).is_some_and(|joint| joint.as_str() == "-");
        let is_deed = !is_hyphened && (is_first || found.name("from").is_some());
        if is_deed {
            found[0].to_owned()
        } else {
            let what = found["what"].replace("down", "dropdown");
            let from = found.name("from").map_or("", |from| from.as_str());
            what + from
        }
    })
}

/// The words of a text in lower case, with a space around each, and “not” for what is joined to a word.
pub(in crate::verdict::intent) fn spaced(text: &str) -> String {
    let text = text.to_lowercase().replace('’', "'").replace("n't", " not");
    let words = text
        .split(|letter: char| !letter.is_alphanumeric())
        .filter(|word| !word.is_empty());
    format!(" {} ", words.collect::<Vec<_>>().join(" "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_called_a_drop_drops_nothing() {
        for (text, expected) in [
            ("Cards get a drop shadow", "Cards get a shadow"),
            ("A new drop-down for it", "A new dropdown for it"),
            ("Drop shadows from the cards", "Drop shadows from the cards"),
            (
                "Please drop shadows from them",
                "Please drop shadows from them",
            ),
            ("Drop the banner", "Drop the banner"),
        ] {
            assert_eq!(without_drops(text), expected);
        }
    }
}
