//! What people wrote, sentence by sentence, and how much of it a change has.

use super::quoted::unquoted;
use super::stays::says_to_stay;
use super::terms::{Telling, Terms, plain_stem};
use super::told::is_code_by_its_beginning;
use super::unchanged;
use super::vocabulary::Verb;
use super::weight::weight;

/// Sentences of one text that are looked at.
const MAX_SENTENCES: usize = 200;

/// What a statement whose numbers, colours or quotations the change does not have is worth of itself.
const OTHER_VALUES: f64 = 0.4;

/// Words that make a sentence say that something hardly ever happens, or only that it is allowed.
const NOT_DONE: &[&str] = &[
    "rarely",
    "seldom",
    "hardly",
    "almost never",
    " may ",
    " might ",
    "can change",
];

/// Words for what is not spoken of otherwise.
const THE_REST: &[&str] = &[
    "other",
    "others",
    "rest",
    "otherwise",
    "everything",
    "contents",
];

/// Words that say of it that nothing happens to it.
const STAYS: &[&str] = &[
    "still",
    "same",
    "stay",
    "stays",
    "remain",
    "remains",
    "unchanged",
];

/// One thing that was said.
#[derive(Debug)]
pub(super) struct Statement {
    /// As it was written.
    pub(super) text: String,
    pub(super) terms: Terms,
    pub(super) words: Vec<Telling>,
}

impl Statement {
    /// A text as a statement; nothing when it names nothing.
    pub(super) fn of(text: &str) -> Option<Self> {
        let (terms, words) = Terms::of_sentence(text);
        let is_empty = terms.stems.is_empty() && terms.exact.is_empty();
        (!is_empty).then(|| Self {
            text: text.trim().to_owned(),
            terms,
            words,
        })
    }

    /// A change that is expected, as a statement of what is expected to change: what it says of the rest, or of what stays,
    /// is left out. Nothing when it says no more than what must stay.
    pub(super) fn of_expected(text: &str) -> Option<Self> {
        let told = kept_of(text, |part| !says_to_stay(part) && !is_of_the_rest(part));
        let whole = || Self::of(text).filter(|_| !says_to_stay(text));
        let told = Self::of(&told).or_else(whole)?;
        Some(Self {
            text: text.trim().to_owned(),
            ..told
        })
    }

    /// Whether it says that something is done, or happens again and again; that it names a price or a picture does not.
    pub(super) fn says_a_change(&self) -> bool {
        self.terms.is_done && !says(&self.text, NOT_DONE)
    }

    /// Whether it may be what describes a change: work on the code names where it was done, and “the texts remain the same”
    /// names texts, and no change of them.
    pub(super) fn may_describe(&self) -> bool {
        let is_done = self.terms.is_done || unchanged::said(&self.text).is_none();
        is_done && !is_code_by_its_beginning(&self.text)
    }

    /// Whether all that a change has of it is one word, although it does not say that what happened to it was done: “the texts
    /// are sorted by key now” is no word on a text that reads otherwise.
    pub(super) fn rests_on_one_word(&self, found: &Terms) -> bool {
        let words = self.terms.stems.intersection(&found.stems).count();
        let values = self.terms.exact.intersection(&found.exact).count();
        let is_said = self.terms.is_done && !self.terms.verbs.is_disjoint(&found.verbs);
        words + values < 2 && !is_said
    }

    /// Whether it says to which numbers or colours something goes, and the change has none of them: “the price goes to 49 €”
    /// where it went to 29 €.
    pub(super) fn has_another_aim(&self, found: &Terms) -> bool {
        !self.terms.aims.is_empty() && self.terms.aims.is_disjoint(&found.exact)
    }

    /// Whether it says in plain words that something is added where it was removed, or the other way round.
    pub(super) fn says_the_opposite(&self, found: &Terms) -> bool {
        const ADDS: [&str; 4] = ["add", "append", "insert", "introduc"];
        const REMOVES: [&str; 4] = ["delet", "drop", "elimin", "remov"];
        let stems: Vec<String> = (self.text.split(|letter: char| !letter.is_alphabetic()))
            .map(|word| plain_stem(&word.to_lowercase()))
            .collect();
        let has = |known: [&str; 4]| stems.iter().any(|stem| known.contains(&stem.as_str()));
        let (adds, removes) = (has(ADDS), has(REMOVES));
        (adds && !removes && found.verbs.contains(&Verb::Remove))
            || (removes && !adds && found.verbs.contains(&Verb::Add))
    }

    /// How much of the statement a change has, 0–1.
    pub(super) fn value(&self, found: &Terms) -> f64 {
        let stems = &self.terms.stems;
        let weigh = |stems: &mut dyn Iterator<Item = &String>| -> f64 {
            stems.map(|stem| weight(stem)).sum()
        };
        let words = if stems.is_empty() {
            0.0
        } else {
            weigh(&mut stems.intersection(&found.stems)) / weigh(&mut stems.iter())
        };
        if self.terms.exact.is_empty() {
            return words;
        }
        let met = self.terms.exact.intersection(&found.exact).count() as f64;
        if met == 0.0 {
            return words * OTHER_VALUES;
        }
        // A value that is met to the letter says more than words.
        words.max((words + 2.0 * met / self.terms.exact.len() as f64) / 3.0)
    }
}

/// The statement that a change has most of, and how much.
pub(super) fn best<'s>(statements: &'s [Statement], found: &Terms) -> Option<(f64, &'s Statement)> {
    let valued = statements
        .iter()
        .map(|statement| (statement.value(found), statement));
    valued.reduce(|best, next| if next.0 > best.0 { next } else { best })
}

/// The sentences of a text, cut where a new thing is told.
pub(super) fn sentences(text: &str) -> Vec<String> {
    text.split(['\n', ';'])
        .flat_map(|line| line.split(". "))
        .flat_map(clauses)
        .flat_map(without_promises)
        .map(|sentence| sentence.trim().trim_end_matches('.').to_owned())
        .filter(|sentence| !sentence.is_empty())
        .take(MAX_SENTENCES)
        .collect()
}

/// A sentence cut at each “and”, but where it would part what is promised from the promise: “prices and the footer must not
/// change” is of both. Behind a comma begins another clause.
fn clauses(sentence: &str) -> Vec<&str> {
    const AND: &str = " and ";
    let mut clauses: Vec<&str> = Vec::new();
    let mut from = 0;
    let ends = sentence.match_indices(AND).map(|(at, _)| at);
    for to in ends.chain([sentence.len()]) {
        let begins = from;
        let clause = &sentence[begins..to];
        from = (to + AND.len()).min(sentence.len());
        let is_of_the_last = says_to_stay(clause)
            && (clauses.last()).is_some_and(|last| !says_to_stay(last) && is_a_name(last));
        if is_of_the_last {
            let last = clauses.pop().unwrap_or_default();
            let start = last.as_ptr() as usize - sentence.as_ptr() as usize;
            clauses.push(&sentence[start..to]);
        } else {
            clauses.push(clause);
        }
    }
    clauses
}

/// Whether a clause is no more than what something is called.
fn is_a_name(clause: &str) -> bool {
    const MAX_WORDS: usize = 6;
    !clause.ends_with(',') && clause.split_whitespace().count() <= MAX_WORDS && !tells(clause)
}

/// Whether a clause tells a change by itself.
fn tells(clause: &str) -> bool {
    const TELLS: [&str; 8] = [
        "is", "are", "now", "goes", "gets", "becomes", "become", "leads",
    ];
    let mut words = clause.split_whitespace();
    words.any(|word| TELLS.contains(&word)) || Terms::of_sentence(clause).0.is_done
}

/// A sentence that tells a change and says in another clause what stays (“the link leads to /a, its label unchanged”) in
/// parts; any other as it is.
fn without_promises(sentence: &str) -> Vec<&str> {
    let Some((first, last)) = sentence.rsplit_once(", ") else {
        return vec![sentence];
    };
    if says_to_stay(last) && !says_to_stay(first) && tells(first) {
        vec![first, last]
    } else {
        vec![sentence]
    }
}

/// The parts of a text, up to a comma, semicolon or full stop each, that are to be kept. What it quotes belongs to the part
/// that it stands in, and is not asked.
fn kept_of(text: &str, keep: impl Fn(&str) -> bool) -> String {
    let blank = unquoted(text);
    let (mut kept, mut from) = (String::new(), 0);
    for part in blank.split_inclusive([',', ';', '.']) {
        let to = from + part.len();
        if keep(part) {
            kept.push_str(text.get(from..to).unwrap_or(""));
        }
        from = to;
    }
    kept
}

/// “The others are still there”, “contents as before”.
fn is_of_the_rest(clause: &str) -> bool {
    let clause = clause.to_lowercase();
    let words: Vec<&str> = clause
        .split(|letter: char| !letter.is_alphabetic())
        .filter(|word| !word.is_empty())
        .collect();
    let has = |known: &[&str]| words.iter().any(|word| known.contains(word));
    has(THE_REST) && (has(STAYS) || words.ends_with(&["as", "before"]))
}

fn says(text: &str, phrases: &[&str]) -> bool {
    let text = text.to_lowercase();
    phrases.iter().any(|phrase| text.contains(phrase))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_expected_of_the_rest_is_no_part_of_the_change() {
        let told =
            Statement::of_expected("The banner is gone, the others are still there").unwrap();
        let alone = Statement::of("The banner is gone").unwrap();
        assert_eq!(told.terms, alone.terms);
        assert!(told.text.ends_with("still there"), "{}", told.text);
        let quoted = "The headline becomes “Don't wait, book today”";
        let told = Statement::of_expected(quoted).unwrap();
        assert_eq!(told.terms, Statement::of(quoted).unwrap().terms);
    }

    #[test]
    fn a_clause_that_promises_is_told_from_the_change_before_it() {
        assert_eq!(
            sentences("The link is now /repairs, its label unchanged."),
            ["The link is now /repairs", "its label unchanged"]
        );
        for whole in [
            "Prices, names and the footer must stay",
            "The header, which is sticky, must not move",
        ] {
            let parts = sentences(whole);
            assert!(
                parts.iter().any(|part| says_to_stay(part)),
                "{whole}: {parts:?}"
            );
        }
        assert_eq!(sentences("Pricing, tariffs, fees must not change").len(), 1);
        assert_eq!(
            sentences("The logo, prices and the footer must not change. The header turns blue"),
            [
                "The logo, prices and the footer must not change",
                "The header turns blue"
            ]
        );
        assert_eq!(
            sentences("The data will say 7.20, and what visitors see is not affected").len(),
            2
        );
        assert_eq!(
            sentences("The header turns blue and prices and texts must not change"),
            ["The header turns blue", "prices and texts must not change"]
        );
    }
}
