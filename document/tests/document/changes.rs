use pentimento_api::result::ChangeType::{
    Delete, ImageChange, Insert, Move, MoveWithEdit, ReflowDisplacement, StickyReposition,
    StyleOnly, TextEdit,
};

use crate::page::{Element, diff, kinds, leaf, main_of, page, parent};

#[test]
fn identical_pages_have_no_findings() {
    let diff = diff(&page(), &page());
    assert!(diff.findings.is_empty());
    assert!(!diff.content_changed() && !diff.metadata_changed());
}

#[test]
fn text_edit() {
    let mut after = page();
    main_of(&mut after)[3].text = "In the fourth the price is hidden at last".to_owned();
    let diff = diff(&page(), &after);
    assert_eq!(kinds(&diff), [TextEdit]);
    let finding = &diff.findings[0];
    assert_eq!(finding.element, "main p:nth-of-type(4)");
    assert_eq!(
        finding.before.as_deref(),
        Some("In the fourth the price is named at last")
    );
    assert_eq!(
        finding.after.as_deref(),
        Some("In the fourth the price is hidden at last")
    );
    assert!(diff.content_changed());
}

/// A page whose fourth paragraph says this: trees have 100 characters of it, and more only where they say so.
fn saying(text: &str, is_long: bool) -> Element {
    let mut page = page();
    let paragraph = &mut main_of(&mut page)[3];
    let short: String = text.chars().take(100).collect();
    short.trim_end().clone_into(&mut paragraph.text);
    if is_long {
        *paragraph = paragraph.clone().attribute("longText", text);
    }
    page
}

#[test]
fn a_long_text_is_compared_as_far_as_both_trees_have_it() {
    let begins = "Word after word it goes on. ".repeat(20);
    let [one, other] = ["here", "there"].map(|ends| format!("{begins}{ends}"));
    let edited = diff(&saying(&one, true), &saying(&other, true));
    assert_eq!(kinds(&edited), [TextEdit]);
    assert!(
        edited.findings[0]
            .after
            .as_deref()
            .unwrap()
            .ends_with("on. there")
    );
    // An older capture, or a client, has the beginning alone.
    for (before, after) in [(true, false), (false, true), (false, false)] {
        let diff = diff(&saying(&one, before), &saying(&other, after));
        assert_eq!(kinds(&diff), [], "{before} {after}");
    }
    let elsewhere = one.replace("Word after", "Page after");
    assert_eq!(
        kinds(&diff(&saying(&one, false), &saying(&elsewhere, true))),
        [TextEdit]
    );
    // Of a text that ends where trees cut, a tree that says so has all.
    let whole: String = one.chars().take(100).collect();
    assert_eq!(
        kinds(&diff(&saying(&whole, true), &saying(&one, true))),
        [TextEdit]
    );
}

#[test]
fn replaced_text_of_a_paragraph_is_an_edit() {
    let mut after = page();
    main_of(&mut after)[2].text = "Xyz qqq uvw".to_owned();
    assert_eq!(kinds(&diff(&page(), &after)), [TextEdit]);
}

#[test]
fn attributes() {
    let with = |name: &'static str, value: &str| {
        let mut page = page();
        main_of(&mut page).push(leaf("a", "Buy").attribute(name, value));
        page
    };
    for name in ["href", "alt"] {
        let diff = diff(&with(name, "/one"), &with(name, "/two"));
        assert_eq!(kinds(&diff), [TextEdit]);
        assert_eq!(diff.findings[0].attribute, Some(name));
        assert_eq!(diff.findings[0].before.as_deref(), Some("/one"));
    }
}

#[test]
fn insert_and_delete_mirror_each_other() {
    let mut after = page();
    main_of(&mut after).insert(
        2,
        parent(
            "section",
            [
                leaf("h2", "News"),
                leaf("p", "Something new was added here"),
            ],
        ),
    );
    let forth = diff(&page(), &after);
    let back = diff(&after, &page());
    assert_eq!(kinds(&forth), [Insert, ReflowDisplacement]);
    assert_eq!(kinds(&back), [Delete, ReflowDisplacement]);
    assert_eq!(
        forth.findings[0].after.as_deref(),
        Some("News Something new was added here")
    );
    assert_eq!(forth.findings[0].after, back.findings[0].before);
    assert_eq!(forth.findings[0].collapsed, 2);
    assert_eq!(back.findings[0].collapsed, 2);
    assert_eq!(forth.findings[0].area, back.findings[0].area_before);
    assert_eq!(
        forth.findings[1].shift.map(|(x, y)| (-x, -y)),
        back.findings[1].shift
    );
}

#[test]
fn a_replaced_subtree_is_a_delete_and_an_insert() {
    let with = |words: [&str; 3]| {
        let mut page = page();
        let items = words.map(|word| leaf("li", word));
        let count = items.len() - usize::from(words[2].is_empty());
        main_of(&mut page).insert(
            1,
            parent("div", items.into_iter().take(count)).class("card"),
        );
        page
    };
    let before = with(["apples and pears", "plums in autumn", "quinces"]);
    let after = with(["violins", "oboe player wanted", ""]);
    let kinds = kinds(&diff(&before, &after));
    assert_eq!(kinds[..2], [Delete, Insert]);
    assert!(
        kinds[2..].iter().all(|kind| *kind == ReflowDisplacement),
        "{kinds:?}"
    );
}

#[test]
fn style_only() {
    let mut after = page();
    let styled = main_of(&mut after)[1]
        .clone()
        .style("background-color", "red");
    main_of(&mut after)[1] = styled;
    let mut before = page();
    let styled = main_of(&mut before)[1]
        .clone()
        .style("background-color", "blue");
    main_of(&mut before)[1] = styled;
    let diff = diff(&before, &after);
    assert_eq!(kinds(&diff), [StyleOnly]);
    assert_eq!(diff.findings[0].style["background-color"], ["blue", "red"]);
}

#[test]
fn inherited_styles_are_one_finding() {
    let colored = |color: &str| {
        let mut page = page();
        let paint = |element: crate::page::Element| {
            element
                .style("color", color)
                .style("border-top-color", color)
                .style("font-size", "16px")
        };
        for child in &mut page.children {
            child.children = child.children.drain(..).map(paint).collect();
        }
        page.children = page.children.drain(..).map(paint).collect();
        paint(page)
    };
    let diff = diff(&colored("black"), &colored("navy"));
    assert_eq!(kinds(&diff), [StyleOnly]);
    assert_eq!(diff.findings[0].element, "body");
    assert_eq!(diff.findings[0].style.len(), 1);
    assert_eq!(diff.findings[0].collapsed, 10);
}

#[test]
fn text_and_style_are_one_finding() {
    let with = |text: &str, weight: &str| {
        let mut page = page();
        main_of(&mut page)[0] = leaf("p", text).style("font-weight", weight);
        page
    };
    let diff = diff(
        &with("Half price today", "400"),
        &with("Half price tomorrow", "700"),
    );
    assert_eq!(kinds(&diff), [TextEdit]);
    assert_eq!(diff.findings[0].style["font-weight"], ["400", "700"]);
}

#[test]
fn image_changes() {
    let with = |src: &str, broken: bool, background: &str| {
        let mut page = page();
        let image = leaf("img", "")
            .attribute("src", src)
            .attribute("broken", broken);
        main_of(&mut page).push(image.style("background-image", background));
        page
    };
    let before = with("a.png", false, "none");
    for (after, attribute) in [
        (with("b.png", false, "none"), "src"),
        (with("a.png", true, "none"), "broken"),
        (with("a.png", false, "url(x)"), "background-image"),
    ] {
        let diff = diff(&before, &after);
        assert_eq!(kinds(&diff), [ImageChange]);
        assert_eq!(diff.findings[0].attribute, Some(attribute));
    }
}

#[test]
fn move_among_siblings() {
    let mut after = page();
    let moved = main_of(&mut after).remove(4);
    main_of(&mut after).insert(0, moved);
    let diff = diff(&page(), &after);
    assert_eq!(diff.findings[0].kind, Move);
    assert_eq!(diff.findings[0].after, None);
    assert!(
        kinds(&diff)[1..]
            .iter()
            .all(|kind| *kind == ReflowDisplacement),
        "{:?}",
        kinds(&diff)
    );
}

#[test]
fn move_to_another_parent() {
    let mut after = page();
    let moved = main_of(&mut after).remove(1);
    after.children[2].children.push(moved);
    let diff = diff(&page(), &after);
    assert_eq!(diff.findings[0].kind, Move);
    assert_eq!(diff.findings[0].element, "footer p");
    assert!(
        kinds(&diff)[1..]
            .iter()
            .all(|kind| *kind == ReflowDisplacement),
        "{:?}",
        kinds(&diff)
    );
}

#[test]
fn move_with_edit() {
    let mut after = page();
    let mut moved = main_of(&mut after).remove(1);
    moved.text = moved.text.replace("right now", "soon");
    after.children[2].children.push(moved);
    let diff = diff(&page(), &after);
    assert_eq!(diff.findings[0].kind, MoveWithEdit);
    assert!(diff.findings[0].after.as_deref().unwrap().ends_with("soon"));
}

#[test]
fn sticky_reposition() {
    let with = |nudge: i64| {
        let mut page = page();
        page.children[0] = page.children[0].clone().style("position", "sticky");
        page.children[0].nudge = nudge;
        page.children[0].children[0].height = Some(40);
        page.children[0].height = Some(60);
        page
    };
    let diff = diff(&with(0), &with(30));
    assert_eq!(kinds(&diff), [StickyReposition]);
    assert_eq!(diff.findings[0].shift, Some((0, 30)));
    assert!(!diff.content_changed());
    assert!(diff.elements_changed().is_empty());
}

#[test]
fn duplicate_ids_are_no_anchors() {
    let with = |texts: [&str; 3]| {
        let mut page = page();
        for text in texts {
            main_of(&mut page).push(leaf("p", text).id("same"));
        }
        page
    };
    let before = with(["one plum", "two pears", "three apples"]);
    let after = with(["one plum", "two quinces", "three apples"]);
    assert_eq!(kinds(&diff(&before, &after)), [TextEdit]);
}

#[test]
fn a_wrapper_is_one_insert() {
    let mut after = page();
    let wrapped = std::mem::take(main_of(&mut after));
    *main_of(&mut after) = vec![parent("div", wrapped).class("wrap")];
    let diff = diff(&page(), &after);
    assert_eq!(diff.findings[0].kind, Insert);
    assert_eq!(
        (diff.findings[0].collapsed, &diff.findings[0].after),
        (0, &None)
    );
    assert!(
        kinds(&diff)[1..]
            .iter()
            .all(|kind| *kind == ReflowDisplacement),
        "{:?}",
        kinds(&diff)
    );
}

#[test]
fn selectors() {
    let within = |build: fn(&str) -> crate::page::Element| {
        let page = |text: &str| parent("body", [parent("main", [build(text)])]);
        diff(&page("The old words"), &page("The new words")).findings[0]
            .element
            .clone()
    };
    assert_eq!(within(|text| leaf("p", text).id("7:a b")), "#\\37 \\:a\\ b");
    assert_eq!(
        within(|text| leaf("p", text).class("lead md:big")),
        "main p.lead.md\\:big"
    );
    assert_eq!(
        within(|text| leaf("p", text).class("block hover:text-emerald-700 tour tour--spring")),
        "main p.block.tour--spring"
    );
    assert_eq!(
        within(|text| parent("div", [leaf("p", text)]).id("intro")),
        "#intro p"
    );
    assert_eq!(
        within(|text| parent("ul", [leaf("li", "Other"), leaf("li", text)])),
        "main li:nth-of-type(2)"
    );
    assert_eq!(
        within(|text| leaf("p", text).class(&"x".repeat(300))),
        "main p"
    );
}

#[test]
fn of_two_that_change_places_the_smaller_moved_else_the_one_that_went_down() {
    let page_of = |order: [&str; 2], heights: [i64; 2]| {
        let section = |name: &&str| {
            let height = heights[usize::from(*name == "brass")];
            leaf("p", &format!("All about {name}")).height(height)
        };
        let mut page = page();
        page.children[1] = parent("main", order.iter().map(section));
        page
    };
    for (heights, moved) in [
        ([90, 40], "brass"),
        ([40, 90], "strings"),
        ([60, 60], "strings"),
    ] {
        let [before, after] = [["strings", "brass"], ["brass", "strings"]];
        let diff = diff(&page_of(before, heights), &page_of(after, heights));
        assert_eq!(diff.findings[0].kind, Move);
        let text = diff.findings[0].text.as_deref();
        assert_eq!(text, Some(&*format!("All about {moved}")), "{heights:?}");
    }
}
