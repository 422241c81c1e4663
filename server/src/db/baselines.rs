//! Baselines: versioned pointers to captures, and the history of their moves.
//!
//! A pointer moves by comparing its version: a caller says which version it knows, and a pointer that moved since is
//! left alone. That holds on both databases without locks of our own.

pub mod many;

use many::PointerMove;
use pentimento_api::history::BaselineAction;
use sqlx::{AnyConnection, AssertSqlSafe, FromRow};

/// A page's variant within a project.
#[derive(Debug, Clone, Copy)]
pub struct BaselineKey<'a> {
    /// The project.
    pub project_id: &'a str,
    /// Path with query.
    pub page_key: &'a str,
    /// The variant.
    pub variant_name: &'a str,
}

/// Where a pointer stands.
#[derive(Debug, Clone, FromRow)]
pub struct BaselineRow {
    /// Counts its moves.
    pub version: i64,
    /// The capture, when there is one.
    pub capture_id: Option<String>,
    /// The project's `baselineVersion` that it belongs to.
    pub baseline_version: String,
}

/// Where the pointer stands; none when the page was never captured.
pub async fn find_baseline(
    db: &mut AnyConnection,
    key: BaselineKey<'_>,
) -> sqlx::Result<Option<BaselineRow>> {
    sqlx::query_as(
        "SELECT version, capture_id, baseline_version FROM baselines WHERE project_id = $1 AND page_key = $2 AND variant_name = $3",
    )
    .bind(key.project_id)
    .bind(key.page_key)
    .bind(key.variant_name)
    .fetch_optional(db)
    .await
}

/// Why pointers are moved, and by whom.
#[derive(Debug, Clone, Copy)]
pub struct MoveCause<'a> {
    /// Why.
    pub action: BaselineAction,
    /// The project's `baselineVersion`.
    pub baseline_version: &'a str,
    /// The job whose capture or decision it is.
    pub job_id: &'a str,
    /// Who.
    pub actor: &'a str,
}

/// Moves the pointer to a capture if it still stands at `known_version` (0: there is none yet). Returns its new version, or
/// none when it has moved.
pub async fn move_baseline(
    db: &mut AnyConnection,
    key: BaselineKey<'_>,
    known_version: i64,
    capture_id: &str,
    cause: MoveCause<'_>,
    now_ms: i64,
) -> sqlx::Result<Option<i64>> {
    let one = PointerMove {
        page_key: key.page_key,
        variant_name: key.variant_name,
        known_version,
        capture_id: Some(capture_id),
    };
    let moved = many::move_baselines(db, key.project_id, &[one], cause, now_ms).await?;
    Ok((!moved.is_empty()).then_some(known_version + 1))
}

/// A move that was made.
#[derive(Debug, Clone, FromRow)]
pub struct MoveRow {
    /// The version that it gave the pointer.
    pub version: i64,
    /// `new`, `promote` or `restore`.
    pub action: String,
    /// The job whose capture or decision it was.
    pub job_id: Option<String>,
    /// Who.
    pub actor: String,
    /// When.
    pub moved_at_ms: i64,
    /// What the pointer named then.
    pub capture_id: Option<String>,
}

const MOVES: &str = "SELECT version, action, job_id, actor, moved_at_ms, capture_id FROM baseline_history \
     WHERE project_id = $1 AND page_key = $2 AND variant_name = $3";

/// The move that gave the pointer its `version`.
pub async fn find_move(
    db: &mut AnyConnection,
    key: BaselineKey<'_>,
    version: i64,
) -> sqlx::Result<Option<MoveRow>> {
    sqlx::query_as(AssertSqlSafe(format!("{MOVES} AND version = $4")))
        .bind(key.project_id)
        .bind(key.page_key)
        .bind(key.variant_name)
        .bind(version)
        .fetch_optional(db)
        .await
}

/// The pointer's moves by jobs that lie between two, both included, the last one first; at most `limit` of them.
pub async fn list_moves(
    db: &mut AnyConnection,
    key: BaselineKey<'_>,
    (oldest_job, newest_job): (&str, &str),
    limit: i64,
) -> sqlx::Result<Vec<MoveRow>> {
    sqlx::query_as(AssertSqlSafe(format!(
        "{MOVES} AND job_id >= $4 AND job_id <= $5 ORDER BY version DESC LIMIT $6"
    )))
    .bind(key.project_id)
    .bind(key.page_key)
    .bind(key.variant_name)
    .bind(oldest_job)
    .bind(newest_job)
    .bind(limit)
    .fetch_all(db)
    .await
}
