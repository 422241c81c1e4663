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
        "Open the shop before and after: you will not be able to tell which is which.",
        "The rendered result is the same as that of the client-side version down to the pixel.",
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
        "The site renders just as it used to.",
        "What changed for users? Nothing at all.",
        "Nobody browsing the site will be any the wiser.",
        "The header looks the same to the naked eye.",
        "From a visitor's standpoint the website is indistinguishable from before.",
        "Bump webpack to 5.91 and babel to latest. You shouldn't be able to tell from looking at the site.",
        "Upgraded nginx from 1.22 to 1.26, pages come out the same as ever.",
        "What changes: the deploy script. What changes for people looking at the site: nothing.",
        "QA: full regression on 14 screens, before and after are indistinguishable.",
        "Sentry release tagging. Cosmetically a non-event.",
        "Your pages look exactly as you left them.",
        "Neither guests nor members see a difference.",
    ];
    all_say(&texts, Some(Unchanged::Everything));
}

#[test]
fn the_rest_is_not_everything() {
    let texts = [
        "Rendered side by side, old and new can't be told apart.",
        "Header turns blue; no other visual changes.",
        "Nothing else should look different.",
        "The rest of the page looks the same.",
        "No visual change except for the new price",
        "The team section goes to the top, its content looks the same.",
        "The price goes up. The layout does not change.",
        "This does not affect the layout of any page.",
        "An internal clean-up of the price list",
        "Neither the layout nor the markup changes.",
        "Apart from the wording of the submit button there are no visual changes.",
        "Everything looks the same on a phone, while on the desktop the sidebar moves to the left.",
        "Nothing else changes on the page besides the new background of the header.",
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
        "Neither the price nor the name is visible to guests",
    ];
    all_say(&texts, None);
}

#[test]
fn what_hangs_on_something_does_not_say_it() {
    for begins in [
        "as long as",
        "as soon as",
        "assuming",
        "before",
        "during",
        "if",
        "in case",
        "once",
        "provided that",
        "providing",
        "so long as",
        "supposing",
        "till",
        "unless",
        "until",
        "when",
        "whenever",
        "where",
        "wherever",
        "while",
        "whilst",
    ] {
        let text = format!("Nothing changes {begins} the list loads");
        assert_eq!(said(&text), None, "{text}");
    }
    let further_behind = [
        "Nothing changes on the page when people press Save",
        "The layout does not change on phones when the menu opens",
        "Because nothing changes on the page, people press Save twice",
    ];
    all_say(&further_behind, None);
    // Here these words begin no condition.
    let texts = [
        "No visual changes because only the types are stricter.",
        "No visual changes since only the types are stricter.",
        "Nothing should look different.",
        "No visual change after the upgrade.",
        "No visible changes on mobile or desktop.",
    ];
    all_say(&texts, Some(Unchanged::Everything));
}

#[test]
fn words_for_work_inside_may_mean_something_else() {
    let texts = [
        "Show only comments of friends",
        "List only the types that are in stock",
        "New section: Behind the scenes",
        "A page on what is under the hood of the car",
        "Add a link to the docs only in the footer",
        "Just internal links get the new colour",
        "Only technical articles get a badge",
        "The badge is shown to internal users only",
        "The note reads “Prices are final. Nothing changes for customers.”",
    ];
    all_say(&texts, None);
}

#[test]
fn the_sentence_that_says_it_is_told() {
    let text = "Move the router.\nNo visual change. Tickets: none.";
    assert_eq!(
        said(text),
        Some((Unchanged::Everything, "No visual change".to_owned()))
    );
}

/// Sentences of people who did not know the rules.
const ONLY_SOUNDS_LIKE_IT: &[&str] = &[
    "Sale prices could not be told apart from regular ones, they are red and larger.",
    "Colour-blind people can't tell the two lines apart, one is dashed.",
    "The icons were aligned to the pixel so rows have the same height.",
    "Cropped the photos to the pixel so all tiles have the same ratio.",
    "Old and new prices could not be told apart, the old one is struck through.",
    "Both headers now look the same.",
    "You can tell the two plans apart by their badge.",
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
    "Fixes a bug where users could not see any changes after saving their profile until they reloaded.",
    "When nothing is selected, the sidebar now says \"Nothing has changed yet\".",
    "The order of the cards is unchanged; their colour isn't.",
    "Guarantees that no data is lost when the page is closed without saving, by showing a warning first.",
    "Nothing was visible on the map page in Safari; the tiles are displayed again.",
    "Performance does not change, the hero animation does.",
    "Hides the promo block so that nothing of it can be seen outside the campaign dates.",
    "Unchanged passwords are now rejected with a red message beneath the field.",
    "Content is identical to the print version, including the new second paragraph.",
    "Contrast was so low that people saw no text at all. Darkened from #ddd to #333.",
    "It isn't true that the upgrade has no visual impact: all buttons lose their shadow.",
    "No layout shift any more while loading, because the images have a reserved box with a grey background.",
    "Rename \"My account\" to \"Profile\". No other change.",
    "Response times stay the same for all users even though the list now shows fifty rows.",
    "Internal links are no longer blue. External ones stay as they are.",
    "We promise not to change your data; this sentence is new below the upload field.",
    "As before, the menu has five entries, though \"Jobs\" has made way for \"Career\".",
    "If the user changes nothing, the save button is greyed out.",
    "The new font has the same metrics, therefore no text wraps differently, but all the letters have another shape.",
    "The logo must not change; the navigation next to it gets the new green.",
    "The heading stays the same, but the paragraph below it is replaced by the text from legal.",
    "Removes the picture on the right. Nothing takes its place.",
    "No visible focus ring before, a thick blue one now.",
    "Adds a message \"No changes\" to the history panel when two versions are identical.",
    "Visitors did not notice the small button, so it's twice as big from today.",
    "The two columns looked identical, which confused people. One of them is shaded now.",
    "No more invisible text while fonts load: we show the fallback font straight away.",
    "The refactoring last week changed the look of the footer by accident, this brings back the old one.",
    "The table keeps its columns as before and gets a new row for Norway.",
    "\"Same look, new feel\" is the slogan the campaign team wants in the hero from Monday.",
    "The price remains unchanged at 49 €, only the crossed-out old price beside it is gone.",
    "No visual difference between active and inactive tabs has been a complaint for years. Active ones are underlined now.",
    "The error state was invisible to colour-blind users, hence the added icon.",
    "We don't change the text, we just make it larger.",
    "The banner does not move any more when the page is scrolled.",
    "Users will see no results page any more; they go straight to the list of suggestions.",
    "The refactored gallery shows four pictures in a row where it used to show three.",
    "The dependency upgrade brings the new rounded look of the date picker.",
    "The layout must stay as it is when the new notice at the top is closed.",
    "Class names changed, and with them the link colour, which now follows the theme.",
    "Without this change the page looks the same for everyone; with it members get a gold border.",
    "The dialog titled \"No visual changes found\" gets a button to close it.",
    "Until now nothing happened visibly on click, from now on a spinner turns.",
    "I could see no reason for the extra divider, so it's out.",
    "The same picture as before, but flipped and with a darker sky.",
    "Pixel-identical icons for both themes were too faint in dark mode, so the dark ones are lighter now.",
    "Invisible characters in the product name caused odd line breaks; the name fits on one line now.",
    "There used to be no visible hint that a field is required. We add an asterisk.",
    "The tests were green although the button was missing; the button is back.",
    "Not visible on staging because of the cache, but the headline is centred now.",
    "The appearance of the checkout no longer depends on the browser: everyone gets the flat design.",
    "Nobody sees the old survey link any more, we took it off the page.",
    "The build now includes the stylesheet that was missing in production, so pages there are finally styled.",
    "Only the tooltip is untouched, everything else in the card follows the new design.",
    "For screen readers it's all the same as before; for everybody else the labels move above the fields.",
    "Cleanup of the home page: the three unused teasers are removed.",
    "Customers complained that the statement looks exactly the same each month, so it carries the month in big letters at the top.",
    "Users could not see the error message under the password field because it was white on white; it is now dark red.",
    "The logo stays the same while the navigation moves to the left.",
    "The \"No changes\" label on the save bar now reads \"Everything is saved\".",
    "Page loads no longer look identical for logged-in and anonymous visitors: members get a green badge.",
    "Previously the hover state made no visual difference; links now get an underline.",
    "Fixes the bug where the cart icon was invisible to users on Safari.",
    "The empty state now says \"Nothing to see here yet\" with a small illustration.",
    "Performance isn't affected by the new full-width hero video.",
    "The scroll position does not change anymore when the filter panel opens on top of the list.",
    "Dark mode had no effect on tables. Now their rows turn dark too.",
    "Without changing the markup, this restyles the whole pricing table with rounded corners.",
    "The hidden promo code field is shown by default.",
    "It was supposed to be a refactor with no visible effects, but the margins collapsed; this restores the 24px gap above the gallery.",
    "The background stays white. The text goes from grey to black.",
    "Nobody noticed the tiny unsubscribe link, so we doubled its size.",
    "Same content, new look.",
    "Nothing but the colour of the call-to-action changes.",
    "The URL remains the same, the page behind it has been redesigned.",
    "We never changed the 2019 copyright year in the footer. Now it says 2025.",
    "Behind the scenes section added to the about page, with five photographs.",
    "No longer shows the \"Refactoring in progress\" banner.",
    "The focus outline was not visible to keyboard users. It is a thick blue ring now.",
    "Images are unchanged in quality but are cropped to squares in the listing.",
    "On tablets there is no difference; phones get a bottom navigation bar.",
    "Invisible characters in the titles produced odd line breaks; the titles now wrap as intended.",
    "The changes from last week had no visual impact because the stylesheet was not loaded. It's loaded now.",
    "If nothing changes on the screen within five seconds, a spinner appears.",
    "The upgrade notice is only seen by administrators, as a yellow strip at the top of each page.",
    "Adds a paragraph to the FAQ: \"Does the update affect how my shop looks? No, your design stays the same.\"",
    "The order of results used to be identical for everyone; it's now sorted by distance.",
];

#[test]
fn what_only_sounds_like_it_does_not_say_it() {
    all_say(ONLY_SOUNDS_LIKE_IT, None);
}
