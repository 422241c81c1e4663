//! Tickets of a team whose first language is not English: numbers, before and after, "so that".

use crate::words::Template;

/// The words for every edit.
pub(super) const TEMPLATES: [Template; 32] = [
    (
        "text-edit",
        "WEB-318: Adapt text of {what}",
        "Before: the old wording. After: \"{to}\". Please adapt {what} so that the customer understands it at the first read.",
        "After the change {what} contains the text \"{to}\"",
    ),
    (
        "price-edit",
        "SALES-77 Actualise {what}",
        "The amount is not valid any more. Set {what} on the value {to}, so that page and price list are equal.",
        "{what} = {to}",
    ),
    (
        "link-target",
        "WEB-402: Wrong target behind {what}",
        "Actual: the link leads to the old page. Expected: the link leads to {to}. Only the href of it is to change.",
        "Link of {what} leads to {to}",
    ),
    (
        "colour-change",
        "UI-55: Adjust background of {what}",
        "According to the styleguide v3 {what} must have another background colour. Its text and its size stay like they are.",
        "Background colour of {what} is adjusted to styleguide v3",
    ),
    (
        "spacing-change",
        "UI-61: Enlarge inner distance",
        "The inner distance (padding) of {what} is too small. Enlarge it, so that the content is not so near at the border; following content shifts downwards.",
        "Inner distance of {what} is enlarged, content underneath is shifted down",
    ),
    (
        "font-change",
        "UI-70: Other font family in {what}",
        "Before: sans-serif. After: serif. Concerns only {what}.",
        "Serif font for {what}",
    ),
    (
        "contrast-loss",
        "UI-74: Text colour of {what} less dominant",
        "The text in {what} is too dominant. Make it lighter so that the main content wins.",
        "Lighter text colour in {what}",
    ),
    (
        "overflow",
        "UI-82: Use more width for {what}",
        "Before: ends with the column. After: {what} goes over the right border of the column.",
        "{what} is broader than before and leaves its column on the right side",
    ),
    (
        "overlap",
        "UI-83: Too big distance before {what}",
        "Reduce the margin above {what} below zero, so that the two blocks belong together optically.",
        "{what} stands nearer to the block above",
    ),
    (
        "hidden-element",
        "OPS-12: Deactivate {what} until go-live",
        "As long as the service is not live, {what} shall not be visible for the user.",
        "{what} is not to see until go-live",
    ),
    (
        "insert-banner",
        "MKT-140: Show {what} over the header",
        "As a visitor I want to be informed directly, so that I do not have to call. Everything below goes down by the height of the new element.",
        "Above the header there is {what}",
    ),
    (
        "insert-card",
        "CONT-209: Insert {what}",
        "Insert an additional tile in the existing grid. Content: {what}. The following tiles move one place further.",
        "Additional tile with {what}",
    ),
    (
        "insert-row",
        "DATA-31: Complete table with {what}",
        "In the table is missing {what}. Add the line at the right place; lines below move down.",
        "Table contains an additional line, {what}",
    ),
    (
        "remove-banner",
        "MKT-151: Deactivation of {what}",
        "The period of validity is over since yesterday. Delete {what}, so that nobody refers to it; the content moves up.",
        "{what} is deleted, content has moved up",
    ),
    (
        "remove-card",
        "CONT-215: Delete tile",
        "The tile with {what} is not needed any more. Remove it completely from the grid.",
        "Tile with {what} does not exist any more",
    ),
    (
        "remove-row",
        "DATA-36: Delete line in the table",
        "Before: {what} is listed. After: it is not listed, the next lines have moved up.",
        "{what} is not listed in the table",
    ),
    (
        "move-section",
        "WEB-440: Change position of {what}",
        "Tester feedback: users search {what} on another place. Change the order of the blocks, the content itself remains unchanged.",
        "Changed position of {what} on the page, content unchanged",
    ),
    (
        "reorder",
        "WEB-447: Wrong order ({what})",
        "Actual: it stands before the next entry. Expected: the next entry stands before it.",
        "{what} and the following entry are exchanged",
    ),
    (
        "move-with-edit",
        "WEB-451: Rename {what} and sort in newly",
        "The new name is \"{to}\". With the new name it belongs on another place of the list.",
        "Entry \"{to}\" stands on another place than {what} before",
    ),
    (
        "image-swap",
        "CONT-230: Exchange {what}",
        "The rights for the old picture end this month. Exchange it against the new one, same format.",
        "{what} is exchanged against another picture",
    ),
    (
        "broken-image",
        "OPS-20: Media server for {what}",
        "So that the old file server can be switched off, {what} has to come from the media server.",
        "{what} comes from the media server",
    ),
    (
        "noindex",
        "SEO-18: Exclude page from index",
        "Set robots to noindex, so that the page is not found over search engines.",
        "Meta robots contains noindex",
    ),
    (
        "canonical-host",
        "SEO-21: Correct canonical",
        "The canonical shall have the value {to} after the deployment.",
        "Canonical has the value {to}",
    ),
    (
        "title-edit",
        "SEO-23: Optimise title tag",
        "Required title: \"{to}\".",
        "Document title corresponds to \"{to}\"",
    ),
    (
        "description-edit",
        "SEO-24: Meta description too old",
        "Replace the meta description by the text of the agency (\"{to}\").",
        "Meta description corresponds to the text of the agency",
    ),
    (
        "json-ld-price",
        "SEO-29: Price in schema.org data not correct",
        "In the offer of the structured data stands the old price. Correct is {to}.",
        "Offer price in the structured data is {to}",
    ),
    (
        "clock",
        "WEB-470: Make {what} dynamic",
        "As a user I want to see from when the data is, so that I can trust it. With every call it is calculated newly.",
        "{what} is another one with every call",
    ),
    (
        "anti-aliasing",
        "PERF-9: Composite layer for {what}",
        "For smoother scrolling {what} gets an own layer; there, differences are only possible in the font smoothing.",
        "{what} optically unchanged, except font smoothing",
    ),
    (
        "one-pixel-jitter",
        "UI-90: {what} 1 px too far left",
        "Measured with the pixel ruler: {what} must go 1 px to the right.",
        "Shift of {what} by 1 px to the right",
    ),
    (
        "identical",
        "OPS-33: Rebuild without changes",
        "The pipeline must run once more because of the certificate. No difference to the last version.",
        "No difference to the last version",
    ),
    (
        "class-names",
        "TECH-64: New naming of CSS classes",
        "The class names get a suffix from the build so that two teams cannot overwrite each other. Appearance is identical.",
        "Other class names, identical appearance",
    ),
    (
        "attribute-order",
        "TECH-67: Formatting of the HTML output",
        "New template engine writes the attributes in other order and indents with tabs. No effect on the appearance.",
        "Other order of attributes in the source, no effect on appearance",
    ),
];
