//! Large notices in the place of content: an error with a way out, an empty list with the next step, a wait.

use leptos::prelude::*;

use crate::browser;
use crate::client::ClientError;
use crate::components::icon::{Glyph, Icon};
use crate::components::sentence::Sentence;

/// An error in the place of what could not be shown, with a button to try again.
#[component]
pub(crate) fn Problem(
    error: ClientError,
    #[prop(optional, into)] retry: Option<Callback<()>>,
) -> impl IntoView {
    view! {
        <div class="notice notice-problem" role="alert" data-testid="problem">
            <Icon glyph=Glyph::Alert />
            <div>
                <p><Sentence text=error.to_string() /></p>
                {retry.map(|retry| {
                    let hand_on = browser::hand_focus_on();
                    let again = move |_| {
                        hand_on();
                        retry.run(());
                    };
                    view! { <button type="button" class="button" on:click=again>"Try again"</button> }
                })}
            </div>
        </div>
    }
}

/// What an empty place says: what would be here, and how it gets there.
#[component]
pub(crate) fn Empty(title: &'static str, children: Children) -> impl IntoView {
    view! {
        <div class="notice notice-empty" data-testid="empty">
            <div>
                <h2>{title}</h2>
                {children()}
            </div>
        </div>
    }
}

/// Stands where content will be. It shows only after a moment, so that quick answers do not flicker.
#[component]
pub(crate) fn Waiting() -> impl IntoView {
    view! {
        <div class="notice waiting" role="status">"Loading…"</div>
    }
}
