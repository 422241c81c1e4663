//! What was there twice, of which one goes.

use super::gone::spaced;

/// Words for what can be seen, before how often it can.
const SEEN: &[&str] = &[
    "appear",
    "appeared",
    "appearing",
    "appears",
    "displayed",
    "included",
    "listed",
    "present",
    "printed",
    "rendered",
    "repeated",
    "showed",
    "showing",
    "shown",
    "there",
    "visible",
];

/// Words of which the first few words of a sentence hold one that tells what was wrong.
const MENDS: &[&str] = &[
    "bugfix", "fix", "fixed", "fixes", "hotfix", "repair", "repairs", "resolve", "resolves",
];
const FIRST: usize = 4;

/// Words that may follow “twice” where it does not grade or time anything: “twice as large”, “twice a week”.
const BEHIND: &[&str] = &[
    "above", "after", "and", "at", "because", "below", "but", "for", "if", "in", "inside", "next",
    "on", "under", "when", "while", "within",
];

/// How many words before “twice” are asked.
const NEAR: usize = 3;

/// Whether a text says that something was there twice, and not that it is to be.
pub(in crate::verdict::intent) fn says_doubled(text: &str) -> bool {
    let spaced = spaced(text);
    let words: Vec<&str> = spaced.split_whitespace().collect();
    let has = |known: &[&str]| words.iter().any(|word| known.contains(word));
    let is_mended = (words.iter().take(FIRST)).any(|word| MENDS.contains(word));
    let was = has(&["appeared", "been", "showed", "was", "were"]);
    let is_double = |word: &&str| word.starts_with("duplicat") || word.starts_with("doubl");
    let is_twice = (0..words.len()).any(|at| is_twice(&words, at));
    let is_denied = has(&["never", "not"]);
    !is_denied && ((is_twice && (is_mended || was)) || (is_mended && words.iter().any(is_double)))
}

/// Whether the word at a place, or that and the next, say that something can be seen twice.
fn is_twice(words: &[&str], at: usize) -> bool {
    let next = |by: usize| words.get(at + by).copied().unwrap_or("");
    let behind = match (words[at], next(1)) {
        ("twice", behind) => behind,
        ("two" | "2", "times") => next(2),
        _ => return false,
    };
    let near = &words[at.saturating_sub(NEAR)..at];
    let is_seen = near.iter().any(|word| SEEN.contains(word));
    is_seen && (behind.is_empty() || BEHIND.contains(&behind))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_there_twice_was_wrong() {
        for text in [
            "fix: price was shown twice",
            "The price was displayed two times in the card",
            "WEB-12 Fix footer that appears twice",
            "fix(header): logo rendered twice",
            "fix: duplicated heading",
            "The headline appeared twice on mobile",
        ] {
            assert!(says_doubled(text), "{text}");
        }
        for text in [
            "Show the price twice",
            "The button is shown twice, above and below the form",
            "fix: logo was twice as large",
            "The price was doubled",
            "The newsletter was sent twice a week",
            "fix: the price was not shown twice",
            "A duplicate of the card",
        ] {
            assert!(!says_doubled(text), "{text}");
        }
    }
}
