//! The wording of the development half, in several voices.

mod backend;
mod chatty;
mod conventional;
mod marketer;
mod plain;
mod terse;
mod ticket;
mod translator;

use super::Template;

/// Every voice has its own words for every edit.
pub(super) const VOICES: [[Template; 32]; 8] = [
    plain::TEMPLATES,
    terse::TEMPLATES,
    chatty::TEMPLATES,
    ticket::TEMPLATES,
    conventional::TEMPLATES,
    marketer::TEMPLATES,
    backend::TEMPLATES,
    translator::TEMPLATES,
];

/// Changes of other parts: a title, what should be seen, the scope.
///
/// Their number is odd, so that each of them is said with and without a project's intent.
pub(super) const ELSEWHERE: [(&str, &str, &[&str]); 41] = [
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
];

/// Ways to say that nothing changes to the eye.
///
/// Their number is odd, so that each of them stands in either field.
pub(super) const NOTHING_VISUAL: [&str; 49] = [
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
];
