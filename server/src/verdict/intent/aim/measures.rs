//! Lengths and colours that a sentence names: “a radius of 4px”, “uses #7c3aed”.

use std::collections::BTreeSet;

use crate::verdict::intent::numbers::plain_value;
use crate::verdict::intent::outcome::Outcome;
use crate::verdict::intent::terms::is_hex_color;

/// Words of sentences in which a length may be that of a screen.
const SCREENS: &[&str] = &[
    "breakpoint",
    "breakpoints",
    "desktop",
    "device",
    "devices",
    "mobile",
    "phone",
    "screen",
    "screens",
    "tablet",
    "viewport",
    "viewports",
    "window",
    "windows",
];

/// Words before what something was, or by how much it is another one.
const BEFORE: &[&str] = &[
    "above",
    "add",
    "added",
    "adding",
    "additional",
    "adds",
    "about",
    "another",
    "below",
    "by",
    "extra",
    "formerly",
    "from",
    "instead",
    "off",
    "old",
    "over",
    "plus",
    "previously",
    "than",
    "under",
    "was",
];

/// Words behind by how much it is another one.
const BEHIND: &[&str] = &[
    "bigger", "broader", "closer", "down", "farther", "further", "higher", "larger", "left",
    "less", "longer", "lower", "more", "narrower", "nearer", "over", "right", "shorter", "smaller",
    "taller", "thicker", "thinner", "up", "wider",
];

/// The measures that a sentence with these words says something has, as styles have them.
pub(super) fn measures(words: &[String]) -> BTreeSet<String> {
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    if words.iter().any(|word| SCREENS.contains(word)) {
        return BTreeSet::new();
    }
    let is_other = |at: usize| {
        let before = at.checked_sub(1).map_or("", |at| words[at]);
        let earlier = at.checked_sub(2).map_or("", |at| words[at]);
        // “Instead of 4px”; “a radius of 4px” says what it is.
        BEFORE.contains(&before) || (before == "of" && BEFORE.contains(&earlier))
    };
    let mut found = BTreeSet::new();
    for (at, word) in words.iter().enumerate() {
        let next = |by: usize| words.get(at + by).copied().unwrap_or("");
        let (measure, behind) = match word.strip_suffix("px") {
            Some(number) if is_number(number) => (plain_pixels(number), next(1)),
            None if is_number(word) && next(1) == "px" => (plain_pixels(word), next(2)),
            // Digits alone may be a ticket, and captures have no colour of eight.
            None if is_hex_color(word) && word.len() == 7 && !is_number(&word[1..]) => {
                ((*word).to_owned(), "")
            }
            _ => continue,
        };
        if !is_other(at) && !BEHIND.contains(&behind) {
            found.insert(measure);
        }
    }
    found
}

/// Whether what a style went to is of the kind of a measure, and is none of those that are said.
pub(super) fn are_others(said: &BTreeSet<String>, done: &Outcome) -> bool {
    let kinds: [fn(&str) -> bool; 2] = [is_hex_color, |value: &str| value.ends_with("px")];
    let is_of =
        |values: &BTreeSet<String>, kind: fn(&str) -> bool| values.iter().any(|value| kind(value));
    let is_measured =
        (kinds.into_iter()).any(|kind| is_of(said, kind) && is_of(&done.values, kind));
    done.text.is_none() && done.replaces && is_measured && said.is_disjoint(&done.values)
}

fn is_number(word: &str) -> bool {
    let is_digit = |letter: char| letter.is_ascii_digit() || letter == '.';
    !word.is_empty() && word.chars().all(is_digit)
}

fn plain_pixels(number: &str) -> String {
    format!("{}px", plain_value(number))
}
