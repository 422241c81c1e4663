use pentimento_api::crawl::RunContext;

use pentimento_document::{Damage, Fault};

use super::*;
use crate::verdict::pixels::judge_region;
use crate::verdict::pixels::tests::region;

mod damage;

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

fn price() -> Finding {
    Finding {
        tag: "p".to_owned(),
        before: Some("19 €".to_owned()),
        after: Some("29 €".to_owned()),
        lineage: vec!["section.pricing".to_owned()],
        ..Finding::new(ChangeType::TextEdit, "p.price".to_owned())
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
    let refactor = titled("Refactor the price templates, no visual change");
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
    let code = titled("Refactor the price templates");
    let verdict = judged(&price, Some(&code));
    assert_eq!(verdict.decision, Decision::Bug);
    assert!(
        verdict.reasoning.contains("only of work on the code"),
        "{verdict:?}"
    );
    assert_eq!(decided(&robots(), &code), Decision::Bug);
    let rest = titled("The price goes up; nothing else should look different");
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

fn titled(title: &str) -> Intent {
    let run = RunContext {
        pr_title: Some(title.to_owned()),
        ..RunContext::default()
    };
    Intent::of(None, Some(&run)).unwrap()
}

/// The decision on a change under the title of a pull request.
fn under(title: &str, finding: &Finding) -> Decision {
    judged(finding, Some(&titled(title))).decision
}

#[test]
fn a_promise_holds_for_the_part_that_was_worked_on() {
    let button = Finding {
        tag: "button".to_owned(),
        before: Some("Send".to_owned()),
        after: Some("Go".to_owned()),
        ..Finding::new(ChangeType::TextEdit, "#send".to_owned())
    };
    for title in [
        "Rename the button component. No visual change.",
        "Move the button to the library. Nothing should look different.",
        "Merging the two stylesheets leaves every page identical.",
    ] {
        assert_eq!(under(title, &button), Decision::Bug, "{title}");
    }
    let title = "Nothing changes for guests. The button is larger.";
    let mut larger = Finding::new(ChangeType::StyleOnly, "#send".to_owned());
    larger.tag = "button".to_owned();
    let sizes = ["14px", "18px"].map(str::to_owned);
    larger.style.insert("font-size".to_owned(), sizes);
    assert_ne!(under(title, &larger), Decision::Bug, "{title}");
}

#[test]
fn what_was_announced_is_no_bug_for_work_on_the_code() {
    let box_ = Finding {
        tag: "section".to_owned(),
        after: Some("What guests say".to_owned()),
        ..Finding::new(ChangeType::Insert, "#guests".to_owned())
    };
    for title in [
        "Upgrade webpack. Expect diffs everywhere.",
        "refactor: theme provider\n\n- [x] UI affected",
        "perf: replace the hero video by a still image",
        "Refactor the homepage: new hero, three columns",
        "Migrate to the new logo",
        "ci: new brand colours",
        "Add the Trustpilot script",
        "New user interface",
        "Add two jobs",
        "Load the quotes through the Trustpilot API. No breaking changes.",
        "Add guest checkout through the Stripe API. Guests do not need an account.",
        "- [ ] No visual change\n\nUpdate the hotel booking module",
        "What guests say, on the home page\n\n- [x] Tests added",
        "Migrate the home page to the new design",
        "Update the booking module",
        "Prettier home page",
        "What guests say, on the home page. Covered by jest.",
        "Opening hours on the contact page.\n\nVisual changes:\n- the hours stand under the map",
    ] {
        assert_ne!(under(title, &box_), Decision::Bug, "{title}");
    }
    for title in ["Bump webpack and eslint", "refactor(cards): split in two"] {
        assert_eq!(under(title, &box_), Decision::Bug, "{title}");
    }
    let scoped = RunContext {
        pr_title: Some("refactor(cards): split in two".to_owned()),
        scope: Some(vec!["#guests".to_owned()]),
        ..RunContext::default()
    };
    let scoped = Intent::of(None, Some(&scoped)).unwrap();
    assert_eq!(judged(&box_, Some(&scoped)).decision, Decision::NeedsReview);
}

#[test]
fn the_opposite_of_what_was_said_is_not_meant() {
    let gone = Finding {
        tag: "p".to_owned(),
        before: Some("Weekend opening hours".to_owned()),
        lineage: vec!["footer.contact".to_owned()],
        ..Finding::new(ChangeType::Delete, "p.hours".to_owned())
    };
    let title = "Add weekend opening hours to the contact footer";
    assert_eq!(under(title, &gone), Decision::NeedsReview);
}

#[test]
fn announced_values_are_met_as_people_write_them() {
    let restyled = |property: &str, from: &str, to: &str| {
        let mut finding = Finding::new(ChangeType::StyleOnly, "#send".to_owned());
        finding.tag = "button".to_owned();
        let values = [from.to_owned(), to.to_owned()];
        finding.style.insert(property.to_owned(), values);
        finding
    };
    let colour = |to: &str| restyled("background-color", "rgb(10, 10, 10)", to);
    let title = "The button background becomes #0055ff";
    assert_eq!(
        under(title, &colour("rgb(0, 85, 255)")),
        Decision::Intentional
    );
    assert_eq!(
        under(title, &colour("rgb(255, 0, 0)")),
        Decision::NeedsReview
    );
    let size = restyled("font-size", "14px", "18px");
    let title = "The size of the button's font goes from 14px to 18 px";
    assert_eq!(under(title, &size), Decision::Intentional);
}

#[test]
fn a_vague_description_does_not_lift_another_value() {
    let price = price();
    for title in [
        "Raise the price. The price changes to 49 €",
        "Price goes to 49 €",
    ] {
        assert_eq!(under(title, &price), Decision::NeedsReview, "{title}");
    }
    assert_eq!(
        under("Raise the price to 29 €", &price),
        Decision::Intentional
    );
}

/// The documentation shows an example of each rule, with the reason that is given.
#[test]
fn the_documented_examples_are_true() {
    let document = include_str!("../../../../docs/judging.md");
    let documented = |verdict: &RegionVerdict| {
        let name = verdict.decision.as_str();
        let wanted = format!("`{name}`: {}", verdict.reasoning);
        assert!(
            document.contains(&format!("| {wanted} |")),
            "docs/judging.md: | {wanted} |"
        );
    };
    let price = price();
    let promised = Intent::of(Some("Pricing must not change."), None).unwrap();
    let expected = meant("The price changes to 29 €", &[".pricing"]);
    let footer = meant("The footer's links are sorted", &["footer"]);
    documented(&judge_region(&region(9, 0.021)));
    documented(&judged(&price, None));
    documented(&judged(&robots(), Some(&footer)));
    documented(&judged(&price, Some(&promised)));
    documented(&judged(&price, Some(&expected)));
    let refactor = "Refactor, no visual change";
    documented(&judged(&price, Some(&titled(refactor))));
    let refactor = "refactor(cards): split in two";
    documented(&judged(&price, Some(&titled(refactor))));
    documented(&judged(&banner(), Some(&footer)));
    documented(&judged(&price, Some(&titled("Sort the footer's links"))));
}
