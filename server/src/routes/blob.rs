//! Signed links: blobs, and the inspect link of a result.

pub(super) mod drawn;

use std::time::Duration;

use axum::extract::State;
use axum::http::header::{ACCEPT, ACCESS_CONTROL_ALLOW_ORIGIN, CACHE_CONTROL, CONTENT_TYPE, VARY};
use axum::http::{HeaderMap, HeaderValue, Uri};
use axum::response::{IntoResponse, Response};
use pentimento_api::error::{ErrorBody, ErrorCode};

use super::dashboard;
use crate::app::App;
use crate::db;
use crate::db::results::ResultRow;
use crate::error::{Error, Result};
use crate::extract::{PathPart, Query};
use crate::storage::StorageError;
use crate::storage::links::Signature;

/// Longest wait for one blob.
const PATIENCE: Duration = Duration::from_secs(30);

/// Fetch a blob by its signed link.
#[utoipa::path(
    get, path = "/blob/{key}", tag = "links", security(()),
    params(
        ("key" = String, Path, description = "The blob's SHA-256"),
        ("type" = String, Query, description = "Its media type"),
        ("exp" = i64, Query, description = "When the link ends, in seconds since 1970"),
        ("sig" = String, Query, description = "The signature"),
    ),
    responses(
        (status = 200, description = "The content", content_type = "image/png"),
        (status = 400, description = "`invalid_input`: the link was cut short", body = ErrorBody),
        (status = 403, description = "`forbidden`: the link has expired or was changed", body = ErrorBody),
        (status = 404, description = "`not_found`", body = ErrorBody),
    )
)]
pub(super) async fn get_blob(
    State(app): State<App>,
    uri: Uri,
    PathPart(key): PathPart,
    Query(signature): Query<Signature>,
) -> Result<Response> {
    check(&app, &uri, &signature)?;
    let content = read(&app, &key).await?;
    let media_type = HeaderValue::from_str(signature.media_type()).map_err(|_| gone())?;
    Ok(content_response(content, media_type))
}

/// Inspect a result: programs get the annotated diff image, browsers the review page.
#[utoipa::path(
    get, path = "/inspect/{resultId}", tag = "links", security(()),
    params(
        ("resultId" = pentimento_api::ids::ResultId, Path, description = "The result"),
        ("exp" = i64, Query, description = "When the link ends, in seconds since 1970"),
        ("sig" = String, Query, description = "The signature"),
    ),
    responses(
        (status = 200, description = "The annotated diff image; the current capture when no pixel changed", content_type = "image/png"),
        (status = 400, description = "`invalid_input`: the link was cut short", body = ErrorBody),
        (status = 403, description = "`forbidden`: the link has expired or was changed", body = ErrorBody),
        (status = 404, description = "`not_found`", body = ErrorBody),
    )
)]
pub(super) async fn inspect(
    State(app): State<App>,
    uri: Uri,
    headers: HeaderMap,
    PathPart(id): PathPart,
    Query(signature): Query<Signature>,
) -> Result<Response> {
    let wants_page = headers
        .get(ACCEPT)
        .and_then(|accept| accept.to_str().ok())
        .is_some_and(|accept| accept.contains("text/html"));
    if wants_page {
        // The page asks for a session itself; the signature opens pictures alone.
        return Ok(dashboard::index().await);
    }
    check(&app, &uri, &signature)?;
    let row = find(&app, &id).await?;
    let content = match (&row.diff_blob, &row.mask_blob) {
        (Some(diff), _) => read(&app, diff).await?,
        (None, Some(_)) => drawn::annotated(&app, &id).await?,
        (None, None) => read(&app, row.current_blob.as_ref().ok_or_else(gone)?).await?,
    };
    let mut response = content_response(content, HeaderValue::from_static("image/png"));
    if row.stage != "done" {
        // What it shows is not decided yet.
        let headers = response.headers_mut();
        headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
    }
    Ok(response)
}

pub(super) async fn find(app: &App, id: &str) -> Result<ResultRow> {
    let mut connection = app.db.read().await?;
    let row = db::results::get_result(&mut connection, id).await?;
    let row = row.ok_or_else(gone)?;
    let job = db::jobs::find_job(&mut connection, &row.organization_id, &row.job_id).await?;
    job.map(|_| row).ok_or_else(gone)
}

pub(super) fn check(app: &App, uri: &Uri, signature: &Signature) -> Result<()> {
    if app.links.verify(uri.path(), signature, app.clock.now_ms()) {
        return Ok(());
    }
    Err(Error::refused(
        ErrorCode::Forbidden,
        "This link has expired or was changed; read the job again for a fresh one.",
    ))
}

pub(super) async fn read(app: &App, key: &str) -> Result<Vec<u8>> {
    let reading = app.storage.get_soon(key, PATIENCE);
    reading.await.map_err(not_readable)
}

fn not_readable(error: StorageError) -> Error {
    match error {
        StorageError::BadKey | StorageError::Missing(_) => gone(),
        other => Error::Internal(other.into()),
    }
}

pub(super) fn gone() -> Error {
    Error::not_found("Nothing is stored under this link any more.")
}

/// A blob never changes, so a browser may keep it. Any page may show it: whoever has the link has the picture.
pub(super) fn content_response(content: Vec<u8>, media_type: HeaderValue) -> Response {
    let mut response = content.into_response();
    let headers = response.headers_mut();
    headers.insert(CONTENT_TYPE, media_type);
    headers.insert(
        CACHE_CONTROL,
        HeaderValue::from_static("private, max-age=86400, immutable"),
    );
    headers.insert(ACCESS_CONTROL_ALLOW_ORIGIN, HeaderValue::from_static("*"));
    headers.insert(VARY, HeaderValue::from_static("accept"));
    response
}
