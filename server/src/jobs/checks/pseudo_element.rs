//! Finds pseudo-elements in selectors: no element is one, so a mask that names one would hide nothing.

/// Pseudo-elements that one colon is enough for, as CSS 2 wrote them.
const OF_ONE_COLON: [&str; 4] = ["after", "before", "first-letter", "first-line"];

/// The first pseudo-element that a selector names, as it is written there; those in strings, in attributes' values and
/// behind a backslash are none.
pub(super) fn pseudo_element(selector: &str) -> Option<&str> {
    let mut quote = None;
    let mut in_attribute = false;
    let mut characters = selector.char_indices();
    while let Some((at, character)) = characters.next() {
        match (character, quote) {
            ('\\', _) => {
                characters.next();
            }
            (end, Some(begin)) if end == begin => quote = None,
            ('"' | '\'', None) => quote = Some(character),
            ('[', None) => in_attribute = true,
            (']', None) => in_attribute = false,
            (':', None) if !in_attribute => {
                let rest = &selector[at..];
                let name = rest.trim_start_matches(':');
                let colons = rest.len() - name.len();
                let ends = |c: char| !c.is_alphanumeric() && !matches!(c, '-' | '_');
                let end = name.find(ends).unwrap_or(name.len());
                let is_old = OF_ONE_COLON
                    .iter()
                    .any(|old| name[..end].eq_ignore_ascii_case(old));
                if colons > 1 || is_old {
                    return Some(&rest[..colons + end]);
                }
            }
            _ => {}
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

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
