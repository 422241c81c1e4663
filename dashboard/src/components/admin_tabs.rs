//! Where an admin can go beside the projects.

use leptos::prelude::*;
use leptos_router::components::A;

/// The pages for admins, by address and name; the header leads to the first.
pub(crate) const PAGES: [(&str, &str); 3] = [
    ("/app/keys", "Keys"),
    ("/app/webhooks", "Webhooks"),
    ("/app/audit", "Log"),
];

/// What stands above each of these pages.
#[component]
pub(crate) fn AdminTabs() -> impl IntoView {
    view! {
        <nav class="admin-tabs" aria-label="Administration">
            {PAGES.map(|(href, name)| view! { <A href=href>{name}</A> }).collect_view()}
        </nav>
    }
}
