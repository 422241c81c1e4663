//! Engineers who write conventional commits and as few words as they can.

use crate::words::Template;

/// The words for every edit.
pub(super) const TEMPLATES: [Template; 32] = [
    (
        "text-edit",
        "fix(copy): reword {what}",
        "copy update for {what}, wording only.",
        "{what} reads \"{to}\"",
    ),
    (
        "price-edit",
        "fix(pricing): {what} -> {to}",
        "sync {what} with the price list.",
        "{what}: {to}",
    ),
    (
        "link-target",
        "chore(links): new href on {what}",
        "skip the redirect hop, {what} resolves to {to} directly.",
        "{what} goes to {to}",
    ),
    (
        "colour-change",
        "style(theme): new color token for {what}",
        "swap the background token of {what}, box sizes untouched.",
        "{what} has a new background",
    ),
    (
        "spacing-change",
        "style(spacing): bump padding of {what}",
        "more whitespace inside {what}, everything underneath shifts down.",
        "extra padding, {what}",
    ),
    (
        "font-change",
        "style(type): switch {what} to the serif stack",
        "first step of the typography rework, only this one for now.",
        "{what} in serif",
    ),
    (
        "contrast-loss",
        "style: mute {what}",
        "tone the text color of {what} down, it was competing with the content next to it.",
        "{what} with paler text",
    ),
    (
        "overflow",
        "style(layout): break {what} out of the container",
        "negative right margin on {what}, runs past the content width now.",
        "{what} extends past the container",
    ),
    (
        "overlap",
        "fix(layout): tighten gap above {what}",
        "margin-top goes negative, closes the hole between {what} and the block before it.",
        "{what} moved up, less gap",
    ),
    (
        "hidden-element",
        "feat(flags): turn off {what}",
        "visibility hidden until the endpoint is deployed.",
        "{what} invisible",
    ),
    (
        "insert-banner",
        "feat: show {what} on top of the page",
        "rendered above the header for all visitors, content starts lower.",
        "{what} shows up",
    ),
    (
        "insert-card",
        "feat(content): add {what}",
        "one more entry in the grid, later ones reflow.",
        "{what} added",
    ),
    (
        "insert-row",
        "feat(data): new row, {what}",
        "seed data only, table gets one row longer.",
        "new row: {what}",
    ),
    (
        "remove-banner",
        "chore: drop {what}",
        "expired. page moves up by its height.",
        "{what} removed",
    ),
    (
        "remove-card",
        "chore(content): delete {what}",
        "outdated, remaining cards close the gap.",
        "{what} no longer rendered",
    ),
    (
        "remove-row",
        "fix(data): remove {what}",
        "stale record, table is one row shorter.",
        "row removed: {what}",
    ),
    (
        "move-section",
        "refactor(layout): relocate {what}",
        "reorders blocks: {what} sits somewhere else now, content of all blocks as before.",
        "{what} at a new position",
    ),
    (
        "reorder",
        "fix(sort): {what} one position later",
        "order was wrong, swap {what} with the following item.",
        "{what} after its former successor",
    ),
    (
        "move-with-edit",
        "chore(content): move + rename {what}",
        "new label \"{to}\", new slot in the list as well.",
        "\"{to}\" at a new position",
    ),
    (
        "image-swap",
        "feat(assets): replace {what}",
        "new asset, same dimensions.",
        "different image for {what}",
    ),
    (
        "broken-image",
        "chore(assets): migrate {what} to /media",
        "src of {what} is the hashed path now.",
        "new src: {what}",
    ),
    (
        "noindex",
        "feat(seo): noindex",
        "robots meta -> noindex, crawlers should skip it.",
        "robots meta: noindex",
    ),
    (
        "canonical-host",
        "fix(seo): canonical host",
        "canonical points to {to} from now on.",
        "canonical = {to}",
    ),
    (
        "title-edit",
        "chore(seo): page title",
        "new title tag for the search snippet, \"{to}\".",
        "title tag: {to}",
    ),
    (
        "description-edit",
        "chore(seo): meta description",
        "snippet text was outdated.",
        "new meta description",
    ),
    (
        "json-ld-price",
        "fix(seo): offer price in JSON-LD",
        "schema.org markup lagged behind, now {to}.",
        "JSON-LD offer price {to}",
    ),
    (
        "clock",
        "feat: compute {what} per request",
        "prints the current time on every request, expect {what} to differ.",
        "{what} is dynamic",
    ),
    (
        "anti-aliasing",
        "perf: promote {what} to its own layer",
        "gpu compositing for {what}, subpixel differences at most.",
        "{what}: subpixel noise at most",
    ),
    (
        "one-pixel-jitter",
        "style: 1px nudge for {what}",
        "optical alignment of {what}.",
        "{what} 1px to the right",
    ),
    (
        "identical",
        "chore: empty commit to retrigger CI",
        "no code changes.",
        "no changes at all",
    ),
    (
        "class-names",
        "build: hashed class names",
        "css-loader localIdentName changed, computed styles are the same.",
        "class attributes only",
    ),
    (
        "attribute-order",
        "build: upgrade the HTML serializer",
        "attribute order and whitespace differ in the output, DOM is equivalent.",
        "source formatting only",
    ),
];
