//! What is broken by a change, told only where it was not broken before.

use pentimento_api::result::ChangeType;
use pentimento_document::{Damage, Document, DocumentDiff, Fault, compare};
use serde_json::{Value, json};

use crate::page::{Element, diff, main_of, page};

/// A page of blocks, each with its text, its top and its styles.
fn blocks(blocks: &[(&str, i64, &str)]) -> Value {
    let children: Vec<Value> = (blocks.iter())
        .map(|(text, y, position)| {
            json!({"tagName": "p", "text": text, "rect": {"x": 0, "y": y, "w": 600, "h": 40},
                "styles": {"display": "block", "position": position}})
        })
        .collect();
    json!({"tagName": "body", "rect": {"x": 0, "y": 0, "w": 600, "h": 800}, "children": children})
}

fn compared(before: &Value, after: &Value) -> DocumentDiff {
    let [before, after] =
        [before, after].map(|tree| Document::parse(tree.to_string().as_bytes()).unwrap());
    compare(&before, &after)
}

fn damages(before: &Value, after: &Value) -> Vec<Damage> {
    compared(before, after).damages
}

/// The kind of the change that the only damage is put down to.
fn blamed(diff: &DocumentDiff) -> Option<ChangeType> {
    let [damage] = &diff.damages[..] else {
        panic!("one damage: {diff:#?}");
    };
    damage.cause.map(|cause| diff.findings[cause].kind)
}

#[test]
fn texts_that_come_to_lie_over_each_other_are_damage() {
    let apart = blocks(&[("First", 0, "static"), ("Second", 60, "static")]);
    let over = blocks(&[("First", 0, "static"), ("Second", 20, "static")]);
    let texts = ["First", "Second"].map(str::to_owned);
    let [damage] = &damages(&apart, &over)[..] else {
        panic!("one damage");
    };
    assert_eq!(damage.fault, Fault::Overlaps { texts });
    assert_eq!(damages(&over, &over), [], "it always was like that");
    assert_eq!(damages(&over, &apart), [], "it was mended");
    let lifted = blocks(&[("First", 0, "static"), ("Second", 20, "absolute")]);
    assert_eq!(damages(&apart, &lifted), [], "that is what it is for");
}

/// A box of so many pixels with these styles, a paragraph of 40 px in it, and another paragraph right below the box.
fn folded(height: i64, overflow: &str) -> Value {
    let paragraph = |text: &str, y: i64| json!({"tagName": "p", "text": text, "rect": {"x": 0, "y": y, "w": 600, "h": 40}, "styles": {"display": "block"}});
    json!({"tagName": "body", "rect": {"x": 0, "y": 0, "w": 600, "h": 800}, "styles": {"overflow-y": "auto"}, "children": [
        {"tagName": "div", "rect": {"x": 0, "y": 0, "w": 600, "h": height},
            "styles": {"display": "block", "overflow-x": overflow, "overflow-y": overflow},
            "children": [paragraph("Answer", 0)]},
        paragraph("Next question", height),
    ]})
}

#[test]
fn what_is_cut_off_lies_over_nothing() {
    for overflow in ["hidden", "clip", "auto", "scroll"] {
        let folding = damages(&folded(40, overflow), &folded(0, overflow));
        assert_eq!(folding, [], "{overflow}");
        // Of a visually hidden text a pixel is left, of one that shows its end more.
        assert_eq!(damages(&folded(40, overflow), &folded(1, overflow)), []);
        assert_eq!(damages(&folded(40, overflow), &folded(20, overflow)), []);
    }
    let spilled = damages(&folded(40, "visible"), &folded(0, "visible"));
    assert_eq!(spilled.len(), 1, "nothing cuts it off: {spilled:?}");
    // It lay where it lies, but could not be seen there before.
    assert_eq!(
        damages(&folded(0, "hidden"), &folded(0, "visible")).len(),
        1
    );
}

#[test]
fn a_text_that_comes_to_be_cut_off_is_damage() {
    let told = |before: &Value, after: &Value| {
        let diff = compared(before, after);
        let cut = diff.damages.iter().find_map(|damage| match damage.fault {
            Fault::CutOff { shown, .. } => Some(shown),
            _ => None,
        });
        let is_blamed = cut.is_none() || blamed(&diff) == Some(ChangeType::StyleOnly);
        assert!(is_blamed, "{diff:#?}");
        cut
    };
    for overflow in ["hidden", "clip"] {
        let cut = folded(20, overflow);
        assert_eq!(told(&folded(40, "visible"), &cut), Some(50));
        assert_eq!(told(&cut, &folded(40, "visible")), None, "it was mended");
        // It is folded, or nearly as high as it was.
        for whole in [0, 1, 38] {
            assert_eq!(told(&folded(40, "visible"), &folded(whole, overflow)), None);
        }
    }
    for reached in ["auto", "scroll"] {
        assert_eq!(told(&folded(40, "visible"), &folded(20, reached)), None);
    }
    // What is cut by a box that always cut is a longer or a shorter beginning of it.
    assert_eq!(told(&folded(40, "hidden"), &folded(20, "hidden")), None);
    let lifted = |mut page: Value| {
        page["children"][0]["children"][0]["styles"]["position"] = json!("absolute");
        page
    };
    let [whole, cut] = [folded(40, "visible"), folded(20, "hidden")].map(lifted);
    assert_eq!(told(&whole, &cut), None, "it may lie beyond the box");
}

/// A page with a label of this width and height, of whose text its box shows so many percent where it cuts something off.
fn labelled(text: &str, [w, h]: [i64; 2], overflow: &str, shown: Option<i64>) -> Value {
    let label = json!({"tagName": "p", "id": "label", "text": text, "shown": shown, "rect": {"x": 0, "y": 0, "w": w, "h": h},
        "styles": {"display": "block", "overflow-x": overflow, "overflow-y": overflow}});
    json!({"tagName": "body", "rect": {"x": 0, "y": 0, "w": 600, "h": 800}, "children": [
        {"tagName": "div", "rect": {"x": 0, "y": 0, "w": 600, "h": 40}, "styles": {"display": "flex"}, "children": [label]},
    ]})
}

/// How much is told to be seen of a text that its own box cuts off.
fn cut_text(diff: &DocumentDiff) -> Option<i64> {
    let mut damages = diff.damages.iter();
    damages.find_map(|damage| match &damage.fault {
        Fault::CutText { element, shown } => {
            assert_eq!(element, "#label");
            Some(*shown)
        }
        _ => None,
    })
}

#[test]
fn a_text_that_comes_to_be_cut_off_by_its_own_box_is_damage() {
    let (short, long) = ("Send", "Send it to everybody whom you know");
    let box_ = [200, 20];
    let is = labelled(long, box_, "hidden", Some(40));
    let told = |before: &Value| {
        let diff = compared(before, &is);
        (cut_text(&diff), blamed(&diff))
    };
    let longer = labelled(short, box_, "hidden", Some(100));
    assert_eq!(told(&longer), (Some(40), Some(ChangeType::TextEdit)));
    let clipped = labelled(long, box_, "visible", None);
    assert_eq!(told(&clipped), (Some(40), Some(ChangeType::StyleOnly)));
    let was = |overflow: &str, shown| labelled(short, box_, overflow, shown);
    for (before, shown) in [
        // Nearly all of it can be seen, or it is hidden on purpose.
        (was("hidden", Some(100)), Some(75)),
        (was("hidden", Some(100)), Some(9)),
        (was("hidden", Some(90)), Some(40)),
        // A capture that did not look, and a box that could be scrolled.
        (was("hidden", None), Some(40)),
        (was("auto", None), Some(40)),
        (was("visible", None), None),
        // It is folded.
        (labelled(short, [200, 60], "hidden", Some(100)), Some(40)),
    ] {
        let diff = compared(&before, &labelled(long, box_, "hidden", shown));
        assert_eq!(diff.damages, [], "{before} {shown:?}");
    }
}

#[test]
fn a_box_that_shortens_texts_may_shorten_a_longer_one() {
    let long = "Send it to everybody whom you know";
    let shortened = |[w, h]: [i64; 2]| {
        let mut page = labelled(long, [w, h], "hidden", Some(40));
        page["children"][0]["children"][0]["shortens"] = true.into();
        page
    };
    let longer = labelled("Send", [200, 20], "hidden", Some(100));
    assert_eq!(cut_text(&compared(&longer, &shortened([200, 20]))), None);
    let narrower = labelled(long, [600, 20], "hidden", Some(100));
    let told = cut_text(&compared(&narrower, &shortened([200, 20])));
    assert_eq!(told, Some(40));
}

#[test]
fn what_takes_its_room_from_a_text_is_to_blame_for_what_cannot_be_seen_of_it() {
    let text = "Send it to everybody whom you know";
    let before = labelled(text, [600, 20], "hidden", Some(100));
    let mut after = labelled(text, [200, 20], "hidden", Some(60));
    let badge =
        json!({"tagName": "b", "text": "New", "rect": {"x": 200, "y": 0, "w": 400, "h": 20}});
    let row = after["children"][0]["children"].as_array_mut();
    row.unwrap().push(badge);
    let diff = compared(&before, &after);
    assert_eq!(cut_text(&diff), Some(60));
    assert_eq!(blamed(&diff), Some(ChangeType::Insert), "{diff:#?}");
}

#[test]
fn what_stands_above_or_below_takes_no_room_from_a_text() {
    let page = |picture: &str, width: i64, shown: i64, field: Option<Value>| {
        let at = |y: i64, w: i64| json!({"x": 0, "y": y, "w": w, "h": 40});
        json!({"tagName": "body", "rect": {"x": 0, "y": 0, "w": 600, "h": 800}, "children": [
            {"tagName": "section", "id": "hero", "rect": at(0, 600), "styles": {"background-image": picture}},
            {"tagName": "p", "id": "label", "text": "Order until noon and eat it tonight", "shown": shown, "rect": at(60, width),
                "styles": {"overflow-x": "hidden", "overflow-y": "hidden"}},
            {"tagName": "form", "rect": at(120, 600), "children": field.into_iter().collect::<Vec<_>>()},
        ]})
    };
    let field =
        json!({"tagName": "p", "text": "Harbour", "rect": {"x": 0, "y": 120, "w": 70, "h": 20}});
    let before = page(
        "linear-gradient(rgb(16, 32, 64), rgb(32, 48, 96))",
        400,
        100,
        Some(field),
    );
    let diff = compared(&before, &page("none", 120, 50, None));
    assert_eq!(cut_text(&diff), Some(50));
    let cause = diff.damages[0]
        .cause
        .map(|cause| diff.findings[cause].element.as_str());
    assert!(matches!(cause, None | Some("#label")), "{diff:#?}");
}

#[test]
fn what_sticks_out_is_told_of_the_innermost_element_with_its_cause() {
    let tree = |text: &str, spill: i64| {
        json!({"tagName": "body", "spill": spill, "children": [
            {"tagName": "div", "id": "card", "spill": spill, "children": [{"tagName": "p", "text": text}]},
        ]})
    };
    let found = damages(
        &tree("Short", 0),
        &tree("Unspeakablylongwordthatneverends", 212),
    );
    let fault = Fault::SticksOut {
        element: "#card".to_owned(),
        by: 212,
    };
    assert_eq!(
        found,
        [Damage {
            fault,
            cause: Some(0)
        }]
    );
    assert_eq!(
        damages(&tree("Short", 0), &tree("Longer", 8)),
        [],
        "a shadow"
    );
    assert_eq!(
        damages(&tree("Long", 90), &tree("Longer", 100)),
        [],
        "it did before"
    );
}

#[test]
fn an_insert_that_lies_over_a_text_is_to_blame() {
    let before = blocks(&[("First", 0, "static"), ("Third", 200, "static")]);
    let after = blocks(&[
        ("First", 0, "static"),
        ("Second", 20, "static"),
        ("Third", 200, "static"),
    ]);
    let diff = compared(&before, &after);
    assert_eq!(blamed(&diff), Some(ChangeType::Insert), "{diff:#?}");
}

#[test]
fn an_insert_that_pushes_a_text_over_another_is_to_blame() {
    let paragraph = |text: &str, y: i64| json!({"tagName": "p", "text": text, "rect": {"x": 0, "y": y, "w": 600, "h": 40}, "styles": {"display": "block"}});
    // The box does not grow with what is in it.
    let page = |inside: Vec<Value>| {
        json!({"tagName": "body", "rect": {"x": 0, "y": 0, "w": 600, "h": 800}, "children": [
            {"tagName": "div", "rect": {"x": 0, "y": 0, "w": 600, "h": 40}, "styles": {"display": "block"}, "children": inside},
            paragraph("Below", 60),
        ]})
    };
    let before = page(vec![paragraph("Inside", 0)]);
    let after = page(vec![paragraph("New", 0), paragraph("Inside", 40)]);
    let diff = compared(&before, &after);
    assert_eq!(blamed(&diff), Some(ChangeType::Insert), "{diff:#?}");
}

#[test]
fn an_insert_that_sticks_out_is_to_blame_and_not_what_changed_around_it() {
    let tree = |colour: &str, spill: i64, last: Option<Value>| {
        let first =
            json!({"tagName": "p", "text": "Short", "rect": {"x": 0, "y": 0, "w": 600, "h": 40}});
        let children: Vec<Value> = std::iter::once(first).chain(last).collect();
        json!({"tagName": "body", "rect": {"x": 0, "y": 0, "w": 600, "h": 800}, "styles": {"background-color": colour}, "children": [
            {"tagName": "div", "id": "card", "rect": {"x": 0, "y": 0, "w": 600, "h": 300}, "spill": spill, "children": children},
        ]})
    };
    let wide = json!({"tagName": "img", "src": "/wide.png", "rect": {"x": 0, "y": 60, "w": 812, "h": 200}});
    let before = tree("rgb(255, 255, 255)", 0, None);
    let diff = compared(&before, &tree("rgb(255, 250, 240)", 212, Some(wide)));
    assert_eq!(blamed(&diff), Some(ChangeType::Insert), "{diff:#?}");
    // Where nothing came, what changed around it still is.
    let diff = compared(&before, &tree("rgb(255, 250, 240)", 212, None));
    assert_eq!(blamed(&diff), Some(ChangeType::StyleOnly), "{diff:#?}");
}

#[test]
fn a_page_on_which_nothing_can_be_seen_is_blank() {
    let mut empty = page();
    main_of(&mut empty).clear();
    empty.children.truncate(0);
    let blank = |before: &Element, after: &Element| {
        let damages = diff(before, after).damages;
        damages.iter().any(|damage| damage.fault == Fault::Blank)
    };
    assert!(blank(&page(), &empty));
    assert!(!blank(&empty, &empty) && !blank(&empty, &page()));
}

#[test]
fn errors_are_told_when_they_are_new() {
    let tree = |errors: Value| json!({"tagName": "body", "text": "Hello", "errors": errors});
    let of = |before, after| damages(&tree(before), &tree(after));
    let message = "TypeError: price is undefined";
    let fault = Fault::Error {
        message: message.to_owned(),
    };
    assert_eq!(
        of(json!([]), json!([message])),
        [Damage { fault, cause: None }]
    );
    assert_eq!(of(json!(["Error at 12:04"]), json!(["Error at 13:59"])), []);
    assert_eq!(
        of(Value::Null, json!([message])),
        [],
        "nobody looked before"
    );
}
