//! What a sentence says becomes of something: to what it goes, which way, and what is done to it. A change of which
//! something else became is not what was said, however many of its words it has.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use regex::Regex;

use super::numbers::plain_value;
use super::outcome::{Outcome, Trend};
use super::quoted::{quoted, unquoted};
use super::terms::{RECORDED_CHARACTERS, Terms, is_hex_color, is_value, plain_stem, words};
use super::vocabulary::{CURRENCIES, Verb, says_gone};
use crate::verdict::colour::Hue;

/// Words before what something goes to.
const TO: &[&str] = &["to", "becomes", "become", "reads", "now"];

/// Words before a quotation that say the same.
const QUOTED_TO: &[&str] = &["says", "say", "read", "reading", "called", "is"];

/// What has a colour, as people call it.
const COLOURED: &[&str] = &[
    "and",
    "background",
    "border",
    "color",
    "colour",
    "ground",
    "instead",
    "letters",
    "now",
    "on",
    "shade",
    "text",
    "tone",
    "when",
    "with",
];

/// Words before how much something goes up or down.
const BY: &[&str] = &["by", "off", "over", "under", "above", "below", "about"];

/// What stands between what something was and what it becomes.
const ARROWS: &[&str] = &["->", "=>", "→"];

/// Words before an address that tell where something is.
const PLACES: &[&str] = &["for", "from", "in", "of", "on", "page", "pages"];

/// Words before what something was.
const FROM: &[&str] = &[
    "from",
    "was",
    "of",
    "instead",
    "old",
    "formerly",
    "previously",
];

static ADDRESSES: LazyLock<Option<Regex>> =
    LazyLock::new(|| Regex::new(r#"(?:^|[\s“"'`(])((?:https?://|/|#)[^\s“”"'`()<>,;]*)"#).ok());

/// What a sentence says becomes of something.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Aim {
    /// Numbers and colours that something goes to: “to 29 €”, “becomes #fff”.
    values: BTreeSet<String>,
    /// Prices, but for those that were.
    prices: BTreeSet<String>,
    /// Texts that something becomes, in lower case.
    texts: Vec<String>,
    /// Addresses that it names.
    addresses: Vec<String>,
    /// Colours that it names.
    hues: BTreeSet<Hue>,
    /// Whether something comes or goes.
    comes: Option<Coming>,
    /// Whether a number gets more or less.
    amount: Option<Trend>,
    /// Whether something gets larger or smaller.
    size: Option<Trend>,
    /// Whether all that it says is done is done to looks.
    is_of_looks: bool,
    /// Whether it says besides that the words stay.
    pub(super) keeps_words: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Coming {
    Comes,
    Goes,
}

impl Aim {
    /// What a sentence says, which has these terms.
    pub(super) fn of(text: &str, terms: &Terms) -> Self {
        let blank = unquoted(text);
        let is_denied = is_denied(&blank);
        let mut aim = Self {
            texts: if is_denied { Vec::new() } else { texts(text) },
            addresses: addresses(text),
            comes: coming(&blank),
            amount: amount(&blank),
            size: size(&blank),
            is_of_looks: is_of_looks(&blank, terms),
            ..Self::default()
        };
        let words = words(&blank);
        for (at, word) in words.iter().enumerate() {
            let before = at.checked_sub(1).and_then(|at| words.get(at));
            let is_behind = |known: &[&str]| before.is_some_and(|it| known.contains(&it.as_str()));
            if is_value(word) && is_measured(word) {
                if is_behind(TO) {
                    aim.values.insert(plain_value(word));
                }
                if !is_behind(FROM) && !is_behind(BY) && is_price(&blank, word) {
                    aim.prices.insert(plain_value(word));
                }
            }
        }
        if !is_denied {
            aim.hues = hues(&words);
        }
        aim
    }

    /// Whether it says to what something goes.
    pub(super) fn names_a_value(&self) -> bool {
        !self.values.is_empty() || !self.texts.is_empty()
    }

    /// Whether something else became of a change than it says.
    pub(super) fn is_another(&self, done: &Outcome) -> bool {
        self.has_another_value(done) || self.is_another_deed(done)
    }

    /// Whether a change went to what it says.
    pub(super) fn is_met_by(&self, done: &Outcome) -> bool {
        !self.values.is_disjoint(&done.values)
            || (done.is_price() && !self.prices.is_disjoint(&done.values))
            || (done.text.as_ref()).is_some_and(|text| self.texts.iter().any(|it| says(text, it)))
            || (done.address.as_ref())
                .is_some_and(|address| self.addresses.iter().any(|it| address.is(it)))
            || !self.hues.is_disjoint(&done.hues)
    }

    /// Whether a change went to another number, price, text, address or colour than it says.
    pub(super) fn has_another_value(&self, done: &Outcome) -> bool {
        let is_other = |said: &BTreeSet<String>| !said.is_empty() && said.is_disjoint(&done.values);
        let other_text = (done.text.as_ref()).is_some_and(|text| {
            !self.texts.is_empty() && !self.texts.iter().any(|it| says(text, it))
        });
        let other_address = (done.address.as_ref()).is_some_and(|address| {
            let mut said = self
                .addresses
                .iter()
                .filter(|it| !address.was(it))
                .peekable();
            said.peek().is_some() && !said.any(|said| address.is(said))
        });
        let other_hue =
            !done.hues.is_empty() && !self.hues.is_empty() && self.hues.is_disjoint(&done.hues);
        is_other(&self.values)
            || (done.is_price() && is_other(&self.prices))
            || other_text
            || other_address
            || other_hue
    }

    /// Whether the opposite of what it says was done, or something that has nothing to do with it.
    fn is_another_deed(&self, done: &Outcome) -> bool {
        let is_opposite = match self.comes {
            Some(Coming::Comes) => done.verbs.contains(&Verb::Remove),
            Some(Coming::Goes) => done.verbs.contains(&Verb::Add),
            None => false,
        };
        let is_other_way =
            |said: Option<Trend>, done| said.is_some() && done == said.map(Trend::opposite);
        let is_other_way =
            is_other_way(self.amount, done.amount) || is_other_way(self.size, done.size);
        let goes = self.comes == Some(Coming::Goes) && done.verbs.contains(&Verb::Remove);
        let is_reworded = self.keeps_words && done.is_of_words() && !goes;
        let is_of_content = self.is_of_looks && done.is_of_content;
        is_opposite || (!self.is_met_by(done) && (is_other_way || is_reworded || is_of_content))
    }
}

/// Whether a text that stands there says what was quoted, in whole words: “29 €” does not say “9 €”.
fn says(text: &str, quoted: &str) -> bool {
    let is_cut = quoted.chars().count() >= RECORDED_CHARACTERS;
    let parts = |before: Option<char>, after: Option<char>| {
        let is_inside = |letter: Option<char>| letter.is_some_and(char::is_alphanumeric);
        !(is_inside(before) && is_inside(after))
    };
    text.match_indices(quoted).any(|(at, _)| {
        let (before, behind) = (&text[..at], &text[at + quoted.len()..]);
        parts(before.chars().next_back(), quoted.chars().next())
            && (is_cut || parts(quoted.chars().next_back(), behind.chars().next()))
    })
}

/// Whether all that a sentence says is done is done to looks: “brand name” is no word on looks, “restyle the name” is.
fn is_of_looks(text: &str, terms: &Terms) -> bool {
    const DEEDS: &[&str] = &[
        "align", "color", "darken", "enlarg", "lighten", "paint", "recolor", "redesign", "resiz",
        "restyl", "shrink", "theme", "tint", "widen",
    ];
    let is_looks = |verb: &Verb| matches!(verb, Verb::Recolour | Verb::Restyle);
    let first = text.split_whitespace().next().unwrap_or("").to_lowercase();
    let is_done = terms.is_done || DEEDS.contains(&&*plain_stem(&first));
    is_done && !terms.verbs.is_empty() && terms.verbs.iter().all(is_looks)
}

/// The colours that something gets: “turns green”, “a green background”, “make it green”; not that of “the green button”.
fn hues(words: &[String]) -> BTreeSet<Hue> {
    const SHADES: [&str; 6] = ["bright", "dark", "deep", "light", "pale", "soft"];
    let mut hues = BTreeSet::new();
    for (at, word) in words.iter().enumerate() {
        let Some(hue) = Hue::named(word) else {
            continue;
        };
        let before = (words[..at].iter().rev())
            .map(String::as_str)
            .find(|word| !SHADES.contains(word) && !matches!(*word, "a" | "an" | "the" | "more"));
        let next = words.get(at + 1).map(String::as_str);
        let is_behind = |known: &[&str]| before.is_some_and(|it| known.contains(&it));
        let is_gotten = is_behind(TO)
            || is_behind(&[
                "turns", "turn", "turned", "is", "are", "in", "be", "get", "gets",
            ])
            || next.is_none_or(|next| COLOURED.contains(&next));
        if is_gotten && !is_behind(FROM) && Hue::named(next.unwrap_or("")).is_none() {
            hues.insert(hue);
        }
    }
    hues
}

/// Quotations that something becomes.
fn texts(text: &str) -> Vec<String> {
    let is_aim = |quoted: &&str| {
        let at = quoted.as_ptr() as usize - text.as_ptr() as usize;
        let (before, behind) = (&text[..at], &text[at + quoted.len()..]);
        let is_mark = |letter: char| letter.is_whitespace() || "“”\"'`«»„‘’".contains(letter);
        let behind = behind.trim_start_matches(is_mark);
        if ARROWS.iter().any(|arrow| behind.starts_with(*arrow)) {
            return false;
        }
        let shown = before.trim_end_matches(is_mark);
        if ARROWS.iter().any(|arrow| shown.ends_with(*arrow)) {
            return true;
        }
        let before =
            before.trim_end_matches(|letter: char| !letter.is_alphanumeric() && letter != ':');
        let last = before
            .rsplit(|letter: char| !letter.is_alphanumeric())
            .next();
        let last = last.unwrap_or("").to_lowercase();
        before.ends_with(':') || TO.contains(&last.as_str()) || QUOTED_TO.contains(&last.as_str())
    };
    let aims = quoted(text).into_iter().filter(is_aim);
    aims.map(super::terms::as_recorded).collect()
}

/// Addresses that a sentence names, but for tickets (`#1234`) and for pages on which something is.
fn addresses(text: &str) -> Vec<String> {
    let Some(pattern) = &*ADDRESSES else {
        return Vec::new();
    };
    let found = pattern.captures_iter(text).filter_map(|found| found.get(1));
    found
        .filter(|found| {
            let before = text[..found.start()].split_whitespace().next_back();
            !before.is_some_and(|before| PLACES.contains(&&*before.to_lowercase()))
        })
        .map(|found| {
            let address = found.as_str().trim_end_matches(['.', ':', '!', '?']);
            address.to_lowercase()
        })
        .filter(|address| {
            let is_ticket = (address.strip_prefix('#'))
                .is_some_and(|number| number.chars().all(|it| it.is_ascii_digit()));
            let is_named = address.chars().any(char::is_alphanumeric);
            is_named && !is_ticket && !is_hex_color(address)
        })
        .collect()
}

/// Whether a sentence denies anything.
fn is_denied(text: &str) -> bool {
    const NOT: [&str; 6] = ["not", "never", "without", "no", "instead", "cannot"];
    let text = text.to_lowercase().replace('’', "'");
    text.contains("n't")
        || (text.split(|letter: char| !letter.is_alphabetic())).any(|word| NOT.contains(&word))
}

/// Whether something is said to come or to go, in plain words and without a negation.
fn coming(text: &str) -> Option<Coming> {
    const COMES: &[&str] = &["add", "append", "appear", "insert", "introduc", "show"];
    const GOES: &[&str] = &[
        "delet",
        "disappear",
        "drop",
        "elimin",
        "gone",
        "hidden",
        "hide",
        "remov",
    ];
    let stems = stems(text);
    let has = |known: &[&str]| stems.iter().any(|stem| known.contains(&stem.as_str()));
    let is_denied = is_denied(text);
    let (comes, goes) = (has(COMES), has(GOES));
    // “No longer shown” tells that it goes, “no longer hidden” and “shows fewer” leave it open.
    let goes = (goes && !is_denied) || (!goes && says_gone(text));
    match (comes && !is_denied && !has(&["fewer", "less"]), goes) {
        (true, false) => Some(Coming::Comes),
        (false, true) if !comes => Some(Coming::Goes),
        _ => None,
    }
}

/// Whether a number is said to get more or less.
pub(super) fn amount(text: &str) -> Option<Trend> {
    const MORE: &[&str] = &["grow", "higher", "increas", "rais"];
    const LESS: &[&str] = &["cheaper", "decreas", "lower", "reduc", "shrink"];
    trend(text, [MORE, LESS])
}

/// Whether something is said to get larger or smaller. (What sits *higher* or *lower* has another place.)
fn size(text: &str) -> Option<Trend> {
    const MORE: &[&str] = &[
        "bigger", "enlarg", "grow", "increas", "larger", "taller", "thicker", "wider",
    ];
    const LESS: &[&str] = &[
        "decreas", "narrow", "reduc", "shorter", "shrink", "smaller", "thinner",
    ];
    trend(text, [MORE, LESS])
}

fn trend(text: &str, [more, less]: [&[&str]; 2]) -> Option<Trend> {
    let stems = stems(text);
    let has = |known: &[&str]| stems.iter().any(|stem| known.contains(&stem.as_str()));
    match (has(more), has(less)) {
        (true, false) => Some(Trend::More),
        (false, true) => Some(Trend::Less),
        _ => None,
    }
}

fn stems(text: &str) -> Vec<String> {
    (text.split(|letter: char| !letter.is_alphabetic()))
        .map(|word| plain_stem(&word.to_lowercase()))
        .collect()
}

/// Whether captures have a value as people write it: a number, pixels, a colour. They have no `2rem` and no `50vw`.
fn is_measured(value: &str) -> bool {
    let number = value.strip_suffix("px").unwrap_or(value);
    is_hex_color(value)
        || (number.chars()).all(|letter| letter.is_ascii_digit() || matches!(letter, '.' | ','))
}

/// Whether a number stands beside the sign of a currency.
fn is_price(text: &str, number: &str) -> bool {
    text.match_indices(number).any(|(at, _)| {
        let before = text[..at].trim_end().ends_with(CURRENCIES);
        let behind = text[at + number.len()..]
            .trim_start()
            .starts_with(CURRENCIES);
        before || behind
    })
}
