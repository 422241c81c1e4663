//! What a text is about: the stems of its words, its exact values, and what it says was done.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use pentimento_document::Finding;
use rust_stemmers::{Algorithm, Stemmer};

use super::vocabulary::{
    ACTIONS, CURRENCIES, EMPTY_WORDS, OTHERWISE, Verb, nouns, subjects, verbs_of, verbs_of_finding,
};

static STEMMER: LazyLock<Stemmer> = LazyLock::new(|| Stemmer::create(Algorithm::English));

/// What a text is about.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Terms {
    /// Stems of its words, without those that say what was done.
    pub(super) stems: BTreeSet<String>,
    /// Numbers, colours and quoted texts, in lower case.
    pub(super) exact: BTreeSet<String>,
    /// What it says was done.
    pub(super) verbs: BTreeSet<Verb>,
}

impl Terms {
    /// The terms of a sentence.
    pub(super) fn of_sentence(text: &str) -> Self {
        let mut terms = Self::default();
        for quoted in quoted(text) {
            terms.exact.insert(quoted.to_lowercase());
        }
        for word in words(text) {
            if is_value(&word) {
                terms.exact.insert(word);
                continue;
            }
            let stem = stem(&word);
            terms.verbs.extend(verbs_of(&stem));
            if OTHERWISE.contains(&word.as_str()) {
                terms.verbs.insert(Verb::Change);
            }
            let is_empty = EMPTY_WORDS.contains(&word.as_str()) || ACTIONS.contains(&stem.as_str());
            if !is_empty {
                terms.stems.insert(stem);
            }
        }
        terms
    }

    /// The terms of a change: what it is called, what it says, what was done.
    pub(super) fn of_finding(finding: &Finding) -> Self {
        let mut terms = Self {
            verbs: verbs_of_finding(finding),
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
        for text in texts.into_iter().flatten().chain(&finding.text) {
            terms.exact.insert(text.trim().to_lowercase());
            if text.contains(CURRENCIES) {
                terms.stems.extend(["price", "cost"].map(stem));
            }
        }
        terms
            .stems
            .extend(subjects(finding.kind).iter().map(|subject| stem(subject)));
        let tags = std::iter::once(&finding.tag).chain(&finding.contains);
        let nouns = tags.flat_map(|tag| nouns(tag)).chain(times(finding));
        terms.stems.extend(nouns.map(|noun| stem(noun)));
        terms
    }
}

/// Words of a text that a change has too, as the text writes them in lower case; values and empty words aside.
pub(super) fn shared_words(text: &str, found: &Terms) -> BTreeSet<String> {
    let mut shared = words(text);
    shared.retain(|word| {
        let stem = stem(word);
        let is_empty = EMPTY_WORDS.contains(&word.as_str()) || ACTIONS.contains(&stem.as_str());
        !is_value(word) && !is_empty && found.stems.contains(&stem)
    });
    shared.into_iter().collect()
}

/// What people call a text that tells the time or the day.
fn times(finding: &Finding) -> &'static [&'static str] {
    let texts = [&finding.before, &finding.after];
    let is_clock = |text: &String| {
        let parts: Vec<&str> = text.split(':').collect();
        parts.windows(2).any(|pair| {
            pair[0].ends_with(|last: char| last.is_ascii_digit())
                && pair[1].starts_with(|first: char| first.is_ascii_digit())
        })
    };
    if texts.into_iter().flatten().any(is_clock) {
        &["time", "clock", "hour", "timestamp", "date"]
    } else {
        &[]
    }
}

/// The stem of a word in American spelling.
fn stem(word: &str) -> String {
    STEMMER
        .stem(&word.replace("colour", "color").replace("grey", "gray"))
        .into_owned()
}

/// A word that must be met to the letter: a number, a price, a colour.
fn is_value(word: &str) -> bool {
    word.starts_with('#') || word.chars().any(|character| character.is_ascii_digit())
}

/// Words in lower case; names in camel case and with hyphens come apart.
fn words(text: &str) -> Vec<String> {
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
        .map(|word| {
            if is_value(&word) && !is_hex_color(&word) {
                word.trim_start_matches('#').to_owned()
            } else {
                word
            }
        })
        .filter(|word| !word.is_empty() && word != "#")
        .collect()
}

fn is_hex_color(word: &str) -> bool {
    let digits = word.strip_prefix('#').unwrap_or("");
    matches!(digits.len(), 3 | 6 | 8) && digits.chars().all(|digit| digit.is_ascii_hexdigit())
}

/// What stands between quotation marks of one kind.
fn quoted(text: &str) -> Vec<&str> {
    let mut found = Vec::new();
    for (open, close) in [
        ('“', '”'),
        ('"', '"'),
        ('‘', '’'),
        ('`', '`'),
        ('«', '»'),
        ('„', '“'),
    ] {
        let mut rest = text;
        while let Some(start) = rest.find(open) {
            let inside = &rest[start + open.len_utf8()..];
            let Some(end) = inside.find(close) else { break };
            if !inside[..end].trim().is_empty() {
                found.push(inside[..end].trim());
            }
            rest = &inside[end + close.len_utf8()..];
        }
    }
    found
}
