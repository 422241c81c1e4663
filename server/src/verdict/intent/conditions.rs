//! Words on which a statement hangs: “if prices rise”, “as long as the sale runs”, “should it fail”.
//!
//! Three readers ask for them. What a clause denies that begins so is not promised (`stays`); before the comma of a promise it
//! names nothing that must stay, but limits that (`promise`); and what looks as before then does not always do (`unchanged`).

/// Ways to begin what something hangs on, word by word, for all readers.
const CONDITIONS: &[&[&str]] = &[
    &["as", "long", "as"],
    &["as", "soon", "as"],
    &["assuming"],
    &["if"],
    &["in", "case"],
    &["once"],
    &["provided"],
    &["providing"],
    &["so", "long", "as"],
    &["supposing"],
    &["till"],
    &["unless"],
    &["until"],
    &["when"],
    &["whenever"],
    &["where"],
    &["wherever"],
    &["while"],
    &["whilst"],
];

/// Those that do so only where a clause begins. Further behind they mean something else: “nothing *should* look different”, or
/// tell why that is so: “no visual change *because* only the types are stricter”.
const AT_FIRST: &[&[&str]] = &[&["because"], &["given", "that"], &["should"], &["since"]];

/// Words that tell when and may stand before a noun alone: “no visual change *during* checkout” is of the checkout, and yet
/// “*before* the launch prices must not change” promises.
const TIMES: &[&str] = &["before", "during"];

/// Words that tell where, how and for whom. Before a comma they limit a promise (“*on* mobile, prices must not change”);
/// without one they are of what is named, and behind what is said they leave it as it is (“no visual change *after* the
/// upgrade”).
const PLACES: &[&str] = &["after", "as", "at", "for", "in", "on", "under", "with"];

/// Words that may stand before a condition.
const BEFORE: &[&str] = &["and", "but", "even", "except", "only", "or"];

/// What ends a courtesy.
const POSSIBLE: &[&str] = &["feasible", "possible", "practicable"];

/// Words of the longest courtesy: “if it is technically possible”.
const MAX_COURTESY: usize = 5;

/// Whether these words begin a clause on which something hangs. “If possible” is a courtesy, and no condition.
pub(super) fn begin_a_condition<W: AsRef<str>>(words: &[W]) -> bool {
    begin_a_clause(words) && courtesy(words) == 0
}

/// Whether these words, which stand before a comma, limit what is promised behind it.
pub(super) fn begin_a_limit<W: AsRef<str>>(words: &[W]) -> bool {
    let is_place = |first: &W| is_one_of(first, TIMES) || is_one_of(first, PLACES);
    words.first().is_some_and(is_place) || begin_a_clause(words)
}

/// Whether the first of these words, in the midst of a sentence, begins to tell when that is so.
pub(super) fn tell_when<W: AsRef<str>>(words: &[W]) -> bool {
    let is_time = |first: &W| is_one_of(first, TIMES);
    words.first().is_some_and(is_time) || begin_with(words, CONDITIONS)
}

/// How many of these words are a courtesy that stands first: “if possible”, “as far as possible”.
pub(super) fn courtesy<W: AsRef<str>>(words: &[W]) -> usize {
    let mut first = words.iter().take(MAX_COURTESY);
    let last = first.position(|word| is_one_of(word, POSSIBLE));
    let is_begun = begin_a_clause(words) || begin_with(words, &[&["as"]]);
    last.filter(|_| is_begun).map_or(0, |last| last + 1)
}

fn begin_a_clause<W: AsRef<str>>(words: &[W]) -> bool {
    let before = words.iter().take_while(|word| is_one_of(*word, BEFORE));
    let begins =
        |at: usize| begin_with(&words[at..], CONDITIONS) || begin_with(&words[at..], AT_FIRST);
    (0..=before.count()).any(begins)
}

fn begin_with<W: AsRef<str>>(words: &[W], ways: &[&[&str]]) -> bool {
    ways.iter().any(|way| {
        let mut pairs = way.iter().zip(words);
        way.len() <= words.len() && pairs.all(|(known, word)| is_one_of(word, &[*known]))
    })
}

fn is_one_of<W: AsRef<str>>(word: &W, known: &[&str]) -> bool {
    known.contains(&word.as_ref())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str) -> Vec<&str> {
        text.split_whitespace().collect()
    }

    #[test]
    fn conditions_are_known_to_all_readers() {
        for text in [
            "if prices rise",
            "as long as the sale runs",
            "in case it fails",
            "provided that it holds",
            "until it ends",
        ] {
            let words = words(text);
            assert!(begin_a_condition(&words), "{text}");
            assert!(begin_a_limit(&words) && tell_when(&words), "{text}");
        }
        for other in ["in the header", "as agreed", "so be it", "", "in"] {
            let words = words(other);
            assert!(!begin_a_condition(&words) && !tell_when(&words), "{other}");
        }
    }

    #[test]
    fn some_words_are_conditions_in_one_place_alone() {
        for first in [
            "should the sale end",
            "because it ended",
            "since it ended",
            "only if it ends",
        ] {
            let words = words(first);
            assert!(begin_a_condition(&words) && !tell_when(&words), "{first}");
        }
        for time in ["before the launch", "during checkout"] {
            let words = words(time);
            assert!(begin_a_limit(&words) && tell_when(&words), "{time}");
            assert!(!begin_a_condition(&words), "{time}");
        }
        for place in ["on mobile", "after the launch"] {
            let words = words(place);
            assert!(begin_a_limit(&words) && !tell_when(&words), "{place}");
            assert!(!begin_a_condition(&words), "{place}");
        }
    }

    #[test]
    fn a_courtesy_is_no_condition() {
        for (text, expected) in [
            ("if possible", 2),
            ("where at all feasible prices", 4),
            ("as far as possible", 4),
            ("prices if possible", 0),
            ("if the prices of the old plan are possible", 0),
        ] {
            assert_eq!(courtesy(&words(text)), expected, "{text}");
        }
        assert!(!begin_a_condition(&words("if possible prices")));
    }
}
