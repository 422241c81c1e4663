//! Texts as people write them who knew nothing of the rules.

use super::*;
use crate::verdict::intent::sentences::sentences;
use crate::verdict::intent::unchanged::without_unticked;

/// Work on the code, with or without a word on what it does to pages.
const OF_THE_CODE_ALONE: &[&str] = &[
    "chore(deps): update dependency eslint to v9.12.0",
    "Extract the price formatting of the product card into a hook",
    "ci: cache the pnpm store between jobs",
    "fix(worker): retry on SQS throttling with jittered backoff",
    "phpstan level 6",
    "test: add playwright fixtures for logged-in users",
    "Memoize selector in product grid",
    "refactor!: drop CommonJS build, ship ESM only",
    "Update dependency @types/node to v20.16.11 | datasource | package | from | to |\n| npm | @types/node | 20.16.5 | 20.16.11 |",
    "Migrate the header's Redux slice to Zustand store",
    "Terraform module for the staging CDN bucket",
    "perf: lazy-load charting library through dynamic import()",
    "TYPO3: replace deprecated ObjectManager calls by constructor injection",
    "Put the Stripe webhook secret in Vault",
    "Makefile: add `make seed`",
    "Rust 1.81, fix new clippy lints",
    "build(docker): multi-stage image, from 1.3GB down to 210MB",
    "Celery beat schedule lives in the DB now (django-celery-beat)",
    "GraphQL persisted queries",
    "renovate: group all babel packages, automerge patch updates",
    "chore(ci): cache pnpm store between jobs\n\nTouches .github/ only, nothing that ever ships to a browser.",
    "perf: memoize product grid\n\nRenders 4x less often, but what it renders is the same down to the last pixel.",
    "fix(logging): stop writing e-mail addresses into the access log\n\nVisual-Impact: none",
    "Refactoring of module invoice. For the user is everything like before, he will not see any difference.",
    "Switch from Jenkins to GitLab CI. The site does not know about it and neither should its visitors.",
    "feat(api): version 2 of /availability\n\nNo page calls it yet.",
    "Remove jQuery. Yes, all of it. And no, you can't see it's gone, I've looked for two days.",
    "[Backend] Idempotency keys for payment webhooks\n\nFrontend/appearance: out of scope, not modified",
    "Replaces setTimeout polling with websockets for the stock level. Nobody looking at the page would be able to tell.",
    "Extracted useDebounce from the search box. It's a refactor in the strict Fowler sense: zero observable difference, visual or otherwise.",
    "Remove unused CSS (-38 kB). Coverage showed that no page matched these selectors, and the screenshot run afterwards agreed: not one diff.",
    "Backfill job for missing SKUs in the warehouse DB. Staff see nothing, customers see nothing, only finance sleeps better.",
    "refactor(grid): float -> flexbox, tuned until it was indistinguishable from the float version at all six breakpoints",
    "Monorepo-ize. The pages are bit-identical to the ones from release 4.18.",
    "Change in the cache of server (Varnish config TTL 60 to 300). Visual part is not touched by us.",
    "Move secrets from .env to Vault. Nothing should look different.",
];

/// Changes that can be seen, in the words of those who write code.
const SEEN: &[&str] = &[
    "feat(ui): bump Button radius token to 8px",
    "Wire PromoBanner into the layout template behind a flag",
    "Refactors the Header component and makes the logo smaller",
    "chore(deps): bump @acme/design-system to 5.0.0\n\nThe new major switches the body font from Roboto to Inter and makes all inputs 4px taller.",
    "SHOP-412: migrate ProductCard to CSS grid, three columns instead of four on desktop",
    "i18n: update `checkout.cta` key from \"Continue\" to \"Pay now\" in en/de/fr",
    "Add `showBreadcrumbs` prop to PageLayout and set it to true for all category routes",
    "Override $primary in _variables.scss (#0055aa -> #00337f)",
    "Drop the <Testimonials /> import from pages/index.tsx, the section is retired by marketing",
    "Data migration: rename nav item \"Solutions\" to \"Products\" in menu_links",
    "Swap FontAwesome for lucide-react. Icon set is line-style now so header, footer and cart drawer icons get a thinner stroke.",
    "fix(css): z-index of cookie consent dialog, it was sitting behind the sticky header",
    "New content type `faq_entry` in Contentful plus a resolver and an Accordion block rendered under the pricing table",
    "Extracts the footer into a Web Component. While there, I've put the social links in one row and removed the newsletter form.",
    "sort articles by published_at desc in BlogController#index",
    "Enables the `dark_header` variant in theme.json",
    "Tailwind config: extend spacing scale, apply py-24 to all <Section> wrappers so that there's more air between blocks",
    "revert \"feat: sticky sidebar\"\n\nThis reverts commit 8c1f0e2. The table of contents scrolls with the page again.",
    "Bump bootstrap from 4.6.2 to 5.3.3. Note: form labels now sit above the fields, and cards lose their grey header background.",
    "Hook up `stock_level` from the inventory API and render a \"Only 3 left\" badge in PDP template",
    "Twig: print author name and avatar in node--article--teaser.html.twig",
    "remove text-transform: uppercase from h2 mixin",
    "Adds pagination to the Liquid collection template (paginate by 24), replacing the endless list; the page numbers come out under the grid.",
    "CON-77 use next/image for the team page with a 1:1 aspect ratio, portraits are cropped to squares from now on",
    "fix: guard against null `compareAtPrice`, strikethrough price no longer shows \"NaN €\"",
    "Refactor typography tokens\n\n- collapse 11 font sizes into 7\n- h1 goes from 56 to 48px\n- captions go up to 14px\n- tests for the token build",
    "Turn off flag LEGACY_CAROUSEL; homepage renders the static HeroSplit component instead",
    "Set locale format to de-CH in Intl.NumberFormat, so prices have an apostrophe for thousands: 1'299.00",
    "Added a column `Last login` to the admin users table (serializer, type, and DataGrid column def)",
    "Replaces logo.png with logo.svg from the rebrand, update webpack asset rule for inline svg",
    "[a11y] raise contrast of --color-text-muted to pass AA, was #9b9b9b and becomes #6b6b6b",
    "Moved <SearchInput/> from Sidebar slot to Topbar slot",
    "Gutenberg block \"Quote\": register new style variation with a left border in brand green, made default through a block filter",
    "db: seed two further shipping options (express, pick-up point), which come up as radio buttons at step 2 of checkout",
    "feat: expose `ratingAverage` in GraphQL and display stars below the product title",
    "Upgrade MUI v4 -> v5 (codemods run). Default primary colour in v5 is lighter, TextFields switched from standard to outlined variant.",
    "Change default of `cardsPerRow` from 4 to 3",
    "Delete deprecated ChatWidget script tag from _Layout.cshtml; the bubble at bottom right goes away",
    "Hugo partial for reading time, printed next to the date on each post",
    "Fix overflow: hidden regression in .nav-dropdown which clipped the last two submenu entries on Safari",
    "CMS-1290 | Umbraco: new property `pageIntro` (textarea) on the Landing doc type, output as lead paragraph beneath the H1 in the Razor view",
    "clamp() for fluid headings",
    "perf: subset the web fonts and remove the italic cut; emphasised words will be rendered in semibold instead",
    "Add `aria-label`s and visible focus ring (2px, offset 2px, blue) to IconButton via :focus-visible mixin",
    "config: set `footer.showPaymentIcons: true` for the AT and CH stores",
    "Renames CSS var --gap-m and doubles its value, meaning the tiles of the dashboard drift apart",
    "Quick one: swapped order of <Reviews> and <RelatedProducts> in product.vue as asked by Lena",
    "Handle empty state in OrdersList: illustration + \"You have no orders yet\" + link to shop. Reducer has a new `isEmpty` selector.",
    "Drupal: config export – place block 'views_block__events-upcoming' in region sidebar_second on front page",
    "style(tokens): shadow-md → none for cards, add 1px border neutral-200",
    "Pluralise the cart label through ICU message format: \"1 item\" rather than \"1 items\"",
    "breakpoints.js: md from 768 to 900, tablets in portrait get the burger menu in place of the full nav bar",
    "Kill inline styles in the newsletter partial, move to BEM classes. The submit button is full width on mobile as a result.",
    "feat(nav)!: remove `/press` route and its NavLink",
    "Introduce CSS layers; third-party styles lose against ours, hence the datepicker finally takes our purple instead of vendor blue",
    "Jekyll: add tags to front matter of all posts and loop over page.tags in post.html layout to print them as chips",
    "Update the sitemap generator + add \"Careers\" to footerLinks in site.config.ts",
    "Chart.js 2 -> 4 in the reporting module. Legend moved to the bottom by config, gridlines are off, lines are not smoothed any longer.",
    "WEB-3307 Lazy hydrate map on contact page: static PNG of the map with a \"Load map\" button until the user clicks",
    "Make `<Avatar>` fall back to initials on a coloured circle when the image 404s (onError handler, hash of user id picks the colour)",
    "Use line-clamp: 2 for teaser titles",
    "Convert the pricing table from <table> to a stacked card list below 640px using container queries",
    "Magento layout xml: <referenceBlock name=\"catalog.compare.sidebar\" remove=\"true\"/>, the compare box has gone from the category pages",
    "Fixes the hydration mismatch in DateLabel and switches the format to \"12 May 2025\" from \"05/12/2025\"",
    "Replace lorem ipsum in fixtures/cms-home.json by final copy from the agency; this JSON feeds the production landing page",
    "rm margin-top on .container--narrow since there was a white gap between header and hero on article pages",
    "Elementor template part 48: swapped background video for a still image (webp, 1920w), dequeue video script",
    "Backend returns `discountPercent` now, so the ribbon on tiles reads \"-20%\" in place of \"SALE\"",
    "Revamp ToastProvider: context split in two, reducer typed, and toasts pop up top-right rather than at the bottom",
    "SCSS lint fixes\n\nAlso noticed the link hover colour was wrong in the sidebar, now orange as in the Figma file.",
    "Feature flag cleanup: `new_checkout_steps` is on for everyone, the old one-page form template is deleted and visitors get the 3-step progress bar",
    "Blade component x-alert gets an icon slot; warning and error alerts have their icons on the left",
    "fix(grid): off-by-one in chunk() left an orphan tile in the last row of the gallery",
    "Bumped swiper to v11, arrows are hidden by the new defaults and we use pagination dots",
    "max-width: 72ch on .prose",
    "Localised routes: language switcher component in the top bar (DE | EN | FR), with hreflang helper and middleware for the cookie",
    "Ajout d'une prop `size=\"lg\"` sur le bouton d'inscription de la page d'accueil, et passage du fond en dégradé",
    "bump copyright year in footer.ejs",
    "Templating: if `event.isPast` add class .is-past => greyed out with \"Finished\" label. Cron sets the field nightly.",
    "Show `variant.sku` in cart line items when the B2B module is enabled (it is enabled on all stores as of this deploy)",
    "Replaced `display:none` by a media query so the phone number in the top bar is there on mobile also",
];

/// Changes that can be seen beside something that stays.
const SEEN_IN_PART: &[&str] = &[
    "Users did not see the delivery time in the basket. Now it stands right under the item name.",
    "Same content, new clothes: the blog gets the 2025 theme.",
    "Refactors the footer into a component. Desktop is unchanged, on tablets the columns are stacked now.",
    "No API changes. The buttons are rounded instead of square.",
    "fix: error message was not visible on dark background\n\nText colour goes from #444 to #eee.",
    "You'll notice it at once: the homepage has no carousel any more.",
    "Refactor the badge styles. While at it, made all badges 2px smaller so that they don't clip.",
    "Tests and config are untouched, this is CSS only: more air between the cards.",
    "Nothing changes for logged-out visitors. Members see a gold ring around their avatar.",
    "Not a redesign, just a lick of paint: headings are set in Inter from now on.",
    "Unchanged: header, footer, search. Changed: product page goes to two columns.",
    "Fixes the bug where the logo looked identical in light and dark mode. It is white in dark mode now.",
    "Nobody noticed that the German umlauts were cut off at the top. Increased the line height of the h1.",
    "The database schema stays the same; the admin list gets an extra column \"Last login\".",
    "refactor(icons): replace Font Awesome by Lucide\n\nNames remain the same, strokes are thinner and a few glyphs differ.",
    "Before, you couldn't see which tab was active. The active one is underlined after this.",
    "I don't think anyone will miss the social media icons. Removed from all pages.",
    "Upgrade to Bootstrap 5. Expect diffs everywhere: form fields are taller, links are underlined.",
    "There was no empty state on the orders page, users just saw a white screen. Adds illustration and a hint.",
    "The price is the same, but we don't show it crossed out twice any more.",
    "QA: \"Button label not identical to spec\". Changed \"Submit\" to \"Send request\".",
    "Say hello to a calmer checkout! Same three steps you know, without the banner and with one big green button.",
    "Config change only: sets SHOW_PROMO_BAR=true, so the yellow bar comes on at the top of each page.",
    "The layout shift is no more. Image boxes have a fixed 4:3 ratio, which crops some pictures.",
    "Behaviour of the filter not changed. Looks of the filter: changed, see Figma.",
    "No functional changes. Spacing in the sidebar adjusted to the 8px grid.",
    "Make phones and desktops look the same: the desktop menu becomes a hamburger too.",
    "Screenshots will differ on /pricing, that's intended. Nothing else should.",
    "API still returns the same JSON. Front end now prints the date as 3 May 2025 and no longer as 2025-05-03.",
    "refactor: extract Avatar\n\nInitials are shown if there's no picture; earlier it was a grey circle.",
    "In this PR the page of contact is not more blue, is now green like the new brand.",
    "Removes an unused class... which turned out to be used: the hint box loses its grey border. Design is fine with that.",
    "Not visible on the overview, but on the detail page there is a new map.",
    "It's invisible no longer: the skip link appears when it gets focus, and on the landing page it's always shown.",
    "feat(header): sticky header\n\nLooks identical at the top of the page; when you scroll it shrinks to 48px and gets a shadow.",
    "Tests didn't catch that the modal was off-centre on Safari. Centered it.",
    "Cleanup after the refactoring: the spinner was lost on the results page without anybody seeing it. It's back.",
    "Hide the phone number field for users outside the EU. All other fields stay where they are, so there is a gap less in the form.",
    "We can't keep the font since the licence ran out, so the site falls back to Arial until the new one is bought.",
    "As users told us they can't tell the primary from the secondary button, the secondary one is now outlined.",
    "Nothing is where it used to be! Dashboard v3 is here.",
    "No new features, no new pages. But every page now wears the winter background.",
    "Internal refactor of the theme provider + contrast fix: placeholder text darker.",
    "Before/after screenshots attached. Before: 3 cards per row. After: 4.",
    "The two logos should look the same on the login and on the start page, so the login one was swapped for the new SVG.",
    "CI config, lint rules, and - since I was in there - a larger favicon and the new logo in the header.",
    "Don't show the cookie banner on the legal pages.",
    "The refactor in #812 wasn't supposed to change anything but it made the table rows taller. This restores the old height.",
    "Only translators will care: \"Basket\" is now \"Bag\" all over the English site.",
    "For most of the customers it will be same screen, but for business customer there is new VAT line in the summary.",
    "Same picture, different size: hero goes from 480 to 640 px height.",
    "chore: remove the feature flag new-nav\n\nThe new navigation is on for everyone from now on, the old one is deleted.",
    "Visual changes: yes. Unit tests: no.",
    "[x] UI affected\n[ ] API affected\n[ ] No visible change\n\nNew toast design.",
    "There's no difference in what the search finds. The hits are listed with thumbnails now.",
    "Users won't see the sale countdown any more since the sale is over.",
    "Ensures nothing overlaps on small screens: the chat bubble moved to the left corner.",
    "Not tested on IE. Gradient on the call-to-action, subtle shadow on the cards.",
    "Move inline styles to the stylesheet. Two of them had different greys; both use the darker one from here on.",
    "The user doesn't have to look for the logout any more: it has its own entry at the top right.",
    "Bug: identical products were shown twice in \"You may also like\". Each is listed once now, so the strip may have fewer tiles.",
    "Backend only returned 10 reviews. Now returns 20 and the page displays all of them.",
    "An unchanged promise, a brand-new face. Meet our refreshed logo, now live on every page.",
    "Refactored Price component. Output is the same except that the currency sign stands before the amount in the English shop.",
    "No more Comic Sans.",
    "Could not read the text over the photo, so there's a dark overlay beneath it.",
    "I did not touch the JS. In the CSS I replaced all the shadows with 1px borders.",
    "Same height, same width, same place, other colour.",
    "The \"no results\" page looked different from the other error pages. Unified: all have the penguin now.",
    "Users see their own name instead of \"Hello, user\" in the header.",
    "Test IDs added. Also fixes typo on the start page: \"Welcom\" -> \"Welcome\".",
    "Without this, nothing was shown for sold-out sizes; with it they're shown greyed out.",
    "Keep the old URL structure, keep the old texts, drop the old look. Relaunch of the help centre.",
    "Screen readers notice no difference, sighted users do: decorative dividers between the sections.",
    "Looks the same to me on my monitor, but officially the brand red moves from #d0021b to #c8102e on all buttons.",
];

/// Texts that say nothing of what was done.
const UNCLEAR: &[&str] = &[
    "fixes",
    "WIP",
    "misc",
    "address review comments",
    "sprint 14",
    "merge develop into main",
    "release 3.2",
    ".",
    "Update",
    "more changes as discussed in the call",
    "Merge pull request #1187 from mkowalski/patch-3",
    "PR feedback from Tom",
    "final version (really this time)",
    "SHOP-2219",
    "tweaks",
    "v1.18.0-rc.2",
    "try again",
    "see ticket",
    "asdf",
    "Draft: do not merge yet",
];

fn alone(texts: &[&str]) -> Option<String> {
    let told: Vec<String> = texts
        .iter()
        .flat_map(|text| sentences(&without_unticked(text)))
        .collect();
    code_alone(&told)
}

#[test]
fn work_on_the_code_is_told_from_work_on_the_page() {
    for text in [
        "refactor(cards): split in two",
        "perf: render the list once",
        "Extracts the price into a hook",
    ] {
        assert!(begins_with_code(text), "{text}");
    }
    for text in [
        "Test a shorter title",
        "Build a new header",
        "feat(cards): one more",
        "Performance goes to the top",
    ] {
        assert!(!begins_with_code(text), "{text}");
    }
}

#[test]
fn texts_of_nothing_but_the_code_are_known() {
    for text in OF_THE_CODE_ALONE {
        assert!(alone(&[text]).is_some(), "{text}");
    }
}

#[test]
fn texts_of_anything_that_can_be_seen_are_not_taken_for_them() {
    for text in SEEN.iter().chain(SEEN_IN_PART).chain(UNCLEAR) {
        assert_eq!(alone(&[text]), None, "{text}");
    }
    let refactor = "refactor: split the card in three";
    assert!(alone(&[refactor, "Types are strict"]).is_some());
    assert_eq!(alone(&[refactor, "The badge goes to the left"]), None);
    assert!(alone(&[refactor, "If anything looks different, tell me"]).is_some());
    assert_eq!(
        alone(&[refactor, "When a list opens, rows look different"]),
        None
    );
}

#[test]
fn promises_are_limited_by_what_comes_goes_or_is_painted_otherwise() {
    for text in [
        "The shadow is softer",
        "The button is larger for members",
        "Members get a new badge beside their name",
        "Members see a gold ring around their picture",
    ] {
        assert!(limits_a_promise(text), "{text}");
    }
    for text in [
        "The badge does not change its colour",
        "Rename the button component",
        "Move the footer links to the CMS",
        "Adds unit tests for the button to jest",
        "Moves the helpers to a package",
    ] {
        assert!(!limits_a_promise(text), "{text}");
    }
}
