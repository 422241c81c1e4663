//! The dialog that makes a key.

use leptos::prelude::*;
use pentimento_api::keys::NewKey;
use pentimento_api::session::Scope;

use super::desk::Desk;
use crate::client;
use crate::components::dialog::Dialog;

/// What can be chosen for a key's life, in days; none is the first.
const LIVES_DAYS: [u32; 4] = [7, 30, 90, 365];

/// What a scope allows, in words.
fn meaning(scope: Scope) -> &'static str {
    match scope {
        Scope::Read => "see jobs and projects",
        Scope::Run => "start jobs",
        Scope::Review => "approve and reject",
        Scope::Admin => "change projects and keys",
    }
}

/// Asks for a name, scopes and a life.
#[component]
pub(super) fn MakeDialog(desk: Desk) -> impl IntoView {
    let name = RwSignal::new(String::new());
    // What the reader's own key lacks it cannot give.
    let usual = [Scope::Read, Scope::Run].into_iter();
    let usual = usual.filter(|&scope| untrack(|| desk.shared.may(scope)));
    let scopes = RwSignal::new(usual.collect::<Vec<_>>());
    let days = RwSignal::new(None::<u32>);
    let send = move || {
        let new = NewKey {
            name: name.get_untracked(),
            scopes: scopes.get_untracked(),
            expires_in_days: days.get_untracked(),
        };
        desk.make(desk.making, async move {
            let made = client::post("/keys", &new).await;
            if made.is_ok() {
                name.try_set(String::new());
            }
            made
        });
    };
    let is_ready = move || {
        !desk.requests.busy.get()
            && !name.with(|name| name.trim().is_empty())
            && !scopes.with(Vec::is_empty)
    };
    view! {
        <Dialog open=desk.making title="Make a key">
            <form
                class="dialog-form"
                on:submit=move |event| {
                    event.prevent_default();
                    send();
                }
            >
                <label class="form-field">
                    <span>"Name"</span>
                    <input
                        class="field"
                        type="text"
                        maxlength="100"
                        autocomplete="off"
                        required
                        autofocus
                        data-testid="key-name"
                        aria-describedby="key-name-help"
                        prop:value=name
                        on:input=move |event| name.set(event_target_value(&event))
                    />
                    <span id="key-name-help" class="help">"Decisions made with the key carry it."</span>
                </label>
                <fieldset class="form-choices">
                    <legend>"It may"</legend>
                    {Scope::ALL.into_iter().map(|scope| view! { <ScopeBox scope scopes desk /> }).collect_view()}
                </fieldset>
                <label class="form-field">
                    <span>"It ends"</span>
                    <select
                        class="field"
                        data-testid="key-life"
                        on:change=move |event| days.set(event_target_value(&event).parse().ok())
                    >
                        <option value="">"never"</option>
                        {LIVES_DAYS.map(|days| view! { <option value=days>{format!("after {days} days")}</option> }).collect_view()}
                    </select>
                </label>
                <div class="dialog-actions">
                    <button type="button" class="button" on:click=move |_| desk.making.set(false)>"Cancel"</button>
                    <button type="submit" class="button button-primary" data-testid="key-submit" disabled=move || !is_ready()>
                        "Make the key"
                    </button>
                </div>
            </form>
        </Dialog>
    }
}

/// One scope; those that the reader's own key lacks cannot be given.
#[component]
fn ScopeBox(scope: Scope, scopes: RwSignal<Vec<Scope>>, desk: Desk) -> impl IntoView {
    let is_on = move || scopes.with(|scopes| scopes.contains(&scope));
    view! {
        <label class="form-choice">
            <input
                type="checkbox"
                data-testid=format!("scope-{}", scope.as_str())
                prop:checked=is_on
                disabled=move || !desk.shared.may(scope)
                on:change=move |event| {
                    let is_wanted = event_target_checked(&event);
                    scopes.update(|scopes| {
                        scopes.retain(|other| *other != scope);
                        if is_wanted {
                            scopes.push(scope);
                        }
                    });
                }
            />
            <span><code>{scope.as_str()}</code> " " {meaning(scope)}</span>
        </label>
    }
}
