//! Texts and addresses that a sentence says something gets, or must not get.

use std::sync::LazyLock;

use regex::Regex;

use super::TO;
use super::ways::is_denied;
use crate::verdict::intent::quoted::quoted;
use crate::verdict::intent::terms::{as_recorded, is_hex_color, plain_stem, words};

/// Words before a quotation that say the same.
const QUOTED_TO: &[&str] = &["says", "say", "read", "reading", "called", "is", "into"];

/// Words before a quotation that say the same in a sentence that tells of a replacement.
const REPLACED_BY: &[&str] = &["as", "by", "with"];
const REPLACES: &[&str] = &[
    "chang",
    "exchang",
    "renam",
    "replac",
    "reword",
    "rewrit",
    "rewritten",
    "substitut",
    "swap",
];

/// Words behind a quotation for what stands in place of another.
const IN_PLACE: &[&str] = &["instead of", "rather than", "replaces", "in place of"];

/// Words before those for what a text says, where that only tells which one is meant.
const WHICH: &[&str] = &["currently", "that", "which"];

/// What stands between what something was and what it becomes.
const ARROWS: &[&str] = &["->", "=>", "→"];

/// Words before an address that tell where something is.
const PLACES: &[&str] = &["for", "from", "in", "of", "on", "page", "pages"];

static ADDRESSES: LazyLock<Option<Regex>> =
    LazyLock::new(|| Regex::new(r#"(?:^|[\s“"'`(])((?:https?://|/|#)[^\s“”"'`()<>,;]*)"#).ok());

/// Quotations that something becomes.
pub(super) fn texts(text: &str) -> Vec<String> {
    let mut said = words(text).into_iter().map(|word| plain_stem(&word));
    let replaces = said.any(|stem| REPLACES.contains(&stem.as_str()));
    let is_aim = |quoted: &&str| {
        let at = quoted.as_ptr() as usize - text.as_ptr() as usize;
        let (before, behind) = (&text[..at], &text[at + quoted.len()..]);
        let is_mark = |letter: char| letter.is_whitespace() || "“”\"'`«»„‘’".contains(letter);
        let behind = behind.trim_start_matches(is_mark);
        if ARROWS.iter().any(|arrow| behind.starts_with(*arrow)) {
            return false;
        }
        let shown = before.trim_end_matches(is_mark);
        let behind = behind.to_lowercase();
        if ARROWS.iter().any(|arrow| shown.ends_with(*arrow))
            || IN_PLACE.iter().any(|words| behind.starts_with(words))
        {
            return true;
        }
        let before =
            before.trim_end_matches(|letter: char| !letter.is_alphanumeric() && letter != ':');
        let last = before
            .rsplit(|letter: char| !letter.is_alphanumeric())
            .next();
        let last = last.unwrap_or("").to_lowercase();
        let mut words = before
            .rsplit(|letter: char| !letter.is_alphanumeric())
            .filter(|word| !word.is_empty());
        let earlier = words.nth(1).unwrap_or("").to_lowercase();
        // “The banner that says “Sale””, “the button called “Buy”” tell which one is meant.
        let is_name = WHICH.contains(&earlier.as_str())
            || (last == "called" && !["is", "now", "be"].contains(&earlier.as_str()));
        if is_name {
            return false;
        }
        let is_said = |known: &[&str]| known.contains(&last.as_str());
        before.ends_with(':')
            || is_said(TO)
            || is_said(QUOTED_TO)
            || (is_said(REPLACED_BY) && replaces)
    };
    let quoted = quoted(text);
    if quoted.is_empty() {
        return without_marks(text);
    }
    let aims = quoted.into_iter().filter(is_aim);
    aims.map(as_recorded).collect()
}

/// Texts that something becomes which nobody put between marks: what stands behind an arrow, “Old name -> New name”, and a word
/// with a capital behind one that says that it is read there, “it says Order now”.
fn without_marks(text: &str) -> Vec<String> {
    const SAYS: &[&str] = &["read", "reads", "say", "says"];
    const ENDS: &[&str] = &[",", ";", "(", " at ", " for ", " in ", " instead", " on "];
    let is_name = |word: &str| word.starts_with(char::is_alphabetic);
    let arrows = ARROWS.iter().filter_map(|arrow| text.rsplit_once(*arrow));
    let mut found: Vec<&str> = arrows
        .map(|(_, behind)| {
            let ends = ENDS.iter().filter_map(|end| behind.find(*end));
            behind[..ends.min().unwrap_or(behind.len())].trim()
        })
        .filter(|behind| is_name(behind))
        .collect();
    let words: Vec<&str> = text.split_whitespace().collect();
    for (at, pair) in words.windows(2).enumerate() {
        let before = at.checked_sub(1).map_or("", |before| words[before]);
        let is_said = SAYS.contains(&pair[0]) && !WHICH.contains(&before);
        if is_said && pair[1].starts_with(char::is_uppercase) {
            let word = pair[1]
                .split(|letter: char| !letter.is_alphanumeric())
                .next();
            found.extend(word);
        }
    }
    found.into_iter().map(as_recorded).collect()
}

/// Quotations that a negation stands right before: “must never read “undefined””.
pub(super) fn denied_texts(text: &str) -> Vec<String> {
    const NEAR: usize = 3;
    let is_denied_there = |quoted: &&str| {
        let before = &text[..quoted.as_ptr() as usize - text.as_ptr() as usize];
        let words = before
            .split_whitespace()
            .rev()
            .skip_while(|word| !word.chars().any(char::is_alphanumeric));
        let near: Vec<&str> = words.take(NEAR).collect();
        is_denied(&near.join(" ")) && !near.contains(&"instead")
    };
    let denied = quoted(text).into_iter().filter(is_denied_there);
    denied.map(as_recorded).collect()
}

/// Addresses that a sentence names, but for tickets (`#1234`) and for pages on which something is.
pub(super) fn addresses(text: &str) -> Vec<String> {
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
