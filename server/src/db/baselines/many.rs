//! Many pointers at once: reading where they stand and moving them, some hundred rows a statement.

use std::collections::{HashMap, HashSet};

use sqlx::{AnyConnection, AssertSqlSafe};

use super::{BaselineRow, MoveCause};
use crate::db::rows::{AT_ONCE, places};

/// A page and its variant.
pub type PageVariant = (String, String);

/// A pointer as it is moved.
#[derive(Debug, Clone, Copy)]
pub struct PointerMove<'a> {
    /// Path with query.
    pub page_key: &'a str,
    /// The variant.
    pub variant_name: &'a str,
    /// Where the mover knows it to stand; 0: there is none yet.
    pub known_version: i64,
    /// What it names then; none takes the baseline away.
    pub capture_id: Option<&'a str>,
}

/// Where the pointers of these pages stand; nothing is told of pages that were never captured.
pub async fn list_versions(
    db: &mut AnyConnection,
    project_id: &str,
    pages: &[(&str, &str)],
) -> sqlx::Result<HashMap<PageVariant, i64>> {
    let mut versions = HashMap::new();
    for chunk in pages.chunks(AT_ONCE) {
        let sql = format!(
            "WITH wanted (page, variant) AS (VALUES {}) SELECT b.page_key, b.variant_name, b.version FROM wanted w \
             CROSS JOIN baselines b WHERE b.project_id = $1 AND b.page_key = w.page AND b.variant_name = w.variant",
            places(chunk.len(), 2, 2)
        );
        let mut query =
            sqlx::query_as::<_, (String, String, i64)>(AssertSqlSafe(sql)).bind(project_id);
        for (page_key, variant_name) in chunk {
            query = query.bind(*page_key).bind(*variant_name);
        }
        let rows = query.fetch_all(&mut *db).await?.into_iter();
        versions.extend(rows.map(|(page, variant, version)| ((page, variant), version)));
    }
    Ok(versions)
}

/// Where the pointers of these pages stand, and what they name; nothing is told of pages that were never captured.
pub async fn list_baselines(
    db: &mut AnyConnection,
    project_id: &str,
    pages: &[(&str, &str)],
) -> sqlx::Result<HashMap<PageVariant, BaselineRow>> {
    let mut baselines = HashMap::new();
    for chunk in pages.chunks(AT_ONCE) {
        let sql = format!(
            "WITH wanted (page, variant) AS (VALUES {}) SELECT b.page_key, b.variant_name, b.version, b.capture_id, b.baseline_version \
             FROM wanted w CROSS JOIN baselines b WHERE b.project_id = $1 AND b.page_key = w.page AND b.variant_name = w.variant",
            places(chunk.len(), 2, 2)
        );
        let mut query =
            sqlx::query_as::<_, (String, String, i64, Option<String>, String)>(AssertSqlSafe(sql))
                .bind(project_id);
        for (page_key, variant_name) in chunk {
            query = query.bind(*page_key).bind(*variant_name);
        }
        for (page, variant, version, capture_id, baseline_version) in
            query.fetch_all(&mut *db).await?
        {
            let baseline = BaselineRow {
                version,
                capture_id,
                baseline_version,
            };
            baselines.insert((page, variant), baseline);
        }
    }
    Ok(baselines)
}

/// What pointers named at these versions.
pub async fn list_named(
    db: &mut AnyConnection,
    project_id: &str,
    versions: &[(&str, &str, i64)],
) -> sqlx::Result<HashMap<PageVariant, Option<String>>> {
    let mut named = HashMap::new();
    for chunk in versions.chunks(AT_ONCE) {
        let sql = format!(
            "WITH wanted (page, variant, version) AS (VALUES {}) SELECT h.page_key, h.variant_name, h.capture_id FROM wanted w \
             CROSS JOIN baseline_history h WHERE h.project_id = $1 AND h.page_key = w.page AND h.variant_name = w.variant \
             AND h.version = w.version",
            places(chunk.len(), 3, 2)
        );
        let mut query = sqlx::query_as::<_, (String, String, Option<String>)>(AssertSqlSafe(sql))
            .bind(project_id);
        for (page_key, variant_name, version) in chunk {
            query = query.bind(*page_key).bind(*variant_name).bind(*version);
        }
        let rows = query.fetch_all(&mut *db).await?.into_iter();
        named.extend(rows.map(|(page, variant, capture)| ((page, variant), capture)));
    }
    Ok(named)
}

/// Who moved the pointers of these pages last.
pub async fn list_last_movers(
    db: &mut AnyConnection,
    project_id: &str,
    pages: &[(&str, &str)],
) -> sqlx::Result<HashSet<String>> {
    let mut movers = HashSet::new();
    for chunk in pages.chunks(AT_ONCE) {
        let sql = format!(
            "WITH wanted (page, variant) AS (VALUES {}) SELECT DISTINCT h.actor FROM wanted w CROSS JOIN baselines b \
             JOIN baseline_history h ON h.project_id = b.project_id AND h.page_key = b.page_key \
             AND h.variant_name = b.variant_name AND h.version = b.version \
             WHERE b.project_id = $1 AND b.page_key = w.page AND b.variant_name = w.variant",
            places(chunk.len(), 2, 2)
        );
        let mut query = sqlx::query_scalar::<_, String>(AssertSqlSafe(sql)).bind(project_id);
        for (page_key, variant_name) in chunk {
            query = query.bind(*page_key).bind(*variant_name);
        }
        movers.extend(query.fetch_all(&mut *db).await?);
    }
    Ok(movers)
}

/// Moves those pointers that still stand at their known version, and returns whose they are.
pub async fn move_baselines(
    db: &mut AnyConnection,
    project_id: &str,
    moves: &[PointerMove<'_>],
    cause: MoveCause<'_>,
    now_ms: i64,
) -> sqlx::Result<HashSet<PageVariant>> {
    let (first, further): (Vec<_>, Vec<_>) = moves
        .iter()
        .copied()
        .partition(|one| one.known_version == 0);
    let mut at_their_place = HashSet::new();
    for (moves, sql) in [(first, INSERT_POINTERS), (further, MOVE_POINTERS)] {
        for chunk in moves.chunks(AT_ONCE) {
            let sql = with_moves(chunk.len(), 4, sql);
            let mut query = sqlx::query_as::<_, PageVariant>(AssertSqlSafe(sql))
                .bind(project_id)
                .bind(cause.baseline_version)
                .bind(now_ms);
            for one in chunk {
                query = query
                    .bind(one.page_key)
                    .bind(one.variant_name)
                    .bind(one.known_version)
                    .bind(one.capture_id);
            }
            at_their_place.extend(query.fetch_all(&mut *db).await?);
        }
    }
    let is_done = |one: &PointerMove<'_>| {
        at_their_place.contains(&(one.page_key.to_owned(), one.variant_name.to_owned()))
    };
    let done: Vec<_> = moves.iter().copied().filter(is_done).collect();
    for chunk in done.chunks(AT_ONCE) {
        let sql = with_moves(chunk.len(), 6, INSERT_HISTORY);
        let mut query = sqlx::query(AssertSqlSafe(sql))
            .bind(project_id)
            .bind(cause.action.as_str())
            .bind(cause.job_id)
            .bind(cause.actor)
            .bind(now_ms);
        for one in chunk {
            query = query
                .bind(one.page_key)
                .bind(one.variant_name)
                .bind(one.known_version)
                .bind(one.capture_id);
        }
        query.execute(&mut *db).await?;
    }
    Ok(at_their_place)
}

/// A statement on `wanted`, the moves, whose places begin at `first`.
fn with_moves(rows: usize, first: usize, statement: &str) -> String {
    let places = places(rows, 4, first);
    format!("WITH wanted (page, variant, known, capture) AS (VALUES {places}) {statement}")
}

// `WHERE true` tells SQLite that what follows is no join.
const INSERT_POINTERS: &str = "INSERT INTO baselines (project_id, page_key, variant_name, version, capture_id, baseline_version, moved_at_ms) \
     SELECT $1, w.page, w.variant, w.known + 1, w.capture, $2, $3 FROM wanted w WHERE true \
     ON CONFLICT (project_id, page_key, variant_name) DO NOTHING RETURNING page_key, variant_name";

const MOVE_POINTERS: &str = "UPDATE baselines SET version = w.known + 1, capture_id = w.capture, baseline_version = $2, moved_at_ms = $3 \
     FROM wanted w WHERE baselines.project_id = $1 AND baselines.page_key = w.page AND baselines.variant_name = w.variant \
     AND baselines.version = w.known RETURNING page_key, variant_name";

const INSERT_HISTORY: &str = "INSERT INTO baseline_history (project_id, page_key, variant_name, version, capture_id, action, job_id, actor, moved_at_ms) \
     SELECT $1, w.page, w.variant, w.known + 1, w.capture, $2, $3, $4, $5 FROM wanted w";
