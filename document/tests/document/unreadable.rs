use pentimento_document::{Document, Unreadable, compare};
use proptest::prelude::*;
use serde_json::{Value, json};

use crate::page::page;

fn error(json: &str) -> String {
    Document::parse(json.as_bytes()).unwrap_err().to_string()
}

#[test]
fn bounds() {
    let nested = |levels: usize| {
        let node = "{\"tagName\":\"p\",\"children\":[";
        format!("{}{}", node.repeat(levels), "]}".repeat(levels))
    };
    assert_eq!(
        Document::parse(nested(512).as_bytes())
            .unwrap()
            .node_count(),
        512
    );
    assert_eq!(
        error(&nested(513)),
        "The DOM tree is nested deeper than 512 levels."
    );
    assert_eq!(
        error(&nested(10_000)),
        "The DOM tree is nested deeper than 512 levels."
    );
    let wide = |children: usize| {
        let leaves = vec!["{\"tagName\":\"p\"}"; children].join(",");
        format!("{{\"tagName\":\"body\",\"children\":[{leaves}]}}")
    };
    let widest = Document::parse(wide(49_999).as_bytes()).unwrap();
    assert_eq!(widest.node_count(), 50_000);
    assert!(compare(&widest, &widest).findings.is_empty());
    assert_eq!(
        error(&wide(50_000)),
        "The DOM tree has more than 50,000 elements."
    );
    assert_eq!(
        error(&" ".repeat((16 << 20) + 1)),
        "The DOM tree is larger than 16 MiB."
    );
}

#[test]
fn hostile_shapes_take_no_time() {
    let wide = |name: &str| {
        let leaves: Vec<Value> = (0..20_000)
            .map(|at| json!({"tagName": name, "text": format!("{name}{}", at % 700)}))
            .collect();
        Document::parse(
            json!({"tagName": "body", "children": leaves})
                .to_string()
                .as_bytes(),
        )
        .unwrap()
    };
    compare(&wide("p"), &wide("a"));
    let same = |tag: &str| {
        let leaves = vec![
            json!({"tagName": "p", "text": "the same", "rect": {"x": 0, "y": 9, "w": 9, "h": 9}});
            40_000
        ];
        let list = json!({"tagName": tag, "children": leaves});
        Document::parse(
            json!({"tagName": "body", "children": [list]})
                .to_string()
                .as_bytes(),
        )
        .unwrap()
    };
    compare(&same("ul"), &same("ol"));
    let deep = |tag: &str, text: &str| {
        let open = (0..500).map(|level| {
            format!("{{\"tagName\":\"{tag}\",\"text\":\"{text}{level}\",\"children\":[")
        });
        let json = open.collect::<String>() + &"]}".repeat(500);
        Document::parse(json.as_bytes()).unwrap()
    };
    compare(&deep("div", "a"), &deep("div", "b"));
    compare(&deep("div", "a"), &deep("p", "a"));
}

#[test]
fn wrong_types_name_the_element() {
    // The tag is named when it stood before the fault; `json!` sorts the fields by name.
    let within = |child: Value| {
        format!("{{\"tagName\":\"BODY\",\"children\":[{{\"tagName\":\"p\"}},{child}]}}")
    };
    for (child, expected) in [
        (
            json!({"tagName": 5}),
            "The DOM tree is malformed: tagName of body > element (child 2) is not a string.",
        ),
        (
            json!({"tagName": "p", "text": []}),
            "The DOM tree is malformed: text of body > p (child 2) is not a string.",
        ),
        (
            json!({"tagName": "p", "rect": 1}),
            "The DOM tree is malformed: rect of body > element (child 2) is not an object.",
        ),
        (
            json!({"tagName": "p", "rect": {"x": "1"}}),
            "The DOM tree is malformed: rect of body > element (child 2) is not an object of numbers.",
        ),
        (
            json!({"tagName": "p", "styles": {"color": []}}),
            "The DOM tree is malformed: styles of body > element (child 2) is not an object of strings.",
        ),
        (
            json!({"tagName": "p", "children": {}}),
            "The DOM tree is malformed: children of body > element (child 2) is not a list.",
        ),
        (
            json!(7),
            "The DOM tree is malformed: children of body is not a list of objects.",
        ),
        (
            json!({"text": "x"}),
            "The DOM tree is malformed: body > element (child 2) has no tagName.",
        ),
    ] {
        assert_eq!(error(&within(child)), expected);
    }
    assert_eq!(
        error("[]"),
        "The DOM tree is malformed: the root of the tree is not an object."
    );
    assert_eq!(
        error("{\"tagName\":\"p\""),
        "The DOM tree is not valid JSON: a comma is missing at byte 14."
    );
    assert!(matches!(
        Document::parse(&[0xff]),
        Err(Unreadable::NotJson { at: 0, .. })
    ));
}

#[test]
fn forgiving_where_it_does_no_harm() {
    let json = json!({
        "unknown": [{"deep": [1, 2, {"x": null}]}], "id": null, "text": "  a \n b ", "tagName": "Body",
        "rect": {"x": -1e300, "y": 2.6, "w": 1e99, "h": -5, "z": {}}, "children": null,
    });
    assert_eq!(
        Document::parse(json.to_string().as_bytes())
            .unwrap()
            .node_count(),
        1
    );
}

proptest! {
    #[test]
    fn garbage_never_panics(bytes in prop::collection::vec(any::<u8>(), 0..300)) {
        let _ = Document::parse(&bytes);
    }

    #[test]
    fn broken_trees_never_panic(
        cuts in prop::collection::vec((any::<prop::sample::Index>(), any::<prop::sample::Index>(), any::<prop::sample::Index>()), 1..4)
    ) {
        // Pieces of a tree put elsewhere: often still JSON, mostly odd.
        let json = page().json().to_string();
        let mut bytes = json.clone().into_bytes();
        for (from, to, put) in cuts {
            let (from, to) = (from.index(json.len()), to.index(json.len()));
            let piece = json.as_bytes()[from.min(to)..from.max(to)].to_vec();
            let put = put.index(bytes.len());
            bytes.splice(put..put, piece);
        }
        if let Ok(document) = Document::parse(&bytes) {
            compare(&document, &page().document());
        }
    }
}

#[test]
fn a_tree_that_was_cut_off_is_not_compared() {
    let tree = |truncated| format!(r#"{{"tagName":"body","truncated":{truncated}}}"#);
    let cut = Document::parse(tree(true).as_bytes());
    assert_eq!(cut.unwrap_err(), Unreadable::Truncated);
    assert!(Document::parse(tree(false).as_bytes()).is_ok());
}
