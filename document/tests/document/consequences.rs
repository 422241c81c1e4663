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

/// As in a parent with padding, or where the margins of what came next collapse otherwise now.
#[test]
fn what_follows_a_change_is_its_consequence_by_whatever_amount() {
    let with = |banner: Option<Element>, nudge: i64| {
        let mut inner = leaf("div", "Rowing club, founded 1902").class("inner");
        inner.nudge = nudge;
        let mut page = page();
        page.children[0] = parent("header", banner.into_iter().chain([inner]));
        page
    };
    // Without its banner, the next one would go up by 128.
    for lower in [136, 58, 228] {
        let diff = diff(&with(Some(banner()), 0), &with(None, lower));
        assert_eq!(kinds(&diff)[0], Delete);
        assert!(
            diff.findings[1..]
                .iter()
                .all(|finding| { finding.kind == ReflowDisplacement && finding.cause == Some(0) }),
            "{lower}: {:#?}",
            diff.findings
        );
    }
}

/// The margin of a first child goes through the top of its parent, so that the parent goes down when another child with
/// a larger margin becomes the first.
#[test]
fn a_parent_is_displaced_by_what_went_at_its_top() {
    let with = |banner: Option<Element>, nudge: i64| {
        let rest = leaf("div", "Ask for a date").class("inner");
        let mut wrap = parent("div", banner.into_iter().chain([rest])).class("wrap");
        wrap.nudge = nudge;
        let mut page = page();
        page.children.insert(1, parent("div", [wrap]));
        page
    };
    let (full, less) = (with(Some(banner()), 0), with(None, 8));
    let forth = diff(&full, &less);
    assert_eq!(kinds(&forth)[0], Delete);
    let back = diff(&less, &full);
    assert_eq!(kinds(&back)[0], Insert);
    // Not the parent's 8 pixels down, but what most moved by.
    assert_eq!(forth.findings[1].shift, Some((0, -128)));
    for diff in [forth, back] {
        let caused = |finding: &pentimento_document::Finding| {
            finding.kind == ReflowDisplacement && finding.cause == Some(0)
        };
        assert!(
            diff.findings[1..].iter().all(caused),
            "{:#?}",
            diff.findings
        );
    }
}

/// A change further up that already displaced what follows it explains no other displacement.
#[test]
fn what_moves_after_a_change_was_accounted_for_is_a_move() {
    let mut after = page();
    after.children.insert(0, banner());
    after.children[2].children[3].nudge = 5;
    let diff = diff(&page(), &after);
    assert_eq!(kinds(&diff), [Insert, Move, ReflowDisplacement]);
    assert_eq!(diff.findings[1].element, "main p:nth-of-type(4)");
}

#[test]
fn what_lies_over_the_page_displaces_nothing() {
    let mut after = page();
    main_of(&mut after)[2].nudge = 5;
    let badge = leaf("div", "New").style("position", "absolute");
    main_of(&mut after).insert(2, badge);
    assert_eq!(kinds(&diff(&page(), &after)), [Insert, Move]);
}

/// The margin of a last child goes through the bottom of its parent, which keeps its height.
#[test]
fn what_follows_is_displaced_by_the_margin_of_a_last_child() {
    let with = |margin: &str, nudge: i64| {
        let mut page = page();
        let title = page.children[0].children.remove(0);
        page.children[0]
            .children
            .push(title.style("margin-bottom", margin));
        page.children[1].nudge = nudge;
        page.children[2].nudge = nudge;
        page
    };
    let diff = diff(&with("0px", 0), &with("30px", 30));
    assert_eq!(kinds(&diff), [StyleOnly, ReflowDisplacement]);
    assert_eq!(diff.findings[1].element, "main");
    assert_eq!(diff.findings[1].cause, Some(0));
}
