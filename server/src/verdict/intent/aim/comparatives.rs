//! Comparatives: “darker”, “wider”, “less bold”. Each says which way something goes that can be measured.

use std::collections::BTreeSet;

use crate::verdict::intent::outcome::{Looks, Outcome, Trend};
use crate::verdict::intent::sides::Side;
use crate::verdict::intent::stays::{forbidden, plain};
use crate::verdict::intent::terms::{Terms, words};
use crate::verdict::intent::vocabulary::{DENIALS, Verb};

/// What a word may mean: of the first of these sides that is measured there is more, or less.
type Sense = (&'static [Side], Trend);

const LIGHT: &[Side] = &[Side::Ground, Side::Letters, Side::Edge];
const BOLD: &[Side] = &[Side::Weight];
const THICK: &[Side] = &[Side::Thickness];
const WIDE: &[Side] = &[Side::Width];
const HIGH: &[Side] = &[Side::Height];
const ROOM: &[Side] = &[Side::Room];
const PLACE: &[Side] = &[Side::Place];
const LETTERS: &[Side] = &[Side::Letters];

/// Words, and what each may mean.
const COMPARATIVES: &[(&str, &[Sense])] = &[
    ("darker darken darkens darkened", &[(LIGHT, Trend::Less)]),
    ("lighter", &[(LIGHT, Trend::More), (BOLD, Trend::Less)]),
    (
        "brighter brighten brightens brightened lighten lightens lightened",
        &[(LIGHT, Trend::More)],
    ),
    (
        "bold bolder heavier",
        &[(BOLD, Trend::More), (THICK, Trend::More)],
    ),
    (
        "thicker thicken thickens thickened",
        &[
            (THICK, Trend::More),
            (BOLD, Trend::More),
            (HIGH, Trend::More),
            (WIDE, Trend::More),
        ],
    ),
    (
        "thinner slimmer",
        &[
            (THICK, Trend::Less),
            (BOLD, Trend::Less),
            (HIGH, Trend::Less),
            (WIDE, Trend::Less),
        ],
    ),
    ("wider broader widen widens widened", &[(WIDE, Trend::More)]),
    ("narrower narrows narrowed", &[(WIDE, Trend::Less)]),
    ("taller", &[(HIGH, Trend::More)]),
    (
        "shorter shorten shortens shortened",
        &[
            (&[Side::Length], Trend::Less),
            (HIGH, Trend::Less),
            (WIDE, Trend::Less),
        ],
    ),
    ("rounder", &[(&[Side::Roundness], Trend::More)]),
    ("bigger larger", &[(&[Side::Extent], Trend::More)]),
    ("smaller", &[(&[Side::Extent], Trend::Less)]),
    ("tighter tighten tightens tightened", &[(ROOM, Trend::Less)]),
    ("looser loosen loosens loosened", &[(ROOM, Trend::More)]),
];

/// Plain forms of some of them, behind “more” or “less”.
const PLAIN: &[(&str, &str)] = &[
    ("big", "bigger"),
    ("bold", "bolder"),
    ("bright", "brighter"),
    ("broad", "wider"),
    ("dark", "darker"),
    ("heavy", "heavier"),
    ("large", "larger"),
    ("light", "brighter"),
    ("narrow", "narrower"),
    ("round", "rounder"),
    ("rounded", "rounder"),
    ("tall", "taller"),
    ("thick", "thicker"),
    ("thin", "thinner"),
    ("wide", "wider"),
];

/// What has a colour or a width of its own in an element, as people call it.
const TEXT: &[&str] = &[
    "copy",
    "font",
    "label",
    "labels",
    "lettering",
    "letters",
    "text",
    "texts",
    "type",
    "typeface",
    "wording",
];
const GROUND: &[&str] = &["backdrop", "background", "backgrounds", "fill", "ground"];
const EDGE: &[&str] = &["border", "borders", "divider", "outline", "rule"];
const SPACE: &[&str] = &[
    "air", "distance", "gap", "gaps", "gutter", "gutters", "indent", "margin", "margins",
    "padding", "paddings", "room", "space", "spaces", "spacing",
];

/// Words by which people grade a comparative.
const GRADES: &[&str] = &[
    "a", "an", "bit", "even", "far", "less", "little", "more", "much", "slightly", "somewhat",
    "touch",
];

/// Comparatives of one sentence that are looked at.
const MAX_SAID: usize = 20;

/// How many words before a comparative, and behind it, are asked for what it is of.
const BEFORE: usize = 10;
const BEHIND: usize = 2;

/// What the comparatives of a sentence say.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Comparatives {
    /// For each of them, what it may mean.
    said: Vec<Vec<Sense>>,
    /// What one may mean that is forbidden: “it must not get lighter”.
    forbidden: Vec<Sense>,
    /// What the sentence names: that is what lies elsewhere now.
    named: BTreeSet<String>,
}

impl Comparatives {
    /// Those of a sentence without its quotations, which has these terms.
    pub(super) fn of(text: &str, terms: &Terms) -> Self {
        let words = words(text);
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        let is_looks = |verb: &Verb| matches!(verb, Verb::Recolour | Verb::Restyle);
        let tells_more = !terms.verbs.iter().all(is_looks);
        let said = (0..words.len())
            .filter(|&at| !(is_aside(&words, at) || tells_more && is_a_name(&words, at)))
            .filter_map(|at| senses(&words, at))
            .take(MAX_SAID)
            .collect();
        let plain = plain(text);
        let forbidden = forbidden(&plain);
        let forbidden = forbidden.and_then(|word| words.iter().position(|known| *known == word));
        Self {
            said,
            forbidden: (forbidden.and_then(|at| senses(&words, at))).unwrap_or_default(),
            named: terms.stems.clone(),
        }
    }

    /// Whether there are none.
    pub(super) fn say_nothing(&self) -> bool {
        self.said.is_empty()
    }

    /// What alone of how something looks they are of.
    pub(super) fn looks(&self) -> Option<Looks> {
        const COLOURS: [Side; 4] = [Side::Ground, Side::Letters, Side::Edge, Side::Paleness];
        let sides = self.said.iter().flatten().flat_map(|(sides, _)| *sides);
        let (colours, others): (Vec<&Side>, Vec<&Side>) =
            sides.partition(|side| COLOURS.contains(side));
        match (colours.is_empty(), others.is_empty()) {
            (false, true) => Some(Looks::Colours),
            (true, false) => Some(Looks::Shape),
            _ => None,
        }
    }

    /// Whether what was done is what one of them forbids.
    pub(super) fn forbid(&self, done: &Outcome) -> bool {
        self.measured(&self.forbidden, done).any(|(_, is_so)| is_so)
    }

    /// Whether one of them says what was done.
    pub(super) fn are_met_by(&self, done: &Outcome) -> bool {
        !self.agreed(done).is_empty()
    }

    /// Whether the opposite of one was done. “The cards are wider and the sidebar is narrower” is of two things: what is said
    /// both ways of one side is never the opposite.
    pub(super) fn are_opposed_by(&self, done: &Outcome) -> bool {
        let agreed = self.agreed(done);
        let is_opposed = |senses: &Vec<Sense>| {
            let measured = || self.measured(senses, done);
            !measured().any(|(_, agrees)| agrees)
                && measured().any(|(side, _)| !agreed.contains(&side))
        };
        self.said.iter().any(is_opposed)
    }

    /// The sides of which there is as much more, or less, as is said.
    fn agreed(&self, done: &Outcome) -> BTreeSet<Side> {
        let measured = (self.said.iter()).flat_map(|senses| self.measured(senses, done));
        measured
            .filter(|(_, agrees)| *agrees)
            .map(|(side, _)| side)
            .collect()
    }

    /// Of what a comparative may mean, the sides that are measured, and whether it says what was measured.
    fn measured<'s>(
        &'s self,
        senses: &'s [Sense],
        done: &'s Outcome,
    ) -> impl Iterator<Item = (Side, bool)> + 's {
        senses.iter().filter_map(move |(sides, said)| {
            let mut known = sides.iter().filter(|side| self.is_asked(**side, done));
            known.find_map(|side| Some((*side, done.sides.get(side)? == said)))
        })
    }

    /// Whether a side tells something: where an element lies does not, if the sentence may be of what it passed.
    fn is_asked(&self, side: Side, done: &Outcome) -> bool {
        side != Side::Place || self.named.is_disjoint(&done.passed)
    }
}

/// Whether a word by itself is a comparative.
pub(super) fn is_comparative(word: &str) -> bool {
    senses(&[word], 0).is_some()
}

/// What the word at a place may mean, if it is a comparative.
fn senses(words: &[&str], at: usize) -> Option<Vec<Sense>> {
    if let Some(room) = of_room(words, at) {
        return Some(vec![(ROOM, room)]);
    }
    let before = at.checked_sub(1).map(|at| words[at]);
    let plain = || PLAIN.iter().find(|(plain, _)| *plain == words[at]);
    let (word, is_less) = match before {
        Some("more") => (plain().map_or(words[at], |(_, word)| *word), false),
        // What is too dark is to be less so.
        Some("less" | "too") => (plain()?.1, true),
        _ => (words[at], false),
    };
    let of_neighbours = of_place(words, at).or_else(|| of_adornment(words, at));
    let known = of_neighbours.or_else(|| {
        let is_it = |known: &&str| known.split(' ').any(|known| known == word);
        let mut comparatives = COMPARATIVES.iter();
        comparatives
            .find(|(known, _)| is_it(known))
            .map(|(_, senses)| *senses)
    })?;
    let mut senses: Vec<Sense> = (known.iter())
        .map(|(sides, trend)| {
            let trend = if is_less { trend.opposite() } else { *trend };
            (near(words, at, sides), trend)
        })
        .collect();
    // On a dark page a text that recedes is darker.
    if senses.contains(&(LETTERS, Trend::More)) {
        senses.push((&[Side::Paleness], Trend::More));
    }
    Some(senses)
}

/// Words that are comparatives of place or distance only beside others: “further information”, “a closer look” are none.
fn of_place(words: &[&str], at: usize) -> Option<&'static [Sense]> {
    const CLOSER: &[Sense] = &[(ROOM, Trend::Less)];
    const APART: &[Sense] = &[(ROOM, Trend::More)];
    const DOWN: &[Sense] = &[(PLACE, Trend::More)];
    const UP: &[Sense] = &[(PLACE, Trend::Less)];
    let next = words.get(at + 1).copied().unwrap_or("");
    // “Further up or down”.
    if words.get(at + 2) == Some(&"or") {
        return None;
    }
    let is_alone = matches!(
        next,
        "" | "above"
            | "and"
            | "at"
            | "below"
            | "by"
            | "down"
            | "in"
            | "now"
            | "on"
            | "than"
            | "to"
            | "together"
            | "up"
    );
    match (words[at], next) {
        ("further" | "farther", "apart" | "away" | "from") => Some(APART),
        ("further" | "farther", "below" | "down") => Some(DOWN),
        ("further" | "farther", "above" | "up") => Some(UP),
        ("closer" | "nearer", _) if is_alone => Some(CLOSER),
        ("lower", _) if is_alone => Some(DOWN),
        ("higher", _) if is_alone => Some(UP),
        _ => None,
    }
}

/// Whether a word is for room of which there is more or less: “more breathing *room*”, “less *padding*”.
fn of_room(words: &[&str], at: usize) -> Option<Trend> {
    const NEAR: usize = 2;
    if !SPACE.contains(&words[at]) {
        return None;
    }
    let mut near = words[at.saturating_sub(NEAR)..at].iter().rev();
    near.find_map(|word| match *word {
        "additional" | "extra" | "more" => Some(Trend::More),
        "less" | "reduced" => Some(Trend::Less),
        _ => None,
    })
}

/// Words for what an element may have and not have, behind one that says that it gets it: “the cards get a soft shadow”.
fn of_adornment(words: &[&str], at: usize) -> Option<&'static [Sense]> {
    const ADORNED: &[Sense] = &[(&[Side::Adornment], Trend::More)];
    const ADORNMENTS: &[&str] = &["shadow", "shadows", "underline", "underlined", "underlines"];
    const GETS: &[&str] = &[
        "add", "added", "adds", "are", "gain", "gains", "get", "gets", "got", "is", "receive",
        "receives",
    ];
    const LOSES: &[&str] = &["lose", "loses", "losing", "lost"];
    const NEAR: usize = 4;
    let near = &words[at.saturating_sub(NEAR)..at];
    let has = |known: &[&str]| near.iter().any(|word| known.contains(word));
    let is_gotten = has(GETS) && !has(LOSES);
    (ADORNMENTS.contains(&words[at]) && is_gotten).then_some(ADORNED)
}

/// The sides that a comparative is of, by the words around it: “a darker text”, “the gap is wider”.
fn near(words: &[&str], at: usize, sides: &'static [Side]) -> &'static [Side] {
    const GROUNDS: &[Side] = &[Side::Ground];
    const EDGES: &[Side] = &[Side::Edge];
    let is_joint = |word: &&&str| matches!(**word, "and" | "but" | "on" | "while" | "with");
    let behind = words[at + 1..].iter().take(BEHIND);
    let before = words[..at].iter().rev().take(BEFORE);
    let around = behind
        .take_while(|word| !is_joint(word))
        .chain(before.take_while(|word| !is_joint(word)));
    let is_light = sides == LIGHT;
    let is_long = sides == WIDE || sides == THICK;
    let mut named = around.filter_map(|word| match *word {
        word if is_light && TEXT.contains(&word) => Some(LETTERS),
        word if is_light && GROUND.contains(&word) => Some(GROUNDS),
        word if is_light && EDGE.contains(&word) => Some(EDGES),
        word if is_long && EDGE.contains(&word) => Some(THICK),
        word if is_long && SPACE.contains(&word) => Some(ROOM),
        _ => None,
    });
    named.next().unwrap_or(sides)
}

/// The last word before a place that is no word by which people grade a comparative.
fn last_before<'w>(words: &[&'w str], at: usize) -> &'w str {
    let mut before = words[..at].iter().rev();
    let word = before.find(|word| !GRADES.contains(word));
    word.copied().unwrap_or("")
}

/// Whether a comparative tells what was, what is denied, or what something is held against.
fn is_aside(words: &[&str], at: usize) -> bool {
    const WAS: &[&str] = &[
        "appeared", "been", "being", "from", "looked", "seemed", "than", "was", "were",
    ];
    // “Isn't” comes apart.
    const NOT: &[&str] = &["instead", "rather", "t"];
    const NEAR: usize = 3;
    let is_denial = |word: &&str| NOT.contains(word) || DENIALS.contains(word);
    let near = &words[at.saturating_sub(NEAR)..at];
    near.iter().any(is_denial) || WAS.contains(&last_before(words, at))
}

/// Whether a comparative only tells which one is meant: “the lower section”.
fn is_a_name(words: &[&str], at: usize) -> bool {
    const WHICH: &[&str] = &["that", "the", "these", "this", "those"];
    const ENDS: &[&str] = &[
        "and", "at", "but", "by", "for", "in", "now", "on", "or", "so", "than", "to", "when",
        "while",
    ];
    let is_before_a_thing = (words.get(at + 1)).is_some_and(|next| !ENDS.contains(next));
    is_before_a_thing && WHICH.contains(&last_before(words, at))
}
