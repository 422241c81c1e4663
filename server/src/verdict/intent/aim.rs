//! What a sentence says becomes of something: to what it goes, which way, and what is done to it. A change of which
//! something else became is not what was said, however many of its words it has.

mod amounts;
mod comparatives;
mod measures;
mod mends;
mod texts;
mod values;
mod ways;

use std::collections::BTreeSet;

use super::outcome::{Looks, Outcome, Trend};
use super::quoted::{quoted, unquoted};
use super::sides::Side;
use super::terms::{Terms, as_recorded, plain_stem, says, words};
use super::vocabulary::Verb;
use crate::verdict::colour::Hue;
pub(super) use amounts::amount;
use amounts::{course, size};
use comparatives::Comparatives;
use measures::{are_others, measures};
use mends::tells_what_was_wrong;
use texts::{addresses, denied_texts, texts};
use values::measured;
use ways::{
    Coming, adds, coming, forbidden_deeds, forbidden_hue, goes_as_such, is_denied, takes_back,
};

/// Words before what something goes to.
const TO: &[&str] = &["to", "becomes", "become", "reads", "now"];

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

/// Words before what something was.
const FROM: &[&str] = &[
    "from",
    "was",
    "of",
    "instead",
    "old",
    "formerly",
    "previously",
    "than",
];

/// What a sentence says becomes of something.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Aim {
    /// Numbers and colours that something goes to: “to 29 €”, “becomes #fff”; those that stand together each.
    values: Vec<BTreeSet<String>>,
    /// Lengths and colours that something has now, whatever word stands before them.
    measures: BTreeSet<String>,
    /// Prices, but for those that were.
    prices: BTreeSet<String>,
    /// Numbers and colours that something must not have.
    denied_values: BTreeSet<String>,
    /// Texts that something becomes, in lower case.
    texts: Vec<String>,
    /// Texts that something must not become.
    denied_texts: Vec<String>,
    /// Addresses that it names.
    addresses: Vec<String>,
    /// Colours that it names.
    hues: BTreeSet<Hue>,
    /// A colour that something must not have.
    denied_hue: Option<Hue>,
    /// What must not be done.
    denied_deeds: BTreeSet<Verb>,
    /// Whether something comes or goes.
    comes: Option<Coming>,
    /// The same of a thing as such, where no word is of what it says or how it looks.
    as_such: Option<Coming>,
    /// Whether something is added to what is there.
    adds: bool,
    /// Whether a number gets more or less.
    amount: Option<Trend>,
    /// The same in words that are of nothing else.
    course: Option<Trend>,
    /// Whether something gets larger or smaller.
    size: Option<Trend>,
    /// What gets darker, wider, bolder.
    comparatives: Comparatives,
    /// Whether all that it says is done is done to looks.
    is_of_looks: bool,
    /// Whether that is done to colours alone, or to all but them.
    looks: Option<Looks>,
    /// Whether it says besides that the words stay.
    pub(super) keeps_words: bool,
}

impl Aim {
    /// What a sentence says, which has these terms.
    pub(super) fn of(text: &str, terms: &Terms) -> Self {
        let blank = unquoted(text);
        // “It reads “Order” instead of “Buy”” denies nothing, and “from 29 € instead of 19 €” is what it begins at.
        let is_instead = blank.contains("instead of");
        let is_denied = is_denied(&blank.replace("instead", ""));
        let words = words(&blank);
        let is_back = takes_back(&blank);
        let way = |said: Option<Trend>| {
            if is_back {
                said.map(Trend::opposite)
            } else {
                said
            }
        };
        let comes = coming(&blank);
        let is_of_a_thing =
            |verb: &Verb| verb.is_open() || matches!(verb, Verb::Add | Verb::Remove);
        let goes_as_such =
            !is_back && goes_as_such(&blank) && terms.verbs.iter().all(is_of_a_thing);
        let mut aim = Self {
            texts: if is_denied { Vec::new() } else { texts(text) },
            denied_texts: denied_texts(text),
            addresses: addresses(text),
            measures: measures(&words),
            denied_hue: forbidden_hue(&blank),
            denied_deeds: forbidden_deeds(&blank),
            comes: if is_back {
                comes.map(Coming::opposite)
            } else {
                comes
            },
            as_such: goes_as_such.then_some(Coming::Goes),
            adds: !is_back && adds(&blank),
            amount: way(amount(&blank)),
            course: way(course(&blank)),
            size: way(size(&blank)),
            comparatives: if is_back {
                Comparatives::default()
            } else {
                Comparatives::of(&blank, terms)
            },
            is_of_looks: is_of_looks(&blank, terms),
            ..Self::default()
        };
        aim.read_values(&blank, &words, is_instead);
        if !is_denied {
            aim.hues = hues(&words);
        }
        if tells_what_was_wrong(&blank) {
            aim.deny(text, &words);
        }
        aim.looks = aim.looks_alone(&terms.verbs);
        aim
    }

    /// What it says something had is what it must not have. How it is right is not said, so that anything else is no more than what
    /// it names.
    fn deny(&mut self, text: &str, words: &[String]) {
        let values = self.values.iter().flatten().chain(&self.prices);
        let values = values.chain(&self.measures).cloned();
        self.denied_values.extend(values.chain(measured(words)));
        let texts = quoted(text).into_iter().map(as_recorded);
        self.denied_texts
            .extend(self.texts.iter().cloned().chain(texts));
        let hue = words.iter().rev().find_map(|word| Hue::named(word));
        self.denied_hue = self.denied_hue.or(hue);
    }

    /// What alone of how something looks it says is another one: colours where it names one or compares them, and no other side.
    fn looks_alone(&self, verbs: &BTreeSet<Verb>) -> Option<Looks> {
        let looks = match self.comparatives.looks() {
            None if !self.hues.is_empty() && self.comparatives.say_nothing() => {
                Some(Looks::Colours)
            }
            Some(Looks::Shape) if !self.hues.is_empty() => None,
            looks => looks,
        };
        let is_of_it = |verb: &Verb| match looks {
            Some(Looks::Colours) => matches!(verb, Verb::Recolour | Verb::Change),
            _ => *verb != Verb::Recolour,
        };
        looks.filter(|_| verbs.iter().all(is_of_it))
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
        self.is_met_to_the_letter(done) || !self.hues.is_disjoint(&done.hues)
    }

    fn is_met_to_the_letter(&self, done: &Outcome) -> bool {
        self.values.iter().any(|run| run.is_subset(&done.values))
            || (done.is_price() && !self.prices.is_disjoint(&done.values))
            || (done.text.as_ref()).is_some_and(|text| self.texts.iter().any(|it| says(text, it)))
            || (done.address.as_ref())
                .is_some_and(|address| self.addresses.iter().any(|it| address.is(it)))
            || !self.measures.is_disjoint(&done.values)
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
        let other_hue = (self.denied_hue).is_some_and(|hue| done.hues.contains(&hue))
            || (!done.hues.is_empty()
                && !self.hues.is_empty()
                && self.hues.is_disjoint(&done.hues));
        let goes_elsewhere =
            !self.values.is_empty() && !self.values.iter().any(|run| run.is_subset(&done.values));
        let is_denied = (done.text.as_ref())
            .is_some_and(|text| self.denied_texts.iter().any(|it| says(text, it)));
        goes_elsewhere
            || is_denied
            || !self.denied_values.is_disjoint(&done.values)
            || (done.is_price() && is_other(&self.prices))
            || other_text
            || other_address
            || other_hue
            || are_others(&self.measures, done)
    }

    /// Whether the opposite of what it says was done, or something that has nothing to do with it.
    fn is_another_deed(&self, done: &Outcome) -> bool {
        let is_opposite = match self.comes {
            Some(Coming::Comes) => done.verbs.contains(&Verb::Remove),
            Some(Coming::Goes) => done.verbs.contains(&Verb::Add),
            None => false,
        };
        let went = |way: Trend| {
            let adorned = done.sides.get(&Side::Adornment);
            done.size == Some(way) || adorned == Some(&way)
        };
        let is_grown = self.comes == Some(Coming::Goes) && went(Trend::More);
        // What is added may take the room around it.
        let is_shrunk = self.adds
            && went(Trend::Less)
            && !done.sides.contains_key(&Side::Room)
            && !self.is_its_way(done);
        // What was to go is there, and reads or looks otherwise.
        let is_shorter = done.sides.get(&Side::Length) == Some(&Trend::Less);
        let is_there = self.as_such == Some(Coming::Goes)
            && !done.verbs.contains(&Verb::Remove)
            && ((done.text.is_some() && !is_shorter) || done.looks == Some(Looks::Colours));
        let goes = self.comes == Some(Coming::Goes) && done.verbs.contains(&Verb::Remove);
        let is_reworded = self.keeps_words && done.is_of_words() && !goes;
        let is_of_content = self.is_of_looks && done.is_of_content;
        let is_of_other_looks =
            self.looks.is_some() && done.looks.is_some() && self.looks != done.looks;
        is_opposite
            || is_grown
            || self.is_other_way(done)
            || self.comparatives.forbid(done)
            || !self.denied_deeds.is_disjoint(&done.verbs)
            || (!self.is_met_by(done)
                && (is_shrunk || is_there || is_reworded || is_of_content || is_of_other_looks))
    }

    /// Whether a change went the other way than it says, and to nothing else that it says.
    pub(super) fn is_other_way(&self, done: &Outcome) -> bool {
        let is_opposed =
            |said: Option<Trend>, done| said.is_some() && done == said.map(Trend::opposite);
        // “Pro goes up to $49” is not met by a plan that falls to it.
        let goes_back = is_opposed(self.course, done.amount);
        let is_opposed = is_opposed(self.amount, done.amount) || is_opposed(self.size, done.size);
        // What was to be a lighter grey is not met by a darker one.
        goes_back
            || (is_opposed && !self.is_met_by(done))
            || (self.comparatives.are_opposed_by(done) && !self.is_met_to_the_letter(done))
    }

    /// Whether a change went the way that it says.
    pub(super) fn is_its_way(&self, done: &Outcome) -> bool {
        let is_same = |said: Option<Trend>, done| said.is_some() && done == said;
        is_same(self.amount, done.amount)
            || is_same(self.size, done.size)
            || self.comparatives.are_met_by(done)
    }
}

/// Whether all that a sentence says is done is done to looks: “brand name” is no word on looks, “restyle the name” is.
fn is_of_looks(text: &str, terms: &Terms) -> bool {
    const DEEDS: &[&str] = &[
        "align", "color", "darken", "enlarg", "lighten", "paint", "recolor", "redesign", "resiz",
        "restyl", "shrink", "theme", "tint", "widen",
    ];
    /// Stems of words that are as well for what a page tells of: a brand, a room, a letter.
    const AMBIGUOUS: &[&str] = &[
        "brand", "contrast", "cover", "distanc", "letter", "light", "room", "round", "size",
    ];
    let is_looks = |verb: &Verb| matches!(verb, Verb::Recolour | Verb::Restyle);
    let is_ambiguous = |word: &String| AMBIGUOUS.contains(&&*plain_stem(word));
    let is_open = terms.verbs.contains(&Verb::Change) && words(text).iter().any(is_ambiguous);
    let mut deeds = (terms.verbs.iter())
        .filter(|verb| **verb != Verb::Change)
        .peekable();
    let first = text.split_whitespace().next().unwrap_or("").to_lowercase();
    let is_done = terms.is_done || DEEDS.contains(&&*plain_stem(&first));
    is_done && !is_open && deeds.peek().is_some() && deeds.all(is_looks)
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
