//! The dialogs about a key that is there: rotating it, revoking it, showing a new one's secret.

use leptos::prelude::*;
use leptos::task::spawn_local;
use pentimento_api::keys::Key;
use pentimento_api::rotation::Rotation;

use super::desk::Desk;
use crate::browser;
use crate::client;
use crate::components::dialog::Dialog;
use crate::components::icon::{Glyph, Icon};
use crate::shared::Tone;

/// For how long the old key may go on working, in hours.
const OVERLAPS: [(u32, &str); 5] = [
    (0, "not at all"),
    (1, "for an hour"),
    (24, "for a day"),
    (72, "for three days"),
    (168, "for a week"),
];
const DEFAULT_OVERLAP_HOURS: u32 = 24;

fn name_of(key: Option<&Key>) -> String {
    key.map(|key| key.name.clone()).unwrap_or_default()
}

fn path_of(key: &Key) -> String {
    format!("/key/{}", key.key_id)
}

/// Asks how long the old key goes on.
#[component]
pub(super) fn RotateDialog(desk: Desk) -> impl IntoView {
    let hours = RwSignal::new(DEFAULT_OVERLAP_HOURS);
    let rotate = move |_| {
        let Some(key) = desk.chosen.get_untracked() else {
            return;
        };
        let request = Rotation {
            overlap_hours: Some(hours.get_untracked()),
        };
        desk.make(desk.rotating, async move {
            client::post(&format!("{}/rotate", path_of(&key)), &request).await
        });
    };
    let is_own = move || {
        desk.chosen
            .with(|key| key.as_ref().is_some_and(|key| key.is_own))
    };
    view! {
        <Dialog open=desk.rotating title="Rotate the key?">
            <p>
                "A new key takes the place of "
                <strong>{move || desk.chosen.with(|key| name_of(key.as_ref()))}</strong>
                ", with the same name and scopes. Schedules that run with it move along."
            </p>
            <label class="key-field key-overlap">
                <span>"The old one goes on working"</span>
                <select
                    class="field"
                    data-testid="overlap"
                    on:change=move |event| hours.set(event_target_value(&event).parse().unwrap_or(DEFAULT_OVERLAP_HOURS))
                >
                    {OVERLAPS.map(|(hours, words)| view! {
                        <option value=hours selected=hours == DEFAULT_OVERLAP_HOURS>{words}</option>
                    }).collect_view()}
                </select>
            </label>
            {move || is_own().then(|| view! {
                <p class="help">"You signed in with it: sign in with the new one before it ends."</p>
            })}
            <div class="dialog-actions">
                <button type="button" class="button" on:click=move |_| desk.rotating.set(false)>"Cancel"</button>
                <button type="button" class="button button-primary" data-testid="rotate-confirm" disabled=desk.busy on:click=rotate>
                    "Rotate"
                </button>
            </div>
        </Dialog>
    }
}

/// Asks once more.
#[component]
pub(super) fn RevokeDialog(desk: Desk) -> impl IntoView {
    let revoke = move |_| {
        let Some(key) = desk.chosen.get_untracked() else {
            return;
        };
        let name = key.name.clone();
        desk.send(
            desk.revoking,
            async move { client::delete(&path_of(&key)).await },
            move |()| {
                let text = format!("{name} is revoked.");
                desk.shared.toast(Tone::Done, text, None);
            },
        );
    };
    let is_own = move || {
        desk.chosen
            .with(|key| key.as_ref().is_some_and(|key| key.is_own))
    };
    view! {
        <Dialog open=desk.revoking title="Revoke the key?">
            <p>
                "Whoever calls with "
                <strong>{move || desk.chosen.with(|key| name_of(key.as_ref()))}</strong>
                " is refused at once, and everybody who signed in with it is signed out. Schedules that run with it stop. This cannot be undone."
            </p>
            {move || is_own().then(|| view! {
                <p class="form-error">"You signed in with it: you will be signed out."</p>
            })}
            <div class="dialog-actions">
                <button type="button" class="button" on:click=move |_| desk.revoking.set(false)>"Cancel"</button>
                <button type="button" class="button button-reject" data-testid="revoke-confirm" disabled=desk.busy on:click=revoke>
                    "Revoke"
                </button>
            </div>
        </Dialog>
    }
}

/// Shows a new key's secret, this once.
#[component]
pub(super) fn SecretDialog(desk: Desk) -> impl IntoView {
    let secret = move || {
        desk.made
            .with(|made| made.as_ref().map(|made| made.secret.clone()))
            .unwrap_or_default()
    };
    let name = move || {
        desk.made
            .with(|made| name_of(made.as_ref().map(|made| &made.key)))
    };
    let said = RwSignal::new("");
    let copy = move |_| {
        let text = secret();
        spawn_local(async move {
            let words = if browser::copy(&text).await {
                "Copied."
            } else {
                "The browser does not allow copying here; select the key and copy it yourself."
            };
            said.try_set(words);
        });
    };
    Effect::new(move |_| {
        if !desk.showing.get() {
            said.set("");
        }
    });
    view! {
        <Dialog open=desk.showing title="The new key">
            <p>
                "This is the only time that the secret of " <strong>{name}</strong>
                " is shown. Only its hash is stored, so keep it somewhere safe now."
            </p>
            <pre class="command key-secret" data-testid="key-secret"><code>{secret}</code></pre>
            <p class="help" role="status">{said}</p>
            <div class="dialog-actions">
                <button type="button" class="button" data-testid="copy-key" on:click=copy>
                    <Icon glyph=Glyph::Copy />
                    "Copy"
                </button>
                <button type="button" class="button button-primary" data-testid="key-kept" on:click=move |_| desk.showing.set(false)>
                    "I have kept it"
                </button>
            </div>
        </Dialog>
    }
}
