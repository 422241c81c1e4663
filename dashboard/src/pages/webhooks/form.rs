//! The dialog that makes a webhook, or changes one.

use leptos::prelude::*;
use pentimento_api::patch::Patch;
use pentimento_api::webhook::{
    NewWebhook, Webhook, WebhookEvent, WebhookUpdate, WebhookWithSecret,
};

use super::desk::Desk;
use crate::client::{self, ClientError};
use crate::components::dialog::Dialog;
use crate::components::project_options::ProjectOptions;
use crate::one_at_a_time::Opening;

/// What can be subscribed to, in words.
const EVENTS: [(WebhookEvent, &str); 2] = [
    (WebhookEvent::JobCompleted, "a job has ended"),
    (WebhookEvent::JobTriaged, "somebody decided on pages"),
];

/// What is typed.
#[derive(Clone, Copy)]
struct Typed {
    url: RwSignal<String>,
    events: RwSignal<Vec<WebhookEvent>>,
    /// Empty for every project.
    project: RwSignal<String>,
    description: RwSignal<String>,
}

impl Typed {
    fn new() -> Self {
        Self {
            url: RwSignal::new(String::new()),
            events: RwSignal::new(Vec::new()),
            project: RwSignal::new(String::new()),
            description: RwSignal::new(String::new()),
        }
    }

    /// What the webhook has; a new one is told of every event.
    fn fill(self, webhook: Option<&Webhook>) {
        let text = |text: Option<&String>| text.cloned().unwrap_or_default();
        self.url.set(text(webhook.map(|webhook| &webhook.url)));
        self.events.set(webhook.map_or_else(
            || EVENTS.map(|(event, _)| event).to_vec(),
            |webhook| webhook.events.clone(),
        ));
        self.project
            .set(text(webhook.and_then(|webhook| webhook.project.as_ref())));
        self.description.set(text(
            webhook.and_then(|webhook| webhook.description.as_ref()),
        ));
    }

    fn new_webhook(self) -> NewWebhook {
        let some = |text: String| Some(text).filter(|text| !text.is_empty());
        NewWebhook {
            url: self.url.get_untracked().trim().to_owned(),
            events: self.events.get_untracked(),
            project: some(self.project.get_untracked()),
            description: some(self.description.get_untracked().trim().to_owned()),
        }
    }

    /// What differs from the webhook: others may have changed the rest meanwhile.
    fn update(self, webhook: &Webhook) -> WebhookUpdate {
        let patch = |value: Option<String>, before: &Option<String>| match value {
            value if value == *before => Patch::Absent,
            Some(value) => Patch::Set(value),
            None => Patch::Clear,
        };
        let new = self.new_webhook();
        let as_set = |events: &[WebhookEvent]| EVENTS.map(|(event, _)| events.contains(&event));
        WebhookUpdate {
            url: Some(new.url).filter(|url| *url != webhook.url),
            events: Some(new.events).filter(|events| as_set(events) != as_set(&webhook.events)),
            project: patch(new.project, &webhook.project),
            description: patch(new.description, &webhook.description),
            enabled: None,
        }
    }
}

/// Asks where to send what. A refusal is said in it, so that nothing that was typed is lost.
#[component]
pub(super) fn FormDialog(desk: Desk) -> impl IntoView {
    let typed = Typed::new();
    let refusal = RwSignal::new(None::<ClientError>);
    let is_new = Memo::new(move |_| desk.chosen.with(Option::is_none));
    Effect::new(move |_| {
        if desk.editing.get() {
            refusal.set(None);
            typed.fill(desk.chosen.get_untracked().as_ref());
        }
    });
    // What is answered late has no place in a form that was opened since.
    let refuse = move |opening: Opening, error: ClientError| {
        if opening.is_open() {
            refusal.set(Some(error));
        } else {
            desk.requests.refuse(&error);
        }
    };
    let send = move || {
        let opening = desk.requests.opening(desk.editing);
        let new = typed.new_webhook();
        let update = desk.chosen.with_untracked(|webhook| {
            let webhook = webhook.as_ref()?;
            Some((Desk::path(webhook.webhook_id), typed.update(webhook)))
        });
        let asked_by = untrack(|| desk.shared.reader());
        let request = async move {
            match update {
                None => {
                    let made = client::post("/webhooks", &new).await;
                    desk.keep_secret(asked_by.as_ref(), &made);
                    made.map(Some)
                }
                Some((path, update)) => {
                    let saved = client::put::<Webhook>(&path, &update).await;
                    saved.map(|_| None::<WebhookWithSecret>)
                }
            }
        };
        desk.requests.run(request, move |answer| {
            desk.load();
            match answer {
                Ok(made) => {
                    opening.close();
                    if let Some(made) = made {
                        desk.show_secret(made);
                    }
                }
                Err(error) => refuse(opening, error),
            }
        });
    };
    let is_ready = move || {
        let is_filled =
            !typed.url.with(|url| url.trim().is_empty()) && !typed.events.with(Vec::is_empty);
        !desk.requests.busy.get() && is_filled
    };
    let title = Signal::derive(move || {
        if is_new.get() {
            "Make a webhook"
        } else {
            "Change the webhook"
        }
    });
    view! {
        <Dialog open=desk.editing title>
            <form
                class="dialog-form"
                novalidate
                on:submit=move |event| {
                    event.prevent_default();
                    send();
                }
            >
                {text_field("Events are sent to", "url", "2048", "webhook-url", typed.url, true)}
                <fieldset class="form-choices">
                    <legend>"When"</legend>
                    {EVENTS.map(|(event, words)| event_box(event, words, typed.events)).collect_view()}
                </fieldset>
                <label class="form-field">
                    <span>"Jobs of"</span>
                    <select class="field" data-testid="webhook-project" on:change=move |event| typed.project.set(event_target_value(&event))>
                        <ProjectOptions all="all projects" chosen=typed.project wanted=desk.editing />
                    </select>
                </label>
                {text_field("A note for people", "text", "200", "webhook-description", typed.description, false)}
                {move || refusal.get().map(|error| view! { <p class="form-error" role="alert" data-testid="webhook-refusal">{error.to_string()}</p> })}
                <div class="dialog-actions">
                    <button type="button" class="button" on:click=move |_| desk.editing.set(false)>"Cancel"</button>
                    <button type="submit" class="button button-primary" data-testid="webhook-submit" disabled=move || !is_ready()>
                        {move || if is_new.get() { "Make the webhook" } else { "Save" }}
                    </button>
                </div>
            </form>
        </Dialog>
    }
}

fn text_field(
    label: &'static str,
    kind: &'static str,
    most: &'static str,
    hook: &'static str,
    value: RwSignal<String>,
    is_first: bool,
) -> impl IntoView {
    view! {
        <label class="form-field">
            <span>{label}</span>
            <input class="field" type=kind maxlength=most autocomplete="off" autofocus=is_first data-testid=hook prop:value=value on:input=move |event| value.set(event_target_value(&event)) />
        </label>
    }
}

fn event_box(
    event: WebhookEvent,
    words: &'static str,
    events: RwSignal<Vec<WebhookEvent>>,
) -> impl IntoView {
    view! {
        <label class="form-choice">
            <input
                type="checkbox"
                data-testid=format!("event-{}", event.as_str())
                prop:checked=move || events.with(|events| events.contains(&event))
                on:change=move |change| {
                    let is_wanted = event_target_checked(&change);
                    events.update(|events| {
                        events.retain(|other| *other != event);
                        if is_wanted {
                            events.push(event);
                        }
                    });
                }
            />
            <span>{words} " " <code>{event.as_str()}</code></span>
        </label>
    }
}
