//! The wording of the held-out half, in several voices that are none of the development half's.

mod agency;
mod editor;

use super::Template;

/// Every voice has its own words for every edit.
pub(super) const VOICES: [[Template; 32]; 2] = [agency::TEMPLATES, editor::TEMPLATES];

/// Changes of other parts: a title, what should be seen, the scope.
///
/// Their number is odd, so that each of them is said with and without a project's intent.
pub(super) const ELSEWHERE: [(&str, &str, &[&str]); 9] = [
    (
        "Breadcrumb: cut long category names",
        "Long names in the breadcrumb end in an ellipsis",
        &["nav.breadcrumb", "Breadcrumb"],
    ),
    (
        "Gift cards can be designed with a photograph of your own",
        "People who design a gift card will see a button for uploading their own photograph.",
        &["#gift-card-designer"],
    ),
    (
        "Store finder: switch map provider",
        "The map in the store finder has other tiles and pins",
        &[".store-finder", ".store-finder .map"],
    ),
    (
        "Members will see their loyalty points as a bar",
        "In the members' area a bar shows how many points are missing for the next voucher.",
        &[".loyalty-status"],
    ),
    (
        "Fix wobbly star rating on hover",
        "Stars in the rating widget keep their size on hover",
        &["RatingStars", ".rating-stars"],
    ),
    (
        "Admin: drag and drop in the CSV importer",
        "The importer screen has a dashed drop area",
        &["admin/ImporterScreen", "#csv-importer"],
    ),
    (
        "Back-to-top button only after two screens",
        "Back-to-top button shows up later when scrolling",
        &["#back-to-top"],
    ),
    (
        "Webinar registration asks for a time zone",
        "Whoever registers for a webinar chooses a time zone from a list.",
        &["#webinar-registration", ".webinar-registration select"],
    ),
    (
        "Comparison view: sticky first column",
        "First column of the product comparison stays put when you scroll sideways",
        &[".compare-table", "CompareView"],
    ),
];

/// Ways to say that nothing changes to the eye.
///
/// Their number is odd, so that each of them stands in either field.
pub(super) const NOTHING_VISUAL: [&str; 9] = [
    "Swapped webpack for Vite. I clicked through the preview and every page looks the way it did before.",
    "We have moved to a different hosting company. The pages themselves were copied one to one, so nobody who visits us should see any difference.",
    "Lint fixes all over the place, don't be scared by the size of the diff. There's nothing to see in the browser.",
    "Removes CSS that no page uses any more. I compared the templates by hand; the design has not changed in any way.",
    "For the statistics we now count visits without cookies. This happens in the background. The appearance of our pages remains exactly the same.",
    "No design changes in here, just unit tests and a README.",
    "Accessibility checks in the pipeline plus a newer Node version. Layout, colours and texts are all untouched.",
    "Moved the shared helpers into a monorepo package as the client wants to reuse them. If you spot anything that looks different, it's a mistake.",
    "The editors' tool saves drafts automatically from now on. That is only for us in the office: what our readers see stays as it is.",
];
