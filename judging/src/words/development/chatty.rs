//! A designer or product manager who talks about what people see.

use crate::words::Template;

/// The words for every edit.
pub(super) const TEMPLATES: [Template; 32] = [
    (
        "text-edit",
        "Friendlier words for {what}",
        "In the last round of interviews people stumbled over {what}, so we sat down together and wrote it again. It now says: \"{to}\"",
        "Visitors find a new text in {what}, namely \"{to}\"",
    ),
    (
        "price-edit",
        "We are changing what {what} says",
        "Finance signed off the new figure last week. From today on people will see {to} there.",
        "When you open the page, {what} is {to} and no longer the old figure",
    ),
    (
        "link-target",
        "Clicking should lead somewhere more useful",
        "At the moment {what} takes people on a detour. After this they land on {to} straight away; to the eye it is what it was.",
        "A click on {what} opens {to}",
    ),
    (
        "colour-change",
        "A fresher background for {what}",
        "We tried a few shades with the brand team and picked this one. I think it draws the eye much better now!",
        "{what} appears on a different background colour",
    ),
    (
        "spacing-change",
        "Give {what} some air",
        "It looked squeezed on my laptop, so there is more white space inside {what} now and whatever comes after it slides down.",
        "{what} is roomier, and what follows sits further down the page",
    ),
    (
        "font-change",
        "A warmer face for {what}",
        "The serif that we use in print finally makes it to the web. We start with {what} and will see how people like it.",
        "{what} appears in a serif typeface",
    ),
    (
        "contrast-loss",
        "Less shouting, please",
        "It should whisper instead. We gave the words of {what} a much paler shade so that they do not steal the show.",
        "The words of {what} are paler than they were",
    ),
    (
        "overflow",
        "Let {what} reach beyond the grid",
        "I would love to see {what} stretch out to the right instead of stopping where the text stops, as in the mock-up.",
        "{what} stretches out to the right, beyond the column that it used to end with",
    ),
    (
        "overlap",
        "Less of a hole above {what}",
        "There was an awkward gap, so we let {what} slide up towards its neighbour.",
        "{what} sits higher, closer to the part before it",
    ),
    (
        "hidden-element",
        "A little too early",
        "Support cannot handle the requests before the summer, so people will not see {what} for a while. The place it takes stays empty.",
        "People no longer see {what}; its place is empty",
    ),
    (
        "insert-banner",
        "A short message for everybody who visits",
        "Lots of people asked the hotline, therefore we greet them with {what} right at the top. The rest of the page starts a bit lower.",
        "The first thing that people see is {what}",
    ),
    (
        "insert-card",
        "Welcome, {what}!",
        "We are happy to have {what} next to the others now. Have a look at how the grid wraps.",
        "Among the cards there is a new one: {what}",
    ),
    (
        "insert-row",
        "One more line that people asked for",
        "It was missing from the overview and we got complaints, so {what} gets a line of its own.",
        "The table lists {what} as well",
    ),
    (
        "remove-banner",
        "Goodbye, {what}",
        "It has done its job. Without it the content comes into view sooner.",
        "{what} is no longer shown, so everything below sits higher",
    ),
    (
        "remove-card",
        "Time to let go of {what}",
        "Hardly anybody clicked on it. With {what} out of the way the remaining cards get more attention.",
        "You will not find {what} among the cards any more",
    ),
    (
        "remove-row",
        "One line less to read",
        "We checked with the people in charge: {what} is history and only confuses visitors.",
        "The table does not list {what} any longer",
    ),
    (
        "move-section",
        "Better flow: another place for {what}",
        "When we watched people scroll, they never arrived at {what} at the right moment. It is the same content, only elsewhere on the page.",
        "You come across {what} at a different point while scrolling",
    ),
    (
        "reorder",
        "Let something else go before {what}",
        "A tiny thing, but the order bothered me: the entry that came right after {what} now precedes it.",
        "{what} comes one place later in its list",
    ),
    (
        "move-with-edit",
        "A clearer name and a better spot",
        "Nobody understood what we meant with {what}. It says \"{to}\" now, and you find it elsewhere in the same list.",
        "In another position of the list you read \"{to}\"",
    ),
    (
        "image-swap",
        "A nicer picture",
        "The photographer delivered! We put the new shot in place of {what}.",
        "Where we had {what}, people see another motif",
    ),
    (
        "broken-image",
        "Our own library for {what}",
        "Together with the media team we are moving all pictures into the shared library, and {what} is the next one.",
        "{what} comes out of the media library",
    ),
    (
        "noindex",
        "Please do not show this page on Google",
        "Until the campaign starts, search engines should leave it out. We tell the robots not to index it.",
        "Search engines are asked not to index the page",
    ),
    (
        "canonical-host",
        "One official address for this page",
        "We agreed with the agency that {to} is the address that search engines should remember.",
        "{to} is the preferred (canonical) address of the page",
    ),
    (
        "title-edit",
        "What people read in the browser tab",
        "The name of the tab did not say what the page is about. We settled on \"{to}\".",
        "The browser tab says \"{to}\"",
    ),
    (
        "description-edit",
        "A better teaser on Google",
        "The lines under our search result were dull. They will say: \"{to}\"",
        "The summary for search results changes to \"{to}\"",
    ),
    (
        "json-ld-price",
        "Google showed the wrong amount",
        "In the rich result people saw an old price. We correct the data that search engines get from us.",
        "Search engines read the price {to} in the structured data",
    ),
    (
        "clock",
        "How fresh is this?",
        "People could not tell whether they were looking at old data. That is why {what} tells the current time whenever the page is opened.",
        "{what} tells the moment at which the page was opened",
    ),
    (
        "anti-aliasing",
        "Smoother drawing of {what}",
        "A technical thing from our developers; if at all, the outlines of the letters in {what} look a trace softer.",
        "{what} looks the same, perhaps with slightly softer letters",
    ),
    (
        "one-pixel-jitter",
        "Pixel peeping",
        "Against the mock-up {what} was off by a single pixel, and now it is not.",
        "{what} is a hair further to the right",
    ),
    (
        "identical",
        "Just publishing again",
        "The last release got stuck half-way. Nobody should see a difference, we did not touch anything.",
        "Everything stays as it is",
    ),
    (
        "class-names",
        "Groundwork by our developers",
        "They give the style classes new technical names. For visitors the page stays exactly the same.",
        "New technical class names behind the scenes, the same look",
    ),
    (
        "attribute-order",
        "Tidying up behind the curtain",
        "The source code is written out in a neater way. You cannot see it unless you open the developer tools.",
        "Neater source code, and a page that looks as it did",
    ),
];
