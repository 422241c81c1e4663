use pentimento_api::result::ChangeType;

use crate::page::{Element, diff, leaf, parent};

fn page(main: Element) -> Element {
    parent("body", [main])
}

/// A clock, a heading, a picture that another one may replace, and text below.
fn shop(clock: &str, heading: &str, notice: Option<&str>) -> Element {
    let notice = notice.map(|text| leaf("aside", text).id("notice"));
    let children = [leaf("p", clock).id("clock"), leaf("h2", heading)];
    parent(
        "main",
        children
            .into_iter()
            .chain(notice)
            .chain([leaf("p", "Below").id("below")]),
    )
}

#[test]
fn only_what_every_capture_shows_is_left() {
    let before = page(shop("11:58", "Plans", None));
    let one = diff(&before, &page(shop("12:01", "Prices", None)));
    let other = diff(&before, &page(shop("12:02", "Prices", None)));
    let agreed = one.agreed_with(&[other]);
    let told: Vec<_> = (agreed.findings.iter())
        .map(|finding| (finding.kind, finding.after.as_deref()))
        .collect();
    assert_eq!(told, [(ChangeType::TextEdit, Some("Prices"))]);
    assert!(agreed.content_changed());
    assert_eq!(one.agreed_with(&[]), one, "nobody contradicts it");
}

#[test]
fn what_followed_from_a_change_that_does_not_stand_goes_with_it() {
    let before = page(shop("11:58", "Plans", None));
    let with = diff(&before, &page(shop("11:58", "Prices", Some("Only today"))));
    let without = diff(&before, &page(shop("11:58", "Prices", None)));
    let moved = |finding: &&pentimento_document::Finding| finding.is_consequence();
    assert_eq!(with.findings.iter().filter(moved).count(), 1, "{with:#?}");
    let agreed = with.agreed_with(&[without]);
    let kinds: Vec<_> = agreed.findings.iter().map(|finding| finding.kind).collect();
    assert_eq!(kinds, [ChangeType::TextEdit], "{agreed:#?}");
    // The same twice: the cause is found at its new place.
    let again = with.agreed_with(std::slice::from_ref(&with));
    assert_eq!(again, with);
}

#[test]
fn edited_texts_have_an_area_and_what_holds_them_has_none() {
    let one = page(shop("12:01", "Plans", None));
    let other = page(shop("12:02", "Plans", None));
    let areas = diff(&one, &other).edited_areas();
    let [area] = areas[..] else {
        panic!("one text differs: {areas:?}");
    };
    assert!(area.w > 0 && area.h > 0, "{area:?}");
}

#[test]
fn what_is_wrong_in_one_capture_alone_is_no_flaw() {
    let on = |ground: &str, text: &str| {
        let text = leaf("p", "Half price today").style("color", text);
        let card = parent("div", [text]).style("background-color", ground);
        page(parent("main", [card]))
    };
    let (white, black, red) = ("rgb(255, 255, 255)", "rgb(0, 0, 0)", "rgb(200, 40, 40)");
    let pale = diff(&on(white, black), &on(black, black));
    let sound = diff(&on(white, red), &on(black, red));
    let flaws = |diff: &pentimento_document::DocumentDiff| {
        let findings = diff.findings.iter();
        findings
            .filter(|finding| finding.flaws.pale_text.is_some())
            .count()
    };
    assert_eq!((flaws(&pale), flaws(&sound)), (1, 0));
    let agreed = pale.agreed_with(std::slice::from_ref(&sound));
    assert_eq!((agreed.findings.len(), flaws(&agreed)), (1, 0));
    assert_eq!(flaws(&pale.agreed_with(std::slice::from_ref(&pale))), 1);
}
