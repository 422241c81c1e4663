//! What is wrong whatever was said, under words that mean anything in a part of the page.

use pentimento_document::{Lost, PaleText, Pulled};

use super::*;

/// Something in the footer that is changed in this way.
fn in_the_footer(kind: ChangeType, tag: &str) -> Finding {
    let element = format!("footer > {tag}");
    Finding {
        tag: tag.to_owned(),
        lineage: vec![tag.to_owned(), "footer".to_owned()],
        ..Finding::new(kind, element)
    }
}

/// All that is wrong whatever was said, each in the footer.
fn broken_in_the_footer() -> Vec<Finding> {
    use ChangeType::{Delete, ImageChange, Insert, StyleOnly};
    let pale = || {
        Some(PaleText {
            element: "footer p".to_owned(),
            before: Some(12.0),
            after: 1.2,
        })
    };
    let styled = |tag: &str, property: &str, values: [&str; 2]| {
        let mut finding = in_the_footer(StyleOnly, tag);
        let values = values.map(str::to_owned);
        finding.style.insert(property.to_owned(), values);
        finding
    };
    let mut picture = in_the_footer(ImageChange, "img");
    picture.attribute = Some("broken");
    let mut came = in_the_footer(Insert, "div");
    came.flaws.broken = Some("footer img".to_owned());
    let mut unreadable = styled("p", "color", ["rgb(0, 0, 0)", "rgb(240, 240, 240)"]);
    unreadable.flaws.pale_text = pale();
    let mut bared = in_the_footer(Delete, "div");
    bared.flaws.pale_text = pale();
    let mut pulled = styled("p", "margin-top", ["0px", "-40px"]);
    pulled.flaws.pulled = Pulled::Over("footer a".to_owned());
    let mut wrapper = in_the_footer(Delete, "div");
    wrapper.lost.push(Lost {
        tag: "button".to_owned(),
        element: "footer button".to_owned(),
    });
    vec![
        picture,
        came,
        unreadable,
        bared,
        pulled,
        wrapper,
        in_the_footer(Delete, "button"),
        in_the_footer(Delete, "input"),
        in_the_footer(Delete, "select"),
        in_the_footer(Delete, "textarea"),
        styled("a", "display", ["inline", "none"]),
        styled("button", "opacity", ["1", "0"]),
    ]
}

#[test]
fn a_scope_and_an_open_verb_make_no_damage_intentional() {
    let text = "footer p".to_owned();
    let [one, other] = ["Imprint", "Contact"].map(str::to_owned);
    let faults = [
        Fault::SticksOut {
            element: text.clone(),
            by: 40,
        },
        Fault::Overlaps {
            texts: [one, other],
        },
        Fault::CutOff {
            element: text.clone(),
            shown: 40,
        },
        Fault::CutText {
            element: text,
            shown: 40,
        },
    ];
    for said in ["Update the footer", "Rework the footer", "Footer refresh"] {
        for intent in [meant(said, &["footer"]), scoped(said, "footer")] {
            let decided = |finding: &Finding| judged(finding, Some(&intent));
            for broken in broken_in_the_footer() {
                let verdict = decided(&broken);
                assert_ne!(
                    verdict.decision,
                    Decision::Intentional,
                    "{said}: {broken:#?}"
                );
            }
            let restyled = in_the_footer(ChangeType::StyleOnly, "p");
            for fault in &faults {
                let document = DocumentDiff {
                    findings: vec![restyled.clone()],
                    damages: vec![Damage {
                        fault: fault.clone(),
                        cause: Some(0),
                    }],
                };
                let weighed = intent.weigh(&restyled);
                let verdict = decide(&document, 0, Some(&weighed));
                assert_ne!(verdict.decision, Decision::Intentional, "{said}: {fault:?}");
            }
        }
    }
    // What is only another one is what was meant.
    let intent = scoped("Update the footer", "footer");
    let reworded = Finding {
        before: Some("Open until 18:00".to_owned()),
        after: Some("Open until 20:00".to_owned()),
        ..in_the_footer(ChangeType::TextEdit, "p")
    };
    assert_eq!(
        judged(&reworded, Some(&intent)).decision,
        Decision::Intentional
    );
}

/// A title of a pull request beside a scope.
fn scoped(title: &str, scope: &str) -> Intent {
    let run = RunContext {
        pr_title: Some(title.to_owned()),
        scope: Some(vec![scope.to_owned()]),
        ..RunContext::default()
    };
    Intent::of(None, Some(&run)).unwrap()
}
