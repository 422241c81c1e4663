//! For how long what is replaced may go on working.

use leptos::prelude::*;

/// What can be chosen, in hours.
const OVERLAPS: [(u32, &str); 5] = [
    (0, "not at all"),
    (1, "for an hour"),
    (24, "for a day"),
    (72, "for three days"),
    (168, "for a week"),
];

/// What is chosen at first.
pub(crate) const DEFAULT_OVERLAP_HOURS: u32 = 24;

/// The choice.
#[component]
pub(crate) fn OverlapField(label: &'static str, hours: RwSignal<u32>) -> impl IntoView {
    view! {
        <label class="form-field form-overlap">
            <span>{label}</span>
            <select
                class="field"
                autofocus
                data-testid="overlap"
                on:change=move |event| hours.set(event_target_value(&event).parse().unwrap_or(DEFAULT_OVERLAP_HOURS))
            >
                {OVERLAPS.map(|(hours, words)| view! {
                    <option value=hours selected=hours == DEFAULT_OVERLAP_HOURS>{words}</option>
                }).collect_view()}
            </select>
        </label>
    }
}
