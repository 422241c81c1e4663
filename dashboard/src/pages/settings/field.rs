//! The fields of the form: label, help, what was typed, what is wrong with it.

use leptos::either::Either;
use leptos::prelude::*;

use super::form::{Form, Lens};

/// A text. `name` is what the interface calls it; complaints find it by that.
#[component]
pub(super) fn TextField(
    form: Form,
    name: &'static str,
    label: &'static str,
    lens: Lens<String>,
    #[prop(optional)] help: Option<&'static str>,
    /// Rows of a text of several lines; without it there is one line.
    #[prop(optional)]
    rows: Option<u32>,
    #[prop(optional)] placeholder: &'static str,
    #[prop(optional)] is_secret: bool,
    /// The keyboard of phones.
    #[prop(default = "text")]
    keyboard: &'static str,
) -> impl IntoView {
    let value = form.value(lens);
    let is_wrong = move || is_about(form, name);
    let id = format!("setting-{name}");
    let described = format!("help-{name}");
    let input = if let Some(rows) = rows {
        Either::Left(view! {
            <textarea
                id=id.clone()
                class="field settings-text"
                rows=rows
                spellcheck="false"
                placeholder=placeholder
                data-testid=id.clone()
                aria-describedby=described.clone()
                aria-invalid=move || is_wrong().then_some("true")
                prop:value=value
                on:input=move |event| form.set(lens, event_target_value(&event))
            ></textarea>
        })
    } else {
        Either::Right(view! {
            <input
                id=id.clone()
                class="field"
                type=if is_secret { "password" } else { "text" }
                autocomplete=if is_secret { "new-password" } else { "off" }
                inputmode=keyboard
                spellcheck="false"
                placeholder=placeholder
                data-testid=id.clone()
                aria-describedby=described.clone()
                aria-invalid=move || is_wrong().then_some("true")
                prop:value=value
                on:input=move |event| form.set(lens, event_target_value(&event))
            />
        })
    };
    view! {
        <div class="setting">
            <label for=id>{label}</label>
            {input}
            <div id=described>
                {help.map(|help| view! { <p class="help">{help}</p> })}
                <Complaints form name />
            </div>
        </div>
    }
}

/// What is wrong with a field.
#[component]
pub(super) fn Complaints(form: Form, name: &'static str) -> impl IntoView {
    let text = move || {
        form.complaint.with(|complaint| {
            let complaint = complaint.as_ref();
            complaint
                .filter(|complaint| complaint.field == name)
                .map(|complaint| complaint.text.clone())
        })
    };
    move || text().map(|text| view! { <p class="form-error" data-testid="complaint">{text}</p> })
}

/// Whether what stands against saving is about a field.
fn is_about(form: Form, name: &str) -> bool {
    form.complaint
        .with(|complaint| complaint.as_ref().is_some_and(|about| about.field == name))
}

/// A switch.
#[component]
pub(super) fn Switch(
    form: Form,
    label: &'static str,
    lens: Lens<bool>,
    name: &'static str,
) -> impl IntoView {
    let value = form.value(lens);
    view! {
        <label class="settings-switch">
            <input
                type="checkbox"
                data-testid=format!("setting-{name}")
                prop:checked=value
                on:change=move |event| form.set(lens, event_target_checked(&event))
            />
            <span>{label}</span>
        </label>
    }
}

/// A choice of few: value, word.
#[component]
pub(super) fn Choice<T>(
    form: Form,
    name: &'static str,
    label: &'static str,
    lens: Lens<T>,
    choices: Vec<(T, &'static str)>,
    #[prop(optional)] help: Option<&'static str>,
) -> impl IntoView
where
    T: Copy + PartialEq + Send + Sync + 'static,
{
    let value = form.value(lens);
    let id = format!("setting-{name}");
    let described = format!("help-{name}");
    let options = choices.clone().into_iter().enumerate();
    let options = options.map(|(at, (choice, word))| {
        view! { <option value=at.to_string() prop:selected=move || value.get() == choice>{word}</option> }
    });
    view! {
        <div class="setting">
            <label for=id.clone()>{label}</label>
            <select
                id=id.clone()
                class="field"
                data-testid=id
                aria-describedby=described.clone()
                on:change=move |event| {
                    let at: Option<usize> = event_target_value(&event).parse().ok();
                    if let Some((choice, _)) = at.and_then(|at| choices.get(at)) {
                        form.set(lens, *choice);
                    }
                }
            >
                {options.collect_view()}
            </select>
            <div id=described>
                {help.map(|help| view! { <p class="help">{help}</p> })}
                <Complaints form name />
            </div>
        </div>
    }
}
