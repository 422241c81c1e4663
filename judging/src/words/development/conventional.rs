//! Titles with a type in front, as conventional commits have them, and short factual bodies.

use crate::words::Template;

/// The words for every edit.
pub(super) const TEMPLATES: [Template; 32] = [
    (
        "text-edit",
        "copy: {what}",
        "Editorial pass over {what}.",
        "New copy: \"{to}\"",
    ),
    (
        "price-edit",
        "Adjust {what} to {to}",
        "Finance confirmed the figure, {what} goes to {to}.",
        "{to} is shown as {what}",
    ),
    (
        "link-target",
        "fix: wrong link on {what}",
        "Clicking {what} led to a dead page. It should open {to}.",
        "{what} opens {to}",
    ),
    (
        "colour-change",
        "style: other shade for {what}",
        "Design review: the background of {what} gets the shade from the palette.",
        "The shade of {what} is different",
    ),
    (
        "spacing-change",
        "style: loosen up {what}",
        "{what} gets more inner space; the rest of the page shifts accordingly.",
        "{what} grows in height because of larger padding",
    ),
    (
        "font-change",
        "typography: {what}",
        "Sets {what} in the serif family we agreed on.",
        "Other typeface in {what}",
    ),
    (
        "contrast-loss",
        "style: tone down {what}",
        "{what} was too loud, so the colour is paler now.",
        "Paler text in {what}",
    ),
    (
        "overflow",
        "layout: {what} breaks out of the grid",
        "Stretches {what} beyond the content width for more impact.",
        "{what} extends beyond the content width",
    ),
    (
        "overlap",
        "layout: tuck {what} under its predecessor",
        "Reduces the gap above {what} with a negative margin.",
        "Less distance above {what}",
    ),
    (
        "hidden-element",
        "Feature flag off: {what}",
        "Until the release {what} must not be shown.",
        "{what} is no longer shown",
    ),
    (
        "insert-banner",
        "Put a notice above the content",
        "Readers should see {what} first, above everything else.",
        "{what} is inserted above the content",
    ),
    (
        "insert-card",
        "content: new card",
        "Publishes {what} together with the others.",
        "A card for {what} shows up",
    ),
    (
        "insert-row",
        "content: one more line",
        "Inserts {what} into the list of lines.",
        "{what} is listed as an additional line",
    ),
    (
        "remove-banner",
        "cleanup: {what} has expired",
        "{what} is not needed any more and goes away.",
        "No more {what}",
    ),
    (
        "remove-card",
        "content: unpublish {what}",
        "{what} leaves the page, the others close up.",
        "The card of {what} is deleted",
    ),
    (
        "remove-row",
        "content: delete {what}",
        "Removes the line with {what}.",
        "The line with {what} is deleted",
    ),
    (
        "move-section",
        "layout: relocate {what}",
        "{what} goes to a different position on the page, its content stays the same.",
        "{what} appears in a different position",
    ),
    (
        "reorder",
        "Change the sequence around {what}",
        "{what} and the one that followed it trade places.",
        "{what} comes one position later",
    ),
    (
        "move-with-edit",
        "Relocate {what} and tweak its text",
        "{what} goes elsewhere in its list; while at it, the text becomes \"{to}\".",
        "\"{to}\" appears in a new position",
    ),
    (
        "image-swap",
        "assets: replace {what}",
        "We got a better picture, {what} is exchanged.",
        "A new image as {what}",
    ),
    (
        "broken-image",
        "assets: {what} now comes from the image service",
        "Only the URL of {what} is different.",
        "{what} has a new source URL",
    ),
    (
        "noindex",
        "seo: noindex for this route",
        "Crawlers should skip this page, therefore robots says noindex.",
        "The robots meta tag contains noindex",
    ),
    (
        "canonical-host",
        "seo: canonical URL moves",
        "We point rel=canonical at {to}.",
        "rel=canonical is {to}",
    ),
    (
        "title-edit",
        "seo: page title",
        "Renames the browser tab to \"{to}\".",
        "Browser tab reads \"{to}\"",
    ),
    (
        "description-edit",
        "seo: better snippet",
        "The snippet text for this page is more specific: \"{to}\".",
        "Description meta tag updated",
    ),
    (
        "json-ld-price",
        "seo: offer in schema.org markup",
        "Rich results showed a stale figure, schema.org offer is {to} now.",
        "Offer price in JSON-LD becomes {to}",
    ),
    (
        "clock",
        "Live timestamp",
        "{what} is filled at request time and never the same twice.",
        "Time in {what} varies",
    ),
    (
        "anti-aliasing",
        "Composite {what} separately",
        "GPU layer for {what}, glyph smoothing may vary slightly.",
        "{what} looks the same apart from smoothing",
    ),
    (
        "one-pixel-jitter",
        "Optical alignment of {what}",
        "{what} is offset by 1px.",
        "{what} shifts by 1px",
    ),
    (
        "identical",
        "chore: rerun the pipeline",
        "No code was touched.",
        "Nothing",
    ),
    (
        "class-names",
        "build: scoped class names",
        "Class attributes receive a suffix, the styles themselves are untouched.",
        "Only class attributes differ",
    ),
    (
        "attribute-order",
        "build: switch the template engine",
        "The new engine emits attributes and white space differently.",
        "Source formatting differs",
    ),
];
