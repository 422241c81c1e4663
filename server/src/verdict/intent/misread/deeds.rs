//! Deeds that are told by their opposite: what is taken back, mended or forbidden, and what is told in other words.

use super::*;

fn popup() -> [Finding; 2] {
    let lineage = ["body", "div.newsletter-popup"];
    [come(&lineage, "Newsletter"), gone(&lineage, "Newsletter")]
}

#[test]
fn what_comes_and_goes_is_told_in_many_words() {
    let [came, went] = popup();
    for said in [
        "Get rid of the newsletter popup",
        "The newsletter popup is turned off",
        "Disable the newsletter popup",
        "Hide the newsletter popup that shows the Add button",
        "fix: duplicate newsletter popup",
    ] {
        is_not_meant(said, &came);
        is_meant(said, &went);
    }
    for said in [
        "Bring back the newsletter popup",
        "feat: restore the newsletter popup",
        "Fix the missing newsletter popup",
        "Fix: newsletter popup isn't shown",
        "Missing: newsletter popup",
    ] {
        is_not_meant(said, &went);
        is_meant(said, &came);
    }
}

#[test]
fn what_is_shown_comes_and_what_is_not_shown_goes() {
    let [came, went] = popup();
    for said in [
        "The newsletter popup is shown",
        "The newsletter popup is displayed",
        "Make sure the newsletter popup is visible",
    ] {
        is_not_meant(said, &went);
    }
    for said in [
        "The newsletter popup is back",
        "Home page: + newsletter popup",
    ] {
        is_meant(said, &came);
        is_not_meant(said, &went);
    }
    for said in [
        "The newsletter popup is not shown",
        "The newsletter popup isn't displayed to members",
        "The newsletter popup does not appear",
        "Do not display the newsletter popup",
        "The newsletter popup must not be shown",
        "Neither the newsletter popup nor the banner appears",
        "No more newsletter popup",
        "No newsletter popup for members",
        "feat: no newsletter popup",
    ] {
        is_not_meant(said, &came);
    }
    is_meant("No breaking changes, a newsletter popup", &came);
    is_meant("No more newsletter popup", &went);
    // What was wrong is mended, and what was shown until now goes.
    is_meant("The newsletter popup was not shown", &came);
    is_meant(
        "The newsletter popup that was shown to all is taken down",
        &went,
    );
    is_not_meant(
        "The newsletter popup that was shown to all is taken down",
        &came,
    );
}

#[test]
fn what_is_gotten_is_not_lost_and_a_drop_shadow_drops_nothing() {
    let shadow = |from, to| restyled(&["main", "article.card"], &[("box-shadow", from, to)]);
    let with = "rgb(0, 0, 0) 0px 2px 4px";
    let said = "The card gets a drop shadow";
    is_meant(said, &shadow("none", with));
    is_not_meant(said, &shadow(with, "none"));
    let link = |from, to| {
        restyled(
            &["footer", "a.terms"],
            &[("text-decoration-line", from, to)],
        )
    };
    let said = "Links in the footer are underlined";
    is_meant(said, &link("none", "underline"));
    is_not_meant(said, &link("underline", "none"));
    let said = "The links in the footer are losing their underline";
    assert!(!is_another(said, &link("underline", "none")));
}

#[test]
fn what_is_taken_back_is_the_opposite_of_what_is_named() {
    let [came, went] = popup();
    is_not_meant("Revert adding the newsletter popup", &came);
    is_not_meant("revert: remove the newsletter popup", &went);
    let headline = |from, to| restyled(&["main", "h1"], &[("font-size", from, to)]);
    let said = "Undo the larger size of the headline";
    is_not_meant(said, &headline("16px", "32px"));
    is_meant(said, &headline("32px", "16px"));
}

#[test]
fn what_is_forbidden_to_be_done_is_not_what_was_meant() {
    let logo = restyled(&["header", "img.logo"], &[("width", "90px", "300px")]);
    is_not_meant("The logo must not be stretched", &logo);
    let button = |to| {
        restyled(
            &["form", "button.buy"],
            &[("background-color", "rgb(255, 255, 255)", to)],
        )
    };
    let run = |said: &str| RunContext {
        change_description: Some(said.to_owned()),
        scope: Some(vec!["form".to_owned()]),
        ..RunContext::default()
    };
    let intent = Intent::of(None, Some(&run("The buy button must not be red"))).unwrap();
    let weighed = intent.weigh(&button("rgb(200, 0, 0)"));
    assert!(weighed.score < MEANT, "{weighed:#?}");
}

#[test]
fn what_is_added_is_not_taken_away() {
    let card = ["main", "article.card"];
    for (said, property, [without, with]) in [
        (
            "Add a shadow to the card",
            "box-shadow",
            ["none", "rgb(0, 0, 0) 0px 2px 4px"],
        ),
        (
            "Add a border to the card",
            "border-top-width",
            ["0px", "2px"],
        ),
        (
            "Add an underline to the card",
            "text-decoration-line",
            ["none", "underline"],
        ),
    ] {
        is_not_meant(said, &restyled(&card, &[(property, with, without)]));
        is_meant(said, &restyled(&card, &[(property, without, with)]));
        let removed = said
            .replacen("Add", "Remove", 1)
            .replacen(" to ", " from ", 1);
        is_not_meant(&removed, &restyled(&card, &[(property, without, with)]));
    }
}

#[test]
fn prices_rise_and_fall_in_other_words() {
    let (raised, lowered) = (price("19 €", "29 €"), price("29 €", "19 €"));
    for said in ["Prices go up by 10 €", "A price hike for the plan"] {
        is_not_meant(said, &lowered);
    }
    is_not_meant("A price cut for the plan", &raised);
    is_meant("A price hike for the plan", &raised);
}

#[test]
fn measures_are_met_whatever_word_stands_before_them() {
    let headline = |to| restyled(&["main", "h1"], &[("font-size", "24px", to)]);
    for said in [
        "Set the headline's font size at 40px",
        "The headline has a font size of 40 px",
    ] {
        is_not_meant(said, &headline("12px"));
        is_meant(said, &headline("40px"));
    }
    for said in [
        "The headline's font size is 8px larger",
        "On screens of 600px the headline's font size is larger",
        "The headline's font size is larger instead of 12px",
    ] {
        assert!(!is_another(said, &headline("32px")), "{said}");
    }
    let button = |to| {
        restyled(
            &["form", "button.buy"],
            &[("background-color", "rgb(255, 255, 255)", to)],
        )
    };
    let said = "The buy button uses the brand color #7c3aed";
    is_not_meant(said, &button("rgb(200, 0, 0)"));
    is_meant(said, &button("rgb(124, 58, 237)"));
    is_meant(
        "The buy button's color becomes #f00",
        &button("rgb(255, 0, 0)"),
    );
}

#[test]
fn a_text_is_replaced_by_another() {
    let button = |after| edit(&["form", "button.buy"], ["Buy", after]);
    for said in [
        "Replace the button label “Buy” with “Order”",
        "The button label is changed from “Buy” into “Order”",
        "The button label: “Order” instead of “Buy”",
        "On the buy button “Order” replaces “Buy”",
    ] {
        is_not_meant(said, &button("undefined"));
        is_meant(said, &button("Order"));
    }
}

#[test]
fn a_colour_is_known_by_its_name() {
    let button = restyled(
        &["section.hero", "button.start"],
        &[("color", "rgb(0, 0, 0)", "rgb(255, 255, 255)")],
    );
    is_meant("fix: button text is now white", &button);
}

#[test]
fn words_of_a_text_that_come_and_go_are_met_to_the_letter() {
    let typo = |after| {
        edit(
            &["footer", "p.newsletter"],
            ["You will recieve news", after],
        )
    };
    let said = "Typo: “recieve” -> “receive” in the newsletter text";
    is_meant(said, &typo("You will receive news"));
    is_not_meant(said, &typo("You will recieve undefined"));
    let other = edit(
        &["footer", "p.newsletter"],
        ["To receive: news", "To receive: mail"],
    );
    let met = Statement::of(said).unwrap();
    let values = met.terms.exact.iter();
    let found = Terms::of_finding(&other);
    assert_eq!(values.filter(|value| found.meets(value)).count(), 0);
}

#[test]
fn of_what_was_there_twice_one_goes() {
    let lineage = ["main", "section.pricing", "p.price"];
    let (came, went) = (come(&lineage, "19 €"), gone(&lineage, "19 €"));
    let raised = price("19 €", "29 €");
    for said in [
        "fix: price was shown twice",
        "The price was displayed two times",
        "fix(pricing): price rendered twice",
    ] {
        is_meant(said, &went);
        is_not_meant(said, &came);
        is_not_meant(said, &raised);
    }
    is_not_meant("fix: duplicated price", &came);
    for said in [
        "fix: duplicated price",
        "fix: price duplicated",
        "fix: price is duplicated",
        "fix: price duplicated on mobile",
    ] {
        is_not_meant(said, &raised);
    }
    is_meant("Show the price twice", &came);
    is_not_meant("Show the price twice", &went);
}

#[test]
fn a_duplicate_that_nobody_sees_takes_nothing_away() {
    let banner = gone(&["body", "div.promo.banner"], "Summer sale");
    is_not_meant("fix: duplicate id on the promo banner", &banner);
    let form = gone(&["main", "form.signup"], "Sign up");
    for (said, went) in [
        ("fix: duplicate id on the promo banner", &banner),
        ("fix: duplicate submission of the signup form", &form),
        ("fix: duplicate markup in the signup form", &form),
    ] {
        let [described, _] = weigh_both(&format!("No visual changes.\n{said}"), went);
        assert!(described.nothing_changes, "{said}: {described:#?}");
    }
}

#[test]
fn what_was_to_go_is_not_painted_or_worded_otherwise() {
    let lineage = ["main", "div.promo"];
    let red = ("background-color", "rgb(255, 255, 255)", "rgb(200, 0, 0)");
    for said in ["Remove the promo banner", "The promo banner is hidden"] {
        is_meant(said, &gone(&lineage, "Summer sale"));
        is_not_meant(said, &restyled(&lineage, &[red]));
        is_not_meant(said, &edit(&lineage, ["Summer sale", "Winter sale"]));
    }
    // What goes of a text leaves a shorter one, and what goes of a card leaves the card.
    let year = edit(&["footer", "p.copyright"], ["© 2025 Acme", "© Acme"]);
    assert!(!is_another(
        "Remove the year from the copyright line",
        &year
    ));
    let plain = ("background-color", "rgb(255, 255, 255)", "rgba(0, 0, 0, 0)");
    is_meant(
        "Remove the card's background",
        &restyled(&["main", "article.card"], &[plain]),
    );
}

#[test]
fn what_was_thought_of_and_not_done_is_not_meant() {
    let banner = gone(&["body", "div.promo.banner"], "Summer sale");
    for said in [
        "We considered removing the promo banner but kept it",
        "We thought about removing the promo banner, it stays",
        "Decided against removing the promo banner",
        "We wanted to remove the promo banner, but it stays",
        "We did not remove the promo banner",
        "We considered moving the menu and removing the promo banner but kept both",
        "Restyle the promo banner instead of removing it",
        "The promo banner stays",
    ] {
        is_not_meant(said, &banner);
    }
    for said in [
        "We decided to remove the promo banner",
        "As discussed, remove the promo banner",
        "We considered moving the menu. The promo banner is removed.",
        "The promo banner is removed, and we decided against moving the menu",
    ] {
        is_meant(said, &banner);
    }
}
