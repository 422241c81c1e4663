//! Which way a sentence says numbers and sizes go.

use super::ways::{is_denied, stems, told};
use crate::verdict::intent::outcome::Trend;
use crate::verdict::intent::terms::{plain_stem, words};

/// Whether a number is said to get more or less.
pub(in crate::verdict::intent) fn amount(text: &str) -> Option<Trend> {
    const MORE: &[&str] = &["grow", "higher", "hike", "increas", "rais", "rise", "risen"];
    const LESS: &[&str] = &[
        "cheaper", "cut", "decreas", "discount", "lower", "reduc", "shrink",
    ];
    match (trend(text, [MORE, LESS]), rise_or_fall(text)) {
        (Some(said), Some(way)) => (said == way).then_some(said),
        (said, way) => said.or(way),
    }
}

/// Which way a number is said to go in words that are of nothing else: whatever it comes to, the other way is not meant. None
/// where one goes up and another one down.
pub(super) fn course(text: &str) -> Option<Trend> {
    const RAISED: &[&str] = &[
        "climbs",
        "increase",
        "increased",
        "increases",
        "raise",
        "raised",
        "raises",
        "rise",
        "risen",
        "rises",
    ];
    const UP: &[&str] = &["higher", "up"];
    const LOWERED: &[&str] = &[
        "decrease",
        "decreased",
        "decreases",
        "lowered",
        "lowers",
        "reduce",
        "reduced",
        "reduces",
    ];
    const DOWN: &[&str] = &["cheaper", "down", "less", "lower"];
    const WAYS: &[&str] = &["cut", "drop", "drops", "fall", "falls", "fell"];
    let words = words(told(text));
    let has = |known: &[&str]| words.iter().any(|word| known.contains(&word.as_str()));
    let ways = [RAISED, UP, LOWERED, DOWN, WAYS].concat();
    if is_of_a_discount(&words, &ways) || is_denied(&text.replace("instead", "")) {
        return None;
    }
    let is_first = (words.first()).is_some_and(|first| matches!(first.as_str(), "cut" | "lower"));
    let (rises, falls) = (up_or_down(text), falls(text));
    let is_up = has(RAISED) || rises == Some(Trend::More);
    let is_down = has(LOWERED) || is_first || falls.is_some() || rises == Some(Trend::Less);
    match (is_up, is_down) {
        (true, false) => (!has(DOWN)).then_some(Trend::More),
        (false, true) => (!has(UP)).then_some(Trend::Less),
        _ => None,
    }
}

/// Whether what goes one of these ways is a discount, which makes a price go the other one: “Increase the discount”. A price of what
/// is called so is a price: “Raise the price of the Discount plan”.
fn is_of_a_discount(words: &[String], ways: &[&str]) -> bool {
    /// Stems of words for what makes a price fall where there is more of it.
    const OFF: &[&str] = &["discount", "rebat", "save"];
    const PRICES: &[&str] = &["price", "prices", "pricing"];
    const CALLED_SO: &[&str] = &[
        "package", "packages", "plan", "plans", "price", "prices", "tier",
    ];
    const NEAR: usize = 3;
    let is_one = |word: &&String, known: &[&str]| known.contains(&word.as_str());
    (words.iter().enumerate()).any(|(at, word)| {
        let (before, behind) = (&words[..at], &words[at + 1..]);
        let is_called_so = (behind.first()).is_some_and(|next| is_one(&next, CALLED_SO));
        let before = before.iter().rev().take(NEAR);
        let mut before = before.take_while(|word| !is_one(word, PRICES));
        let behind = behind.iter().take(NEAR);
        let mut behind = behind.take_while(|word| !is_one(word, PRICES));
        OFF.contains(&&*plain_stem(word))
            && !is_called_so
            && (before.any(|word| is_one(&word, ways)) || behind.any(|word| is_one(&word, ways)))
    })
}

/// “Prices go up”, “drops to 19 €”.
fn rise_or_fall(text: &str) -> Option<Trend> {
    let ways = [up_or_down(text), falls(text)];
    let mut ways = ways.into_iter().flatten();
    let first = ways.next()?;
    ways.all(|way| way == first).then_some(first)
}

/// “Falls to 19 €”, “drops by 10 %”: what drops nowhere goes, and fall is a season.
fn falls(text: &str) -> Option<Trend> {
    const FALL: &[&str] = &["drop", "dropped", "dropping", "drops", "fall", "falling"];
    const FELL: &[&str] = &["fallen", "falls", "fell"];
    let words = words(text);
    let falls = (words.iter().enumerate()).any(|(at, word)| {
        let next = words.get(at + 1).map_or("", String::as_str);
        let goes_somewhere = matches!(next, "by" | "from" | "to");
        FELL.contains(&word.as_str()) || (FALL.contains(&word.as_str()) && goes_somewhere)
    });
    falls.then_some(Trend::Less)
}

/// “Prices go up”, “down by 10 %”.
fn up_or_down(text: &str) -> Option<Trend> {
    const GO: &[&str] = &["go", "goes", "going", "gone", "went"];
    let words = words(text);
    let is_of_amounts = |at: usize| {
        let before = at.checked_sub(1).and_then(|at| words.get(at));
        before.is_some_and(|word| GO.contains(&word.as_str()))
            || words.get(at + 1).is_some_and(|word| word == "by")
    };
    let mut ways = (words.iter().enumerate())
        .filter(|(at, _)| is_of_amounts(*at))
        .filter_map(|(_, word)| match word.as_str() {
            "up" => Some(Trend::More),
            "down" => Some(Trend::Less),
            _ => None,
        });
    let first = ways.next()?;
    ways.all(|way| way == first).then_some(first)
}

/// Whether something is said to get larger or smaller. (Of which side of it there is more or less, its comparatives say.)
pub(super) fn size(text: &str) -> Option<Trend> {
    const MORE: &[&str] = &["bigger", "enlarg", "grow", "increas", "larger"];
    const LESS: &[&str] = &["decreas", "reduc", "shrink", "smaller"];
    trend(text, [MORE, LESS]).or_else(|| too_much(text))
}

/// “Fix: headline too large”, which is to be smaller.
fn too_much(text: &str) -> Option<Trend> {
    let words = words(text);
    let way = |pair: &[String]| match (pair[0].as_str(), pair[1].as_str()) {
        ("too", "big" | "huge" | "large") => Some(Trend::Less),
        ("too", "small" | "tiny") => Some(Trend::More),
        _ => None,
    };
    words.windows(2).find_map(way)
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
