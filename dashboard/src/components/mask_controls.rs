//! Colour and opacity of the mask: the reader's choice, kept in this browser.

use leptos::prelude::*;

use crate::browser;
use crate::shared::use_shared;

/// Two small fields.
#[component]
pub(crate) fn MaskControls() -> impl IntoView {
    let look = use_shared().mask_look;
    Effect::new(move |ran: Option<()>| {
        let look = look.get();
        if ran.is_some() {
            browser::store("mask-color", &look.color);
            browser::store("mask-opacity", &look.opacity_percent.to_string());
        }
    });
    view! {
        <div class="mask-controls" role="group" aria-label="Mask">
            <label>
                "Colour "
                <input
                    type="color"
                    data-testid="mask-color"
                    prop:value=move || look.with(|look| look.color.clone())
                    on:input=move |event| look.update(|look| look.color = event_target_value(&event))
                />
            </label>
            <label>
                "Opacity "
                <input
                    type="range"
                    min="10"
                    max="100"
                    step="5"
                    data-testid="mask-opacity"
                    prop:value=move || look.with(|look| look.opacity_percent.to_string())
                    on:input=move |event| {
                        if let Ok(percent) = event_target_value(&event).parse() {
                            look.update(|look| look.opacity_percent = percent);
                        }
                    }
                />
            </label>
        </div>
    }
}
