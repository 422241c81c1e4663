//! One thing that people wrote, and how much of it a change has.

use std::collections::BTreeSet;

use super::aim::Aim;
use super::outcome::Outcome;
use super::promise::{OF_PROMISES, says_words_stay, words_kept};
use super::quoted::unquoted;
use super::sentences::{is_of_the_rest, tells};
use super::stays::{STAYS, says_it_goes_on, says_to_stay};
use super::terms::{Telling, Terms};
use super::told::is_code_by_its_beginning;
use super::unchanged;
use super::unmade::is_unmade;
use super::weight::share;

/// What a statement whose numbers, colours or quotations the change does not have is worth of itself.
const OTHER_VALUES: f64 = 0.4;

/// How much better a statement fits that tells of what was done.
const WEIGHT_OF_DEED: f64 = 0.5;

/// How much worse one fits that says something else became of it.
const OTHER_LAST: f64 = 0.6;

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

/// Words that leave something out of what is told.
const EXCEPT: &[&str] = &[
    " except ",
    " apart from ",
    " aside from ",
    " excluding ",
    " other than ",
    " with the exception of ",
];

/// The word that does so where something is told of all.
const BUT: &str = " but ";

/// One thing that was said.
#[derive(Debug)]
pub(super) struct Statement {
    /// As it was written.
    pub(super) text: String,
    pub(super) terms: Terms,
    pub(super) words: Vec<Telling>,
    /// What it says becomes of something.
    pub(super) aim: Aim,
    /// Stems by which what it leaves out is told from the rest: “all banners but the first”.
    pub(super) excepted: BTreeSet<String>,
}

impl Statement {
    /// A text as a statement; nothing when it names nothing.
    pub(super) fn of(text: &str) -> Option<Self> {
        let kept = words_kept(text);
        let whole = kept.unwrap_or(text);
        let told = without_what_is_spared(whole);
        let spared = whole.get(told.len()..).unwrap_or("");
        let (terms, words) = Terms::of_sentence(told);
        let is_empty = terms.stems.is_empty() && terms.exact.is_empty();
        // “All prices except the Pro price go up” says behind what it leaves out what becomes of the others.
        let mut aim = if spared.is_empty() || has_a_deed(told) {
            Aim::of(told, &terms)
        } else {
            Aim::of(whole, &Terms::of_sentence(whole).0)
        };
        aim.keeps_words = kept.is_some() || says_words_stay(told);
        (!is_empty).then(|| Self {
            text: text.trim().to_owned(),
            aim,
            excepted: named_by(spared, &terms.stems),
            terms,
            words,
        })
    }

    /// A part of an entry of the list of changes that are expected, as a statement of what is expected to change: what it says
    /// of the rest, or of what stays, is left out. Nothing when it says no more than that. The entry is what is quoted.
    pub(super) fn of_expected(part: &str, entry: &str) -> Option<Self> {
        let stays = |clause: &str| {
            says_to_stay(clause) || (says_it_goes_on(clause) && !is_spared(clause, part))
        };
        let told = kept_of(part, |part| !stays(part) && !is_of_the_rest(part));
        let whole = || Self::of(part).filter(|_| !stays(part));
        let mut told = Self::of(&told)
            .or_else(whole)
            .filter(|_| !asks(part.trim()) && !is_unmade(part))?;
        entry.trim().clone_into(&mut told.text);
        told.aim.keeps_words |= words_kept(part).is_some();
        Some(told)
    }

    /// Whether it says that something is done, or happens again and again; that it names a price or a picture does not.
    pub(super) fn says_a_change(&self) -> bool {
        self.terms.is_done && !says(&self.text, NOT_DONE)
    }

    /// Whether it may be what describes a change: work on the code names where it was done, and “the texts remain the same”
    /// or “prices stay” name texts and prices, and no change of them.
    pub(super) fn may_describe(&self) -> bool {
        let is_done = self.terms.is_done || unchanged::said(&self.text).is_none();
        let is_told = !says_it_goes_on(&self.text) && !asks(&self.text) && !is_unmade(&self.text);
        is_done && is_told && !is_code_by_its_beginning(&self.text)
    }

    /// Whether all that a change has of it is one word, although it does not say that what happened to it was done: “the texts
    /// are sorted by key now” is no word on a text that reads otherwise.
    pub(super) fn rests_on_one_word(&self, found: &Terms) -> bool {
        let words = self.terms.stems.intersection(&found.stems).count();
        let values = self.values_met(found);
        let is_said = self.terms.is_done && !self.terms.verbs.is_disjoint(&found.verbs);
        words + values < 2 && !is_said
    }

    /// The words of the statement that a change has.
    pub(super) fn met<'s>(&'s self, found: &'s Terms) -> BTreeSet<&'s String> {
        let met = found.stems.intersection(&self.terms.stems);
        met.collect()
    }

    /// How many of the statement's values a change has to the letter.
    fn values_met(&self, found: &Terms) -> usize {
        let exact = self.terms.exact.iter();
        exact.filter(|value| found.meets(value)).count()
    }

    /// How much of the statement's words a change has, 0–1, whatever values it goes to.
    pub(super) fn share_of_words(&self, found: &Terms) -> f64 {
        share(&self.terms.stems, &found.stems)
    }

    /// How much of the statement a change has, 0–1.
    pub(super) fn value(&self, found: &Terms) -> f64 {
        let words = self.share_of_words(found);
        if self.terms.exact.is_empty() {
            return words;
        }
        let met = self.values_met(found) as f64;
        if met == 0.0 {
            return words * OTHER_VALUES;
        }
        // A value that is met to the letter says more than words.
        words.max((words + 2.0 * met / self.terms.exact.len() as f64) / 3.0)
    }
}

/// The statement that fits a change best, and how much of it the change has: of those that it has as much of, one that tells
/// of what was done to it.
pub(super) fn best<'s>(
    statements: &'s [Statement],
    found: &Terms,
    done: &Outcome,
) -> Option<(f64, &'s Statement)> {
    let valued = statements.iter().map(|statement| {
        let value = statement.value(found);
        let deed = if statement.terms.verbs.is_disjoint(&found.verbs) {
            0.0
        } else {
            WEIGHT_OF_DEED
        };
        let other = if statement.aim.is_another(done) {
            OTHER_LAST
        } else {
            1.0
        };
        (value * (1.0 + deed) * other, value, statement)
    });
    let first = valued.reduce(|best, next| if next.0 > best.0 { next } else { best });
    first.map(|(_, value, statement)| (value, statement))
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

/// Whether a clause names what its sentence leaves out of what it tells: “remove all banners, but keep the first”.
pub(super) fn is_spared(clause: &str, sentence: &str) -> bool {
    let first = clause.split_whitespace().next();
    first.is_some_and(|first| first.eq_ignore_ascii_case("but"))
        && without_what_is_spared(sentence).len() < sentence.len()
}

/// The stems that tell what is left out in these words from all that is told of, of which those on that it stays are none: “but keep
/// the promo banner on the home page”. Where it lies tells it only where nothing else does: “except the banner in the footer”.
fn named_by(spared: &str, told: &BTreeSet<String>) -> BTreeSet<String> {
    /// Words that end a name.
    const ENDS: &[&str] = &[
        "are", "at", "from", "get", "gets", "go", "goes", "has", "have", "in", "is", "on", "that",
        "turn", "turns", "which",
    ];
    let is_one = |word: &str, known: &[&str]| known.contains(&&*word.to_lowercase());
    let naming = |words: &mut dyn Iterator<Item = &str>| -> BTreeSet<String> {
        let words = words.filter(|word| !is_one(word, STAYS) && !is_one(word, OF_PROMISES));
        let words: Vec<&str> = words.collect();
        Terms::of_sentence(&words.join(" ")).0.stems
    };
    let plain = spared.to_ascii_lowercase();
    let joint = (EXCEPT.iter().chain([&BUT])).find(|joint| plain.starts_with(**joint));
    let spared = joint.map_or(spared, |joint| &spared[joint.len()..]);
    let mut words = spared.split_whitespace();
    let named = naming(&mut words.clone().take_while(|word| !is_one(word, ENDS)));
    let whole = naming(&mut words);
    let apart = [&named, &whole].map(|stems| -> BTreeSet<String> { stems - told });
    let mut found = apart.into_iter().chain([named, whole]);
    found.find(|stems| !stems.is_empty()).unwrap_or_default()
}

/// Whether a text says that anything is done or has something, and is not only what something is called.
fn has_a_deed(text: &str) -> bool {
    const HAS: &[&str] = &["get", "gets", "have", "has", "become", "becomes"];
    let text = text.to_ascii_lowercase();
    tells(&text) || text.split_whitespace().any(|word| HAS.contains(&word))
}

/// What a sentence says without what it says is excepted: “remove all banners but the first”. What is told of nothing else, is told
/// of that: “nothing changes except the price”.
fn without_what_is_spared(told: &str) -> &str {
    const ALL: &[&str] = &["all", "any", "every", "everything"];
    const NONE: &[&str] = &[
        "neither", "never", "no", "nobody", "none", "not", "nothing", "without",
    ];
    /// Words behind which something is told to be apart: “space them further apart from the header”.
    const FAR: &[&str] = &["far", "farther", "further", "wider"];
    let blank = unquoted(told).to_ascii_lowercase();
    let has = |text: &str, known: &[&str]| {
        let mut words = text.split(|letter: char| !letter.is_alphanumeric());
        words.any(|word| known.contains(&word))
    };
    // “All cards get a shadow but the header turns blue” tells of both, “all cards but the first turn blue” of one.
    let spares = |before: &str, rest: &str| {
        let ends = [",", " that ", " which "];
        let ends = ends.iter().filter_map(|end| rest.find(end)).min();
        let named = ends.map_or(rest, |end| &rest[..end]);
        !has_a_deed(before) || !tells(named) || says_it_goes_on(rest) || says_to_stay(rest)
    };
    let of_all = blank.find(BUT).filter(|at| {
        let (before, rest) = (&blank[..*at], &blank[at + BUT.len()..]);
        has(before, ALL) && spares(before, rest)
    });
    let is_far = |at: &usize| {
        let last = blank[..*at].split_whitespace().next_back();
        last.is_some_and(|last| FAR.contains(&last))
    };
    let excepts = EXCEPT.iter().filter_map(|words| blank.find(words));
    let excepts = excepts.filter(|at| !is_far(at));
    let at = excepts.chain(of_all).min();
    let at = at.filter(|at| !has(&blank[..*at], NONE) && !blank.contains("n't"));
    at.and_then(|at| told.get(..at)).unwrap_or(told)
}

/// Whether a sentence asks something: “should the banner be hidden?”
fn asks(text: &str) -> bool {
    const ASKING: &[&str] = &[
        "are", "can", "could", "did", "do", "does", "has", "have", "how", "is", "should", "was",
        "what", "when", "where", "which", "who", "why", "will", "would",
    ];
    let first = text.split_whitespace().next().unwrap_or("");
    text.ends_with('?') && ASKING.contains(&&*first.to_lowercase())
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
        const BANNER: &str = "The banner is gone, the others are still there";
        let told = Statement::of_expected(BANNER, BANNER).unwrap();
        let alone = Statement::of("The banner is gone").unwrap();
        assert_eq!(told.terms, alone.terms);
        assert!(told.text.ends_with("still there"), "{}", told.text);
        let remaining = "The banner is gone, the remaining ones are still there";
        let told = Statement::of_expected(remaining, remaining).unwrap();
        assert_eq!(told.terms, alone.terms);
        let quoted = "The headline becomes “Don't wait, book today”";
        let told = Statement::of_expected(quoted, quoted).unwrap();
        assert_eq!(told.terms, Statement::of(quoted).unwrap().terms);
    }
}
