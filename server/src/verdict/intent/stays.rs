//! Whether a sentence says that something must stay as it is.
//!
//! What people write of the part of a page that is to be left alone is a promise (“prices must not change”, “no changes to the
//! footer”). A negation alone is none: “do not show the banner” tells a change, and “never late again” may be a headline.

use std::ops::Range;

use super::conditions::{begin_a_condition, tell_when};
use super::quoted::unquoted;
use super::terms::Terms;
use super::vocabulary::says_ended;

/// Words that promise by themselves.
const PROMISES: &[&str] = &[
    "must stay",
    "must remain",
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
    &["must", "not"],
    &["mustn't"],
    &["should", "not"],
    &["shouldn't"],
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
    &["never"],
    &["without"],
];

/// Words that may as well say what people are unable to do, so that what is denied has to be a change by name.
const INABILITIES: &[&[&str]] = &[&["cannot"], &["can't"]];

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
    "look",
];

/// Roots of words for a change that is denied.
const CHANGES: &[&str] = &[
    "affect", "alter", "break", "broken", "chang", "differ", "modif", "mov", "shift", "touch",
];

/// Roots of words for what may be done to something: who denies one promises no more than that. (Who does not *show* or
/// *hide* something tells what becomes of it.)
const DEEDS: &[&str] = &[
    "decreas",
    "delet",
    "disappear",
    "drop",
    "increas",
    "lower",
    "rais",
    "recolor",
    "recolour",
    "redesign",
    "remov",
    "renam",
    "reorder",
    "replac",
    "restyl",
    "reword",
    "swap",
    "vanish",
];

/// What may follow a root in a word of the same meaning, which a *breakfast* and *lowercase* have not.
const ENDINGS: &[&str] = &[
    "", "s", "e", "es", "ed", "d", "ing", "en", "ent", "ently", "ence", "ences", "ation", "ations",
    "ication", "ications", "y", "ies", "ied", "ped", "ping",
];

/// Negations of which a deed is one that somebody is told not to do. (“The badge *is not* removed” may be what was wrong.)
const FORBIDS: &[&[&str]] = &[
    &["must", "not"],
    &["mustn't"],
    &["should", "not"],
    &["shouldn't"],
    &["will", "not"],
    &["won't"],
];

/// Those that forbid where they begin a clause.
const ORDERS: &[&[&str]] = &[&["do", "not"], &["don't"], &["never"]];

/// Words before an order.
const BEFORE_ORDERS: &[&str] = &["please", "but", "and", "then", "also", "so"];

/// Beginnings of words that make a sentence one on what was wrong: “fix that the price does not change”.
const MENDS: &[&str] = &["bug", "fix", "mend", "repair", "resolv"];

/// Words of a clause that are looked at for what it hangs on.
const MAX_BEGINNING: usize = 10;

/// Words that begin a sentence on what was.
const FORMERLY: &[&str] = &["currently", "formerly", "previously"];

/// Words that say of something that it goes on as it is.
pub(super) const STAYS: &[&str] = &[
    "stay", "stays", "stayed", "remain", "remains", "keep", "keeps", "kept", "bleibt", "bleiben",
];

/// Whether a sentence says that something must stay as it is; what it quotes is not asked.
pub(super) fn says_to_stay(sentence: &str) -> bool {
    denied_in(&plain(sentence)).is_some()
}

/// Whether a sentence tells of what goes on as it is, and of nothing that is done: it promises little, and describes no change.
/// (“The header *now* stays at the top” does.)
pub(super) fn says_it_goes_on(sentence: &str) -> bool {
    // What stays put is put nowhere.
    let plain = plain(sentence)
        .replace("stays put", "stays")
        .replace("stay put", "stay");
    let places: Vec<Range<usize>> = words(&plain).collect();
    let words: Vec<&str> = places.iter().map(|at| &plain[at.clone()]).collect();
    let has = |known: &[&str]| words.iter().any(|word| known.contains(word));
    // “It stays at the top when people scroll” tells how it is now, “it stays the same when people switch plans” does not.
    let is_same = has(&["same", "unchanged"]);
    let mut ends = (0..words.len()).filter(|_| is_same);
    let end = ends.find(|&at| tell_when(&words[at..]));
    let told = end.map_or(plain.as_str(), |at| &plain[..places[at].start]);
    let is_of_now = has(&["now"]) || (!is_same && has(&["when", "while"]));
    has(STAYS) && !is_of_now && !Terms::of_sentence(told).0.is_done
}

/// What a sentence denies.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Denied {
    /// Where its words for that stand, in the sentence without its quotations.
    pub(super) at: Range<usize>,
    /// Where the word for the deed stands that alone is denied; none where any change is.
    pub(super) deed: Option<Range<usize>>,
    /// Whether it stands before what must stay: “without changing the prices”.
    pub(super) is_before: bool,
}

/// What a sentence that says that something must stay denies; none when it says no such thing.
pub(super) fn denied_in(plain: &str) -> Option<Denied> {
    // “It should not be there any more” asks for a change.
    if says_ended(plain) {
        return None;
    }
    let promised = (PROMISES.iter()).find_map(|promise| {
        let at = plain.find(promise)?;
        // “Hide unchanged rows” promises nothing.
        let names = *promise == "unchanged" && names_behind(&plain[at + promise.len()..]);
        let is_firm = promise.starts_with("must") || promise.starts_with("should");
        (!names && !hangs_on_something(&plain[..at], is_firm)).then_some((at, promise))
    });
    if let Some((at, promise)) = promised {
        return Some(Denied {
            at: at..at + promise.len(),
            deed: None,
            is_before: false,
        });
    }
    let words: Vec<Range<usize>> = words(plain).collect();
    let is_mended = |word: &Range<usize>| begins(&plain[word.clone()], MENDS);
    let is_formerly = |word: &Range<usize>| FORMERLY.contains(&&plain[word.clone()]);
    if words.iter().any(is_mended) || words.first().is_some_and(is_formerly) {
        return None;
    }
    (0..words.len()).find_map(|at| denied_behind(plain, &words, at))
}

/// Whether a thing is named right behind a word, which the word is then said of.
fn names_behind(behind: &str) -> bool {
    const JOINTS: &[&str] = &[
        "across", "after", "and", "apart", "as", "aside", "at", "because", "besides", "but", "by",
        "except", "for", "from", "in", "on", "or", "since", "under", "with",
    ];
    let Some(next) = behind.strip_prefix(' ') else {
        return false;
    };
    let next = next.trim_start();
    let words: Vec<&str> = (next.split(|letter: char| !letter.is_alphanumeric())).collect();
    let is_named = |word: &&str| !word.is_empty() && !JOINTS.contains(word);
    words.first().is_some_and(is_named) && !tell_when(&words)
}

/// The word for what a sentence forbids in plain words: “do not *show* the banner”, “it must not *appear*”.
pub(super) fn forbidden(plain: &str) -> Option<&str> {
    let words: Vec<Range<usize>> = words(plain).collect();
    (0..words.len()).find_map(|at| {
        let (negation, denied) = denied_word(plain, &words, at)?;
        forbids(plain, &words[..at], negation).then(|| &plain[denied])
    })
}

/// The negation that begins at one of these words, and the word that it denies.
fn denied_word(
    plain: &str,
    words: &[Range<usize>],
    at: usize,
) -> Option<(&'static [&'static str], Range<usize>)> {
    let words = &words[at..];
    let starts = |negation: &&&[&str]| {
        words.len() > negation.len()
            && (negation.iter().zip(words)).all(|(word, at)| plain[at.clone()] == **word)
    };
    let firm = NEGATIONS.iter().find(starts);
    let negation = *firm.or_else(|| INABILITIES.iter().find(starts))?;
    let mut behind = words[negation.len()..].iter();
    let denied = behind.find(|word| !BETWEEN.contains(&&plain[(*word).clone()]))?;
    Some((negation, denied.clone()))
}

/// Whether a negation behind these words forbids.
fn forbids(plain: &str, before: &[Range<usize>], negation: &[&str]) -> bool {
    let is_first = (before.last()).is_none_or(|last| BEFORE_ORDERS.contains(&&plain[last.clone()]));
    FORBIDS.contains(&negation) || (ORDERS.contains(&negation) && is_first)
}

/// Whether the clause that ends with these words hangs on something: “if prices do not change” promises nothing of prices.
/// “While prices *must not* change” does, and sets that against something else.
fn hangs_on_something(before: &str, is_firm: bool) -> bool {
    // In a clause of its own, which ends with a comma, a condition may stand before a promise.
    let clause = before.rsplit([',', ':', '(']).next().unwrap_or(before);
    let words: Vec<&str> = clause.split_whitespace().take(MAX_BEGINNING).collect();
    let is_contrast = is_firm && words.first().is_some_and(|first| first.starts_with("whil"));
    !is_contrast && begin_a_condition(&words)
}

/// What these words deny from one of them on, if a negation begins there.
fn denied_behind(plain: &str, words: &[Range<usize>], at: usize) -> Option<Denied> {
    let (negation, denied) = denied_word(plain, words, at)?;
    let word = &plain[denied.clone()];
    // “The header does not move on scroll” tells that it is fixed.
    let is_fixed = is_form(word, &["mov", "shift"]) && plain[denied.end..].contains("scroll");
    let is_firm = FORBIDS.contains(&negation);
    if is_fixed || hangs_on_something(&plain[..words[at].start], is_firm) {
        return None;
    }
    let is_without = negation == ["without"];
    let is_doing = word.ends_with("ing");
    // “Without replacement”, “without a moving part” deny no deed, and what does not break into lines is laid out.
    let is_laid_out = word.starts_with("br") && {
        let next = words.iter().find(|next| next.start > denied.start);
        next.is_some_and(|next| ["across", "into", "onto", "over"].contains(&&plain[next.clone()]))
    };
    let is_change = is_form(word, CHANGES)
        && !is_laid_out
        && (!is_without || is_doing || word.starts_with("chang"));
    let is_forbidden = forbids(plain, &words[..at], negation) || (is_without && is_doing);
    let is_deed = is_forbidden && is_form(word, DEEDS);
    (is_change || is_deed).then(|| Denied {
        at: words[at].start..denied.end,
        deed: (!is_change).then_some(denied),
        is_before: is_without,
    })
}

/// Whether a word is one of those whose roots these are.
fn is_form(word: &str, roots: &[&str]) -> bool {
    let mut endings = roots.iter().filter_map(|root| word.strip_prefix(root));
    endings.any(|ending| ENDINGS.contains(&ending))
}

/// A sentence without its quotations, in lower case as far as it is English, byte for byte in the places of one whose
/// apostrophes are straight.
pub(super) fn plain(sentence: &str) -> String {
    straight(sentence).to_ascii_lowercase()
}

/// A sentence without its quotations whose apostrophes are straight.
pub(super) fn straight(sentence: &str) -> String {
    unquoted(sentence).replace('’', "'")
}

fn begins(word: &str, known: &[&str]) -> bool {
    known.iter().any(|known| word.starts_with(known))
}

/// Where the words of a text stand.
fn words(text: &str) -> impl Iterator<Item = Range<usize>> {
    let pieces = text.split(|letter: char| !(letter.is_alphanumeric() || letter == '\''));
    pieces.filter(|word| !word.is_empty()).map(|word| {
        let start = word.as_ptr() as usize - text.as_ptr() as usize;
        start..start + word.len()
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
            "Never raise the prices",
            "Do not remove the phone number from the footer",
            "The buy button must not be renamed",
            "Prices should not look any different",
            "While prices must not change, the header gets taller",
            "While prices must stay as they are, the header gets taller",
            "Prices are unchanged until March",
            "The footer is unchanged except for the phone number",
            "Prices must not change for many more customers",
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
            "Guests cannot remove the note",
            "The newsletter popup should not appear",
            "The popup must not be shown",
            "The banner must not cover the text",
            // Of the link whose address changes, as a rule.
            "the wording stays the same",
            "The price goes from 19 € to 29 €",
            "The popup is removed without replacement",
            "Add a room rate without breakfast",
            "Headings should not be lowercase",
            "The sale badge is not removed when the sale ends",
            "The promo banner is never removed",
            "Hide unchanged rows in the comparison table",
            "Nav items should not break into two lines",
        ] {
            assert!(!says_to_stay(told), "{told}");
        }
    }

    #[test]
    fn what_goes_on_is_no_change() {
        for told in [
            "Prices stay the same",
            "Keep the prices",
            "The prices are kept",
            "The price stays at 29 €",
            "Der Preis bleibt bei 29 €",
            "The header stays put",
            "The price stays the same when people switch plans",
        ] {
            assert!(says_it_goes_on(told), "{told}");
        }
        for told in [
            "The header now stays at the top",
            "The header stays at the top when people scroll",
            "Add a note on what we keep",
            "The headline becomes “We stay open”",
        ] {
            assert!(!says_it_goes_on(told), "{told}");
        }
    }
}
