//! Runs by schedule: looks for slots that are due and starts what they are for.
//!
//! A slot belongs to whoever moves the project on to the next one, in the same transaction that stores the job: of
//! several servers one starts it, and a server that dies on the way leaves it to the others.

use std::time::Duration;

use futures::StreamExt;
use serde_json::json;
use tokio_util::sync::CancellationToken;

use crate::app::App;
use crate::auth::Caller;
use crate::clock::rfc3339;
use crate::db;
use crate::db::audit::AuditEntry;
use crate::db::projects::ProjectRow;
use crate::db::schedules::Slot;
use crate::error::Error;
use crate::jobs::run::start_scheduled;
use crate::projects::schedule::{key_fault, rhythm_of};

/// How often a process looks for slots that are due: one indexed query when there are none.
const INTERVAL: Duration = Duration::from_secs(5);

/// A slot that nobody started so long was missed, and waits for the next one.
const MISSED_AFTER_MS: i64 = 5 * 60_000;

/// How long a slot whose addresses do not resolve is tried again, and the first pause; each pause is as long as all before
/// it: after 15 s, 30 s, 1, 2, 4, 8 and 15 minutes.
const RETRIED_FOR_MS: i64 = 15 * 60_000;
const FIRST_PAUSE_MS: i64 = 15_000;

/// Slots that one look takes up at most, and at once; the rest is there at the next look.
const MAX_DUE: i64 = 200;
const AT_ONCE: usize = 4;

/// Looks until `stop` is cancelled.
pub(super) async fn run(app: App, stop: CancellationToken) {
    loop {
        if let Err(error) = tick(&app).await {
            tracing::warn!(
                error = format!("{error:#}"),
                "schedules were not looked at; the next look comes"
            );
        }
        tokio::select! {
            () = tokio::time::sleep(INTERVAL) => {}
            () = stop.cancelled() => return,
        }
    }
}

/// One look; tests call it instead of waiting.
///
/// # Errors
/// The database refuses.
pub async fn tick(app: &App) -> anyhow::Result<()> {
    let now = app.clock.now_ms();
    let due = db::schedules::list_due(&mut *app.db.read().await?, now, MAX_DUE).await?;
    futures::stream::iter(due)
        .for_each_concurrent(AT_ONCE, async |project| {
            if let Err(error) = take(app, &project, now).await {
                tracing::error!(
                    project = project.name,
                    error = format!("{error:#}"),
                    "a scheduled run could not be started; the next look tries again until the slot is missed"
                );
            }
        })
        .await;
    Ok(())
}

/// Takes up a project's slot: runs it, or says why not.
async fn take(app: &App, project: &ProjectRow, now: i64) -> anyhow::Result<()> {
    let (Some(rhythm), Some(due_at_ms)) = (rhythm_of(project), project.next_run_at_ms) else {
        return Ok(());
    };
    let slot = Slot {
        project_id: &project.id,
        due_at_ms,
        next_at_ms: rhythm.next_after(now),
    };
    // Slots before the latest one were missed, and the latest one may have been. What is due later than its slot was put
    // off.
    let latest = rhythm.latest(now);
    let told = (&slot, latest.min(due_at_ms));
    if now - latest.max(due_at_ms) > MISSED_AFTER_MS {
        return pass(
            app,
            project,
            told,
            "schedule.missed",
            "the service was not running at its slot",
        )
        .await;
    }
    let key_id = project.schedule_key_id.as_deref().unwrap_or_default();
    let key = db::keys::find_key(&mut *app.db.read().await?, key_id).await?;
    if let Some(fault) = key_fault(key.as_ref(), &project.organization_id, now) {
        let reason = format!(
            "{fault}; name another with `scheduleKeyId` in PUT /project/{}",
            project.name
        );
        return pass(app, project, told, "schedule.refused", &reason).await;
    }
    let Some(caller) = key.map(Caller::of_key) else {
        return Ok(());
    };
    match start_scheduled(app, &caller, project, &slot).await {
        Ok(Some(job_id)) => {
            tracing::info!(project = project.name, %job_id, slot = rfc3339(latest), "started a scheduled run");
            Ok(())
        }
        Ok(None) => Ok(()),
        Err(Error::Internal(error)) => Err(error),
        Err(Error::Unresolved { .. }) if let Some(again_at_ms) = again(latest, now) => {
            put_off(app, project, &slot, again_at_ms).await
        }
        Err(refusal) => pass(app, project, told, "schedule.refused", &refusal.to_string()).await,
    }
}

/// When a slot is tried again, where it still is.
fn again(slot_ms: i64, now: i64) -> Option<i64> {
    let tried_for = now - slot_ms;
    let next = (tried_for + tried_for.max(FIRST_PAUSE_MS)).min(RETRIED_FOR_MS);
    (tried_for < RETRIED_FOR_MS).then_some(slot_ms + next)
}

/// Has a slot tried again later, by whichever server looks then.
async fn put_off(
    app: &App,
    project: &ProjectRow,
    slot: &Slot<'_>,
    again_at_ms: i64,
) -> anyhow::Result<()> {
    let later = Slot {
        next_at_ms: again_at_ms,
        ..*slot
    };
    let mut tx = app.db.begin().await?;
    db::schedules::claim_slot(&mut tx, &later, None).await?;
    tx.commit().await?;
    tracing::info!(
        project = project.name,
        again = rfc3339(again_at_ms),
        "the addresses of a scheduled run do not resolve; it is tried again"
    );
    Ok(())
}

/// Lets a slot pass without a run, and writes down why.
async fn pass(
    app: &App,
    project: &ProjectRow,
    (slot, slot_ms): (&Slot<'_>, i64),
    action: &str,
    reason: &str,
) -> anyhow::Result<()> {
    let mut tx = app.db.begin().await?;
    if !db::schedules::claim_slot(&mut tx, slot, None).await? {
        return Ok(());
    }
    let entry = AuditEntry {
        organization_id: &project.organization_id,
        actor: "schedule",
        action,
        subject: &project.id,
        detail: json!({ "name": project.name, "slot": rfc3339(slot_ms), "reason": reason }),
    };
    db::audit::insert_audit(&mut tx, &entry, app.clock.now_ms()).await?;
    tx.commit().await?;
    tracing::warn!(
        project = project.name,
        slot = rfc3339(slot_ms),
        next = rfc3339(slot.next_at_ms),
        reason,
        "no scheduled run"
    );
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pauses_grow_until_the_time_is_over() {
        let mut tried = Vec::new();
        let mut now = 0;
        while let Some(next) = again(0, now) {
            now = next;
            tried.push(now / 1_000);
        }
        assert_eq!(tried, [15, 30, 60, 120, 240, 480, 900]);
        // A look that comes late puts nothing off beyond the end.
        assert_eq!(again(0, 600_000), Some(900_000));
        assert_eq!(again(0, 905_000), None);
    }
}
