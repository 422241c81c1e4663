//! Whether a statement means the element of a change, or one like it: “swap the hero image” is no word on the other pictures of a
//! page, and a rise of the Pro plan none on the Team plan.

use std::collections::BTreeSet;

use super::outcome::Outcome;
use super::promise::COVERED;
use super::quoted::unquoted;
use super::statement::Statement;
use super::terms::{Telling, Terms, plain_stem, stem};
use super::vocabulary::{Verb, verbs_of};
use super::weight::{share, weight};
use crate::verdict::colour::Hue;

/// Names of which what is said of one is not said of another; words for the same one stand together.
const ROWS: &[&[&str]] = &[
    &[
        "starter",
        "basic",
        "hobby",
        "solo",
        "standard",
        "pro",
        "premium",
        "team teams",
        "business",
        "enterprise",
    ],
    &["daily", "weekly", "monthly", "yearly annual annually"],
    &["header", "footer", "sidebar aside"],
    &["primary", "secondary", "tertiary"],
    &[
        "avatar",
        "favicon",
        "hero",
        "icon",
        "logo",
        "portrait",
        "thumbnail",
    ],
];

/// Words before one for a picture that say which one it is.
const PICTURES: &[&str] = &[
    "avatar",
    "background",
    "banner",
    "cover",
    "footer",
    "header",
    "hero",
    "icon",
    "logo",
    "teaser",
    "thumbnail",
];

/// Share of a statement's words up to which those words alone that fit anything of a kind do not say which one is meant.
const AT_MOST_HALF: f64 = 0.5;

/// Whether a change is of another element than a statement names, as far as its names and texts tell.
pub(super) fn is_of_another(said: &Statement, found: &Terms, done: &Outcome) -> bool {
    is_of_a_rival(said, found)
        || is_of_another_picture(said, found)
        || is_excepted(said, found)
        || is_only_where_it_is(said, found, done)
        || fits_any_of_its_kind(said, found, done)
}

/// Whether a statement names one of a row, and the change is of another one of it.
fn is_of_a_rival(said: &Statement, found: &Terms) -> bool {
    let is_said = |name: &str| {
        let mut words = said.words.iter();
        words.any(|word| name.split(' ').any(|known| known == word.word))
    };
    let is_in = |stems: &BTreeSet<String>, name: &str| {
        let mut words = name.split(' ');
        words.any(|word| stems.contains(&stem(word)))
    };
    ROWS.iter().any(|row| {
        let (named, others): (Vec<&str>, Vec<&str>) =
            row.iter().copied().partition(|name| is_said(name));
        !named.is_empty()
            && !named.iter().any(|name| is_in(&found.stems, name))
            && others.iter().any(|name| is_in(&found.names, name))
    })
}

/// Whether a change is what a statement leaves out.
fn is_excepted(said: &Statement, found: &Terms) -> bool {
    share(&said.excepted, &found.stems) >= COVERED
}

/// Whether what came or went is only where a statement says that something else does: “remove the close button from the banner”
/// removes no banner.
fn is_only_where_it_is(said: &Statement, found: &Terms, done: &Outcome) -> bool {
    const DEEDS: &[&str] = &["add", "delet", "drop", "hide", "insert", "remov", "show"];
    const PLACES: &[&str] = &[
        "above", "at", "below", "beside", "from", "in", "inside", "into", "on", "onto", "to",
        "under", "within",
    ];
    const FIRST: usize = 3;
    fn is_deed(word: &str) -> bool {
        DEEDS.contains(&&*plain_stem(&word.to_lowercase()))
    }
    /// “Hide/remove”, “feat:remove”; not “on/off”.
    fn apart(word: &str) -> Vec<&str> {
        let parts: Vec<&str> = word.split(['/', ':']).collect();
        if parts.iter().any(|part| is_deed(part)) {
            parts
        } else {
            vec![word]
        }
    }
    if done.replaces || !(done.verbs.contains(&Verb::Add) || done.verbs.contains(&Verb::Remove)) {
        return false;
    }
    // “An opt-in checkbox” lies in nothing.
    let said = unquoted(&said.text);
    let said: Vec<&str> = (said.split_whitespace().flat_map(apart))
        .map(|word| word.trim_matches(|letter: char| !letter.is_alphanumeric()))
        .filter(|word| !word.is_empty())
        .collect();
    let mut first = said.iter().take(FIRST);
    let Some(deed) = first.position(|word| is_deed(word)) else {
        return false;
    };
    let behind = &said[deed + 1..];
    let is_place = |word: &&str| PLACES.contains(&&*word.to_lowercase());
    let Some(place) = behind.iter().position(is_place) else {
        return false;
    };
    let (things, _) = Terms::of_sentence(&behind[..place].join(" "));
    let mut things = (things.stems.iter())
        .filter(|stem| weight(stem) >= 1.0)
        .peekable();
    things.peek().is_some() && !things.any(|stem| found.stems.contains(stem))
}

/// Whether a statement is about a picture that is called what the change is not: “the hero image on the team page”.
fn is_of_another_picture(said: &Statement, found: &Terms) -> bool {
    let picture = stem("picture");
    (said.words.windows(2)).any(|pair| {
        pair[1].stem == picture
            && PICTURES.contains(&pair[0].word.as_str())
            && !found.stems.contains(&pair[0].stem)
    })
}

/// Whether a change has no more of a statement than what anything of its kind is called, or no more than one number, although
/// the statement says which one it means.
fn fits_any_of_its_kind(said: &Statement, found: &Terms, done: &Outcome) -> bool {
    const BACK: &[&str] = &["restore", "revert", "reverts", "rollback", "undo"];
    let met = said.met(found);
    let is_named = met
        .iter()
        .any(|stem| weight(stem) >= 1.0 && found.names.contains(*stem));
    // “Larger”, “red” and “undo” tell what becomes of it.
    let tells_which = |telling: &Telling| {
        weight(&telling.stem) >= 1.0
            && !BACK.contains(&telling.word.as_str())
            && !found.stems.contains(&telling.stem)
            && verbs_of(&plain_stem(&telling.word)).next().is_none()
            && Hue::named(&telling.word).is_none()
    };
    if is_named || !said.words.iter().any(tells_which) {
        return false;
    }
    let is_number =
        |value: &str| !value.starts_with('#') && !value.chars().any(char::is_alphabetic);
    let values: Vec<&String> = (said.terms.exact.iter())
        .filter(|value| found.meets(value))
        .collect();
    match values.as_slice() {
        [] => !said.aim.is_met_by(done) && said.share_of_words(found) <= AT_MOST_HALF,
        [value] => met.is_empty() && is_number(value),
        _ => false,
    }
}
