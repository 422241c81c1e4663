//! A content editor who tells in whole sentences what will be different for visitors.

use crate::words::Template;

/// The words for every edit.
pub(super) const TEMPLATES: [Template; 32] = [
    (
        "text-edit",
        "I have rewritten {what}",
        "Several people wrote to us because they did not understand the old version. From today everybody will read: \"{to}\"",
        "Visitors find a new text in {what}: \"{to}\"",
    ),
    (
        "price-edit",
        "{what} will be {to}",
        "Our calculation has changed, and with it {what}. Anybody who opens the page will find {to}, and the old amount will be gone.",
        "Visitors see {to} when they look for {what}.",
    ),
    (
        "link-target",
        "{what} will lead to another page",
        "Until now {what} took people to a page that did not help them. In future they will land on {to}.",
        "Whoever clicks on {what} arrives at {to}.",
    ),
    (
        "colour-change",
        "There will be another colour behind {what}",
        "We were no longer happy with the old tone. Visitors will see {what} on a different colour, and everything around stays the way it was.",
        "{what} will have a different background colour.",
    ),
    (
        "spacing-change",
        "{what} should not feel so crowded",
        "People who read on a tablet told us that they keep losing their place. We have given {what} more empty space, which means that whatever follows starts further down.",
        "There is more empty space in {what}, and what follows starts lower.",
    ),
    (
        "font-change",
        "{what} will appear in another typeface",
        "We would like our pages to go together with the printed leaflets. For that reason the letters of {what} will look different, although the words are the same.",
        "The letters of {what} are of a different typeface.",
    ),
    (
        "contrast-loss",
        "{what} should be less prominent",
        "This is only of interest to a few people. The letters of {what} will therefore be much fainter than they used to be.",
        "The letters of {what} become very faint.",
    ),
    (
        "overflow",
        "{what} will reach beyond the edge of the column",
        "Marketing asked for something that catches the eye. That is why {what} will stick out on the right, past the point where everything else ends.",
        "{what} will go on past the right-hand edge of the column.",
    ),
    (
        "overlap",
        "{what} will move closer to what comes before",
        "There was so much empty space that people thought the page had ended. We are bringing {what} further up.",
        "{what} will start higher up than before.",
    ),
    (
        "hidden-element",
        "Visitors will not see {what} for the time being",
        "We have had some trouble and would rather nobody used {what} this week. The place on the page stays empty until we are ready again.",
        "Nobody will be able to see {what}.",
    ),
    (
        "insert-banner",
        "Visitors will be greeted by {what}",
        "We need people to know this before they do anything else. That is why {what} will stand above everything on the page, and all the rest moves down a little.",
        "The first thing at the top of the page is {what}.",
    ),
    (
        "insert-card",
        "We are introducing {what} on the page",
        "Starting this week visitors will also come across {what}, with a picture and a few words, next to the ones they know already.",
        "Visitors will find {what} among the others, with a picture.",
    ),
    (
        "insert-row",
        "The table will mention {what}",
        "Some people asked why they could not find {what}. There will be one more line in the table, and the other lines stay as they are.",
        "The table has one more line, namely {what}.",
    ),
    (
        "remove-banner",
        "We are saying goodbye to {what}",
        "People kept asking us about {what}, although the time for that has passed. From now on nobody will come across that message.",
        "{what} will have disappeared.",
    ),
    (
        "remove-card",
        "{what} will no longer be among the others",
        "Please do not be surprised when you look for {what}: we have taken both the picture and the words off the page.",
        "People will no longer find {what} on the page.",
    ),
    (
        "remove-row",
        "{what} will be missing from the table",
        "We do not want to list {what} any longer. The line will be taken out, so the table becomes a little shorter.",
        "The table no longer lists {what}.",
    ),
    (
        "move-section",
        "You will find {what} in another place",
        "In our survey people said that they had to search for too long. We have therefore put {what} where more of them should come past, and the contents have not been altered.",
        "{what} will turn up at another point of the page.",
    ),
    (
        "reorder",
        "{what} will come after the next entry",
        "We were asked for a fairer order. Whoever reads the page from the beginning will meet the neighbour first and {what} afterwards.",
        "{what} will stand behind the entry that used to follow.",
    ),
    (
        "move-with-edit",
        "{what} will move and read differently",
        "The list was in an unfortunate order and one line was out of date. You will find {what} at another position, where it now says \"{to}\".",
        "At another position in the list people read \"{to}\".",
    ),
    (
        "image-swap",
        "There is a fresh picture for visitors to look at: {what}",
        "We never really liked the old one. For {what} we have chosen another picture, and people will see it as soon as they open the page.",
        "A different picture is shown for {what}.",
    ),
    (
        "broken-image",
        "{what} will be fetched from our new archive",
        "All our pictures have moved house. The page will ask the new archive for {what}.",
        "{what} will come from another archive.",
    ),
    (
        "noindex",
        "Search engines should leave this page alone",
        "We would prefer that nobody comes here through a search engine while we are still checking the texts. The page tells search engines not to list it.",
        "Search engines are asked not to list the page.",
    ),
    (
        "canonical-host",
        "Search engines should treat another address as the main one",
        "The same page can be reached in more than one place. We want {to} to count as the original.",
        "The address that search engines take for the original is {to}.",
    ),
    (
        "title-edit",
        "The name in the browser tab will be different",
        "People who keep many tabs open should recognise ours. The tab will say \"{to}\".",
        "In the tab of the browser people read \"{to}\".",
    ),
    (
        "description-edit",
        "We have a better summary for search results",
        "When our page turns up in a search, people should learn right away what it is about. The summary will be: \"{to}\"",
        "The summary for search engines is \"{to}\"",
    ),
    (
        "json-ld-price",
        "Search engines should learn the right price",
        "Some search results still showed an old amount next to our name. The data that we hand to search engines will say {to}, and what visitors see on the page is not affected.",
        "The price we hand to search engines is {to}.",
    ),
    (
        "clock",
        "{what} will always be up to date",
        "Visitors will see other words in {what} depending on the moment at which they open the page. That is on purpose.",
        "The words of {what} depend on the time of the visit.",
    ),
    (
        "anti-aliasing",
        "Our developers have adjusted how {what} will be drawn",
        "I am told that this moves {what} by less than a pixel. Somebody who compares very closely might find the edges of the letters a trifle softer.",
        "Hardly anybody could tell {what} from the earlier version.",
    ),
    (
        "one-pixel-jitter",
        "A very small correction to the position of {what}",
        "It bothered one of us that {what} did not line up exactly. The difference is a single pixel.",
        "{what} will be one pixel further to the right.",
    ),
    (
        "identical",
        "We are publishing the same page once more",
        "The last attempt was interrupted. No text, no price and no picture has been changed.",
        "The page stays exactly the way it was.",
    ),
    (
        "class-names",
        "The technical names in the page are being changed",
        "Our developers give the styles other names inside the code. Visitors will not notice any of this.",
        "The styles have other names in the code, and visitors see the same page.",
    ),
    (
        "attribute-order",
        "The code of the page will be written in a tidier way",
        "The system behind our pages was updated and puts things inside the code in another order. For visitors everything stays as it is.",
        "The code is arranged differently, and the page looks the same.",
    ),
];
