//! An agency's front-end developer: short pull requests, often with what the client said.

use crate::words::Template;

/// The words for every edit.
pub(super) const TEMPLATES: [Template; 32] = [
    (
        "text-edit",
        "New wording for {what}",
        "Client sent the final text for {what}, pasted in as is.",
        "{what} should now say \"{to}\"",
    ),
    (
        "price-edit",
        "Correct the figure in {what}",
        "We still had the old number from the client's first sheet, so {what} goes to {to}.",
        "{what}: {to} instead of the old amount",
    ),
    (
        "link-target",
        "Point {what} at the right page",
        "{what} still linked to a page from the old sitemap. Goes to {to} now, label unchanged.",
        "Clicking {what} takes you to {to}",
    ),
    (
        "colour-change",
        "Background tweak for {what}",
        "Swapped the background of {what} for the tone in the latest Figma file. Didn't touch anything else in that block.",
        "{what} with a new background colour",
    ),
    (
        "spacing-change",
        "Bump the padding on {what}",
        "Feedback from round two: {what} felt cramped. Everything underneath slides down a bit.",
        "{what} taller than before, content below pushed down",
    ),
    (
        "font-change",
        "Swap the font on {what}",
        "We still had the wrong font stack on {what}. Uses the one from the style guide now.",
        "Different font on {what}",
    ),
    (
        "contrast-loss",
        "Soften {what}",
        "Art direction wants {what} to recede, so the text colour is a lot lighter.",
        "Lighter text colour on {what}",
    ),
    (
        "overflow",
        "Let {what} bleed to the right",
        "Per the mock-up {what} should run past the container on the right-hand side.",
        "{what} wider than the container, running out to the right",
    ),
    (
        "overlap",
        "Pull {what} up a bit",
        "Negative top margin so that {what} comes closer to the block before. Matches the layered look in the design.",
        "{what} moved up towards the previous block",
    ),
    (
        "hidden-element",
        "Keep {what} out of sight until launch",
        "Client isn't ready to go live with this. I left {what} in the markup, just not visible, so the layout doesn't jump.",
        "{what} not visible",
    ),
    (
        "insert-banner",
        "Add {what} at the top of the page",
        "New strip above the header. The copy for {what} came in from the client this morning.",
        "{what} at the very top, rest of the page moves down",
    ),
    (
        "insert-card",
        "Extra card for {what}",
        "One more card, same component as its neighbours. Picture and text for {what} come from the client.",
        "There's a new card for {what}",
    ),
    (
        "insert-row",
        "Extra row for {what}",
        "Table was missing {what}. Added a row, no style changes.",
        "One more row in the table: {what}",
    ),
    (
        "remove-banner",
        "Throw out {what}",
        "Not relevant any more, so {what} can come off the page. Content below moves up.",
        "{what} gone from the page",
    ),
    (
        "remove-card",
        "Drop the card for {what}",
        "Client asked us to take {what} off the page. The remaining cards close the gap.",
        "No card for {what} any more",
    ),
    (
        "remove-row",
        "Drop the row for {what}",
        "{what} shouldn't be in that table any more, so the row is out.",
        "Table without the row for {what}",
    ),
    (
        "move-section",
        "Shift {what} to its new slot",
        "Came out of the UX workshop: I moved {what} to the spot we agreed on. Same content, same styling.",
        "{what} at another place in the page order",
    ),
    (
        "reorder",
        "Swap {what} with the next one",
        "Two entries trade places: {what} and the one right behind. That's all.",
        "{what} one place further back",
    ),
    (
        "move-with-edit",
        "Reorder the list and reword {what}",
        "Moved {what} to a different spot in the list and touched up the wording while I was there. Reads \"{to}\" now.",
        "{what} in a different spot, reading \"{to}\"",
    ),
    (
        "image-swap",
        "New file for {what}",
        "Photographer delivered the final set, so this replaces {what}. Same dimensions as the old file.",
        "{what} replaced with a new picture",
    ),
    (
        "broken-image",
        "Load {what} from the originals",
        "{what} should come from the originals in the media folder, not from the resized copies. Just the src.",
        "{what} loaded from a different address",
    ),
    (
        "noindex",
        "Keep this page out of Google",
        "Client doesn't want to be found with this one yet. Robots meta is set to noindex.",
        "Robots meta says noindex",
    ),
    (
        "canonical-host",
        "Change the canonical URL",
        "Canonical link points at {to} now, as discussed with the SEO people.",
        "Canonical link set to {to}",
    ),
    (
        "title-edit",
        "Update the title tag",
        "Straight from the client's SEO sheet: \"{to}\". Headings on the page stay.",
        "Title tag is \"{to}\"",
    ),
    (
        "description-edit",
        "Rewrite the meta description",
        "The old one got cut off in the results. New one: \"{to}\"",
        "Meta description reads \"{to}\"",
    ),
    (
        "json-ld-price",
        "Right price in the structured data",
        "Price in the JSON-LD block is {to} now. You won't see it on the page.",
        "JSON-LD has {to} as the price",
    ),
    (
        "clock",
        "Make {what} live",
        "No more placeholder, {what} depends on when you load the page.",
        "Text of {what} differs on every load",
    ),
    (
        "anti-aliasing",
        "Nudge {what} by a fraction of a pixel",
        "Tiny transform on {what}, well under a pixel. You'd need a loupe to spot it.",
        "{what} as before, maybe slightly different glyph edges",
    ),
    (
        "one-pixel-jitter",
        "Move {what} one pixel over",
        "I noticed {what} a hair off the grid and added a pixel on the left.",
        "{what} 1px further right",
    ),
    (
        "identical",
        "Empty commit to trigger the deploy",
        "Preview build got stuck, this just kicks it off again.",
        "No difference at all",
    ),
    (
        "class-names",
        "Rename the CSS classes",
        "Every class gets a new name, in the markup and in the stylesheet. Page looks the same as ever.",
        "Same page, other class names",
    ),
    (
        "attribute-order",
        "Reformat the HTML output",
        "The formatter sorts attributes now and handles whitespace between tags differently.",
        "Only the source looks different, not the page",
    ),
];
