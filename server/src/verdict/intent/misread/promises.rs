//! Promises, and what only looks like one: a false one makes a bug of what was meant.

use super::*;

#[track_caller]
fn is_kept(said: &str, finding: &Finding) {
    for weighed in weigh_both(said, finding) {
        assert!(weighed.must_stay.is_none(), "{said}: {weighed:#?}");
    }
}

#[test]
fn conditions_and_asides_are_nothing_that_must_stay() {
    let recoloured = restyled(
        &["body", "nav"],
        &[("background-color", "rgb(0, 0, 0)", "rgb(9, 9, 90)")],
    );
    let said = "Recolour the navigation on desktop. On mobile, the navigation does not change.";
    let [described, _] = weigh_both(said, &recoloured);
    assert!(described.must_stay.is_none(), "{described:#?}");
    let header = restyled(&["body", "header"], &[("padding-top", "8px", "24px")]);
    is_kept("The logo, shown in the header, must not change", &header);
    let logo = finding(ChangeType::ImageChange, &["header", "img.logo"]);
    is_broken("The logo, shown in the header, must not change", &logo);
    let raised = price("19 €", "29 €");
    is_broken(
        "The price, which is shown in the table, must not change",
        &raised,
    );
}

#[test]
fn words_that_begin_as_deeds_do_deny_none() {
    let popup = gone(&["body", "div.newsletter-popup"], "Newsletter");
    is_meant(
        "The newsletter popup is removed without replacement",
        &popup,
    );
    let rate = come(&["ul.rates", "li.rate"], "Room only, 89 €");
    is_kept("Add a room rate without breakfast", &rate);
    let heading = edit(&["main", "h2"], ["our boats", "Our boats"]);
    is_kept("Headings should not be lowercase", &heading);
}

#[test]
fn what_is_done_without_something_else_is_told_apart() {
    let said = "Restyle the pricing table without changing the prices";
    let table = restyled(
        &["main", "table.pricing"],
        &[("border-top-width", "1px", "2px")],
    );
    is_kept(said, &table);
    is_meant(said, &table);
    is_broken(
        said,
        &edit(&["table.pricing", "td.price"], ["19 €", "29 €"]),
    );
    let other = link(&["footer", "a"], ["/imprint", "/legal"]);
    is_kept("Restyle the header without changing its links", &other);
}

#[test]
fn a_denied_way_is_broken_by_that_way_alone() {
    is_broken("Never raise the prices", &price("19 €", "29 €"));
    for kept in [price("29 €", "19 €"), price("19 € / month", "19 € monthly")] {
        is_kept("Never raise the prices", &kept);
    }
    let larger = restyled(&["main", "h1"], &[("font-size", "32px", "48px")]);
    is_broken("Do not increase the headline's font size", &larger);
}

#[test]
fn what_was_wrong_is_no_promise() {
    let badge = gone(&["article", "span.sale-badge"], "Sale");
    for said in [
        "The sale badge is not removed when the sale ends. This change removes it.",
        "The sale badge is never removed. Remove the sale badge.",
    ] {
        is_kept(said, &badge);
    }
}

#[test]
fn a_promise_about_its_words_is_no_more_than_that() {
    is_meant(
        "The price goes from 19 € to 29 €, wording unchanged",
        &price("19 €", "29 €"),
    );
    let icon = gone(&["button.buy", "span.icon"], "Cart");
    is_meant(
        "The icon of the buy button is removed, its label unchanged",
        &icon,
    );
}

#[test]
fn what_is_quoted_promises_nothing() {
    let notice = edit(
        &["main", "p.notice"],
        ["Welcome", "We have moved. Our prices will not change."],
    );
    for said in [
        "The notice now reads “We have moved. Our prices will not change.”",
        "The notice now reads 'We have moved. Our prices will not change.'",
    ] {
        is_meant(said, &notice);
    }
}

#[test]
fn the_rest_is_what_is_not_told() {
    let said = "The Pro price changes to 29 €. All other prices must not change.";
    let pro = |after| edit(&["article.pro", "p.price"], ["19 €", after]);
    is_kept(said, &pro("29 €"));
    is_broken(said, &edit(&["article.team", "p.price"], ["49 €", "59 €"]));
}

#[test]
fn an_exception_may_change() {
    let said = "The footer must not change except for the phone number";
    let phone = edit(&["footer", "p.phone-number"], ["+49 30 123", "+49 30 456"]);
    is_kept(said, &phone);
    is_broken(said, &link(&["footer", "a"], ["/imprint", "/legal"]));
}

#[test]
fn what_everything_has_is_nothing_that_must_stay() {
    let button = restyled(&["main", "button.buy"], &[("font-size", "16px", "20px")]);
    is_kept(
        "Make the buttons larger without breaking the design",
        &button,
    );
    let said = "The cookie banner is fixed at the bottom and does not move the content";
    is_kept(said, &edit(&["main.content", "h2"], ["Boats", "Ships"]));
}

#[test]
fn what_hangs_on_something_or_was_is_no_promise() {
    let raised = price("19 €", "29 €");
    for said in [
        "If prices do not change, hide the badge",
        "Currently the price does not change with the plan",
        "The plan must not change besides the price",
    ] {
        is_kept(said, &raised);
    }
    let header = restyled(&["body", "header"], &[("padding-top", "8px", "24px")]);
    is_kept("The header does not move on scroll", &header);
    for said in [
        "If possible, prices must not change",
        "The plan must not change besides the name",
    ] {
        is_broken(said, &raised);
    }
}

#[test]
fn no_word_that_begins_a_condition_makes_a_promise_of_it() {
    let raised = price("19 €", "29 €");
    let sale = gone(&["body", "div.sale"], "Sale");
    for begins in [
        "As long as",
        "As soon as",
        "Assuming",
        "Because",
        "But if",
        "Even if",
        "Given that",
        "If",
        "In case",
        "Once",
        "Only when",
        "Provided that",
        "Providing",
        "Since",
        "So long as",
        "Supposing",
        "Till",
        "Unless",
        "Until",
        "When",
        "Whenever",
        "Where",
        "Wherever",
        "While",
        "Whilst",
    ] {
        is_kept(
            &format!("{begins} prices do not change, hide the badge"),
            &raised,
        );
        is_kept(
            &format!("{begins} prices stay as they are, hide the badge"),
            &raised,
        );
        is_kept(
            &format!("{begins} the sale ends, prices must not change"),
            &sale,
        );
    }
    is_kept("Should the sale end, prices must not change", &sale);
    is_kept("Badge: if prices do not change, hide it", &raised);
}

#[test]
fn what_limits_nothing_is_no_condition() {
    let raised = price("19 €", "29 €");
    for said in [
        "Even if the plan's name changes, prices must not change",
        "Where feasible, prices must not change",
        "If possible prices must not change",
        "As far as possible, prices must not change",
    ] {
        is_broken(said, &raised);
    }
    let plan = edit(&["article.plan", "h3"], ["Pro", "Team"]);
    is_kept("Even if the plan changes, prices must not change", &plan);
}

#[test]
fn where_and_when_a_promise_holds_is_nothing_that_must_stay() {
    let sale = gone(&["body", "div.sale"], "Sale");
    for begins in ["After", "Before", "During", "On", "With"] {
        is_kept(&format!("{begins} the sale, prices must not change"), &sale);
    }
    // Without a comma they are part of what is named.
    for said in [
        "The price in the table must not change",
        "In the table the price must not change",
        "Before the table the price must not change",
    ] {
        is_broken(
            said,
            &edit(&["table.pricing", "td.price"], ["19 €", "29 €"]),
        );
    }
}

#[test]
fn what_is_told_beside_what_stays_is_meant_and_what_stays_is_not() {
    let pro = edit(&["article.pro", "p.price"], ["19 €", "29 €"]);
    for rest in ["stays the same", "must not change"] {
        let said = format!("The Pro price goes up to 29 €, everything else {rest}");
        is_meant(&said, &pro);
    }
    let said = "The header turns blue, the logo stays where it is";
    let blue = ("background-color", "rgb(255, 255, 255)", "rgb(0, 85, 255)");
    is_meant(said, &restyled(&["body", "header"], &[blue]));
    is_not_meant(said, &gone(&["header", "img.logo"], "Acme"));
    let said = "The header stays put, only the button turns green";
    let green = ("background-color", "rgb(0, 85, 255)", "rgb(22, 163, 74)");
    is_meant(said, &restyled(&["main", "a.button"], &[green]));
    let raised = price("19 €", "29 €");
    is_not_meant("The price stays the same when people switch plans", &raised);
    let [described, _] = weigh_both("Prices must not change, the header gets taller", &raised);
    assert!(described.must_stay.is_some(), "{described:#?}");
}

#[test]
fn what_is_not_to_be_changed_may_stand_behind_who_would() {
    let link = link(&["footer", "a"], ["/imprint", "/legal"]);
    for said in [
        "This PR doesn't touch the footer",
        "The redesign must not change the footer",
        "The new font does not affect the footer",
        "The footer must not be affected by the new font",
        "This PR makes no changes to the footer",
        "If possible, do not touch the footer",
        "Except for the phone number, the footer must not change",
        "Apart from the phone number, the footer must stay as it is",
    ] {
        let [described, _] = weigh_both(said, &link);
        assert!(described.must_stay.is_some(), "{said}: {described:#?}");
    }
    let phone = edit(&["footer", "p.phone-number"], ["+49 30 123", "+49 30 456"]);
    is_kept(
        "Except for the phone number, the footer must not change",
        &phone,
    );
    let headline = edit(&["section.hero", "h1"], ["Welcome", "Hello"]);
    let said = "This PR doesn't touch the footer, just the hero headline";
    is_meant(said, &headline);
    is_broken(said, &link);
    let footer = restyled(&["body", "footer"], &[("padding-top", "8px", "24px")]);
    is_kept("Footer: no changes to the prices", &footer);
}

#[test]
fn what_is_new_is_told_beside_what_must_stay() {
    let footer = come(&["body", "footer"], "Imprint");
    let header = restyled(&["body", "header"], &[("padding-top", "8px", "24px")]);
    for said in [
        "- New footer, header must not change",
        "New footer, header should not change",
        "New footer – header must not change",
        "Header must not change, new footer",
    ] {
        is_meant(said, &footer);
        is_broken(said, &header);
    }
    // What is only called new, or is one of several, must stay with the others.
    for said in [
        "The new footer and the header must not change",
        "Header, footer and prices must not change",
    ] {
        is_broken(said, &header);
        is_broken(said, &footer);
    }
}
