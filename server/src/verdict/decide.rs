//! The verdict on one change of the document. The rules stand in the order in which they are asked.

use pentimento_api::result::{ChangeType, Decision, RegionVerdict};
use pentimento_document::{DocumentDiff, Finding};

use super::bugs::hard_bug;
use super::intent::{Intent, LooksStay, Weighed, is_of_the_clock};
use super::pixels::OPEN_CONFIDENCE;

/// Score from which on a change is what was meant.
const INTENTIONAL_SCORE: f64 = 0.55;

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
mod tests {
    use pentimento_api::crawl::RunContext;

    use pentimento_document::{Damage, Fault};

    use super::*;

    fn meant(description: &str, scope: &[&str]) -> Intent {
        let run = RunContext {
            change_description: Some(description.to_owned()),
            expected_changes: Some(vec![description.to_owned()]),
            scope: (!scope.is_empty()).then(|| scope.iter().map(|&text| text.to_owned()).collect()),
            ..RunContext::default()
        };
        Intent::of(None, Some(&run)).unwrap()
    }

    fn judged(finding: &Finding, intent: Option<&Intent>) -> RegionVerdict {
        let document = DocumentDiff {
            findings: vec![finding.clone()],
            ..DocumentDiff::default()
        };
        let weighed = intent.map(|intent| intent.weigh(finding));
        decide(&document, 0, weighed.as_ref())
    }

    fn banner() -> Finding {
        Finding {
            tag: "div".to_owned(),
            after: Some("Summer sale".to_owned()),
            ..Finding::new(ChangeType::Insert, "#sale.banner".to_owned())
        }
    }

    fn robots() -> Finding {
        Finding {
            after: Some("noindex".to_owned()),
            ..Finding::new(ChangeType::MetaInsert, "meta[name=\"robots\"]".to_owned())
        }
    }

    #[test]
    fn without_an_intent_a_person_decides() {
        for finding in [banner(), robots()] {
            assert_eq!(judged(&finding, None).decision, Decision::NeedsReview);
        }
    }

    #[test]
    fn what_was_said_is_intentional_and_quoted() {
        let intent = meant("A summer sale banner is added at the top", &[".banner"]);
        let verdict = judged(&banner(), Some(&intent));
        assert_eq!(verdict.decision, Decision::Intentional, "{verdict:?}");
        assert!(
            verdict
                .reasoning
                .contains("“A summer sale banner is added at the top”")
        );
    }

    #[test]
    fn structure_outside_the_scope_is_a_bug() {
        let intent = meant("The footer's links are sorted", &["footer"]);
        assert_eq!(judged(&banner(), Some(&intent)).decision, Decision::Bug);
        let mut restyled = banner();
        restyled.kind = ChangeType::StyleOnly;
        assert_eq!(
            judged(&restyled, Some(&intent)).decision,
            Decision::NeedsReview
        );
    }

    #[test]
    fn what_is_seen_although_nothing_was_to_look_different_is_a_bug() {
        let refactor = RunContext {
            pr_title: Some("Refactor the price templates, no visual change".to_owned()),
            ..RunContext::default()
        };
        let refactor = Intent::of(None, Some(&refactor)).unwrap();
        let edit = |before: &str, after: &str| Finding {
            tag: "p".to_owned(),
            before: Some(before.to_owned()),
            after: Some(after.to_owned()),
            ..Finding::new(ChangeType::TextEdit, "p.price".to_owned())
        };
        let price = edit("19 €", "29 €");
        let decided = |finding: &Finding, intent| judged(finding, Some(intent)).decision;
        assert_eq!(decided(&banner(), &refactor), Decision::Bug);
        assert_eq!(decided(&price, &refactor), Decision::Bug);
        let link = Finding {
            attribute: Some("href"),
            ..price.clone()
        };
        for unseen in [edit("As of 14:05", "As of 14:06"), link] {
            assert_eq!(decided(&unseen, &refactor), Decision::NeedsReview);
        }
        let code = RunContext {
            pr_title: Some("Refactor the price templates".to_owned()),
            ..RunContext::default()
        };
        let code = Intent::of(None, Some(&code)).unwrap();
        let verdict = judged(&price, Some(&code));
        assert_eq!(verdict.decision, Decision::Bug);
        assert!(
            verdict.reasoning.contains("only of work on the code"),
            "{verdict:?}"
        );
        assert_eq!(decided(&robots(), &code), Decision::Bug);
        let rest = RunContext {
            pr_title: Some("The price goes up; nothing else should look different".to_owned()),
            ..RunContext::default()
        };
        let rest = Intent::of(None, Some(&rest)).unwrap();
        assert_eq!(decided(&banner(), &rest), Decision::Bug);
        assert_ne!(decided(&price, &rest), Decision::Bug);
    }

    #[test]
    fn a_hard_bug_is_never_intentional() {
        let unaware = meant("The footer's links are sorted", &[]);
        assert_eq!(judged(&robots(), Some(&unaware)).decision, Decision::Bug);
        let aware = meant("robots noindex metadata is added", &[]);
        assert_eq!(
            judged(&robots(), Some(&aware)).decision,
            Decision::NeedsReview
        );
    }

    #[test]
    fn damage_makes_its_cause_a_bug() {
        let mut document = DocumentDiff {
            findings: vec![banner()],
            ..DocumentDiff::default()
        };
        document.damages.push(Damage {
            fault: Fault::SticksOut {
                element: "body".to_owned(),
                by: 412,
            },
            cause: Some(0),
        });
        let aware = meant("A summer sale banner is added at the top", &[".banner"]);
        let decided = |intent: &Intent| {
            let weighed = intent.weigh(&document.findings[0]);
            decide(&document, 0, Some(&weighed))
        };
        let verdict = decided(&aware);
        assert_eq!(verdict.decision, Decision::NeedsReview);
        assert!(
            verdict
                .reasoning
                .contains("What is in `body` now sticks out of it by 412 px"),
            "{verdict:?}"
        );
        let other = meant("The footer's links are sorted", &[]);
        assert_eq!(decided(&other).decision, Decision::Bug);
    }
}
