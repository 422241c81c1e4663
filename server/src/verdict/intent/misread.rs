//! Sentences that share many words with a change and mean another one: none of these may make it intentional. And their
//! neighbours, which do mean it.

use super::*;

mod aims;
mod comparatives;
mod deeds;
mod names;
mod promises;
mod wrongs;

/// A score from which on a change is what was meant, as verdicts have it.
const MEANT: f64 = 0.55;

fn finding(kind: ChangeType, lineage: &[&str]) -> Finding {
    let mut names = lineage.iter().map(|&name| name.to_owned());
    let element = names.next_back().unwrap();
    Finding {
        tag: element.split(['.', '#']).next().unwrap().to_owned(),
        lineage: std::iter::once(element.clone())
            .chain(names.rev())
            .collect(),
        ..Finding::new(kind, element)
    }
}

fn edit(lineage: &[&str], [before, after]: [&str; 2]) -> Finding {
    Finding {
        before: Some(before.to_owned()),
        after: Some(after.to_owned()),
        ..finding(ChangeType::TextEdit, lineage)
    }
}

fn price(before: &str, after: &str) -> Finding {
    edit(
        &["main", "section.pricing", "article.plan", "p.price"],
        [before, after],
    )
}

fn link(lineage: &[&str], values: [&str; 2]) -> Finding {
    Finding {
        attribute: Some("href"),
        text: Some("Contact".to_owned()),
        ..edit(lineage, values)
    }
}

fn restyled(lineage: &[&str], styles: &[(&str, &str, &str)]) -> Finding {
    let mut finding = finding(ChangeType::StyleOnly, lineage);
    for (name, from, to) in styles {
        let values = [from, to].map(|&value| value.to_owned());
        finding.style.insert((*name).to_owned(), values);
    }
    finding
}

fn known_as(text: &str, finding: Finding) -> Finding {
    Finding {
        text: Some(text.to_owned()),
        ..finding
    }
}

fn gone(lineage: &[&str], text: &str) -> Finding {
    let mut finding = known_as(text, finding(ChangeType::Delete, lineage));
    finding.before = Some(text.to_owned());
    finding
}

fn come(lineage: &[&str], text: &str) -> Finding {
    let mut finding = known_as(text, finding(ChangeType::Insert, lineage));
    finding.after = Some(text.to_owned());
    finding
}

fn weigh_both(said: &str, finding: &Finding) -> [Weighed; 2] {
    let run = RunContext {
        change_description: Some(said.to_owned()),
        ..RunContext::default()
    };
    let listed = RunContext {
        expected_changes: Some(vec![said.to_owned(), "The imprint is updated".to_owned()]),
        ..RunContext::default()
    };
    [run, listed].map(|run| match Intent::of(None, Some(&run)) {
        Some(intent) => intent.weigh(finding),
        None => panic!("{said}: it says nothing"),
    })
}

/// Whether a sentence says something else than what became of an element.
fn is_another(said: &str, finding: &Finding) -> bool {
    let found = Terms::of_finding(finding);
    let statement = Statement::of(said).unwrap();
    statement.aim.is_another(&Outcome::of(finding, &found))
}

#[track_caller]
fn is_not_meant(said: &str, finding: &Finding) {
    for weighed in weigh_both(said, finding) {
        assert!(weighed.score < MEANT, "{said}: {weighed:#?}");
    }
}

#[track_caller]
fn is_meant(said: &str, finding: &Finding) {
    let [described, listed] = weigh_both(said, finding);
    let best = described.score.max(listed.score);
    assert!(best >= MEANT, "{said}: {described:#?} {listed:#?}");
    assert!(
        described.must_stay.is_none() && listed.must_stay.is_none(),
        "{said}"
    );
}

#[track_caller]
fn is_broken(said: &str, finding: &Finding) {
    for weighed in weigh_both(said, finding) {
        assert!(weighed.must_stay.is_some(), "{said}: {weighed:#?}");
    }
}

#[test]
fn a_deed_that_is_denied_is_a_promise_against_that_deed() {
    let raised = price("19 €", "29 €");
    is_broken("Never raise the prices.", &raised);
    let phone = ["footer", "p.phone"];
    let said = "Do not remove the phone number from the footer";
    is_broken(said, &gone(&phone, "+49 30 123"));
    let dialled = known_as("Phone number", edit(&phone, ["+49 30 123", "+49 30 456"]));
    let [described, _] = weigh_both(said, &dialled);
    assert!(described.must_stay.is_none(), "it is there: {described:#?}");
    let button = edit(&["form", "button.buy"], ["Buy now", "Order"]);
    is_broken("Do not rename the buy button", &button);
    let popup = gone(&["body", "div.newsletter-popup"], "Newsletter");
    is_meant("The newsletter popup should not appear", &popup);
    is_meant("The newsletter popup must not be shown", &popup);
}

#[test]
fn what_stays_is_not_what_changes() {
    let raised = price("19 €", "29 €");
    for said in [
        "Prices stay the same",
        "Keep the prices",
        "The prices are kept",
    ] {
        let run = RunContext {
            change_description: Some(format!("The header turns blue. {said}")),
            expected_changes: Some(vec!["The header turns blue".to_owned(), said.to_owned()]),
            ..RunContext::default()
        };
        let weighed = Intent::of(None, Some(&run)).unwrap().weigh(&raised);
        assert!(weighed.score < MEANT, "{said}: {weighed:#?}");
    }
    let wrong = price("29 €", "39 €");
    is_not_meant("The imprint is new; the price stays at 29 €", &wrong);
}

#[test]
fn each_thing_that_a_promise_names_must_stay() {
    let raised = edit(&["table.pricing", "td.price"], ["19 €", "29 €"]);
    for said in [
        "Prices and the footer will not change",
        "Prices, names and links must not change",
        "No changes to names or prices",
        "Please leave the prices and the names unchanged",
    ] {
        is_broken(said, &raised);
    }
    let imprint = link(&["footer", "a"], ["/imprint", "/login"]);
    is_broken("The footer's links must not change", &imprint);
    let [described, _] = weigh_both("Prices must not change for members or guests", &raised);
    assert!(described.must_stay.is_none(), "{described:#?}");
}

#[test]
fn the_opposite_of_what_was_said_is_not_meant() {
    let phone = ["header", "p.phone-number"];
    let went = gone(&phone, "+49 30 123");
    let came = come(&phone, "+49 30 123");
    for said in [
        "A phone number is added to the header",
        "Show the phone number in the header",
        "A phone number appears in the header",
    ] {
        is_not_meant(said, &went);
        is_meant(said, &came);
    }
    is_not_meant("Hide the phone number in the header", &came);
    is_meant("The phone number in the header is no longer shown", &went);
    let headline = |from, to| restyled(&["main", "h1"], &[("font-size", from, to)]);
    for said in [
        "Increase the headline's font size",
        "Make the headline larger",
    ] {
        is_not_meant(said, &headline("32px", "16px"));
        is_meant(said, &headline("16px", "32px"));
    }
    is_not_meant("Raise the price of the plan", &price("29 €", "19 €"));
    is_meant("Raise the price of the plan", &price("19 €", "29 €"));
}

#[test]
fn a_value_is_met_by_what_is_there_now() {
    is_not_meant("Raise the price to 29 €", &price("29 €", "39 €"));
    let columns = edit(&["main", "div.col-12", "p.price"], ["10 €", "21 €"]);
    is_not_meant("Change the price from 10 € to 12 €", &columns);
    for said in [
        "The price is 29 €",
        "New price: 29 €",
        "The price: 29 € instead of 19 €",
    ] {
        is_not_meant(said, &price("19 €", "39 €"));
        is_meant(said, &price("19 €", "29 €"));
    }
    let headline = |after| edit(&["main", "h1"], ["Hello", after]);
    for said in [
        "The headline text changes to “Welcome back”",
        "The headline says “Welcome back”",
    ] {
        is_not_meant(said, &headline("undefined"));
        is_meant(said, &headline("Welcome back"));
    }
    let contact = |after| link(&["footer", "a.contact"], ["/contact", after]);
    let said = "Point the contact link to /support";
    for wrong in ["#", "/404", "http://localhost:3000/contact"] {
        is_not_meant(said, &contact(wrong));
    }
    is_meant(said, &contact("https://shop.test/support"));
}

#[test]
fn a_vague_sentence_does_not_overrule_one_with_a_value() {
    let wrong = edit(
        &["section.pricing", "article.pro", "p.price"],
        ["19 €", "39 €"],
    );
    let expected = ["Pricing table is updated", "The Pro price changes to 49 €"];
    let run = RunContext {
        expected_changes: Some(expected.map(str::to_owned).to_vec()),
        ..RunContext::default()
    };
    let weighed = Intent::of(None, Some(&run)).unwrap().weigh(&wrong);
    assert!(weighed.score < MEANT, "{weighed:#?}");
    let right = Finding {
        after: Some("49 €".to_owned()),
        ..wrong
    };
    let weighed = Intent::of(None, Some(&run)).unwrap().weigh(&right);
    assert!(weighed.score >= MEANT, "{weighed:#?}");
}

#[test]
fn clauses_of_one_entry_are_told_apart() {
    let phone = gone(&["header", "p.phone"], "Phone number");
    for said in [
        "Remove the promo banner and add a phone number to the header",
        "Remove the promo banner, add a phone number to the header",
    ] {
        is_not_meant(said, &phone);
        is_meant(said, &gone(&["main", "div.promo.banner"], "Summer sale"));
    }
}

#[test]
fn work_on_looks_means_no_other_text_target_or_absence() {
    for said in ["Make the price bold", "Restyle the price"] {
        is_not_meant(said, &price("19 €", "29 €"));
        let bold = restyled(
            &["section.pricing", "p.price"],
            &[("font-weight", "400", "700")],
        );
        is_meant(said, &bold);
    }
    let nav = link(&["header", "nav", "a.docs"], ["/docs", "/login"]);
    is_not_meant("Recolour the nav links", &nav);
    let row = gone(&["table.pricing", "tbody", "tr"], "Pro 19 €");
    is_not_meant("Restyle the pricing table", &row);
    let hidden = restyled(
        &["section.pricing", "p.price"],
        &[("display", "block", "none")],
    );
    is_not_meant("Restyle the prices", &hidden);
}

#[test]
fn looks_that_come_along_with_an_edit_are_not_meant_with_it() {
    let mut struck = price("19 €", "29 €");
    for (name, from, to) in [
        ("text-decoration-line", "none", "line-through"),
        ("font-size", "32px", "14px"),
    ] {
        let values = [from, to].map(str::to_owned);
        struck.style.insert(name.to_owned(), values);
    }
    is_not_meant("The price changes to 29 €", &struck);
    is_meant("The price changes to 29 €", &price("19 €", "29 €"));
}

#[test]
fn a_colour_that_is_named_is_the_one_that_is_meant() {
    let button = |to| {
        restyled(
            &["form", "button.buy"],
            &[("background-color", "rgb(255, 255, 255)", to)],
        )
    };
    for said in [
        "Change the background colour of the button to green",
        "The button's background turns green",
    ] {
        is_not_meant(said, &button("rgb(255, 0, 0)"));
        is_meant(said, &button("rgb(39, 174, 96)"));
    }
}

#[test]
fn words_that_stay_are_those_of_what_was_told() {
    let said = "The contact link is now /support, its label unchanged";
    let nav = ["nav", "a.contact"];
    is_meant(said, &link(&nav, ["/contact", "/support"]));
    is_not_meant(said, &edit(&nav, ["Contact", "Support"]));
    // A list's entry is about one thing, however many sentences it has.
    let alone = "The contact link is now /support. Texts unchanged.";
    let [described, listed] = weigh_both(alone, &edit(&nav, ["Contact", "Support"]));
    assert!(described.must_stay.is_some());
    assert!(listed.must_stay.is_none() && listed.score < MEANT);
    let other = edit(&["main", "p.lead"], ["We build boats", "We build ships"]);
    let [described, listed] = weigh_both(said, &other);
    assert!(described.must_stay.is_none() && listed.must_stay.is_none());
}

#[test]
fn what_sits_lower_is_not_smaller() {
    let spaced = restyled(
        &["main", "section.questions"],
        &[("padding-top", "40px", "72px")],
    );
    is_meant(
        "More empty space around the questions section, and everything below sits lower",
        &spaced,
    );
    is_not_meant("Smaller padding of the questions section", &spaced);
}

#[test]
fn what_went_has_no_other_price_than_was_said_of_another() {
    let run = RunContext {
        expected_changes: Some(vec![
            "The price changes from 19 € to 29 €".to_owned(),
            "The section “Matching by post” is removed".to_owned(),
        ]),
        ..RunContext::default()
    };
    let section = gone(
        &["main", "section.post"],
        "Matching by post, at a price of 9 €",
    );
    let weighed = Intent::of(None, Some(&run)).unwrap().weigh(&section);
    assert!(weighed.score >= MEANT, "{weighed:#?}");
}
