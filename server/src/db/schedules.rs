//! When projects run by themselves: finding slots that are due, and claiming one.

use sqlx::AnyConnection;

use super::projects::ProjectRow;

/// A slot that is due, and the one after it.
#[derive(Debug, Clone, Copy)]
pub struct Slot<'a> {
    /// The project.
    pub project_id: &'a str,
    /// The slot.
    pub due_at_ms: i64,
    /// The next one.
    pub next_at_ms: i64,
}

/// Projects whose slot is at or before `now_ms`, the longest waiting first.
pub async fn list_due(
    db: &mut AnyConnection,
    now_ms: i64,
    limit: i64,
) -> sqlx::Result<Vec<ProjectRow>> {
    super::projects::select("WHERE next_run_at_ms <= $1 ORDER BY next_run_at_ms, id LIMIT $2")
        .bind(now_ms)
        .bind(limit)
        .fetch_all(db)
        .await
}

/// Moves a project on to its next slot; `ran_at_ms` says that this one has its run. False when somebody else moved it,
/// or the schedule was changed: of several servers, one claims a slot.
pub async fn claim_slot(
    db: &mut AnyConnection,
    slot: &Slot<'_>,
    ran_at_ms: Option<i64>,
) -> sqlx::Result<bool> {
    let done = sqlx::query(
        "UPDATE projects SET next_run_at_ms = $1, last_scheduled_run_at_ms = COALESCE($2, last_scheduled_run_at_ms) \
         WHERE id = $3 AND next_run_at_ms = $4",
    )
    .bind(slot.next_at_ms)
    .bind(ran_at_ms)
    .bind(slot.project_id)
    .bind(slot.due_at_ms)
    .execute(db)
    .await?;
    Ok(done.rows_affected() > 0)
}

/// Has the schedules that run with one key run with another.
pub async fn move_schedules(
    db: &mut AnyConnection,
    organization_id: &str,
    from_key_id: &str,
    to_key_id: &str,
) -> sqlx::Result<u64> {
    let done = sqlx::query(
        "UPDATE projects SET schedule_key_id = $1 WHERE organization_id = $2 AND schedule_key_id = $3",
    )
    .bind(to_key_id)
    .bind(organization_id)
    .bind(from_key_id)
    .execute(db)
    .await?;
    Ok(done.rows_affected())
}
