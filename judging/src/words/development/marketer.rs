//! Someone from marketing who edits pages through tickets: visitors, campaigns and wording, no technical vocabulary.

use crate::words::Template;

/// The words for every edit.
pub(super) const TEMPLATES: [Template; 32] = [
    (
        "text-edit",
        "A better wording for {what}",
        "The old line tested badly with visitors, so we are going with \"{to}\" from now on. Please don't touch the rest of the copy.",
        "Visitors now read \"{to}\" where they used to see the old line",
    ),
    (
        "price-edit",
        "Update {what} for the autumn campaign",
        "Finance signed this off on Monday: it goes to {to}. The ads go live on Thursday, so the site has to say the same by then.",
        "The site says {to} for {what}",
    ),
    (
        "link-target",
        "Send people somewhere else from {what}",
        "The campaign page it used to open is closed. Clicks should land on {to} instead; the wording stays the same.",
        "When people follow {what} they end up on {to}",
    ),
    (
        "colour-change",
        "Give {what} a fresh colour",
        "Goes with the new season look that the agency sent over. Only the colour is different, not the words.",
        "A different colour on {what}",
    ),
    (
        "spacing-change",
        "A bit more breathing room for {what}",
        "Everyone in the review said the page feels crammed here. I'd like more white space, even if the rest slides down the page a little.",
        "There is more empty space around {what}, and everything below sits lower",
    ),
    (
        "font-change",
        "Try the brand lettering on {what}",
        "As agreed with the brand team, we are using the other typeface here. Same words as before.",
        "The letters of {what} look different (new typeface), same text",
    ),
    (
        "contrast-loss",
        "Make {what} quieter so the offer stands out",
        "It was shouting at people. I asked for a much paler, more discreet tone so that it sits in the background and doesn't compete with the campaign.",
        "A softer, very light shade for {what}",
    ),
    (
        "overflow",
        "Let {what} take up way more width",
        "We want this to have real impact, so it should be big and run right out past the normal edge of the page.",
        "Visitors see {what} stretched much wider than the rest of the page",
    ),
    (
        "overlap",
        "Layered look: tuck {what} over the bit next to it",
        "Like in the mood board from the agency, the pieces should sit partly on top of each other instead of neatly one after another.",
        "Part of the neighbouring piece is now covered by {what}",
    ),
    (
        "hidden-element",
        "Take {what} out of sight until sales are ready",
        "The sales team can't handle more sign-ups this week. Nobody should be able to see it on the page for now, we will bring it back after the holidays.",
        "Visitors can no longer see {what}",
    ),
    (
        "insert-banner",
        "Announce it on the page: {what}",
        "For the campaign that starts tomorrow we need something that people notice as soon as they arrive. Copy has been approved by legal.",
        "On arrival people are greeted by {what}",
    ),
    (
        "insert-card",
        "One more to show off: {what}",
        "Ticket from the product marketing team. They want this next to the ones we already have, same look.",
        "We get an additional box in the line-up: {what}",
    ),
    (
        "insert-row",
        "Missing entry: please include {what}",
        "Customers keep asking support about this because it isn't in the list. I've added a line for it.",
        "The list is one line longer and includes {what}",
    ),
    (
        "remove-banner",
        "Campaign is over, take down {what}",
        "The offer ended on Sunday at midnight and people are already complaining that the code doesn't work.",
        "With {what} gone, the page starts right away",
    ),
    (
        "remove-card",
        "We don't promote this any more: drop {what}",
        "Discontinued as of this month. The others can stay exactly as they are and just close the gap.",
        "One box fewer for visitors to pick from, {what} no longer appears",
    ),
    (
        "remove-row",
        "Outdated line on the site, kill {what}",
        "It hasn't been true since spring and a journalist just quoted it. Please get rid of the whole line.",
        "Nobody finds {what} in the list any longer",
    ),
    (
        "move-section",
        "Different spot on the page for {what}",
        "Looking at how far visitors scroll, this part is in the wrong place. The content is fine, it just has to come at another point of the story.",
        "Same content, but {what} shows up at a different point of the page",
    ),
    (
        "reorder",
        "Swap {what} with the one beside it",
        "The order should follow what sells. These two trade places, no new copy needed.",
        "The order is different: {what} and its neighbour have traded places",
    ),
    (
        "move-with-edit",
        "New place and new words for {what}",
        "Two things in one ticket, sorry! It should not stay where it is now, and while we're at it, it should read \"{to}\".",
        "You'll find {what} in another spot, and it says \"{to}\"",
    ),
    (
        "image-swap",
        "Bring {what} up to date with the new shoot",
        "The shoot from last week is in. Please use the picture the photographer picked, the old one looks like stock.",
        "You see the newly shot photo when you look at {what}",
    ),
    (
        "broken-image",
        "Get {what} from the shared media folder",
        "We are collecting all our campaign pictures in one place, so I pasted the new address into the page. Can't see it on my side yet, but the folder may just need time.",
        "From now on {what} comes from a different address",
    ),
    (
        "noindex",
        "Keep this page out of Google for now",
        "It's only meant for people who get our mailing. Nobody should stumble over it through a search.",
        "Page can't be found through search engines; looks the same to visitors",
    ),
    (
        "canonical-host",
        "Tell Google that our official address is {to}",
        "After the rebrand the search results should credit {to} for this page, and not the old name.",
        "Search engines treat {to} as the home of this page",
    ),
    (
        "title-edit",
        "Browser tab and Google headline: \"{to}\"",
        "The SEO agency suggested a new headline for the search results and the browser tab. The headline on the page itself does not change.",
        "Tab of the browser reads \"{to}\"",
    ),
    (
        "description-edit",
        "Better teaser under our Google result",
        "Hardly anyone clicks on us in the search results. The short text underneath should be \"{to}\" from now on.",
        "The snippet that Google shows becomes \"{to}\"",
    ),
    (
        "json-ld-price",
        "Google still shows the old price in the results",
        "The price that appears next to our listing in search must be {to}. On the page nothing needs to be touched.",
        "Price in the Google listing is {to}",
    ),
    (
        "clock",
        "Show people what time it is in {what}",
        "We want the page to feel live for the countdown week. Whoever opens it should see the time at that moment.",
        "Each visitor sees the time of their own visit in {what}",
    ),
    (
        "anti-aliasing",
        "Crisper letters in {what}",
        "Our designer noticed the letters looked a touch fuzzy on her laptop. This smooths them a little differently, you'd need a magnifying glass to tell.",
        "Hardly noticeable: the edges of the letters in {what} are drawn slightly differently",
    ),
    (
        "one-pixel-jitter",
        "Tiny nudge to the right for {what}",
        "It didn't quite line up in the layout the agency sent. We are talking about a hair's breadth.",
        "Just a hair further to the right for {what}, practically invisible",
    ),
    (
        "identical",
        "Publish the page again",
        "The last publish got stuck halfway, so I pressed the button once more. No copy, pictures or prices were changed.",
        "Exactly the page we had before",
    ),
    (
        "class-names",
        "Clean-up from the developers, nothing for visitors",
        "The developers asked me to approve this one. They have given things new names behind the scenes; I compared both pages and they are the same for me.",
        "For our visitors it stays just as it was",
    ),
    (
        "attribute-order",
        "Page saved with the new editor",
        "I opened the page in the new editing tool and saved it. It apparently tidies up the code a bit on its own, but the content is untouched.",
        "Content and looks are as they were, only the code behind is tidier",
    ),
];
