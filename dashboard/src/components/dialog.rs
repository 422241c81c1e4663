//! A modal dialog on the browser's own `<dialog>`, which keeps the focus inside and closes on Escape.

use leptos::html;
use leptos::prelude::*;

use crate::components::icon::{Glyph, Icon};
use crate::keys;

/// A dialog that is shown while `open` is true, and sets it to false when the reader closes it. What in it has `autofocus` has the
/// focus first.
#[component]
pub(crate) fn Dialog(
    open: RwSignal<bool>,
    #[prop(into)] title: Signal<&'static str>,
    /// Whether only a button among the children closes it: what it shows is lost with it, and a stray key must not do that.
    #[prop(optional)]
    stays: bool,
    children: Children,
) -> impl IntoView {
    let node = NodeRef::<html::Dialog>::new();
    Effect::new(move |_| {
        let Some(dialog) = node.get() else { return };
        match (open.get(), dialog.open()) {
            // It fails only when the dialog is not in the document, and then there is nothing to show it on.
            (true, false) => drop(dialog.show_modal()),
            (false, true) => dialog.close(),
            _ => {}
        }
    });
    // Escape asks to close it, and where that cannot be refused any more `closedby` keeps it from asking.
    let cancel = move |event: web_sys::Event| {
        if stays {
            event.prevent_default();
        }
    };
    view! {
        <dialog
            class="dialog"
            closedby=stays.then_some("none")
            node_ref=node
            aria-label=move || title.get()
            on:cancel=cancel
            on:close=move |_| open.set(false)
            on:keydown=keys::press_once
        >
            <div class="dialog-head">
                <h2>{move || title.get()}</h2>
                {(!stays).then(|| view! {
                    <button type="button" class="button icon-only" aria-label="Close" on:click=move |_| open.set(false)>
                        <Icon glyph=Glyph::Close />
                    </button>
                })}
            </div>
            {children()}
        </dialog>
    }
}
