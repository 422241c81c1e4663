//! The verdict on one change of the document. The rules stand in the order in which they are asked.

use pentimento_api::result::{ChangeType, Decision, RegionVerdict};
use pentimento_document::{DocumentDiff, Finding};

use super::bugs::hard_bug;
use super::intent::{Intent, LooksStay, OTHER_THAN_SAID, Weighed, is_of_the_clock};
use super::pixels::OPEN_CONFIDENCE;

/// Score from which on a change is what was meant.
const INTENTIONAL_SCORE: f64 = 0.55;
const _: () = assert!(OTHER_THAN_SAID < INTENTIONAL_SCORE);

/// How sure the rules are.
const HARD_BUG_CONFIDENCE: f64 = 0.95;
const BROKEN_PROMISE_CONFIDENCE: f64 = 0.85;
const LOOKS_CONFIDENCE: f64 = 0.8;
const CODE_ALONE_CONFIDENCE: f64 = 0.7;
const OUT_OF_SCOPE_CONFIDENCE: f64 = 0.8;

/// Judges a change, weighed against the intent; without one, nothing but a person can say whether it was meant.
pub(super) fn decide(
    document: &DocumentDiff,
    index: usize,
    weighed: Option<&Weighed>,
) -> RegionVerdict {
    let finding = &document.findings[index];
    let bug = hard_bug(document, index);
    let Some(weighed) = weighed else {
        let reasoning =
            bug.unwrap_or_else(|| "It was not said which changes are meant.".to_owned());
        return verdict(Decision::NeedsReview, OPEN_CONFIDENCE, reasoning);
    };
    let is_meant = weighed.score >= INTENTIONAL_SCORE;
    if let Some(bug) = bug {
        return if is_meant {
            let reasoning = format!("{bug} It seems meant all the same: {}.", because(weighed));
            verdict(Decision::NeedsReview, OPEN_CONFIDENCE, reasoning)
        } else {
            verdict(Decision::Bug, HARD_BUG_CONFIDENCE, bug)
        };
    }
    if let Some(sentence) = &weighed.must_stay {
        let reasoning = format!("It was said to stay as it is: “{sentence}”.");
        return verdict(Decision::Bug, BROKEN_PROMISE_CONFIDENCE, reasoning);
    }
    if is_meant {
        let score = (weighed.score * 100.0).round() / 100.0;
        let reasoning = format!(
            "It was meant, with a score of {score:.2} of 1: {}.",
            because(weighed)
        );
        return verdict(Decision::Intentional, score.min(1.0), reasoning);
    }
    let stays = weighed.looks_stay.as_ref().map(|stays| match stays {
        LooksStay::Said(sentence) => (LOOKS_CONFIDENCE, format!("it was said: “{sentence}”")),
        LooksStay::CodeAlone(sentence) => {
            let only = "the run tells only of work on the code";
            (CODE_ALONE_CONFIDENCE, format!("{only}: “{sentence}”"))
        }
    });
    if let Some((confidence, said)) = &stays
        && is_seen(finding)
    {
        return if is_of_the_clock(finding) {
            let reasoning = format!("It tells the time, although {said}.");
            verdict(Decision::NeedsReview, OPEN_CONFIDENCE, reasoning)
        } else {
            let reasoning = format!("It looks different, although {said}.");
            verdict(Decision::Bug, *confidence, reasoning)
        };
    }
    if weighed.in_scope == Some(false) {
        return outside(finding);
    }
    if let Some((_, said)) = stays {
        let reasoning = format!("Nobody sees it, and {said}.");
        return verdict(Decision::NeedsReview, OPEN_CONFIDENCE, reasoning);
    }
    // Cut, not rounded: 0.548 is not enough.
    let score = (weighed.score * 100.0).floor() / 100.0;
    let reasoning = format!(
        "Nothing that was said fits it well enough: a score of {score:.2}, {INTENTIONAL_SCORE:.2} is wanted."
    );
    verdict(Decision::NeedsReview, OPEN_CONFIDENCE, reasoning)
}

/// Judges damage that no change of the document is to blame for.
pub(super) fn decide_damage(reasoning: String, intent: Option<&Intent>) -> RegionVerdict {
    match intent {
        Some(_) => verdict(Decision::Bug, HARD_BUG_CONFIDENCE, reasoning),
        None => verdict(Decision::NeedsReview, OPEN_CONFIDENCE, reasoning),
    }
}

/// Outside the declared scope a structural change is a bug, anything else is to be looked at.
fn outside(finding: &Finding) -> RegionVerdict {
    const WHY: &str = "It lies outside the declared scope";
    if is_structural(finding) {
        let reasoning = format!("{WHY}, and the structure of the page changed.");
        verdict(Decision::Bug, OUT_OF_SCOPE_CONFIDENCE, reasoning)
    } else {
        verdict(Decision::NeedsReview, OPEN_CONFIDENCE, format!("{WHY}."))
    }
}

fn is_structural(finding: &Finding) -> bool {
    matches!(
        finding.kind,
        ChangeType::Insert | ChangeType::Delete | ChangeType::Move | ChangeType::MoveWithEdit
    )
}

/// Whether a change can be seen on the page: what the head says and where a link leads cannot.
fn is_seen(finding: &Finding) -> bool {
    match finding.kind {
        // Attributes that are told are targets and texts for those who do not see, but for the fold.
        ChangeType::TextEdit => finding.attribute.is_none_or(|name| name == "open"),
        ChangeType::StyleOnly
        | ChangeType::ImageChange
        | ChangeType::StickyReposition
        | ChangeType::ReflowDisplacement => true,
        _ => is_structural(finding),
    }
}

fn because(weighed: &Weighed) -> String {
    let said = weighed.because.as_deref().map(|said| format!("“{said}”"));
    let scope =
        (weighed.in_scope == Some(true)).then(|| "it lies in the declared scope".to_owned());
    let parts: Vec<String> = said.into_iter().chain(scope).collect();
    parts.join(", and ")
}

fn verdict(decision: Decision, confidence: f64, reasoning: String) -> RegionVerdict {
    RegionVerdict {
        decision,
        confidence,
        reasoning,
    }
}

#[cfg(test)]
mod tests;
