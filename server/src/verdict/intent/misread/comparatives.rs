//! Comparatives are held against what was measured: the opposite of one is not what was meant.

use pentimento_document::Area;

use super::*;

const LIGHT: &str = "rgb(240, 240, 240)";
const DARK: &str = "rgb(30, 30, 30)";

#[track_caller]
fn is_of_one_way(said: &str, agrees: &Finding, opposes: &Finding) {
    assert!(!is_another(said, agrees), "{said}: {agrees:#?}");
    is_not_meant(said, opposes);
    assert!(is_another(said, opposes), "{said}: {opposes:#?}");
}

/// A style of an element that went one way, and the other.
fn both_ways(lineage: &[&str], property: &str, [less, more]: [&str; 2]) -> [Finding; 2] {
    [(more, less), (less, more)].map(|(from, to)| restyled(lineage, &[(property, from, to)]))
}

#[test]
fn what_gets_darker_does_not_get_lighter() {
    let header = ["body", "header"];
    let [darker, lighter] = both_ways(&header, "background-color", [DARK, LIGHT]);
    for said in [
        "Make the header darker",
        "Use a slightly darker background for the header",
        "The header is darker now",
        "Darken the header",
        "The header gets less light",
    ] {
        is_of_one_way(said, &darker, &lighter);
    }
    is_meant("Make the header darker", &darker);
    is_of_one_way("The header becomes lighter", &lighter, &darker);
    let [inked, paled] = both_ways(&["main", "p.note"], "color", [DARK, LIGHT]);
    is_of_one_way("Darker text for the note", &inked, &paled);
    let theme = |[ground, to_ground]: [&str; 2], [text, to_text]: [&str; 2]| {
        let colours = [
            ("background-color", ground, to_ground),
            ("color", text, to_text),
        ];
        restyled(&header, &colours)
    };
    let [dark, light] = [
        theme([LIGHT, DARK], [DARK, LIGHT]),
        theme([DARK, LIGHT], [LIGHT, DARK]),
    ];
    is_of_one_way("Make the header darker", &dark, &light);
    is_of_one_way("Make the text of the header darker", &light, &dark);
}

#[test]
fn sizes_and_shapes_go_the_way_that_is_said() {
    let card: &[&str] = &["main", "article.card"];
    for (said, lineage, property, values) in [
        ("Make the card wider", card, "width", ["300px", "340px"]),
        ("Make the card taller", card, "height", ["90px", "120px"]),
        (
            "Make the card rounder",
            card,
            "border-radius",
            ["4px", "12px"],
        ),
        (
            "The card gets more rounded",
            card,
            "border-radius",
            ["4px", "12px"],
        ),
        (
            "Make the card's border thicker",
            card,
            "border-top-width",
            ["1px", "2px"],
        ),
        (
            "A wider gap between the cards",
            card,
            "row-gap",
            ["8px", "16px"],
        ),
        (
            "Move the cards further apart",
            card,
            "row-gap",
            ["8px", "16px"],
        ),
        (
            "Make the card's title bolder",
            &["article.card", "h3"],
            "font-weight",
            ["400", "700"],
        ),
        (
            "Make the card's title larger",
            &["article.card", "h3"],
            "font-size",
            ["16px", "20px"],
        ),
    ] {
        let [less, more] = both_ways(lineage, property, values);
        is_of_one_way(said, &more, &less);
    }
    for (said, property, values) in [
        ("Make the card narrower", "width", ["300px", "340px"]),
        ("Make the card shorter", "height", ["90px", "120px"]),
        ("Make the card smaller", "height", ["90px", "120px"]),
        (
            "Make the card less rounded",
            "border-radius",
            ["4px", "12px"],
        ),
        (
            "Make the card's border thinner",
            "border-top-width",
            ["1px", "2px"],
        ),
        (
            "Bring the card closer to the headline",
            "margin-top",
            ["8px", "24px"],
        ),
        ("The card sits higher", "margin-top", ["8px", "24px"]),
    ] {
        let [less, more] = both_ways(card, property, values);
        is_of_one_way(said, &less, &more);
    }
    is_meant(
        "Make the title of the card bolder",
        &both_ways(&["article.card", "h3"], "font-weight", ["400", "700"])[1],
    );
}

#[test]
fn a_card_is_wider_by_its_box_and_not_by_its_margins() {
    let area = |w| {
        Some(Area {
            x: 0,
            y: 0,
            w,
            h: 90,
        })
    };
    let mut card = restyled(&["main", "article.card"], &[("margin-left", "40px", "0px")]);
    (card.area_before, card.area) = (area(300), area(340));
    assert!(!is_another("Make the card wider", &card));
    assert!(is_another("Make the card narrower", &card));
    assert!(is_another("Wider margins around the card", &card));
}

#[test]
fn what_moves_goes_the_way_that_is_said() {
    let newsletter = |down, beside: &str| Finding {
        shift: Some((0, down)),
        beside: Some(beside.to_owned()),
        ..finding(ChangeType::Move, &["main", "div.newsletter"])
    };
    let [up, down] = [-300, 300].map(|down| newsletter(down, "Prices"));
    is_of_one_way("Move the newsletter higher", &up, &down);
    is_of_one_way("Move the newsletter further down", &down, &up);
    // What is said to have moved may be what the newsletter passed.
    let passed = newsletter(300, "Our newsletter");
    assert!(!is_another("Move the newsletter higher", &passed));
}

#[test]
fn a_vague_sentence_does_not_overrule_the_way_that_something_goes() {
    let run = RunContext {
        pr_title: Some("Update the header".to_owned()),
        change_description: Some("Make the header darker.".to_owned()),
        scope: Some(vec!["header".to_owned()]),
        ..RunContext::default()
    };
    let intent = Intent::of(None, Some(&run)).unwrap();
    let [darker, lighter] = both_ways(&["body", "header"], "background-color", [DARK, LIGHT]);
    let weighed = intent.weigh(&lighter);
    assert!(weighed.score < MEANT, "{weighed:#?}");
    let weighed = intent.weigh(&darker);
    assert!(weighed.score >= MEANT, "{weighed:#?}");
}

#[test]
fn comparatives_that_tell_no_way_are_none() {
    let header = ["body", "header"];
    let [_, lighter] = both_ways(&header, "background-color", [DARK, LIGHT]);
    for said in [
        "The header was darker than in the design",
        "The header is lighter instead of darker",
        "The header must not be darker than the footer",
        "The header goes from darker to lighter",
        "Update the darker part of the header",
        "The header reads 'Darker'",
    ] {
        assert!(!is_another(said, &lighter), "{said}");
    }
    let [nearer, _] = both_ways(&header, "margin-top", ["8px", "24px"]);
    for said in [
        "Add further information to the header",
        "Move the header further up or down the page",
        "Update the higher of both headers",
    ] {
        assert!(!is_another(said, &nearer), "{said}");
    }
    // Each is of one of two things.
    let [narrower, wider] = both_ways(&["main", "aside"], "width", ["300px", "340px"]);
    for either in [narrower, wider] {
        let said = "The cards are wider and the sidebar narrower";
        assert!(!is_another(said, &either), "{said}");
    }
}

#[test]
fn more_room_a_lighter_grey_and_bold_type_go_one_way() {
    let card: &[&str] = &["main", "article.card"];
    let [less, more] = both_ways(card, "margin-bottom", ["16px", "24px"]);
    is_of_one_way("A bit more breathing room between the cards", &more, &less);
    is_of_one_way("Less padding between the cards", &less, &more);
    let greys = ["rgb(60, 60, 60)", "rgb(120, 120, 120)"];
    let [darker, lighter] = both_ways(&["main", "p.note"], "color", greys);
    is_of_one_way("The note's text in a lighter grey", &lighter, &darker);
    let [thinner, bolder] = both_ways(&["main", "h1"], "font-weight", ["400", "700"]);
    is_of_one_way("The headline in bold", &bolder, &thinner);
}

#[test]
fn the_way_that_is_forbidden_is_not_meant() {
    let greys = ["rgb(30, 30, 30)", "rgb(120, 120, 120)"];
    let [darker, lighter] = both_ways(&["main", "p.note"], "color", greys);
    is_of_one_way("The note's text must not get lighter", &darker, &lighter);
}

#[test]
fn other_colours_are_no_other_shape() {
    let header = ["section.hero", "header.hero-header"];
    let [darker, _] = both_ways(&header, "background-color", [DARK, LIGHT]);
    let [_, taller] = both_ways(&header, "height", ["60px", "80px"]);
    for (said, right, wrong) in [
        ("Make the hero header darker", &darker, &taller),
        ("The hero header turns black", &darker, &taller),
        ("Make the hero header taller", &taller, &darker),
    ] {
        is_meant(said, right);
        is_not_meant(said, wrong);
        assert!(is_another(said, wrong), "{said}");
    }
    for either in [&darker, &taller] {
        for said in [
            "The hero header gets darker and taller",
            "Restyle the hero header",
            "The hero header has a black ground and more padding",
        ] {
            assert!(!is_another(said, either), "{said}");
        }
    }
    let link = restyled(
        &["footer", "a.terms"],
        &[("color", "rgb(0, 85, 255)", "rgb(220, 38, 38)")],
    );
    is_not_meant("Links in the footer got an underline", &link);
}
