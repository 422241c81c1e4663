//! What can hardly be read because of a change, and what came and cannot be shown.

use pentimento_api::result::ChangeType;
use pentimento_document::{DocumentDiff, Flaws, PaleText};

use crate::page::{Element, diff, leaf, main_of, page, parent};

pub(crate) const WHITE: &str = "rgb(255, 255, 255)";
pub(crate) const BLACK: &str = "rgb(0, 0, 0)";
pub(crate) const RED: &str = "rgb(200, 40, 40)";

/// A page with something at the end of its main column.
pub(crate) fn with(last: Element) -> Element {
    let mut page = page();
    main_of(&mut page).push(last);
    page
}

/// The elements of changes and of the texts in them that can hardly be read.
pub(crate) fn unreadable(diff: &DocumentDiff) -> Vec<(&str, &str)> {
    let findings = diff.findings.iter();
    let told = findings.filter_map(|finding| {
        let PaleText { element, .. } = finding.flaws.pale_text.as_ref()?;
        Some((finding.element.as_str(), element.as_str()))
    });
    told.collect()
}

pub(crate) fn text(color: &str) -> Element {
    leaf("p", "As easy as it gets")
        .id("text")
        .style("color", color)
}

/// A card on this ground with these things in it.
pub(crate) fn card(ground: &str, inside: impl IntoIterator<Item = Element>) -> Element {
    parent("div", inside)
        .id("card")
        .style("background-color", ground)
        .style("color", BLACK)
}

/// What is told where the ground of a card becomes black.
fn blackened(inside: &[Element]) -> DocumentDiff {
    let on = |ground| with(card(ground, inside.iter().cloned()));
    diff(&on(WHITE), &on(BLACK))
}

#[test]
fn a_ground_that_changes_makes_what_lies_on_it_unreadable() {
    let told = blackened(&[parent("section", [text("rgb(30, 30, 30)")])]);
    assert_eq!(unreadable(&told), [("#card", "#text")], "{told:#?}");
    let pale = told.findings[0].flaws.pale_text.as_ref().unwrap();
    assert!(pale.before.unwrap() > 15.0 && pale.after < 1.5, "{pale:?}");
    // The card's own colour would be unreadable, and no text has it.
    assert_eq!(unreadable(&blackened(&[text(RED)])), []);
    // It was as pale before, or paler.
    for pale in ["rgb(200, 200, 200)", WHITE] {
        let told = blackened(&[text(pale).style("opacity", "0.2")]);
        assert_eq!(unreadable(&told), [], "{pale}");
    }
}

#[test]
fn an_elements_own_text_may_not_get_paler_below_what_can_be_read() {
    let told = |from, to| {
        let diff = diff(&with(text(from)), &with(text(to)));
        unreadable(&diff).len()
    };
    assert_eq!(told(BLACK, "rgb(230, 230, 230)"), 1);
    assert_eq!(told("rgb(170, 170, 170)", "rgb(230, 230, 230)"), 1);
    assert_eq!(told("rgb(230, 230, 230)", "rgb(170, 170, 170)"), 0);
    assert_eq!(told(BLACK, RED), 0);
    let field = |color| with(leaf("input", "").id("text").style("color", color));
    let told = diff(&field(BLACK), &field(WHITE));
    assert_eq!(unreadable(&told), [("#text", "#text")], "what is typed");
}

#[test]
fn the_nearest_change_around_a_text_tells_of_it() {
    let on = |ground, color| with(card(ground, [parent("section", [text(color)])]));
    let told = diff(&on(WHITE, BLACK), &on(BLACK, "rgb(40, 40, 40)"));
    assert_eq!(unreadable(&told), [("#text", "#text")]);
}

#[test]
fn what_is_not_opaque_around_a_text_counts() {
    let on = |ground, opacity| {
        let card = card(ground, [text("rgb(90, 90, 90)")]).style("opacity", opacity);
        with(card)
    };
    let told = |opacity| {
        let diff = diff(&on(WHITE, opacity), &on("rgb(200, 200, 200)", opacity));
        unreadable(&diff).len()
    };
    assert_eq!(told("1"), 0);
    assert_eq!(told("0.7"), 1);
}

#[test]
fn of_what_is_hidden_and_of_what_is_no_text_nothing_is_told() {
    let hidden = [
        text(BLACK).style("visibility", "hidden"),
        text(BLACK).style("opacity", "0"),
        text(BLACK).height(0),
        text(BLACK).height(1),
        parent("div", [text(BLACK)])
            .height(1)
            .style("overflow-y", "hidden"),
        text(BLACK).style("font-size", "0px"),
        leaf("i", "home")
            .style("color", BLACK)
            .style("font-family", "\"Material Icons\", sans-serif"),
        leaf("i", "×").style("color", BLACK),
        leaf("i", "\u{e0ff}").style("color", BLACK),
        leaf("i", "x").style("color", BLACK),
        leaf("video", "Your browser shows no videos").style("color", BLACK),
        leaf("input", "").style("color", BLACK),
    ];
    for hidden in hidden {
        let told = blackened(std::slice::from_ref(&hidden));
        assert_eq!(unreadable(&told), [], "{hidden:?}");
    }
    let emoji = text(BLACK).style("font-family", "Inter, \"Segoe UI Symbol\"");
    assert_eq!(unreadable(&blackened(&[emoji])).len(), 1, "it is a text");
}

#[test]
fn where_the_ground_is_not_known_nothing_is_told() {
    let behind = |tag, position| {
        leaf(tag, "")
            .height(200)
            .style("position", position)
            .style("background-color", RED)
    };
    let on = |picture: &str| {
        text(BLACK)
            .style("background-image", picture)
            .style("background-color", "rgba(0, 0, 0, 0)")
    };
    for inside in [
        vec![behind("img", "absolute"), text(BLACK)],
        vec![behind("span", "absolute"), text(BLACK)],
        vec![parent("div", [behind("canvas", "absolute")]), text(BLACK)],
        vec![on("url(\"/sea.jpg\")")],
        vec![on("linear-gradient(red, blue)")],
        vec![parent("div", [text(BLACK)]).style("background-color", "color(mine 1 0 0)")],
    ] {
        let told = blackened(&inside);
        assert_eq!(unreadable(&told), [], "{inside:?}");
    }
    // What stands beside a text is no ground of it.
    let told = blackened(&[behind("img", "static"), text(BLACK)]);
    assert_eq!(unreadable(&told).len(), 1);
}

#[test]
fn a_bare_page_is_white_where_its_own_text_could_be_read_on_white() {
    let on = |body: &str, ground: &str| {
        let text = text("rgb(200, 200, 200)").style("background-color", ground);
        with(text).style("color", body)
    };
    // A text in a dark box, which goes: it lies on the bare page.
    let told = |body| {
        let diff = diff(&on(body, BLACK), &on(body, "rgba(0, 0, 0, 0)"));
        unreadable(&diff).len()
    };
    assert_eq!(told(BLACK), 1);
    assert_eq!(told("rgb(238, 238, 238)"), 0, "it is dark itself");
}

/// What is wrong in something that came to a page.
fn brought_to(page: &Element, came: Element) -> Flaws {
    let mut after = page.clone();
    main_of(&mut after).insert(2, came);
    let findings = diff(page, &after).findings;
    let mut inserts = findings
        .into_iter()
        .filter(|finding| finding.kind == ChangeType::Insert);
    let insert = inserts.next().unwrap();
    assert!(inserts.next().is_none());
    insert.flaws
}

fn brought(came: Element) -> Flaws {
    brought_to(&page(), came)
}

fn picture(src: &str) -> Element {
    leaf("img", "")
        .id("picture")
        .attribute("src", src)
        .attribute("broken", true)
        .height(80)
}

#[test]
fn a_picture_that_comes_and_cannot_be_shown_is_told_with_what_it_came_in() {
    let within = |picture| {
        let figure = parent("figure", [picture, leaf("figcaption", "The sea at dawn")]);
        brought(parent("section", [leaf("h2", "News"), figure])).broken
    };
    assert_eq!(
        brought(picture("/gone.png")).broken.as_deref(),
        Some("#picture")
    );
    assert_eq!(within(picture("/gone.png")).as_deref(), Some("#picture"));
    for sound in [
        picture("/here.png").attribute("broken", false),
        picture(""),
        picture("data:,"),
        picture("about:blank"),
        picture("/gone.png").height(0),
        picture("/counter.gif").height(1),
        picture("/gone.png").style("visibility", "hidden"),
        picture("/gone.png").style("opacity", "0"),
    ] {
        assert_eq!(within(sound.clone()), None, "{sound:?}");
    }
    // Its file could not be shown on the page before either.
    let mut as_ever = picture("/gone.png");
    as_ever.id = None;
    let flaws = brought_to(&with(as_ever), parent("div", [picture("/gone.png?v=2")]));
    assert_eq!(flaws.broken, None);
    // Of addresses that tell pictures apart by what is asked, another one is another picture.
    let mut asked = picture("/image?id=1");
    asked.id = None;
    let flaws = brought_to(&with(asked), parent("div", [picture("/image?id=2")]));
    assert_eq!(flaws.broken.as_deref(), Some("#picture"));
}

#[test]
fn a_text_that_comes_and_can_hardly_be_read_is_told_once() {
    let pale = |flaws: Flaws| {
        let PaleText {
            element,
            before,
            after,
        } = flaws.pale_text?;
        assert!(before.is_none() && after < 3.0, "{before:?} {after}");
        Some(element)
    };
    assert_eq!(pale(brought(text(WHITE))).as_deref(), Some("#text"));
    let inside = [text("rgb(240, 240, 240)"), text(WHITE).id("palest")];
    let section = parent("section", [parent("div", inside)]);
    assert_eq!(pale(brought(section)).as_deref(), Some("#palest"));
    for readable in [
        text(BLACK),
        text(WHITE).style("background-color", BLACK),
        parent("div", [text(WHITE)]).style("background-color", BLACK),
        parent("div", [text(WHITE)]).style("background-image", "url(\"/sea.jpg\")"),
        // Paler than is good, and to be seen: as much is designed.
        text("rgb(156, 163, 175)"),
        // On something that a pseudo-element paints.
        parent("div", [text(WHITE)]).attribute("veiled", true),
    ] {
        assert_eq!(pale(brought(readable.clone())), None, "{readable:?}");
    }
}

#[test]
fn of_a_text_that_comes_and_may_be_meant_to_be_pale_nothing_is_told() {
    let hero = leaf("img", "")
        .height(200)
        .style("position", "absolute")
        .attribute("src", "/sea.jpg");
    for pale in [
        parent("section", [hero, text(WHITE)]),
        parent("button", [text("rgb(240, 240, 240)")]),
        parent("div", [text("rgb(240, 240, 240)")]).class("page-item disabled"),
        parent("div", [text("rgb(240, 240, 240)")]).attribute("off", true),
        parent(
            "a",
            [
                parent("div", [leaf("img", "").height(200)]).style("position", "absolute"),
                text(WHITE),
            ],
        ),
        text(WHITE).style("opacity", "0"),
        text(WHITE).height(1),
        text("rgba(0, 0, 0, 0)"),
        leaf("i", "star")
            .style("color", WHITE)
            .style("font-family", "FontAwesome"),
    ] {
        assert_eq!(brought(pale.clone()).pale_text, None, "{pale:?}");
    }
    // A dark page that no capture records, by its own text, and a list that always was as pale.
    let dark = page().style("color", "rgb(238, 238, 238)");
    assert_eq!(
        brought_to(&dark, text("rgb(240, 240, 240)")).pale_text,
        None
    );
    let note = |number: &str| {
        leaf("small", &format!("Note {number}")).style("color", "rgb(240, 240, 240)")
    };
    assert_eq!(brought_to(&with(note("one")), note("two")).pale_text, None);
    assert!(
        brought_to(&with(note("one")), text(WHITE))
            .pale_text
            .is_some()
    );
}

#[test]
fn a_wrapper_that_comes_may_not_take_the_ground_from_a_text() {
    let wrapper = parent("article", [text(WHITE)]).style("background-color", "rgb(240, 240, 240)");
    let before = with(card(BLACK, [text(WHITE)]));
    let after = with(card(BLACK, [wrapper]));
    let told = diff(&before, &after);
    assert_eq!(unreadable(&told), [("#card article", "#text")], "{told:#?}");
}

#[test]
fn what_captures_know_of_the_ground_is_heeded() {
    let on = |canvas: &str, color: &str| {
        let page = with(text(color)).style("color", color);
        page.attribute("canvas", canvas)
    };
    let told = |canvas, from, to| unreadable(&diff(&on(canvas, from), &on(canvas, to))).len();
    let (pale, dark) = ("rgb(238, 238, 238)", "rgb(17, 17, 17)");
    assert_eq!(told(WHITE, BLACK, pale), 1);
    assert_eq!(told(dark, "rgb(120, 120, 120)", pale), 0, "it is dark");
    assert_eq!(told("", BLACK, pale), 0, "nobody can tell");
    // What cannot be used any more may be pale, and nobody reads a slider.
    let button = |color: &str| leaf("button", "Buy it").id("text").style("color", color);
    let off = diff(
        &with(button(BLACK)),
        &with(button(pale).attribute("off", true)),
    );
    assert_eq!(unreadable(&off), []);
    let slider = |ground: &str| {
        let slider = leaf("input", "").id("text").attribute("untyped", true);
        with(
            slider
                .style("color", BLACK)
                .style("background-color", ground),
        )
    };
    assert_eq!(unreadable(&diff(&slider(WHITE), &slider(BLACK))), []);
    // A backdrop that is not shown hides no ground.
    let backdrop = leaf("div", "")
        .height(400)
        .style("position", "fixed")
        .style("opacity", "0")
        .style("background-color", BLACK);
    assert_eq!(unreadable(&blackened(&[backdrop, text(BLACK)])).len(), 1);
}
