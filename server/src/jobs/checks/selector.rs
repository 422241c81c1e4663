//! Masks as far as they can be judged without a browser: what no CSS selector can be, so that a typing error is told at once and
//! not by every page, and pseudo-elements, of which no element is one. Whether a text is a selector is for the browser to say:
//! it knows more of them than any list.

/// What stands between two parts of a selector.
const COMBINATORS: [char; 4] = ['>', '+', '~', ','];

/// Pseudo-elements that one colon is enough for, as CSS 2 wrote them.
const OF_ONE_COLON: [&str; 4] = ["after", "before", "first-letter", "first-line"];

/// A character that stands for itself: behind no backslash, and in no string.
#[derive(Clone, Copy)]
struct Bare {
    at: usize,
    character: char,
    in_attribute: bool,
}

/// The characters of a selector that stand for themselves, the quotation marks of strings among them; and the mark of a string
/// that does not end.
fn scan(selector: &str) -> (Vec<Bare>, Option<char>) {
    let (mut bare, mut quote, mut in_attribute) = (Vec::new(), None, false);
    let mut characters = selector.char_indices();
    while let Some((at, character)) = characters.next() {
        match (character, quote) {
            ('\\', _) => {
                characters.next();
                continue;
            }
            (end, Some(begin)) if end == begin => quote = None,
            (_, Some(_)) => continue,
            ('"' | '\'', None) => quote = Some(character),
            ('[', None) => in_attribute = true,
            (']', None) => in_attribute = false,
            _ => {}
        }
        bare.push(Bare {
            at,
            character,
            in_attribute,
        });
    }
    (bare, quote)
}

/// Why a text cannot be a selector; nothing when it may be one.
pub(super) fn broken_selector(selector: &str) -> Option<String> {
    let selector = selector.trim();
    // What stands in a comment may be anything.
    if selector.contains("/*") {
        return None;
    }
    let (bare, quote) = scan(selector);
    let whole = 0..selector.len();
    let at_ends = |one: &&Bare| {
        let is_end = one.at == whole.start || one.at + one.character.len_utf8() == whole.end;
        is_end && COMBINATORS.contains(&one.character)
    };
    if let Some(end) = bare.iter().find(at_ends) {
        return Some(format!("it begins or ends with `{}`", end.character));
    }
    let mut open = Vec::new();
    for one in bare {
        let next = selector[one.at..].chars().nth(1);
        match one.character {
            '[' => open.push(']'),
            '(' => open.push(')'),
            end @ (']' | ')') if open.pop() != Some(end) => {
                return Some(format!("`{end}` closes nothing"));
            }
            odd @ ('{' | '}' | ';' | '@') => return Some(format!("it holds `{odd}`")),
            mark @ ('#' | '.') if !one.in_attribute && !next.is_some_and(begins_name) => {
                return Some(format!("no name follows `{mark}`"));
            }
            _ => {}
        }
    }
    match (quote, open.pop()) {
        (Some(quote), _) => Some(format!("a `{quote}` is missing at its end")),
        (None, bracket) => bracket.map(|bracket| format!("a `{bracket}` is missing")),
    }
}

/// Whether a name may begin so.
fn begins_name(character: char) -> bool {
    character.is_alphabetic() || !character.is_ascii() || matches!(character, '-' | '_' | '\\')
}

/// The first pseudo-element that a selector names, as it is written there; those in strings, in attributes' values and
/// behind a backslash are none.
pub(super) fn pseudo_element(selector: &str) -> Option<&str> {
    let (bare, _) = scan(selector);
    let colons = (bare.iter()).filter(|one| one.character == ':' && !one.in_attribute);
    colons.map(|one| &selector[one.at..]).find_map(|rest| {
        let name = rest.trim_start_matches(':');
        let colons = rest.len() - name.len();
        let ends = |c: char| !c.is_alphanumeric() && !matches!(c, '-' | '_');
        let end = name.find(ends).unwrap_or(name.len());
        let is_old = OF_ONE_COLON
            .iter()
            .any(|old| name[..end].eq_ignore_ascii_case(old));
        (colons > 1 || is_old).then(|| &rest[..colons + end])
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_cannot_be_a_selector_is_told_from_what_may_be_one() {
        for (selector, why) in [
            ("..x[", "no name follows `.`"),
            ("#", "no name follows `#`"),
            ("#1st", "no name follows `#`"),
            ("p{", "it holds `{`"),
            ("@media", "it holds `@`"),
            ("div >", "it begins or ends with `>`"),
            (", .ad", "it begins or ends with `,`"),
            ("> .x\\,", "it begins or ends with `>`"),
            (".x\\\\ >", "it begins or ends with `>`"),
            (":not(p", "a `)` is missing"),
            (".x)", "`)` closes nothing"),
            ("[title='it]", "a `'` is missing at its end"),
        ] {
            assert_eq!(
                broken_selector(selector).as_deref(),
                Some(why),
                "{selector}"
            );
        }
        for selector in [
            " .ad ",
            "#a-b > .c_d ~ e + *",
            "a[href$='.pdf'], a[data-x=\"}\"]",
            ":is(h1, h2):not(.x):nth-child(2n + 1 of .y)",
            "[data-price=1.5]",
            ".\\31 st, #\\31, .grün, .sm\\:w-1\\,",
            "svg|circle",
            "main :has(> img)",
            ".language-c\\+\\+",
            ".badge-18\\+, .a\\>",
            ".ad /* it's an ad */",
        ] {
            assert_eq!(broken_selector(selector), None, "{selector}");
        }
    }

    #[test]
    fn pseudo_elements_are_told_from_classes_and_from_texts() {
        for (selector, named) in [
            (".price::before", "::before"),
            ("p:AFTER, .ad", ":AFTER"),
            (".ad, ul > li::marker", "::marker"),
            ("a:not(.x::first-line)", "::first-line"),
            ("x-card::part(price)", "::part"),
            ("li:first-child:first-letter", ":first-letter"),
        ] {
            assert_eq!(pseudo_element(selector), Some(named), "{selector}");
        }
        for selector in [
            "a:hover > b",
            ":root .before",
            "[title='a::before']",
            "[title=\"it\\\"s::after\"]",
            "[data-x=a::b]",
            ".md\\:before",
            "a\\::before-and-after",
            "#é:first-child",
            ":after-all",
        ] {
            assert_eq!(pseudo_element(selector), None, "{selector}");
        }
    }
}
