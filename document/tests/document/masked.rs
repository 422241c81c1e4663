//! What is left out: of masked elements nothing but their place is known.

use pentimento_api::result::ChangeType;
use pentimento_document::{Document, DocumentDiff, compare};
use serde_json::{Value, json};

/// A page with a paragraph, an advertisement and another paragraph.
fn page(advertisement: &Value) -> Value {
    let paragraph = |text: &str, y: i64| json!({"tagName": "p", "text": text, "rect": {"x": 0, "y": y, "w": 600, "h": 40}});
    let below =
        advertisement["rect"]["y"].as_i64().unwrap() + advertisement["rect"]["h"].as_i64().unwrap();
    json!({"tagName": "body", "rect": {"x": 0, "y": 0, "w": 600, "h": below + 40}, "children": [
        paragraph("First", 0), advertisement, paragraph("Second", below),
    ]})
}

/// An advertisement of a campaign, so many pixels high.
fn advertisement(campaign: &str, height: i64, masked: bool) -> Value {
    let picture = format!("url(\"/{campaign}.png\")");
    json!({
        "tagName": "aside", "masked": masked, "id": format!("slot-{campaign}"), "className": format!("ad {campaign}"),
        "text": campaign, "href": format!("/{campaign}"), "rect": {"x": 0, "y": 40, "w": 600, "h": height},
        "styles": {"position": "static", "background-image": picture, "color": "rgb(1, 2, 3)"},
        "children": [{"tagName": "b", "text": campaign, "rect": {"x": 0, "y": 40, "w": 90, "h": 20}}],
    })
}

fn diff(before: &Value, after: &Value) -> DocumentDiff {
    let [before, after] =
        [before, after].map(|tree| Document::parse(page(tree).to_string().as_bytes()).unwrap());
    compare(&before, &after)
}

#[test]
fn nothing_that_a_masked_element_says_or_wears_is_a_change() {
    let summer = advertisement("summer", 90, true);
    let told = diff(&summer, &advertisement("winter", 90, true));
    assert_eq!(told, DocumentDiff::default());
    let told = diff(
        &advertisement("summer", 90, false),
        &advertisement("winter", 90, false),
    );
    assert!(told.content_changed(), "without a mask it is");
}

#[test]
fn a_mask_that_one_side_has_alone_counts_for_both() {
    // It is found again by its id.
    let mut masked = advertisement("winter", 90, true);
    let shown = advertisement("summer", 90, false);
    masked["id"] = shown["id"].clone();
    for (before, after) in [(&shown, &masked), (&masked, &shown)] {
        let told = diff(before, after);
        assert_eq!(told, DocumentDiff::default(), "{told:#?}");
    }
}

#[test]
fn a_masked_element_still_displaces_what_follows_it() {
    let told = diff(
        &advertisement("summer", 90, true),
        &advertisement("winter", 130, true),
    );
    let moved: Vec<_> = (told.findings.iter())
        .filter(|finding| finding.kind == ChangeType::ReflowDisplacement)
        .collect();
    assert_eq!(moved.len(), 1, "{told:#?}");
    assert_eq!(moved[0].shift, Some((0, 40)));
}
