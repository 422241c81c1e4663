use super::*;

fn price_edit() -> Finding {
    Finding {
        tag: "p".to_owned(),
        before: Some("19 € a month".to_owned()),
        after: Some("29 € a month".to_owned()),
        lineage: vec![
            "div.card".to_owned(),
            "section#pricing.pricing-table".to_owned(),
        ],
        ..Finding::new(ChangeType::TextEdit, "#pricing p.price".to_owned())
    }
}

fn run(expected: &[&str], scope: &[&str], description: &str) -> RunContext {
    let owned = |texts: &[&str]| {
        (!texts.is_empty()).then(|| texts.iter().map(|&text| text.to_owned()).collect())
    };
    RunContext {
        change_description: Some(description.to_owned()),
        expected_changes: owned(expected),
        scope: owned(scope),
        ..RunContext::default()
    }
}

fn weigh(run: &RunContext) -> Weighed {
    Intent::of(None, Some(run)).unwrap().weigh(&price_edit())
}

#[test]
fn what_was_expected_scores_high() {
    let weighed = weigh(&run(
        &["Pro plan price changes to 29 €"],
        &["PricingTable"],
        "Raise the price of the plan",
    ));
    assert!(weighed.score >= 0.65, "{weighed:?}");
    assert_eq!(weighed.in_scope, Some(true));
    assert_eq!(
        weighed.because.as_deref(),
        Some("Pro plan price changes to 29 €")
    );
}

#[test]
fn a_long_quotation_is_known_by_its_beginning() {
    let text = "Recorded on a weather ship that no longer sails, in eleven days, with the hatches open in every shower, \
                and with ropes.";
    let recorded: String = text.chars().take(100).collect();
    let finding = Finding {
        after: Some(recorded),
        ..price_edit()
    };
    let said = format!("The intro is reworded: “{text}”");
    let intent = Intent::of(None, Some(&run(&[&said], &[], ""))).unwrap();
    assert!(intent.weigh(&finding).score >= 0.6);
}

#[test]
fn another_value_or_another_subject_scores_low() {
    let other_value = weigh(&run(&["Price changes to 49 €"], &[], ""));
    assert!(other_value.score <= 0.5, "{other_value:?}");
    let described = weigh(&run(&[], &[], "Price changes to 49 €"));
    assert!(described.score <= 0.5, "{described:?}");
    let counted = weigh(&run(&["The price changes on 3 pages"], &[".pricing-*"], ""));
    assert!(counted.score >= 0.55, "{counted:?}");
    let in_scope = weigh(&run(&["Price changes to 49 €"], &[".pricing-*"], ""));
    assert!(in_scope.score <= 0.5, "{in_scope:?}");
    let other_subject = weigh(&run(
        &["Footer links are sorted by name"],
        &["footer"],
        "Sort the footer",
    ));
    assert!(other_subject.score < 0.3, "{other_subject:?}");
    assert_eq!(other_subject.in_scope, Some(false));
}

#[test]
fn a_description_alone_can_be_enough() {
    let weighed = weigh(&run(
        &[],
        &[],
        "Update the monthly price in the pricing table to 29 €",
    ));
    assert!(weighed.score >= 0.5, "{weighed:?}");
    let vague = weigh(&run(&[], &[], "Bump dependencies"));
    assert!(vague.score < 0.1, "{vague:?}");
}

#[test]
fn negations_are_understood() {
    let intent = Intent::of(Some("Pricing must not change."), None).unwrap();
    assert!(intent.weigh(&price_edit()).must_stay.is_some());
    let refactor = Intent::of(None, Some(&run(&[], &[], "Refactor, no visual change")));
    assert!(refactor.unwrap().nothing_changes());
    assert!(Intent::of(Some("  "), Some(&RunContext::default())).is_none());
}

#[test]
fn a_run_that_tells_of_code_alone_says_something() {
    let refactor = Intent::of(None, Some(&run(&[], &[], "Refactor the price templates"))).unwrap();
    let weighed = refactor.weigh(&price_edit());
    assert_eq!(
        weighed.looks_stay,
        Some(LooksStay::CodeAlone(
            "Refactor the price templates".to_owned()
        ))
    );
    let expected = run(
        &["Pro plan price changes to 29 €"],
        &[],
        "Refactor the price templates",
    );
    let weighed = Intent::of(None, Some(&expected))
        .unwrap()
        .weigh(&price_edit());
    assert_eq!(weighed.looks_stay, None, "{weighed:?}");
    assert!(weighed.score >= 0.6, "{weighed:?}");
}

#[test]
fn a_list_may_say_that_nothing_is_expected() {
    let none = Intent::of(None, Some(&run(&["No visual changes expected"], &[], ""))).unwrap();
    assert!(none.nothing_changes());
    let weighed = none.weigh(&price_edit());
    assert!(
        matches!(weighed.looks_stay, Some(LooksStay::Said(_))),
        "{weighed:?}"
    );
    for expected in [
        ["The price changes to 29 €", "No visual changes"].as_slice(),
        &["The price changes to 29 €; no visual change expected"],
    ] {
        let weighed = weigh(&run(expected, &[], ""));
        assert!(weighed.score >= 0.6, "{weighed:?}");
    }
}

#[test]
fn what_is_told_of_looks_beside_a_promise_limits_it() {
    let said = "Nothing changes for guests. The price is paler.";
    let intent = Intent::of(None, Some(&run(&[], &[], said))).unwrap();
    assert!(!intent.nothing_changes());
    assert_eq!(intent.weigh(&price_edit()).looks_stay, None);
}

#[test]
fn scopes_are_globs_over_names() {
    for (pattern, expected) in [
        ("#pricing", true),
        (".pricing-*", true),
        ("PricingTable", true),
        ("pricing_table", true),
        (".price", true),
        ("header", false),
    ] {
        let weighed = weigh(&run(&["Price"], &[pattern], ""));
        assert_eq!(weighed.in_scope, Some(expected), "{pattern}");
    }
}

#[test]
fn what_was_expected_and_not_seen_is_told() {
    let run = run(
        &["Price changes to 29 €", "A newsletter form appears"],
        &[],
        "",
    );
    let intent = Intent::of(None, Some(&run)).unwrap();
    assert_eq!(
        intent.unseen(&DocumentDiff {
            findings: vec![price_edit()],
            ..DocumentDiff::default()
        }),
        ["A newsletter form appears"]
    );
}

#[test]
fn what_was_said_to_stay_is_never_what_was_meant() {
    let promised = |run: &RunContext, said: &str| {
        let weighed = weigh(run);
        assert!(
            weighed.must_stay.as_deref() == Some(said),
            "{said}: {weighed:?}"
        );
    };
    let expected = ["The header turns blue", "Prices must not change"];
    promised(&run(&expected, &[], "Rework the header"), expected[1]);
    for said in [
        "Prices and the footer must not change",
        "No changes to prices",
        "The price will not change",
    ] {
        let text = format!("Rework the header. {said}.");
        let weighed = weigh(&run(&[], &[], &text));
        assert!(weighed.score < 0.55, "{said}: {weighed:?}");
        assert!(weighed.must_stay.is_some(), "{said}: {weighed:?}");
    }
    // It is no expected change that did not appear, either.
    let intent = Intent::of(None, Some(&run(&expected, &[], ""))).unwrap();
    let none = DocumentDiff::default();
    assert_eq!(intent.unseen(&none), [expected[0]]);
}
