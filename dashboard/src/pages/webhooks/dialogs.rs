//! The dialogs about a webhook that is there: a new secret, deleting it, showing a secret.

use leptos::prelude::*;
use pentimento_api::rotation::Rotation;

use super::desk::Desk;
use crate::client;
use crate::components::confirm_dialog::ConfirmDialog;
use crate::components::overlap_field::{DEFAULT_OVERLAP_HOURS, OverlapField};
use crate::components::secret_dialog::SecretDialog;
use crate::format;
use crate::shared::Tone;

fn url_of(desk: Desk) -> String {
    desk.chosen.with(|webhook| {
        let url = webhook.as_ref().map(|webhook| webhook.url.clone());
        url.unwrap_or_default()
    })
}

/// Asks how long the former secret signs too.
#[component]
pub(super) fn RotateDialog(desk: Desk) -> impl IntoView {
    let hours = RwSignal::new(DEFAULT_OVERLAP_HOURS);
    let rotate = move |()| {
        let Some(webhook) = desk.chosen.get_untracked() else {
            return;
        };
        let request = Rotation {
            overlap_hours: Some(hours.get_untracked()),
        };
        let path = format!("{}/rotate-secret", Desk::path(webhook.webhook_id));
        let asked_by = untrack(|| desk.shared.reader());
        desk.close_and_tell(
            desk.rotating,
            async move {
                let made = client::post(&path, &request).await;
                desk.keep_secret(asked_by.as_ref(), &made);
                made
            },
            move |made| desk.show_secret(made),
        );
    };
    view! {
        <ConfirmDialog open=desk.rotating title="Make a new secret?" word="Make a new secret" hook="webhook-rotate-confirm" busy=desk.requests.busy confirm=rotate>
            <p>"What is sent to " <strong class="webhook-url">{move || url_of(desk)}</strong> " is signed with a new secret from now on."</p>
            <OverlapField label="The former one signs too" hours />
        </ConfirmDialog>
    }
}

/// Asks once more.
#[component]
pub(super) fn DeleteDialog(desk: Desk) -> impl IntoView {
    let delete = move |()| {
        let Some(webhook) = desk.chosen.get_untracked() else {
            return;
        };
        desk.close_and_tell(
            desk.deleting,
            async move { client::delete(&Desk::path(webhook.webhook_id)).await },
            move |()| {
                let text = format!(
                    "{} is told of nothing any more.",
                    format::short(&webhook.url)
                );
                desk.shared.toast(Tone::Done, text, None);
            },
        );
    };
    view! {
        <ConfirmDialog open=desk.deleting title="Delete the webhook?" word="Delete" is_final=true hook="webhook-delete-confirm" busy=desk.requests.busy confirm=delete>
            <p>
                "Nothing is sent to " <strong class="webhook-url">{move || url_of(desk)}</strong>
                " any more, what waits to be sent is given up, and the log of its deliveries goes with it. To send nothing for a while, stop it."
            </p>
        </ConfirmDialog>
    }
}

/// Shows a new secret, this once.
#[component]
pub(super) fn WebhookSecret(desk: Desk) -> impl IntoView {
    let secret = Signal::derive(move || desk.secret.get().unwrap_or_default());
    view! {
        <SecretDialog open=desk.showing title="The webhook’s secret" secret>
            <p>
                "This is the only time that it is shown. Whoever receives the events checks with it that they come from here, as the "
                <a href="https://www.standardwebhooks.com" rel="external noreferrer" target="_blank">"Standard Webhooks"</a>
                " specification says."
            </p>
        </SecretDialog>
    }
}
