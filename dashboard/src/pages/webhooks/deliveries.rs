//! What was sent to a webhook, newest first, kept up while something is on its way.

use gloo_timers::future::TimeoutFuture;
use leptos::prelude::*;
use pentimento_api::ids::WebhookId;
use pentimento_api::webhook::{
    Delivery, DeliveryAttempt, DeliveryList, DeliveryListQuery, DeliveryStatus,
};

use super::desk::Desk;
use crate::client::{self, ClientError};
use crate::components::badge::Badge;
use crate::components::notice::{Problem, Waiting};
use crate::components::time::{Ago, Until};
use crate::format;
use crate::labels;
use crate::shared::Tone;
use crate::task::spawn_scoped;

/// Deliveries read at once.
const BATCH: u32 = 10;

/// Between two looks at what is on its way.
const LOOK_MS: u32 = 2_000;

/// The log of a webhook.
#[component]
pub(super) fn Deliveries(id: WebhookId, desk: Desk) -> impl IntoView {
    let list = RwSignal::new(None::<Vec<Delivery>>);
    let next = RwSignal::new(None::<String>);
    let error = RwSignal::new(None::<ClientError>);
    let more = Trigger::new();
    let path = move |before: Option<String>| {
        let query = DeliveryListQuery {
            limit: Some(BATCH),
            before,
            status: None,
        };
        client::with_query(&format!("{}/deliveries", Desk::path(id)), &query)
    };
    let note = move |met: ClientError| {
        desk.shared.note_error(&met);
        error.set(Some(met));
    };
    Effect::new(move |_| {
        desk.log_again.track();
        spawn_scoped(async move {
            loop {
                match client::get::<DeliveryList>(&path(None)).await {
                    Ok(fresh) => {
                        error.set(None);
                        let waits = (fresh.deliveries.iter())
                            .any(|delivery| delivery.status == DeliveryStatus::Pending);
                        next.set(fresh.next);
                        list.set(Some(fresh.deliveries));
                        if !waits {
                            return;
                        }
                    }
                    Err(met) => return note(met),
                }
                TimeoutFuture::new(LOOK_MS).await;
            }
        });
    });
    Effect::new(move |ran: Option<()>| {
        more.track();
        let (Some(()), Some(before)) = (ran, next.get_untracked()) else {
            return;
        };
        spawn_scoped(async move {
            match client::get::<DeliveryList>(&path(Some(before.clone()))).await {
                // The newest were read again meanwhile.
                Ok(_) if next.get_untracked() != Some(before) => {}
                Ok(older) => {
                    next.set(older.next);
                    list.update(|list| list.get_or_insert_default().extend(older.deliveries));
                }
                Err(met) => note(met),
            }
        });
    });
    view! {
        <div class="deliveries" data-testid="deliveries">
            {move || error.get().map(|error| view! { <Problem error retry=Callback::new(move |()| desk.log_again.notify()) /> })}
            {move || match list.with(|list| list.as_ref().map(Vec::is_empty)) {
                None if error.with(Option::is_some) => ().into_any(),
                None => view! { <Waiting /> }.into_any(),
                Some(true) => view! { <p class="help">"Nothing was sent in the last 30 days."</p> }.into_any(),
                Some(false) => view! {
                    <ul class="delivery-list">
                        <For
                            each=move || list.get().unwrap_or_default()
                            key=|delivery| (delivery.delivery_id, delivery.status.as_str(), delivery.attempts.len())
                            let:delivery
                        >
                            <Row id delivery desk />
                        </For>
                    </ul>
                }.into_any(),
            }}
            {move || next.with(Option::is_some).then(|| view! {
                <button type="button" class="button load-more" data-testid="more-deliveries" on:click=move |_| more.notify()>"Load more"</button>
            })}
        </div>
    }
}

#[component]
fn Row(id: WebhookId, delivery: Delivery, desk: Desk) -> impl IntoView {
    let again = move |_| {
        let path = format!(
            "{}/deliveries/{}/redeliver",
            Desk::path(id),
            delivery.delivery_id
        );
        desk.send(
            async move { client::post::<Delivery>(&path, &()).await },
            move |_| {
                let text = "The event is on its way again.".to_owned();
                desk.shared.toast(Tone::Done, text, None);
                desk.log_again.notify();
            },
        );
    };
    view! {
        <li class="delivery-row" data-testid="delivery" data-status=delivery.status.as_str() data-event=delivery.event.as_str()>
            <span><Badge label=labels::delivery(delivery.status) /></span>
            <code>{delivery.event.as_str()}</code>
            <span class="help"><Ago time=delivery.created_at /></span>
            <div class="delivery-came">
                {delivery.error.map(|error| view! { <span class="delivery-error">{error}</span> })}
                {delivery.next_attempt_at.map(|time| view! { <span class="help">"Next attempt " <Until time /></span> })}
                <details>
                    <summary>{attempts_text(&delivery.attempts)}</summary>
                    <ul class="attempts">{delivery.attempts.into_iter().map(attempt).collect_view()}</ul>
                    <pre class="command"><code>{delivery.payload}</code></pre>
                </details>
            </div>
            <button type="button" class="button" data-testid="redeliver" disabled=desk.sending.busy on:click=again>"Send again"</button>
        </li>
    }
}

fn attempts_text(attempts: &[DeliveryAttempt]) -> String {
    let Some(last) = attempts.last() else {
        return "No attempt yet".to_owned();
    };
    let came = last.status_code.map_or_else(
        || "no answer".to_owned(),
        |status| format!("answered {status}"),
    );
    format!(
        "{}, {came} in {} ms",
        format::counted(attempts.len() as u64, "attempt"),
        last.duration_ms
    )
}

fn attempt(attempt: DeliveryAttempt) -> impl IntoView {
    let came = (attempt.status_code.map(|status| status.to_string()))
        .into_iter()
        .chain(attempt.error)
        .chain(attempt.answer.filter(|answer| !answer.is_empty()));
    let came: Vec<String> = came.collect();
    view! {
        <li>
            <span class="help">{format::absolute(&attempt.at)}</span>
            " "
            <span>{came.join(" · ")}</span>
        </li>
    }
}
