//! The inspect link of an answer: the same page as the review of that result.

use leptos::prelude::*;
use leptos_router::NavigateOptions;
use leptos_router::hooks::{use_navigate, use_params_map};

/// Goes on to the review page; the link's signature is for programs, a reader's session counts here.
#[component]
pub(crate) fn Inspect() -> impl IntoView {
    let params = use_params_map();
    let navigate = use_navigate();
    Effect::new(move |_| {
        let id = params.read().get("id").unwrap_or_default();
        navigate(
            &format!("/app/review/{id}"),
            NavigateOptions {
                replace: true,
                ..NavigateOptions::default()
            },
        );
    });
}
