//! `PUT /upload/…`: one part of a page's upload, streamed into staging.

use std::time::Duration;

use anyhow::Context;
use axum::body::Body;
use axum::extract::State;
use axum::http::header::{CONTENT_ENCODING, CONTENT_TYPE};
use axum::http::{HeaderMap, HeaderName, StatusCode, Uri};
use futures::StreamExt;
use pentimento_api::error::{ErrorBody, ErrorCode};
use pentimento_api::job::JobStatus;
use sqlx::AnyConnection;

use crate::app::App;
use crate::db;
use crate::error::{Error, Result};
use crate::extract::Query;
use crate::jobs::client::check_open;
use crate::storage::links::Signature;
use crate::storage::staging::{Incoming, Part, Received, StagingKey};

/// Longest time that an upload may take, and that it may stand still.
const UPLOAD_DEADLINE: Duration = Duration::from_mins(10);
const IDLE_DEADLINE: Duration = Duration::from_secs(30);

/// How many times the limit of a too large body is read and thrown away, so that the caller hears the answer instead of
/// a closed connection.
const DRAINED_LIMITS: u64 = 3;

/// Upload a screenshot or a DOM tree by its signed link.
///
/// A second upload to the same link replaces the first one. A body that breaks off changes nothing.
#[utoipa::path(
    put, path = "/upload/{jobId}/{file}", tag = "links", security(()),
    params(
        ("jobId" = String, Path, description = "The job"),
        ("file" = String, Path, description = "The upload: `.png` is its screenshot, `.json` its DOM tree"),
        ("exp" = i64, Query, description = "When the link ends, in seconds since 1970"),
        ("sig" = String, Query, description = "The signature"),
    ),
    request_body(description = "`image/png` of at most 64 MiB, or `application/json` of at most 16 MiB, plain or gzip", content_type = "application/octet-stream"),
    responses(
        (status = 200, description = "It is stored"),
        (status = 400, description = "`invalid_input`; `invalid_state` when the job was finalized", body = ErrorBody),
        (status = 403, description = "`forbidden`: the link has expired or was changed", body = ErrorBody),
        (status = 404, description = "`not_found`", body = ErrorBody),
        (status = 413, description = "`payload_too_large`", body = ErrorBody),
        (status = 500, description = "`internal`", body = ErrorBody),
    )
)]
pub(super) async fn put_upload(
    State(app): State<App>,
    uri: Uri,
    headers: HeaderMap,
    Query(signature): Query<Signature>,
    body: Body,
) -> Result<StatusCode> {
    match admit(&app, &uri, &headers, &signature).await {
        Ok(key) => {
            let receiving = receive(&app, &key, body);
            let received = tokio::time::timeout(UPLOAD_DEADLINE, receiving)
                .await
                .unwrap_or_else(|_| Err(too_slow()))?;
            // Whoever goes away now does not take it back: the job's row must be held until the file is at its place, also by a
            // thread that is just moving it there.
            let placing = tokio::spawn(async move { place(&app, &key, received).await });
            placing.await.context("placing an upload")??;
            Ok(StatusCode::OK)
        }
        Err(refusal) => {
            drain(body).await;
            Err(refusal)
        }
    }
}

/// What the link names, when it may be uploaded now.
async fn admit(
    app: &App,
    uri: &Uri,
    headers: &HeaderMap,
    signature: &Signature,
) -> Result<StagingKey> {
    let now = app.clock.now_ms();
    if !app.links.verify_upload(uri.path(), signature, now) {
        return Err(Error::refused(
            ErrorCode::Forbidden,
            "This link has expired, was changed, or is not for uploading; POST /ci/job/upload-url gives a fresh one.",
        ));
    }
    let key = uri.path().strip_prefix("/upload/").map(str::parse);
    let Some(Ok(key)) = key else {
        return Err(gone());
    };
    check_job(&mut *app.db.read().await?, &key).await?;
    check_headers(headers, key.part())?;
    Ok(key)
}

/// Reads a refused body within bounds and throws it away, so that the caller hears the refusal instead of a closed
/// connection.
async fn drain(body: Body) {
    let most = Part::Screenshot.max_bytes();
    let draining = async {
        let mut chunks = body.into_data_stream();
        let mut total = 0_u64;
        while let Some(Ok(chunk)) = chunks.next().await {
            total += chunk.len() as u64;
            if total > most {
                break;
            }
        }
    };
    // Whoever is slower than this hears nothing.
    let _ = tokio::time::timeout(IDLE_DEADLINE, draining).await;
}

/// Has all of the body on the disk, beside its place.
async fn receive(app: &App, key: &StagingKey, body: Body) -> Result<Received> {
    // Where uploads go to a bucket, no link of ours was given out.
    let folder = app.staging.folder().ok_or_else(gone)?;
    let incoming = folder.begin(key).await.map_err(storage)?;
    let incoming = read_into(incoming, key.part(), body).await?;
    incoming.finish().await.map_err(storage)
}

/// Puts what was received at its place, if its job still takes uploads.
async fn place(app: &App, key: &StagingKey, received: Received) -> Result<()> {
    // Whoever hears 200 knows that the upload counts, and whoever is refused that it does not: while the job's row is held
    // nobody finalizes it. The transaction changes nothing.
    let mut tx = app.db.begin().await?;
    db::jobs::lock_job(&mut tx, &key.job_id()).await?;
    check_job(&mut tx, key).await?;
    let placed = received.commit().await.map_err(storage)?;
    tx.rollback().await?;
    placed.keep().await.map_err(storage)
}

/// Streams the body, of which no more than a chunk is in memory.
async fn read_into(incoming: Incoming, part: Part, body: Body) -> Result<Incoming> {
    let limit = part.max_bytes();
    // Given up as soon as the body is too long: what is only read to be thrown away needs no disk.
    let mut incoming = Some(incoming);
    let mut chunks = body.into_data_stream();
    let mut total = 0_u64;
    while let Some(chunk) = tokio::time::timeout(IDLE_DEADLINE, chunks.next())
        .await
        .map_err(|_| too_slow())?
    {
        let chunk =
            chunk.map_err(|_| Error::invalid("The body did not arrive whole; send it again."))?;
        total += chunk.len() as u64;
        if total > limit {
            incoming = None;
        }
        match &mut incoming {
            Some(incoming) => incoming.write(&chunk).await.map_err(storage)?,
            None if total > limit * DRAINED_LIMITS => break,
            None => {}
        }
    }
    match incoming {
        Some(_) if total == 0 => Err(Error::invalid(
            "The body is empty; PUT the file as the body of the request.",
        )),
        Some(incoming) => Ok(incoming),
        None => Err(Error::refused(
            ErrorCode::PayloadTooLarge,
            format!(
                "The body is larger than the {} MiB that this link takes; capture a smaller part of the page.",
                limit >> 20
            ),
        )),
    }
}

/// The job behind the link takes uploads.
async fn check_job(connection: &mut AnyConnection, key: &StagingKey) -> Result<()> {
    let status = db::uploads::find_job_status(connection, &key.job_id()).await?;
    let status = status.ok_or_else(gone)?;
    check_open(
        JobStatus::ALL
            .into_iter()
            .find(|known| known.as_str() == status)
            .unwrap_or(JobStatus::Failed),
    )
}

/// What is not said is taken for right; what is said must be.
fn check_headers(headers: &HeaderMap, part: Part) -> Result<()> {
    let said = |name: HeaderName| {
        headers
            .get(name)
            .map(|value| value.to_str().unwrap_or("?").trim().to_ascii_lowercase())
    };
    if let Some(media_type) = said(CONTENT_TYPE) {
        let essence = media_type.split(';').next().unwrap_or_default().trim_end();
        if essence != part.media_type() {
            return Err(Error::invalid(format!(
                "`Content-Type` must be `{}` for this link.",
                part.media_type()
            )));
        }
    }
    match (said(CONTENT_ENCODING).as_deref(), part) {
        (None | Some("" | "identity"), _) | (Some("gzip" | "x-gzip"), Part::Dom) => Ok(()),
        (Some(_), Part::Dom) => Err(Error::invalid(
            "`Content-Encoding` must be `gzip`, or absent.",
        )),
        (Some(_), Part::Screenshot) => Err(Error::invalid(
            "`Content-Encoding` must be absent: a PNG is packed already.",
        )),
    }
}

fn storage(error: std::io::Error) -> Error {
    Error::Internal(anyhow::Error::from(error).context("staging an upload"))
}

fn too_slow() -> Error {
    Error::invalid("The body did not arrive in time; send it again.")
}

fn gone() -> Error {
    Error::not_found("No job takes uploads under this link.")
}
