//! Takes: every capture that the service took of a page for one result. Rows are never changed.

use sqlx::{AnyConnection, FromRow};

use super::captures::{COLUMNS, CaptureRow};

/// A capture, and of which side it is.
#[derive(Debug, Clone, FromRow)]
pub struct TakeRow {
    /// `test` or `base`.
    pub side: String,
    /// The capture.
    #[sqlx(flatten)]
    pub capture: CaptureRow,
}

/// Adds a stored capture to those of a result's side. The caller must hold the lease on the result.
pub async fn insert_take(
    db: &mut AnyConnection,
    result_id: &str,
    side: &str,
    capture_id: &str,
) -> sqlx::Result<()> {
    let number: i64 = sqlx::query_scalar(
        "SELECT COALESCE(MAX(number), 0) + 1 FROM takes WHERE result_id = $1 AND side = $2",
    )
    .bind(result_id)
    .bind(side)
    .fetch_one(&mut *db)
    .await?;
    sqlx::query("INSERT INTO takes (result_id, side, number, capture_id) VALUES ($1, $2, $3, $4)")
        .bind(result_id)
        .bind(side)
        .bind(number)
        .bind(capture_id)
        .execute(db)
        .await
        .map(drop)
}

/// The captures that were taken for a result, those of each side in their order; none for uploads.
pub async fn list_takes(db: &mut AnyConnection, result_id: &str) -> sqlx::Result<Vec<TakeRow>> {
    sqlx::query_as(sqlx::AssertSqlSafe(format!(
        "SELECT t.side, {COLUMNS} FROM takes t JOIN captures c ON c.id = t.capture_id WHERE t.result_id = $1 \
         ORDER BY t.side, t.number"
    )))
    .bind(result_id)
    .fetch_all(db)
    .await
}
