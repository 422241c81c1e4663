//! What people write of changes that are none of those planted.

/// Changes of other parts: a title, what should be seen, the scope.
///
/// Their number is odd, so that each of them is said with and without a project's intent.
pub(in crate::words) const ELSEWHERE: [(&str, &str, &[&str]); 81] = [
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
