//! No word of a page in a fact, and every figure of it.

use pentimento_api::crawl::RunContext;
use pentimento_document::{Area, Finding};

use super::*;
use crate::verdict::Intent;
use crate::verdict::decide::decide;

const KINDS: [ChangeType; 15] = [
    ChangeType::TextEdit,
    ChangeType::Insert,
    ChangeType::Delete,
    ChangeType::StyleOnly,
    ChangeType::ImageChange,
    ChangeType::Move,
    ChangeType::MoveWithEdit,
    ChangeType::StickyReposition,
    ChangeType::ReflowDisplacement,
    ChangeType::MetaEdit,
    ChangeType::MetaInsert,
    ChangeType::MetaDelete,
    ChangeType::SchemaEdit,
    ChangeType::SchemaInsert,
    ChangeType::SchemaDelete,
];

/// A change every text of which holds a word that is to stay in the house.
fn canary(kind: ChangeType, tag: &str) -> Finding {
    let mut finding = Finding::new(kind, "main > p#canary.canary-box".to_owned());
    finding.tag = tag.to_owned();
    finding.before = Some("/old/canary-1.png".to_owned());
    finding.after = Some("https://canary.example/canary-2.png?canary".to_owned());
    finding.text = Some("The canary sings 7 songs".to_owned());
    finding.lineage = vec!["p#canary".to_owned()];
    finding.contains = vec!["b".to_owned(), "canary-cage".to_owned()];
    finding.beside = Some("Beside the canary".to_owned());
    finding.shift = Some((12, -1200));
    finding.area = Some(Area {
        x: 1,
        y: 2,
        w: 300,
        h: 4000,
    });
    for (property, from, to) in [
        ("--canary", "canary", "rgb(canary)"),
        ("color", "rgb(0, 0, 0)", "rgb(255, 0, 0)"),
        ("font-family", "Canary Sans", "serif, Canary"),
    ] {
        let values = [from.to_owned(), to.to_owned()];
        finding.style.insert(property.to_owned(), values);
    }
    finding
}

fn intent(description: &str, scope: &[&str]) -> Intent {
    let scope = scope.iter().map(|&pattern| pattern.to_owned()).collect();
    let run = RunContext {
        change_description: Some(description.to_owned()),
        scope: Some(scope),
        ..RunContext::default()
    };
    Intent::of(None, Some(&run)).unwrap()
}

fn fact(finding: Finding, intent: Option<&Intent>) -> Fact {
    let document = DocumentDiff {
        findings: vec![finding],
        ..DocumentDiff::default()
    };
    let weighed = intent.map(|intent| intent.weigh(&document.findings[0]));
    let verdict = decide(&document, 0, weighed.as_ref());
    Fact::of_change(&document, 0, weighed.as_ref(), &verdict)
}

#[test]
fn no_word_of_the_page_is_in_a_template() {
    for kind in KINDS {
        for tag in ["p", "", "x-canary"] {
            for attribute in [None, Some("href"), Some("alt"), Some("src"), Some("broken")] {
                let mut finding = canary(kind, tag);
                finding.attribute = attribute;
                let without_text = Finding {
                    text: None,
                    ..finding.clone()
                };
                let mut moved = canary(ChangeType::ReflowDisplacement, tag);
                moved.cause = Some(0);
                for finding in [finding, without_text] {
                    let document = DocumentDiff {
                        findings: vec![finding, moved.clone()],
                        ..DocumentDiff::default()
                    };
                    let verdict = decide(&document, 0, None);
                    let told = Fact::of_change(&document, 0, None, &verdict);
                    let pixels = "Moved 12 px up.";
                    let followed = Fact::of_consequence(pixels, &document, 0, None, &verdict);
                    for fact in [told, followed] {
                        let outside = Fact {
                            quotes: Vec::new(),
                            ..fact
                        };
                        let outside = serde_json::to_string(&outside).unwrap().to_lowercase();
                        assert!(!outside.contains("canary"), "{kind:?}: {outside}");
                    }
                }
            }
        }
    }
}

#[test]
fn a_template_with_its_quotes_is_the_sentence() {
    for kind in KINDS {
        for tag in ["p", "", "x-canary"] {
            let mut finding = canary(kind, tag);
            // Properties are told in the order of their names, and a placeholder has none.
            finding.style.remove("--canary");
            let document = DocumentDiff {
                findings: vec![finding],
                ..DocumentDiff::default()
            };
            let verdict = decide(&document, 0, None);
            let fact = Fact::of_change(&document, 0, None, &verdict);
            assert_eq!(
                fact.restore(&fact.template),
                changes::sentence(&document, 0),
                "{}",
                fact.template
            );
        }
    }
}

#[test]
fn figures_and_names_of_html_and_css_stay() {
    let style = fact(canary(ChangeType::StyleOnly, "button"), None);
    assert_eq!(
        style.template,
        "Button “⟦1⟧”: color went from #000000 to #ff0000, font-family went from ⟦2⟧ to ⟦3⟧, ⟦4⟧ went from ⟦5⟧ to ⟦6⟧."
    );
    let mut edit = canary(ChangeType::TextEdit, "h2");
    edit.style.clear();
    let edit = fact(edit, None);
    assert_eq!(edit.template, "Heading “⟦1⟧” now reads “⟦2⟧”.");
    assert_eq!(edit.quotes[0], "/old/canary-1.png");
    let mut robots = canary(ChangeType::MetaInsert, "");
    robots.element = "meta[name=\"robots\"]".to_owned();
    assert_eq!(
        fact(robots, None).template,
        "meta[name=\"robots\"] “⟦1⟧” was added."
    );
}

#[test]
fn the_same_edit_on_two_pages_is_one_fact() {
    let on = |element: &str, text: &str| {
        let mut edit = canary(ChangeType::TextEdit, "p");
        edit.element = element.to_owned();
        edit.text = Some(text.to_owned());
        edit.style.clear();
        fact(edit, None)
    };
    assert_eq!(on("#one", "One"), on("#two > p", "Two"));
}

#[test]
fn what_the_rules_settle_is_not_open() {
    let edit = || {
        let mut edit = canary(ChangeType::TextEdit, "p");
        edit.style.clear();
        edit.before = Some("19 € a month".to_owned());
        edit.after = Some("29 € a month".to_owned());
        edit
    };
    let meant = intent("Prices for schools, clubs and choirs: 29, 39, 49", &[]);
    let open = fact(edit(), Some(&meant));
    assert!(open.is_open && open.has_evidence(), "{open:?}");
    assert_eq!(open.shared_values, ["29"]);
    assert_eq!(open.shared_words, ["prices"]);
    assert!(open.score.is_some() && open.in_scope.is_none());

    assert!(!fact(edit(), None).is_open, "no intent");
    for (description, scope, why) in [
        (
            "Pure refactor, no visual change",
            &[][..],
            "nothing changes",
        ),
        ("The price must not change", &[], "a broken promise"),
        ("Prices of the small plan", &["header"], "outside the scope"),
    ] {
        let fact = fact(edit(), Some(&intent(description, scope)));
        assert!(!fact.is_open, "{why}: {fact:?}");
    }
    let gone = fact(canary(ChangeType::Delete, "button"), Some(&meant));
    assert!(!gone.is_open, "a hard bug");
    assert!(!Fact::of_pixels("Edited: 12 pixels changed.").is_open);
}

#[test]
fn what_stands_for_nothing_is_left_out() {
    let fact = Fact {
        quotes: vec!["⟦2⟧".to_owned(), "two".to_owned()],
        ..Fact::default()
    };
    assert_eq!(fact.restore("⟦1⟧ ⟦2⟧ ⟦3⟧ ⟦0⟧"), "⟦2⟧ two … …");
}

#[test]
fn damage_is_told_without_a_word_of_the_page() {
    let words = || "A canary".to_owned();
    for fault in [
        Fault::Blank,
        Fault::SticksOut {
            element: words(),
            by: 12,
        },
        Fault::Overlaps {
            texts: [words(), "Another canary".to_owned()],
        },
        Fault::CutOff {
            element: words(),
            shown: 50,
        },
        Fault::CutText {
            element: words(),
            shown: 50,
        },
        Fault::Error { message: words() },
    ] {
        let fact = Fact::of_damage(&fault);
        assert!(!fact.template.contains("canary"), "{}", fact.template);
        assert_eq!(fact.restore(&fact.template), super::damage_sentence(&fault));
        assert!(!fact.is_open);
    }
}
