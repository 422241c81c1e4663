//! The dialogs about a key that is there: rotating it, revoking it, showing a new one's secret.

use leptos::prelude::*;
use pentimento_api::keys::Key;
use pentimento_api::rotation::Rotation;

use super::desk::Desk;
use crate::client;
use crate::components::confirm_dialog::ConfirmDialog;
use crate::components::overlap_field::{DEFAULT_OVERLAP_HOURS, OverlapField};
use crate::components::secret_dialog::SecretDialog;
use crate::shared::Tone;

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
    let rotate = move |()| {
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
        <ConfirmDialog open=desk.rotating title="Rotate the key?" word="Rotate" hook="rotate-confirm" busy=desk.requests.busy confirm=rotate>
            <p>
                "A new key takes the place of "
                <strong>{move || desk.chosen.with(|key| name_of(key.as_ref()))}</strong>
                ", with the same name and scopes. Schedules that run with it move along."
            </p>
            <OverlapField label="The old one goes on working" hours />
            {move || is_own().then(|| view! {
                <p class="help">"You signed in with it: sign in with the new one before it ends."</p>
            })}
        </ConfirmDialog>
    }
}

/// Asks once more.
#[component]
pub(super) fn RevokeDialog(desk: Desk) -> impl IntoView {
    let revoke = move |()| {
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
        <ConfirmDialog open=desk.revoking title="Revoke the key?" word="Revoke" is_final=true hook="revoke-confirm" busy=desk.requests.busy confirm=revoke>
            <p>
                "Whoever calls with "
                <strong>{move || desk.chosen.with(|key| name_of(key.as_ref()))}</strong>
                " is refused at once, and everybody who signed in with it is signed out. Schedules that run with it stop. This cannot be undone."
            </p>
            {move || is_own().then(|| view! {
                <p class="form-error">"You signed in with it: you will be signed out."</p>
            })}
        </ConfirmDialog>
    }
}

/// Shows a new key's secret, this once.
#[component]
pub(super) fn KeySecret(desk: Desk) -> impl IntoView {
    let secret = Signal::derive(move || {
        desk.made
            .with(|made| made.as_ref().map(|made| made.secret.clone()))
            .unwrap_or_default()
    });
    let name = move || {
        desk.made
            .with(|made| name_of(made.as_ref().map(|made| &made.key)))
    };
    view! {
        <SecretDialog open=desk.showing title="The new key" secret>
            <p>
                "This is the only time that the secret of " <strong>{name}</strong>
                " is shown. Only its hash is stored, so keep it somewhere safe now."
            </p>
        </SecretDialog>
    }
}
