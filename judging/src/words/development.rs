//! The wording of the development half, in several voices.

mod backend;
mod chatty;
mod conventional;
mod designer;
mod junior;
mod marketer;
mod plain;
mod product;
mod terse;
mod ticket;
mod translator;

use super::Template;

/// Every voice has its own words for every edit.
pub(super) static VOICES: [[Template; 32]; 11] = [
    plain::TEMPLATES,
    terse::TEMPLATES,
    chatty::TEMPLATES,
    ticket::TEMPLATES,
    conventional::TEMPLATES,
    marketer::TEMPLATES,
    backend::TEMPLATES,
    translator::TEMPLATES,
    designer::TEMPLATES,
    product::TEMPLATES,
    junior::TEMPLATES,
];

/// Changes of other parts: a title, what should be seen, the scope.
///
/// Their number is odd, so that each of them is said with and without a project's intent.
pub(super) const ELSEWHERE: [(&str, &str, &[&str]); 81] = [
    (
        "Account menu: show initials instead of the default avatar",
        "The account menu shows two initials in a circle",
        &[".account-menu", "AccountMenu"],
    ),
    (
        "Update the copyright year in the footer",
        "The footer names the new year",
        &["footer", ".site-footer"],
    ),
    (
        "Cookie dialog gets a decline button",
        "A second button appears in the cookie dialog",
        &["#cookie-dialog"],
    ),
    (
        "Search overlay: larger input",
        "The input of the search overlay is taller",
        &["#search-overlay", ".search-overlay *"],
    ),
    (
        "Move the chat bubble to the left corner",
        "The chat bubble sits bottom left",
        &[".chat-bubble"],
    ),
    (
        "feat(404): illustration and a way back",
        "Error page with a drawing and a button to the start page",
        &["NotFoundPage", ".error-404"],
    ),
    (
        "fix(toast): stack from the bottom",
        "toasts pile up in the lower right corner",
        &[".toast", ".toast-region", "ToastRegion"],
    ),
    (
        "I18N-12: Language chooser as drop-down",
        "In place of the flags there is a drop-down with the names of the languages",
        &["#language-chooser", "LanguageChooser"],
    ),
    (
        "Nicer e-mails: our receipt gets a round logo",
        "People who have paid receive an e-mail with a round logo at the top",
        &["emails/receipt"],
    ),
    (
        "style(print): wider margins on invoices",
        "Printed invoices keep two centimetres on each side",
        &[".invoice-print", "InvoiceSheet"],
    ),
    (
        "AUTH-61 Password reset: show the rules while typing",
        "Below the new password a list of rules is ticked off",
        &["#password-reset form", ".password-rules"],
    ),
    (
        "The video player finally gets captions",
        "When you start a clip, there is a captions button beside the volume",
        &[".video-player .controls"],
    ),
    (
        "feat: keyboard shortcuts dialog",
        "pressing ? opens a list of shortcuts",
        &["ShortcutsDialog", "#shortcuts-dialog"],
    ),
    (
        "Burger menu on phones: slide in from the right",
        "On small screens the menu slides in from the right edge",
        &[".mobile-drawer"],
    ),
    (
        "refactor(tour): onboarding in three steps instead of five",
        "New users see three hints after signing up",
        &[".onboarding-tour", "OnboardingTour"],
    ),
    (
        "HR-88: Fill out fields for salary in application form",
        "Application form has two additional fields, minimum and maximum salary",
        &["#application-form"],
    ),
    (
        "Wish list drawer: bigger thumbnails",
        "Thumbnails in the wish list are twice as large",
        &["[data-testid=\"wishlist-drawer\"]", ".wishlist"],
    ),
    (
        "feat(newsletter): pop-up asks only once",
        "The sign-up pop-up has a new headline",
        &[".signup-popup"],
    ),
    (
        "fix(footer): social icons were misaligned",
        "Icons in the footer sit on one line",
        &["footer .social", "SocialLinks"],
    ),
    (
        "Dark mode toggle in the settings drawer",
        "A toggle is added to the settings drawer",
        &[".settings-drawer", ".settings-drawer *"],
    ),
    (
        "Restyle the 404 illustration",
        "The error page has a new drawing",
        &[".error-page"],
    ),
    (
        "Login: show/hide toggle for the password",
        "An eye icon appears at the end of the password field",
        &[".login-form__password", "PasswordField"],
    ),
    (
        "admin: bulk delete for user accounts",
        "Checkboxes in front of the users and a delete button above them",
        &["src/admin/users/**", ".admin-users"],
    ),
    (
        "Order confirmation e-mail gets the new logo",
        "The header of the mail shows the round logo",
        &["emails/templates/order-confirmation.mjml", "MailHeader"],
    ),
    (
        "Cookie dialog: reject button as prominent as accept",
        "Both buttons in the cookie dialog have the same size and colour",
        &["#cookie-consent", ".cookie-consent__actions button"],
    ),
    (
        "fix(app): safe area on phones with a notch",
        "The tab bar of the app no longer sits under the home indicator",
        &["mobile/src/shell/**/*.tsx", "TabBar"],
    ),
    (
        "Highlight the search term in the results",
        "Matches in the search results have a yellow background",
        &[".search-results mark", "SearchResultItem"],
    ),
    (
        "Footer: add Mastodon, drop Twitter",
        "The social icons in the footer show Mastodon instead of Twitter",
        &["footer .social-links"],
    ),
    (
        "404 page with a link back home",
        "The not-found page has a friendly drawing and a link to the start page",
        &["pages/404.html", ".not-found"],
    ),
    (
        "Let people pick the language in the header",
        "A language switch with three entries at the top right",
        &["SiteHeader", ".lang-switch", "i18n/*.json"],
    ),
    (
        "checkout: split the address into two columns",
        "Street and city stand side by side in the second step of the checkout",
        &["CheckoutAddressStep", ".checkout-step--address"],
    ),
    (
        "Avatar upload on the profile page",
        "Users can see a round preview of their picture before they save it",
        &["src/profile/AvatarUpload.vue", ".profile__avatar"],
    ),
    (
        "nav: mega menu closes on Escape",
        "Pressing Escape shuts the open menu and puts the focus back on its button",
        &["nav[aria-label=\"Main\"]", "MegaMenu"],
    ),
    (
        "Two-factor setup: larger QR code",
        "The QR code on the security settings page is 240px wide",
        &[".two-factor img.qr", "src/settings/security/*"],
    ),
    (
        "Chat widget hides behind the keyboard on iOS",
        "The chat bubble stays above the on-screen keyboard",
        &["ChatWidget", "#support-chat"],
    ),
    (
        "Print stylesheet for invoices",
        "Printed invoices come without navigation and with black text",
        &["styles/print/invoice.css", ".invoice"],
    ),
    (
        "Onboarding tour: one step fewer",
        "The tour has four steps, the one about keyboard shortcuts is gone",
        &["src/onboarding/**", ".tour-step"],
    ),
    (
        "Job offers: filter by city",
        "A drop-down with the cities above the list of vacancies",
        &["JobBoard", ".vacancies__filter"],
    ),
    (
        "Unsubscribe page says sorry a bit less",
        "The text on the unsubscribe page is down to a single sentence",
        &["templates/newsletter/unsubscribe.twig"],
    ),
    (
        "Store locator: cluster the pins",
        "Near-by shops are drawn as one pin with a number on the map",
        &["#store-map", "StoreLocator", "src/map/cluster*.ts"],
    ),
    (
        "Notification bell shows the count of unread messages",
        "A red badge with a number on the bell in the top bar",
        &[".topbar .bell", "NotificationBell"],
    ),
    (
        "Bigger sign-in button on the login screen",
        "the button below the password field is taller and spans the form",
        &[".login-form", "LoginPage"],
    ),
    (
        "Show which admin deleted a user",
        "a row with the name of the admin is added at the end of the audit log",
        &["src/admin/**", ".audit-log"],
    ),
    (
        "Order confirmation mail: fix total",
        "the price at the bottom of the mail includes shipping",
        &["emails/order-confirmation.mjml"],
    ),
    (
        "Reject button as prominent as accept in cookie settings",
        "both buttons of the cookie dialog have the same colour",
        &["#cookie-consent", ".cookie-banner__actions"],
    ),
    (
        "Collapse the app shell sidebar to icons",
        "text next to the icons in the sidebar is removed, only the icons remain",
        &["AppShell", "components/shell/Sidebar.tsx"],
    ),
    (
        "Highlight the query in search results",
        "the words searched for are bold in each result",
        &[".search-results li", "SearchHit"],
    ),
    (
        "Footer: link to the Mastodon account",
        "a link is added at the end of the social media list in the footer",
        &["footer", "partials/_footer.html.erb"],
    ),
    (
        "Round profile pictures",
        "the picture in the profile header is a circle instead of a square",
        &[".profile-header img", "Avatar"],
    ),
    (
        "Checkout: move voucher field above the summary",
        "the voucher field moved above the summary, the button to pay stays where it is",
        &["checkout/**/*.vue"],
    ),
    (
        "Agent messages in grey",
        "chat bubbles of our agents get another background colour",
        &[".chat-bubble--agent"],
    ),
    (
        "Bring back zoom buttons on the store map",
        "plus and minus buttons in the lower right corner of the map",
        &["#store-map", "StoreLocator"],
    ),
    (
        "Print styles: drop navigation and banner",
        "printed pages have neither the navigation nor the banner on top",
        &["print.css", "@media print"],
    ),
    (
        "Onboarding step 3 has a new picture",
        "another picture on the third card of the tour",
        &["OnboardingTour", ".onboarding-step-3"],
    ),
    (
        "Unread dot for notifications",
        "a red dot at the bell while there is something unread",
        &["header .bell", "NotificationBell.svelte"],
    ),
    (
        "Friendlier 404",
        "heading reads \"This page has wandered off\", with a link to the start page below",
        &["templates/404.html"],
    ),
    (
        "Imprint: new managing director",
        "the name after \"Managing director\" is Petra Vogel",
        &["imprint.md", "/imprint"],
    ),
    (
        "Remove the filled position of site manager",
        "the card of the site manager is gone from the job list",
        &[".job-card", "pages/careers/*"],
    ),
    (
        "Newsletter template: swap header image",
        "the autumn picture at the top of the mail",
        &["newsletter/templates/base.html"],
    ),
    (
        "Show file size in downloads",
        "each row of the downloads has the size in MB after the file name",
        &[".download-list .row"],
    ),
    (
        "Video player: larger play button",
        "the play button in the middle of the video is larger and white",
        &["VideoPlayer", ".vjs-big-play-button"],
    ),
    (
        "Comments: newest first",
        "order of the comments is reversed",
        &["#comments", "components/CommentThread.*"],
    ),
    (
        "Hide the delete account button behind a link",
        "button to delete the account is removed from the settings, there is a plain link instead",
        &["settings/danger-zone", ".danger-zone"],
    ),
    (
        "Password reset mail says how long the link is valid",
        "additional text \"The link is valid for 30 minutes.\" beneath the button",
        &["app/views/mailers/password_reset.*"],
    ),
    (
        "Admin: mark locked users in red",
        "rows of locked users have red text in the user list",
        &["admin/users", "tr.user--locked"],
    ),
    (
        "Drop the app store badges from the footer",
        "the two pictures linking to the app stores are removed",
        &[".site-footer .badges"],
    ),
    (
        "Breadcrumb separator",
        "slashes between the breadcrumb links are replaced by small arrows",
        &["nav.breadcrumb", "Breadcrumbs"],
    ),
    (
        "Maintenance page with end of the downtime",
        "the text of the maintenance page names the time we'll be back",
        &["static/maintenance.html"],
    ),
    (
        "Mini cart shows shipping",
        "a new row \"Shipping\" above the total price in the mini cart",
        &[".mini-cart", "MiniCartSummary"],
    ),
    (
        "Language switch moved into the menu",
        "the language links have moved from the top bar to the bottom of the mobile menu",
        &["LanguageSwitcher", "header.topbar"],
    ),
    (
        "Two-factor setup: spacing around the QR code",
        "more room around the QR code so it can be scanned",
        &["TwoFactorSetup", "src/account/2fa/**"],
    ),
    (
        "Toast messages at the bottom",
        "toasts slide in at the bottom left instead of the top right",
        &[".toast-container"],
    ),
    (
        "Invoice PDF heading",
        "heading of the PDF is \"Invoice\" instead of \"Bill\" and set in the brand font",
        &["pdf/invoice.hbs"],
    ),
    (
        "Empty state for saved searches",
        "a picture and the text \"Nothing saved yet\" when the list is empty",
        &["SavedSearches", ".empty-state"],
    ),
    (
        "Remove offline banner from the app shell",
        "the yellow banner does not appear any longer when the connection is lost",
        &["app-shell/offline-banner.ts"],
    ),
    (
        "Review stars in another colour",
        "stars below customer reviews are gold, not orange",
        &[".review-stars", "RatingInput"],
    ),
    (
        "Gift card option in checkout",
        "a third card \"Pay with gift card\" in the list of payment methods",
        &["#payment-methods", "checkout/payment/*"],
    ),
    (
        "Chat launcher covered the cookie link",
        "the chat button sits 60 px higher so that the link in the footer is free",
        &["#chat-launcher"],
    ),
    (
        "Job ad: salary range visible",
        "below the heading of each job offer there's a line with the salary range",
        &["JobDetail", "views/jobs/show.html"],
    ),
    (
        "Survey after support chats",
        "five smileys to click once a chat is closed",
        &["widgets/chat-survey/**"],
    ),
    (
        "Tab icon for dark mode",
        "a lighter favicon when the system is in dark mode",
        &["favicon*.svg", "public/site.webmanifest"],
    ),
];

/// Ways to say that nothing changes to the eye.
///
/// Their number is odd, so that each of them stands in either field.
pub(super) const NOTHING_VISUAL: [&str; 109] = [
    "Refactor, no visual change expected.",
    "Bumps the bundler and the linter. Nothing should look different.",
    "Internal clean-up of the view layer; the rendered pages stay as they are.",
    "Move helpers into their own package. No user-facing change.",
    "Rename CSS variables; pixel-identical.",
    "No UI impact.",
    "chore(deps): monthly updates. Screenshots should not change.",
    "Replaces our own debounce with the one from the standard library and deletes the tests that came with it. The screens must look exactly as before.",
    "Types only.\n\nThe view models are strict now, which found two unused fields. No visible difference on any page.",
    "Just some plumbing for our analytics, people will not notice anything on the screen.",
    "TECH-71: Change of the logging library. No effect on the surface for the user.",
    "perf: memoize selectors, identical output",
    "Splits the big style sheet into one file per component. The order of the rules is kept, so every page should be rendered the same to the pixel.",
    "Server side only: the cache keys contain the tenant now, and old entries expire by themselves. The frontend is not touched, hence no visual differences.",
    "We are switching the test runner this week. If anything on the site looks different afterwards, that is a mistake.",
    "Zero visual diff intended - only moves code from utils/ to lib/.",
    "OPS-40 Upgrade of the container image to the next long-term version. Appearance and contents of all pages have to remain unchanged.",
    "Clean-up after the experiment: the losing variant was not delivered to anybody, its code goes away. What visitors see stays the same.",
    "Adds unit tests and a small fixture factory. Not visible to users.",
    "Pure refactoring: splits the big component in three, output should be identical.",
    "Dependency updates only, no visual differences intended.",
    "Types and tests. Users will not notice anything.",
    "Performance work on the server side rendering; same markup, same look.",
    "Pure refactor of the template helpers. Rendered output is the same before and after.",
    "Bumps webpack from 5.88 to 5.91. Pages should come out exactly as they did.",
    "Users won't notice a thing, this only moves the session store from Redis 6 to Redis 7.",
    "I only renamed the BEM classes to our new prefix, in the markup and the SCSS alike. Screens look identical.",
    "Swap moment for date-fns. Same formats, same output, 60 kB less JavaScript.",
    "If you can tell the difference in the browser, I did something wrong.",
    "Convert the build to ESM. I diffed the generated HTML and it is empty.",
    "Extracts the duplicated grid rules into a mixin; the compiled CSS is byte-identical.",
    "Upgrade to React 18 without opting in to concurrent rendering yet. We expect every page to render as it does today.",
    "The design stays as is. I merely replaced the hand-written flex helpers with the ones from the framework, which resolve to the same values.",
    "TypeScript strict mode for the whole frontend. Types only, no runtime changes.",
    "Behind the scenes only: the API client now retries on 502.",
    "From a visitor's point of view it's a no-op.",
    "Rewrites the pricing service in Go. The contract is the same and so is what ends up on the page.",
    "We are getting rid of jQuery on this route. The look and feel must remain exactly what it was, please flag anything that moved.",
    "No visual change intended. Replaces colour literals with tokens of the same value.",
    "This PR has no user-facing effect, it prepares the ground for the new theming in #3310.",
    "Our Docker base image goes from Debian 11 to 12. I rebuilt the site with it and got the same files.",
    "Makes the visual tests less flaky by waiting for the fonts. The pages themselves are left alone.",
    "Turns class components into function components with hooks, one for one, without altering their markup.",
    "Appearance and wording are unaffected; what changes is where the strings are stored (JSON instead of PHP arrays).",
    "Store data attributes for analytics on the buttons. Invisible for whoever uses the page.",
    "Moves files around so that every feature has its own folder. Snapshots pass without an update.",
    "The CSS is now minified with Lightning CSS in place of cssnano. Should be pixel for pixel what we have in production.",
    "Caches the rendered fragments for five minutes. Content and layout come out the same either way.",
    "Switches the translation files to ICU syntax. I checked all pages in the three languages and could not find any deviation.",
    "Splits the 900-line stylesheet into partials. The compiled output is byte for byte what we had, so the pages look the way they always did.",
    "Bump webpack to 5.91 and babel to latest. You shouldn't be able to tell from looking at the site.",
    "chore(deps): update dependency postcss to v8.4.38. This update does not affect the appearance of any page.",
    "Purely under the bonnet: database connections now go through a pool. Visitors will not notice a thing.",
    "Refactor of the header component into hooks, no visual changes.",
    "We migrated the hosting from Frankfurt to Dublin on Tuesday night. For the customer everything looks exactly the same as on Monday.",
    "Moved tracking from gtag to our own endpoint. What people get to see stays precisely as it is.",
    "Adds aria-labels to all icon buttons. Screen readers benefit; sighted users see the very same page.",
    "I only renamed the variables because nobody understood them any more, the screens are untouched.",
    "QA: full regression on 14 screens, before and after are indistinguishable.",
    "Dear team, this delivery contains only the agreed internal restructuring of the templates. The visual result is identical to the previous delivery.",
    "Just tests. Not a single pixel moves.",
    "Switch from npm to pnpm. Lockfile noise aside there is nothing to look at here, the UI is as it was.",
    "Replace moment.js by date-fns; dates are formatted to the same strings, so on screen it is all the same.",
    "Nothing changes for the eye, we only cleaned the code a bit.",
    "Type annotations for the whole cart module. Zero impact on what gets rendered.",
    "Automated commit by i18n-bot: sorted translation keys alphabetically. Displayed texts remain the same.",
    "Sorry for big diff, it is only the formatting with new tool. In the browser you will see no difference.",
    "Server now sends Brotli instead of gzip. The page arrives a bit smaller and looks no different.",
    "Removed 4,000 lines of dead CSS which no selector matched any more. I compared screenshots of every template and they are all the same.",
    "Design tokens renamed from camelCase to kebab-case. Same values, same look, just another name on the tin.",
    "No user-facing change whatsoever: this only touches the Jenkinsfile.",
    "Rewrote the footer in TypeScript. If you spot any difference on the page, it's a bug, because there isn't supposed to be one.",
    "Moves inline scripts to external files so that we can tighten the CSP. The look of the site isn't affected in any way.",
    "Visual diff: none expected. This PR adds data-testid attributes so the e2e suite stops relying on text.",
    "For info to the editors: the CMS has been upgraded over the weekend. Your pages look exactly as you left them.",
    "Internal only – nobody outside the team will see anything of this.",
    "Converts class components to function components (batch 3 of 7). Output HTML is unchanged and so is everything you can see.",
    "Upgraded nginx from 1.22 to 1.26, pages come out the same as ever.",
    "As promised to the client: the accessibility fixes (roles, landmarks, lang attributes) are all invisible. The layout has not been altered.",
    "Feature flag scaffolding, defaults to off. Until someone flips it, users see what they saw yesterday.",
    "Consolidates three logging libraries into one; no effect on the front end's appearance.",
    "Snapshot tests regenerated after the prettier upgrade, whitespace only, nothing visible.",
    "We have changed the naming convention to BEM in all the components. Visually all remains equal.",
    "This is a no-op as far as the eye is concerned: the grid mixin was inlined.",
    "Please approve quickly, it's merely a licence header in every file and you can't see any of that on the site.",
    "Extracted the colours into custom properties. Every computed colour is what it was before, so expect an empty screenshot diff.",
    "Adds retry logic to the product API client. The interface looks and reads the same.",
    "What changes: the deploy script. What changes for people looking at the site: nothing.",
    "Preload hints for both web fonts. Pages may paint sooner, but once they're there they look just like before.",
    "Replaces jQuery's $.each by native loops all over the place. Had our designer check it, she couldn't find one difference.",
    "Server-side rendering for the account pages, the rendered result being the same as that of the client-side version down to the pixel.",
    "refactor: get rid of circular imports (no visual change)",
    "Agency note: we swapped the build from Gulp to Vite within the maintenance contract. You will find your website visually unaltered.",
    "Sentry release tagging. Cosmetically a non-event.",
    "Swap md5 for sha256 in the asset fingerprints. File names differ, pictures don't, pages stay as they are to look at.",
    "Only alt texts and captions for screen readers were added by editorial. On the page itself you don't see anything new.",
    "Invisible to visitors: hreflang tags for the Swiss and Austrian sites.",
    "The 12 unit tests that I promised. Since no production code is touched, the site can't look any different.",
    "Backport of the security patch to the 3.x branch. It was verified that the patch leaves the appearance of the application alone.",
    "Changed the cache headers from 5 minutes to 1 hour. Content and design are the same ones as before.",
    "Drops IE11 polyfills. In every browser we still support, the site is visually the same.",
    "Database column renamed from `usr_nm` to `user_name`, with the mapping adapted. What's on screen doesn't change.",
    "Moved from LESS to SCSS! I was scared too, but the screenshots before and after are a perfect match.",
    "ESLint fixes, import order, that kind of thing. The pages won't look any different for it.",
    "Cut the monolithic template into includes, without any changes that could be seen in a browser.",
    "This ticket is of technical nature only; from the perspective of the end user the pages are unchanged.",
    "Attributes reordered by the linter, which is of no consequence for what's displayed.",
    "Consent Mode v2 parameters sent to Google in the background. No visual changes to the cookie dialog or anywhere else.",
    "GraphQL instead of REST for the landing pages. Same data in, same pages out, same looks.",
];
