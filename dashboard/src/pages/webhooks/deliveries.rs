//! What was sent to a webhook, newest first, kept up while something is on its way.

use gloo_timers::future::TimeoutFuture;
use leptos::prelude::*;
use pentimento_api::ids::{DeliveryId, WebhookId};
use pentimento_api::webhook::{
    Delivery, DeliveryAttempt, DeliveryList, DeliveryListQuery, DeliveryStatus,
};

use super::desk::Desk;
use crate::browser;
use crate::client::{self, ClientError};
use crate::components::badge::Badge;
use crate::components::load_more::LoadMore;
use crate::components::notice::{Problem, Waiting};
use crate::components::time::{Ago, Until};
use crate::format;
use crate::labels;
use crate::live::{live, with_newest};
use crate::shared::Tone;
use crate::task::spawn_scoped;

/// Deliveries read at once.
const BATCH: u32 = 10;

/// Between two looks at what is on its way: soon after something was sent, and later, when attempts come hours apart.
const SOON_MS: u32 = 2_000;
const LATER_MS: u32 = 15_000;

/// Looks that come soon after each other.
const SOON_LOOKS: u32 = 10;

/// The log of a webhook.
#[component]
pub(super) fn Deliveries(id: WebhookId, is_enabled: Signal<bool>, desk: Desk) -> impl IntoView {
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
            for look in 0.. {
                if !browser::is_hidden() || look == 0 {
                    match client::get::<DeliveryList>(&path(None)).await {
                        Ok(fresh) => {
                            error.set(None);
                            let waits = (fresh.deliveries.iter())
                                .any(|delivery| delivery.status == DeliveryStatus::Pending);
                            if merge(list, next, fresh) {
                                // What came of it may have changed how the webhook stands.
                                desk.load();
                            }
                            if !waits {
                                return;
                            }
                        }
                        Err(met) => return note(met),
                    }
                }
                TimeoutFuture::new(if look < SOON_LOOKS { SOON_MS } else { LATER_MS }).await;
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
                // The list has begun anew meanwhile.
                Ok(_) if next.get_untracked() != Some(before) => {}
                Ok(older) => {
                    next.set(older.next);
                    list.update(|list| list.get_or_insert_default().extend(older.deliveries));
                }
                Err(met) => note(met),
            }
        });
    });
    let state = Memo::new(move |_| list.with(|list| list.as_ref().map(Vec::is_empty)));
    let ids = move || {
        list.with(|list| {
            let ids = list.iter().flatten().map(|delivery| delivery.delivery_id);
            ids.collect::<Vec<_>>()
        })
    };
    view! {
        <div class="deliveries" data-testid="deliveries">
            {move || error.get().map(|error| view! { <Problem error retry=Callback::new(move |()| desk.log_again.notify()) /> })}
            {move || match state.get() {
                None if error.with(Option::is_some) => ().into_any(),
                None => view! { <Waiting /> }.into_any(),
                Some(true) => view! { <p class="help">"Nothing was sent in the last 30 days."</p> }.into_any(),
                Some(false) => view! {
                    <ul class="delivery-list">
                        <For each=ids key=|id| *id let:delivery_id>
                            <LiveRow list delivery_id id is_enabled desk />
                        </For>
                    </ul>
                }.into_any(),
            }}
            <LoadMore
                more=Signal::derive(move || next.with(Option::is_some))
                press=move |()| more.notify()
                word="Load more"
                hook="more-deliveries"
            />
        </div>
    }
}

/// Puts the newest deliveries in front of the older ones that were read after them; says whether anything was known and is not as
/// it was.
fn merge(
    list: RwSignal<Option<Vec<Delivery>>>,
    next: RwSignal<Option<String>>,
    fresh: DeliveryList,
) -> bool {
    let had = list.with_untracked(Clone::clone);
    let is_other = had.as_ref().is_some_and(|had| {
        let same = fresh.deliveries.iter().filter(|one| had.contains(one));
        same.count() < fresh.deliveries.len()
    });
    let newest = (fresh.deliveries, fresh.next.is_none());
    let (merged, has_older) = with_newest(had.unwrap_or_default(), newest, |delivery| {
        delivery.delivery_id
    });
    if !has_older {
        next.set(fresh.next);
    }
    list.set(Some(merged));
    is_other
}

/// The row of one delivery.
#[component]
fn LiveRow(
    list: RwSignal<Option<Vec<Delivery>>>,
    delivery_id: DeliveryId,
    id: WebhookId,
    is_enabled: Signal<bool>,
    desk: Desk,
) -> impl IntoView {
    let find = move || {
        list.with(|list| {
            let found = list
                .iter()
                .flatten()
                .find(|one| one.delivery_id == delivery_id);
            found.cloned()
        })
    };
    let delivery = live(find)?;
    let first = delivery.get_untracked();
    let again = move |_| {
        let path = format!("{}/deliveries/{delivery_id}/redeliver", Desk::path(id));
        desk.tell(
            async move { client::post::<Delivery>(&path, &()).await },
            move |_| {
                let text = "The event is on its way again.".to_owned();
                desk.shared.toast(Tone::Done, text, None);
                desk.log_again.notify();
            },
        );
    };
    let is_busy = move || desk.requests.busy.get().to_string();
    let (event, payload) = (first.event.as_str(), first.payload.clone());
    let time = first.created_at.clone();
    let name = format!("Send {event} of {} again", format::absolute(&time));
    Some(view! {
        <li class="delivery-row" data-testid="delivery" data-status=move || delivery.with(|one| one.status.as_str()) data-event=event>
            <span>{move || view! { <Badge label=labels::delivery(delivery.with(|one| one.status)) /> }}</span>
            <code>{event}</code>
            <span class="help"><Ago time /></span>
            <div class="delivery-came">
                {move || delivery.with(|one| one.error.clone()).map(|error| view! { <span class="delivery-error">{error}</span> })}
                {move || delivery.with(|one| one.next_attempt_at.clone()).map(|time| view! { <span class="help">"Next attempt " <Until time /></span> })}
                <details>
                    <summary>{move || delivery.with(|one| attempts_text(&one.attempts))}</summary>
                    <ul class="attempts">{move || delivery.get().attempts.into_iter().map(attempt).collect_view()}</ul>
                    <pre class="command"><code>{payload}</code></pre>
                </details>
            </div>
            <button type="button" class="button" data-testid="redeliver" aria-label=name disabled=move || !is_enabled.get() aria-disabled=is_busy on:click=again>"Send again"</button>
        </li>
    })
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
