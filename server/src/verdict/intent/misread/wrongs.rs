//! What sentences tell of what was wrong, of another time, and of what is left out.

use super::*;

fn banner() -> [Finding; 3] {
    let lineage = ["body", "div.promo.banner"];
    [
        come(&lineage, "Summer sale"),
        gone(&lineage, "Summer sale"),
        edit(&lineage, ["Summer sale", "Winter sale"]),
    ]
}

fn button(colours: [&str; 2]) -> Finding {
    let [from, to] = colours;
    restyled(
        &["form.signup", "button.submit"],
        &[("background-color", from, to)],
    )
}

const RED: &str = "rgb(220, 38, 38)";
const BLUE: &str = "rgb(0, 85, 255)";
const GREEN: &str = "rgb(22, 163, 74)";

#[test]
fn what_is_left_to_another_time_is_not_meant() {
    let [_, went, reworded] = banner();
    for said in [
        "TODO: remove the promo banner",
        "The promo banner will be removed in the next release",
        "Next step: remove the promo banner",
        "Not in this PR: removing the promo banner",
        "Prepare for removing the promo banner",
        "Prepare for removal of the promo banner",
        "Next step is to remove the promo banner",
        "Next steps – remove the promo banner",
        "Remove the promo banner (will be done in a follow-up)",
        "Remove the promo banner (planned in the next release)",
        "Remove the promo banner (this is out of scope)",
    ] {
        is_not_meant(said, &went);
    }
    is_not_meant("Out of scope: promo banner", &reworded);
    is_meant("chore: remove the promo banner", &went);
    is_meant("Remove the promo banner (rest in a follow-up)", &went);
    let promised = "The promo banner will be removed in the next release, prices must not change";
    is_broken(promised, &price("19 €", "29 €"));
    is_not_meant(promised, &went);
    is_meant("The promo banner is removed in this release", &went);
}

#[test]
fn what_was_done_by_mistake_is_undone() {
    let [came, went, _] = banner();
    for said in [
        "The promo banner was removed by mistake",
        "Restore the accidentally removed promo banner",
    ] {
        is_not_meant(said, &went);
    }
    is_not_meant("The promo banner was added by mistake", &came);
    is_meant("Remove the promo banner that was added by mistake", &went);
}

#[test]
fn what_is_not_to_go_stays() {
    let [_, went, _] = banner();
    for said in [
        "Make sure the promo banner is not removed",
        "Promo banner: don't remove",
    ] {
        is_not_meant(said, &went);
    }
    is_meant("The promo banner is not shown any more", &went);
}

#[test]
fn what_is_taken_offline_or_sunset_does_not_come() {
    let [came, went, reworded] = banner();
    for said in [
        "The promo banner has been taken offline",
        "chore: sunset promo banner",
    ] {
        is_meant(said, &went);
        is_not_meant(said, &came);
        is_not_meant(said, &reworded);
    }
}

#[test]
fn what_is_excepted_is_not_what_is_told() {
    let [_, went, _] = banner();
    for said in [
        "Remove everything except the promo banner",
        "Remove all banners but the promo banner",
    ] {
        is_not_meant(said, &went);
    }
    is_meant("Remove all banners but keep the footer", &went);
    for said in [
        "Remove all banners but keep the promo banner",
        "Remove all banners, but keep the promo banner",
        "Remove all banners but leave the promo banner",
        "Remove all banners except the promo banner on the home page",
        "All banners but the promo banner are removed",
        "Remove all banners but the promo banner that is new",
        "Remove all banners with the exception of the promo banner",
        "Remove all banners excluding the promo banner",
    ] {
        is_not_meant(said, &went);
    }
    let said = "Remove all banners except the banner in the footer";
    is_meant(said, &went);
    is_not_meant(said, &gone(&["footer", "div.banner"], "Summer sale"));
    let pro = edit(&["article.plan.pro", "p.price"], ["$39", "$49"]);
    is_not_meant("All prices but the Pro price go up", &pro);
    let mut logo = finding(ChangeType::ImageChange, &["header", "img.logo"]);
    logo.before = Some("/static/1.jpg".to_owned());
    logo.after = Some("/static/2.jpg".to_owned());
    logo.attribute = Some("src");
    is_not_meant("Swap all images but keep the logo", &logo);
    let header = |to| {
        let blue = ("background-color", "rgb(255, 255, 255)", to);
        restyled(&["body", "header"], &[blue])
    };
    let said = "All cards get a shadow but the header turns blue";
    is_not_meant(said, &header(RED));
    assert!(Statement::of(said).unwrap().excepted.is_empty(), "{said}");
    let raised = price("19 €", "29 €");
    is_meant("Raise all prices except the shipping price", &raised);
    assert!(!is_another("Nothing is new except the price", &raised));
}

#[test]
fn what_is_further_apart_is_not_excepted() {
    let said = "Space the feature cards further apart from the header";
    let whole = Statement::of(said).unwrap();
    assert!(whole.excepted.is_empty(), "{whole:#?}");
    assert!(whole.words.iter().any(|word| word.word == "header"));
}

#[test]
fn what_lies_in_it_is_not_the_whole() {
    let [_, went, _] = banner();
    is_not_meant("Remove the close button from the promo banner", &went);
    is_meant("Remove the promo banner from the home page", &went);
    for said in [
        "Hide/remove the close button from the promo banner",
        "feat:remove the close button from the promo banner",
    ] {
        is_not_meant(said, &went);
    }
    let closed = gone(&["body", "div.promo.banner", "button.close"], "Close");
    let said = "Remove the close button from the promo banner";
    is_meant(said, &closed);
    let checkbox = come(&["form.newsletter", "input.checkbox"], "");
    is_meant("Add an opt-in checkbox to the newsletter form", &checkbox);
}

#[test]
fn how_it_was_is_not_how_it_is() {
    for said in [
        "fix: price shows $0",
        "bug: price shows $0",
        "fix: price is shown as $0",
        "fix: price shows $0 to guests",
        "[Bug] price shows $0",
        "Bug - price shows $0",
        "WEB-12: bug: price shows $0",
        "Bug in pricing: price shows $0",
        "Fixed issue where price shows $0",
        "Fixed price that shows $0",
    ] {
        is_not_meant(said, &price("$49", "$0"));
    }
    for said in [
        "Fix submit button turning red",
        "Bug: the submit button turns red",
        "fix: the submit button was red",
        "Fixed submit button that turns red",
        "fix: the submit button turns #dc2626",
    ] {
        is_not_meant(said, &button([BLUE, RED]));
    }
    is_meant(
        "fix: the submit button is green now",
        &button([BLUE, GREEN]),
    );
    let said = "Price wrongly shown as $49, should be $39";
    is_meant(said, &price("$49", "$39"));
    is_not_meant(said, &price("$39", "$49"));
    let headline = |from, to| restyled(&["section.hero", "h1"], &[("font-size", from, to)]);
    is_not_meant("fix: hero headline too large", &headline("32px", "48px"));
    is_meant("fix: hero headline too large", &headline("48px", "32px"));
    is_not_meant("The hero headline was too small", &headline("32px", "24px"));
    let said = "Fix the hero headline that appears at 48px";
    is_not_meant(said, &headline("32px", "48px"));
    let filler = edit(&["section.hero", "h1"], ["Welcome", "Lorem ipsum"]);
    is_not_meant("fix: the hero headline shows “Lorem ipsum”", &filler);
}

#[test]
fn what_is_fixed_or_about_bugs_was_not_wrong() {
    let bar = |to| {
        let lineage = ["body", "nav.bar.navigation"];
        restyled(&lineage, &[("background-color", "rgb(0, 85, 255)", to)])
    };
    let said = "The fixed navigation bar turns white";
    is_meant(said, &bar("rgb(255, 255, 255)"));
    is_not_meant(said, &bar(RED));
    let said = "Fixed price plan shows $49";
    is_meant(said, &price("$39", "$49"));
    is_not_meant(said, &price("$49", "$0"));
    let report = |to| {
        restyled(
            &["main", "button.bug-report"],
            &[("background-color", BLUE, to)],
        )
    };
    let said = "Bug report button turns green";
    is_meant(said, &report(GREEN));
    is_not_meant(said, &report(RED));
    for said in [
        "Fixed the price that shows $0",
        "Fixed price showing $0",
        "WEB-12 fix(pricing): price shows $0",
    ] {
        is_not_meant(said, &price("$49", "$0"));
        // How it is right is not said.
        is_not_meant(said, &price("$49", "$39"));
    }
}

#[test]
fn what_it_must_not_be_and_what_it_was_is_not_what_it_should_be() {
    is_not_meant("The price must not be $0", &price("$49", "$0"));
    is_not_meant("The price should never be $0", &price("$49", "$0"));
    let said = "Fix: price was raised to $59, should be $49";
    is_meant(said, &price("$59", "$49"));
    is_not_meant(said, &price("$49", "$59"));
    let said = "The price was raised to $59 but must be $49";
    is_not_meant(said, &price("$49", "$59"));
    let pro = |from, to| edit(&["article.plan.pro", "p.price"], [from, to]);
    let said = "Raise the Pro price, it should be $49";
    is_not_meant(said, &pro("$59", "$49"));
    let said = "Pro goes to $29, Team should be $99";
    assert!(!is_another(said, &pro("$19", "$29")), "{said}");
    let said = "Raise the price of the Discount plan to $49";
    is_not_meant(said, &price("$59", "$49"));
    let said = "Increase the discount of the Pro plan, the price is $39 now";
    is_meant(said, &pro("$49", "$39"));
    is_not_meant(said, &pro("$39", "$49"));
}

#[test]
fn what_is_hidden_instead_or_was_not_hidden_is_gone() {
    let [came, went, _] = banner();
    let said = "We now hide the promo banner instead of deleting it";
    is_meant(said, &went);
    is_not_meant(said, &came);
    is_not_meant("Hide the promo banner instead of deleting it", &came);
    let said = "Show the hidden promo banner instead of removing it";
    is_not_meant(said, &went);
    let said = "Bug: promo banner is not hidden on mobile";
    assert!(!is_another(said, &went));
    is_not_meant("The promo banner is not hidden on mobile", &went);
}
