//! A dialog that asks whether to do something.

use leptos::prelude::*;

use crate::components::dialog::Dialog;

/// The children say what would be done.
#[component]
pub(crate) fn ConfirmDialog(
    open: RwSignal<bool>,
    title: &'static str,
    /// The word on the button that does it.
    word: &'static str,
    /// What cannot be taken back looks so.
    #[prop(optional)]
    is_final: bool,
    hook: &'static str,
    busy: RwSignal<bool>,
    #[prop(into)] confirm: Callback<()>,
    children: Children,
) -> impl IntoView {
    let tone = if is_final {
        "button button-reject"
    } else {
        "button button-primary"
    };
    view! {
        <Dialog open title>
            {children()}
            <div class="dialog-actions">
                <button type="button" class="button" autofocus on:click=move |_| open.set(false)>"Cancel"</button>
                <button type="button" class=tone data-testid=hook disabled=busy on:click=move |_| confirm.run(())>{word}</button>
            </div>
        </Dialog>
    }
}
