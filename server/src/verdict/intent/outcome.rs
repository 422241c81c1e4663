//! What became of an element, as far as a sentence can say it beforehand.

use std::collections::{BTreeMap, BTreeSet};

use pentimento_api::result::ChangeType;
use pentimento_document::Finding;

use super::numbers::{number, plain_value, tells_a_price};
use super::sides::{Side, lengths, measured};
use super::terms::{Terms, is_value, stem, to_the_letter, words};
use super::vocabulary::Verb;
use crate::verdict::colour::{Hue, hex_of};

/// Properties whose lengths say whether an element got larger.
const SIZES: &[&str] = &["font-size", "width", "height", "gap", "line-height"];
const SIZE_FAMILIES: &[&str] = &["padding-", "margin-", "min-", "max-", "border-"];

/// More or less of it than there was.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Trend {
    More,
    Less,
}

impl Trend {
    pub(super) fn opposite(self) -> Self {
        match self {
            Self::More => Self::Less,
            Self::Less => Self::More,
        }
    }
}

/// What alone of how something looks is another one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Looks {
    Colours,
    /// Anything but colours.
    Shape,
}

/// Where a link led, and where it leads.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Target {
    before: String,
    after: String,
}

impl Target {
    /// Whether it leads to an address that somebody wrote down.
    pub(super) fn is(&self, said: &str) -> bool {
        leads_to(&self.after, said)
    }

    /// Whether it led there.
    pub(super) fn was(&self, said: &str) -> bool {
        leads_to(&self.before, said) && !self.is(said)
    }
}

fn leads_to(address: &str, said: &str) -> bool {
    let plain = |address: &str| address.trim_end_matches('/').to_owned();
    plain(address).ends_with(&plain(said))
}

/// What became of an element.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Outcome {
    /// What was done.
    pub(super) verbs: BTreeSet<Verb>,
    /// Whether something is there now in place of something else: nothing came, went or moved.
    pub(super) replaces: bool,
    /// Numbers and colours that are there now. Of what came, went or moved, all that it has.
    pub(super) values: BTreeSet<String>,
    /// The text that is there now in place of another one, in lower case.
    pub(super) text: Option<String>,
    /// Where a link leads now.
    pub(super) address: Option<Target>,
    /// Of the opaque colours that are there now in place of others, what they may be called.
    pub(super) hues: BTreeSet<Hue>,
    /// Which way the only number of a text went that is another one.
    pub(super) amount: Option<Trend>,
    /// Which way the lengths of an element went, where they all went the same.
    pub(super) size: Option<Trend>,
    /// Whether there is more or less of what can be measured of it.
    pub(super) sides: BTreeMap<Side, Trend>,
    /// Words of what it passed as it moved.
    pub(super) passed: BTreeSet<String>,
    /// Whether what the element says, leads to or is was changed, or it cannot be seen any more.
    pub(super) is_of_content: bool,
    /// Whether a text that was edited looks different as well.
    pub(super) is_restyled_text: bool,
    /// Of an element that looks different, whether that is of its colours or of all but them; none where it is of both.
    pub(super) looks: Option<Looks>,
}

impl Outcome {
    /// What a change came to, which has these terms.
    pub(super) fn of(finding: &Finding, terms: &Terms) -> Self {
        let is_text = matches!(
            finding.kind,
            ChangeType::TextEdit | ChangeType::MoveWithEdit
        );
        let is_link = finding.attribute == Some("href");
        let replaces = is_text
            || matches!(
                finding.kind,
                ChangeType::ImageChange
                    | ChangeType::StyleOnly
                    | ChangeType::MetaEdit
                    | ChangeType::SchemaEdit
            );
        let after = finding.after.as_deref().unwrap_or("");
        let said = is_text && finding.attribute != Some("open") && !is_link;
        let colours = || {
            let changed = finding
                .style
                .iter()
                .filter(|(name, _)| name.contains("color"));
            changed.filter_map(|(_, [_, to])| hex_of(to))
        };
        Self {
            verbs: terms.verbs.clone(),
            replaces,
            values: if replaces {
                values(finding)
            } else {
                terms.exact.iter().map(|value| plain_value(value)).collect()
            },
            text: said.then(|| to_the_letter(after)),
            address: is_link.then(|| Target {
                before: finding.before.as_deref().unwrap_or("").to_lowercase(),
                after: after.to_lowercase(),
            }),
            hues: colours().flat_map(|colour| Hue::of(&colour)).collect(),
            amount: said.then(|| amount(finding)).flatten(),
            size: size(finding),
            sides: measured(finding),
            passed: passed(finding),
            is_of_content: is_text || finding.kind == ChangeType::Delete || finding.hides(),
            is_restyled_text: finding.kind == ChangeType::TextEdit
                && finding.style.keys().any(|name| is_looks(name)),
            looks: looks(finding),
        }
    }
}

impl Outcome {
    /// Whether the text that is there now is a price.
    pub(super) fn is_price(&self) -> bool {
        self.text.as_deref().is_some_and(tells_a_price)
    }

    /// Whether what something says was changed, or it went.
    pub(super) fn is_of_words(&self) -> bool {
        self.text.is_some() || self.verbs.contains(&Verb::Remove)
    }
}

fn values(finding: &Finding) -> BTreeSet<String> {
    let mut values = BTreeSet::new();
    let styles = finding.style.values().map(|[_, to]| to);
    for text in finding.after.iter().chain(styles) {
        let words = words(text).into_iter().filter(|word| is_value(word));
        values.extend(words.map(|word| plain_value(&word)));
        values.extend(hex_of(text));
        values.extend(text.strip_suffix("px").map(plain_value));
    }
    values
}

/// Whether a property tells of looks that a text by itself does not bring along, as its size is.
fn is_looks(property: &str) -> bool {
    property.contains("color")
        || ["font-", "text-", "letter-"]
            .iter()
            .any(|family| property.starts_with(family))
        || matches!(property, "opacity" | "visibility" | "display")
}

/// What alone of how an element looks is another one. Pictures, shadows and what shines through may be of any colour.
fn looks(finding: &Finding) -> Option<Looks> {
    const PAINT: [&str; 4] = ["background", "color", "opacity", "shadow"];
    let mut names = finding.style.keys();
    let is_paint = |name: &String| PAINT.iter().any(|paint| name.contains(paint));
    if finding.kind != ChangeType::StyleOnly || finding.style.is_empty() || finding.hides() {
        None
    } else if names.clone().all(|name| name.contains("color")) {
        Some(Looks::Colours)
    } else {
        (!names.any(is_paint)).then_some(Looks::Shape)
    }
}

/// Which way the only number of a text went that is another one.
fn amount(finding: &Finding) -> Option<Trend> {
    let numbers = |text: &Option<String>| -> Vec<f64> {
        let words = words(text.as_deref().unwrap_or(""));
        (words.iter()).filter_map(|word| number(word)).collect()
    };
    let (before, after) = (numbers(&finding.before), numbers(&finding.after));
    let mut differ = before
        .iter()
        .zip(&after)
        .filter(|(was, is)| f64::abs(*is - *was) > f64::EPSILON);
    let (was, is) = differ.next().filter(|_| before.len() == after.len())?;
    let way = if is > was { Trend::More } else { Trend::Less };
    differ.next().is_none().then_some(way)
}

/// Whether something says now what programs write where a value is missing, which nobody means: “undefined €”, “Hello {{name}}”.
pub(super) fn is_a_slip(finding: &Finding) -> bool {
    const WORDS: [&str; 2] = ["NaN", "undefined"];
    const SIGNS: [&str; 2] = ["[object Object]", "{{"];
    let slips = |text: &Option<String>| {
        let text = text.as_deref().unwrap_or("");
        let mut words = text.split(|letter: char| !letter.is_alphanumeric());
        words.any(|word| WORDS.contains(&word)) || SIGNS.iter().any(|sign| text.contains(sign))
    };
    slips(&finding.after) && !slips(&finding.before)
}

/// Which way the lengths of an element's styles went, where they all went the same.
fn size(finding: &Finding) -> Option<Trend> {
    lengths(finding, |name| {
        SIZES.contains(&name) || SIZE_FAMILIES.iter().any(|family| name.starts_with(family))
    })
}

/// Words of what an element passed as it moved, which people may have meant instead of it.
fn passed(finding: &Finding) -> BTreeSet<String> {
    let beside = finding.beside.as_deref().unwrap_or("");
    words(beside).iter().map(|word| stem(word)).collect()
}
