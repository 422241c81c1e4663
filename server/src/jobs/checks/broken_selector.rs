//! Finds what no CSS selector can be, so that a typing error is told at once and not by every page. Whether a selector is one is
//! for the browser to say: it knows more of them than any list.

/// What stands between two parts of a selector.
const COMBINATORS: [char; 4] = ['>', '+', '~', ','];

/// Why a text cannot be a selector; nothing when it may be one.
pub(super) fn broken_selector(selector: &str) -> Option<String> {
    let trimmed = selector.trim();
    // What stands in a comment may be anything.
    if trimmed.contains("/*") {
        return None;
    }
    let at_end = |end: char| format!("it begins or ends with `{end}`");
    if let Some(first) = trimmed.chars().next().filter(|first| is_combinator(*first)) {
        return Some(at_end(first));
    }
    // The last character that stands for itself.
    let mut last = None;
    let (mut quote, mut open) = (None, Vec::new());
    let mut characters = trimmed.chars().peekable();
    while let Some(character) = characters.next() {
        last = Some(character);
        if character == '\\' {
            characters.next();
            last = None;
            continue;
        }
        if quote.is_some() {
            if quote == Some(character) {
                quote = None;
            }
            continue;
        }
        match character {
            '"' | '\'' => quote = Some(character),
            '[' => open.push(']'),
            '(' => open.push(')'),
            ']' | ')' if open.pop() != Some(character) => {
                return Some(format!("`{character}` closes nothing"));
            }
            '{' | '}' | ';' | '@' => return Some(format!("it holds `{character}`")),
            '#' | '.'
                if open.last() != Some(&']')
                    && !characters.peek().copied().is_some_and(begins_name) =>
            {
                return Some(format!("no name follows `{character}`"));
            }
            _ => {}
        }
    }
    match (quote, open.pop()) {
        (Some(quote), _) => Some(format!("a `{quote}` is missing at its end")),
        (None, Some(bracket)) => Some(format!("a `{bracket}` is missing")),
        (None, None) => last.filter(|last| is_combinator(*last)).map(at_end),
    }
}

fn is_combinator(character: char) -> bool {
    COMBINATORS.contains(&character)
}

/// Whether a name may begin so.
fn begins_name(character: char) -> bool {
    character.is_alphabetic() || !character.is_ascii() || matches!(character, '-' | '_' | '\\')
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
}
