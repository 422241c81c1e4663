//! Retention: removing old jobs where the operator wants that, then the captures that no row names any more, and days later
//! their blobs.
//!
//! A blob may be named by many rows, and by one that is about to be written. So a blob goes only when a row that named it was
//! removed [`SAFE_AGE`] ago, when no row names it, and when nobody has stored its content for as long. What the database
//! never knew is not touched: a service that was started with another database by mistake removes nothing.

mod jobs;

use std::collections::HashSet;
use std::time::{Duration, SystemTime};

use anyhow::Context;
use futures::{StreamExt, stream};
use serde::Deserialize;

use crate::app::App;
use crate::clock::MS_PER_DAY;
use crate::db;
use crate::db::retention::{Naming, ReleasedBlob};
use crate::storage::SAFE_AGE;

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

/// Failures after which a round leaves the rest of its blobs to the next one.
const MAX_FAILURES: usize = 20;

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

/// One round; does nothing where everything is kept. One part of it that fails stops no other: blobs go first, since a full disk
/// may refuse everything else.
///
/// # Errors
/// The first failure, of the database or the storage; the next round goes on.
pub async fn remove_old(app: &App) -> anyhow::Result<Removed> {
    let now = app.clock.now_ms();
    let mut removed = Removed::default();
    // What is hidden is gone for everybody, and is removed to its end whatever is kept now.
    let hidden = jobs::finish_removals(app, now, &mut removed.jobs).await;
    let Some(keep_ms) = app.config.keep_ms() else {
        let stuck = jobs::retry_stuck(app, i64::MIN, now, &mut removed.jobs).await;
        return hidden.and(stuck).map(|()| removed);
    };
    let before = now - keep_ms;
    let blobs = remove_blobs(app, now, &mut removed.blobs).await;
    let ended = jobs::remove_ended(app, before, now, &mut removed.jobs).await;
    let stuck = jobs::retry_stuck(app, before, now, &mut removed.jobs).await;
    let captures = remove_captures(app, before, now, &mut removed.captures).await;
    if removed != Removed::default() {
        tracing::info!(
            jobs = removed.jobs,
            captures = removed.captures,
            blobs = removed.blobs,
            "what was older than --keep-days, and needed by nothing, is removed"
        );
    }
    hidden.and(blobs).and(ended).and(stuck).and(captures)?;
    Ok(removed)
}

/// The masks that a result keeps of captures that disagree. What cannot be read is an error: it may name any.
fn masks_of(disagreements: &str) -> anyhow::Result<Vec<String>> {
    /// Of what is stored, this alone: the rest may have other forms in other versions.
    #[derive(Deserialize)]
    #[serde(rename_all = "camelCase")]
    struct Disagreement {
        mask_blob: Option<String>,
    }
    let stored: Vec<Disagreement> =
        serde_json::from_str(disagreements).context("a result's disagreements")?;
    Ok(stored.into_iter().filter_map(|one| one.mask_blob).collect())
}

async fn remove_captures(
    app: &App,
    before_ms: i64,
    now_ms: i64,
    removed: &mut usize,
) -> anyhow::Result<()> {
    for _ in 0..MAX_TURNS {
        let mut connection = app.db.read().await?;
        let most = i64::try_from(CAPTURES_AT_ONCE)?;
        let unnamed =
            db::retention::list_unnamed_captures(&mut connection, before_ms, most).await?;
        drop(connection);
        let mut tx = app.db.begin().await?;
        db::retention::delete_captures(&mut tx, &unnamed, now_ms).await?;
        tx.commit().await?;
        *removed += unnamed.len();
        if unnamed.len() < CAPTURES_AT_ONCE {
            break;
        }
    }
    Ok(())
}

/// Removes the blobs that were released long enough ago. Every row is looked through for that, so it waits until a day's
/// worth of them has gathered.
async fn remove_blobs(app: &App, now_ms: i64, removed: &mut usize) -> anyhow::Result<()> {
    let before_ms = now_ms - i64::try_from(SAFE_AGE.as_millis())?;
    let released = list_released(app, before_ms).await?;
    let is_full = released.len() == MAX_BLOBS;
    let has_waited =
        (released.first()).is_some_and(|first| first.released_at_ms < before_ms - MS_PER_DAY);
    if !is_full && !has_waited {
        return Ok(());
    }
    let named = named(app, &released).await?;
    // What was released again meanwhile waits anew.
    let still: HashSet<_> = list_released(app, before_ms).await?.into_iter().collect();
    let released = released.into_iter().filter(|one| still.contains(one));
    let (mut seen_to, unnamed): (Vec<_>, Vec<_>) =
        released.partition(|one| named.contains(&one.blob));
    let before = SystemTime::UNIX_EPOCH + Duration::from_millis(before_ms.unsigned_abs());
    let mut removals = stream::iter(unnamed)
        .map(|released| {
            let storage = app.storage.clone();
            async move {
                let removing = async { storage.remove(&released.blob.parse()?, before).await };
                (removing.await, released)
            }
        })
        .buffer_unordered(REMOVED_AT_ONCE);
    let (mut failures, mut failed) = (Failures::default(), Vec::new());
    while let Some((removal, released)) = removals.next().await {
        match removal {
            Ok(is_removed) => {
                *removed += usize::from(is_removed);
                seen_to.push(released);
            }
            Err(error) => {
                let error = anyhow::Error::from(error).context(format!("blob {}", released.blob));
                failed.push(released.blob);
                if !failures.add(error) {
                    break;
                }
            }
        }
    }
    let mut tx = app.db.begin().await?;
    db::retention::forget_released(&mut tx, &seen_to).await?;
    // Behind all others, which must not wait for them.
    db::retention::release_blobs(&mut tx, &failed, now_ms).await?;
    tx.commit().await?;
    failures.first()
}

async fn list_released(app: &App, before_ms: i64) -> anyhow::Result<Vec<ReleasedBlob>> {
    let mut connection = app.db.read().await?;
    let most = i64::try_from(MAX_BLOBS)?;
    Ok(db::retention::list_released(&mut connection, before_ms, most).await?)
}

/// Those of the blobs that some row names.
async fn named(app: &App, released: &[ReleasedBlob]) -> anyhow::Result<HashSet<String>> {
    let released: HashSet<&str> = released.iter().map(|one| one.blob.as_str()).collect();
    let mut named = HashSet::new();
    for naming in Naming::ALL {
        let mut after = String::new();
        loop {
            let mut db = app.db.read().await?;
            let rows =
                db::retention::list_named_blobs(&mut db, naming, &after, ROWS_AT_ONCE).await?;
            drop(db);
            let Some(last) = rows.last() else { break };
            after.clone_from(&last.id);
            for row in rows {
                let masks = row.disagreements.as_deref().map(masks_of).transpose()?;
                let blobs = row.blobs.into_iter().chain(masks.unwrap_or_default());
                named.extend(blobs.filter(|blob| released.contains(blob.as_str())));
            }
        }
    }
    Ok(named)
}

/// What went wrong in a round that went on.
#[derive(Default)]
struct Failures {
    first: Option<anyhow::Error>,
    count: usize,
}

impl Failures {
    /// Counts a failure; false when there are so many that the rest is better left.
    fn add(&mut self, error: anyhow::Error) -> bool {
        self.count += 1;
        self.first.get_or_insert(error);
        self.count < MAX_FAILURES
    }

    fn first(self) -> anyhow::Result<()> {
        let count = self.count;
        let first = self
            .first
            .map(|error| error.context(format!("{count} could not be removed, the first one")));
        first.map_or(Ok(()), Err)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn failures_are_counted_up_to_a_limit_and_the_first_is_told() {
        assert!(Failures::default().first().is_ok());
        let mut failures = Failures::default();
        let goes_on = (0..MAX_FAILURES).map(|number| failures.add(anyhow::anyhow!("of {number}")));
        assert_eq!(goes_on.filter(|goes_on| *goes_on).count(), MAX_FAILURES - 1);
        let said = format!("{:#}", failures.first().unwrap_err());
        assert_eq!(
            said,
            format!("{MAX_FAILURES} could not be removed, the first one: of 0")
        );
    }

    #[test]
    fn masks_are_read_whatever_else_is_stored_with_them() {
        let stored = r#"[{"side": "current", "maskBlob": "ab", "news": 1}, {"maskBlob": null}]"#;
        assert_eq!(masks_of(stored).unwrap(), ["ab"]);
        assert!(masks_of("{}").is_err());
    }
}
