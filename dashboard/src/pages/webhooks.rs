//! The organization's webhooks: which there are, what was sent, and making and changing them.

mod deliveries;
mod desk;
mod dialogs;
mod form;

use leptos::prelude::*;
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
            {move || match desk.webhooks.get() {
                None => view! { <Waiting /> }.into_any(),
                Some(Err(error)) => {
                    view! { <Problem error retry=Callback::new(move |()| desk.load()) /> }.into_any()
                }
                Some(Ok(webhooks)) if webhooks.is_empty() => view! {
                    <Empty title="Nobody is told of anything yet">
                        <p>"A webhook sends what happened, signed, to an address of yours: that a job has ended, that somebody decided."</p>
                    </Empty>
                }.into_any(),
                Some(Ok(webhooks)) => view! {
                    <ul class="webhook-list">
                        {webhooks.into_iter().map(|webhook| view! { <Row webhook desk /> }).collect_view()}
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

#[component]
fn Row(webhook: Webhook, desk: Desk) -> impl IntoView {
    let id = webhook.webhook_id;
    let chosen = StoredValue::new(webhook.clone());
    let label = labels::webhook(&webhook);
    let url = webhook.url.clone();
    let is_enabled = webhook.enabled;
    let what = webhook.project.map_or_else(
        || "Jobs of all projects".to_owned(),
        |name| format!("Jobs of {name}"),
    );
    let switch = move |_| {
        let update = WebhookUpdate {
            enabled: Some(!is_enabled),
            ..WebhookUpdate::default()
        };
        desk.send(
            async move { client::put::<Webhook>(&Desk::path(id), &update).await },
            move |_| desk.load(),
        );
    };
    let test = move |_| {
        desk.send(
            async move { client::post::<Delivery>(&format!("{}/test", Desk::path(id)), &()).await },
            move |_| {
                desk.shared
                    .toast(Tone::Done, "A test is on its way.".to_owned(), None);
                desk.show_log(id);
            },
        );
    };
    let is_open = move || desk.log_of.get() == Some(id);
    view! {
        <li class="webhook-row" data-testid="webhook" data-webhook=id.to_string() data-enabled=is_enabled.to_string()>
            <div class="webhook-what">
                <span class="webhook-url">{webhook.url}</span>
                <span class="help">
                    {what}
                    {webhook.description.map(|text| format!(" · {text}"))}
                </span>
            </div>
            <ul class="chips" aria-label="Events">
                {webhook.events.iter().map(|event| view! { <li class="chip">{event.as_str()}</li> }).collect_view()}
            </ul>
            <div class="webhook-state">
                <Badge label />
                {webhook.disabled_reason.map(|reason| view! { <span class="help">{reason}</span> })}
                {webhook.failing_since.map(|time| view! { <span class="help">"Every attempt has failed since " <Ago time /></span> })}
                {webhook.former_secret_until.map(|time| view! { <span class="help">"The former secret signs too; it ends " <Until time /></span> })}
            </div>
            <div class="webhook-actions" role="group" aria-label=format!("Webhook {url}")>
                <button type="button" class="button" data-testid="webhook-log" aria-expanded=move || is_open().to_string() on:click=move |_| desk.toggle_log(id)>
                    "Deliveries"
                </button>
                <button type="button" class="button" data-testid="webhook-test" disabled=move || !is_enabled || desk.sending.busy.get() on:click=test>"Test"</button>
                <button type="button" class="button" data-testid="webhook-edit" on:click=move |_| desk.begin(Some(chosen.get_value()))>"Edit…"</button>
                <button type="button" class="button" data-testid="webhook-switch" disabled=desk.sending.busy on:click=switch>
                    {if is_enabled { "Stop" } else { "Start" }}
                </button>
                <button type="button" class="button" data-testid="webhook-rotate" on:click=move |_| desk.ask(desk.rotating, chosen.get_value())>"New secret…"</button>
                <button type="button" class="button button-reject" data-testid="webhook-delete" on:click=move |_| desk.ask(desk.deleting, chosen.get_value())>"Delete…"</button>
            </div>
            {move || is_open().then(|| view! { <Deliveries id desk /> })}
        </li>
    }
}
