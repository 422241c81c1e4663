//! Fields of a pull request's form, filled in: “Visual changes: none”, “[ ] Design affected”.

use super::notions::Notion;
use super::sentence::Sentence;

/// What stands in a field of which there is nothing to say.
const EMPTY: &[&str] = &[
    "",
    "-",
    "–",
    "—",
    "/",
    "0",
    "n/a",
    "na",
    "no",
    "none",
    "nothing",
    "not applicable",
    "nil",
    "keine",
];

/// Words that may stand in the name of a field about looks beside those for looks and changes.
const OF_A_FIELD: &[&str] = &[
    "any",
    "design",
    "interface",
    "of",
    "on",
    "expected",
    "required",
    "needed",
    "review",
    "the",
    "to",
    "user",
    "yes",
];

/// Words of the longest name of a field.
const MAX_WORDS: usize = 5;

/// The heading about looks, of a form in Markdown, under which there is nothing to say, with what stands under it.
pub(super) fn denied_heading(text: &str) -> Option<String> {
    let mut lines = text
        .lines()
        .filter(|line| !line.trim().is_empty())
        .peekable();
    while let Some(line) = lines.next() {
        if line.starts_with('#')
            && is_about_looks(line)
            && let Some(below) = lines.next_if(|below| is_empty(below))
        {
            let heading = line.trim_start_matches('#').trim();
            return Some(format!("{heading}: {}", below.trim()));
        }
    }
    None
}

/// Whether a line says that looks do not change, by a field that is empty or a box that is not ticked; nothing when it is
/// neither.
pub(super) fn denies_looks(line: &str) -> Option<bool> {
    let line = line.trim().trim_start_matches(['#', '*', '-', ' ']);
    if let Some(name) = line.strip_prefix("[ ]") {
        return Some(is_about_looks(name) && !Sentence::of(name).any(Notion::Negation));
    }
    let (name, value) = line.split_once(':')?;
    (is_empty(value) && is_about_looks(name)).then_some(true)
}

fn is_empty(value: &str) -> bool {
    let value = value
        .trim_matches(|letter: char| letter.is_whitespace() || matches!(letter, '*' | '.' | '_'));
    EMPTY.contains(&value.to_lowercase().as_str())
}

/// Whether a name says nothing but looks, and what becomes of them.
fn is_about_looks(name: &str) -> bool {
    let name = Sentence::of(name);
    let words = 0..name.words().len();
    let is_named = |at: usize| {
        let known = [
            Notion::Look,
            Notion::Aspect,
            Notion::Change,
            Notion::People,
            Notion::Planned,
        ];
        known.iter().any(|&notion| name.has(notion, at..at + 1))
            || OF_A_FIELD.contains(&name.word(at))
    };
    let is_of_looks = name.any(Notion::Look) || name.any_of(&["design"], words.clone());
    words.len() <= MAX_WORDS && is_of_looks && words.clone().all(is_named)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_about_looks_may_be_empty() {
        for line in [
            "Visual changes: n/a",
            "**Screens touched:** –",
            "- Screenshots: none",
            "UI diff expected: 0",
            "[ ] UI affected",
            "Design review needed: no",
        ] {
            assert_eq!(denies_looks(line), Some(true), "{line}");
        }
        for line in [
            "Visual changes: the banner is gone",
            "[x] UI affected",
            "[ ] No visible change",
            "Screens: 0 left in stock",
            "Price on screen: none",
            "Tests: none",
            "A look at it: no time",
        ] {
            assert_ne!(denies_looks(line), Some(true), "{line}");
        }
        let form = "## What\nThe cache moves.\n\n## Visual changes\nn/a\n";
        assert_eq!(denied_heading(form).as_deref(), Some("Visual changes: n/a"));
        assert_eq!(denied_heading("## Visual changes\nThe banner goes"), None);
    }
}
