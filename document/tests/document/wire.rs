use pentimento_api::result::ChangeType;
use pentimento_document::{DocumentDiff, Finding};

use crate::page::{diff, leaf, main_of, page};

fn finding(before: &str, after: &str) -> Finding {
    Finding {
        tag: "p".to_owned(),
        before: Some(before.to_owned()),
        after: Some(after.to_owned()),
        ..Finding::new(ChangeType::TextEdit, "p".to_owned())
    }
}

fn of(findings: Vec<Finding>) -> DocumentDiff {
    DocumentDiff {
        findings,
        ..DocumentDiff::default()
    }
}

#[test]
fn at_most_forty() {
    let diff = of(vec![finding("a", "b"); 60]);
    assert_eq!(diff.wire_changes().len(), 40);
    assert_eq!(diff.elements_changed(), ["p"]);
}

#[test]
fn at_most_8192_bytes() {
    for text in ["x", "é", "😀", "\u{1}", "\""] {
        let mut long = finding(&text.repeat(500), &text.repeat(600));
        for at in 0..64 {
            long.style.insert(
                format!("--{at}{}", "n".repeat(60)),
                [text.repeat(300), text.repeat(299)],
            );
        }
        let changes = of(vec![long; 50]).wire_changes();
        assert!(!changes.is_empty(), "{text}");
        assert!(
            serde_json::to_vec(&changes).unwrap().len() <= 8192,
            "{text}"
        );
    }
}

#[test]
fn texts_are_clipped_around_where_they_part() {
    let (before, after) = ("ä".repeat(1000) + "one", "ä".repeat(1000) + "two");
    let changes = of(vec![finding(&before, &after)]).wire_changes();
    let [before, after] =
        [&changes[0].before, &changes[0].after].map(|text| text.as_deref().unwrap());
    assert!(
        before.starts_with("…ä") && before.ends_with("one"),
        "{before}"
    );
    assert!(after.ends_with("two"));
    let changes = of(vec![finding(&"😀".repeat(900), "short")]).wire_changes();
    let before = changes[0].before.as_deref().unwrap();
    assert_eq!(before.chars().count(), 200);
    assert!(before.ends_with('…'));
    let short = of(vec![finding("same one", "same two")]).wire_changes();
    assert_eq!(short[0].before.as_deref(), Some("same one"));
}

#[test]
fn fields_on_the_wire() {
    let mut after = page();
    after.children.insert(0, leaf("div", "Banner").height(100));
    main_of(&mut after).clear();
    let changes = serde_json::to_value(diff(&page(), &after).wire_changes()).unwrap();
    assert_eq!(changes[0]["type"], "delete");
    assert!(changes[0]["boxBefore"]["w"].is_i64());
    let group = changes.as_array().unwrap().last().unwrap();
    assert_eq!(group["type"], "reflow-displacement");
    assert!(
        group["collapsed"]
            .as_u64()
            .is_some_and(|collapsed| collapsed > 0)
    );
}
