//! What a page loses with an element that it lay in.

use pentimento_document::DocumentDiff;

use crate::page::{Element, diff, leaf, main_of, page, parent};

/// A page with a wrapper at the end of its main column.
fn with(wrapper: Option<Element>) -> Element {
    let mut page = page();
    main_of(&mut page).extend(wrapper);
    page
}

/// The selectors of what was lost, and with what.
fn lost(diff: &DocumentDiff) -> Vec<(&str, &str)> {
    let findings = diff.findings.iter();
    let lost = findings.flat_map(|finding| {
        let element = finding.element.as_str();
        finding
            .lost
            .iter()
            .map(move |lost| (lost.tag.as_str(), element))
    });
    lost.collect()
}

fn wrapper(inside: impl IntoIterator<Item = Element>) -> Element {
    parent("div", inside).id("wrapper")
}

fn form(class: &str) -> Element {
    parent(
        "form",
        [leaf("label", "Your address"), leaf("button", "Subscribe")],
    )
    .class(class)
}

#[test]
fn what_goes_with_a_wrapper_is_told() {
    let before = with(Some(wrapper([form("news")])));
    let gone = diff(&before, &with(None));
    assert_eq!(
        lost(&gone),
        [("form", "#wrapper"), ("button", "#wrapper")],
        "{gone:#?}"
    );
    let came = diff(&with(None), &before);
    assert_eq!(lost(&came), [], "it came");
}

#[test]
fn what_is_hidden_with_a_wrapper_is_told() {
    let at = |display: &str, height: Option<i64>| {
        let mut wrapper = wrapper([form("news")]).style("display", display);
        wrapper.height = height;
        if height.is_some() {
            // What is not laid out has no box.
            let form = &mut wrapper.children[0];
            form.height = Some(0);
            for inside in &mut form.children {
                inside.height = Some(0);
            }
        }
        with(Some(wrapper))
    };
    let hidden = diff(&at("block", None), &at("none", Some(0)));
    assert_eq!(
        lost(&hidden),
        [("form", "#wrapper"), ("button", "#wrapper")],
        "{hidden:#?}"
    );
    let faded = |opacity: &str| with(Some(wrapper([form("news")]).style("opacity", opacity)));
    let unseen = diff(&faded("1"), &faded("0.02"));
    assert_eq!(lost(&unseen).len(), 2, "{unseen:#?}");
    assert_eq!(lost(&diff(&faded("1"), &faded("0.5"))), []);
    let recoloured = diff(
        &with(Some(wrapper([form("news")]).style("color", "red"))),
        &with(Some(wrapper([form("news")]).style("color", "blue"))),
    );
    assert_eq!(lost(&recoloured), []);
}

#[test]
fn what_is_left_elsewhere_is_not_lost() {
    let two = |last: Option<Element>| {
        let mut page = with(Some(parent("section", [form("order")])));
        main_of(&mut page).extend(last);
        page
    };
    // One entry of a list of forms, each with its button.
    let one_less = diff(&two(Some(wrapper([form("order")]))), &two(None));
    assert_eq!(lost(&one_less), []);
    // Another form went, though there is still a button on the page.
    let another = diff(&two(Some(wrapper([form("contact")]))), &two(None));
    assert_eq!(lost(&another), [("form", "#wrapper")]);
    // What left its wrapper before that went is still there.
    let unwrapped = diff(
        &with(Some(wrapper([form("news"), leaf("p", "Sign up here")]))),
        &with(Some(form("news"))),
    );
    assert_eq!(lost(&unwrapped), [], "{unwrapped:#?}");
}

#[test]
fn of_each_kind_of_field_another_one_will_do() {
    let fields = || {
        wrapper([
            leaf("input", ""),
            leaf("select", ""),
            leaf("textarea", ""),
            leaf("p", "We answer within a day"),
        ])
    };
    let tags = |before: &Element, after: &Element| -> Vec<String> {
        let diff = diff(before, after);
        let lost = lost(&diff).into_iter();
        lost.map(|(tag, _)| tag.to_owned()).collect()
    };
    let all = ["input", "select", "textarea"];
    assert_eq!(tags(&with(Some(fields())), &with(None)), all);
    let other = |last: Option<Element>| {
        let mut page = with(Some(leaf("select", "").class("language")));
        main_of(&mut page).extend(last);
        page
    };
    let left = tags(&other(Some(fields())), &other(None));
    assert_eq!(left, ["input", "textarea"]);
}

#[test]
fn the_header_of_a_section_is_not_the_pages() {
    let card = parent("article", [parent("header", [leaf("b", "Card")])]);
    let gone = diff(&with(Some(wrapper([card]))), &with(None));
    assert_eq!(lost(&gone), []);
    let mut bare = page();
    let header = bare.children.remove(0);
    let mut wrapped = bare.clone();
    wrapped
        .children
        .insert(0, wrapper([header, leaf("p", "Every day a new idea")]));
    assert_eq!(
        lost(&diff(&wrapped, &bare)),
        [("header", "#wrapper"), ("h1", "#wrapper")]
    );
}
