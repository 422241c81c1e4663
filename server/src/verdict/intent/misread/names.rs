//! Which one of several alike a sentence means: what fits any of them means none of the others.

use super::*;

fn picture(lineage: &[&str], alternative: &str) -> Finding {
    let mut finding = known_as(alternative, finding(ChangeType::ImageChange, lineage));
    finding.before = Some("/static/1.jpg".to_owned());
    finding.after = Some("/static/2.jpg".to_owned());
    finding.attribute = Some("src");
    finding
}

fn plan(name: &str, values: [&str; 2]) -> Finding {
    let plan = format!("article.plan.{name}");
    edit(&["main", "section.pricing", &plan, "p.price"], values)
}

#[test]
fn a_picture_that_is_named_is_no_other_one() {
    let hero = picture(&["main", "section.hero", "img.visual"], "Boats at dawn");
    let portrait = picture(&["main", "section.team", "img.photo"], "Jane Doe");
    for said in [
        "swap hero image",
        "Replace the hero picture",
        "chore: swap hero image on the team page",
    ] {
        is_not_meant(said, &portrait);
    }
    for said in ["swap hero image", "Replace the hero picture"] {
        is_meant(said, &hero);
    }
    // Its name, its alternative text and its file name it as well as what it lies in.
    is_meant("New photo of Jane", &portrait);
    is_not_meant("New photo of Jane", &hero);
    // What names none may mean any.
    is_meant("Swap the image", &portrait);
    let logo = picture(&["body", "header", "a.brand", "img.logo"], "Acme");
    is_not_meant("Replace the hero image in the header", &logo);
    is_meant("Replace the logo in the header", &logo);
}

#[test]
fn a_block_that_is_named_is_no_other_block() {
    let promo = gone(&["main", "div.promo"], "Summer sale");
    let letter = gone(&["main", "div.newsletter"], "News by mail");
    is_meant("Remove the promo banner", &promo);
    is_not_meant("Remove the promo banner", &letter);
    is_meant("Remove the banner", &letter);
    let button = edit(&["main", "button.search"], ["Go", "Find"]);
    is_not_meant("Reword the checkout button", &button);
    is_meant("Reword the search button", &button);
    // A component that is declared is named.
    let run = RunContext {
        change_description: Some("Remove the promo banner".to_owned()),
        scope: Some(vec![".newsletter".to_owned()]),
        ..RunContext::default()
    };
    let weighed = Intent::of(None, Some(&run)).unwrap().weigh(&letter);
    assert!(weighed.score >= MEANT, "{weighed:#?}");
}

#[test]
fn one_of_a_row_is_not_another() {
    let said = "The Pro price goes up to $49";
    is_meant(said, &plan("pro", ["$39", "$49"]));
    is_not_meant(said, &plan("team", ["$39", "$49"]));
    // A price that tells of no plan may be that of this one.
    let unnamed = edit(&["main", "div.col", "p.price"], ["$39", "$49"]);
    is_meant(said, &unnamed);
    let said = "Pro goes up to $49";
    is_meant(said, &plan("pro", ["$39", "$49"]));
    is_not_meant(said, &plan("crew", ["$39", "$49"]));
    let contact = |part| link(&[part, "a.contact"], ["/contact", "/support"]);
    let said = "The contact link in the footer leads to /support";
    is_meant(said, &contact("footer"));
    is_not_meant(said, &contact("header"));
    let said = "Annual price is $490";
    is_meant(said, &price("$390 a year", "$490 a year"));
    is_not_meant(said, &price("$390 a month", "$490 a month"));
}
