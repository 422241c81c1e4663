//! What was said to stay as it is, and whether a change breaks that.

use std::collections::BTreeSet;

use super::aim::amount;
use super::conditions::{begin_a_limit, courtesy};
use super::outcome::{Outcome, Trend};
use super::quoted::unquoted;
use super::sentences::{THE_REST, tells};
use super::statement::Statement;
use super::stays::{denied_in, plain, says_to_stay, straight};
use super::terms::{Telling, Terms};
use super::vocabulary::Verb;
use super::weight::weight;

/// Share of the words of what must stay that a change must have.
pub(super) const COVERED: f64 = 0.68;

/// Words of promises that name nothing that must stay.
pub(super) const OF_PROMISES: &[&str] = &[
    "before",
    "current",
    "currently",
    "exactly",
    "intact",
    "keep",
    "keeps",
    "kept",
    "leave",
    "leaves",
    "please",
];

/// Words for what something says, which its looks are no part of.
const WORDING: &[&str] = &[
    "copy", "label", "labels", "text", "texts", "word", "wording", "words",
];

/// Words beside them that name no other thing.
const OF_IT: &[&str] = &["and", "its", "size", "the", "their"];

/// Words that begin what is told of a thing besides.
const ASIDES: &[&str] = &[
    "displayed",
    "located",
    "placed",
    "seen",
    "shown",
    "that",
    "used",
    "visible",
    "where",
    "which",
    "who",
    "whose",
];

/// Things that one promise names, and words behind what it denies, that are looked at.
const MAX_NAMES: usize = 20;
const MAX_WORDS: usize = 30;

/// A sentence that says that something must stay as it is.
#[derive(Debug)]
pub(super) struct Promise {
    /// As it was written.
    pub(super) text: String,
    /// What must stay, each by itself.
    subjects: Vec<Statement>,
    /// What of it may change.
    exception: Option<Statement>,
    /// Whether it is of what is not spoken of otherwise: “all other prices”.
    is_of_the_rest: bool,
    /// What alone must not be done to it.
    only: Only,
}

impl Promise {
    /// A sentence as a promise; nothing when it is none, or when it names nothing that must stay.
    pub(super) fn of(sentence: &str) -> Option<Self> {
        let denied = denied_in(&plain(sentence))?;
        // The same bytes as those it was found in, with the capitals that tell words of a name apart.
        let said = straight(sentence);
        let (before, behind) = (said.get(..denied.at.start)?, said.get(denied.at.end..)?);
        let (before, exception_first) = without_first_exception(before);
        let (before, exception_of_names) = without_exception(before);
        let (behind, exception) = without_exception(behind);
        let behind = without_agent(first_words(behind, MAX_WORDS));
        // “Prices and names must not change for members”, “no changes to prices and names”, “the new font does not change the
        // prices”. What “its links” are, stands before.
        let (list, limit) = names(before);
        let limit = if denied.is_before { "" } else { &limit };
        let is_named = list.iter().any(|name| statement(name).is_some());
        let is_of_it = begins_with(behind, &["its", "their"]);
        let is_object = denied.is_before || has_an_object(before, said.get(denied.at)?, behind);
        let (list, condition) = if !is_named || (is_object && !is_of_it) {
            let (list, condition) = names(behind);
            (list, format!("{limit} {condition}"))
        } else {
            (list, format!("{limit} {behind}"))
        };
        let subjects: Vec<Statement> = (list.iter())
            .filter(|name| statement(name).is_some_and(|name| names_something(&name)))
            .filter_map(|name| statement(&format!("{name} {condition}")))
            .collect();
        let deed = denied.deed.and_then(|deed| said.get(deed));
        let only = Only::of(deed)?;
        (!subjects.is_empty()).then(|| Self {
            text: sentence.trim().to_owned(),
            subjects,
            exception: (exception.or(exception_first).or(exception_of_names)).and_then(statement),
            is_of_the_rest: list.iter().any(|name| says_the_rest(name)) || says_the_rest(limit),
            only,
        })
    }

    /// Whether a change is one of what must stay.
    pub(super) fn is_broken_by(&self, found: &Terms, done: &Outcome, told: &[&Statement]) -> bool {
        let is_of_it = |subject: &Statement| {
            subject.value(found) >= COVERED
                && (!is_of_words(subject) || done.is_of_words())
                && !told
                    .iter()
                    .any(|told| is_closer(told, subject, found, done))
        };
        let is_told = self.is_of_the_rest && told.iter().any(|it| !it.aim.is_another(done));
        let is_excepted = (self.exception.as_ref()).is_some_and(|it| it.value(found) >= COVERED);
        self.only.is(done) && !is_told && !is_excepted && self.subjects.iter().any(is_of_it)
    }
}

/// Whether a sentence that says what was done is closer to a change than what must stay: in “restyle the pricing table without
/// changing the prices” that is the table's new border.
fn is_closer(told: &Statement, subject: &Statement, found: &Terms, done: &Outcome) -> bool {
    let verbs = &told.terms.verbs;
    let says_it = told.aim.is_met_by(done)
        || (!verbs.is_disjoint(&done.verbs) && !verbs.iter().any(|verb| verb.is_open()));
    says_it
        && !told.aim.is_another(done)
        && told.met(found).len() > subject.met(found).len()
        && told.met(found).is_superset(&subject.met(found))
}

/// What alone must not be done.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Only {
    /// Anything.
    Anything,
    /// That there is more, or less, of it.
    Trend(Trend),
    /// One of these.
    Verbs(BTreeSet<Verb>),
}

impl Only {
    /// What a word for a deed denies, or any change without one; none where it is unknown what the word stands for.
    fn of(deed: Option<&str>) -> Option<Self> {
        let Some(deed) = deed else {
            return Some(Self::Anything);
        };
        if let Some(trend) = amount(deed) {
            return Some(Self::Trend(trend));
        }
        let verbs = Terms::of_sentence(deed).0.verbs;
        (!verbs.is_empty()).then_some(Self::Verbs(verbs))
    }

    /// Whether that was done.
    fn is(&self, done: &Outcome) -> bool {
        match self {
            Self::Anything => true,
            Self::Trend(trend) => [done.amount, done.size].contains(&Some(*trend)),
            Self::Verbs(verbs) => !verbs.is_disjoint(&done.verbs),
        }
    }
}

/// The things that a list names, and on which condition: “On mobile, prices and names”. What is said besides of one
/// (“the logo, shown in the header,”) is left out.
fn names(list: &str) -> (Vec<String>, String) {
    let list = list
        .replace(" and ", ",")
        .replace(" or ", ",")
        .replace(" nor ", ",");
    let (mut names, mut condition) = (Vec::new(), String::new());
    for (at, part) in list.split(',').take(MAX_NAMES).enumerate() {
        let lower = part.to_lowercase();
        let words: Vec<&str> = lower.split_whitespace().collect();
        // “If possible, prices must not change” is of all prices.
        let (polite, words) = words.split_at(courtesy(&words));
        // “The footer, only the header” sets apart what may change.
        if at > 0 && begins_with(part, &["but", "just", "only"]) {
            break;
        }
        if at == 0 && list.contains(',') && begin_a_limit(words) {
            // “Even if the plan changes” limits nothing, either.
            if !begins_with(part, &["even"]) {
                part.clone_into(&mut condition);
            }
        } else if at == 0 || !begins_with(part, ASIDES) {
            let name: Vec<&str> = part.split_whitespace().skip(polite.len()).collect();
            names.push(name.join(" "));
        }
    }
    (names, condition)
}

/// Whether what is denied is denied of what stands behind it: “this does not change *the prices*”, “it makes no changes to
/// *prices*”. What stands before a colon says where: “footer: no changes to links”.
fn has_an_object(before: &str, denied: &str, behind: &str) -> bool {
    const ARTICLES: &[&str] = &["any", "existing", "our", "the", "those", "your"];
    /// Roots of words that say nothing by themselves.
    const TRANSITIVE: &[&str] = &["affect", "alter", "modif", "touch"];
    let is_label = before.trim_end().ends_with(':');
    let deed = denied.rsplit(' ').next().unwrap_or("").to_lowercase();
    let is_done_to_it = deed.ends_with("ed") || deed.ends_with("en");
    let is_transitive = TRANSITIVE.iter().any(|root| deed.starts_with(root));
    let goes_on = behind.starts_with(' ') && (is_transitive || begins_with(behind, ARTICLES));
    !is_label && (deed == "to" || (goes_on && !is_done_to_it))
}

/// What stands behind what is denied without who would do it: “affected by the new layout”.
fn without_agent(behind: &str) -> &str {
    let mut words = behind.split_whitespace();
    let is_agent =
        words.next() == Some("by") && matches!(words.next(), Some("the" | "this" | "our"));
    if is_agent { "" } else { behind }
}

/// Words that begin an exception, those first of which another is the beginning.
const EXCEPT: [&str; 7] = [
    "besides",
    "except for",
    "except",
    "apart from",
    "aside from",
    "other than",
    "but for",
];

/// What stands behind an exception that a promise begins with, and the exception: “except for its links, the footer”.
fn without_first_exception(text: &str) -> (&str, Option<&str>) {
    let plain = text.to_ascii_lowercase();
    let first = EXCEPT.iter().find(|words| plain.starts_with(**words));
    match first.zip(text.split_once(',')) {
        Some((words, (exception, rest))) => (rest, exception.get(words.len()..)),
        None => (text, None),
    }
}

/// What stands before an exception, and the exception: “the footer, except for the phone number”.
fn without_exception(text: &str) -> (&str, Option<&str>) {
    let plain = text.to_ascii_lowercase();
    let first = EXCEPT
        .iter()
        .filter_map(|words| Some((plain.find(words)?, words)));
    match first.min_by_key(|(at, words)| (*at, std::cmp::Reverse(words.len()))) {
        Some((at, words)) => (&text[..at], Some(&text[at + words.len()..])),
        None => (text, None),
    }
}

/// Whether words are of what is not spoken of otherwise.
fn says_the_rest(words: &str) -> bool {
    let mut words = words.split(|letter: char| !letter.is_alphanumeric());
    words.any(|word| THE_REST.contains(&&*word.to_lowercase()))
}

/// Whether a subject names a thing: everything has a design, and nearly everything lies in the content.
fn names_something(subject: &Statement) -> bool {
    const NAMELESS: [&str; 5] = ["design", "layout", "look", "style", "appear"];
    let mut stems = subject.terms.stems.iter();
    !subject.terms.exact.is_empty()
        || stems.any(|stem| weight(stem) >= 1.0 && !NAMELESS.contains(&stem.as_str()))
}

/// So many words of a text.
fn first_words(text: &str, most: usize) -> &str {
    let mut spaces = text
        .char_indices()
        .filter(|(_, letter)| letter.is_whitespace());
    spaces.nth(most).map_or(text, |(at, _)| &text[..at])
}

fn begins_with(text: &str, known: &[&str]) -> bool {
    let first = text.split_whitespace().next().unwrap_or("");
    known.contains(&&*first.to_lowercase())
}

/// Whether a subject is no more than “the wording” or “its label”.
fn is_of_words(subject: &Statement) -> bool {
    let is_said = |it: &Telling| WORDING.contains(&&*it.word);
    !subject.words.is_empty() && subject.words.iter().all(is_said)
}

/// Whether a sentence says that something must stay, and not only that of what it tells the words do.
pub(super) fn promises(sentence: &str) -> bool {
    says_to_stay(sentence) && words_kept(sentence).is_none()
}

/// Whether a part of an entry says that something must stay, and tells no change before it.
pub(super) fn promises_alone(part: &str) -> bool {
    if words_kept(part).is_some() {
        return false;
    }
    let plain = plain(part);
    denied_in(&plain).is_some_and(|denied| {
        let (names, _) = names(&plain[..denied.at.start]);
        !tells(&names.join(", "))
    })
}

/// Whether these words, behind what a sentence tells, are apart from it: “without changing the prices” is, “without changing its
/// links” is of what was told.
pub(super) fn is_apart(words: &str) -> bool {
    let words = straight(first_words(words, MAX_WORDS));
    let denied = denied_in(&words.to_ascii_lowercase());
    let behind = denied.and_then(|denied| words.get(denied.at.end..));
    behind.is_some_and(|behind| !begins_with(behind, &["its", "their"]))
}

/// What a sentence tells before it says that the words of that stay: “the link leads to /a, its label unchanged” promises
/// nothing of other texts. None for any other sentence.
pub(super) fn words_kept(sentence: &str) -> Option<&str> {
    let blank = unquoted(sentence);
    let (at, joint) = [". ", ", ", "; "]
        .into_iter()
        .filter_map(|joint| Some((blank.rfind(joint)?, joint)))
        .max()?;
    let (told, kept) = (sentence.get(..at)?, &blank[at + joint.len()..]);
    let promise = denied_in(&plain(kept))?;
    let before = straight(kept).get(..promise.at.start)?.to_lowercase();
    let is_of_it = |word: &str| {
        WORDING.contains(&word) || OF_IT.contains(&word) || word.chars().any(char::is_numeric)
    };
    let mut names = before
        .split(|letter: char| !letter.is_alphanumeric())
        .filter(|word| !word.is_empty());
    let is_kept = names.clone().any(|word| WORDING.contains(&word)) && names.all(is_of_it);
    (is_kept && (joint == ". " || tells(told)) && !says_to_stay(told)).then_some(told)
}

/// Whether a sentence says that no words change: “no copy changes”.
pub(super) fn says_words_stay(sentence: &str) -> bool {
    let plain = plain(sentence);
    let words: Vec<&str> = (plain.split(|letter: char| !letter.is_alphanumeric()))
        .filter(|word| !word.is_empty())
        .collect();
    words.windows(3).any(|words| {
        let is_none = matches!(words[0], "no" | "without" | "zero");
        is_none && WORDING.contains(&words[1]) && words[2].starts_with("chang")
    })
}

/// What a part of a promise names.
fn statement(part: &str) -> Option<Statement> {
    let words = part.split_whitespace();
    let naming: Vec<&str> = words
        .filter(|word| !OF_PROMISES.contains(&&*word.to_lowercase()))
        .collect();
    Statement::of(&naming.join(" "))
}
