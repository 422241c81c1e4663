//! Numbers and colours that a sentence says something goes to, or must not have.

use std::collections::BTreeSet;

use super::mends::begins_with_a_mend;
use super::{Aim, FROM, TO};
use crate::verdict::intent::numbers::{is_price, plain_value};
use crate::verdict::intent::terms::{is_hex_color, is_value};

/// Words before how much something goes up or down.
const BY: &[&str] = &["by", "off", "over", "under", "above", "below", "about"];

/// Numbers of one sentence that are looked at.
const MAX_VALUES: usize = 50;

/// Words that deny a value right behind them, or behind “be”.
const NOT: &[&str] = &["cannot", "longer", "never", "not", "t"];

/// Words of sentences that say before how something should be how it was.
const WAS_WRONG: &[&str] = &[
    "accidentally",
    "but",
    "incorrectly",
    "mistakenly",
    "was",
    "were",
    "wrong",
    "wrongly",
];

impl Aim {
    /// Reads the numbers and colours that a sentence with these words names.
    pub(super) fn read_values(&mut self, blank: &str, words: &[String], is_instead: bool) {
        let (mut values, mut goes_on, mut is_corrected) = (0, false, false);
        let was_wrong = begins_with_a_mend(blank)
            || (words.iter()).any(|word| WAS_WRONG.contains(&word.as_str()));
        for (at, word) in words.iter().enumerate() {
            let before = |by: usize| at.checked_sub(by).map_or("", |at| words[at].as_str());
            let is_behind = |known: &[&str]| known.contains(&before(1));
            let is_counted = is_value(word) && is_measured(word) && values < MAX_VALUES;
            goes_on &= is_counted;
            if !is_counted {
                continue;
            }
            values += 1;
            let is_price = is_price(blank, word);
            if is_behind(NOT) || (is_behind(&["be"]) && NOT.contains(&before(2))) {
                self.denied_values.insert(plain_value(word));
                goes_on = false;
                continue;
            }
            let is_firm = is_price || word.ends_with("px") || word.starts_with('#');
            let is_due = matches!(before(2), "must" | "should")
                || (before(3) == "ought" && before(2) == "to");
            let should_be = is_firm && is_behind(&["be"]) && is_due;
            // “It was raised to $59, it should be $49”; “Pro goes to $29, Team should be $99” corrects nothing.
            if should_be && was_wrong && !is_corrected {
                if self.deny_values() {
                    (self.amount, self.course) = (None, None);
                }
                is_corrected = true;
            }
            if should_be || is_behind(TO) || (is_behind(&["be"]) && is_price) {
                self.values.push(BTreeSet::new());
                goes_on = true;
            }
            if let Some(run) = self.values.last_mut().filter(|_| goes_on) {
                run.insert(plain_value(word));
            }
            let is_former = is_behind(FROM) && !(is_instead && is_behind(&["from"]));
            if !is_former && !is_behind(BY) && is_price {
                self.prices.insert(plain_value(word));
            }
        }
        let denied = &self.denied_values;
        self.measures.retain(|measure| !denied.contains(measure));
    }

    /// What it says so far that something has, it must not have. Whether it says anything.
    fn deny_values(&mut self) -> bool {
        let values = std::mem::take(&mut self.values).into_iter().flatten();
        let mut said: BTreeSet<String> = values.collect();
        said.append(&mut self.prices);
        let is_any = !said.is_empty();
        self.denied_values.append(&mut said);
        is_any
    }
}

/// The numbers, lengths and colours among the words of a sentence.
pub(super) fn measured(words: &[String]) -> impl Iterator<Item = String> {
    let measured = (words.iter()).filter(|word| is_value(word) && is_measured(word));
    measured.map(|word| plain_value(word))
}

/// Whether captures have a value as people write it: a number, pixels, a colour. They have no `2rem` and no `50vw`.
fn is_measured(value: &str) -> bool {
    let number = value.strip_suffix("px").unwrap_or(value);
    is_hex_color(value)
        || (number.chars()).all(|letter| letter.is_ascii_digit() || matches!(letter, '.' | ','))
}
