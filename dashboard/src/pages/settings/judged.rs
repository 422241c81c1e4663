//! What counts as a change, and what is expected.

use leptos::prelude::*;

use super::field::TextField;
use super::form::{Form, lens};

#[component]
pub(super) fn Judged(form: Form) -> impl IntoView {
    view! {
        <TextField
            form
            name="intent"
            label="Intent"
            lens=lens!(intent)
            rows=3
            placeholder="The new header is expected everywhere. Prices must not change."
            help="Which changes are expected, and which must not occur. Verdicts are measured against it."
        />
        <TextField
            form
            name="diffThreshold"
            label="A page is changed above this percentage of pixels"
            lens=lens!(diff_threshold)
            keyboard="decimal"
            help="At 0 every differing pixel counts. A changed document is a change at any percentage."
        />
        <details class="settings-more">
            <summary>"What a language model writes"</summary>
            <p class="help">"These count where the operator has set up a language model."</p>
            <TextField
                form
                name="aiSummaryThreshold"
                label="It describes nothing below this percentage of pixels"
                lens=lens!(ai_summary_threshold)
                keyboard="decimal"
            />
            <TextField
                form
                name="aiPromptInstructions"
                label="How it should word findings"
                lens=lens!(ai_prompt_instructions)
                rows=3
            />
        </details>
    }
}
