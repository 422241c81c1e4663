//! Removing: jobs with all that is theirs, captures that no row names any more, and which blobs both leave behind.

pub mod due;

use std::collections::BTreeSet;

use sqlx::any::AnyRow;
use sqlx::{AnyConnection, AssertSqlSafe, FromRow, Row};

use super::rows::{AT_ONCE, places};

/// Takes a job away from everybody who may ask for it; its rows are still there. Returns how many results it has; none when
/// that was done before, or there is no such job.
pub async fn hide_job(db: &mut AnyConnection, id: &str, now_ms: i64) -> sqlx::Result<Option<i64>> {
    let hidden =
        sqlx::query("UPDATE jobs SET removed_at_ms = $1 WHERE id = $2 AND removed_at_ms IS NULL")
            .bind(now_ms)
            .bind(id)
            .execute(&mut *db)
            .await?;
    if hidden.rows_affected() == 0 {
        return Ok(None);
    }
    let results: i64 = sqlx::query_scalar("SELECT COUNT(*) FROM results WHERE job_id = $1")
        .bind(id)
        .fetch_one(db)
        .await?;
    Ok(Some(results))
}

/// Results of a job that are removed in one transaction.
#[derive(Debug, Clone, Copy)]
pub struct Slice<'a> {
    /// The job.
    pub job_id: &'a str,
    /// Those up to this position.
    pub up_to: i64,
    /// Whether there are none behind it.
    pub is_last: bool,
}

/// So many of a job's results, by their positions from the first one on.
pub async fn first_slice<'a>(
    db: &mut AnyConnection,
    job_id: &'a str,
    most: i64,
) -> sqlx::Result<Slice<'a>> {
    let up_to: Option<i64> = sqlx::query_scalar(
        "SELECT position FROM results WHERE job_id = $1 ORDER BY position LIMIT 1 OFFSET $2",
    )
    .bind(job_id)
    .bind(most - 1)
    .fetch_optional(db)
    .await?;
    Ok(Slice {
        job_id,
        up_to: up_to.unwrap_or(i64::MAX),
        is_last: up_to.is_none(),
    })
}

/// What results keep of captures that disagree, as JSON: their masks are blobs that no column names.
pub async fn list_disagreements(
    db: &mut AnyConnection,
    slice: Slice<'_>,
) -> sqlx::Result<Vec<String>> {
    sqlx::query_scalar(
        "SELECT disagreements FROM results WHERE job_id = $1 AND position <= $2 AND disagreements IS NOT NULL",
    )
    .bind(slice.job_id)
    .bind(slice.up_to)
    .fetch_all(db)
    .await
}

/// Removes results of a hidden job and their takes, and releases the blobs that these named in columns of their own. Which those
/// are, their removal tells: until then a picture that somebody looks at may be drawn and kept.
pub async fn delete_results(
    db: &mut AnyConnection,
    slice: Slice<'_>,
    now_ms: i64,
) -> sqlx::Result<()> {
    delete_moves(db, slice).await?;
    sqlx::query(
        "DELETE FROM takes WHERE result_id IN (SELECT id FROM results WHERE job_id = $1 AND position <= $2)",
    )
    .bind(slice.job_id)
    .bind(slice.up_to)
    .execute(&mut *db)
    .await?;
    let gone = sqlx::query(AssertSqlSafe(format!(
        "DELETE FROM results WHERE job_id = $1 AND position <= $2 RETURNING {}",
        BLOBS_OF_RESULT.join(", ")
    )))
    .bind(slice.job_id)
    .bind(slice.up_to)
    .fetch_all(&mut *db)
    .await?;
    release_named(db, &gone, &BLOBS_OF_RESULT, now_ms).await
}

/// Removes a job that has no results any more. False when there is no such job.
pub async fn delete_job(db: &mut AnyConnection, id: &str) -> sqlx::Result<bool> {
    for statement in [
        "DELETE FROM client_jobs WHERE job_id = $1",
        "DELETE FROM stuck_jobs WHERE job_id = $1",
    ] {
        sqlx::query(statement).bind(id).execute(&mut *db).await?;
    }
    let jobs = sqlx::query("DELETE FROM jobs WHERE id = $1")
        .bind(id)
        .execute(db)
        .await?;
    Ok(jobs.rows_affected() > 0)
}

/// Removes from the history of a hidden job's pages the moves that nobody can ask for any more. Those stay that are told with a
/// job that is not hidden, the pointer's last one, what undoing such a job's move goes back to (the move before it), and those
/// that left a baseline which such a job's result was compared with, or was decided to have: by them a later decision knows that
/// the pointer came back to it.
async fn delete_moves(db: &mut AnyConnection, slice: Slice<'_>) -> sqlx::Result<()> {
    sqlx::query(
        "DELETE FROM baseline_history WHERE project_id = (SELECT project_id FROM jobs WHERE id = $1) \
         AND (page_key, variant_name) IN (SELECT page_key, variant_name FROM results WHERE job_id = $1 AND position <= $2) \
         AND EXISTS (SELECT 1 FROM baselines b WHERE b.project_id = baseline_history.project_id \
           AND b.page_key = baseline_history.page_key AND b.variant_name = baseline_history.variant_name \
           AND b.version > baseline_history.version) \
         AND NOT EXISTS (SELECT 1 FROM jobs j WHERE j.id = baseline_history.job_id AND j.removed_at_ms IS NULL) \
         AND NOT EXISTS (SELECT 1 FROM baseline_history next JOIN jobs j ON j.id = next.job_id \
           WHERE next.project_id = baseline_history.project_id AND next.page_key = baseline_history.page_key \
           AND next.variant_name = baseline_history.variant_name AND next.version = baseline_history.version + 1 \
           AND j.removed_at_ms IS NULL) \
         AND NOT EXISTS (SELECT 1 FROM jobs j JOIN results r ON r.job_id = j.id \
           AND r.page_key = baseline_history.page_key AND r.variant_name = baseline_history.variant_name \
           WHERE j.project_id = baseline_history.project_id AND j.removed_at_ms IS NULL \
           AND COALESCE(r.promoted_version, r.pinned_version) = baseline_history.version)",
    )
    .bind(slice.job_id)
    .bind(slice.up_to)
    .execute(db)
    .await
    .map(drop)
}

/// Captures made before a time that no result, no baseline and no history names.
pub async fn list_unnamed_captures(
    db: &mut AnyConnection,
    before_ms: i64,
    limit: i64,
) -> sqlx::Result<Vec<String>> {
    sqlx::query_scalar(
        "SELECT c.id FROM captures c WHERE c.captured_at_ms < $1 \
         AND NOT EXISTS (SELECT 1 FROM results r WHERE r.current_capture_id = c.id) \
         AND NOT EXISTS (SELECT 1 FROM results r WHERE r.baseline_capture_id = c.id) \
         AND NOT EXISTS (SELECT 1 FROM takes t WHERE t.capture_id = c.id) \
         AND NOT EXISTS (SELECT 1 FROM baselines b WHERE b.capture_id = c.id) \
         AND NOT EXISTS (SELECT 1 FROM baseline_history h WHERE h.capture_id = c.id) \
         ORDER BY c.captured_at_ms LIMIT $2",
    )
    .bind(before_ms)
    .bind(limit)
    .fetch_all(db)
    .await
}

/// Removes captures and releases the blobs that they named at the last. The database refuses when a row names one after all.
pub async fn delete_captures(
    db: &mut AnyConnection,
    ids: &[String],
    now_ms: i64,
) -> sqlx::Result<()> {
    for chunk in ids.chunks(AT_ONCE) {
        let delete = format!(
            "WITH unnamed (id) AS (VALUES {}) DELETE FROM captures WHERE id IN (SELECT id FROM unnamed) RETURNING {}",
            places(chunk.len(), 1, 1),
            BLOBS_OF_CAPTURE.join(", ")
        );
        let mut query = sqlx::query(AssertSqlSafe(delete));
        for id in chunk {
            query = query.bind(id);
        }
        let gone = query.fetch_all(&mut *db).await?;
        release_named(db, &gone, &BLOBS_OF_CAPTURE, now_ms).await?;
    }
    Ok(())
}

const BLOBS_OF_RESULT: [&str; 2] = ["mask_blob", "diff_blob"];

const BLOBS_OF_CAPTURE: [&str; 5] = [
    "screenshot_blob",
    "strips_blob",
    "thumbnail_blob",
    "dom_blob",
    "page_blob",
];

/// The blobs that a row names in these columns.
fn named_in(row: &AnyRow, columns: &[&str]) -> sqlx::Result<Vec<String>> {
    let blobs = columns
        .iter()
        .map(|column| row.try_get::<Option<String>, _>(*column));
    blobs.filter_map(Result::transpose).collect()
}

/// Releases what rows named that are gone: each blob once, and in an order, so that nobody waits in a circle who releases the same.
async fn release_named(
    db: &mut AnyConnection,
    gone: &[AnyRow],
    columns: &[&str],
    now_ms: i64,
) -> sqlx::Result<()> {
    let mut blobs = BTreeSet::new();
    for row in gone {
        blobs.extend(named_in(row, columns)?);
    }
    let blobs: Vec<_> = blobs.into_iter().collect();
    release_blobs(db, &blobs, now_ms).await
}

/// Notes blobs, each once, that a row named and names no more, or was to name and is gone. One that is released a second time
/// has been named in between.
pub async fn release_blobs(
    db: &mut AnyConnection,
    blobs: &[String],
    now_ms: i64,
) -> sqlx::Result<()> {
    for chunk in blobs.chunks(AT_ONCE) {
        let sql = format!(
            "INSERT INTO released_blobs (blob, released_at_ms) VALUES {} \
             ON CONFLICT (blob) DO UPDATE SET released_at_ms = excluded.released_at_ms",
            places(chunk.len(), 2, 1)
        );
        let mut query = sqlx::query(AssertSqlSafe(sql));
        for blob in chunk {
            query = query.bind(blob).bind(now_ms);
        }
        query.execute(&mut *db).await?;
    }
    Ok(())
}

/// A blob that a removed row named, and when that was removed.
#[derive(Debug, Clone, PartialEq, Eq, Hash, FromRow)]
pub struct ReleasedBlob {
    /// The blob's name.
    pub blob: String,
    /// When.
    pub released_at_ms: i64,
}

/// Blobs that were released before a time, the first ones first.
pub async fn list_released(
    db: &mut AnyConnection,
    before_ms: i64,
    limit: i64,
) -> sqlx::Result<Vec<ReleasedBlob>> {
    sqlx::query_as(
        "SELECT blob, released_at_ms FROM released_blobs WHERE released_at_ms < $1 ORDER BY released_at_ms, blob LIMIT $2",
    )
    .bind(before_ms)
    .bind(limit)
    .fetch_all(db)
    .await
}

/// Forgets blobs that are seen to, unless they were released again meanwhile.
pub async fn forget_released(db: &mut AnyConnection, blobs: &[ReleasedBlob]) -> sqlx::Result<()> {
    for chunk in blobs.chunks(AT_ONCE) {
        let sql = format!(
            "WITH done (blob, released_at) AS (VALUES {}) DELETE FROM released_blobs \
             WHERE (blob, released_at_ms) IN (SELECT blob, released_at FROM done)",
            places(chunk.len(), 2, 1)
        );
        let mut query = sqlx::query(AssertSqlSafe(sql));
        for one in chunk {
            query = query.bind(&one.blob).bind(one.released_at_ms);
        }
        query.execute(&mut *db).await?;
    }
    Ok(())
}

/// Tables whose rows name blobs.
#[derive(Debug, Clone, Copy)]
pub enum Naming {
    /// Captures.
    Captures,
    /// Results, which name others than their captures do.
    Results,
}

impl Naming {
    /// All of them.
    pub const ALL: [Self; 2] = [Self::Captures, Self::Results];
}

/// What a row names.
#[derive(Debug)]
pub struct NamedBlobs {
    /// The row's id.
    pub id: String,
    /// The blobs that it names in columns of their own.
    pub blobs: Vec<String>,
    /// Of a result, what it keeps of captures that disagree, as JSON.
    pub disagreements: Option<String>,
}

/// What the rows of a table name, in the order of their ids from behind one on. Of results only those that name any.
pub async fn list_named_blobs(
    db: &mut AnyConnection,
    naming: Naming,
    after_id: &str,
    limit: i64,
) -> sqlx::Result<Vec<NamedBlobs>> {
    let (columns, rest) = match naming {
        Naming::Captures => (&BLOBS_OF_CAPTURE[..], "FROM captures WHERE id > $1"),
        Naming::Results => (
            &BLOBS_OF_RESULT[..],
            ", disagreements FROM results WHERE id > $1 \
             AND (mask_blob IS NOT NULL OR diff_blob IS NOT NULL OR disagreements IS NOT NULL)",
        ),
    };
    let sql = format!(
        "SELECT id, {} {rest} ORDER BY id LIMIT $2",
        columns.join(", ")
    );
    let rows = sqlx::query(AssertSqlSafe(sql)).bind(after_id).bind(limit);
    let named = |row: AnyRow| {
        Ok(NamedBlobs {
            id: row.try_get("id")?,
            blobs: named_in(&row, columns)?,
            disagreements: match naming {
                Naming::Captures => None,
                Naming::Results => row.try_get("disagreements")?,
            },
        })
    };
    rows.fetch_all(db).await?.into_iter().map(named).collect()
}
