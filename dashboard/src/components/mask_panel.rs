//! The panel that masks a region: which element, what that leaves of the job's changes, and what saving it means.

use leptos::html;
use leptos::prelude::*;
use pentimento_api::mask::{MaskSuggestion, TriedMask};

use crate::browser;
use crate::components::icon::{Glyph, Icon};
use crate::format;
use crate::review::masking::{Masking, Place, Stage, use_masking};

/// The panel, while a place is to be masked.
#[component]
pub(super) fn MaskPanel() -> impl IntoView {
    let masking = use_masking();
    move || {
        masking
            .place
            .get()
            .map(|place| view! { <Panel masking place /> })
    }
}

#[component]
fn Panel(masking: Masking, place: Place) -> impl IntoView {
    let heading = NodeRef::<html::H3>::new();
    browser::focus_when_there(heading);
    let Place {
        project,
        label,
        is_live,
        ..
    } = place;
    let title = label.map_or_else(
        || "Mask a place".to_owned(),
        |label| format!("Mask region {label}"),
    );
    let said = move || match masking.stage.get() {
        Stage::Drawing => {
            view! { <p>"Draw a box around it on the picture, or type its selector."</p> }.into_any()
        }
        Stage::Looking => view! { <p class="help">"Looking for elements…"</p> }.into_any(),
        Stage::NothingFound => {
            view! { <p>"No element was found for the place; type a selector."</p> }.into_any()
        }
        Stage::Nothing => view! { <p>"Choose a selector, or type one."</p> }.into_any(),
        Stage::Trying => view! { <p class="help">"Trying it out…"</p> }.into_any(),
        Stage::Failed(error) => view! { <p class="form-error">{error.to_string()}</p> }.into_any(),
        Stage::Tried(tried) => view! { <Outcome tried /> }.into_any(),
    };
    let suggestions = move || {
        let row = |suggestion| view! { <Suggestion masking suggestion /> };
        masking
            .suggestions
            .get()
            .into_iter()
            .map(row)
            .collect_view()
    };
    view! {
        <section class="inspector-part mask-panel" data-testid="mask-panel" aria-label="Mask">
            <h3 tabindex="-1" node_ref=heading>{title}</h3>
            <p class="help">"What it matches is hidden in the captures of “" {project.clone()} "” from the next run on; the layout stays."</p>
            <div class="mask-choices" role="radiogroup" aria-label="Suggested selectors">{suggestions}</div>
            <label class="mask-own">
                <span>"Selector"</span>
                <input
                    class="field"
                    type="text"
                    spellcheck="false"
                    autocomplete="off"
                    data-testid="mask-selector"
                    prop:value=masking.selector
                    on:input=move |_| masking.note_typing()
                    on:change=move |event| masking.choose(event_target_value(&event))
                />
            </label>
            <div role="status" data-testid="mask-tried">{said}</div>
            {(!is_live).then(|| view! {
                <p class="settings-warning">
                    "Adding it makes the project’s baselines invalid: its next run takes new ones instead of comparing."
                </p>
            })}
            <div class="mask-actions">
                <button type="button" class="button" data-testid="mask-cancel" on:click=move |_| masking.leave()>"Cancel"</button>
                <button
                    type="button"
                    class="button button-primary"
                    data-testid="mask-save"
                    disabled=move || masking.busy.get() || masking.selector.with(String::is_empty)
                    on:click=move |_| masking.save()
                >
                    <Icon glyph=Glyph::Mask />
                    "Add the mask"
                </button>
            </div>
        </section>
    }
}

#[component]
fn Suggestion(masking: Masking, suggestion: MaskSuggestion) -> impl IntoView {
    let MaskSuggestion { selector, matches } = suggestion;
    let (chosen, own) = (selector.clone(), selector.clone());
    view! {
        <label class="mask-choice">
            <input
                type="radio"
                name="mask-selector"
                prop:checked=move || masking.selector.with(|selector| *selector == own)
                on:change=move |_| masking.choose(chosen.clone())
            />
            <span><code>{selector}</code> <span class="help">{format!(" {} here", format::counted(matches, "element"))}</span></span>
        </label>
    }
}

/// What is left of the job's changes.
#[component]
fn Outcome(tried: TriedMask) -> impl IntoView {
    let TriedMask {
        changed,
        matched,
        settled,
        ..
    } = tried;
    let pages = format::counted(changed, "changed page");
    let looked_at = if tried.complete {
        ""
    } else {
        " that were looked at"
    };
    let sentence = if changed == 0 && tried.complete {
        "This job has no changed page.".to_owned()
    } else if changed == 0 {
        "No changed page could be looked at in time; try it once more.".to_owned()
    } else if matched == 0 {
        format!(
            "In what captures record, it matches nothing on the {pages} of this job{looked_at}."
        )
    } else if settled == 0 && changed == 1 {
        format!("The one changed page of this job{looked_at} would still have a change.")
    } else if settled == 0 {
        format!("All {pages} of this job{looked_at} would still have a change.")
    } else if settled == changed && changed == 1 {
        format!("The one changed page of this job{looked_at} would have no change left.")
    } else if settled == changed {
        format!("None of the {pages} of this job{looked_at} would have a change left.")
    } else {
        let settled = format::grouped(settled);
        format!("{settled} of the {pages} of this job{looked_at} would have no change left.")
    };
    let blind = format!(
        "It hides {} of this page.",
        format::percent(tried.blind_percentage)
    );
    view! {
        <p><strong>{sentence}</strong></p>
        <p class="help">{blind}</p>
    }
}
