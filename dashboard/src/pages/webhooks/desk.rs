//! What the webhooks page holds: the list, the webhook that a dialog is about, whose log is open, and a secret while it is
//! shown.

use std::future::Future;

use leptos::prelude::*;
use leptos::task::spawn_local;
use pentimento_api::ids::WebhookId;
use pentimento_api::webhook::{Webhook, WebhookWithSecret};

use crate::client::{self, ClientError};
use crate::format;
use crate::one_at_a_time::OneAtATime;
use crate::shared::{Reader, Shared, use_shared};

/// The page's state; copies name the same state.
#[derive(Clone, Copy)]
pub(super) struct Desk {
    pub(super) webhooks: RwSignal<Option<Vec<Webhook>>>,
    /// Why they could not be read.
    pub(super) error: RwSignal<Option<ClientError>>,
    /// The webhook that the open dialog is about; none where one is made.
    pub(super) chosen: RwSignal<Option<Webhook>>,
    /// Which dialog is open.
    pub(super) editing: RwSignal<bool>,
    pub(super) rotating: RwSignal<bool>,
    pub(super) deleting: RwSignal<bool>,
    pub(super) showing: RwSignal<bool>,
    /// A secret that was just made; gone when its dialog is closed.
    pub(super) secret: RwSignal<Option<String>>,
    /// The webhook whose deliveries are listed.
    pub(super) log_of: RwSignal<Option<WebhookId>>,
    /// Has that list read again.
    pub(super) log_again: Trigger,
    pub(super) requests: OneAtATime,
    pub(super) shared: Shared,
    /// How often the list was asked for: an answer that comes after a later question is too old.
    loads: StoredValue<u64>,
}

impl Desk {
    pub(super) fn new() -> Self {
        let desk = Self {
            webhooks: RwSignal::new(None),
            error: RwSignal::new(None),
            chosen: RwSignal::new(None),
            editing: RwSignal::new(false),
            rotating: RwSignal::new(false),
            deleting: RwSignal::new(false),
            showing: RwSignal::new(false),
            secret: RwSignal::new(None),
            log_of: RwSignal::new(None),
            log_again: Trigger::new(),
            requests: OneAtATime::new(),
            shared: use_shared(),
            loads: StoredValue::new(0),
        };
        desk.load();
        Effect::new(move |_| {
            if !desk.showing.get() {
                desk.secret.set(None);
            }
        });
        desk
    }

    /// The interface's address of a webhook.
    pub(super) fn path(id: WebhookId) -> String {
        format!("/webhook/{id}")
    }

    /// Asks for the list; what is shown stays until the answer is there.
    pub(super) fn load(self) {
        self.loads.update_value(|loads| *loads += 1);
        let number = self.loads.try_get_value();
        spawn_local(async move {
            let answer = client::get("/webhooks").await;
            // The list may have been asked for again, and the reader may have left the page meanwhile.
            if self.loads.try_get_value() != number
                || self.error.try_set(answer.as_ref().err().cloned()).is_some()
            {
                return;
            }
            match answer {
                Ok(webhooks) => self.webhooks.set(Some(webhooks)),
                Err(error) => self.shared.note_error(&error),
            }
        });
    }

    /// Opens the form: of a webhook, or of a new one.
    pub(super) fn begin(self, webhook: Option<Webhook>) {
        self.chosen.set(webhook);
        self.requests.open(self.editing);
    }

    /// Opens a dialog about a webhook.
    pub(super) fn ask(self, dialog: RwSignal<bool>, webhook: Webhook) {
        self.chosen.set(Some(webhook));
        self.requests.open(dialog);
    }

    pub(super) fn toggle_log(self, id: WebhookId) {
        self.log_of
            .update(|open| *open = Some(id).filter(|_| *open != Some(id)));
    }

    /// Shows the newest deliveries of a webhook.
    pub(super) fn show_log(self, id: WebhookId) {
        if self.log_of.get_untracked() == Some(id) {
            self.log_again.notify();
        } else {
            self.log_of.set(Some(id));
        }
    }

    /// Shows the secret of an answer to whoever has asked for it when the page was left before it came.
    pub(super) fn keep_secret(
        self,
        asked_by: Option<&Reader>,
        answer: &Result<WebhookWithSecret, ClientError>,
    ) {
        if let Ok(made) = answer
            && self.showing.is_disposed()
        {
            let what = format!(
                "The signing secret for {}, which is not shown again",
                format::short(&made.webhook.url)
            );
            self.shared.show_late_secret(asked_by, &what, &made.secret);
        }
    }

    /// Shows a secret that the service will not show again.
    pub(super) fn show_secret(self, made: WebhookWithSecret) {
        self.secret.set(Some(made.secret));
        self.showing.set(true);
    }

    /// Sends what a dialog is for, and reads the webhooks again: an answer may be lost on its way.
    pub(super) fn close_and_tell<T: 'static>(
        self,
        dialog: RwSignal<bool>,
        request: impl Future<Output = Result<T, ClientError>> + 'static,
        done: impl FnOnce(T) + 'static,
    ) {
        self.requests
            .close_and_tell(dialog, request, move |answer| {
                answer.map(done);
                self.load();
            });
    }

    /// The same of what a button does by itself.
    pub(super) fn tell<T: 'static>(
        self,
        request: impl Future<Output = Result<T, ClientError>> + 'static,
        done: impl FnOnce(T) + 'static,
    ) {
        self.requests.tell(request, move |answer| {
            answer.map(done);
            self.load();
        });
    }
}
