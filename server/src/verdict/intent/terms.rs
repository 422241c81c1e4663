//! What a text is about: the stems of its words, its exact values, and what it says was done.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::sync::LazyLock;

use pentimento_api::result::ChangeType;
use pentimento_document::Finding;
use regex::Regex;
use rust_stemmers::{Algorithm, Stemmer};

use super::effects;
use super::numbers::tells_a_price;
use super::quoted::{quoted, unquoted};
use super::synonyms::representative;
use super::times;
use super::vocabulary::{
    ACTIONS, NARROWER, OTHERWISE, Verb, head_nouns, is_empty_word, nouns, says_doubled, says_gone,
    says_seen_twice, subjects, verb_of_noun, verbs_of, verbs_of_finding, without_drops,
};
use crate::verdict::colour::{Hue, hex_of};

static STEMMER: LazyLock<Stemmer> = LazyLock::new(|| Stemmer::create(Algorithm::English));

static REFERENCES: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(r"\b[A-Z][A-Z0-9]+-\d+\b|\bAC\d+\b|\B#\d{1,5}\b|\bv\d+(\.\d+)*\b|(^|[^\w])[+-]\d\b")
        .ok()
});

/// Characters of a text that every document has of it; most captures record more.
const RECORDED_CHARACTERS: usize = 100;

/// What a text is about.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Terms {
    /// Stems of its words, without those that say what was done.
    pub(super) stems: BTreeSet<String>,
    /// Numbers, colours and quoted texts, in lower case.
    pub(super) exact: BTreeSet<String>,
    /// What it says was done.
    pub(super) verbs: BTreeSet<Verb>,
    /// Whether a word in it says that anything is done at all.
    pub(super) is_done: bool,
    /// Of a change, the stems of what its element is called and says itself, and of where it lies: not of what anything of its
    /// kind is called. Of the head, of which a page has one, all stems.
    pub(super) names: BTreeSet<String>,
    /// Of a change of a text, what that was and is, as it is quoted.
    edited: Option<[String; 2]>,
}

impl Terms {
    /// The terms of a sentence, and the words that they are of.
    pub(super) fn of_sentence(text: &str) -> (Self, Vec<Telling>) {
        let mut terms = Self::default();
        for quoted in quoted(text) {
            terms.exact.insert(as_recorded(quoted));
        }
        let text = without_references(text);
        let text = &*without_drops(&text);
        // “Remove the “New” badge” adds nothing.
        let said = unquoted(text);
        if says_gone(&said) || says_seen_twice(&said) {
            terms.verbs.insert(Verb::Remove);
        }
        let is_doubled = says_doubled(&said);
        let said: BTreeSet<String> = words(&said).into_iter().collect();
        let mut telling = Vec::new();
        let mut by_name = BTreeSet::new();
        for word in words(text) {
            if is_value(&word) {
                terms.exact.insert(word);
                continue;
            }
            let plain = plain_stem(&word);
            let is_action = ACTIONS.contains(&plain.as_str());
            if said.contains(&word) {
                terms.verbs.extend(verbs_of(&plain));
                by_name.extend(verb_of_noun(&plain));
                terms.is_done |= is_action;
                if OTHERWISE.contains(&word.as_str()) {
                    terms.verbs.insert(Verb::Change);
                }
                if NARROWER.contains(&word.as_str()) {
                    terms.verbs.insert(Verb::Restyle);
                }
            }
            if !is_action && !is_empty_word(&word) {
                let stem = representative(plain);
                terms.stems.insert(stem.clone());
                telling.push(Telling { word, stem });
            }
        }
        // “Correct the price” says that a text changes by its name; “make the price bold” and “fix the duplicate price” say otherwise.
        if !is_doubled && terms.verbs.iter().all(|verb| verb.is_open()) {
            terms.verbs.extend(by_name);
        }
        (terms, telling)
    }

    /// The terms of a change: what it is called, what it says, what was done.
    pub(super) fn of_finding(finding: &Finding) -> Self {
        let mut terms = Self {
            verbs: verbs_of_finding(finding)
                .into_iter()
                .chain(effects::verbs(finding))
                .collect(),
            ..Self::default()
        };
        let texts = [&finding.before, &finding.after];
        let styles = finding
            .style
            .iter()
            .flat_map(|(property, [from, to])| [property, from, to]);
        let names = [&finding.element]
            .into_iter()
            .chain(&finding.lineage)
            .chain(&finding.contains)
            .chain(&finding.text)
            .chain(&finding.beside);
        for text in texts.into_iter().flatten().chain(styles).chain(names) {
            for word in words(text) {
                if is_value(&word) {
                    terms.exact.insert(word);
                } else {
                    terms.stems.insert(stem(&word));
                }
            }
        }
        // “The text is white now”.
        for (_, [_, to]) in finding
            .style
            .iter()
            .filter(|(name, _)| name.contains("color"))
        {
            let hues = hex_of(to)
                .map(|colour| Hue::of(&colour))
                .unwrap_or_default();
            let names = hues.into_iter().flat_map(Hue::names);
            terms.stems.extend(names.map(stem));
        }
        for value in finding.style.values().flatten() {
            terms.exact.extend(hex_of(value));
            terms
                .exact
                .extend(value.strip_suffix("px").map(str::to_owned));
        }
        for text in texts.into_iter().flatten().chain(&finding.text) {
            terms.exact.insert(as_recorded(text));
            if tells_a_price(text) {
                terms.stems.extend(["price", "cost"].map(stem));
            }
        }
        let is_text = matches!(
            finding.kind,
            ChangeType::TextEdit | ChangeType::MoveWithEdit
        );
        let both = finding.before.as_ref().zip(finding.after.as_ref());
        terms.edited = (both.filter(|_| is_text && finding.attribute.is_none()))
            .map(|(before, after)| [before, after].map(|text| to_the_letter(text)));
        if times::are_told(finding) {
            terms.verbs.insert(Verb::Change);
        }
        terms
            .stems
            .extend(subjects(finding).iter().map(|subject| stem(subject)));
        let tags = std::iter::once(&finding.tag).chain(&finding.contains);
        let nouns = tags
            .flat_map(|tag| nouns(tag))
            .chain(time_nouns(finding))
            .chain(head_nouns(&finding.element))
            .copied()
            .chain(effects::words(finding));
        terms.stems.extend(nouns.map(stem));
        terms.names = if finding.tag.is_empty() {
            terms.stems.clone()
        } else {
            own_names(finding)
        };
        terms
    }

    /// Whether a change has a value to the letter. Of a text that was edited, words may be quoted that came or went.
    pub(super) fn meets(&self, value: &str) -> bool {
        let is_edited = |[was, is]: &[String; 2]| says(was, value) != says(is, value);
        let is_of_letters = value.chars().any(char::is_alphabetic);
        self.exact.contains(value) || (is_of_letters && self.edited.as_ref().is_some_and(is_edited))
    }
}

/// The stems of what the element of a change is called and says itself, of where it lies, and of what a style does to it.
fn own_names(finding: &Finding) -> BTreeSet<String> {
    let last = finding.element.rsplit([' ', '>']).next();
    let last = last.and_then(|last| last.split(':').next());
    let own = (last.into_iter())
        .chain(finding.lineage.first().map(String::as_str))
        .chain(finding.contains.iter().map(String::as_str))
        .map(|name| name.trim_start_matches(char::is_alphanumeric));
    let around = finding.lineage.iter().skip(1);
    let texts = [
        &finding.before,
        &finding.after,
        &finding.text,
        &finding.beside,
    ];
    let mut names: BTreeSet<String> = own
        .chain(around.map(String::as_str))
        .chain(texts.into_iter().flatten().map(String::as_str))
        .flat_map(words)
        .map(|word| stem(&word))
        .collect();
    // A picture that lies in a folder “images” has no name of it.
    if finding.kind == ChangeType::ImageChange {
        for noun in subjects(finding).iter().chain(nouns(&finding.tag)) {
            names.remove(&stem(noun));
        }
    }
    // What a style does to it tells it from others as well.
    names.extend(effects::words(finding).map(stem));
    names
}

/// A word of a text that says what the text is about, in lower case, and its stem.
#[derive(Debug)]
pub(super) struct Telling {
    pub(super) word: String,
    pub(super) stem: String,
}

/// A text to be met to the letter, as far as every document has it.
pub(super) fn as_recorded(text: &str) -> String {
    let beginning: String = text.trim().chars().take(RECORDED_CHARACTERS).collect();
    to_the_letter(&beginning)
}

/// A text as it is compared with what somebody quotes: apostrophes are straight where people write, and seldom on a page.
pub(super) fn to_the_letter(text: &str) -> String {
    text.trim().to_lowercase().replace(['‘', '’'], "'")
}

/// Whether a text that stands there says what was quoted, in whole words: “29 €” does not say “9 €”.
pub(super) fn says(text: &str, quoted: &str) -> bool {
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

/// What people call a text that tells the time or the day.
fn time_nouns(finding: &Finding) -> &'static [&'static str] {
    if times::are_told(finding) {
        &[
            "time",
            "clock",
            "hour",
            "timestamp",
            "stamp",
            "date",
            "moment",
            "live",
            "visit",
            "load",
            "request",
        ]
    } else {
        &[]
    }
}

/// The stem of a word, or of the word that stands for all that mean the same.
pub(super) fn stem(word: &str) -> String {
    representative(plain_stem(word))
}

/// The stem of a word in American spelling.
pub(super) fn plain_stem(word: &str) -> String {
    // The stemmer takes the d of a double one away.
    if matches!(word, "added" | "adding") {
        return "add".to_owned();
    }
    STEMMER
        .stem(&word.replace("colour", "color").replace("grey", "gray"))
        .into_owned()
}

/// A text without what only names something of the trade: tickets (`WEB-440`), criteria (`AC2`), pull requests (`#12`),
/// versions (`v3`), and how many more or fewer there are (`+1`).
pub(super) fn without_references(text: &str) -> Cow<'_, str> {
    match &*REFERENCES {
        Some(references) => references.replace_all(text, " "),
        None => Cow::Borrowed(text),
    }
}

/// A word that must be met to the letter: a number, a price, a colour.
pub(super) fn is_value(word: &str) -> bool {
    word.starts_with('#') || word.chars().any(|character| character.is_ascii_digit())
}

/// Words in lower case; names in camel case and with hyphens come apart.
pub(super) fn words(text: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut word = String::new();
    let mut last_lower = false;
    for character in text.chars() {
        let is_part = character.is_alphanumeric()
            || (character == '#' && word.is_empty())
            || (matches!(character, '.' | ',')
                && word.ends_with(|last: char| last.is_ascii_digit()));
        if !is_part || (last_lower && character.is_uppercase()) {
            words.push(std::mem::take(&mut word));
        }
        if is_part {
            word.extend(character.to_lowercase());
        }
        last_lower = character.is_lowercase();
    }
    words.push(word);
    words
        .into_iter()
        .map(|word| word.trim_end_matches(['.', ',']).to_owned())
        .map(|word| match word.strip_prefix('#') {
            Some(digits) if is_hex_color(&word) && digits.len() == 3 => {
                // “#fff” is “#ffffff”.
                let twice = digits.chars().flat_map(|digit| [digit, digit]);
                std::iter::once('#').chain(twice).collect::<String>()
            }
            Some(_) if !is_hex_color(&word) => word.trim_start_matches('#').to_owned(),
            _ => word,
        })
        .filter(|word| !word.is_empty() && word != "#")
        .collect()
}

pub(super) fn is_hex_color(word: &str) -> bool {
    let digits = word.strip_prefix('#').unwrap_or("");
    matches!(digits.len(), 3 | 6 | 8) && digits.chars().all(|digit| digit.is_ascii_hexdigit())
}
