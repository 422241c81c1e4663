//! A junior developer, chatty and a bit unsure, who writes informally and answers review comments.

use crate::words::Template;

/// The words for every edit.
pub(super) const TEMPLATES: [Template; 32] = [
    (
        "text-edit",
        "changed what {what} says (ticket from Maria)",
        "Maria wanted \"{to}\" there, I copy-pasted it straight from the ticket so hopefully no typos this time lol. Didn't touch anything else afaik.",
        "should say \"{to}\" now in {what}",
    ),
    (
        "price-edit",
        "update number in {what}, was outdated I think?",
        "Sales pinged me on slack that it has to be {to}. pls double check the amount before merging, I don't wanna be the one who gets that wrong",
        "{to} instead of the old number in {what}",
    ),
    (
        "link-target",
        "{what} went to the wrong page, oops",
        "My bad, I hardcoded the old url last sprint. It's {to} now, clicked through it locally and it worked for me.",
        "href of {what} -> {to}, looks the same otherwise",
    ),
    (
        "colour-change",
        "tried another colour on {what}",
        "Tom said in the review that the old one \"looks like a default bootstrap thing\", so here's a different one. Happy to change the shade again if ppl don't like it!",
        "{what} should have a diffrent colour than on main",
    ),
    (
        "spacing-change",
        "some more padding for {what}",
        "It looked super cramped on my screen. Heads up, this pushes the stuff below down a bit, that's on purpose.",
        "extra padding on {what}, stuff underneath moves down a bit",
    ),
    (
        "font-change",
        "other font for {what} (hope I got the right one)",
        "Design sent me the name of the font in a DM, I just put it in front of the font-family stack. No idea if we need a fallback, lmk",
        "{what} has a new font, the words are the same",
    ),
    (
        "contrast-loss",
        "made {what} a bit more subtle",
        "I went for a really light grey cause it felt too heavy before, imo this looks way more elegant. Might be a tiny bit too light on old monitors? Looks nice on mine tho",
        "text of {what} is lighter / more subtle now",
    ),
    (
        "overflow",
        "stretch {what} so it's not so tiny anymore",
        "Set a bigger width in px since 100% didn't do what I wanted (I know, I know). It sticks out of its container now but thats kinda the look we were going for.",
        "{what} is a lot wider, goes past its container",
    ),
    (
        "overlap",
        "pull {what} up a bit w/ negative margin",
        "Wanted that overlapping effect everyone has on their landing pages rn. Not sure negative margins are the \"proper\" way, open for suggestions",
        "{what} sits slightly on top of the thing next to it (intended!)",
    ),
    (
        "hidden-element",
        "hide {what} for now",
        "As discussed in standup it shouldnt be visible until the backend part is done. I used visibility: hidden so we can bring it back quickly.",
        "you can't see {what} anymore (temporary)",
    ),
    (
        "insert-banner",
        "add {what}, first version",
        "Took the markup from the other project and adapted it. Text is from marketing, don't shoot the messenger :)",
        "{what} is there now, rest of the page just moves down",
    ),
    (
        "insert-card",
        "new card!! ({what})",
        "Basically copied one of the existing cards and changed the content. Is there a nicer way to do this than copy paste? Couldn't find a partial for it.",
        "there's one card more than before: {what}",
    ),
    (
        "insert-row",
        "was missing: {what}",
        "Noticed it wasn't there when I compared w/ the spreadsheet from ops. Put it where it made sense to me.",
        "{what} shows up as a new row",
    ),
    (
        "remove-banner",
        "get rid of {what}",
        "It's expired since like two weeks and everybody keeps asking me about it. Also removed the css for it, I hope nothing else used that.",
        "no more {what} :) content moves up",
    ),
    (
        "remove-card",
        "kick out {what} as asked in the ticket",
        "Wasn't sure if I should just comment it out, but @lena said in the last review that git remembers everything anyway so I deleted it.",
        "one card less, {what} is gone, the others are still there",
    ),
    (
        "remove-row",
        "deleted {what} (duplicate? not needed anyways)",
        "Checked with ops, they said it can go. Sorry for the tiny PR.",
        "{what} isn't listed anymore",
    ),
    (
        "move-section",
        "moved {what} somewhere else on the page",
        "Per the feedback from friday's demo. I literally just cut the block and pasted it in the other place, so content shouldn't differ.",
        "same content, but {what} is in another spot on the page now",
    ),
    (
        "reorder",
        "switch {what} with the one next to it",
        "Review comment by Jonas: \"order is the wrong way round\". He's right, swapped em.",
        "{what} swapped places with its neighbor",
    ),
    (
        "move-with-edit",
        "moved {what} + changed the text while I was at it",
        "Should prob have been two commits, sorry. It's in the other place now like in the sketch, and it says \"{to}\" bc the old text made no sense there.",
        "{what} is somewhere else now and says \"{to}\"",
    ),
    (
        "image-swap",
        "new pic for {what}",
        "Old one was the stock photo everybody hated. Ran the new one through tinypng so it shouldn't be too big, same dimensions I think.",
        "you see another picture in {what}",
    ),
    (
        "broken-image",
        "use the other image folder for {what}",
        "Somebody told me we shouldn't link to /old-assets anymore so I pointed the src at the new folder. Couldn't fully test it locally, my vpn is acting up again :/",
        "src of {what} points at the new folder",
    ),
    (
        "noindex",
        "add noindex meta tag (SEO ppl asked for it)",
        "Had to google what this does tbh. Afaiu google won't list the page anymore, and you don't see anything of it in the browser.",
        "robots meta says noindex, looks the same for normal users",
    ),
    (
        "canonical-host",
        "canonical url was still pointing at the old host",
        "Changed it to {to}. I just did search & replace in the head, let me know if there are other places!",
        "canonical link has {to} in it",
    ),
    (
        "title-edit",
        "fix <title>, still had the one from the template in there",
        "Embarrassing, noticed it cause my browser tab looked weird. Now it's \"{to}\".",
        "tab title is \"{to}\"",
    ),
    (
        "description-edit",
        "put a proper meta description in",
        "The old one was more or less lorem ipsum... Content team gave me this: \"{to}\"",
        "<meta name=description> has \"{to}\" as content",
    ),
    (
        "json-ld-price",
        "forgot the price in the ld+json block",
        "Got changed everywhere but there, sry! Should be {to} so google doesn't complain. Page itself doesn't look any different.",
        "json-ld says {to} for price",
    ),
    (
        "clock",
        "put the current time into {what}",
        "Used new Date() for it, super simple. It's gonna be different on every reload obviously, not sure how to write a test for that...",
        "{what} shows whatever time it is when you load the page",
    ),
    (
        "anti-aliasing",
        "tiny font rendering tweak on {what}",
        "Added a translate of like 0.3px because Kevin claims it renders sharper that way?? I honestly can't see it but ok",
        "you prob won't see it, the text in {what} is just antialiased a bit differently",
    ),
    (
        "one-pixel-jitter",
        "nudge {what} by 1px (don't laugh)",
        "It was not lined up properly and once I'd seen it I couldn't unsee it. Just 1px to the right, promise.",
        "{what} 1px more to the right",
    ),
    (
        "identical",
        "just triggering the build again",
        "CI was red bc of the flaky runner so this is an empty commit basically. Page should be 1:1 the same, if not then I have no clue what's going on.",
        "nothing, page is the same as before",
    ),
    (
        "class-names",
        "renamed all the css classes like we said in the retro",
        "Big diff but it's only names, both in the html and the css. Clicked through everything twice and it looks exactly like before, pls tell me if I missed one!",
        "looks the same as before, only the class names are different",
    ),
    (
        "attribute-order",
        "ran prettier over the templates",
        "Lena's review comment was to keep formatting out of feature PRs so here's a separate one. Attributes got sorted and there's different whitespace, that's it, I swear.",
        "no diff in the browser, just the html source is sorted/indented differently",
    ),
];
