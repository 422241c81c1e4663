//! A senior engineer in clipped, technical pull request language: tokens, property names, refs, sometimes the reason.

use crate::words::Template;

/// The words for every edit.
pub(super) const TEMPLATES: [Template; 32] = [
    (
        "text-edit",
        "copy: s/old/\"{to}\"/ in {what}",
        "String comes from the content sheet, rev 14. No markup touched.",
        "{what} renders \"{to}\"",
    ),
    (
        "price-edit",
        "fix(billing): {what} is stale, should be {to}",
        "Template still had the hard-coded figure from before the April rollout. Bump it to match what we actually charge. Refs #2291.",
        "{what} shows {to} instead of the April figure",
    ),
    (
        "link-target",
        "chore(links): repoint {what}",
        "Old target 301s twice and ends in a 404 for logged-out users. href is now {to}, label unchanged.",
        "href of {what} === {to}; no pixel diff expected",
    ),
    (
        "colour-change",
        "style: switch {what} to the new colour token",
        "Was still on a hex literal from the v1 palette. Uses the design token now, so it does look different.",
        "color of {what} changes, box stays put",
    ),
    (
        "spacing-change",
        "bump padding on {what}",
        "One step up on the spacing scale (4px grid). Pushes the siblings below down accordingly.",
        "{what} gets a taller box; content after it shifts down, otherwise same",
    ),
    (
        "font-change",
        "typography: override font-family for {what}",
        "Design wants the display stack here rather than the inherited body stack. font-size and line-height untouched, wrapping may differ.",
        "different font-family on {what}",
    ),
    (
        "contrast-loss",
        "tone down {what} (muted foreground token)",
        "text-strong was too loud for secondary content. Move to the faintest grey we have in the palette, per the Figma file.",
        "{what} goes to a muted, low-key text colour",
    ),
    (
        "overflow",
        "full-bleed {what}, drop the max-width",
        "Explicit width in px, escapes the container on purpose. Yes, this means a horizontal scrollbar on narrow viewports, product is fine with that.",
        "{what} exceeds the container width; scrollWidth > clientWidth",
    ),
    (
        "overlap",
        "negative margin-top on {what}",
        "Pulls it up into the previous sibling so that the two stack. position: relative plus z-index so it paints on top.",
        "{what} paints over the adjacent block",
    ),
    (
        "hidden-element",
        "feat(flags): gate {what} behind a flag (off)",
        "Endpoint behind it returns 503 until the migration is through. visibility: hidden rather than removing the node, so the layout does not jump. Revert once OPS-418 is closed.",
        "{what} is in the DOM but not visible",
    ),
    (
        "insert-banner",
        "feat(layout): render {what}",
        "Slot already existed in the page shell, now actually filled. Pushes main down by its own height.",
        "new block in the layout: {what}; rest shifts",
    ),
    (
        "insert-card",
        "grid: append {what}",
        "Data-only change in the fixture, the card component is reused as is. Grid reflows on its own.",
        "card count +1 ({what})",
    ),
    (
        "insert-row",
        "data: backfill {what}",
        "Got lost in the importer because of the off-by-one fixed in #1873. Adding the record by hand.",
        "one extra row, namely {what}",
    ),
    (
        "remove-banner",
        "revert: {what}",
        "Incident is closed, status page is green. Takes out the partial and its include, main moves back up.",
        "{what} not rendered any more",
    ),
    (
        "remove-card",
        "rm {what}, SKU is EOL",
        "Upstream stopped returning it, we only had it from the static fallback list. Remaining cards reflow.",
        "n-1 cards, without {what}",
    ),
    (
        "remove-row",
        "drop {what} (dup after the re-import)",
        "Same id twice in the seed file. Delete the second one, no schema change.",
        "{what} no longer in the output, rows below move up",
    ),
    (
        "move-section",
        "relocate {what} within <main>",
        "Pure cut and paste of the include in the page template. Markup of the section itself is byte-identical.",
        "{what} sits at a different position in document order",
    ),
    (
        "reorder",
        "sort order: flip {what} and its sibling",
        "Comparator was inverted for equal weights. Only these two are affected.",
        "{what} and the adjacent sibling exchanged, contents unchanged",
    ),
    (
        "move-with-edit",
        "move {what}, new label \"{to}\"",
        "Two commits squashed: (1) hoist the node into a different parent, (2) change the string to match its new context.",
        "{what} at a new location with text \"{to}\"",
    ),
    (
        "image-swap",
        "assets: new src for {what}",
        "Replaces the placeholder with the final asset, same intrinsic dimensions, so no CLS.",
        "{what} displays the replacement asset",
    ),
    (
        "broken-image",
        "serve {what} from the CDN bucket",
        "Rewrites the img src from /static to the bucket path. Bucket sync has not run in this environment, so it may 404 locally.",
        "src of {what} resolves to a different path",
    ),
    (
        "noindex",
        "seo: robots noindex on this route",
        "Thin content, Search Console flags it every week. Adds the meta tag in head, nothing in body.",
        "<meta name=\"robots\" content=\"noindex\"> in head, body untouched",
    ),
    (
        "canonical-host",
        "rel=canonical -> {to}",
        "SITE_ORIGIN was still the old apex domain. Paths stay as they are, only the host part differs.",
        "canonical link has host {to}",
    ),
    (
        "title-edit",
        "head: <title> is now \"{to}\"",
        "Suffix came in twice from the layout. Set explicitly on the page, h1 not affected.",
        "document.title === \"{to}\"",
    ),
    (
        "description-edit",
        "meta description was the boilerplate default",
        "Fell through to the site-wide fallback because the front matter key was misspelt. Now \"{to}\".",
        "meta[name=description] content is \"{to}\"",
    ),
    (
        "json-ld-price",
        "schema.org: Offer.price = {to}",
        "JSON-LD was out of sync with billing, Merchant Center rejected the feed. Only the script block is edited.",
        "ld+json offer has price {to}, no rendered difference",
    ),
    (
        "clock",
        "stamp render time into {what}",
        "Date.now() formatted on the client. Handy to see cache hits in production; obviously not deterministic.",
        "{what} prints the time of the request, differs per load",
    ),
    (
        "anti-aliasing",
        "translateX(0.3px) hack on {what}",
        "Forces its own compositing layer, works around the Chromium repaint bug. Glyphs rasterise at a fractional offset, so expect AA noise.",
        "subpixel glyph differences in {what} only",
    ),
    (
        "one-pixel-jitter",
        "off by one: {what} +1px on the x axis",
        "Border was not accounted for in the calc(). Rounds to the other side now.",
        "{what} shifted 1px right, nothing you would spot by eye",
    ),
    (
        "identical",
        "ci: trigger rebuild, empty commit",
        "Artifact of the last run expired before promote. Output should hash the same.",
        "no diff, byte for byte",
    ),
    (
        "class-names",
        "css modules: hashed class names",
        "Selector names are generated at build time now, both in the stylesheets and in the templates. Declarations are the same, computed styles too.",
        "computed styles equal before and after",
    ),
    (
        "attribute-order",
        "run prettier over the templates",
        "Sorts attributes and reindents. DOM is equivalent, whitespace between blocks aside. Review with ?w=1.",
        "formatting of the HTML source only, DOM equivalent",
    ),
];
