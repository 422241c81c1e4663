//! A project's schedule: what an update makes of it, which key it uses, and when its next slot is.

use pentimento_api::ids::KeyId;
use pentimento_api::patch::Patch;
use pentimento_api::project::{ProjectUpdate, Schedule};
use pentimento_api::session::Scope;
use sqlx::AnyConnection;

use super::slots::{Rhythm, weekday};
use crate::auth::Caller;
use crate::db;
use crate::db::keys::KeyRow;
use crate::db::projects::ProjectRow;
use crate::error::{Error, Result};
use crate::keys::is_alive;

/// Keys that took each other's place, one after the other, that are followed.
const MAX_ROTATIONS: usize = 1_000;

/// The schedule of a stored project, if it has one.
pub(crate) fn rhythm_of(row: &ProjectRow) -> Option<Rhythm> {
    Some(Rhythm {
        schedule: schedule_of(row)?,
        hour: row.schedule_hour_utc.unwrap_or(0),
        weekday: row.schedule_weekday.unwrap_or(0),
    })
}

/// How often a stored project runs by itself.
pub(crate) fn schedule_of(row: &ProjectRow) -> Option<Schedule> {
    let word = row.schedule.as_deref()?;
    serde_json::from_value(word.into()).ok()
}

/// Why scheduled runs cannot use a key; none when they can. Of a key of another organization nothing is said but that
/// there is none.
pub(crate) fn key_fault(key: Option<&KeyRow>, organization_id: &str, now: i64) -> Option<String> {
    let living = key.filter(|key| key.organization_id == organization_id && is_alive(key, now));
    match living {
        None => Some("no living key of your organization has this id".to_owned()),
        Some(key) if !key.scopes().contains(&Scope::Run) => {
            Some(format!("the key `{}` lacks the scope `run`", key.name))
        }
        Some(_) => None,
    }
}

/// Applies an update to the schedule in `row`, whose other settings are already the new ones.
///
/// # Errors
/// 400 that names the field.
pub(super) async fn apply(
    tx: &mut AnyConnection,
    caller: &Caller,
    update: &ProjectUpdate,
    row: &mut ProjectRow,
    has_base_origin: bool,
    now: i64,
) -> Result<()> {
    let before = rhythm_of(row);
    let stored = before.map(|rhythm| rhythm.schedule);
    let sent = update.schedule.as_set().copied();
    let schedule = match &update.schedule {
        Patch::Absent => stored,
        Patch::Clear | Patch::Set(_) => sent,
    };
    let Some(schedule) = schedule else {
        return clear(update, row);
    };
    if !has_base_origin && row.baseline_policy != "rolling" {
        return Err(Error::invalid(
            "`schedule` needs `baselinePolicy: rolling` in a project without `baseOrigin`: nobody approves what runs unattended. Send it too, or clear the schedule with null.",
        ));
    }
    let was = before.filter(|before| before.schedule == schedule);
    row.schedule_hour_utc = hour(update, schedule, row.schedule_hour_utc)?;
    // The day on which it was made weekly; sending it again does not move it.
    row.schedule_weekday = match (schedule, was) {
        (Schedule::Weekly, Some(was)) => Some(was.weekday),
        (Schedule::Weekly, None) => Some(weekday(now)),
        (Schedule::Hourly | Schedule::Daily, _) => None,
    };
    row.schedule = Some(word(schedule).to_owned());
    row.schedule_key_id = Some(key(tx, caller, update, row, was.is_some(), now).await?);
    let after = rhythm_of(row);
    if after != before || row.next_run_at_ms.is_none() {
        row.next_run_at_ms = after.map(|rhythm| rhythm.next_after(now));
    }
    Ok(())
}

/// Clearing a schedule clears all that belongs to it.
fn clear(update: &ProjectUpdate, row: &mut ProjectRow) -> Result<()> {
    for (field, is_set, schedules) in [
        (
            "scheduleHourUtc",
            update.schedule_hour_utc.as_set().is_some(),
            "`daily` or `weekly`",
        ),
        (
            "scheduleKeyId",
            update.schedule_key_id.as_set().is_some(),
            "`hourly`, `daily` or `weekly`",
        ),
    ] {
        if is_set {
            return Err(Error::invalid(format!(
                "`{field}` needs a `schedule`; send {schedules} with it."
            )));
        }
    }
    row.schedule = None;
    row.schedule_hour_utc = None;
    row.schedule_weekday = None;
    row.schedule_key_id = None;
    row.next_run_at_ms = None;
    Ok(())
}

fn hour(update: &ProjectUpdate, schedule: Schedule, stored: Option<i64>) -> Result<Option<i64>> {
    let sent = update.schedule_hour_utc.as_set().copied();
    match (schedule, sent) {
        (Schedule::Hourly, Some(_)) => Err(Error::invalid(
            "`scheduleHourUtc` goes with `daily` or `weekly`; an hourly schedule has no hour. Leave it out.",
        )),
        (Schedule::Hourly, None) => Ok(None),
        (_, Some(hour)) if hour > 23 => Err(Error::invalid(format!(
            "`scheduleHourUtc` must be 0–23; got {hour}."
        ))),
        (_, Some(hour)) => Ok(Some(i64::from(hour))),
        (_, None) if update.schedule_hour_utc == Patch::Clear => Ok(Some(0)),
        (_, None) => Ok(Some(stored.unwrap_or(0))),
    }
}

/// The key that scheduled runs use: the one that is named, else the stored one while it lives, else the one that makes the call.
async fn key(
    tx: &mut AnyConnection,
    caller: &Caller,
    update: &ProjectUpdate,
    row: &ProjectRow,
    is_same_schedule: bool,
    now: i64,
) -> Result<String> {
    let stored = row.schedule_key_id.clone();
    // Ids are the same in either case. What is no UUID names no key, and may hold what PostgreSQL takes in no text.
    let sent = (update.schedule_key_id).as_set().map(|id| {
        let parsed = id.parse::<KeyId>();
        parsed.map_or_else(|_| String::new(), |id| id.to_string())
    });
    // What a read told, sent back, is no wish for another key; with another schedule it is a wish for this one.
    let names_stored = is_same_schedule && sent.is_some() && sent == stored;
    let id = match (&update.schedule_key_id, stored) {
        (Patch::Absent, Some(stored)) if update.schedule.is_absent() => return Ok(stored),
        (Patch::Absent | Patch::Set(_), Some(stored)) if sent.is_none() || names_stored => {
            // Whatever the schedule is now, its key stays, unless it has died meanwhile.
            let found = db::keys::find_key(tx, &stored).await?;
            match key_fault(found.as_ref(), &row.organization_id, now) {
                None => return Ok(stored),
                Some(_) => caller.key_id.clone(),
            }
        }
        (Patch::Set(_), _) => sent.unwrap_or_default(),
        (Patch::Absent | Patch::Clear, _) => caller.key_id.clone(),
    };
    let found = successor(tx, &id, now).await?;
    match key_fault(found.as_ref(), &row.organization_id, now) {
        None => Ok(found.map_or(id, |key| key.id)),
        Some(fault) => Err(Error::invalid(format!(
            "`scheduleKeyId`: {fault}; name one that has the scope `run`. `pentimento keys list` shows them."
        ))),
    }
}

/// The key with this id, or the last living one of those that took its place: what is rotated ends, and its schedules have moved
/// on.
async fn successor(tx: &mut AnyConnection, id: &str, now: i64) -> Result<Option<KeyRow>> {
    let mut found = db::keys::find_key(tx, id).await?;
    let mut next = found.as_ref().and_then(|key| key.replaced_by.clone());
    for _ in 0..MAX_ROTATIONS {
        let Some(id) = &next else {
            break;
        };
        let Some(key) = db::keys::find_key(tx, id).await? else {
            break;
        };
        next.clone_from(&key.replaced_by);
        if is_alive(&key, now) {
            found = Some(key);
        }
    }
    Ok(found)
}

/// Holds the key that an update may have scheduled runs use, before the project is held: whoever rotates it holds both in this
/// order, and finds the schedule.
pub(super) async fn lock_key(
    tx: &mut AnyConnection,
    caller: &Caller,
    update: &ProjectUpdate,
    now: i64,
) -> Result<()> {
    if update.schedule.is_absent() && update.schedule_key_id.is_absent() {
        return Ok(());
    }
    let sent = (update.schedule_key_id).as_set();
    let sent = sent.and_then(|id| id.parse::<KeyId>().ok());
    let id = sent.map_or_else(|| caller.key_id.clone(), |id| id.to_string());
    let key = successor(tx, &id, now).await?;
    let of_caller = key.filter(|key| key.organization_id == caller.organization_id);
    if let Some(key) = of_caller {
        db::keys::lock_key(tx, &key.id).await?;
    }
    Ok(())
}

/// How often, as it is stored.
pub(super) fn word(schedule: Schedule) -> &'static str {
    match schedule {
        Schedule::Hourly => "hourly",
        Schedule::Daily => "daily",
        Schedule::Weekly => "weekly",
    }
}
