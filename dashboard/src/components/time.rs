//! A point in time, told from now, with the exact time at hand.

use leptos::prelude::*;

use crate::format;
use crate::shared::use_shared;

/// A relative time; its title is the absolute one in the reader's zone.
#[component]
pub(crate) fn Ago(#[prop(into)] time: String) -> impl IntoView {
    let now_ms = use_shared().now_ms;
    let title = format::absolute(&time);
    let machine = time.clone();
    view! {
        <time datetime=machine title=title>{move || format::ago(&time, now_ms.get())}</time>
    }
}

/// A relative time that is still to come; its title is the absolute one in the reader's zone.
#[component]
pub(crate) fn Until(#[prop(into)] time: String) -> impl IntoView {
    let now_ms = use_shared().now_ms;
    let title = format::absolute(&time);
    let machine = time.clone();
    view! {
        <time datetime=machine title=title>{move || format::ahead(&time, now_ms.get())}</time>
    }
}
