//! A value of the interface as icon, word and colour.

use leptos::prelude::*;

use crate::components::icon::Icon;
use crate::labels::Label;

/// A small label; the word is always there, so that colour is never the only sign.
#[component]
pub(crate) fn Badge(#[prop(into)] label: Signal<Label>) -> impl IntoView {
    view! {
        <span class=move || format!("badge {}", label.get().class)>
            {move || view! { <Icon glyph=label.get().glyph /> }}
            {move || label.get().word}
        </span>
    }
}
