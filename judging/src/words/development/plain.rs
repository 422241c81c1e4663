//! Complete sentences in a neutral tone: what is done, and why.

use crate::words::Template;

/// The words for every edit.
pub(super) const TEMPLATES: [Template; 32] = [
    (
        "text-edit",
        "Reword {what}",
        "Marketing asked for clearer wording of {what}: \"{to}\".",
        "{what} has new wording",
    ),
    (
        "price-edit",
        "New amount for {what}",
        "From next month {what} is {to}.",
        "{what} reads {to}",
    ),
    (
        "link-target",
        "Point {what} to the new address",
        "The old address redirects; {what} should go straight to {to}.",
        "{what} links to {to}",
    ),
    (
        "colour-change",
        "Recolour {what}",
        "Uses the new brand colour for {what}.",
        "{what} changes its colour",
    ),
    (
        "spacing-change",
        "More breathing room in {what}",
        "Increases the padding of {what}, it felt cramped. Content below moves down a little.",
        "More padding in {what}",
    ),
    (
        "font-change",
        "Use the display typeface for {what}",
        "Headings move to the new font step by step, this time {what}.",
        "{what} is set in another font",
    ),
    (
        "contrast-loss",
        "Softer tone for {what}",
        "Lightens the text colour of {what} so that it stands back.",
        "{what} has a lighter text colour",
    ),
    (
        "overflow",
        "Let {what} run wider",
        "Makes {what} full-bleed, out of its column.",
        "{what} is wider than its column",
    ),
    (
        "overlap",
        "Pull {what} up",
        "Negative top margin so that {what} sits closer to what is above it.",
        "{what} moves up",
    ),
    (
        "hidden-element",
        "Hide {what} for now",
        "The backend is not ready, so {what} is hidden behind a flag.",
        "{what} is not visible",
    ),
    (
        "insert-banner",
        "Announcement at the top",
        "Adds {what}; everything else is pushed down.",
        "A new banner appears: {what}",
    ),
    (
        "insert-card",
        "Add {what}",
        "A new card in the grid: {what}.",
        "One more card, {what}",
    ),
    (
        "insert-row",
        "Add {what}",
        "The table gains a line: {what}.",
        "A row is added for {what}",
    ),
    (
        "remove-banner",
        "Take down {what}",
        "The campaign is over, so {what} is removed.",
        "{what} is gone",
    ),
    (
        "remove-card",
        "Remove {what}",
        "Discontinued: {what} should no longer be listed.",
        "{what} is removed from the grid",
    ),
    (
        "remove-row",
        "Drop {what}",
        "Deletes {what} from the table, it no longer applies.",
        "{what} disappears",
    ),
    (
        "move-section",
        "Move {what} further up or down the page",
        "People did not find {what}, so it is moved to another position.",
        "{what} moves to another place",
    ),
    (
        "reorder",
        "Swap the order of {what} and the next entry",
        "Reorders the list: {what} now comes after its neighbour.",
        "{what} changes places with the entry after it",
    ),
    (
        "move-with-edit",
        "Move and rename {what}",
        "Moves {what} to a better place in the list and rewords it as \"{to}\".",
        "{what} is moved and reads \"{to}\"",
    ),
    (
        "image-swap",
        "New picture for {what}",
        "Replaces {what} with the one from the last shooting.",
        "{what} shows a different image",
    ),
    (
        "broken-image",
        "Serve {what} from the media store",
        "Changes the image source of {what} to the new bucket.",
        "{what} is loaded from another address",
    ),
    (
        "noindex",
        "Keep this page out of search results",
        "Adds noindex to the robots meta tag.",
        "robots is set to noindex",
    ),
    (
        "canonical-host",
        "Canonical address on the new host",
        "Changes the canonical link to {to}.",
        "The canonical link is {to}",
    ),
    (
        "title-edit",
        "Change the document title",
        "Search results cut the old title, the new one is \"{to}\".",
        "The title of the page is \"{to}\"",
    ),
    (
        "description-edit",
        "New meta description",
        "Rewrites the description for search engines.",
        "The meta description is rewritten",
    ),
    (
        "json-ld-price",
        "Update the price in the structured data",
        "The JSON-LD offer was out of date; its price is {to}.",
        "The structured data has the price {to}",
    ),
    (
        "clock",
        "Show when the data was loaded",
        "{what} gives the time of rendering, so it is different in each capture.",
        "{what} shows another time",
    ),
    (
        "anti-aliasing",
        "Text rendering hint for {what}",
        "Puts {what} on its own layer. At most the edges of letters differ.",
        "No visible difference in {what}",
    ),
    (
        "one-pixel-jitter",
        "Align {what} to the grid",
        "Nudges {what} by a pixel.",
        "{what} sits one pixel further right",
    ),
    (
        "identical",
        "Trigger a fresh build",
        "Empty commit, nothing was changed.",
        "No change",
    ),
    (
        "class-names",
        "Hash the class names",
        "The style sheet is built with CSS modules; only class names change.",
        "Class names change, the page looks the same",
    ),
    (
        "attribute-order",
        "New HTML printer",
        "Output is indented differently and attributes come in another order.",
        "The markup is formatted differently",
    ),
];
