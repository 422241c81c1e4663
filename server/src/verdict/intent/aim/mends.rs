//! Whether a sentence says that something is mended, and how that was.

use crate::verdict::intent::terms::{is_value, plain_stem, without_references, words};

/// Words before how something is, or was, as it is seen.
const SEEN: &[&str] = &[
    "appeared",
    "appears",
    "displayed",
    "displays",
    "said",
    "says",
    "showed",
    "showing",
    "shown",
    "shows",
    "turned",
    "turning",
    "turns",
    "was",
    "were",
];

/// Whether a sentence says by how it begins that something is mended: “fix(pricing): …”, “Fixes the price that …”. A fixed header
/// and a button to report bugs are no mends.
pub(super) fn begins_with_a_mend(text: &str) -> bool {
    const MENDED: &[&str] = &["bug", "bugfix", "fix", "fixed", "fixes", "hotfix"];
    const MENDS: &[&str] = &["bugfix", "fix", "fixes", "hotfix"];
    /// Words behind what is not said of a name.
    const BEHIND: &[&str] = &[
        "a", "an", "for", "our", "that", "the", "this", "when", "where",
    ];
    /// Stems of words behind “bug” for what is made for bugs.
    const FOR_BUGS: &[&str] = &["button", "form", "list", "report", "tracker"];
    const FIRST: usize = 3;
    let text = without_references(text);
    let text = text.trim_start_matches(|letter: char| !letter.is_alphanumeric());
    let label = text.split_once(':').map_or("", |(label, _)| label);
    let label = words(label.split(['(', '!']).next().unwrap_or(""));
    let is_one = |word: &String, known: &[&str]| known.contains(&word.as_str());
    if label.len() <= FIRST && (label.last()).is_some_and(|last| is_one(last, MENDED)) {
        return true;
    }
    let words = words(text);
    let is_mended = |(at, word): (usize, &String)| {
        let next = words.get(at + 1);
        let is_first = match word.as_str() {
            "bug" => next.is_none_or(|next| !FOR_BUGS.contains(&&*plain_stem(next))),
            "fixed" => tells_what_is_fixed(&words),
            _ => is_one(word, MENDS),
        };
        (at == 0 && is_first)
            || (is_one(word, MENDED) && next.is_some_and(|next| is_one(next, BEHIND)))
    };
    words.iter().enumerate().take(FIRST).any(is_mended)
}

/// “Fixed price showing $0”, “Fixed issue where the price shows $0”; not “Fixed price plan shows $49”.
fn tells_what_is_fixed(words: &[String]) -> bool {
    const SEEN_SO: &[&str] = &["appearing", "displaying", "saying", "showing", "turning"];
    const WRONG: &[&str] = &[
        "bug", "error", "issue", "problem", "that", "when", "where", "which",
    ];
    let is_one = |word: &String, known: &[&str]| known.contains(&word.as_str());
    let seen = words.iter().position(|word| is_one(word, SEEN));
    let before = &words[..seen.unwrap_or(0)];
    words.iter().any(|word| is_one(word, SEEN_SO)) || before.iter().any(|it| is_one(it, WRONG))
}

/// Whether a sentence tells how something was that is mended, and not how it is: “fix: price shows $0”.
pub(super) fn tells_what_was_wrong(text: &str) -> bool {
    const RIGHT: &[&str] = &[
        "again", "be", "become", "becomes", "by", "instead", "into", "must", "now", "should",
    ];
    /// Words behind “is” that say no more than that it is seen.
    const IS_SEEN: &[&str] = &[
        "appearing",
        "displayed",
        "displaying",
        "saying",
        "showing",
        "shown",
        "turned",
        "turning",
    ];
    let words = words(text);
    let is_right = |(at, word): (usize, &String)| {
        let mut behind = words[at + 1..].iter().map(String::as_str);
        match word.as_str() {
            // “Is shown as $0”, “is wrongly shown as $0”
            "are" | "is" => !behind.take(2).any(|it| IS_SEEN.contains(&it)),
            // “Shows $0 to guests”; what is quoted stands not among the words.
            "to" | "with" => behind.next().is_none_or(is_value),
            word => RIGHT.contains(&word),
        }
    };
    let is_seen = words.iter().any(|word| SEEN.contains(&word.as_str()));
    begins_with_a_mend(text) && is_seen && !words.iter().enumerate().any(is_right)
}
