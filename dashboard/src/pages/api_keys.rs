//! The organization's API keys: which there are, making, rotating and revoking them.

mod desk;
mod dialogs;
mod make;

use leptos::prelude::*;
use pentimento_api::keys::{Key, KeyState};
use pentimento_api::session::Scope;

use crate::browser;
use crate::components::admin_tabs::AdminTabs;
use crate::components::badge::Badge;
use crate::components::icon::{Glyph, Icon};
use crate::components::notice::{Problem, Waiting};
use crate::components::time::{Ago, Until};
use crate::labels;
use crate::shared::use_shared;
use desk::Desk;
use dialogs::{KeySecret, RevokeDialog, RotateDialog};
use make::MakeDialog;

/// The page at `/app/keys`.
#[component]
pub(crate) fn ApiKeysPage() -> impl IntoView {
    let (desk, shared) = (Desk::new(), use_shared());
    browser::set_title("API keys");
    view! {
        <div class="page">
            <AdminTabs />
            <div class="page-head">
                <h1>"API keys"</h1>
                {move || shared.may(Scope::Admin).then(|| view! {
                    <div class="page-actions">
                        <button type="button" class="button button-primary" data-testid="make-key" on:click=move |_| desk.requests.open(desk.making)>
                            <Icon glyph=Glyph::Plus />
                            "Make a key"
                        </button>
                    </div>
                })}
            </div>
            {move || match desk.keys.get() {
                None => view! { <Waiting /> }.into_any(),
                Some(Err(error)) => {
                    view! { <Problem error retry=Callback::new(move |()| desk.load()) /> }.into_any()
                }
                Some(Ok(keys)) => view! { <Keys keys desk /> }.into_any(),
            }}
            <MakeDialog desk />
            <RotateDialog desk />
            <RevokeDialog desk />
            <KeySecret desk />
        </div>
    }
}

/// The keys that work, and behind a fold those that do no more.
#[component]
fn Keys(keys: Vec<Key>, desk: Desk) -> impl IntoView {
    let (living, ended): (Vec<Key>, Vec<Key>) = keys
        .into_iter()
        .partition(|key| matches!(key.state, KeyState::Active | KeyState::Rotated));
    let rows = move |keys: Vec<Key>| {
        let rows = keys.into_iter().map(|key| view! { <KeyRow key desk /> });
        view! { <ul class="api-key-list">{rows.collect_view()}</ul> }
    };
    let count = ended.len();
    view! {
        {rows(living)}
        {(count > 0).then(|| view! {
            <details class="api-key-ended" data-testid="ended-keys">
                <summary>{format!("Keys that work no more ({count})")}</summary>
                {rows(ended)}
            </details>
        })}
    }
}

#[component]
fn KeyRow(key: Key, desk: Desk) -> impl IntoView {
    let is_living = matches!(key.state, KeyState::Active | KeyState::Rotated);
    let scopes = key.scopes.iter().map(|scope| scope.as_str());
    let chosen = StoredValue::new(key.clone());
    let name = key.name.clone();
    let ends = match (key.revoked_at, key.expires_at) {
        (Some(time), _) => view! { <span>"Revoked " <Ago time /></span> }.into_any(),
        (None, Some(time)) if is_living => view! { <span>"Ends " <Until time /></span> }.into_any(),
        (None, Some(time)) => view! { <span>"Ended " <Ago time /></span> }.into_any(),
        (None, None) => view! { <span>"Never ends"</span> }.into_any(),
    };
    view! {
        <li class="api-key-row" data-testid="key-row" data-key=key.key_id.to_string() data-state=format!("{:?}", key.state).to_lowercase()>
            <div class="api-key-what">
                <span class="api-key-name">{key.name}</span>
                <span class="api-key-state">
                    <Badge label=labels::key_state(key.state) />
                    {key.is_own.then(|| view! { <span class="help">"You signed in with it"</span> })}
                </span>
            </div>
            <ul class="chips" aria-label="Scopes">
                {scopes.map(|scope| view! { <li class="chip">{scope}</li> }).collect_view()}
            </ul>
            <div class="api-key-times">
                <span>"Made " <Ago time=key.created_at /></span>
                {match key.last_used_at {
                    Some(time) => view! { <span>"Last used " <Ago time /></span> }.into_any(),
                    None => view! { <span>"Never used"</span> }.into_any(),
                }}
                {ends}
            </div>
            <div class="api-key-actions">
                {(key.state == KeyState::Active).then(|| view! {
                    <button type="button" class="button" data-testid="rotate-key" aria-label=format!("Rotate {name}")
                        on:click=move |_| desk.ask(desk.rotating, chosen.get_value())
                    >"Rotate…"</button>
                })}
                {is_living.then(|| view! {
                    <button type="button" class="button button-reject" data-testid="revoke-key" aria-label=format!("Revoke {name}")
                        on:click=move |_| desk.ask(desk.revoking, chosen.get_value())
                    >"Revoke…"</button>
                })}
            </div>
        </li>
    }
}
