//! Whether a sentence says that something must stay as it is.
//!
//! What people write of the part of a page that is to be left alone is a promise (“prices must not change”, “no changes to the
//! footer”). A negation alone is none: “do not show the banner” tells a change, and “never late again” may be a headline.

use super::quoted::unquoted;

/// Words that promise by themselves.
const PROMISES: &[&str] = &[
    "must not",
    "mustn't",
    "must stay",
    "must remain",
    "should not",
    "shouldn't",
    "should stay",
    "should remain",
    "stays as",
    "stay as",
    "remains as",
    "remain as",
    "unchanged",
    "no change to",
    "no changes to",
    "no change in",
    "no changes in",
];

/// Words that promise where a change is denied right behind them.
const NEGATIONS: &[&[&str]] = &[
    &["do", "not"],
    &["does", "not"],
    &["will", "not"],
    &["is", "not"],
    &["are", "not"],
    &["don't"],
    &["doesn't"],
    &["won't"],
    &["isn't"],
    &["aren't"],
    &["cannot"],
    &["can't"],
    &["never"],
    &["without"],
];

/// Words that end what was.
const ENDS: &[&str] = &["any more", "anymore", "any longer", "no longer"];

/// Words between a negation and what it denies.
const BETWEEN: &[&str] = &[
    "be",
    "been",
    "being",
    "get",
    "ever",
    "to",
    "have",
    "any",
    "also",
    "otherwise",
];

/// Beginnings of words for a change that is denied.
const CHANGES: &[&str] = &[
    "affect", "alter", "chang", "differ", "modif", "mov", "shift", "touch",
];

/// Beginnings of words that make a sentence one on what was wrong: “fix that the price does not change”.
const MENDS: &[&str] = &["bug", "fix", "mend", "repair", "resolv"];

/// Whether a sentence says that something must stay as it is; what it quotes is not asked.
pub(super) fn says_to_stay(sentence: &str) -> bool {
    let plain = unquoted(sentence).to_lowercase().replace('’', "'");
    // “It should not be there any more” asks for a change.
    let is_of_the_past = ENDS.iter().any(|end| plain.contains(end));
    !is_of_the_past
        && (PROMISES.iter().any(|promise| plain.contains(promise)) || denies_a_change(&plain))
}

fn denies_a_change(plain: &str) -> bool {
    let words: Vec<&str> = plain
        .split(|letter: char| !(letter.is_alphanumeric() || letter == '\''))
        .filter(|word| !word.is_empty())
        .collect();
    let begins = |word: &str, known: &[&str]| known.iter().any(|known| word.starts_with(known));
    if words.iter().any(|word| begins(word, MENDS)) {
        return false;
    }
    (0..words.len()).any(|at| {
        NEGATIONS.iter().any(|negation| {
            let denied = words[at..].strip_prefix(*negation);
            let mut behind = denied.into_iter().flatten();
            let denied = behind.find(|word| !BETWEEN.contains(word));
            denied.is_some_and(|word| begins(word, CHANGES))
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_change_that_is_denied_is_a_promise() {
        for promise in [
            "Prices must not change",
            "The footer must stay",
            "The price does not change",
            "The price will not change.",
            "Prices won’t be changed",
            "No changes to prices",
            "The header is not moved",
            "Do not touch the footer",
            "Never move the logo",
            "Refactor the header without changing its links",
            "its label unchanged",
            "The prices cannot be altered",
        ] {
            assert!(says_to_stay(promise), "{promise}");
        }
    }

    #[test]
    fn a_negation_alone_is_none() {
        for told in [
            "Do not show the promo banner",
            "The headline now reads “Never late again”",
            "The headline becomes “Prices do not change”",
            "Don't wrap the navigation any more",
            "The closed line shouldn't be in that table any more",
            "The menu never opens by itself",
            "Fix that the price does not change with the plan",
            "The banner is not shown to members",
            "Guests cannot edit prices",
            // Of the link whose address changes, as a rule.
            "the wording stays the same",
            "The price goes from 19 € to 29 €",
        ] {
            assert!(!says_to_stay(told), "{told}");
        }
    }
}
