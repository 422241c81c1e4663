//! What an unknown address shows.

use leptos::prelude::*;

use crate::browser;
use crate::components::notice::Empty;

/// Says that nothing is here, and where to go.
#[component]
pub(crate) fn NotFound() -> impl IntoView {
    browser::set_title("Not found");
    view! {
        <div class="page">
            <Empty title="Nothing is at this address">
                <p>"It may have been mistyped. "<a href="/app">"Go to the jobs"</a></p>
            </Empty>
        </div>
    }
}
