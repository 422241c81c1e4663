//! The bar that never scrolls away: what saving means, and the buttons for it.

use leptos::prelude::*;

use super::form::Form;
use crate::settings::draft::Draft;

#[component]
pub(super) fn Bar(form: Form) -> impl IntoView {
    let invalidates = Memo::new(move |_| form.invalidates());
    let is_changed = Memo::new(move |_| form.is_changed());
    let complaint = move || {
        let complaint = form.complaint.get()?;
        Some(view! { <p class="form-error" data-testid="refusal">{complaint.text}</p> })
    };
    let warning = move || {
        let fields = invalidates.get();
        if fields.is_empty() {
            return None;
        }
        let fields = fields.join(", ");
        let follows = if form.draft.with(Draft::has_base) {
            "each run takes its own"
        } else {
            "the next run takes new ones instead of comparing"
        };
        Some(view! {
            <p class="settings-warning" data-testid="invalidates">
                <strong>"The baselines become invalid"</strong>
                {format!(" because of {fields}: {follows}.")}
            </p>
        })
    };
    let can_discard = move || is_changed.get() || form.complaint.with(Option::is_some);
    let word = move || match (form.is_new, invalidates.with(Vec::is_empty)) {
        (true, _) => "Make the project",
        (false, true) => "Save",
        (false, false) => "Save, and take new baselines",
    };
    view! {
        <div class="settings-bar">
            <div class="settings-said" role="status">{complaint} {warning}</div>
            <button type="button" class="button" data-testid="discard" disabled=move || !can_discard() || form.busy.get()
                on:click=move |_| form.discard()>"Discard"</button>
            <button type="submit" class="button button-primary" data-testid="save" disabled=move || !is_changed.get() || form.busy.get()>
                {word}
            </button>
        </div>
    }
}
