//! The organization's webhooks: which there are, what was sent, and making and changing them.

mod deliveries;
mod desk;
mod dialogs;
mod form;

use leptos::prelude::*;
use pentimento_api::ids::WebhookId;
use pentimento_api::session::Scope;
use pentimento_api::webhook::{Delivery, Webhook, WebhookUpdate};

use crate::browser;
use crate::client;
use crate::components::admin_tabs::AdminTabs;
use crate::components::badge::Badge;
use crate::components::icon::{Glyph, Icon};
use crate::components::notice::{Empty, Problem, Waiting};
use crate::components::time::{Ago, Until};
use crate::labels;
use crate::live::live;
use crate::shared::{Tone, use_shared};
use deliveries::Deliveries;
use desk::Desk;
use dialogs::{DeleteDialog, RotateDialog, WebhookSecret};
use form::FormDialog;

/// The page at `/app/webhooks`.
#[component]
pub(crate) fn WebhooksPage() -> impl IntoView {
    let (desk, shared) = (Desk::new(), use_shared());
    browser::set_title("Webhooks");
    let state = Memo::new(move |_| desk.webhooks.with(|list| list.as_ref().map(Vec::is_empty)));
    let ids = move || {
        desk.webhooks.with(|list| {
            let ids = list.iter().flatten().map(|webhook| webhook.webhook_id);
            ids.collect::<Vec<_>>()
        })
    };
    view! {
        <div class="page">
            <AdminTabs />
            <div class="page-head">
                <h1>"Webhooks"</h1>
                {move || shared.may(Scope::Admin).then(|| view! {
                    <div class="page-actions">
                        <button type="button" class="button button-primary" data-testid="make-webhook" on:click=move |_| desk.begin(None)>
                            <Icon glyph=Glyph::Plus />
                            "Make a webhook"
                        </button>
                    </div>
                })}
            </div>
            {move || desk.error.get().map(|error| view! {
                <Problem error retry=Callback::new(move |()| desk.load()) />
            })}
            {move || match state.get() {
                None if desk.error.with(Option::is_some) => ().into_any(),
                None => view! { <Waiting /> }.into_any(),
                Some(true) => view! {
                    <Empty title="Nobody is told of anything yet">
                        <p>"A webhook sends what happened, signed, to an address of yours: that a job has ended, that somebody decided."</p>
                    </Empty>
                }.into_any(),
                Some(false) => view! {
                    <ul class="webhook-list">
                        <For each=ids key=|id| *id let:id>
                            <LiveRow id desk />
                        </For>
                    </ul>
                }.into_any(),
            }}
            <FormDialog desk />
            <RotateDialog desk />
            <DeleteDialog desk />
            <WebhookSecret desk />
        </div>
    }
}

/// The row of one webhook.
#[component]
fn LiveRow(id: WebhookId, desk: Desk) -> impl IntoView {
    let find = move || {
        desk.webhooks.with(|list| {
            let found = list.iter().flatten().find(|one| one.webhook_id == id);
            found.cloned()
        })
    };
    let webhook = live(find)?;
    Some(view! { <Row id webhook desk /> })
}

#[component]
fn Row(id: WebhookId, webhook: Memo<Webhook>, desk: Desk) -> impl IntoView {
    let url = move || webhook.with(|webhook| webhook.url.clone());
    let is_enabled = move || webhook.with(|webhook| webhook.enabled);
    let about = move || {
        webhook.with(|webhook| {
            let jobs = match &webhook.project {
                None => "Jobs of all projects".to_owned(),
                Some(name) => format!("Jobs of {name}"),
            };
            match &webhook.description {
                None => jobs,
                Some(text) => format!("{jobs} · {text}"),
            }
        })
    };
    let is_open = move || desk.log_of.get() == Some(id);
    // Not `disabled`: a button that is pressed by key keeps the focus.
    let is_busy = move || desk.requests.busy.get().to_string();
    view! {
        <li class="webhook-row" data-testid="webhook" data-webhook=id.to_string() data-enabled=move || is_enabled().to_string()>
            <div class="webhook-what">
                <span class="webhook-url">{url}</span>
                <span class="help">{about}</span>
            </div>
            <ul class="chips" aria-label="Events">
                {move || webhook.with(|webhook| {
                    webhook.events.iter().map(|event| view! { <li class="chip">{event.as_str()}</li> }).collect_view()
                })}
            </ul>
            <div class="webhook-state">{move || webhook.with(state)}</div>
            <div class="webhook-actions" role="group" aria-label=move || format!("Webhook {}", url())>
                <button type="button" class="button" data-testid="webhook-log" aria-expanded=move || is_open().to_string() on:click=move |_| desk.toggle_log(id)>
                    "Deliveries"
                </button>
                <button type="button" class="button" data-testid="webhook-test" disabled=move || !is_enabled() aria-disabled=is_busy on:click=move |_| test(desk, id)>"Test"</button>
                <button type="button" class="button" data-testid="webhook-edit" on:click=move |_| desk.begin(Some(webhook.get_untracked()))>"Edit…"</button>
                <button type="button" class="button" data-testid="webhook-switch" aria-disabled=is_busy on:click=move |_| switch(desk, id, !webhook.get_untracked().enabled)>
                    {move || if is_enabled() { "Stop" } else { "Start" }}
                </button>
                <button type="button" class="button" data-testid="webhook-rotate" on:click=move |_| desk.ask(desk.rotating, webhook.get_untracked())>"New secret…"</button>
                <button type="button" class="button button-reject" data-testid="webhook-delete" on:click=move |_| desk.ask(desk.deleting, webhook.get_untracked())>"Delete…"</button>
            </div>
            {move || is_open().then(|| view! { <Deliveries id is_enabled=Signal::derive(is_enabled) desk /> })}
        </li>
    }
}

fn state(webhook: &Webhook) -> impl IntoView + use<> {
    let webhook = webhook.clone();
    view! {
        <Badge label=labels::webhook(&webhook) />
        {webhook.disabled_reason.map(|reason| view! { <span class="help">{reason}</span> })}
        {webhook.failing_since.map(|time| view! { <span class="help">"Every attempt has failed since " <Ago time /></span> })}
        {webhook.former_secret_until.map(|time| view! { <span class="help">"The former secret signs too; it ends " <Until time /></span> })}
    }
}

/// Stops a webhook, or starts it.
fn switch(desk: Desk, id: WebhookId, is_wanted: bool) {
    let update = WebhookUpdate {
        enabled: Some(is_wanted),
        ..WebhookUpdate::default()
    };
    desk.tell(
        async move { client::put::<Webhook>(&Desk::path(id), &update).await },
        |_| (),
    );
}

/// Sends a test, and shows what comes of it.
fn test(desk: Desk, id: WebhookId) {
    let path = format!("{}/test", Desk::path(id));
    desk.tell(
        async move { client::post::<Delivery>(&path, &()).await },
        move |_| {
            let text = "A test is on its way.".to_owned();
            desk.shared.toast(Tone::Done, text, None);
            desk.show_log(id);
        },
    );
}
