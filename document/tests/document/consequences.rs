use pentimento_api::result::ChangeType::{
    Delete, Insert, Move, ReflowDisplacement, StickyReposition, StyleOnly, TextEdit,
};

use crate::page::{Element, diff, kinds, leaf, main_of, page, parent};

fn banner() -> Element {
    leaf("div", "Everything must go")
        .class("banner")
        .height(120)
}

/// One cause and one group that names it.
fn assert_one_banner(before: &Element, after: &Element) {
    let forth = diff(before, after);
    assert_eq!(kinds(&forth), [Insert, ReflowDisplacement]);
    let group = &forth.findings[1];
    assert_eq!(group.cause, Some(0));
    assert_eq!(group.shift, Some((0, 128)));
    assert_eq!(forth.elements_changed().len(), 1);
    let back = diff(after, before);
    assert_eq!(kinds(&back), [Delete, ReflowDisplacement]);
    assert_eq!(back.findings[1].collapsed, group.collapsed);
}

#[test]
fn one_banner_is_one_cause_and_one_group() {
    let mut after = page();
    after.children.insert(0, banner());
    assert_one_banner(&page(), &after);
    let diff = diff(&page(), &after);
    assert_eq!(diff.findings[1].element, "header");
    // The other ten elements of the page but the body that moved, and the body that grew.
    assert_eq!(diff.findings[1].collapsed, 10);
}

#[test]
fn wrappers_and_a_fixed_header() {
    let wrap = |page: Element| {
        let fixed = leaf("nav", "Menu").style("position", "fixed");
        parent(
            "body",
            [fixed, parent("div", [parent("div", page.children)])],
        )
    };
    let mut after = page();
    after.children.insert(0, banner());
    assert_one_banner(&wrap(page()), &wrap(after));
}

/// As an image that loads, or a notice that a script unfolds.
#[test]
fn what_had_no_height_comes_and_goes_without_being_inserted() {
    let with = |height| {
        let mut page = page();
        page.children.insert(0, leaf("aside", "").height(height));
        page
    };
    for (before, after, shift) in [(0, 40, 48), (40, 0, -48)] {
        let diff = diff(&with(before), &with(after));
        assert_eq!(kinds(&diff), [StyleOnly, ReflowDisplacement], "{diff:#?}");
        assert_eq!(diff.findings[0].tag, "aside");
        assert_eq!(diff.findings[1].shift, Some((0, shift)));
        assert_eq!(diff.findings[1].cause, Some(0));
    }
}

#[test]
fn what_grows_at_the_end_displaces_nothing() {
    let mut after = page();
    after.children[2]
        .children
        .push(leaf("small", "Another small line"));
    assert_eq!(kinds(&diff(&page(), &after)), [Insert]);
}

#[test]
fn an_edit_that_wraps_displaces_what_follows() {
    let mut after = page();
    main_of(&mut after)[1]
        .text
        .push_str(&" and again".repeat(20));
    let diff = diff(&page(), &after);
    assert_eq!(kinds(&diff), [TextEdit, ReflowDisplacement]);
    assert_eq!(diff.findings[1].element, "main p:nth-of-type(3)");
}

#[test]
fn two_causes_have_two_groups() {
    let mut after = page();
    main_of(&mut after)[1]
        .text
        .push_str(&" and again".repeat(20));
    after.children.insert(0, banner());
    let diff = diff(&page(), &after);
    assert_eq!(
        kinds(&diff),
        [Insert, TextEdit, ReflowDisplacement, ReflowDisplacement]
    );
    let causes: Vec<_> = diff.findings[2..]
        .iter()
        .map(|finding| finding.cause)
        .collect();
    assert!(causes.contains(&Some(0)) && causes.contains(&Some(1)));
}

#[test]
fn what_nothing_explains_is_a_move() {
    let mut after = page();
    main_of(&mut after)[2].nudge = 5;
    let diff = diff(&page(), &after);
    assert_eq!(kinds(&diff), [Move]);
    assert_eq!(diff.findings[0].element, "main p:nth-of-type(3)");
    assert_eq!(diff.findings[0].shift, Some((0, 5)));
}

#[test]
fn one_pixel_is_nothing() {
    let mut after = page();
    main_of(&mut after)[2].nudge = 1;
    assert_eq!(kinds(&diff(&page(), &after)), []);
}

#[test]
fn a_box_that_was_resized_by_an_unknown_style() {
    let sized = |height: i64| {
        let mut page = page();
        main_of(&mut page)[2].height = Some(height);
        page
    };
    let diff = diff(&sized(30), &sized(90));
    assert_eq!(kinds(&diff), [StyleOnly, ReflowDisplacement]);
    assert_eq!(diff.findings[0].style["height"], ["30px", "90px"]);
}

#[test]
fn margins_displace() {
    let with = |margin: &str, nudge: i64| {
        let mut page = page();
        let main = page.children[1].clone().style("margin-top", margin);
        page.children[1] = main;
        page.children[1].nudge = nudge;
        page
    };
    let diff = diff(&with("0px", 0), &with("30px", 30));
    assert_eq!(kinds(&diff), [StyleOnly, ReflowDisplacement]);
    assert_eq!(diff.findings[1].cause, Some(0));
}

#[test]
fn an_item_more_in_a_row() {
    let with = |words: &[&str]| {
        let mut page = page();
        let cards = words
            .iter()
            .map(|word| parent("div", [leaf("h3", word), leaf("p", "Read more")]).class("card"));
        main_of(&mut page).push(parent("div", cards).row());
        page
    };
    let before = with(&["Berlin", "Hamburg", "Cologne"]);
    let after = with(&["Berlin", "Munich", "Hamburg", "Cologne"]);
    let diff = diff(&before, &after);
    assert_eq!(kinds(&diff), [Insert, ReflowDisplacement]);
}

#[test]
fn columns_beside_each_other() {
    let with = |texts: &[&str]| {
        let left = parent("div", texts.iter().map(|text| leaf("p", text))).class("left");
        let right = parent("div", [leaf("p", "Right one"), leaf("p", "Right two")]).class("right");
        let mut page = page();
        page.children
            .insert(1, parent("section", [left, right]).row());
        page
    };
    let before = with(&["Left one", "Left two", "Left three"]);
    let after = with(&["Left one", "Left one and a half", "Left two", "Left three"]);
    let diff = diff(&before, &after);
    assert_eq!(kinds(&diff), [Insert, ReflowDisplacement]);
    assert_eq!(diff.findings[1].element, "p:nth-of-type(3)");
}

#[test]
fn a_sticky_header_that_grows_displaces() {
    let with = |text: &str| {
        let mut page = page();
        page.children[0] = leaf("header", text).style("position", "sticky");
        page
    };
    let diff = diff(&with("Pentimento"), &with(&"Pentimento, ".repeat(20)));
    assert_eq!(kinds(&diff), [TextEdit, ReflowDisplacement]);
    assert_eq!(diff.findings[1].element, "main");
}

#[test]
fn sticky_things_below_a_banner_name_their_cause() {
    let mut before = page();
    before.children[1] = before.children[1].clone().style("position", "sticky");
    let mut after = before.clone();
    after.children.insert(0, banner());
    let diff = diff(&before, &after);
    assert_eq!(kinds(&diff), [Insert, StickyReposition, ReflowDisplacement]);
    assert_eq!(diff.findings[1].cause, Some(0));
}
