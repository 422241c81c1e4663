//! The three intents of a case: one that means its changes, one about something else, and one that
//! says that nothing changes.

use pentimento_api::crawl::RunContext;

use crate::edit::Step;
use crate::page::Page;
use crate::rules::{Stance, decision};
use crate::truth::{Half, IntentCase, Planted};
use crate::words::{Words, about_something_else, nothing_visual, of_step};

/// The three intents with the right decision under each.
pub(crate) fn intents(
    half: Half,
    page: &Page,
    steps: &[Step],
    changes: &[Planted],
    number: usize,
) -> Vec<IntentCase> {
    let intent_case = |stance: Stance| IntentCase {
        name: stance.name(),
        intent: (number + stance as usize)
            .is_multiple_of(2)
            .then(|| page.intent.to_owned()),
        run_context: match stance {
            Stance::Meant => meant(half, steps, number),
            Stance::Other => about_something_else(half, number),
            Stance::NothingVisual => nothing_visual(half, number),
        },
        decision: decision(stance, changes),
    };
    Stance::ALL.into_iter().map(intent_case).collect()
}

/// A context that describes the steps. Which fields it fills varies, as it does between teams: a
/// description, a pull request, or a commit; the expected changes are always among them.
fn meant(half: Half, steps: &[Step], number: usize) -> RunContext {
    let in_words = |step| of_step(half, step, number);
    let words: Vec<Words> = steps.iter().map(in_words).collect();
    let joined = |part: fn(&Words) -> &str, by: &str| {
        let parts: Vec<&str> = words.iter().map(part).collect();
        Some(parts.join(by))
    };
    let title = joined(|words| &words.title, "; ");
    let body = joined(|words| &words.body, " ");
    let mut scope: Vec<String> = steps.iter().map(|step| step.scope.to_owned()).collect();
    scope.dedup();
    let mut context = RunContext {
        expected_changes: Some(words.iter().map(|words| words.expected.clone()).collect()),
        scope: Some(scope),
        ..RunContext::default()
    };
    match number % 4 {
        0 => context.change_description = body,
        1 => {
            context.pr_title = title;
            context.pr_description = body;
        }
        2 => {
            context.git_commit_message = title;
            context.change_description = body;
            context.scope = None;
        }
        _ => {
            context.pr_title = title;
            context.change_description = body;
        }
    }
    context
}
