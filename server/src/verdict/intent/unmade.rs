//! Whether a sentence tells of what was thought of and not done: “we considered removing the banner but kept it”. It describes
//! no change, however many of its words a change has.

use super::quoted::unquoted;
use super::sentences::THE_REST;
use super::terms::{Terms, plain_stem};
use super::vocabulary::{spaced, verbs_of};
use super::weight::weight;

/// Phrases that end a thought without the deed that follows.
const AGAINST: &[&str] = &[
    "agreed not to",
    "chose not to",
    "decide against",
    "decided against",
    "decided not to",
    "opted against",
    "opted not to",
    "voted against",
];

/// Stems of words for deeds of which the denial is a change: “we decided not to show the banner”.
const SHOWS: &[&str] = &[
    "display", "go", "have", "includ", "keep", "list", "offer", "show", "use",
];

/// Phrases for a thought, behind which a deed is none: “we discussed hiding it”.
const THOUGHTS: &[&str] = &[
    "considered",
    "considering",
    "contemplated",
    "debated",
    "discussed",
    "discussing",
    "idea of",
    "talked about",
    "think about",
    "thinking about",
    "thinking of",
    "thought about",
    "thought of",
];

/// Words between a thought and its deed.
const BETWEEN: &[&str] = &["also", "briefly", "even", "maybe", "of", "simply"];

/// Phrases for a plan, which is carried out unless it is said that something stays: “we wanted to hide it, but it stays”.
const PLANS: &[&str] = &[
    "going to",
    "intended to",
    "meant to",
    "planned to",
    "tempted to",
    "tried to",
    "wanted to",
];

/// Words that set something against a plan, words for what stays, and for what the plan was about.
const BUT: &[&str] = &["but", "however", "though", "yet"];
const KEPT: &[&str] = &[
    "keep", "keeping", "keeps", "kept", "leave", "leaving", "remain", "remains", "stay", "stays",
];
const IT: &[&str] = &["both", "it", "that", "them", "these", "they", "this"];

/// Phrases for what was not done, and words for what is done to be rid of something.
const NOT_DONE: &[&str] = &[
    "did not",
    "had not",
    "has not been",
    "has not",
    "have not been",
    "have not",
];
const RIDS: &[&str] = &[
    "delete", "deleted", "drop", "dropped", "hidden", "hide", "remove", "removed",
];

/// Phrases for what is left to another time.
const ELSEWHERE: &[&str] = &[
    "in a follow up",
    "in a future pr",
    "in a later pr",
    "in a separate pr",
    "in another pr",
    "in the next release",
    "in the next sprint",
    "in the next version",
    "not in this pr",
    "not part of this",
    "out of scope",
];

/// Beginnings of sentences on what is to be done later, and of those on what it is done for.
const LATER: &[&str] = &["next steps", "next step", "todo"];
const PREPARES: &[&str] = &["prepare for", "preparation for", "prepares for"];

/// Words of what is said of when something is done, which name nothing.
const NO_NAMES: &[&str] = &[
    "be",
    "come",
    "comes",
    "coming",
    "done",
    "follow",
    "follows",
    "is",
    "it",
    "planned",
    "scheduled",
    "that",
    "this",
    "will",
];

/// Words of sentences on what was wrong: “fix: the badge was not removed”.
const MENDS: &[&str] = &["bug", "fix", "fixed", "fixes", "hotfix", "resolves"];

/// Whether a sentence tells of a deed that was not done.
pub(super) fn is_unmade(sentence: &str) -> bool {
    let text = spaced(&unquoted(sentence));
    let denies = |rest: &str| {
        let next = rest.split_whitespace().next();
        next.is_some_and(|next| !SHOWS.contains(&plain_stem(next).as_str()))
    };
    let rids = |rest: &str| {
        let next = rest.split_whitespace().next();
        next.is_some_and(|next| RIDS.contains(&next))
    };
    let is_any = |phrases: &[&str], asks: &dyn Fn(&str) -> bool| {
        let mut behind = phrases.iter().filter_map(|phrase| behind(&text, phrase));
        behind.any(asks)
    };
    let told = without_asides(&unquoted(sentence));
    let is_elsewhere = |words: &&str| told.contains(&format!(" {words} "));
    is_any(AGAINST, &denies)
        || ELSEWHERE.iter().any(is_elsewhere)
        || begins_with_later(&unquoted(sentence))
        || is_any(THOUGHTS, &begins_with_a_deed)
        || is_any(PLANS, &keeps_it)
        || (is_any(NOT_DONE, &rids) && !has(&text, MENDS))
}

/// The words of a text without what it says in brackets of something else: “remove the banner (the rest in a follow-up)”. What names
/// nothing there before it says when is of what stands before it: “(will be done in a follow-up)”.
fn without_asides(text: &str) -> String {
    let mut parts = text.split('(');
    let mut told = spaced(parts.next().unwrap_or(""));
    for part in parts {
        let (aside, behind) = part.split_once(')').unwrap_or((part, ""));
        let aside = spaced(aside);
        let times = ELSEWHERE.iter();
        let times = times.filter_map(|words| aside.find(&format!(" {words} ")));
        if times.min().is_some_and(|at| !names_anything(&aside[..at])) {
            told.push_str(&aside);
        }
        told.push_str(&spaced(behind));
    }
    told
}

/// “The rest”, “footer”; not “will be done”.
fn names_anything(text: &str) -> bool {
    let (_, words) = Terms::of_sentence(text);
    let is_name = |word: &str| {
        let plain = plain_stem(word);
        weight(&plain) >= 1.0 && verbs_of(&plain).next().is_none() && !NO_NAMES.contains(&word)
    };
    has(text, THE_REST) || words.iter().any(|telling| is_name(&telling.word))
}

/// Whether a text is headed as what is to be done later. A heading “Next steps” and a list of things to do may be what a page shows,
/// and “prepare for the sale: …” tells what is done for it.
fn begins_with_later(text: &str) -> bool {
    let text = text.trim_start_matches(|letter: char| !letter.is_alphanumeric());
    let plain = text.to_ascii_lowercase();
    let plain = plain.strip_prefix("the ").unwrap_or(&plain);
    let is_headed = |rest: &str| rest.trim_start().starts_with(':');
    let is_later = |words: &&str| {
        plain.strip_prefix(*words).is_some_and(|rest| {
            let first = rest.split_whitespace().next().unwrap_or("");
            let is_told = ["-", "–", "—", "are", "include", "includes", "is"].contains(&first);
            let is_step = is_told && words.starts_with("next");
            is_headed(rest) || is_step || begins_with_a_deed(rest)
        })
    };
    let is_prepared = |words: &&str| {
        let rest = plain.strip_prefix(*words);
        rest.is_some_and(|rest| is_headed(rest) || !rest.contains(':'))
    };
    text.starts_with("TODO") || LATER.iter().any(is_later) || PREPARES.iter().any(is_prepared)
}

/// What stands behind these words in a text with a space around each word; not behind “as discussed”.
fn behind<'t>(text: &'t str, words: &str) -> Option<&'t str> {
    let words = format!(" {words} ");
    let at = text.find(&words)?;
    let is_agreed = text[..at].ends_with(" as");
    text.get(at + words.len() - 1..).filter(|_| !is_agreed)
}

/// “Removing”, “also hiding”; not “the heading”.
fn begins_with_a_deed(rest: &str) -> bool {
    let mut words = rest.split_whitespace();
    let first = words.find(|word| !BETWEEN.contains(word));
    first.is_some_and(|word| {
        let (terms, _) = Terms::of_sentence(word);
        word.ends_with("ing") && (terms.is_done || !terms.verbs.is_empty())
    })
}

/// “… but kept it”, “… but it stays”.
fn keeps_it(rest: &str) -> bool {
    let words: Vec<&str> = rest.split_whitespace().collect();
    let is_kept = words.windows(2).any(|pair| {
        (KEPT.contains(&pair[0]) && IT.contains(&pair[1]))
            || (IT.contains(&pair[0]) && KEPT.contains(&pair[1]))
    });
    is_kept && has(rest, BUT)
}

fn has(text: &str, known: &[&str]) -> bool {
    text.split_whitespace().any(|word| known.contains(&word))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_thought_of_was_not_done() {
        for text in [
            "We considered removing the banner but kept it",
            "We thought about removing the banner",
            "There was the idea of hiding the banner",
            "Decided against removing the banner",
            "We decided not to remove the banner",
            "We wanted to remove the banner, but it stays",
            "We did not remove the banner",
            "We didn't hide the banner",
            "The banner has not been removed",
            "TODO: remove the banner",
            "The banner will be removed in the next release",
            "Out of scope: the banner",
            "Next steps: remove the banner",
            "- TODO remove the banner",
            "The banner will be removed (in the next release)",
            "Prepare for removing the banner",
            "Prepare for removal of the banner",
            "Next step is to remove the banner",
            "Next steps – remove the banner",
            "Remove the banner (will be done in a follow-up)",
            "Remove the banner (planned in the next release)",
            "Remove the banner (this is out of scope)",
        ] {
            assert!(is_unmade(text), "{text}");
        }
        for text in [
            "Remove the banner",
            "Marketing wanted to remove the banner",
            "We discussed the pricing page; the banner goes",
            "The banner is considered outdated and is removed",
            "Fix: the banner did not hide on mobile",
            "The banner is not removed when the sale ends",
            "The headline becomes “We considered removing sugar”",
            "We decided to remove the banner",
            "We decided not to show the banner",
            "We are going to remove the banner but keep the footer",
            "As discussed, removing the banner",
            "We discussed the heading on the landing page",
            "Keep the banner",
            "Todo list gets a border",
            "Remove the banner (rest in a follow-up)",
            "Remove the banner (the footer follows in the next release)",
            "Next steps section gets a new heading",
            "Prepare for the sale: promo banner turns red",
        ] {
            assert!(!is_unmade(text), "{text}");
        }
    }
}
