//! The button below a list that reads its next part.

use leptos::html;
use leptos::prelude::*;

use crate::browser;

/// Reads on when it is pressed, as long as there is more. After the last part a sentence takes its place, and the focus that the
/// button had: the reader is not sent back to the top of the page.
#[component]
pub(crate) fn LoadMore(
    /// Whether there is more.
    #[prop(into)]
    more: Signal<bool>,
    #[prop(into)] press: Callback<()>,
    #[prop(into)] word: Signal<String>,
    #[prop(default = "load-more")] hook: &'static str,
) -> impl IntoView {
    let is_there = Memo::new(move |_| more.get());
    let pressed = StoredValue::new(false);
    move || {
        if is_there.get() {
            return view! {
                <button
                    type="button"
                    class="button load-more"
                    data-testid=hook
                    on:click=move |_| {
                        pressed.set_value(true);
                        press.run(());
                    }
                >
                    {word}
                </button>
            }
            .into_any();
        }
        if !pressed.get_value() {
            return ().into_any();
        }
        pressed.set_value(false);
        let end = NodeRef::<html::P>::new();
        browser::focus_if_lost(end);
        view! { <p class="help load-more-end" tabindex="-1" node_ref=end>"That is all."</p> }
            .into_any()
    }
}
