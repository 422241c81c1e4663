//! Texts that lose their ground: it goes, they move off it, or they fade into it.

use crate::flaws::{BLACK, RED, WHITE, card, text, unreadable, with};
use crate::page::{Element, diff, leaf, main_of, page, parent};

#[test]
fn a_wrapper_that_goes_may_not_take_the_ground_from_a_text() {
    let part = |text: Element| parent("section", [text]).id("part");
    let told = |ground: &str, was: Element, is: Element| {
        let before = with(card(ground, [part(was)]));
        let diff = diff(&before, &with(part(is)));
        let is_gone = diff.findings.iter().any(|it| it.element == "#card");
        assert!(is_gone, "{diff:#?}");
        let told = unreadable(&diff).into_iter();
        told.map(|(one, other)| format!("{one}: {other}"))
            .collect::<Vec<_>>()
    };
    assert_eq!(told(BLACK, text(WHITE), text(WHITE)), ["#card: #text"]);
    // It can be read on the page, or lies on a ground of its own.
    let none: [&str; 0] = [];
    assert_eq!(told(WHITE, text(BLACK), text(BLACK)), none);
    let boxed = text(WHITE).style("background-color", BLACK);
    assert_eq!(told(RED, boxed.clone(), boxed), none);
    // What went was no ground, and a change of its own is nearer.
    let clear = "rgba(0, 0, 0, 0)";
    assert_eq!(told(clear, text(BLACK), text(WHITE)), ["#text: #text"]);
    let paler = text("rgb(250, 250, 250)");
    assert_eq!(told(BLACK, text(WHITE), paler), ["#text: #text"]);
}

#[test]
fn a_wrapper_in_place_of_another_is_told_once_for_a_text() {
    let light = parent("article", [text(WHITE)]).style("background-color", "rgb(240, 240, 240)");
    let told = diff(&with(card(BLACK, [text(WHITE)])), &with(light));
    let texts: Vec<&str> = (unreadable(&told).into_iter())
        .map(|(_, text)| text)
        .collect();
    assert_eq!(texts, ["#text"], "{told:#?}");
}

#[test]
fn a_picture_that_goes_may_not_leave_its_texts_unreadable() {
    const CLEAR: &str = "rgba(0, 0, 0, 0)";
    const SEA: &str = "url(\"/sea.jpg\")";
    const DARK: &str = "linear-gradient(90deg, rgb(20, 30, 60), rgb(60, 40, 90) 40%)";
    const LIGHT: &str = "linear-gradient(rgb(255, 255, 255), rgb(230, 230, 230))";
    let told = |[from, to]: [&str; 2], color: &str| {
        let on = |picture: &str| {
            let card = card(CLEAR, [parent("section", [text(color)])]);
            with(card.style("background-image", picture))
        };
        let diff = diff(&on(from), &on(to));
        let told = unreadable(&diff);
        assert!(told.iter().all(|it| *it == ("#card", "#text")), "{told:?}");
        told.len()
    };
    let (grey, veiled) = (
        "rgb(170, 170, 170)",
        "linear-gradient(rgba(0, 0, 0, 0.6), rgba(0, 0, 0, 0.6)), url(\"/sea.jpg\")",
    );
    for picture in [SEA, DARK, veiled] {
        assert_eq!(told([picture, "none"], WHITE), 1, "{picture}");
        assert_eq!(told([picture, "none"], BLACK), 0, "it can be read");
        assert_eq!(told([picture, LIGHT], WHITE), 0, "on another picture");
        assert_eq!(told(["none", picture], WHITE), 0, "it came");
    }
    assert_eq!(told([DARK, "none"], grey), 1);
    assert_eq!(told([SEA, "none"], grey), 0, "how it was nobody knows");
    for pale in [grey, WHITE] {
        assert_eq!(told([LIGHT, "none"], pale), 0, "it was as pale");
    }
    assert_eq!(told([SEA, "none"], CLEAR), 0, "the picture said it");
}

#[test]
fn a_picture_that_goes_is_no_matter_to_a_text_on_another_ground() {
    let told = |inside: Element| {
        let on = |picture: &str| {
            let card = card("rgba(0, 0, 0, 0)", [inside.clone()]);
            with(card.style("background-image", picture))
        };
        let diff = diff(&on("url(\"/sea.jpg\")"), &on("none"));
        unreadable(&diff).len()
    };
    assert_eq!(told(text(WHITE)), 1);
    for boxed in [
        text(WHITE).style("background-color", BLACK),
        text(WHITE).style("background-color", "rgb(250, 250, 250)"),
        text(WHITE).style("background-image", "url(\"/sky.jpg\")"),
        parent("section", [text(WHITE)]).attribute("veiled", true),
        // A picture of another kind lies below it.
        parent(
            "section",
            [
                leaf("img", "").height(200).style("position", "absolute"),
                text(WHITE),
            ],
        ),
    ] {
        assert_eq!(told(boxed.clone()), 0, "{boxed:?}");
    }
}

#[test]
fn a_wrapper_that_goes_may_not_take_its_picture_from_a_text() {
    let part = || parent("section", [text(WHITE)]).id("part");
    let hero = |inside: Element| {
        let card = card("rgba(0, 0, 0, 0)", [inside]);
        card.style("background-image", "url(\"/sea.jpg\")")
    };
    let told = diff(&with(hero(part())), &with(part()));
    assert_eq!(unreadable(&told), [("#card", "#text")], "{told:#?}");
    // A change of its own is nearer.
    let paler = diff(&with(hero(text(WHITE))), &with(text("rgb(250, 250, 250)")));
    assert_eq!(unreadable(&paler), [("#text", "#text")], "{paler:#?}");
}

#[test]
fn a_text_that_moves_to_another_ground_must_be_readable_there() {
    let told = |color: &str| {
        let [mut before, mut after] = [page(), page()];
        let other = || leaf("p", "What stays in the card").style("color", WHITE);
        main_of(&mut before).push(card(BLACK, [text(color), other()]));
        main_of(&mut after).extend([card(BLACK, [other()]), text(color)]);
        let diff = diff(&before, &after);
        unreadable(&diff).len()
    };
    assert_eq!(told(WHITE), 1);
    assert_eq!(told("rgb(130, 130, 130)"), 0);
}

#[test]
fn an_element_may_not_fade_until_its_text_is_unreadable() {
    let faded = |color: &str, [from, to]: [&str; 2], class: &str| {
        let at = |opacity: &str| {
            let card = card(WHITE, [text(color)]).class(class);
            with(card.style("opacity", opacity))
        };
        let diff = diff(&at(from), &at(to));
        unreadable(&diff).len()
    };
    assert_eq!(faded(BLACK, ["1", "0.2"], "note"), 1);
    assert_eq!(faded(BLACK, ["1", "0.7"], "note"), 0, "it can be read");
    assert_eq!(faded(BLACK, ["0.2", "1"], "note"), 0, "it comes back");
    assert_eq!(faded(BLACK, ["1", "0.02"], "note"), 0, "it is hidden");
    assert_eq!(faded(BLACK, ["1", "0.2"], "note disabled"), 0);
    // Too pale before, and not by its own colours.
    assert_eq!(faded("rgb(170, 170, 170)", ["1", "0.5"], "note"), 0);
    let own = |opacity: &str| with(text(BLACK).style("opacity", opacity));
    let told = diff(&own("1"), &own("0.2"));
    assert_eq!(unreadable(&told), [("#text", "#text")]);
}

#[test]
fn a_control_that_fades_may_be_off_where_nobody_looked() {
    let told = |canvas: Option<&str>| {
        let at = |opacity: &str| {
            let button = leaf("button", "Buy it now").style("color", BLACK);
            let page = with(button.style("opacity", opacity));
            match canvas {
                Some(canvas) => page.attribute("canvas", canvas),
                None => page,
            }
        };
        let diff = diff(&at("1"), &at("0.2"));
        unreadable(&diff).len()
    };
    assert_eq!(told(None), 0);
    assert_eq!(told(Some(WHITE)), 1);
}
