use super::*;

fn all_say(texts: &[&str], expected: Option<Unchanged>) {
    for text in texts {
        let found = said(text).map(|(what, _)| what);
        assert_eq!(found, expected, "{text}");
    }
}

#[test]
fn people_say_in_many_ways_that_nothing_changes() {
    let texts = [
        "Refactor, no visual change expected.",
        "Upgrade the router. Nothing should look different.",
        "The rendered pages stay as they are.",
        "Split the header component\n\nNo user-facing change.",
        "Zero visible differences",
        "Users shouldn't notice anything.",
        "Users shouldn’t see a difference.",
        "Everything renders exactly the same as before.",
        "Pixel-identical output.",
        "Pure refactoring of the price list",
        "Moves the tokens to CSS variables, under the hood only.",
        "No differences to the eye.",
        "Nobody will see it.",
        "No UI impact.",
        "Screenshots should not change.",
        "The screens must look exactly as before.",
        "No effect on the surface for the user",
        "Any page that looks different is a regression.",
        "If anything on the site looks different afterwards, that is a mistake.",
        "What visitors see stays the same.",
        "Not visible to users.",
        "Types only.",
        "All pages have to remain unchanged.",
        "Appearance and contents of all pages have to remain unchanged.",
        "No change expected",
        "Visitors are not affected.",
        "The page must not change.",
        "Just a refactor.",
        "Nothing on the site changes.",
        "The change is invisible to customers",
        "No change for our users",
        "No one will notice",
        "Nothing that users see changes.",
        "No change that anybody could see",
        "Pages should come out exactly as they did.",
        "Nothing to see here, just lint fixes.",
        "Behind the scenes only: the client asks again after an error",
        "TypeScript for the whole frontend. Types only, no runtime changes.",
        "From a visitor's point of view it's a no-op.",
        "If you can tell the difference in the browser, I did something wrong.",
    ];
    all_say(&texts, Some(Unchanged::Everything));
}

#[test]
fn the_rest_is_not_everything() {
    let texts = [
        "Header turns blue; no other visual changes.",
        "Nothing else should look different.",
        "The rest of the page looks the same.",
        "No visual change except for the new price",
        "The team section goes to the top, its content looks the same.",
        "The price goes up. The layout does not change.",
        "This does not affect the layout of any page.",
        "An internal clean-up of the price list",
    ];
    all_say(&texts, Some(Unchanged::TheRest));
}

#[test]
fn what_speaks_of_a_change_does_not_say_it() {
    let texts = [
        "The banner is no longer shown",
        "The banner is no longer visible to users",
        "Raise the price to 29 €",
        "Use the same font in headings as in the text",
        "The cards look the same as the tiles now",
        "Do not show the price before people signed in",
        "The header must not move",
        "The price on this page must not change",
        "No replacement for the banner",
        "New look for the team page",
        "Refactor the cards and make the gap larger",
        "Visitors should see the new button first",
        "Only the price changes",
        "Add a page for users who see no price",
    ];
    all_say(&texts, None);
}

#[test]
fn how_a_page_behaves_does_not_say_it() {
    let texts = [
        "Users could not see the button",
        "Users do not see the price before they signed in",
        "Users without changes in their cart see a hint",
        "Visitors see the same price in both places",
        "Page numbers do not shift any more",
        "The look does not change on hover any more",
        "No visual feedback when the price changes",
        "The UI does not change while the list loads",
        "Nothing happens when the price changes",
        "None of the customers see the old banner",
        "Nothing in the header changes",
        "Fix a bug: any changed price was shown twice",
        "Make the banner invisible on phones",
        "The advice button shall not be visible for the user",
        "Do not show changes to other users",
        "Team pages must not change",
        "The list looks the same while it loads",
    ];
    all_say(&texts, None);
}

#[test]
fn words_for_work_inside_may_mean_something_else() {
    let texts = [
        "Show only comments of friends",
        "List only the types that are in stock",
        "New section: Behind the scenes",
        "A page on what is under the hood of the car",
        "Add a link to the docs only in the footer",
    ];
    all_say(&texts, None);
}

#[test]
fn the_sentence_that_says_it_is_told() {
    let text = "Move the router.\nNo visual change. Tickets: none.";
    assert_eq!(
        said(text),
        Some((Unchanged::Everything, "No visual change"))
    );
}

/// Sentences of someone who did not know the rules.
#[test]
fn what_only_sounds_like_it_does_not_say_it() {
    let texts = [
        "Fixes the bug where users could not see any change after pressing Save.",
        "The headline gets a new font, the rest of the page must not change.",
        "No change to the sidebar, but the main column becomes wider.",
        "Removes the text \"Nothing has changed since your last visit\" from the start page.",
        "There was no visible focus ring on the buttons; now there is one.",
        "The layout no longer stays the same on mobile: the columns stack below 600px.",
        "Previously nothing happened visually when the form was invalid, so we added a red border.",
        "Makes the invisible link in the footer visible.",
        "Replaces \"No changes\" with \"All caught up\" in the empty state.",
        "Refactors the header and, while at it, makes the logo a bit smaller.",
        "Visual changes to the checkout: new button colour, larger price.",
        "The price does not change when you switch the currency, which is wrong. It does now.",
        "Upgrade to Bootstrap 5; expect small differences in spacing everywhere.",
        "The heading should not look like a link, therefore it isn't blue any more.",
        "Hides the \"unchanged\" label next to each item.",
        "Without this fix the page looked identical in dark and light mode.",
        "Users do not notice the delivery note, so we move it above the button.",
        "Renames the menu item \"Internal\" to \"For employees\".",
        "Adds a note that says prices are unaffected by the strike.",
        "Not just a refactoring: the list is sorted by date from now on.",
        "The table keeps its size when rows are removed instead of collapsing.",
        "The design team asked for no visual noise, so all of the card shadows are gone.",
        "Same content as before but in two columns.",
        "Cleanup of the home page: three outdated teasers are removed.",
        "Nobody could tell the tabs apart because they all looked the same. The active one is underlined now.",
        "Only the CSS changes: the banner turns green.",
        "The page does not render differently for logged-in users any longer, everyone sees the sign-up box.",
        "Make the cookie notice less visible.",
        "No new text, just a different picture at the top.",
        "Changes nothing in the backend, only the labels on the page are new.",
        "The image alt text was identical for all products; the captions under the pictures now differ as well.",
        "Fix: background stays white on hover where it should turn grey.",
        "Removes all remaining styles of the old theme, so the page finally has the new look.",
        "Dependency update of the icon set, with which the arrows get rounder.",
        "It is not a breaking change, but the search field does move to the left.",
        "We can't leave the page as is: the expired offer has to go.",
        "Text stays, colour goes: the warning is black like everything around it.",
        "The status line should remain visible while scrolling, so it is sticky at the top.",
        "Test whether a shorter title sells better: half of the visitors see \"Start now\".",
        "The layout was unaffected by the font size setting. With this change, it grows along with it.",
    ];
    all_say(&texts, None);
}

#[test]
fn x_nothing() {
    for line in std::fs::read_to_string("/tmp/voices2/nothing.txt")
        .unwrap()
        .lines()
    {
        println!("N {:?} {line}", said(line).map(|it| it.0));
    }
    for line in std::fs::read_to_string("/tmp/voices2/not_nothing.txt")
        .unwrap()
        .lines()
    {
        println!("Z {:?} {line}", said(line).map(|it| it.0));
    }
}
