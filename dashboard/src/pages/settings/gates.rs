//! The credentials that let captures past the gates of a site.

use leptos::prelude::*;

use super::field::{Choice, TextField};
use super::form::{Form, Lens, lens};
use crate::settings::draft::Draft;
use crate::settings::gate::GateChoice;

/// One gate's fields, each with the name that its element has.
#[derive(Clone, Copy)]
struct Fields {
    name: &'static str,
    label: &'static str,
    choice: Lens<GateChoice>,
    username: (&'static str, Lens<String>),
    password: (&'static str, Lens<String>),
    headers: (&'static str, Lens<String>),
    cookies: (&'static str, Lens<String>),
    /// Whether the gate's origin is another than the stored one.
    is_moved: fn(&Draft, &Draft) -> bool,
}

const OF_TEST: Fields = Fields {
    name: "testAuth",
    label: "Gate of the tested origin",
    choice: lens!(test_gate.choice),
    username: ("test-username", lens!(test_gate.username)),
    password: ("test-password", lens!(test_gate.password)),
    headers: ("test-headers", lens!(test_gate.headers)),
    cookies: ("test-cookies", lens!(test_gate.cookies)),
    is_moved: |draft, stored| draft.test_origin.trim() != stored.test_origin,
};

const OF_BASE: Fields = Fields {
    name: "baseAuth",
    label: "Gate of the reference origin",
    choice: lens!(base_gate.choice),
    username: ("base-username", lens!(base_gate.username)),
    password: ("base-password", lens!(base_gate.password)),
    headers: ("base-headers", lens!(base_gate.headers)),
    cookies: ("base-cookies", lens!(base_gate.cookies)),
    is_moved: |draft, stored| draft.base_origin.trim() != stored.base_origin,
};

/// The gates of both origins; that of the reference origin while there is one.
#[component]
pub(super) fn Gates(form: Form) -> impl IntoView {
    let has_base = Memo::new(move |_| {
        form.draft
            .with(|draft| !draft.base_origin.trim().is_empty())
    });
    view! {
        <Gate form fields=OF_TEST />
        {move || has_base.get().then(|| view! { <Gate form fields=OF_BASE /> })}
    }
}

#[component]
fn Gate(form: Form, fields: Fields) -> impl IntoView {
    let chosen = form.value(fields.choice);
    let has_stored =
        untrack(|| form.with_both(|_, stored| *(fields.choice.get)(stored) == GateChoice::Stored));
    let is_lost =
        Memo::new(move |_| chosen.get() == GateChoice::Stored && form.with_both(fields.is_moved));
    let text = move |(name, lens), label| view! { <TextField form name label lens /> };
    view! {
        <Choice
            form
            name=fields.name
            label=fields.label
            lens=fields.choice
            choices=choices(has_stored)
            help="Sent to this origin alone, stored sealed, never shown again."
        />
        {move || is_lost.get().then(|| view! {
            <p class="form-error">
                "The stored credential belongs to the former origin and goes with it. Enter one for the new origin if it has a gate."
            </p>
        })}
        {move || match chosen.get() {
            GateChoice::Open | GateChoice::Stored => ().into_any(),
            GateChoice::Basic => view! {
                <div class="settings-pair">
                    {text(fields.username, "User name")}
                    <TextField form name=fields.password.0 label="Password" lens=fields.password.1 is_secret=true />
                </div>
            }.into_any(),
            GateChoice::Headers => view! {
                <TextField form name=fields.headers.0 label="Headers" lens=fields.headers.1 rows=2
                    help="One on each line, “Name: value”." />
            }.into_any(),
            GateChoice::Cookies => view! {
                <TextField form name=fields.cookies.0 label="Cookies" lens=fields.cookies.1 rows=2
                    help="One on each line, “name=value”." />
            }.into_any(),
        }}
    }
}

fn choices(has_stored: bool) -> Vec<(GateChoice, &'static str)> {
    let word = |choice| match choice {
        GateChoice::Open => "None: it is open",
        GateChoice::Stored => "The stored credential",
        GateChoice::Basic => "User name and password (basic authentication)",
        GateChoice::Headers => "Request headers",
        GateChoice::Cookies => "Cookies",
    };
    (GateChoice::ALL.into_iter())
        .filter(|choice| has_stored || *choice != GateChoice::Stored)
        .map(|choice| (choice, word(choice)))
        .collect()
}
