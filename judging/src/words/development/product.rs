//! A product manager who writes user stories, acceptance criteria and release notes.

use crate::words::Template;

/// The words for every edit.
pub(super) const TEMPLATES: [Template; 32] = [
    (
        "text-edit",
        "Clarify the copy in {what} after user interviews",
        "As a visitor I want to understand at first glance what I'm looking at, so that I don't have to ask support. Four out of six participants stumbled over the current words.",
        "AC: the copy in {what} is \"{to}\"",
    ),
    (
        "price-edit",
        "Release 24.3 pricing decision: {to}",
        "The pricing committee signed this off last Thursday and it goes live with the release. Only {what} is in scope, other amounts follow in a later story.",
        "Given I open the page, when I look at {what}, then I see {to}",
    ),
    (
        "link-target",
        "Fix the funnel: {what} should take visitors to {to}",
        "As a visitor I want to end up on the right page when I click, so that I can go on with what I came for. Analytics shows a 38% drop-off on the old destination.",
        "When I follow {what}, then I arrive at {to}",
    ),
    (
        "colour-change",
        "Experiment 118, variant B: different colour for {what}",
        "Hypothesis: a more distinctive colour gets more attention. Variant B is rolled out to everybody after two weeks of test.",
        "AC1: {what} has the colour of variant B. AC2: wording and size unchanged.",
    ),
    (
        "spacing-change",
        "Improve scannability by giving {what} more room",
        "As a reader I want content to be clearly separated so that I can find my way around. Please don't worry that the rest of the page gets pushed down, that's agreed.",
        "AC: visibly more distance at {what}, following content further down the page",
    ),
    (
        "font-change",
        "Brand refresh, step 2 of 5: typeface of {what}",
        "Marketing has bought the new licence and wants to see it on the site this quarter. We start with this one heading and collect feedback.",
        "Then {what} is displayed in another font than in the previous release",
    ),
    (
        "contrast-loss",
        "Make {what} less dominant, stakeholder request",
        "Feedback from the steering committee: it draws too much attention. The text is toned down to a very light shade so the more important content can win.",
        "AC: {what} is rendered in a discreet, very pale tone",
    ),
    (
        "overflow",
        "Give {what} the full width to raise visibility",
        "As a visitor I want to see it big, without it being squeezed into the column. Sales asked for \"as wide as possible\" and this is it.",
        "Given a desktop screen, then {what} is considerably wider than before",
    ),
    (
        "overlap",
        "Teaser effect: have {what} reach into the neighbouring element",
        "Competitor analysis showed that overlapping elements give a more modern impression. It's pulled upwards so the two are seen as one unit.",
        "AC: {what} overlaps with what is next to it",
    ),
    (
        "hidden-element",
        "Soft launch: {what} invisible until go-live",
        "We are not ready to take orders through this entry point yet. Until the launch on the 15th nobody should be able to see it.",
        "Given the feature flag is off, then visitors don't see {what}",
    ),
    (
        "insert-banner",
        "Inform visitors up front with {what}",
        "As a visitor I want to know about current news straight away, so that I'm not caught by surprise. Runs for the duration of the campaign, see the release plan.",
        "When the page has loaded, then {what} is shown",
    ),
    (
        "insert-card",
        "Broaden the offer: {what} joins the list",
        "As a prospective customer I want to see everything I can choose from. Existing cards are out of scope for this story.",
        "AC: {what} is there in addition to the existing cards",
    ),
    (
        "insert-row",
        "Close the information gap with {what}",
        "Support gets about twenty tickets a month because this entry is missing. Content has been provided by the subject matter experts.",
        "Then I find {what} as an additional entry",
    ),
    (
        "remove-banner",
        "Campaign over: sunset {what}",
        "The campaign ended on Sunday and the message is out of date. Click rate was at 0.2% anyway.",
        "Given any visitor, then {what} is not on the page any more",
    ),
    (
        "remove-card",
        "Portfolio clean-up: discontinue {what}",
        "Demand has been below the threshold for three quarters. Existing customers were informed by mail, so it can disappear from the public page.",
        "AC: {what} has been taken off the list, the other cards remain",
    ),
    (
        "remove-row",
        "Retire outdated entry ({what})",
        "As a visitor I only want to see entries that are still valid. Legal confirmed that we don't need to keep this one visible.",
        "AC: no trace of {what}; all other entries are still there",
    ),
    (
        "move-section",
        "Experiment 121: test another position for {what}",
        "Hypothesis: fewer people bounce if they come across this content at another point of their journey. Content is identical in both variants.",
        "When I scroll through the page, then I meet {what} in a different place than so far",
    ),
    (
        "reorder",
        "Change the priority of {what} against the adjacent item",
        "Usage numbers say the two are in the wrong order. We flip them and look at the numbers again in four weeks.",
        "AC: {what} and the item adjacent to it appear in reversed order",
    ),
    (
        "move-with-edit",
        "Reposition and rephrase {what}",
        "As a visitor I want to get the message where I need it and in words that fit. Both parts (new position, text \"{to}\") belong to the same story and are released together.",
        "Given the new layout, then {what} is at its new position and reads \"{to}\"",
    ),
    (
        "image-swap",
        "Use the Q3 campaign photo in {what}",
        "The current motif tested badly with the target group. The replacement was approved by brand and the rights are cleared until 2027.",
        "AC: {what} features the new motif",
    ),
    (
        "broken-image",
        "CDN migration: serve {what} from the new provider",
        "The contract with the current image provider expires at the end of the month. This story changes the address of this one picture as a pilot.",
        "AC: {what} is requested from the new provider's address",
    ),
    (
        "noindex",
        "Exclude the page from search until the launch",
        "As a product owner I don't want people to find the page through Google before the press release is out. To be reverted with the launch story.",
        "Given a crawler visits the page, then it is told not to index it; visitors notice nothing",
    ),
    (
        "canonical-host",
        "Domain consolidation: {to} becomes the main host",
        "Two domains compete for the same rankings, which hurts us in SEO. The SEO agency recommends declaring one as canonical.",
        "AC: rel=canonical refers to the host {to}",
    ),
    (
        "title-edit",
        "Increase click-through from search with a better page title",
        "The keyword analysis proposes \"{to}\". We'll compare the CTR before and after the release.",
        "AC: document title equals \"{to}\"",
    ),
    (
        "description-edit",
        "SEO sprint: meta description with a clear benefit",
        "As somebody searching the web I want to know what to expect before I click. Proposal from the agency, max. 155 characters.",
        "AC: the description for search engines is \"{to}\"",
    ),
    (
        "json-ld-price",
        "Merchant Center complaint: structured price has to be {to}",
        "Google has flagged a mismatch and threatens to suspend our rich results. Only the machine-readable data needs correction, what visitors see is already right.",
        "Given a search engine reads the JSON-LD, then the price is {to}",
    ),
    (
        "clock",
        "Show visitors how fresh the data is: live time in {what}",
        "As a visitor I want to see at what time the page was delivered, so that I can trust the information. It's fine that the value differs each time the page is opened.",
        "When I open the page twice, then {what} displays two different times",
    ),
    (
        "anti-aliasing",
        "Crisper text rendering in {what} (follow-up to beta feedback)",
        "Some beta users found the letters a bit blurred on certain monitors. Engineering shifts the text by less than a pixel; no functional impact is expected.",
        "AC: at most the edges of the letters in {what} are rendered a touch differently",
    ),
    (
        "one-pixel-jitter",
        "Polish item: {what} off by one pixel",
        "Raised by our CEO, who has very good eyes. Moves it by a single pixel to the right, low priority but quickly done.",
        "AC: {what} is moved to the right by exactly 1 px",
    ),
    (
        "identical",
        "Release 24.3.1: technical re-release",
        "Needed for the new deployment pipeline, no user story attached. Acceptance on staging showed the same pages as in 24.3.0.",
        "Given any page, when I compare it with the last release, then I find no difference",
    ),
    (
        "class-names",
        "Enabler story: rename CSS classes ahead of the design system",
        "As a developer I want consistent names so that the design system can be introduced step by step. No value for end users yet, and nothing they could notice.",
        "AC: classes follow the new naming scheme and visitors see the page as they know it",
    ),
    (
        "attribute-order",
        "Tech debt ticket: harmonise the formatting of the markup",
        "The team asked for some time to get the templates into a uniform shape: attribute sequence, line breaks, blanks. Regression test passed without findings.",
        "AC: page is displayed as before; only the source text is formatted differently",
    ),
];
