//! What an element lies over that a negative margin pulls.

use pentimento_api::result::ChangeType;
use pentimento_document::{Document, Pulled, compare};
use serde_json::{Value, json};

/// A box with these styles and things in it.
fn block(tag: &str, id: &str, [x, y, w, h]: [i64; 4], styles: Value, inside: Value) -> Value {
    let mut node = json!({"tagName": tag, "id": id, "rect": {"x": x, "y": y, "w": w, "h": h}});
    node["styles"] = styles;
    node["children"] = inside;
    node
}

fn text(id: &str, y: i64) -> Value {
    let mut text = block("p", id, [0, y, 600, 40], json!({}), json!([]));
    text["text"] = json!(format!("Text of {id}"));
    text
}

fn body(children: Value) -> Value {
    block("body", "", [0, 0, 600, 800], json!({}), children)
}

/// The card in this box, pulled by a margin.
fn card(area: [i64; 4], margin: &str) -> Value {
    let mut card = block("p", "card", area, json!({"margin-top": margin}), json!([]));
    card["text"] = json!("Only today");
    card
}

/// What is told of the card.
fn pulled(before: &Value, after: &Value) -> Pulled {
    let [before, after] =
        [before, after].map(|tree| Document::parse(tree.to_string().as_bytes()).unwrap());
    let findings = compare(&before, &after).findings;
    let mut styled = (findings.into_iter())
        .filter(|finding| finding.kind == ChangeType::StyleOnly && finding.element == "#card");
    styled.next().unwrap().flaws.pulled
}

const ABOVE: [i64; 4] = [0, 140, 600, 40];

#[test]
fn what_is_pulled_lies_over_what_is_beside_it_or_over_nothing() {
    let at = |area, margin| body(json!([text("intro", 0), card(area, margin)]));
    let before = at(ABOVE, "0px");
    let told = |y| pulled(&before, &at([0, y, 600, 40], "-80px"));
    assert_eq!(told(20), Pulled::Over("#intro".to_owned()));
    assert_eq!(told(60), Pulled::Free);
    assert_eq!(told(36), Pulled::Free, "by rounding");
    let aside = |x| pulled(&before, &at([x, 60, 600, 40], "-80px"));
    assert_eq!(aside(-40), Pulled::OffPage);
    assert_eq!(aside(40), Pulled::OffPage);
    assert_eq!(aside(-6), Pulled::Free);
}

#[test]
fn a_box_counts_where_something_can_be_seen_in_it() {
    let at = |spacer: &Value, y: i64, margin| {
        let card = card([0, y, 600, 40], margin);
        body(json!([text("intro", 0), spacer, card]))
    };
    let told = |styles: Value, inside: Value| {
        let spacer = block("div", "spacer", [0, 60, 600, 60], styles, inside);
        pulled(&at(&spacer, 140, "0px"), &at(&spacer, 60, "-80px"))
    };
    let over = Pulled::Over("#spacer".to_owned());
    assert_eq!(told(json!({}), json!([])), Pulled::Free);
    let inside = Pulled::Over("#inside".to_owned());
    assert_eq!(told(json!({}), json!([text("inside", 60)])), inside);
    assert_eq!(
        told(json!({}), json!([text("inside", 110)])),
        Pulled::Free,
        "its padding"
    );
    let unseen = json!({"opacity": "0"});
    assert_eq!(told(unseen, json!([text("inside", 60)])), Pulled::Free);
    let painted = json!({"background-color": "rgb(200, 40, 40)"});
    assert_eq!(told(painted, json!([])), over);
    assert_eq!(told(json!({"border-top-width": "1px"}), json!([])), over);
    let hidden = json!({"background-color": "rgb(200, 40, 40)", "visibility": "hidden"});
    assert_eq!(told(hidden, json!([])), Pulled::Free);
}

#[test]
fn what_it_lay_over_before_and_what_it_lies_in_do_not_count() {
    let at = |y: i64, margin| {
        let around = block(
            "main",
            "main",
            [0, 0, 600, 400],
            json!({"background-color": "rgb(240, 240, 240)"}),
            json!([card([0, y, 600, 40], margin)]),
        );
        let stain = block(
            "div",
            "stain",
            [0, 0, 600, 400],
            json!({"position": "absolute", "background-color": "rgb(255, 240, 240)"}),
            json!([]),
        );
        body(json!([stain, around]))
    };
    assert_eq!(pulled(&at(140, "0px"), &at(60, "-80px")), Pulled::Free);
}

#[test]
fn where_boxes_do_not_tell_it_is_not_known() {
    let at = |area, margin| body(json!([text("intro", 0), card(area, margin)]));
    let boxless = pulled(&at([0; 4], "0px"), &at([0; 4], "-80px"));
    assert_eq!(boxless, Pulled::Unknown);
    // Where the text around it stands is not recorded.
    let mixed = |area, margin| {
        let mut page = at(area, margin);
        page["text"] = json!("Read on");
        page
    };
    let told = pulled(&mixed(ABOVE, "0px"), &mixed([0, 60, 600, 40], "-80px"));
    assert_eq!(told, Pulled::Unknown);
}

#[test]
fn the_rows_of_a_grid_may_be_pulled_over_each_others_gaps() {
    let row = |y: i64, margin: &str, inside: i64| {
        let column = text("column", inside);
        let styles = json!({"margin-top": margin});
        let row = block("div", "card", [0, y, 600, 80], styles, json!([column]));
        body(json!([text("intro", 0), row]))
    };
    assert_eq!(
        pulled(&row(40, "0px", 40), &row(16, "-24px", 40)),
        Pulled::Free
    );
    let over = pulled(&row(40, "0px", 40), &row(16, "-24px", 16));
    assert_eq!(over, Pulled::Over("#intro".to_owned()));
}
