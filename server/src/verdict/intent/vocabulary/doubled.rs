//! What was there twice, of which one goes.

use super::gone::spaced;
use crate::verdict::intent::terms::plain_stem;

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

/// Stems of words behind “duplicate” and “double” for what people do and for what nobody sees.
const NOT_SEEN: &[&str] = &[
    "book", "call", "charg", "click", "code", "event", "fetch", "id", "import", "key", "listen",
    "payment", "queri", "render", "request", "scroll", "submiss", "submit", "tap", "track",
];

/// Words behind those that begin what something is done to, “double the padding”, and those that may as well begin where it was
/// there twice, “duplicated on mobile”.
const DONE_TO: &[&str] = &["a", "an", "it", "our", "the", "their"];
const WHERE: &[&str] = &["for", "in", "of", "on"];

/// How many words before “twice” are asked.
const NEAR: usize = 3;

/// Whether a text says that something was there twice, and not that it is to be.
pub(in crate::verdict::intent) fn says_doubled(text: &str) -> bool {
    let spaced = spaced(text);
    let words: Vec<&str> = spaced.split_whitespace().collect();
    let is_unseen = |word: &str| NOT_SEEN.contains(&&*plain_stem(word));
    let is_double = |at: usize| {
        let (word, next) = (words[at], words.get(at + 1).copied().unwrap_or(""));
        let is_behind = matches!(word, "doubled" | "duplicated") && WHERE.contains(&next);
        let is_seen = if next.is_empty() || is_behind {
            // “The id of the banner is duplicated”
            !words[..at].iter().any(|word| is_unseen(word))
        } else {
            !is_unseen(next) && !DONE_TO.contains(&next) && !WHERE.contains(&next)
        };
        is_seen && (word.starts_with("duplicat") || word.starts_with("doubl"))
    };
    let is_one_too_many = is_mended(&words) && (0..words.len()).any(is_double);
    says_seen_twice(text) || (is_one_too_many && !is_denied(&words))
}

/// Whether a text says in so many words that something could be seen twice. What is only called a duplicate may be anything, so
/// that a mend of it is no word for taking away what it lies in.
pub(in crate::verdict::intent) fn says_seen_twice(text: &str) -> bool {
    const WAS: &[&str] = &["appeared", "been", "showed", "was", "were"];
    let spaced = spaced(text);
    let words: Vec<&str> = spaced.split_whitespace().collect();
    let was = words.iter().any(|word| WAS.contains(word));
    let is_twice = (0..words.len()).any(|at| is_twice(&words, at));
    is_twice && (was || is_mended(&words)) && !is_denied(&words)
}

fn is_mended(words: &[&str]) -> bool {
    words.iter().take(FIRST).any(|word| MENDS.contains(word))
}

fn is_denied(words: &[&str]) -> bool {
    words.iter().any(|word| matches!(*word, "never" | "not"))
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
            "fix: price is duplicated",
            "fix: price duplicated on mobile",
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
            "fix: duplicate id on the banner",
            "fix: the id of the banner is duplicated",
            "fix: duplicate submission of the form",
            "fix: double-click opens two dialogs",
            "fix: double the padding of the card",
        ] {
            assert!(!says_doubled(text), "{text}");
        }
        assert!(!says_seen_twice("fix: duplicated heading"));
        assert!(says_seen_twice("fix: price was shown twice"));
    }
}
