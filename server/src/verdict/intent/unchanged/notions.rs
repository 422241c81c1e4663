//! What single words say on whether something changes to the eye.

use std::collections::HashMap;
use std::sync::LazyLock;

/// What a word says for the matter.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Notion {
    /// No, not.
    Negation,
    /// Nothing and nobody, which need no other word for what does not change.
    Nothing,
    Change,
    /// How something looks, or the people who look at it.
    Look,
    /// One side of how it looks: the others may change.
    Aspect,
    Page,
    People,
    Notice,
    Same,
    /// What makes the sentence speak of all but a part, or of a part alone.
    Rest,
    Planned,
}

/// The words of each notion.
const WORDS: &[(Notion, &str)] = &[
    (
        Notion::Negation,
        "no zero without not never cannot neither nor",
    ),
    (Notion::Nothing, "nothing nobody none"),
    (
        Notion::Change,
        "change changes changed changing diff diffs difference differences differ differs differing different differently effect \
         effects impact impacts affect affects affected alter alters altered altering affecting deviation deviations modification modifications modified bearing consequence consequences influence influences touch touches touched \
         regression regressions",
    ),
    (
        Notion::Look,
        "visual visually visuals visible visibly ui ux facing look looks looking appearance appear appears screen screens \
         screenshot screenshots baseline baselines snapshot snapshots surface frontend pixel pixels eye cosmetic render renders rendered rendering cosmetically displayed optical optically browser",
    ),
    (
        Notion::Aspect,
        "layout layouts markup design styling style styles output html css scss files bytes bundle",
    ),
    (Notion::Page, "page pages site website everything views"),
    (
        Notion::People,
        "user users visitor visitors humans public audience customer customers reader readers people reviewer reviewers you anybody anyone client \
         clients guests",
    ),
    (
        Notion::Notice,
        "notice notices noticed see sees seen spot perceive tell feel noticeable aware realise realize",
    ),
    (
        Notion::Same,
        "same identical identically indistinguishable unchanged unaffected unaltered untouched alike equal equivalent",
    ),
    (
        Notion::Rest,
        "else other others otherwise except besides apart aside beyond rest remaining but its their content wording copy \
         text texts",
    ),
    (
        Notion::Planned,
        "expected intended planned wanted foreseen anticipated",
    ),
];

static NOTIONS: LazyLock<HashMap<&str, Notion>> = LazyLock::new(|| {
    let words = |(notion, words): &(Notion, &'static str)| {
        let notion = *notion;
        words.split_whitespace().map(move |word| (word, notion))
    };
    WORDS.iter().flat_map(words).collect()
});

/// What the word at this place says.
pub(super) fn notion(words: &[String], at: usize) -> Option<Notion> {
    let word = words[at].strip_suffix("'s").unwrap_or(&words[at]);
    let next = words.get(at + 1).map_or("", String::as_str);
    if word.ends_with("n't") {
        return Some(Notion::Negation);
    }
    // “0 differences”.
    if word == "0" && NOTIONS.get(next) == Some(&Notion::Change) {
        return Some(Notion::Negation);
    }
    // “No longer” tells of a change.
    if word == "no" && matches!(next, "longer" | "more") {
        return None;
    }
    let before = at
        .checked_sub(1)
        .map_or("", |before| words[before].as_str());
    let is_screen_reader = (word == "screen" && next.starts_with("reader"))
        || (word.starts_with("reader") && before == "screen");
    let known = NOTIONS.get(word).copied().filter(|_| !is_screen_reader);
    if word == "display" && matches!(before, "the" | "our") {
        return Some(Notion::Look);
    }
    // All pages are how everything looks.
    match (known, before) {
        (Some(Notion::Page), "all" | "entire" | "whole" | "every" | "each") => Some(Notion::Look),
        _ => known,
    }
}
