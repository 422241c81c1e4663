//! What developers write about their changes, in other words in each half.

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

/// The words of a step. In the development half the number of the case says whose words they are,
/// and each voice keeps to its own habit of capital letters.
pub(crate) fn of_step(half: Half, step: &Step, number: usize) -> Words {
    let name = step.edit.name();
    let voices = development::VOICES.len();
    let templates = match half {
        Half::Development => &development::VOICES[number / PER_VOICE % voices],
        Half::HeldOut => &held_out::TEMPLATES,
    };
    let found = templates.iter().find(|template| template.0 == name);
    let (_, title, body, expected) = found.expect("every edit has its words");
    let fill = |template: &str| {
        let text = template.replace("{what}", step.what);
        let text = text.replace("{to}", new_value(step.edit));
        if half == Half::HeldOut || template.starts_with("{what}") {
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
