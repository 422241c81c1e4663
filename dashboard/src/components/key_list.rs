//! The list of keys, and the switch that turns single letters off.

use leptos::prelude::*;

use crate::browser;
use crate::components::dialog::Dialog;
use crate::keys::{self, BINDINGS};
use crate::shared::use_shared;

/// The dialog behind `?`.
#[component]
pub(crate) fn KeyList(open: RwSignal<bool>) -> impl IntoView {
    let letter_keys = use_shared().letter_keys;
    let rows = BINDINGS
        .iter()
        .map(|binding| {
            let keys = binding
                .keys
                .iter()
                .copied()
                .map(|key| view! { <kbd>{keys::shown(key)}</kbd> })
                .collect_view();
            view! { <dt>{keys}</dt> <dd>{binding.text}</dd> }
        })
        .collect_view();
    view! {
        <Dialog open title="Keys">
            <dl class="key-list" data-testid="key-list">
                {rows}
                <dt><kbd>"Space"</kbd></dt>
                <dd>"Hold to see the baseline"</dd>
            </dl>
            <label class="check">
                <input
                    type="checkbox"
                    prop:checked=letter_keys
                    on:change=move |event| {
                        let are_on = event_target_checked(&event);
                        letter_keys.set(are_on);
                        browser::store("letter-keys", if are_on { "on" } else { "off" });
                    }
                />
                "Single keys are commands"
            </label>
        </Dialog>
    }
}
