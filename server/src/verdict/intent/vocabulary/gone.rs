//! Phrases for what is not there any more.

/// Phrases that say that something is not there any more.
const GONE: &[&str] = &[
    "no longer",
    "any more",
    "anymore",
    "any longer",
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
    let spaced = spaced(text);
    GONE.iter()
        .any(|phrase| spaced.contains(&format!(" {phrase} ")))
}

/// The words of a text in lower case, with a space around each, and “not” for what is joined to a word.
pub(in crate::verdict::intent) fn spaced(text: &str) -> String {
    let text = text.to_lowercase().replace('’', "'").replace("n't", " not");
    let words = text
        .split(|letter: char| !letter.is_alphanumeric())
        .filter(|word| !word.is_empty());
    format!(" {} ", words.collect::<Vec<_>>().join(" "))
}
