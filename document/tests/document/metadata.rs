use pentimento_api::result::ChangeType::{
    self, MetaDelete, MetaEdit, MetaInsert, SchemaDelete, SchemaEdit, SchemaInsert,
};
use pentimento_document::{Document, DocumentDiff, compare};
use serde_json::{Value, json};

use crate::page::{kinds, page};

fn with_head(head: Option<&Value>) -> Document {
    let mut json = page().json();
    if let Some(head) = head {
        json["head"] = head.clone();
    }
    Document::parse(json.to_string().as_bytes()).unwrap()
}

fn heads(before: &Value, after: &Value) -> DocumentDiff {
    compare(&with_head(Some(before)), &with_head(Some(after)))
}

/// Checks the only finding of two heads.
fn check(before: &Value, after: &Value, kind: ChangeType, element: &str, texts: [Option<&str>; 2]) {
    let diff = heads(before, after);
    assert_eq!(kinds(&diff), [kind]);
    let finding = &diff.findings[0];
    assert_eq!(finding.element, element);
    assert_eq!([finding.before.as_deref(), finding.after.as_deref()], texts);
    assert!(diff.metadata_changed() && !diff.content_changed());
    assert!(diff.elements_changed().is_empty());
}

#[test]
fn fields() {
    let meta = |name: &str, content: &str| json!({"meta": [{"name": name, "content": content}]});
    check(
        &json!({"title": "A"}),
        &json!({"title": "B"}),
        MetaEdit,
        "title",
        [Some("A"), Some("B")],
    );
    check(
        &json!({"lang": "de"}),
        &json!({}),
        MetaDelete,
        "lang",
        [Some("de"), None],
    );
    check(
        &json!({}),
        &meta("description", "x"),
        MetaInsert,
        "meta[name=\"description\"]",
        [None, Some("x")],
    );
    check(
        &meta("og:title", "x"),
        &meta("og:title", "y"),
        MetaEdit,
        "meta[property=\"og:title\"]",
        [Some("x"), Some("y")],
    );
    check(
        &meta("twitter:card", "x"),
        &json!({}),
        MetaDelete,
        "meta[name=\"twitter:card\"]",
        [Some("x"), None],
    );
    let canonical = |href: &str| json!({"links": [{"rel": "canonical", "href": href}]});
    check(
        &canonical("/a"),
        &canonical("/b"),
        MetaEdit,
        "link[rel=\"canonical\"]",
        [Some("/a"), Some("/b")],
    );
    let alternate =
        |href: &str| json!({"links": [{"rel": "alternate", "href": href, "hreflang": "de"}]});
    check(
        &alternate("/a"),
        &alternate("/b"),
        MetaEdit,
        "link[rel=\"alternate\"][hreflang=\"de\"]",
        [Some("/a"), Some("/b")],
    );
}

#[test]
fn structured_data() {
    let blocks = |blocks: &[Value]| json!({"jsonLd": blocks.iter().map(Value::to_string).collect::<Vec<_>>()});
    let product =
        |price: i64| json!({"@type": "Product", "@id": "#p", "name": "Lamp", "price": price});
    let graph = json!({"@context": "https://schema.org", "@graph": [{"price": 5, "name": "Lamp", "@id": "#p", "@type": "Product"}]});
    assert_eq!(kinds(&heads(&blocks(&[product(5)]), &blocks(&[graph]))), []);
    check(
        &blocks(&[product(5)]),
        &blocks(&[product(6)]),
        SchemaEdit,
        "JSON-LD Product #p",
        [Some("{\"price\":5}"), Some("{\"price\":6}")],
    );
    let lone = json!({"@type": "Event"});
    check(
        &blocks(&[]),
        &blocks(std::slice::from_ref(&lone)),
        SchemaInsert,
        "JSON-LD Event",
        [None, Some("{\"@type\":\"Event\"}")],
    );
    check(
        &blocks(&[lone]),
        &blocks(&[]),
        SchemaDelete,
        "JSON-LD Event",
        [Some("{\"@type\":\"Event\"}"), None],
    );
    let broken = |text: &str| json!({"jsonLd": [text]});
    check(
        &broken("{oh"),
        &broken("{no"),
        SchemaEdit,
        "JSON-LD",
        [Some("{oh"), Some("{no")],
    );
}

#[test]
fn only_when_both_have_a_head() {
    let head = json!({"title": "A"});
    assert_eq!(
        kinds(&compare(&with_head(None), &with_head(Some(&head)))),
        []
    );
}
