//! Retention: removing old jobs where the operator wants that, then the captures that no row names any more, and days later
//! their blobs.
//!
//! A blob may be named by many rows, and by one that is about to be written. So a blob goes only when a row that named it was
//! removed [`SAFE_AGE`] ago, when no row names it, and when nobody has stored its content since. What the database never
//! knew is not touched: a service that was started with another database by mistake removes nothing.

use std::collections::HashSet;
use std::time::{Duration, SystemTime};

use futures::{StreamExt, TryStreamExt, stream};
use serde_json::json;

use crate::agreement::StoredDisagreement;
use crate::app::App;
use crate::clock::MS_PER_DAY;
use crate::db;
use crate::db::audit::AuditEntry;
use crate::db::retention::{EndedJob, ReleasedBlob};
use crate::storage::{BlobKey, SAFE_AGE};

/// Most jobs of one round, the next of which comes within an hour.
const MAX_JOBS: i64 = 1_000;

/// Captures that are removed in one transaction.
const CAPTURES_AT_ONCE: usize = 500;

/// Most transactions with captures of one round.
const MAX_TURNS: usize = 1_000;

/// Most blobs of one round: their names are held in memory while all rows are looked through.
const MAX_BLOBS: usize = 50_000;

/// Rows that are looked through at once.
const ROWS_AT_ONCE: i64 = 5_000;

/// Blobs that are removed at once.
const REMOVED_AT_ONCE: usize = 8;

/// What a round removed.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub struct Removed {
    /// Jobs with their results.
    pub jobs: usize,
    /// Captures.
    pub captures: usize,
    /// Blobs.
    pub blobs: usize,
}

/// One round; does nothing where everything is kept.
///
/// # Errors
/// The database or the storage refuses; the next round goes on.
pub async fn remove_old(app: &App) -> anyhow::Result<Removed> {
    let Some(keep_ms) = app.config.keep_ms() else {
        return Ok(Removed::default());
    };
    let now = app.clock.now_ms();
    let removed = Removed {
        jobs: remove_jobs(app, now - keep_ms, now).await?,
        captures: remove_captures(app, now - keep_ms, now).await?,
        blobs: remove_blobs(app, now).await?,
    };
    if removed != Removed::default() {
        tracing::info!(
            jobs = removed.jobs,
            captures = removed.captures,
            blobs = removed.blobs,
            "what was older than --keep-days, and needed by nothing, is removed"
        );
    }
    Ok(removed)
}

async fn remove_jobs(app: &App, before_ms: i64, now_ms: i64) -> anyhow::Result<usize> {
    let mut connection = app.db.read().await?;
    let ended = db::retention::list_ended_jobs(&mut connection, before_ms, MAX_JOBS).await?;
    drop(connection);
    let mut removed = 0;
    for job in &ended {
        removed += usize::from(remove_job(app, job, now_ms).await?);
    }
    Ok(removed)
}

async fn remove_job(app: &App, job: &EndedJob, now_ms: i64) -> anyhow::Result<bool> {
    let mut tx = app.db.begin().await?;
    // Nobody decides on its pages meanwhile.
    db::jobs::lock_job(&mut tx, &job.id).await?;
    let mut masks = Vec::new();
    for json in db::retention::list_disagreements(&mut tx, &job.id).await? {
        masks.extend(masks_of(&json));
    }
    db::retention::release_blobs(&mut tx, &masks, now_ms).await?;
    let Some(pages) = db::retention::delete_job(&mut tx, &job.id, now_ms).await? else {
        // Another server was faster.
        return Ok(false);
    };
    let entry = AuditEntry {
        organization_id: &job.organization_id,
        actor: "retention",
        action: "job.remove",
        subject: &job.id,
        detail: json!({ "project": job.project_name, "pages": pages }),
    };
    db::audit::insert_audit(&mut tx, &entry, now_ms).await?;
    tx.commit().await?;
    Ok(true)
}

/// The masks that a result keeps of captures that disagree.
fn masks_of(disagreements: &str) -> Vec<String> {
    let stored: Vec<StoredDisagreement> = serde_json::from_str(disagreements).unwrap_or_default();
    stored.into_iter().filter_map(|one| one.mask_blob).collect()
}

async fn remove_captures(app: &App, before_ms: i64, now_ms: i64) -> anyhow::Result<usize> {
    let mut removed = 0;
    for _ in 0..MAX_TURNS {
        let mut connection = app.db.read().await?;
        let most = i64::try_from(CAPTURES_AT_ONCE)?;
        let unnamed =
            db::retention::list_unnamed_captures(&mut connection, before_ms, most).await?;
        drop(connection);
        let mut tx = app.db.begin().await?;
        db::retention::delete_captures(&mut tx, &unnamed, now_ms).await?;
        tx.commit().await?;
        removed += unnamed.len();
        if unnamed.len() < CAPTURES_AT_ONCE {
            break;
        }
    }
    Ok(removed)
}

/// Removes the blobs that were released long enough ago. Every row is looked through for that, so it waits until a day's
/// worth of them has gathered.
async fn remove_blobs(app: &App, now_ms: i64) -> anyhow::Result<usize> {
    let safe_ms = i64::try_from(SAFE_AGE.as_millis())?;
    let before_ms = now_ms - safe_ms;
    let mut connection = app.db.read().await?;
    let most = i64::try_from(MAX_BLOBS)?;
    let released = db::retention::list_released(&mut connection, before_ms, most).await?;
    drop(connection);
    let is_full = released.len() == MAX_BLOBS;
    let has_waited =
        (released.first()).is_some_and(|first| first.released_at_ms < before_ms - MS_PER_DAY);
    if !is_full && !has_waited {
        return Ok(0);
    }
    let unnamed = unnamed(app, &released).await?;
    let before = SystemTime::UNIX_EPOCH + Duration::from_millis(before_ms.unsigned_abs());
    let removed: Vec<bool> = stream::iter(unnamed)
        .map(|blob| {
            let storage = app.storage.clone();
            async move { storage.remove(&blob, before).await }
        })
        .buffer_unordered(REMOVED_AT_ONCE)
        .try_collect()
        .await?;
    let mut tx = app.db.begin().await?;
    db::retention::forget_released(&mut tx, &released).await?;
    tx.commit().await?;
    Ok(removed.into_iter().filter(|removed| *removed).count())
}

/// Those of the blobs that no row names.
async fn unnamed(app: &App, released: &[ReleasedBlob]) -> anyhow::Result<Vec<BlobKey>> {
    let mut unnamed: HashSet<&str> = released.iter().map(|one| one.blob.as_str()).collect();
    let mut after = String::new();
    loop {
        let mut db = app.db.read().await?;
        let rows = db::retention::list_capture_blobs(&mut db, &after, ROWS_AT_ONCE).await?;
        drop(db);
        let Some(last) = rows.last() else { break };
        after.clone_from(&last.id);
        for row in &rows {
            let always = [&row.screenshot_blob, &row.thumbnail_blob];
            let others = [&row.strips_blob, &row.dom_blob, &row.page_blob];
            for blob in always.into_iter().chain(others.into_iter().flatten()) {
                unnamed.remove(blob.as_str());
            }
        }
    }
    after.clear();
    loop {
        let mut db = app.db.read().await?;
        let rows = db::retention::list_result_blobs(&mut db, &after, ROWS_AT_ONCE).await?;
        drop(db);
        let Some(last) = rows.last() else { break };
        after.clone_from(&last.id);
        for row in &rows {
            for blob in [&row.mask_blob, &row.diff_blob].into_iter().flatten() {
                unnamed.remove(blob.as_str());
            }
            for mask in row
                .disagreements
                .as_deref()
                .map(masks_of)
                .into_iter()
                .flatten()
            {
                unnamed.remove(mask.as_str());
            }
        }
    }
    let keys = unnamed.into_iter().map(str::parse);
    Ok(keys.collect::<Result<_, _>>()?)
}
