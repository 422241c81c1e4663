//! The recorded styles of elements; elements with the same styles share one set.

use std::cmp::Ordering;
use std::collections::BTreeMap;

use rustc_hash::FxHashMap;
use twox_hash::XxHash3_64;

use crate::document::Span;
use crate::fingerprint::join;
use crate::sight::FAINTEST;

/// How many of the last sets are compared byte by byte before the text of a set is parsed: siblings
/// mostly share their styles.
const RECENT_SETS: usize = 6;

/// Properties that only repeat the rectangle; its changes are looked at on their own.
const GEOMETRY: [&str; 15] = [
    "block-size",
    "bottom",
    "height",
    "inline-size",
    "inset",
    "inset-block-end",
    "inset-block-start",
    "inset-inline-end",
    "inset-inline-start",
    "left",
    "perspective-origin",
    "right",
    "top",
    "transform-origin",
    "width",
];

/// Properties that an element takes from its parent.
const INHERITED: [&str; 12] = [
    "color",
    "cursor",
    "direction",
    "letter-spacing",
    "line-height",
    "list-style-type",
    "text-align",
    "text-indent",
    "text-transform",
    "visibility",
    "white-space",
    "word-spacing",
];

/// Properties that change no rectangle.
const PAINT: [&str; 8] = [
    "box-shadow",
    "color",
    "cursor",
    "opacity",
    "text-decoration-color",
    "text-decoration-line",
    "visibility",
    "z-index",
];

/// All sets of a document.
#[derive(Debug, Clone, Default)]
pub(crate) struct Styles {
    sets: Vec<Set>,
    /// Property and value, sorted by property within each set.
    pairs: Vec<(Span, Span)>,
}

#[derive(Debug, Clone)]
struct Set {
    hash: u64,
    start: u32,
    len: u32,
}

/// Finds sets by the JSON text they were read from.
#[derive(Default)]
pub(crate) struct Interner<'a> {
    known: FxHashMap<&'a str, u32>,
    recent: Vec<(&'a str, u32)>,
}

impl<'a> Interner<'a> {
    /// The latest of the recent texts that passes a test.
    pub(crate) fn find_recent(&self, mut test: impl FnMut(&str) -> bool) -> Option<(&'a str, u32)> {
        let found = self.recent.iter().rev().find(|(text, _)| test(text));
        found.copied()
    }

    pub(crate) fn get(&self, text: &str) -> Option<u32> {
        self.known.get(text).copied()
    }

    pub(crate) fn note(&mut self, text: &'a str, set: u32) {
        self.known.insert(text, set);
        self.note_recent(text, set);
    }

    pub(crate) fn note_recent(&mut self, text: &'a str, set: u32) {
        self.recent.retain(|(_, known)| *known != set);
        if self.recent.len() == RECENT_SETS {
            self.recent.remove(0);
        }
        self.recent.push((text, set));
    }
}

impl Styles {
    /// Begins with the empty set as number 0.
    pub(crate) fn new() -> Self {
        let mut styles = Self::default();
        styles.add(Vec::new(), "");
        styles
    }

    /// Whether a property says more than the rectangle does.
    pub(crate) fn is_recorded(name: &str) -> bool {
        !GEOMETRY.contains(&name)
    }

    /// Adds a set; of a repeated property the last value counts.
    pub(crate) fn add(&mut self, mut pairs: Vec<(Span, Span)>, text: &str) -> u32 {
        let name = |pair: &(Span, Span)| &text[pair.0.range()];
        pairs.reverse();
        pairs.sort_by(|one, other| name(one).cmp(name(other)));
        pairs.dedup_by(|one, other| name(one) == name(other));
        let hash = pairs.iter().fold(0, |sum, (name, value)| {
            let [name, value] =
                [name, value].map(|span| XxHash3_64::oneshot(text[span.range()].as_bytes()));
            join(sum, join(name, value))
        });
        let index = u32::try_from(self.sets.len()).expect("not more sets than nodes");
        self.sets.push(Set {
            hash,
            start: u32::try_from(self.pairs.len()).expect("the input bounds the pairs"),
            len: u32::try_from(pairs.len()).expect("parsing bounds a set"),
        });
        self.pairs.extend(pairs);
        index
    }

    /// Adds a set that has of another one this property alone.
    pub(crate) fn only(&mut self, set: u32, property: &str, text: &str) -> u32 {
        let pairs = self.pairs(set).iter();
        let kept = pairs.filter(|(name, _)| &text[name.range()] == property);
        self.add(kept.copied().collect(), text)
    }

    pub(crate) fn hash(&self, set: u32) -> u64 {
        self.sets[set as usize].hash
    }

    fn pairs(&self, set: u32) -> &[(Span, Span)] {
        let set = &self.sets[set as usize];
        &self.pairs[set.start as usize..(set.start + set.len) as usize]
    }

    /// Properties and values of a set, by property.
    pub(crate) fn entries<'t>(
        &self,
        set: u32,
        text: &'t str,
    ) -> impl Iterator<Item = (&'t str, &'t str)> {
        let pairs = self.pairs(set).iter();
        pairs.map(|(name, value)| (&text[name.range()], &text[value.range()]))
    }

    pub(crate) fn value<'t>(&self, set: u32, name: &str, text: &'t str) -> Option<&'t str> {
        let pairs = self.pairs(set);
        let found = pairs.binary_search_by(|pair| text[pair.0.range()].cmp(name));
        found.ok().map(|at| &text[pairs[at].1.range()])
    }
}

/// Properties with the value before and after.
pub(crate) type Delta = BTreeMap<String, [String; 2]>;

/// What differs between two sets. A property that only one side recorded is no difference: the two
/// were captured with different lists.
pub(crate) fn difference(
    (before, before_set, before_text): (&Styles, u32, &str),
    (after, after_set, after_text): (&Styles, u32, &str),
) -> Delta {
    let mut delta = Delta::new();
    if before.hash(before_set) == after.hash(after_set) {
        return delta;
    }
    let (mut ours, mut theirs) = (before.pairs(before_set), after.pairs(after_set));
    while let (Some((our, was)), Some((their, is))) = (ours.first(), theirs.first()) {
        let name = &before_text[our.range()];
        match name.cmp(&after_text[their.range()]) {
            Ordering::Less => ours = &ours[1..],
            Ordering::Greater => theirs = &theirs[1..],
            Ordering::Equal => {
                let [was, is] = [&before_text[was.range()], &after_text[is.range()]];
                if was != is {
                    delta.insert(name.to_owned(), [was.to_owned(), is.to_owned()]);
                }
                (ours, theirs) = (&ours[1..], &theirs[1..]);
            }
        }
    }
    delta
}

/// Whether an element that could be seen cannot be seen now.
pub(crate) fn hides(delta: &Delta) -> bool {
    let went_to = |property: &str, value: &str| {
        let change = delta.get(property);
        change.is_some_and(|[from, to]| to == value && from != value)
    };
    let fades_away = || {
        let opacity = |value: &String| value.parse::<f64>().ok();
        delta.get("opacity").is_some_and(|[from, to]| {
            opacity(from).is_none_or(|was| was > FAINTEST)
                && opacity(to).is_some_and(|is| is <= FAINTEST)
        })
    };
    went_to("visibility", "hidden") || went_to("display", "none") || fades_away()
}

/// Whether an element takes this property from its parent unless it sets its own.
pub(crate) fn is_inherited(name: &str) -> bool {
    name.starts_with("font-") || INHERITED.contains(&name)
}

/// Whether a change of this property can move or resize something.
pub(crate) fn moves_boxes(name: &str) -> bool {
    let painted =
        name.starts_with("background-") || name.ends_with("-color") || name.ends_with("-radius");
    !painted && !PAINT.contains(&name)
}

/// Whether this property's value is the text colour unless it was set.
pub(crate) fn follows_color(name: &str) -> bool {
    name != "background-color" && name.ends_with("-color")
}
