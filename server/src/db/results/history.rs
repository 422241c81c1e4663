//! A page in one variant through its project's runs.

use sqlx::{AnyConnection, AssertSqlSafe};

use super::{ResultRow, SELECT};
use crate::db::baselines::BaselineKey;

/// The page's results, newest run first; with `before`, only those of older jobs than that.
pub async fn list_page_runs(
    db: &mut AnyConnection,
    key: BaselineKey<'_>,
    before: &str,
    limit: i64,
) -> sqlx::Result<Vec<ResultRow>> {
    sqlx::query_as(AssertSqlSafe(format!(
        "{SELECT} WHERE r.id IN (SELECT page.id FROM jobs j JOIN results page ON page.job_id = j.id \
         AND page.page_key = $2 AND page.variant_name = $3 WHERE j.project_id = $1 AND j.removed_at_ms IS NULL \
         AND ($4 = '' OR j.id < $4) ORDER BY j.id DESC LIMIT $5) ORDER BY r.job_id DESC, r.position"
    )))
    .bind(key.project_id)
    .bind(key.page_key)
    .bind(key.variant_name)
    .bind(before)
    .bind(limit)
    .fetch_all(db)
    .await
}

/// The result whose capture the page's baseline is or was.
pub async fn find_captured(
    db: &mut AnyConnection,
    key: BaselineKey<'_>,
    capture_id: &str,
) -> sqlx::Result<Option<String>> {
    sqlx::query_scalar(
        "SELECT r.id FROM baseline_history h JOIN results r ON r.job_id = h.job_id AND r.page_key = h.page_key \
         AND r.variant_name = h.variant_name AND r.current_capture_id = h.capture_id \
         JOIN jobs j ON j.id = r.job_id AND j.removed_at_ms IS NULL \
         WHERE h.project_id = $1 AND h.page_key = $2 AND h.variant_name = $3 AND h.capture_id = $4 ORDER BY h.version LIMIT 1",
    )
    .bind(key.project_id)
    .bind(key.page_key)
    .bind(key.variant_name)
    .bind(capture_id)
    .fetch_optional(db)
    .await
}
