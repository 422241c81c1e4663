//! What is broken by a change whatever was meant, and how it is said.

use pentimento_document::{Area, PaleText};

use super::*;

fn finding(kind: ChangeType, tag: &str, element: &str, texts: [Option<&str>; 2]) -> Finding {
    let [before, after] = texts.map(|text| text.map(str::to_owned));
    Finding {
        tag: tag.to_owned(),
        before,
        after,
        ..Finding::new(kind, element.to_owned())
    }
}

#[test]
fn leaving_search_engines_is_a_bug_and_returning_is_none() {
    let robots = |before, after| {
        of_change(&finding(
            ChangeType::MetaEdit,
            "",
            "meta[name=\"robots\"]",
            [before, after],
        ))
    };
    assert!(robots(Some("index"), Some("NOINDEX, follow")).is_some());
    assert!(robots(Some("noindex"), Some("noindex, nofollow")).is_none());
    assert!(robots(Some("noindex"), Some("index")).is_none());
}

#[test]
fn a_canonical_address_may_change_within_its_host() {
    let canonical = |before, after| {
        of_change(&finding(
            ChangeType::MetaEdit,
            "",
            "link[rel=\"canonical\"]",
            [Some(before), Some(after)],
        ))
    };
    let there = "https://shop.example/a";
    assert!(canonical(there, "https://staging.example/a").is_some());
    assert!(canonical(there, "https://shop.example/b").is_none());
}

#[test]
fn key_elements_may_neither_go_nor_hide() {
    let gone = |tag| of_change(&finding(ChangeType::Delete, tag, tag, [None; 2]));
    assert!(gone("form").is_some() && gone("li").is_none());
    let mut hidden = finding(ChangeType::StyleOnly, "button", "#buy", [None; 2]);
    let values = ["visible", "hidden"].map(str::to_owned);
    hidden.style.insert("visibility".to_owned(), values);
    assert!(of_change(&hidden).is_some());
}

#[test]
fn a_field_may_give_way_to_what_does_its_work() {
    let at = |x| {
        Some(Area {
            x,
            y: 40,
            w: 200,
            h: 30,
        })
    };
    let told = |tag: &str, came: Option<i64>| {
        let mut gone = finding(ChangeType::Delete, tag, "#size", [None; 2]);
        gone.area_before = at(0);
        let came = came.map(|x| Finding {
            area: at(x),
            ..finding(ChangeType::Insert, "div", "#picker", [None; 2])
        });
        let document = DocumentDiff {
            findings: std::iter::once(gone).chain(came).collect(),
            ..DocumentDiff::default()
        };
        hard_bug(&document, 0)
    };
    for tag in ["select", "textarea"] {
        let lost = told(tag, None);
        assert_eq!(
            lost.as_deref(),
            Some("A key element of the page, `#size`, is gone.")
        );
        assert_eq!(told(tag, Some(60)), None, "something stands there");
        assert_eq!(told(tag, Some(140)), lost, "it came beside it");
    }
    assert!(told("button", Some(0)).is_some());
}

#[test]
fn what_is_lost_with_a_wrapper_is_told_with_it() {
    let lost = vec![pentimento_document::Lost {
        tag: "form".to_owned(),
        element: "#wrap > form".to_owned(),
    }];
    let mut gone = finding(ChangeType::Delete, "div", "#wrap", [None; 2]);
    assert_eq!(of_change(&gone), None);
    gone.lost.clone_from(&lost);
    assert_eq!(
        of_change(&gone).as_deref(),
        Some("A key element of the page, `#wrap > form`, is gone with `#wrap`.")
    );
    let mut hidden = finding(ChangeType::StyleOnly, "div", "#wrap", [None; 2]);
    hidden.lost = lost;
    let values = ["block", "none"].map(str::to_owned);
    hidden.style.insert("display".to_owned(), values);
    assert_eq!(
        of_change(&hidden).as_deref(),
        Some("A key element of the page, `#wrap > form`, is hidden now with `#wrap`.")
    );
}

#[test]
fn text_must_stay_readable() {
    let mut card = finding(ChangeType::StyleOnly, "div", "#card", [None; 2]);
    // Its own colours alone are those of no text.
    card.contrast = Some([12.6, 1.4]);
    assert_eq!(of_change(&card), None);
    card.flaws.pale_text = Some(PaleText {
        element: "#card > p".to_owned(),
        before: Some(12.6),
        after: 1.4,
    });
    let bug = of_change(&card).unwrap();
    assert!(
        bug.contains("`#card > p`") && bug.contains("from 12.6 to 1.4, below 3.0"),
        "{bug}"
    );
}

#[test]
fn what_goes_must_leave_its_texts_readable() {
    let mut gone = finding(ChangeType::Delete, "div", "#wrap", [None; 2]);
    gone.flaws.pale_text = Some(PaleText {
        element: "#intro".to_owned(),
        before: Some(21.0),
        after: 1.0,
    });
    assert_eq!(
        of_change(&gone).as_deref(),
        Some(
            "The text of `#intro` can hardly be read any more: its contrast fell from 21.0 to 1.0, below 3.0."
        )
    );
    let mut picture = finding(ChangeType::ImageChange, "div", "#wrap", [None; 2]);
    picture.flaws.pale_text = gone.flaws.pale_text.take();
    picture.flaws.pale_text.as_mut().unwrap().before = None;
    assert_eq!(
        of_change(&picture).as_deref(),
        Some(
            "The text of `#intro` can hardly be read any more: the picture or gradient that it lay on is gone, and its contrast is 1.0 now, below 3.0."
        )
    );
}

#[test]
fn what_came_must_be_read_and_shown() {
    let mut card = finding(ChangeType::Insert, "div", "#card", [None; 2]);
    assert_eq!(of_change(&card), None);
    card.flaws.pale_text = Some(PaleText {
        element: "#card > p".to_owned(),
        before: None,
        after: 1.04,
    });
    assert_eq!(
        of_change(&card).as_deref(),
        Some(
            "The text of `#card > p`, which is new, can hardly be read: its contrast is 1.0, below 3.0."
        )
    );
    card.flaws.broken = Some("#card > img".to_owned());
    assert_eq!(
        of_change(&card).as_deref(),
        Some("The picture `#card > img`, which is new, cannot be shown.")
    );
}

#[test]
fn a_negative_margin_breaks_what_its_element_comes_to_lie_over() {
    let mut card = finding(ChangeType::StyleOnly, "div", "#card", [None; 2]);
    let values = ["0px", "-80px"].map(str::to_owned);
    card.style.insert("margin-top".to_owned(), values);
    let mut told = |pulled| {
        card.flaws.pulled = pulled;
        of_change(&card)
    };
    assert_eq!(
        told(Pulled::Over("#intro".to_owned())).as_deref(),
        Some("`#card` now lies over `#intro`, which is beside it: its margin-top went to -80 px.")
    );
    assert_eq!(
        told(Pulled::OffPage).as_deref(),
        Some("`#card` now sticks out of the page: its margin-top went to -80 px.")
    );
    assert!(told(Pulled::Unknown).is_some());
    assert_eq!(told(Pulled::Free), None, "it lies over empty room");
}
