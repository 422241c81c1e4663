//! When a project runs by itself, with whose rights, and what becomes of its captures.

use leptos::prelude::*;
use leptos::task::spawn_local;
use pentimento_api::keys::{Key, KeyState};
use pentimento_api::project::{BaselinePolicy, Schedule};
use pentimento_api::session::Scope;

use super::field::{Choice, Complaints, TextField};
use super::form::{Form, lens};
use crate::client::{self, ClientError};
use crate::settings::update::has_hour;

#[component]
pub(super) fn Runs(form: Form) -> impl IntoView {
    let schedule = form.value(lens!(schedule));
    let hours: Vec<_> = (0_u8..).zip(HOURS).collect();
    let needs_rolling = Memo::new(move |_| {
        form.draft.with(|draft| {
            draft.schedule.is_some()
                && draft.baseline_policy == BaselinePolicy::Approved
                && draft.base_origin.trim().is_empty()
        })
    });
    view! {
        <Choice
            form
            name="baselinePolicy"
            label="Captures become baselines"
            lens=lens!(baseline_policy)
            choices=vec![
                (BaselinePolicy::Approved, "when a person approves them"),
                (BaselinePolicy::Rolling, "with each run, for the next one"),
            ]
        />
        <Choice
            form
            name="schedule"
            label="It runs"
            lens=lens!(schedule)
            choices=vec![
                (None, "only when it is started"),
                (Some(Schedule::Hourly), "every hour"),
                (Some(Schedule::Daily), "every day"),
                (Some(Schedule::Weekly), "every week, on the weekday of saving this"),
            ]
        />
        {move || needs_rolling.get().then(|| view! {
            <p class="form-error">
                "Nobody approves what runs by itself: without a reference origin a schedule needs captures that become baselines with each run."
            </p>
        })}
        {move || has_hour(schedule.get()).then(|| view! {
            <Choice form name="scheduleHourUtc" label="At this hour, UTC" lens=lens!(hour_utc) choices=hours.clone() />
        })}
        {move || schedule.get().map(|_| view! { <ScheduleKey form /> })}
        <TextField
            form
            name="concurrency"
            label="Pages at once"
            lens=lens!(concurrency)
            keyboard="numeric"
            help="1 to 20. More is faster, and harder on the site."
        />
    }
}

const HOURS: [&str; 24] = [
    "00:00", "01:00", "02:00", "03:00", "04:00", "05:00", "06:00", "07:00", "08:00", "09:00",
    "10:00", "11:00", "12:00", "13:00", "14:00", "15:00", "16:00", "17:00", "18:00", "19:00",
    "20:00", "21:00", "22:00", "23:00",
];

/// The key whose rights scheduled runs have: one that works and may run.
#[component]
fn ScheduleKey(form: Form) -> impl IntoView {
    let keys = RwSignal::new(Vec::<Key>::new());
    spawn_local(async move {
        let answer: Result<Vec<Key>, ClientError> = client::get("/keys").await;
        // Without the list the key stays as it is.
        if let Ok(known) = answer {
            keys.try_set(known);
        }
    });
    let chosen = form.value(lens!(schedule_key));
    let usable = move || {
        keys.get().into_iter().filter(move |key| {
            let is_chosen = chosen.with(|chosen| key.key_id.to_string() == *chosen);
            is_chosen || key.state == KeyState::Active && key.scopes.contains(&Scope::Run)
        })
    };
    // Of a key that is not in the list only its id is known.
    let unknown = move || {
        let chosen = chosen.get();
        let is_known = keys.with(|keys| keys.iter().any(|key| key.key_id.to_string() == chosen));
        Some(chosen).filter(|chosen| !chosen.is_empty() && !is_known)
    };
    view! {
        <div class="setting">
            <label for="setting-scheduleKeyId">"With the rights of"</label>
            <select
                id="setting-scheduleKeyId"
                class="field"
                data-testid="setting-scheduleKeyId"
                on:change=move |event| form.set(lens!(schedule_key), event_target_value(&event))
            >
                <option value="" prop:selected=move || chosen.with(String::is_empty)>"the key that saves this"</option>
                {move || unknown().map(|id| view! { <option value=id.clone() prop:selected=true>{format!("the key {id}")}</option> })}
                {move || usable().map(|key| {
                    let id = key.key_id.to_string();
                    let value = id.clone();
                    view! { <option value=value prop:selected=move || chosen.with(|chosen| *chosen == id)>{key.name}</option> }
                }).collect_view()}
            </select>
            <Complaints form name="scheduleKeyId" />
        </div>
    }
}
