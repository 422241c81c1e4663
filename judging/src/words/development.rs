//! The wording of the development half, in several voices.

mod chatty;
mod conventional;
mod plain;
mod terse;
mod ticket;

use super::Template;

/// Every voice has its own words for every edit.
pub(super) const VOICES: [[Template; 32]; 5] = [
    plain::TEMPLATES,
    terse::TEMPLATES,
    chatty::TEMPLATES,
    ticket::TEMPLATES,
    conventional::TEMPLATES,
];

/// Changes of other parts: a title, what should be seen, the scope.
///
/// Their number is odd, so that each of them is said with and without a project's intent.
pub(super) const ELSEWHERE: [(&str, &str, &[&str]); 21] = [
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
];

/// Ways to say that nothing changes to the eye.
///
/// Their number is odd, so that each of them stands in either field.
pub(super) const NOTHING_VISUAL: [&str; 23] = [
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
];
