//! Notices in the corner; a live region reads them out.

use leptos::prelude::*;
use web_sys::MouseEvent;

use crate::browser;
use crate::components::icon::{Glyph, Icon};
use crate::shared::{Tone, toast_element, use_shared};

/// What is next when one was dismissed.
const DISMISS: &str = ".toast .button";

/// All notices that have not gone yet, the newest first: however many they are, that one is in sight.
#[component]
pub(crate) fn Toasts() -> impl IntoView {
    let shared = use_shared();
    let are_many = move || {
        shared.toasts.with(|toasts| {
            toasts
                .iter()
                .filter(|toast| toast.tone == Tone::Failed)
                .count()
                > 1
        })
    };
    // A pointer needs no next one, and the keys of the review do not mean it.
    let go_on = |click: &MouseEvent| {
        if click.detail() == 0 {
            browser::focus_next_if_lost(DISMISS);
        }
    };
    let dismiss_all = move |click: MouseEvent| {
        shared.dismiss_all();
        go_on(&click);
    };
    view! {
        <div class="toasts" role="status" aria-live="polite">
            {move || are_many().then(|| view! {
                <button type="button" class="button toasts-clear" on:click=dismiss_all>"Dismiss all"</button>
            })}
            <For each=move || shared.toasts.get().into_iter().rev() key=|toast| toast.id let:toast>
                <div
                    class=match toast.tone {
                        Tone::Done => "toast",
                        Tone::Failed => "toast toast-failed",
                    }
                    data-testid="toast"
                    id=toast_element(toast.id)
                >
                    <Icon glyph=match toast.tone {
                        Tone::Done => Glyph::Check,
                        Tone::Failed => Glyph::Alert,
                    } />
                    <span class="toast-text">{toast.text}</span>
                    {toast.link.map(|(href, word)| view! { <a href=href>{word}</a> })}
                    <button
                        type="button"
                        class="button icon-only"
                        aria-label="Dismiss"
                        on:click=move |click| {
                            shared.dismiss(toast.id);
                            go_on(&click);
                        }
                    >
                        <Icon glyph=Glyph::Close />
                    </button>
                </div>
            </For>
        </div>
    }
}
