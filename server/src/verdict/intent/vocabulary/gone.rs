//! Phrases for what is not there any more.

/// Phrases that end what was.
const ENDS: &[&str] = &["no longer", "any more", "anymore", "any longer"];

/// Other phrases that say that something is not there any more.
const GONE: &[&str] = &[
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
    "turn off",
    "turned off",
];

/// Whether a text says that something is not there any more.
pub(in crate::verdict::intent) fn says_gone(text: &str) -> bool {
    says_ended(text) || has_one_of(text, GONE)
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

/// The words of a text in lower case, with a space around each, and “not” for what is joined to a word.
pub(in crate::verdict::intent) fn spaced(text: &str) -> String {
    let text = text.to_lowercase().replace('’', "'").replace("n't", " not");
    let words = text
        .split(|letter: char| !letter.is_alphanumeric())
        .filter(|word| !word.is_empty());
    format!(" {} ", words.collect::<Vec<_>>().join(" "))
}
