//! Forms of pull requests: “Visual changes: none”, “[ ] UI affected”.

use super::Unchanged;
use super::notions::Notion;
use super::sentence::Sentence;

/// What stands in a field of which there is nothing to say.
const EMPTY: &[&str] = &[
    "0",
    "n/a",
    "na",
    "no",
    "none",
    "nothing",
    "not applicable",
    "nil",
];

/// What else may stand there; under a heading a dash begins a list.
const DASHES: &[&str] = &["-", "–", "—", "/"];

/// Words that may stand in the name of a field about changed looks beside those for looks and changes.
const OF_A_FIELD: &[&str] = &[
    "any",
    "are",
    "expected",
    "interface",
    "is",
    "of",
    "on",
    "the",
    "there",
    "to",
    "touched",
    "user",
];

/// Words of the longest name of a field.
const MAX_WORDS: usize = 5;

/// The field of a form that says that looks do not change, with what stands in it: one that is filled in, if only with a
/// dash, or a box that was left empty where another was ticked.
pub(super) fn denied(text: &str) -> Option<(Unchanged, String)> {
    let lines: Vec<&str> = (text.lines().map(str::trim))
        .filter(|line| !line.is_empty())
        .collect();
    let is_filled_in = lines.iter().any(|line| boxed(line, "[x]").is_some());
    let of_line = |(at, line): (usize, &&str)| {
        if let Some(name) = boxed(line, "[ ]") {
            let denies = is_filled_in && is_about_changed_looks(name);
            // Of a list of kinds of changes people tick one.
            return denies.then(|| (Unchanged::TheRest, format!("[ ] {}", name.trim())));
        }
        let (name, value) = bare(line).split_once(':').unwrap_or((bare(line), ""));
        let (value, is_below) = match trimmed(value) {
            "" if line.ends_with([':', '*']) || line.starts_with('#') => {
                (trimmed(lines.get(at + 1)?), true)
            }
            value => (value, false),
        };
        let is_empty = EMPTY.contains(&value.trim_end_matches('.').to_lowercase().as_str())
            || (!is_below && DASHES.contains(&value));
        let field = || (Unchanged::Everything, format!("{}: {value}", name.trim()));
        (is_empty && is_about_changed_looks(name)).then(field)
    };
    lines.iter().enumerate().find_map(of_line)
}

/// A text with blanks, byte for byte, in the places of the boxes that are not ticked: they say what was not done.
pub(super) fn without_unticked(text: &str) -> String {
    let of_line = |line: &str| match boxed(line.trim_end(), "[ ]") {
        Some(_) => {
            let end = line.trim_end_matches(['\r', '\n']).len();
            " ".repeat(end) + &line[end..]
        }
        None => line.to_owned(),
    };
    text.split_inclusive('\n').map(of_line).collect()
}

/// What stands behind a box of a list: `[ ]` or `[x]`, in either case.
pub(super) fn boxed<'l>(line: &'l str, mark: &str) -> Option<&'l str> {
    let line = bare(line);
    let head = line.get(..mark.len())?;
    head.eq_ignore_ascii_case(mark).then(|| &line[mark.len()..])
}

fn trimmed(value: &str) -> &str {
    value.trim_matches(|letter: char| letter.is_whitespace() || letter == '*')
}

/// A line without the marks of lists, headings and bold type before it.
fn bare(line: &str) -> &str {
    line.trim_start_matches(['#', '*', '-', '+', ' ', '\t'])
}

/// Whether a name speaks of changes of looks, and of nothing else.
fn is_about_changed_looks(name: &str) -> bool {
    let name = Sentence::of(name);
    let is_known = |at: usize| {
        let known = [Notion::Look, Notion::Change, Notion::People];
        known.iter().any(|&notion| name.has(notion, at..at + 1))
            || OF_A_FIELD.contains(&name.word(at))
    };
    let words = 0..name.words().len();
    let is_change = name.any(Notion::Change) || name.any_of(&["touched"], words.clone());
    words.len() <= MAX_WORDS && name.any(Notion::Look) && is_change && words.clone().all(is_known)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_form_may_say_that_looks_do_not_change() {
        for (form, field) in [
            ("Visual changes: n/a", "Visual changes: n/a"),
            ("**Screens touched:** –", "Screens touched: –"),
            ("UI diff expected: 0", "UI diff expected: 0"),
            ("Visual changes: -", "Visual changes: -"),
            ("Visual changes:\n\nNone.", "Visual changes: None."),
            (
                "## What\nIt moves.\n\n## Visual changes\nn/a\n",
                "Visual changes: n/a",
            ),
            ("- [x] Tests\n- [ ] UI affected", "[ ] UI affected"),
        ] {
            let (what, found) = denied(form).unwrap();
            assert_eq!(found, field);
            let is_box = field.starts_with('[');
            assert_eq!(what == Unchanged::TheRest, is_box, "{form}");
        }
    }

    #[test]
    fn labels_and_lists_that_nobody_filled_in_say_nothing() {
        for form in [
            "Visual changes:\n- the hours stand under the map",
            "Visual changes: the banner is gone",
            "Visual changes:",
            "## Visual changes\n-\n\n## Tests\n-",
            "## Visual changes\nThe banner goes",
            "UI: none",
            "Frontend:\n- the header\n\nBackend:\n- the cache",
            "Screenshots:\n![before](a.png)",
            "Screenshots: none",
            "Design review needed: no",
            "- [ ] Screenshots\n- [x] Tests",
            "- [ ] UI change\n- [ ] Bug fix",
            "- [x] UI affected\n- [ ] Tests",
            "- [x] Tests\n- [ ] No visible change",
            "Screens: 0 left in stock",
            "Price on screen: none",
            "Tests: none",
        ] {
            assert_eq!(denied(form), None, "{form}");
        }
    }

    #[test]
    fn boxes_that_are_not_ticked_are_blanked() {
        let form = "- [x] Größe\r\n - [ ] Größe\r\nEnd";
        let read = without_unticked(form);
        assert_eq!(read.len(), form.len());
        assert_eq!(read.matches("Größe").count(), 1);
        assert!(read.ends_with("\r\nEnd"));
    }
}
