//! A sentence of the service about a change.

use leptos::prelude::*;
use pentimento_api::result::PageResult;

/// A sentence in which names of the page's code, which the service puts between backticks, are set as code. Backticks in a
/// quotation are the page's own, and stay.
#[component]
pub(crate) fn Sentence(#[prop(into)] text: String) -> impl IntoView {
    parts(&text)
        .into_iter()
        .map(|(part, is_code)| {
            let part = part.to_owned();
            if is_code {
                view! { <code>{part}</code> }.into_any()
            } else {
                part.into_any()
            }
        })
        .collect_view()
}

/// What changed on a page, without what follows from it; what is said of several places alike once.
pub(crate) fn causes(result: &PageResult) -> Vec<String> {
    let mut causes: Vec<String> = Vec::new();
    for said in result
        .service_summary
        .iter()
        .filter(|said| !said.consequence)
    {
        if !causes.contains(&said.text) {
            causes.push(said.text.clone());
        }
    }
    causes
}

/// The parts of a sentence, each with whether it is code.
fn parts(text: &str) -> Vec<(&str, bool)> {
    let (mut parts, mut rest) = (Vec::new(), text);
    while let Some((before, code, after)) = first_code(rest) {
        parts.extend([(before, false), (code, true)]);
        rest = after;
    }
    parts.push((rest, false));
    parts.retain(|(part, _)| !part.is_empty());
    parts
}

/// What stands before, in and after the first pair of backticks outside of quotations.
fn first_code(text: &str) -> Option<(&str, &str, &str)> {
    let mut depth = 0_u32;
    for (at, letter) in text.char_indices() {
        match letter {
            '“' => depth += 1,
            '”' => depth = depth.saturating_sub(1),
            '`' if depth == 0 => {
                let (code, after) = text[at + 1..].split_once('`')?;
                return Some((&text[..at], code, after));
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
    fn names_of_code_are_told_from_what_is_quoted() {
        assert_eq!(
            parts("Changed at `main h2`: “a ` b ` c” now reads `x`."),
            [
                ("Changed at ", false),
                ("main h2", true),
                (": “a ` b ` c” now reads ", false),
                ("x", true),
                (".", false),
            ]
        );
        assert_eq!(parts("One ` alone"), [("One ` alone", false)]);
        assert_eq!(parts(""), []);
    }
}
