//! Captures: what a page looked like once. Nothing of a row changes but the form that can be made again.

use sqlx::{AnyConnection, FromRow};

use super::retention::release_blobs;

/// A stored capture.
#[derive(Debug, Clone, FromRow)]
pub struct CaptureRow {
    /// Its id.
    pub id: String,
    /// Whose it is.
    pub organization_id: String,
    /// The page that was open.
    pub url: String,
    /// The screenshot's blob.
    pub screenshot_blob: String,
    /// The screenshot as comparisons read it fastest; its blob can be made again from the screenshot.
    pub strips_blob: Option<String>,
    /// A small picture of it.
    pub thumbnail_blob: String,
    /// Pixels across.
    pub width: i64,
    /// Pixels down.
    pub height: i64,
    /// The DOM tree's blob.
    pub dom_blob: Option<String>,
    /// The saved page's blob.
    pub page_blob: Option<String>,
    /// The browser that made it.
    pub browser: String,
    /// How it was made, as JSON; none for what clients upload.
    pub report: Option<String>,
    /// 1 where the page has more than the picture shows.
    pub truncated: i64,
    /// When.
    pub captured_at_ms: i64,
}

/// Stores a capture.
pub async fn insert_capture(db: &mut AnyConnection, row: &CaptureRow) -> sqlx::Result<()> {
    sqlx::query(
        "INSERT INTO captures (id, organization_id, url, screenshot_blob, strips_blob, thumbnail_blob, width, height, dom_blob, \
         page_blob, browser, report, truncated, captured_at_ms) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14)",
    )
    .bind(&row.id)
    .bind(&row.organization_id)
    .bind(&row.url)
    .bind(&row.screenshot_blob)
    .bind(&row.strips_blob)
    .bind(&row.thumbnail_blob)
    .bind(row.width)
    .bind(row.height)
    .bind(&row.dom_blob)
    .bind(&row.page_blob)
    .bind(&row.browser)
    .bind(&row.report)
    .bind(row.truncated)
    .bind(row.captured_at_ms)
    .execute(db)
    .await
    .map(drop)
}

/// Notes the blob of a screenshot's form that was made again, and releases the former one; where the capture is gone meanwhile,
/// the new one.
pub async fn set_strips(
    db: &mut AnyConnection,
    id: &str,
    strips_blob: &str,
    now_ms: i64,
) -> sqlx::Result<()> {
    // It holds the row: nobody else makes the form, or removes the capture, in between.
    let former: Option<Option<String>> = sqlx::query_scalar(
        "UPDATE captures SET strips_blob = strips_blob WHERE id = $1 RETURNING strips_blob",
    )
    .bind(id)
    .fetch_optional(&mut *db)
    .await?;
    let released = match former {
        Some(former) => former.filter(|former| former != strips_blob),
        None => Some(strips_blob.to_owned()),
    };
    sqlx::query("UPDATE captures SET strips_blob = $1 WHERE id = $2")
        .bind(strips_blob)
        .bind(id)
        .execute(&mut *db)
        .await?;
    release_blobs(db, released.as_slice(), now_ms).await
}

/// What a query names of `captures c` to get a [`CaptureRow`].
pub(super) const COLUMNS: &str = "c.id, c.organization_id, c.url, c.screenshot_blob, c.strips_blob, c.thumbnail_blob, c.width, c.height, \
     c.dom_blob, c.page_blob, c.browser, c.report, c.truncated, c.captured_at_ms";

/// A capture by its id.
pub async fn get_capture(db: &mut AnyConnection, id: &str) -> sqlx::Result<CaptureRow> {
    sqlx::query_as(sqlx::AssertSqlSafe(format!(
        "SELECT {COLUMNS} FROM captures c WHERE c.id = $1"
    )))
    .bind(id)
    .fetch_one(db)
    .await
}
