//! What sentences say becomes of something, and what only looks like it.

use super::*;

#[test]
fn texts_and_prices_are_met_in_whole_words_and_numbers() {
    is_not_meant("The price label reads “9 €”", &price("19 €", "29 €"));
    is_meant(
        "The price is raised from $999 to $1,099",
        &price("$999", "$1,099"),
    );
    is_not_meant("Raise the price of the plan", &price("$1,099", "$999"));
    is_meant("The price is now $29", &price("$19", "$29.00"));
    is_meant("Raise all prices by 2 €", &price("19 €", "21 €"));
}

#[test]
fn a_clause_without_a_name_is_about_the_one_before() {
    let mut badge = edit(&["article", "span.badge"], ["New", "Sold out"]);
    let grey = ["rgb(0, 128, 0)", "rgb(128, 128, 128)"].map(str::to_owned);
    badge.style.insert("background-color".to_owned(), grey);
    is_meant("The badge now says “Sold out” and turns grey", &badge);
    let button = |colour| {
        let sizes = ("font-size", "16px", "24px");
        let colours = ("background-color", "rgb(255, 255, 255)", colour);
        restyled(&["form", "button.buy"], &[sizes, colours])
    };
    let said = "The buy button gets larger and turns green";
    is_not_meant(said, &button("rgb(200, 0, 0)"));
    is_meant(said, &button("rgb(0, 160, 0)"));
}

#[test]
fn another_sentence_on_a_like_thing_overrules_none_that_is_met() {
    let said = "The primary buy button in the header turns green. The secondary buy button in the header turns gray.";
    let button = restyled(
        &["header", "button.buy.primary"],
        &[("background-color", "rgb(255, 255, 255)", "rgb(0, 160, 0)")],
    );
    let [described, _] = weigh_both(said, &button);
    assert!(described.score >= MEANT, "{described:#?}");
}

#[test]
fn what_was_and_what_only_has_a_name_is_no_aim() {
    let button = edit(&["form", "button.buy"], ["Buy", "Order"]);
    is_meant("Button label: \"Buy\" -> \"Order\"", &button);
    let links = edit(&["main", "a.more"], ["Click here", "Read the report"]);
    is_meant(
        "The link text is changed and no longer says “Click here”",
        &links,
    );
    let banner = restyled(
        &["body", "div.black-friday.banner"],
        &[("background-color", "rgb(0, 0, 0)", "rgb(120, 20, 160)")],
    );
    is_meant(
        "The Black Friday banner gets a new background colour",
        &banner,
    );
    let phone = come(&["header", "p.phone-number"], "+49 30 123");
    is_meant(
        "The phone number in the header is shown and no longer hidden",
        &phone,
    );
    let target = link(&["footer", "a.contact"], ["/contact", "/support"]);
    is_meant("Update the contact link target (#1234)", &target);
    let fewer = gone(&["main", "figure.testimonial"], "Great boats");
    is_meant("Show fewer testimonials", &fewer);
    let brand = edit(&["footer", "p.brand-name"], ["Apex", "Acme"]);
    is_meant("Brand name in the footer is now Acme", &brand);
}

#[test]
fn what_is_forbidden_is_not_meant() {
    let popup = ["body", "div.newsletter-popup"];
    is_not_meant(
        "The newsletter popup must not appear",
        &come(&popup, "Newsletter"),
    );
    is_meant(
        "Do not show the newsletter popup",
        &gone(&popup, "Newsletter"),
    );
    let phone = gone(&["header", "p.phone-number"], "+49 30 123");
    is_not_meant("Do not hide the phone number in the header", &phone);
    let headline = edit(&["main", "h1"], ["Welcome", "undefined"]);
    is_not_meant(
        "The headline is updated and must never read “undefined”",
        &headline,
    );
    let border = restyled(
        &["main", "article.card"],
        &[("border-top-width", "0px", "2px")],
    );
    is_not_meant("Remove the card's border", &border);
}

#[test]
fn looks_that_are_changed_are_looks() {
    let pro = edit(&["article.pro", "p.price"], ["19 €", "29 €"]);
    is_not_meant("Change the colour of the Pro price", &pro);
    is_not_meant("Make the Pro price bold", &pro);
}

#[test]
fn values_are_met_whole() {
    let phone = |after| edit(&["footer", "p.phone-number"], ["+49 30 123", after]);
    is_not_meant("The phone number is now +49 30 456", &phone("+49 30 999"));
    is_meant("The phone number is now +49 30 456", &phone("+49 30 456"));
    let price = |after| edit(&["article.plan.pro", "p.price"], ["19 EUR", after]);
    is_not_meant("The price of the Pro plan is 29 EUR", &price("39 EUR"));
    is_meant("The price of the Pro plan is 29 EUR", &price("29 EUR"));
}

#[test]
fn a_text_that_tells_which_one_is_meant_is_no_aim() {
    let banner = edit(&["body", "div.banner"], ["Summer sale", "Autumn sale"]);
    is_meant("Reword the banner that says “Summer sale”", &banner);
    let languages = come(&["header", "select.languages"], "English");
    is_meant("New drop-down for languages in the header", &languages);
    let headline = edit(&["section.hero", "h1"], ["Welcome", "undefined"]);
    is_not_meant("Change the hero headline to “Fast and simple”", &headline);
}

#[test]
fn single_marks_are_met_as_double_ones_are() {
    let button = |after| edit(&["form", "button.buy"], ["Buy", after]);
    for said in [
        "The buy button reads 'Order now'",
        "The buy button reads ‘Order now’",
    ] {
        is_not_meant(said, &button("undefined"));
        is_meant(said, &button("Order now"));
    }
    let said = "The buy button becomes 'Don't wait'";
    is_meant(said, &button("Don’t wait"));
    is_not_meant(said, &button("Don"));
}

#[test]
fn what_is_quoted_says_nothing_of_what_was_done() {
    for (said, verb) in [
        ("The 'New' badge is updated", Verb::Change),
        ("Remove the “New” badge", Verb::Remove),
        ("Reword “No longer available”", Verb::Reword),
    ] {
        let told = Statement::of(said).unwrap();
        assert_eq!(told.terms.verbs, BTreeSet::from([verb]), "{said}");
    }
}

#[test]
fn texts_without_marks_are_met_as_well() {
    let button = |after| edit(&["form.signup", "button.submit"], ["Sign up", after]);
    let tagline = |after| edit(&["header", "p.tagline"], ["Boats for all", after]);
    for (said, right, wrong) in [
        (
            "The sign up button now says Join now",
            button("Join now"),
            button("NaN"),
        ),
        (
            "Tagline: Boats for all -> Boats for everyone",
            tagline("Boats for everyone"),
            tagline("undefined"),
        ),
    ] {
        is_meant(said, &right);
        is_not_meant(said, &wrong);
    }
    // What was there, and what only has a capital.
    for said in [
        "Reword the button that says Sign up",
        "The sign up button reads better",
    ] {
        assert!(!is_another(said, &button("Join now")), "{said}");
    }
}

#[test]
fn what_stands_instead_of_another_is_what_is_meant() {
    let banner = |after| edit(&["body", "div.shipping"], ["Shipping from 40 €", after]);
    let said = "Free shipping from 50 € instead of 40 €";
    is_meant(said, &banner("Shipping from 50 €"));
    is_not_meant(said, &banner("Shipping from 60 €"));
    let button = |from, to| restyled(&["main", "a.button"], &[("background-color", from, to)]);
    let (blue, green) = ("rgb(0, 85, 255)", "rgb(22, 163, 74)");
    for said in [
        "Button green instead of blue",
        "The button is green rather than blue",
    ] {
        is_not_meant(said, &button(green, blue));
        assert!(!is_another(said, &button(blue, green)), "{said}");
    }
}

#[test]
fn no_copy_changes_is_a_word_on_texts() {
    let said = "The hero headline is 48px large, no copy changes";
    let headline = ["section.hero", "h1"];
    is_not_meant(said, &edit(&headline, ["Welcome", "Hello"]));
    is_meant(said, &restyled(&headline, &[("font-size", "32px", "48px")]));
}

#[test]
fn a_question_describes_nothing() {
    let banner = gone(&["body", "div.promo.banner"], "Summer sale");
    is_not_meant("Should the promo banner be hidden?", &banner);
}

#[test]
fn what_programs_write_for_nothing_is_never_meant() {
    let said = "Reword the price label of the plan";
    is_meant(said, &price("19 €", "19 € a month"));
    for slip in ["undefined €", "NaN €", "[object Object]", "{{price}}"] {
        is_not_meant(said, &price("19 €", slip));
    }
    let said = "Reword the hint on values that are undefined";
    let hint = ["main", "p.hint"];
    is_meant(
        said,
        &edit(&hint, ["undefined stands for none", "undefined: no value"]),
    );
    let badge = |text| come(&["article.card", "span.badge"], text);
    is_meant("Add a badge to the card", &badge("New"));
    is_not_meant("Add a badge to the card", &badge("undefined"));
}

#[test]
fn a_price_that_is_met_the_other_way_round_is_not_meant() {
    let pro = |from, to| edit(&["article.plan.pro", "p.price"], [from, to]);
    let (raised, lowered) = (pro("$39", "$49"), pro("$59", "$49"));
    for said in [
        "The Pro price goes up to $49",
        "The price of Pro is raised to $49",
        "Increase the Pro price to $49",
    ] {
        is_meant(said, &raised);
        is_not_meant(said, &lowered);
    }
    for said in [
        "The Pro price falls to $49",
        "The Pro price drops to $49",
        "The price of Pro was lowered to $49",
        "Lower the Pro price to $49",
    ] {
        is_meant(said, &lowered);
        is_not_meant(said, &raised);
    }
    is_not_meant("The Pro price falls", &raised);
    // What tells of two ways, of none, or of what is not done, leaves it to the value.
    for said in [
        "The Pro price goes up to $49, Team falls to $59",
        "Set the Pro price to $49",
        "The Pro price is $49 now and no longer reduced",
        "The higher Pro price is $49",
    ] {
        assert!(!is_another(said, &lowered), "{said}");
    }
}
