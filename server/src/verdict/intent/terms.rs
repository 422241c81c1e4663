//! What a text is about: the stems of its words, its exact values, and what it says was done.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use pentimento_api::result::ChangeType;
use pentimento_document::Finding;
use rust_stemmers::{Algorithm, Stemmer};

static STEMMER: LazyLock<Stemmer> = LazyLock::new(|| Stemmer::create(Algorithm::English));

/// Words that say nothing of what a text is about.
const EMPTY_WORDS: &[&str] = &[
    "a",
    "about",
    "above",
    "after",
    "again",
    "all",
    "also",
    "an",
    "and",
    "another",
    "any",
    "are",
    "around",
    "as",
    "at",
    "be",
    "because",
    "been",
    "before",
    "below",
    "between",
    "both",
    "but",
    "by",
    "can",
    "different",
    "differently",
    "down",
    "each",
    "every",
    "few",
    "for",
    "from",
    "further",
    "had",
    "has",
    "have",
    "here",
    "in",
    "into",
    "is",
    "it",
    "its",
    "just",
    "less",
    "little",
    "may",
    "more",
    "most",
    "much",
    "new",
    "no",
    "not",
    "now",
    "of",
    "off",
    "on",
    "one",
    "only",
    "or",
    "other",
    "our",
    "out",
    "over",
    "own",
    "page",
    "pages",
    "same",
    "should",
    "site",
    "slightly",
    "so",
    "some",
    "such",
    "than",
    "that",
    "the",
    "their",
    "them",
    "then",
    "there",
    "these",
    "they",
    "this",
    "through",
    "to",
    "too",
    "under",
    "up",
    "us",
    "very",
    "was",
    "we",
    "were",
    "when",
    "where",
    "which",
    "while",
    "who",
    "will",
    "with",
    "would",
    "you",
    "your",
];

/// Words that say that something is not what it was, and not how.
const OTHERWISE: &[&str] = &["another", "different", "differently"];

/// What can be done to an element.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Verb {
    Add,
    Remove,
    Reword,
    Recolour,
    Restyle,
    Replace,
    Move,
    Relink,
    Describe,
    /// Something was done; which of these is left open.
    Change,
}

/// Stems of those words that say what was done and nothing of what it was done to.
const ACTIONS: &[&str] = &[
    "add", "adjust", "announc", "append", "chang", "correct", "creat", "decreas", "delet", "drop",
    "edit", "elimin", "fix", "hide", "improv", "includ", "increas", "insert", "introduc", "launch",
    "lower", "make", "modifi", "move", "must", "rais", "rearrang", "redesign", "refresh",
    "relocat", "remov", "renam", "reorder", "rephras", "replac", "restyl", "reword", "rewrit",
    "set", "show", "shorten", "sort", "swap", "switch", "turn", "tweak", "updat", "appear",
    "becom", "read", "go",
];

/// Signs that make a text a price.
const CURRENCIES: [char; 5] = ['€', '$', '£', '¥', '₹'];

/// Stems of the words that say what was done.
const VERBS: &[(Verb, &[&str])] = &[
    (
        Verb::Add,
        &[
            "add", "insert", "introduc", "show", "creat", "launch", "announc", "includ", "append",
            "more",
        ],
    ),
    (
        Verb::Remove,
        &[
            "remov",
            "delet",
            "drop",
            "retir",
            "hide",
            "elimin",
            "discontinu",
            "gone",
            "fewer",
            "clean",
        ],
    ),
    (
        Verb::Reword,
        &[
            "reword", "renam", "rephras", "edit", "copi", "text", "word", "typo", "label",
            "rewrit", "price", "rais", "lower", "increas", "decreas", "correct", "shorten",
        ],
    ),
    (
        Verb::Recolour,
        &[
            "color",
            "colour",
            "recolor",
            "recolour",
            "paint",
            "theme",
            "palett",
            "dark",
            "darker",
            "light",
            "lighter",
            "tint",
            "background",
        ],
    ),
    (
        Verb::Restyle,
        &[
            "style",
            "restyl",
            "space",
            "spacious",
            "pad",
            "margin",
            "gap",
            "size",
            "larg",
            "larger",
            "bigger",
            "smaller",
            "font",
            "typefac",
            "typographi",
            "bold",
            "redesign",
            "round",
            "border",
            "shadow",
            "align",
            "room",
        ],
    ),
    (
        Verb::Replace,
        &[
            "replac",
            "swap",
            "imag",
            "photo",
            "pictur",
            "logo",
            "illustr",
            "icon",
            "artwork",
            "photograph",
        ],
    ),
    (
        Verb::Move,
        &[
            "move", "reorder", "rearrang", "sort", "posit", "relocat", "swap", "order", "abov",
            "below", "first", "last",
        ],
    ),
    (
        Verb::Relink,
        &[
            "link", "url", "href", "point", "redirect", "target", "destin", "lead",
        ],
    ),
    (
        Verb::Describe,
        &[
            "titl", "meta", "metadata", "descript", "seo", "canon", "robot", "structur", "json",
            "schema", "index",
        ],
    ),
    (
        Verb::Change,
        &[
            "chang", "updat", "adjust", "tweak", "refresh", "fix", "improv", "modifi", "set",
            "turn", "make", "switch",
        ],
    ),
];

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

/// What people call what such a change is about.
fn subjects(kind: ChangeType) -> &'static [&'static str] {
    match kind {
        ChangeType::TextEdit | ChangeType::MoveWithEdit => &["text", "copy", "wording", "label"],
        ChangeType::StyleOnly => &["style", "design"],
        ChangeType::ImageChange => &["image", "picture", "photo", "artwork", "illustration"],
        ChangeType::Move => &["order", "position", "place"],
        ChangeType::MetaEdit | ChangeType::MetaInsert | ChangeType::MetaDelete => {
            &["metadata", "head", "seo"]
        }
        ChangeType::SchemaEdit | ChangeType::SchemaInsert | ChangeType::SchemaDelete => {
            &["structured", "data", "schema"]
        }
        ChangeType::Insert
        | ChangeType::Delete
        | ChangeType::StickyReposition
        | ChangeType::ReflowDisplacement => &[],
    }
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

/// What people call an element of this kind.
fn nouns(tag: &str) -> &'static [&'static str] {
    match tag {
        "h1" | "h2" | "h3" | "h4" | "h5" | "h6" => &["heading", "headline", "title", "header"],
        "a" => &["link", "anchor", "entry"],
        "button" => &["button", "cta", "action"],
        "p" => &["paragraph", "sentence", "text", "copy"],
        "img" | "picture" | "svg" => &["image", "picture", "photo", "illustration"],
        "li" => &["item", "entry", "point"],
        "tr" => &["row", "line"],
        "td" | "th" => &["cell", "column", "figure"],
        "nav" => &["navigation", "menu"],
        "input" | "select" | "textarea" => &["field", "input"],
        "label" => &["label", "field"],
        "section" | "article" => &["section", "block", "card"],
        "aside" => &["sidebar", "aside", "notice"],
        "div" => &["block", "box", "banner", "card"],
        "blockquote" | "q" => &["quote", "quotation", "testimonial"],
        "form" => &["form"],
        "table" => &["table"],
        "ul" | "ol" | "dl" => &["list"],
        "figure" => &["figure", "picture"],
        "footer" => &["footer"],
        "header" => &["header"],
        _ => &[],
    }
}

fn verbs_of_finding(finding: &Finding) -> BTreeSet<Verb> {
    let styled = !finding.style.is_empty();
    let coloured = finding
        .style
        .keys()
        .any(|property| property.contains("color"));
    let verbs: &[Verb] = match (finding.kind, finding.attribute) {
        (ChangeType::TextEdit, Some("href")) => &[Verb::Relink, Verb::Reword],
        (ChangeType::TextEdit, _) => &[Verb::Reword],
        (ChangeType::Insert, _) => &[Verb::Add],
        (ChangeType::Delete, _) => &[Verb::Remove],
        (ChangeType::ImageChange, _) => &[Verb::Replace],
        (ChangeType::Move, _) => &[Verb::Move],
        (ChangeType::MoveWithEdit, _) => &[Verb::Move, Verb::Reword],
        (
            ChangeType::StyleOnly | ChangeType::StickyReposition | ChangeType::ReflowDisplacement,
            _,
        ) => &[Verb::Restyle],
        (ChangeType::MetaInsert | ChangeType::SchemaInsert, _) => &[Verb::Describe, Verb::Add],
        (ChangeType::MetaDelete | ChangeType::SchemaDelete, _) => &[Verb::Describe, Verb::Remove],
        (ChangeType::MetaEdit | ChangeType::SchemaEdit, _) => &[Verb::Describe, Verb::Reword],
    };
    let more = [(styled, Verb::Restyle), (coloured, Verb::Recolour)];
    let more = more
        .into_iter()
        .filter(|(is_so, _)| *is_so)
        .map(|(_, verb)| verb);
    verbs.iter().copied().chain(more).collect()
}

fn verbs_of(stem: &str) -> impl Iterator<Item = Verb> + use<'_> {
    VERBS
        .iter()
        .filter(move |(_, stems)| stems.contains(&stem))
        .map(|(verb, _)| *verb)
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
