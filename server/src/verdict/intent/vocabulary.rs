//! The words of the trade: for what was done, for parts of pages, and those that say nothing.

mod doubled;
mod gone;

use std::collections::{BTreeSet, HashMap, HashSet};
use std::sync::LazyLock;

use pentimento_api::result::ChangeType;
use pentimento_document::Finding;

pub(super) use doubled::{says_doubled, says_seen_twice};
pub(super) use gone::{says_ended, says_gone, spaced, without_drops};

/// Words that say nothing of what a text is about.
pub(super) fn is_empty_word(word: &str) -> bool {
    static EMPTY: LazyLock<HashSet<&str>> =
        LazyLock::new(|| EMPTY_WORDS.split_whitespace().collect());
    EMPTY.contains(word)
}

const EMPTY_WORDS: &str = "\
    a about above after again all also an and another any are around as at be because been before below \
    between both but by can different differently display displayed displays down each every few for from further had has have here \
    in into is it its just less little may more most much new no not now of off on one only or other our \
    out over own page pages same should site slightly so some such than that the their them then there \
    these they this through to too under up us very was we were when where which while who will with \
    would you your \
    chore feat wip \
    ain aren couldn didn doesn don hasn haven isn ll re s shouldn t ve wasn weren won wouldn";

/// Words that deny what stands beside them.
pub(super) const DENIALS: &[&str] = &["cannot", "neither", "never", "no", "nor", "not", "without"];

/// Words that say that something is not what it was, and not how.
pub(super) const OTHERWISE: &[&str] = &["another", "different", "differently"];

/// Words for a change of looks whose stem is a word for something else: “narrow screens”.
pub(super) const NARROWER: &[&str] = &["narrowed", "narrower"];

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

impl Verb {
    /// Whether it leaves open what becomes of something.
    pub(super) fn is_open(self) -> bool {
        matches!(self, Self::Change | Self::Replace)
    }
}

/// Stems of those words that say what was done and nothing of what it was done to.
pub(super) const ACTIONS: &[&str] = &[
    "add",
    "adjust",
    "announc",
    "append",
    "chang",
    "correct",
    "creat",
    "decreas",
    "delet",
    "drop",
    "edit",
    "elimin",
    "fix",
    "hide",
    "improv",
    "includ",
    "increas",
    "insert",
    "introduc",
    "launch",
    "lower",
    "make",
    "modifi",
    "move",
    "must",
    "rais",
    "rearrang",
    "redesign",
    "refresh",
    "relocat",
    "remov",
    "renam",
    "reorder",
    "rephras",
    "replac",
    "restyl",
    "reword",
    "rewrit",
    "rewritten",
    "rewrot",
    "set",
    "show",
    "shorten",
    "sort",
    "swap",
    "switch",
    "turn",
    "tweak",
    "updat",
    "appear",
    "becom",
    "read",
    "go",
    "vari",
    "exchang",
    "transfer",
    "invert",
    "flip",
    "supplement",
    "cancel",
    "rectifi",
    "renew",
    "put",
    "take",
    "bump",
    "repoint",
    "brighten",
    "darken",
    "enlarg",
    "highlight",
    "lighten",
    "recolor",
    "resiz",
    "shrink",
    "underlin",
    "widen",
];

/// Stems of the words that say what was done.
const VERBS: &[(Verb, &str)] = &[
    (
        Verb::Add,
        "add addit insert introduc show creat launch announc includ append more appear publish new extra greet gain join \
         list inform put post supplement contain",
    ),
    (
        Verb::Remove,
        "remov delet drop retir hide hidden elimin discontinu gone fewer clean unpublish disappear vanish goodby expir leav \
         histori obsolet outdat cut rm struck strike cancel withdraw without",
    ),
    (
        Verb::Reword,
        "reword renam rephras edit word typo rewrit rewritten rewrot rais lower increas decreas correct shorten shorter say phrase spell",
    ),
    (
        Verb::Recolour,
        "color recolor paint theme palett dark darker light lighter tint background shade tone hue brand \
         contrast pale paler soft softer mute faint fainter subtl discreet dim fade gray tender letter darken lighten brighten \
         brighter",
    ),
    (
        Verb::Restyle,
        "style restyl space spacious pad margin gap size larg larger bigger smaller font typefac typographi bold redesign \
         round rounder bolder border shadow align room distanc airi breath serif wide wider width height tall taller enlarg thick thin thinner broad \
         broader bleed stretch overlap cover layer tuck closer shrink widen resiz highlight underlin",
    ),
    (
        Verb::Replace,
        "replac swap imag photo pictur logo illustr icon artwork photograph exchang substitut motif shot",
    ),
    (
        Verb::Move,
        "move reorder rearrang sort posit relocat swap order abov below first last elsewher place exchang preced sequenc \
         trade shift earlier later befor after seat sibl neighbour neighbor adjac vice transfer flip invert spot \
         locat slide tuck",
    ),
    (
        Verb::Relink,
        "point redirect lead click land repoint resolv",
    ),
    (
        Verb::Describe,
        "titl meta metadata descript seo canon robot structur json schema index crawler browser tab snippet search noindex engin machin googl",
    ),
    (
        Verb::Change,
        "chang updat adjust tweak refresh fix improv modifi set turn make switch dynam",
    ),
];

/// Stems of names for parts of a page, for which only such a change can be meant where no other word says what was done.
const NOUNS: &[(Verb, &str)] = &[
    (Verb::Reword, "copi text label price name figur amount valu"),
    (Verb::Relink, "link url href target destin"),
];

/// What people call a field of the head.
pub(super) fn head_nouns(element: &str) -> &'static [&'static str] {
    const FIELDS: &[(&str, &[&str])] = &[
        ("title", &["title", "tab", "browser"]),
        (
            "meta[name=\"description\"]",
            &["description", "search", "result"],
        ),
        (
            "meta[name=\"robots\"]",
            &[
                "robots", "search", "engine", "google", "index", "noindex", "list",
            ],
        ),
        ("link[rel=\"canonical\"]", &["canonical", "address", "host"]),
    ];
    let is_json = element.starts_with("JSON-LD");
    let field = FIELDS.iter().find(|(field, _)| *field == element);
    match field {
        Some((_, nouns)) => nouns,
        None if is_json => &[
            "structured",
            "data",
            "schema",
            "search",
            "engine",
            "google",
            "rich",
            "offer",
            "price",
        ],
        None => &[],
    }
}

/// What people call what such a change is about.
pub(super) fn subjects(finding: &Finding) -> &'static [&'static str] {
    match finding.kind {
        ChangeType::TextEdit if finding.attribute == Some("href") => {
            &["target", "destination", "address", "href", "url"]
        }
        ChangeType::TextEdit => &["text", "copy", "wording", "label"],
        ChangeType::MoveWithEdit => &[
            "text",
            "copy",
            "wording",
            "label",
            "order",
            "position",
            "place",
            "spot",
            "elsewhere",
        ],
        ChangeType::StyleOnly => &["style", "design"],
        ChangeType::ImageChange => &[
            "image",
            "picture",
            "photo",
            "artwork",
            "illustration",
            "source",
            "src",
            "file",
            "path",
            "folder",
            "address",
            "provider",
            "cdn",
        ],
        ChangeType::Move => &[
            "order",
            "position",
            "place",
            "sequence",
            "succession",
            "seat",
            "location",
            "elsewhere",
            "neighbour",
            "neighbor",
            "sibling",
            "adjacent",
            "vice",
            "versa",
        ],
        ChangeType::MetaEdit | ChangeType::MetaInsert | ChangeType::MetaDelete => {
            &["metadata", "meta", "tag", "head", "seo"]
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

/// What people call an element of this kind.
pub(super) fn nouns(tag: &str) -> &'static [&'static str] {
    match tag {
        "h1" | "h2" | "h3" | "h4" | "h5" | "h6" => &["heading", "headline", "title", "header"],
        "a" => &["link", "anchor", "entry"],
        "button" => &["button", "cta", "action"],
        "p" => &["paragraph", "sentence", "text", "copy"],
        "img" | "picture" | "svg" => &["image", "picture", "photo", "illustration"],
        "li" => &["item", "entry", "point", "position"],
        "tr" => &["row", "line", "position"],
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

/// What was done to the element of a change.
pub(super) fn verbs_of_finding(finding: &Finding) -> BTreeSet<Verb> {
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
    let verbs = verbs.iter().copied().chain(more);
    // Who hides an element does not restyle it.
    let is_hidden = finding.hides();
    let is_looks = |verb: &Verb| matches!(verb, Verb::Restyle | Verb::Recolour);
    verbs
        .filter(|verb| !(is_hidden && is_looks(verb)))
        .collect()
}

/// What may be meant by something being done to what a stem names.
pub(super) fn verb_of_noun(stem: &str) -> Option<Verb> {
    let named = |(_, stems): &&(Verb, &str)| stems.split_whitespace().any(|known| known == stem);
    NOUNS.iter().find(named).map(|(verb, _)| *verb)
}

/// What a stem says was done.
pub(super) fn verbs_of(stem: &str) -> impl Iterator<Item = Verb> {
    static KNOWN: LazyLock<HashMap<&str, Vec<Verb>>> = LazyLock::new(|| {
        let mut known: HashMap<&str, Vec<Verb>> = HashMap::new();
        for (verb, stems) in VERBS {
            for stem in stems.split_whitespace() {
                known.entry(stem).or_default().push(*verb);
            }
        }
        known
    });
    KNOWN.get(stem).into_iter().flatten().copied()
}
