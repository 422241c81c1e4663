//! What people write about the changes they make, in other words in each half.

mod development;
mod held_out;

use pentimento_api::crawl::RunContext;

use crate::edit::{Edit, Step};
use crate::truth::Half;

/// Words about one step.
pub(crate) struct Words {
    /// A pull request's title or the first line of a commit message.
    pub(crate) title: String,
    /// A sentence or two of description.
    pub(crate) body: String,
    /// The change that should be seen.
    pub(crate) expected: String,
}

/// The name of an edit with a title, a description and an expected change, in which `{what}` stands
/// for the element and `{to}` for the new value.
type Template = (&'static str, &'static str, &'static str, &'static str);

/// Cases in a row that one voice speaks of: as many as there are ways to fill the fields of a
/// context, so that each voice fills all of them.
const PER_VOICE: usize = 4;

/// The words of a step. The number of the case says whose words they are, and each voice keeps to
/// its own habit of capital letters.
pub(crate) fn of_step(half: Half, step: &Step, number: usize) -> Words {
    let name = step.edit.name();
    let voices = voices(half);
    let templates = &voices[number / PER_VOICE % voices.len()];
    let found = templates.iter().find(|template| template.0 == name);
    let (_, title, body, expected) = found.expect("every edit has its words");
    let fill = |template: &str| {
        let text = template.replace("{what}", step.what);
        let text = text.replace("{to}", new_value(step.edit));
        if template.starts_with("{what}") {
            capitalised(&text)
        } else {
            text
        }
    };
    Words {
        title: fill(title),
        body: fill(body),
        expected: fill(expected),
    }
}

/// A context about another part, which is on none of the pages or in the footer, which no step
/// touches.
pub(crate) fn about_something_else(half: Half, number: usize) -> RunContext {
    let elsewhere: &[_] = match half {
        Half::Development => &development::ELSEWHERE,
        Half::HeldOut => &held_out::ELSEWHERE,
    };
    let (title, expected, scope) = elsewhere[number % elsewhere.len()];
    RunContext {
        pr_title: Some(title.to_owned()),
        expected_changes: Some(vec![expected.to_owned()]),
        scope: Some(scope.iter().map(|part| (*part).to_owned()).collect()),
        ..RunContext::default()
    }
}

/// A context that says that nothing changes to the eye.
pub(crate) fn nothing_visual(half: Half, number: usize) -> RunContext {
    let sayings: &[_] = match half {
        Half::Development => &development::NOTHING_VISUAL,
        Half::HeldOut => &held_out::NOTHING_VISUAL,
    };
    let saying = Some(sayings[number % sayings.len()].to_owned());
    if number.is_multiple_of(2) {
        RunContext {
            change_description: saying,
            ..RunContext::default()
        }
    } else {
        RunContext {
            pr_description: saying,
            ..RunContext::default()
        }
    }
}

fn voices(half: Half) -> &'static [[Template; 32]] {
    match half {
        Half::Development => &development::VOICES,
        Half::HeldOut => &held_out::VOICES,
    }
}

fn new_value(edit: Edit) -> &'static str {
    match edit {
        Edit::Text(to)
        | Edit::Price(to)
        | Edit::Link(to)
        | Edit::Title(to)
        | Edit::Description(to)
        | Edit::SchemaPrice(to)
        | Edit::CanonicalHost(to)
        | Edit::MoveAndReword { text: to, .. } => to,
        _ => "",
    }
}

fn capitalised(text: &str) -> String {
    let mut letters = text.chars();
    let first = letters.next().map(char::to_uppercase);
    first.into_iter().flatten().chain(letters).collect()
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use crate::truth::Half;

    use super::{development, held_out, voices};

    /// Edits with a new value to name.
    const WITH_VALUE: [&str; 8] = [
        "text-edit",
        "price-edit",
        "link-target",
        "title-edit",
        "description-edit",
        "json-ld-price",
        "canonical-host",
        "move-with-edit",
    ];
    /// Edits of the head or of the whole page, which have no element to name.
    const WITHOUT_ELEMENT: [&str; 8] = [
        "noindex",
        "canonical-host",
        "title-edit",
        "description-edit",
        "json-ld-price",
        "identical",
        "class-names",
        "attribute-order",
    ];

    #[test]
    fn every_voice_speaks_of_what_an_edit_has() {
        for templates in Half::ALL.into_iter().flat_map(voices) {
            let names: HashSet<&str> = templates.iter().map(|template| template.0).collect();
            assert_eq!(names.len(), templates.len());
            for (name, title, body, expected) in templates {
                let with_value = WITH_VALUE.contains(name);
                let without_element = WITHOUT_ELEMENT.contains(name);
                for text in [title, body, expected] {
                    assert!(with_value || !text.contains("{to}"), "{text}");
                    assert!(!without_element || !text.contains("{what}"), "{text}");
                }
                let told = expected.contains("{what}") || expected.contains("{to}");
                assert!(told || without_element, "{expected}");
            }
        }
    }

    #[test]
    fn no_two_voices_say_the_same() {
        let mut said = HashSet::new();
        let all = Half::ALL.into_iter().flat_map(voices).flatten();
        for (name, title, body, expected) in all {
            for text in [title, body, expected] {
                assert!(said.insert((name, text)), "{text}");
            }
        }
    }

    #[test]
    fn the_halves_share_no_saying_and_each_is_said_in_every_way() {
        let sayings = [
            development::NOTHING_VISUAL.as_slice(),
            &held_out::NOTHING_VISUAL,
        ];
        let elsewhere = [development::ELSEWHERE.as_slice(), &held_out::ELSEWHERE];
        for odd in sayings
            .map(<[_]>::len)
            .into_iter()
            .chain(elsewhere.map(<[_]>::len))
        {
            assert_eq!(odd % 2, 1);
        }
        let mut said = HashSet::new();
        for saying in sayings.into_iter().flatten() {
            assert!(said.insert(*saying), "{saying}");
        }
        for (title, expected, _) in elsewhere.into_iter().flatten() {
            assert!(said.insert(title) && said.insert(expected), "{title}");
        }
    }
}
